"""Two parsers under one metric: is the difference significant, how large is it, where does it come from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd

from evaltools.analysis.bootstrap import RESAMPLES
from evaltools.analysis.comparison import PairFindings, carriers
from evaltools.analysis.significance import EQUAL, Comparison
from evaltools.frameworks.groups import Column
from evaltools.frameworks.metric import Metric
from evaltools.frameworks.registry import METRICS
from evaltools.outputs.blocks import Block, Table, Text, figure_column
from evaltools.outputs.summary import micro_title
from evaltools.outputs.tables import console_text, json_text, json_value
from evaltools.runs.store import Run
from evaltools.text import decimals, p_value, percent

_MAX_LABELS = 10
_WIDTH = 160


def as_json(run: Run, findings: PairFindings, seed: int) -> str:
    """Return both figures, ``difference``, ``p``, ``ci``, ``n``, the sentences, ``effect`` and ``classes``."""
    comparison, effect = findings.comparison, findings.effect
    content = {
        "signature": run.signature,
        "metric": comparison.metric,
        "a": comparison.parser_a,
        "b": comparison.parser_b,
        "value_a": json_value(comparison.value),
        "value_b": json_value(comparison.value_b),
        "difference": json_value(comparison.difference),
        "p": json_value(comparison.p),
        "ci": [json_value(comparison.low), json_value(comparison.high)],
        "significant": comparison.significant,
        "iterations": comparison.iterations,
        "resamples": comparison.resamples,
        "seed": seed,
        "over": findings.over,
        "n": comparison.n_sentences,
        "n_a": findings.n_own[0],
        "n_b": findings.n_own[1],
        "n_different": comparison.n_different,
        "cluster": comparison.cluster or None,
        "groups": comparison.n_units or None,
        "effect": {
            "d_z": json_value(effect.d_z),
            "mean_difference": json_value(effect.mean_difference),
            "standard_deviation": json_value(effect.deviation),
            "n": effect.n,
            "better": effect.better,
            "equal": effect.equal,
            "worse": effect.worse,
            "superiority": json_value(effect.superiority),
        },
        "classes": [_class(row) for row in findings.classes.to_dict("records")],
    }
    return json_text(content)


def _class(row: dict[Any, Any]) -> dict[str, Any]:
    return {
        "family": row["family"],
        "class": row["name"],
        "overlap": bool(row["overlap"]),
        "n": int(row["sentences"]),
        "value_a": json_value(row["value"]),
        "value_b": json_value(row["other_value"]),
        "difference": json_value(row["difference"]),
        "contribution": json_value(row["contribution"]),
        "ci": [json_value(row["low"]), json_value(row["high"])],
        "share": json_value(row["share"]),
        "weight": json_value(row["weight"]),
    }


def as_text(run: Run, findings: PairFindings, seed: int) -> str:
    """Return the comparison as text."""
    return console_text([*blocks(findings, seed), ""], run.signature, _WIDTH)


def blocks(findings: PairFindings, seed: int) -> list[Block]:
    """Return both figures, whether the difference is significant, its size, and the sentences it comes from."""
    comparison = findings.comparison
    metric = METRICS[comparison.metric]
    n, n_different = comparison.n_sentences, comparison.n_different
    sentences = f"all {n:,} sentences" if findings.over == "all" else f"{n:,} sentences parsed by both"
    if n_different is not None:
        sentences += f"; the counts differ on {n_different:,} of them"
    figures = [
        [name, value, f"it has {own:,} sentences" if own > n else ""]
        for name, value, own in zip(
            (comparison.parser_a, comparison.parser_b),
            (comparison.value, comparison.value_b),
            findings.n_own,
            strict=True,
        )
    ]
    drawn = f", over {comparison.units}" if comparison.cluster else ""
    between = f"95 % interval {metric.text(comparison.low)} to {metric.text(comparison.high)}"
    figures.append(["difference", comparison.difference, f"{between}, p = {p_value(comparison.p)}{drawn}"])
    test = (
        f"One paired permutation test over {comparison.units}, two-sided, not corrected for other pairs, "
        f"{comparison.iterations:,} iterations; interval of the difference by {comparison.resamples:,} paired "
        f"resamples, those of the classes by {RESAMPLES:,}; seed {seed}"
    )
    return [
        Text(f"{micro_title(metric)}, over {sentences}", "line"),
        Table([Column("parser", "", "text"), figure_column(metric), Column("more", "", "text")], figures),
        Text(_verdict(comparison), "line"),
        *(Text(line, "line") for line in _effect(findings, metric)),
        *_classes(findings, metric),
        Text(test, "line"),
    ]


def _verdict(comparison: Comparison) -> str:
    if comparison.ahead is None:
        is_sure = comparison.significant
        return f"The difference is {'significant, and neither value is better' if is_sure else 'not significant'}"
    behind = comparison.parser_b if comparison.ahead == comparison.parser_a else comparison.parser_a
    return f"{comparison.ahead} is significantly better than {behind}"


def _effect(findings: PairFindings, metric: Metric) -> list[str]:
    effect = findings.effect
    if not effect.n:
        return ["Effect size: no sentence has both scores"]
    shares = [percent(count / effect.n) for count in (effect.better, effect.equal, effect.worse)]
    return [
        f"Effect size d_z = {decimals(effect.d_z, 3)}: the mean of the sentences' differences, "
        f"{metric.text(effect.mean_difference)}, divided by their standard deviation, {metric.text(effect.deviation)} "
        "(Cohen 1988)",
        *filter(None, [effect.explain_sign(findings.comparison.difference, findings.comparison.figure)]),
        f"{findings.comparison.parser_a} is better on {shares[0]} % of {effect.n:,} sentences, equal on {shares[1]} %, "
        f"worse on {shares[2]} %",
    ]


def class_columns(metric: Metric) -> list[Column]:
    """Return the columns of tables of classes of sentences."""
    return [
        Column("name", "class", "text"),
        Column("sentences", "sentences"),
        figure_column(metric, "value", "A"),
        figure_column(metric, "other_value", "B"),
        figure_column(metric, "difference", "A − B"),
        figure_column(metric, "contribution", "contribution"),
        Column("interval", "95 % interval", "interval"),
        Column("share", "of the difference", "percent"),
        Column("weight", "of the counts", "percent"),
    ]


def _classes(findings: PairFindings, metric: Metric) -> list[Block]:
    """Return a table for each family; of labels, the most over-represented ones."""
    blocks: list[Block] = []
    rows = carriers(findings.classes)
    for family in findings.families:
        all_rows = rows[rows["family"] == family.id]
        if all_rows.empty:
            continue
        listed, about = all_rows, "the contributions add up to the difference"
        if family.overlap:
            listed, beyond = _over_represented(all_rows)
            about = f"classes overlap; sentences with and without a class add up to the difference{beyond}"
        ends = zip(listed["low"], listed["high"], strict=True)
        listed = listed.assign(interval=[f"{metric.text(low)} to {metric.text(high)}" for low, high in ends])
        note = "–: works against the difference, or is more than all of it because other classes do"
        has_dash = listed["share"].isna().any() and not listed["share"].isna().all()
        title = f"{family.title}: {about}"
        blocks.append(Table.of(listed, class_columns(metric), title=title, note=note if has_dash else ""))
    return blocks


def _over_represented(rows: pd.DataFrame) -> tuple[pd.DataFrame, str]:
    """Return the classes to list of those that overlap, with a remark on which these are."""
    over = rows[rows["excess"] > EQUAL]
    if over.empty:
        return rows.head(_MAX_LABELS), "; none contributes more than by its share of the counts"
    listed = over.head(_MAX_LABELS)
    if len(listed) == len(rows):
        return listed, ""
    return listed, f"; {len(listed)} of {len(rows)}, the most over-represented by their share of the counts"


COMPARISON_REPORTS: dict[str, Callable[[Run, PairFindings, int], str]] = {"text": as_text, "json": as_json}
"""The reports by the name of their format."""

"""Two parsers under one metric: is the difference significant, how large is it, where does it come from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd

from evaltools.analysis.bootstrap import RESAMPLES
from evaltools.analysis.comparison import PairFindings, carriers
from evaltools.analysis.significance import EQUAL, Comparison
from evaltools.frameworks.registry import METRICS
from evaltools.outputs.summary import micro_title
from evaltools.outputs.tables import json_text, json_value
from evaltools.runs.store import Run
from evaltools.text import decimals, p_value, percent, printable

_MAX_LABELS = 10


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
    comparison = findings.comparison
    metric = METRICS[comparison.metric]
    number = metric.text
    first, second = (printable(name) for name in (comparison.parser_a, comparison.parser_b))
    width = max(len(first), len(second), len("difference"))
    p = p_value(comparison.p)
    n, n_different = comparison.n_sentences, comparison.n_different
    sentences = f"all {n:,} sentences" if findings.over == "all" else f"{n:,} sentences parsed by both"
    if n_different is not None:
        sentences += f"; the counts differ on {n_different:,} of them"
    larger = [f"   (it has {own:,})" if own > n else "" for own in findings.n_own]
    drawn = f"   over {comparison.units}" if comparison.cluster else ""
    return "\n".join(
        [
            f"{micro_title(metric)}, over {sentences}",
            "",
            f"{first:{width}}  {number(comparison.value):>8}{larger[0]}",
            f"{second:{width}}  {number(comparison.value_b):>8}{larger[1]}",
            f"{'difference':{width}}  {number(comparison.difference):>8}   "
            f"95 % interval {number(comparison.low)} to {number(comparison.high)}   p = {p}{drawn}",
            "",
            _verdict(comparison, first, second),
            "",
            *_effect(findings, first, number),
            *_classes(findings, number),
            "",
            f"One paired permutation test over {comparison.units}, two-sided, not corrected for other pairs, "
            f"{comparison.iterations:,} iterations; "
            f"interval of the difference by {comparison.resamples:,} paired resamples, those of the classes by "
            f"{RESAMPLES:,}; seed {seed}",
            printable(run.signature),
            "",
        ]
    )


def _verdict(comparison: Comparison, parser_a: str, parser_b: str) -> str:
    if comparison.ahead is None:
        is_sure = comparison.significant
        return f"The difference is {'significant, and neither value is better' if is_sure else 'not significant'}"
    if comparison.ahead == comparison.parser_a:
        return f"{parser_a} is significantly better than {parser_b}"
    return f"{parser_b} is significantly better than {parser_a}"


def _effect(findings: PairFindings, parser_a: str, number: Callable[[float], str]) -> list[str]:
    effect = findings.effect
    if not effect.n:
        return ["Effect size: no sentence has both scores"]
    shares = [percent(count / effect.n) for count in (effect.better, effect.equal, effect.worse)]
    mean, deviation = number(effect.mean_difference), number(effect.deviation)
    return [
        f"Effect size d_z = {decimals(effect.d_z, 3)}: the mean of the sentences' differences, {mean}, divided by "
        f"their standard deviation, {deviation} (Cohen 1988)",
        *filter(None, [effect.explain_sign(findings.comparison.difference, findings.comparison.figure)]),
        f"{parser_a} is better on {shares[0]} % of {effect.n:,} sentences, equal on {shares[1]} %, "
        f"worse on {shares[2]} %",
    ]


_HEAD = ("sentences", "A", "B", "A − B", "contribution", "95 % interval", "of the difference", "of the counts")


def _classes(findings: PairFindings, number: Callable[[float], str]) -> list[str]:
    """Return a table for each family; of labels, the most over-represented ones."""
    lines: list[str] = []
    rows = carriers(findings.classes)
    for family in findings.families:
        all_rows = rows[rows["family"] == family.id]
        if all_rows.empty:
            continue
        listed, about = all_rows, "the contributions add up to the difference"
        if family.overlap:
            listed, beyond = _over_represented(all_rows)
            about = f"classes overlap; sentences with and without a class add up to the difference{beyond}"
        lines += ["", f"{family.title}: {about}", *_table(listed, number)]
        if listed["share"].isna().any() and not listed["share"].isna().all():
            lines.append("  –: works against the difference, or is more than all of it because other classes do")
    return lines


def _over_represented(rows: pd.DataFrame) -> tuple[pd.DataFrame, str]:
    """Return the classes to list of those that overlap, with a remark on which these are."""
    over = rows[rows["excess"] > EQUAL]
    if over.empty:
        return rows.head(_MAX_LABELS), "; none contributes more than by its share of the counts"
    listed = over.head(_MAX_LABELS)
    if len(listed) == len(rows):
        return listed, ""
    return listed, f"; {len(listed)} of {len(rows)}, the most over-represented by their share of the counts"


def _table(rows: pd.DataFrame, number: Callable[[float], str]) -> list[str]:
    names = [printable(name) for name in rows["name"]]
    width = max(map(len, names))
    cells: list[tuple[str, ...]] = [_HEAD]
    for row in rows.to_dict("records"):
        figures = [number(row[name]) for name in ("value", "other_value", "difference", "contribution")]
        between = f"{number(row['low'])} to {number(row['high'])}"
        shares = [f"{text} %" if (text := percent(row[name])) != "–" else text for name in ("share", "weight")]
        cells.append((f"{row['sentences']:,}", *figures, between, *shares))
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [
        "  ".join([f"  {name:{width}}", *(f"{cell:>{wide}}" for cell, wide in zip(line, widths, strict=True))])
        for name, line in zip(["", *names], cells, strict=True)
    ]


COMPARISON_REPORTS: dict[str, Callable[[Run, PairFindings, int], str]] = {"text": as_text, "json": as_json}
"""The reports by the name of their format."""

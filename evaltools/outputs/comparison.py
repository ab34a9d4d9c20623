"""Two parsers under one metric: is the difference significant, how large is it, where does it come from."""

from __future__ import annotations

import math
import shlex
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

import pandas as pd

from evaltools.analysis.bootstrap import RESAMPLES
from evaltools.analysis.comparison import PairFindings, carriers
from evaltools.analysis.contributions import ClassFamily
from evaltools.analysis.significance import EQUAL, Comparison
from evaltools.blocks import Block, Column, Table, Text
from evaltools.errors import ParameterError
from evaltools.frameworks.figures import AVERAGES
from evaltools.frameworks.hotspots import COMPARED, Hotspots
from evaltools.frameworks.metric import Metric, figure_column
from evaltools.frameworks.registry import METRICS
from evaltools.outputs.hotspots import ask, error_rows
from evaltools.outputs.summary import interval_in_words
from evaltools.outputs.tables import console_text, json_text
from evaltools.runs.store import Run
from evaltools.text import capitalized, count_of, decimals, listing, number, p_value, percentage

_MAX_ERRORS = 12
_MAX_NAMED = 2
"""Differences in errors that are named in each direction."""


def comparison_report(run: Run, findings: PairFindings, seed: int, kind: str, *, all_tables: bool = False) -> str:
    """Return figures, difference, p-value, interval, effect size and classes of sentences, as text or JSON.

    The text is the result, wins and losses, the second metric, error types and lengths; `all_tables` adds the effect
    size and all classes, which JSON has.
    """
    comparison, effect = findings.comparison, findings.effect
    errors = _errors(run, comparison)
    if kind == "text":
        return console_text(_text_blocks(run, findings, errors, seed, all_tables=all_tables), run.signature)
    second = findings.second
    content = {
        "signature": run.signature,
        "metric": comparison.metric,
        "a": comparison.parser_a,
        "b": comparison.parser_b,
        "value_a": comparison.value,
        "value_b": comparison.value_b,
        "difference": comparison.difference,
        "p": comparison.p,
        "ci": [comparison.low, comparison.high],
        "significant": comparison.significant,
        "iterations": comparison.iterations,
        "resamples": comparison.iterations,
        "seed": seed,
        "over": findings.over,
        "n": comparison.n_sentences,
        "n_a": findings.n_own[0],
        "n_b": findings.n_own[1],
        "n_different": comparison.n_different,
        "cluster": comparison.cluster or None,
        "groups": comparison.n_units or None,
        "effect": {**asdict(effect), "d_z": effect.d_z, "superiority": effect.superiority},
        "second": second
        and {
            "metric": second.metric,
            "value_a": second.value,
            "value_b": second.value_b,
            "difference": second.difference,
            "p": second.p,
            "ci": [second.low, second.high],
            "significant": second.significant,
        },
        "errors": errors
        and {"view": errors.question.id, "unit": errors.question.kind.unit, "rows": error_rows(errors)},
        "classes": [_class(row) for row in findings.classes.to_dict("records")],
    }
    return json_text(content)


_CLASS = {
    **{"family": "family", "class": "name", "overlap": "overlap", "n": "sentences"},
    **{"value_a": "value", "value_b": "other_value", "difference": "difference", "contribution": "contribution"},
}
"""The columns of classes under the names of JSON."""


def _class(row: Mapping[Any, Any]) -> dict[str, Any]:
    ends = {"ci": [row["low"], row["high"]], "share": row["share"], "weight": row["weight"]}
    return {name: row[column] for name, column in _CLASS.items()} | ends


def _errors(run: Run, pair: Comparison) -> Hotspots | None:
    """Return the error types of two parsers, or what the framework groups errors by first; None if it does not."""
    questions = run.framework.questions().hotspots
    if not questions:
        return None
    question = questions.get("errors") or next(iter(questions.values()))
    try:
        return ask(run, question, pair.parser_a, pair.parser_b, cluster=pair.cluster)
    except ParameterError:  # there is no sentence that both have parsed
        return None


def _text_blocks(
    run: Run, findings: PairFindings, errors: Hotspots | None, seed: int, *, all_tables: bool
) -> list[Block | str]:
    comparison, metric = findings.comparison, METRICS[findings.comparison.metric]
    own = zip((comparison.parser_a, comparison.parser_b), findings.n_own, strict=True)
    more = [f"{name} has {n:,} sentences." for name, n in own if n > comparison.n_sentences]
    second = findings.second
    test = (
        f"One paired permutation test{' for each metric' if second else ''} over {comparison.units}, two-sided, not "
        f"corrected for other pairs, "
        f"{comparison.iterations:,} iterations; interval of the difference by {comparison.iterations:,} paired "
        f"resamples, those of the classes by {RESAMPLES:,}; seed {seed}"
    )
    families = [family for family in findings.families if all_tables or family.id == "length"]
    tables = [table for family in families if (table := _family_table(findings, family, metric)) is not None]
    effect, *wins = effect_in_words(findings)
    lines = [pair_in_words(comparison, run.n_counted), *more, *(wins or [effect])]
    lines += [second_in_words(comparison, second, run.n_counted)] if second else []
    lines += [effect] if all_tables and wins else []
    lines += [] if errors is None else errors_in_words(errors, comparison)
    lines += lengths_in_words(findings)
    listed = [] if errors is None else [_error_table(errors)]
    return [*(Text(line, "line") for line in lines), *listed, *tables, Text(test), ""]


def _error_table(errors: Hotspots) -> Table:
    """Return the first errors of two parsers, with the interval of their difference."""
    rows = errors.rows
    title = f"{errors.question.title}, {errors.question.kind.unit} of each parser, over {errors.scope}"
    names = map(shlex.quote, (str(errors.run.folder), errors.parser, "--view", errors.question.id))
    more = f"evaltools hotspots {' '.join(names)} --compare-with {shlex.quote(errors.other)}"
    cut = f"The first {_MAX_ERRORS} of {len(rows):,} rows; more: {more}. " if len(rows) > _MAX_ERRORS else ""
    note = f"{cut}{COMPARED[-1].help}; an interval is that of its row alone"
    return Table.of(rows[:_MAX_ERRORS], errors.columns, title=title, note=note)


def errors_in_words(errors: Hotspots, pair: Comparison) -> list[str]:
    """Return where the parser that is ahead has significantly fewer errors, and where more: the largest differences."""
    rows = errors.rows[errors.rows["flag"] == "✓"]
    if rows.empty or pair.ahead is None:
        return []
    own = rows["more"] if pair.ahead == errors.parser else -rows["more"]
    fewer, more = rows[own < 0].head(_MAX_NAMED), rows[own > 0].head(_MAX_NAMED)
    parts = [
        listing([f"{number(abs(row['more']))} {word} at {errors.describe(row)}" for _, row in some.iterrows()])
        for word, some in (("fewer", fewer), ("more", more))
        if not some.empty
    ]
    return [
        f"{capitalized(errors.question.kind.whole)} of {pair.ahead}: {', but '.join(parts)} (significant differences)."
    ]


def second_in_words(pair: Comparison, second: Comparison, n_counted: int) -> str:
    """Return what another metric says of two parsers, and whether it agrees about which is ahead."""
    ahead = [item.difference * (1 if METRICS[item.metric].higher_is_better else -1) for item in (pair, second)]
    product = ahead[0] * ahead[1]
    says = "disagrees" if product < 0 else "agrees about which is ahead" if product > 0 else "says"
    return f"{METRICS[second.metric].title} {says}: {pair_in_words(replace(second, n_different=None), n_counted)}"


def lengths_in_words(findings: PairFindings) -> list[str]:
    """Return which sentence lengths contribute most to the difference, and whether surely more than their share."""
    pair, metric = findings.comparison, METRICS[findings.comparison.metric]
    classes = findings.classes[(findings.classes["family"] == "length") & findings.classes["share"].notna()]
    if classes.empty or not abs(pair.difference) > EQUAL:
        return []
    row = max(classes.to_dict("records"), key=lambda row: float(row["share"]))
    sign = 1 if pair.difference > 0 else -1
    low, high = sorted((sign * row["low"], sign * row["high"]))
    is_more = low > row["weight"] * abs(pair.difference)
    unit = "points" if metric.is_share else metric.unit
    parts = f"{metric.text(sign * row['contribution'])} of {metric.text(abs(pair.difference))} {unit}"
    return [
        f"Lengths: the {count_of(row['sentences'], 'sentence')} of {row['name']} words contribute most, {parts} (95 % "
        f"interval {metric.text(low)} to {metric.text(high)}), {percentage(row['share'], 0)} of the difference with "
        f"{percentage(row['weight'], 0)} of the denominator{'' if is_more else ': not surely more than their share'}."
    ]


def pair_in_words(pair: Comparison, n_counted: int, n_pairs: int = 1) -> str:
    """Return the difference of two parsers with its interval and p-value, and whether it is significant."""
    metric = METRICS[pair.metric]
    values = f"{metric.text(pair.value)} and {metric.text(pair.value_b)}"
    count = count_of(pair.n_sentences, "sentence")
    where = f"all {count}" if pair.n_sentences == n_counted else f"the {count} both have"
    about = f"{metric.title}, {AVERAGES[pair.figure]} over {where}"
    names = f"{pair.parser_a} and {pair.parser_b}"
    if math.isnan(pair.difference):
        text = f"{names} cannot be compared by {about}: {values}."
    elif pair.difference == 0:
        text = f"{names} have the same figure by {about}: {values}."
    else:
        best, other = pair.parser_a, pair.parser_b
        if (pair.difference > 0) != metric.higher_is_better:
            best, other = other, best
            values = f"{metric.text(pair.value_b)} and {metric.text(pair.value)}"
        low, high = (pair.low, pair.high) if pair.difference > 0 else (-pair.high, -pair.low)
        between = ("" if math.isnan(low) else "95 % interval ") + interval_in_words(metric, low, high)
        unit = "points " if metric.is_share else ""
        corrected = f", {p_value(pair.p_adjusted)} after Holm’s correction for {n_pairs} pairs" if n_pairs > 1 else ""
        text = (
            f"{best} {'has' if pair.ahead is None else 'is significantly better:'} {metric.text(abs(pair.difference))} "
            f"{unit}{'more' if metric.higher_is_better else 'less'} than {other} by {about} ({values}), "
            f"{between}, p = {p_value(pair.p)}{corrected}."
            f"{'' if pair.significant else ' The difference is not significant.'}"
        )
    if pair.n_different is not None:
        text += f" Their counts differ in {count_of(pair.n_different, 'sentence')}."
    return text


def effect_in_words(findings: PairFindings) -> list[str]:
    """Return the effect size, and on how many sentences each parser is better."""
    effect, pair = findings.effect, findings.comparison
    if not effect.n:
        return ["No sentence has a score from both parsers, so there is no effect size."]
    metric = METRICS[pair.metric]
    sign = effect.explain_sign(pair.difference, pair.figure)
    counts = (
        (f"{pair.parser_a} is better on", effect.better),
        ("both are equal on", effect.equal),
        (f"{pair.parser_b} is better on", effect.worse),
    )
    shares = [f"{text} {n:,} ({percentage(n / effect.n, 2)})" for text, n in counts]
    n_without = pair.n_sentences - effect.n
    without = (
        f" with a score for both ({n_without:,} have none, such as those with nothing to count)" if n_without else ""
    )
    return [
        f"Effect size d_z = {decimals(effect.d_z, 3)}: mean of the sentence differences, "
        f"{metric.text(effect.mean_difference)}, divided by their standard deviation, "
        f"{metric.text(effect.standard_deviation)} (Cohen 1988, 2.3.5).{f' {sign}.' if sign else ''}",
        f"Of {count_of(effect.n, 'sentence')}{without}, {listing(shares)}.",
    ]


def class_table(rows: pd.DataFrame, metric: Metric, parsers: tuple[str, str], title: str = "", note: str = "") -> Table:
    """Return the contributions of classes of sentences to the difference of two parsers as a table."""
    ends = zip(rows["low"], rows["high"], strict=True)
    rows = rows.assign(interval=[interval_in_words(metric, *pair) for pair in ends])
    columns = [
        Column("name", "class", "text"),
        Column("sentences", "sentences"),
        figure_column(metric, "value", parsers[0]),
        figure_column(metric, "other_value", parsers[1]),
        figure_column(metric, "difference", "difference"),
        figure_column(metric, "contribution", "contribution"),
        Column("interval", "95 % interval", "interval", "of the contribution"),
        Column("share", "of the difference", "percent", _SHARE),
        Column("weight", "of denominator", "percent", "share of the denominator of the figure"),
    ]
    return Table.of(rows, columns, title=title, note=note)


_SHARE = "share of the whole difference; –: the class works against it, or is more than all of it because others do"


def _family_table(findings: PairFindings, family: ClassFamily, metric: Metric) -> Table | None:
    """Return the classes of a family; None if there are none."""
    rows = carriers(findings.classes)
    rows = rows[rows["family"] == family.id]
    if rows.empty:
        return None
    about = "the contributions add up to the difference"
    if family.overlap:
        about = (
            "classes overlap; sentences with and without a class add up to the difference; those that contribute most "
            "beyond their share of the denominator come first"
        )
    has_dash = rows["share"].isna().any() and not rows["share"].isna().all()
    parsers = findings.comparison.parser_a, findings.comparison.parser_b
    note = f"Of the difference: {_SHARE}" if has_dash else ""
    return class_table(rows, metric, parsers, f"{family.title}: {about}", note)

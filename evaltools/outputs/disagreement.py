"""Where two metrics disagree about one parser's sentences, as text, JSON or CSV."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evaltools.analysis.disagreement import (
    TENTHS,
    Disagreement,
    compared_metrics,
    disagreement,
    metric_distances,
    mostly_tied,
    reason_of_ties,
)
from evaltools.blocks import Column, Table, text_columns
from evaltools.errors import ParameterError
from evaltools.frameworks.metric import figure_column
from evaltools.frameworks.registry import METRICS
from evaltools.outputs.tables import console_text, csv_text, json_text
from evaltools.runs.sentences import columns
from evaltools.runs.store import Run
from evaltools.text import UNDEFINED, decimals, excerpt, number, printable


def disagreement_report(
    run: Run,
    parser: str,
    metrics: tuple[str, str],
    result: Disagreement,
    limit: int | None,
    kind: str,
) -> str:
    """Return distance, deciles and the sentences furthest apart as text or JSON, or all of these sentences as CSV."""
    extremes, kendall = result.extremes(limit), result.kendall
    titles = METRICS[metrics[0]].title, METRICS[metrics[1]].title
    if kind == "csv":
        return csv_text(extremes.rename(columns=dict(zip("ab", metrics, strict=True))))
    if kind == "json":
        content = {
            "signature": run.signature,
            "parser": parser,
            "a": metrics[0],
            "b": metrics[1],
            "n": kendall.n,
            "kendall_distance": kendall.distance,
            "reason": kendall.reason(titles) or None,
            "tau_b": kendall.tau_b,
            "deciles": {"a_in_b": result.a_in_b, "b_in_a": result.b_in_a},
            "tied_between_deciles": {"a": result.split[0], "b": result.split[1]},
            "extremes": extremes[["sentence", "a", "b", "rank_difference"]],
        }
        return json_text(content)
    a, b = titles
    lines = (
        f"{a} and {b} on the {kendall.n:,} sentences of {printable(parser)} scored by both metrics",
        f"{distance_in_words(result, (a, b))}\n",
    )
    short = METRICS[metrics[0]].short, METRICS[metrics[1]].short
    deciles = Table(
        [Column("by", "decile, best to worst", "text"), *(Column(f"{at}", f"{at}") for at in range(1, TENTHS + 1))],
        [
            [f"worst decile by {short[0]}, deciles by {short[1]}", *result.a_in_b],
            [f"worst decile by {short[1]}, deciles by {short[0]}", *result.b_in_a],
        ],
    )
    ties = result.describe_split(titles)
    listed = _extremes(run, metrics, extremes)
    return console_text([*lines, deciles, *([f"{ties}\n"] if ties else []), listed], run.signature)


def distance_in_words(result: Disagreement, titles: tuple[str, str]) -> str:
    """Return how differently two metrics rank sentences."""
    kendall = result.kendall
    reason = kendall.reason(titles) or f"{kendall.discordant:,} of {kendall.pairs:,} pairs in opposite order"
    return f"Kendall distance {decimals(kendall.distance, 3)} ({reason}), tau-b {decimals(kendall.tau_b, 3)}"


_MAX_WORDS = 50
"""Characters of a sentence in the table, whose figures stand beside it."""


def _extremes(run: Run, metrics: tuple[str, str], extremes: pd.DataFrame) -> Table:
    """Return sentences with their scores by two metrics, and the ranks of these."""
    scores = [
        figure_column(METRICS[name], side, f"{side}: {METRICS[name].title}", whole=True)
        for name, side in zip(metrics, "ab", strict=True)
    ]
    ranked = [
        Column(name, title, "interval")
        for name, title in (("rank_a", "rank by a"), ("rank_b", "rank by b"), ("rank_difference", "difference"))
    ]
    rows = extremes.assign(words=[excerpt(" ".join(run.text(at)), _MAX_WORDS) for at in extremes["sentence"]])
    for column in ranked:
        is_difference = column.name == "rank_difference"
        rows[column.name] = [number(value, 1, signed=is_difference) for value in rows[column.name]]
    return Table.of(rows, [Column("sentence", "sentence", "interval"), *scores, *ranked, *text_columns("words")])


def distances_of(run: Run, parser: str) -> tuple[pd.DataFrame, Mapping[str, NDArray[np.float64]]]:
    """Return Kendall's distances of the headline metrics for a parser's sentences, and the scores by metric."""
    if parser not in run.parsers:
        raise ParameterError.unknown("parser", parser, run.parsers)
    _, scores = columns(run, parser, compared_metrics(run, parser))
    return metric_distances(scores), scores


Distances = Mapping[str, tuple[pd.DataFrame, Mapping[str, NDArray[np.float64]]]]
"""The distances and scores by parser."""


def distances_by_parser(run: Run, metrics: tuple[str, str], kind: str) -> str:
    """Return Kendall's distance and tau-b of two metrics by the sentences of each parser, a row a parser."""
    results = {name: disagreement(run.sentences(name), *metrics, name).kendall for name in run.parsers}
    titles = tuple(METRICS[name].title for name in metrics)
    if kind != "text":
        rows = [
            {"parser": name, "n": result.n, "kendall_distance": result.distance, "tau_b": result.tau_b}
            | {"reason": result.reason(titles) or None}
            for name, result in results.items()
        ]
        if kind == "csv":
            return csv_text(pd.DataFrame(rows))
        return json_text({"signature": run.signature, "a": metrics[0], "b": metrics[1], "parsers": rows})
    columns = [
        Column("parser", "parser", "text"),
        *(Column("n", "sentences"), Column("opposite", "opposite pairs"), Column("pairs", "of pairs")),
        *(Column("distance", "Kendall distance", "interval"), Column("tau_b", "tau-b", "interval")),
    ]
    table_rows = [
        (name, kendall.n, kendall.discordant, kendall.pairs, decimals(kendall.distance, 3), decimals(kendall.tau_b, 3))
        for name, kendall in results.items()
    ]
    reasons = [
        f"{UNDEFINED}: {reason}."
        for reason in dict.fromkeys(item.reason(titles) for item in results.values())
        if reason
    ]
    note = "Kendall distance: share of the pairs of sentences that the two rank in opposite order."
    title = f"{titles[0]} and {titles[1]}: rankings of each parser's sentences that both metrics score"
    return console_text([Table(columns, table_rows, title, " ".join([note, *reasons]))], run.signature)


def _pairs(results: Distances) -> pd.DataFrame:
    rows = []
    for parser, (distances, scores) in results.items():
        for a, b in combinations(distances.columns, 2):
            n = int(np.count_nonzero(~(np.isnan(scores[a]) | np.isnan(scores[b]))))
            reason = (
                "fewer than two sentences have both scores" if n < 2 else _tied({name: scores[name] for name in (a, b)})
            )
            rows.append((parser, a, b, distances.loc[a, b], n, reason))
    return pd.DataFrame(rows, columns=["parser", "a", "b", "kendall_distance", "n", "reason"])


def _tied(scores: Mapping[str, NDArray[np.float64]]) -> str:
    return reason_of_ties([METRICS[name].title for name, values in scores.items() if mostly_tied(values)])


def distance_table(parser: str, distances: pd.DataFrame, scores: Mapping[str, NDArray[np.float64]]) -> Table:
    """Return Kendall's distances of every two metrics for a parser's sentences, as a matrix."""
    sizes = [int(np.count_nonzero(~np.isnan(values))) for values in scores.values()]
    n = f"{min(sizes):,}" if min(sizes) == max(sizes) else f"{min(sizes):,} to {max(sizes):,}"
    rows = []
    for index, metric in enumerate(distances.columns):
        values = ["" if at == index else decimals(value, 3) for at, value in enumerate(distances.iloc[index].tolist())]
        rows.append([METRICS[metric].title, *values])
    columns = [Column(name, METRICS[name].short, "interval") for name in distances.columns]
    title = f"Kendall distances of the metrics, {parser}, over {n} sentences with a score"
    tied = _tied(scores)
    note = "Share of the pairs of sentences that two metrics rank in opposite order."
    return Table([Column("metric", "", "text"), *columns], rows, title, f"{note} –: {tied}." if tied else note)


def distances_report(run: Run, results: Distances, kind: str) -> str:
    """Return a matrix for each parser as text, or a row a parser and pair of metrics as JSON or CSV."""
    if kind == "csv":
        return csv_text(_pairs(results))
    if kind == "json":
        return json_text({"signature": run.signature, "distances": _pairs(results)})
    return console_text([distance_table(parser, *result) for parser, result in results.items()], run.signature)

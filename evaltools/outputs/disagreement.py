"""Where two metrics disagree about one parser's sentences, as text, JSON or CSV."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evaltools.analysis.disagreement import (
    TENTHS,
    Disagreement,
    compared_metrics,
    metric_distances,
    mostly_tied,
    reason_of_ties,
)
from evaltools.blocks import Column, Table
from evaltools.errors import ParameterError
from evaltools.frameworks.formulas import figure_column
from evaltools.frameworks.registry import METRICS
from evaltools.outputs.tables import console_text, csv_text, json_text
from evaltools.runs.sentences import columns
from evaltools.runs.store import Run
from evaltools.text import decimals, number, printable


def as_json(run: Run, parser: str, metrics: tuple[str, str], result: Disagreement, limit: int) -> str:
    """Return ``n``, ``kendall_distance``, ``tau_b``, ``deciles`` and ``extremes``, with the run and the metrics."""
    content = {
        "signature": run.signature,
        "parser": parser,
        "a": metrics[0],
        "b": metrics[1],
        "n": result.kendall.n,
        "kendall_distance": result.kendall.distance,
        "reason": result.kendall.reason([METRICS[item].title for item in metrics]) or None,
        "tau_b": result.kendall.tau_b,
        "deciles": {"a_in_b": result.a_in_b, "b_in_a": result.b_in_a},
        "tied_between_deciles": {"a": result.split[0], "b": result.split[1]},
        "extremes": result.extremes(limit)[["sentence", "a", "b", "rank_difference"]],
    }
    return json_text(content)


def as_csv(run: Run, parser: str, metrics: tuple[str, str], result: Disagreement, limit: int) -> str:
    """Return one row a sentence, largest rank differences first: scores, ranks and deciles."""
    rows = result.extremes(limit)
    return csv_text(rows.rename(columns={"a": metrics[0], "b": metrics[1]}))


def as_text(run: Run, parser: str, metrics: tuple[str, str], result: Disagreement, limit: int) -> str:
    """Return Kendall's distance, the deciles in both directions and the extremes as tables."""
    a, b = (METRICS[item].title for item in metrics)
    kendall = result.kendall
    deciles = Table(
        [Column("by", "decile, best to worst", "text"), *(Column(f"{at}", f"{at}") for at in range(1, TENTHS + 1))],
        [
            [f"worst decile by {a}, in the deciles by {b}", *result.a_in_b],
            [f"worst decile by {b}, in the deciles by {a}", *result.b_in_a],
        ],
    )
    rows = []
    for row in result.extremes(limit).to_dict("records"):
        ranks = [number(row[name], 1) for name in ("rank_a", "rank_b")]
        difference = number(row["rank_difference"], 1, signed=True)
        rows.append([row["sentence"], row["a"], row["b"], *ranks, difference, " ".join(run.text(row["sentence"]))])
    of_metrics = zip(metrics, "ab", (a, b), strict=True)
    scores = [figure_column(METRICS[name], side, f"{side}: {title}", whole=True) for name, side, title in of_metrics]
    ranked = [Column(head, head, "interval") for head in ("rank by a", "rank by b", "difference")]
    columns = [Column("sentence", "sentence", "interval"), *scores, *ranked, Column("words", "words", "text")]
    reason = kendall.reason((a, b)) or f"{kendall.discordant:,} of {kendall.pairs:,} pairs in opposite order"
    lines = (
        f"{a} and {b} on the {kendall.n:,} sentences of {printable(parser)} scored by both metrics",
        f"Kendall distance {decimals(kendall.distance, 3)} ({reason}), tau-b {decimals(kendall.tau_b, 3)}\n",
    )
    ties = result.describe_split((a, b))
    extremes = Table(columns, rows)
    return console_text([*lines, deciles, *([f"{ties}\n"] if ties else []), extremes], run.signature, 160)


def distances_of(run: Run, parser: str) -> tuple[pd.DataFrame, Mapping[str, NDArray[np.float64]]]:
    """Return Kendall's distances of the headline metrics for a parser's sentences, and the scores by metric."""
    if parser not in run.parsers:
        raise ParameterError.unknown("parser", parser, run.parsers)
    _, scores = columns(run, parser, compared_metrics(run, parser))
    return metric_distances(scores), scores


Distances = Mapping[str, tuple[pd.DataFrame, Mapping[str, NDArray[np.float64]]]]
"""The distances and scores by parser."""


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


def matrix_json(run: Run, results: Distances) -> str:
    """Return ``distances``: a row a parser and pair of metrics, with the number of sentences that have both scores."""
    return json_text({"signature": run.signature, "distances": _pairs(results)})


def matrix_csv(run: Run, results: Distances) -> str:
    """Return one row a parser and pair of metrics."""
    return csv_text(_pairs(results))


def matrix_text(run: Run, results: Distances) -> str:
    """Return a matrix for each parser."""
    parts = [distance_table(parser, *result) for parser, result in results.items()]
    width = 40 + 14 * max((len(distances) for distances, _ in results.values()), default=0)
    return console_text(parts, run.signature, width)


MATRIX_REPORTS: dict[str, Callable[[Run, Distances], str]] = {
    "text": matrix_text,
    "json": matrix_json,
    "csv": matrix_csv,
}
"""The reports of all distances by the name of their format."""

Report = Callable[[Run, str, tuple[str, str], Disagreement, int], str]
DISAGREEMENT_REPORTS: dict[str, Report] = {"text": as_text, "json": as_json, "csv": as_csv}
"""The reports by the name of their format."""

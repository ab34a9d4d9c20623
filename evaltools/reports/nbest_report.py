"""Figures of a parser's n-best lists as text, JSON or CSV."""

from __future__ import annotations

from collections.abc import Callable

from rich.box import SIMPLE_HEAD
from rich.table import Table

from evaltools.analysis.nbest import CONFIGURATIONS, NBest
from evaltools.frameworks.registry import METRICS
from evaltools.reports.formats import console_text, csv_text, json_rows, json_text
from evaltools.runs.store import Run
from evaltools.text import decimals, number, percent, printable

__all__ = ["NBEST_REPORTS"]

_RANKS = {
    "place_of_first": "position of the first analysis in the list sorted by F1",
    "rank_of_best": "rank of the best analysis",
    "rank_of_exact": "rank of the first analysis equal to gold",
}


def as_json(run: Run, parser: str, result: NBest) -> str:
    """Return ``by_rank``, ``oracle`` and ``sentences``, with the run and the parser."""
    content = {
        "signature": run.signature,
        "parser": parser,
        "n": len(result.sentences),
        "longest": result.longest,
        "by_rank": json_rows(result.by_rank),
        "oracle": json_rows(result.oracle),
        "sentences": json_rows(result.sentences),
    }
    return json_text(content)


def as_csv(run: Run, parser: str, result: NBest) -> str:
    """Return one row a metric and rank: the mean F1 of the analyses of this rank, and of the best up to it."""
    keys = ["metric", "rank"]
    best = result.oracle.rename(columns={name: f"oracle_{name}" for name in ("mean", "low", "high", "n")})
    return csv_text(result.by_rank.merge(best, on=keys, how="left"))


def as_text(run: Run, parser: str, result: NBest) -> str:
    """Return mean F1 by rank, the oracle F1, and the ranks of the first and the best analyses."""
    n = len(result.sentences)
    figures = result.figures()
    parts: list[Table | str] = [
        f"{n:,} sentences of {printable(parser)} with up to {result.longest} analyses; mean F1 in percent",
        _by_rank(result),
        f"First analysis: EDM {percent(figures['first'])}; best analysis of each list (oracle): "
        f"EDM {percent(figures['oracle'])}",
    ]
    for column, description in _RANKS.items():
        ranks = result.sentences[column].dropna()
        averages = f"median {number(ranks.median())}, mean {decimals(ranks.mean())}, " if len(ranks) else ""
        parts.append(f"{description}: {averages}in {len(ranks):,} of {n:,} sentences")
    return console_text(parts, run.signature, 120)


def _by_rank(result: NBest) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    metrics = list(dict.fromkeys(result.by_rank["metric"]))
    for heading in ("rank", "sentences", *(METRICS[name].id.upper() for name in metrics), "best EDM so far"):
        table.add_column(heading, justify="right")
    figures = result.by_rank.set_index(["rank", "metric"])
    best = result.oracle[result.oracle["metric"] == CONFIGURATIONS[0]].set_index("rank")["mean"]
    for rank in sorted(set(result.by_rank["rank"])):
        rows = figures.loc[rank]
        means = [percent(float(rows["mean"].get(name, float("nan")))) for name in metrics]
        table.add_row(str(rank), f"{int(rows['n'].max()):,}", *means, percent(float(best.get(rank, float("nan")))))
    return table


Report = Callable[[Run, str, NBest], str]
NBEST_REPORTS: dict[str, Report] = {"text": as_text, "json": as_json, "csv": as_csv}
"""The reports by the name of their format."""

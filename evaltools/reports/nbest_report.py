"""What is in a parser's lists of analyses, as text, JSON or CSV."""

from __future__ import annotations

import io
import json
from collections.abc import Callable

import pandas as pd
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from evaltools.analysis.nbest import NBest
from evaltools.errors import printable
from evaltools.metrics import METRICS
from evaltools.reports.csv_cells import csv_text
from evaltools.reports.numbers import percent, plain
from evaltools.runs.store import Run

__all__ = ["NBEST_REPORTS"]

_PLACES = {
    "place_of_first": "place of the first analysis when the list is sorted by F1",
    "rank_of_best": "rank of the best analysis",
    "rank_of_exact": "rank of the first analysis that equals gold",
}


def as_json(run: Run, parser: str, found: NBest) -> str:
    """Return ``by_rank``, ``oracle`` and ``sentences``, and what they are about."""
    content: dict[str, object] = {
        "signature": run.signature,
        "parser": parser,
        "n": len(found.sentences),
        "longest": found.most,
    }
    tables = {"by_rank": found.by_rank, "oracle": found.oracle, "sentences": found.sentences}
    content |= {name: _records(table) for name, table in tables.items()}
    return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _records(table: pd.DataFrame) -> list[dict[str, object]]:
    return [{str(key): plain(value) for key, value in row.items()} for row in table.to_dict("records")]


def as_csv(run: Run, parser: str, found: NBest) -> str:
    """Return one row a metric and rank: the mean F1 of the analyses of this rank, and of the best up to it."""
    keys = ["metric", "rank"]
    best = found.oracle.rename(columns={name: f"oracle_{name}" for name in ("mean", "low", "high", "n")})
    return csv_text(found.by_rank.merge(best, on=keys, how="left"))


def as_text(run: Run, parser: str, found: NBest) -> str:
    """Return mean F1 by rank, what the best choice would reach, and where the first and the best ones stand."""
    output = io.StringIO()
    console = Console(file=output, width=120, highlight=False, markup=False, emoji=False)
    n = len(found.sentences)
    console.print(f"{n:,} sentences of {printable(parser)} with up to {found.most} analyses; mean F1 in per cent")
    console.print(_by_rank(found))
    figures = found.figures()
    console.print(
        f"First analysis: EDM {percent(figures['first'])}; the best of each list: EDM {percent(figures['oracle'])}"
    )
    for column, says in _PLACES.items():
        known = found.sentences[column].dropna()
        middle = f"median {known.median():g}, mean {known.mean():.2f}, " if len(known) else ""
        console.print(f"{says}: {middle}in {len(known):,} of {n:,} sentences")
    console.print(Text(printable(run.signature)), soft_wrap=True)
    return "\n".join(line.rstrip() for line in output.getvalue().split("\n"))


def _by_rank(found: NBest) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    metrics = list(dict.fromkeys(found.by_rank["metric"]))
    for heading in ("rank", "sentences", *(METRICS[name].id.upper() for name in metrics), "best EDM so far"):
        table.add_column(heading, justify="right")
    figures = found.by_rank.set_index(["rank", "metric"])
    best = found.oracle[found.oracle["metric"] == "edm"].set_index("rank")["mean"]
    for rank in sorted(set(found.by_rank["rank"])):
        rows = figures.loc[rank]
        means = [percent(float(rows["mean"].get(name, float("nan")))) for name in metrics]
        table.add_row(str(rank), f"{int(rows['n'].max()):,}", *means, percent(float(best.get(rank, float("nan")))))
    return table


Report = Callable[[Run, str, NBest], str]
NBEST_REPORTS: dict[str, Report] = {"text": as_text, "json": as_json, "csv": as_csv}
"""The reports by the name of their format."""

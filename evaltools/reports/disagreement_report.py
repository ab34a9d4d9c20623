"""Where two metrics disagree about one parser's sentences, as text, JSON or CSV."""

from __future__ import annotations

import io
import json
from collections.abc import Callable

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from evaltools.analysis.disagreement import TENTHS, Disagreement
from evaltools.errors import printable
from evaltools.metrics import METRICS
from evaltools.reports.csv_cells import csv_text
from evaltools.reports.numbers import plain, three
from evaltools.runs.store import Run

__all__ = ["DISAGREEMENT_REPORTS"]


def as_json(run: Run, parser: str, metrics: tuple[str, str], found: Disagreement, limit: int) -> str:
    """Return ``n``, ``kendall_distance``, ``tau_b``, ``deciles`` and ``extremes``, and what they are about."""
    rows = found.extremes(limit)[["sentence", "a", "b", "rank_difference"]].to_dict("records")
    content = {
        "signature": run.signature,
        "parser": parser,
        "a": metrics[0],
        "b": metrics[1],
        "n": found.kendall.n,
        "kendall_distance": plain(found.kendall.distance),
        "tau_b": plain(found.kendall.tau_b),
        "deciles": {"a_in_b": found.a_in_b, "b_in_a": found.b_in_a},
        "extremes": [{str(key): plain(value) for key, value in row.items()} for row in rows],
    }
    return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def as_csv(run: Run, parser: str, metrics: tuple[str, str], found: Disagreement, limit: int) -> str:
    """Return one row a sentence, those furthest apart first: scores, ranks and tenths."""
    rows = found.extremes(limit)
    return csv_text(rows.rename(columns={"a": metrics[0], "b": metrics[1]}))


def as_text(run: Run, parser: str, metrics: tuple[str, str], found: Disagreement, limit: int) -> str:
    """Return Kendall's distance, the tenths both ways and the extremes as tables."""
    a, b = (METRICS[one].title for one in metrics)
    kendall = found.kendall
    deciles = Table(box=SIMPLE_HEAD, pad_edge=False)
    deciles.add_column("tenth, best to worst")
    for tenth in range(1, TENTHS + 1):
        deciles.add_column(str(tenth), justify="right")
    deciles.add_row(f"worst tenth by {a}, in the tenths by {b}", *map(str, found.a_in_b))
    deciles.add_row(f"worst tenth by {b}, in the tenths by {a}", *map(str, found.b_in_a))
    extremes = Table(box=SIMPLE_HEAD, pad_edge=False)
    extremes.add_column("sentence", justify="right")
    for heading in (f"a: {a}", f"b: {b}", "rank by a", "rank by b", "difference"):
        extremes.add_column(heading, justify="right")
    extremes.add_column("words")
    for row in found.extremes(limit).to_dict("records"):
        ranks = [f"{row[name]:.1f}".removesuffix(".0") for name in ("rank_a", "rank_b")]
        text = Text(printable(" ".join(run.text(row["sentence"]))), no_wrap=True, overflow="ellipsis")
        difference = f"{row['rank_difference']:+.1f}".removesuffix(".0")
        extremes.add_row(str(row["sentence"]), three(row["a"]), three(row["b"]), *ranks, difference, text)
    output = io.StringIO()
    console = Console(file=output, width=160, highlight=False, markup=False, emoji=False)
    console.print(f"{a} and {b} on the {kendall.n:,} sentences of {printable(parser)} that both score")
    shares = [three(kendall.distance), f"{kendall.discordant:,} of {kendall.pairs:,} pairs"]
    console.print(f"Kendall distance {shares[0]} ({shares[1]} in opposite order), tau-b {three(kendall.tau_b)}\n")
    for part in (deciles, extremes):
        console.print(part)
    console.print(Text(printable(run.signature)), soft_wrap=True)
    return "\n".join(line.rstrip() for line in output.getvalue().split("\n"))


Report = Callable[[Run, str, tuple[str, str], Disagreement, int], str]
DISAGREEMENT_REPORTS: dict[str, Report] = {"text": as_text, "json": as_json, "csv": as_csv}
"""The reports by the name of their format."""

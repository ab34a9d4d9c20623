"""The one table: its lines, and how numbers are written in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.table import Table

from benchmarks.timing import Time

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table; `met` says whether the target is reached, where there is one."""

    what: str
    work: str
    time: Time
    result: str
    target: str = ""
    met: bool | None = None


def ratio_row(name: str, work: str, peer: Time, ours: Time, target: int | None) -> Row:
    """Return the line of a peer: its time for the same work as ours, and how many times ours that is."""
    times = peer.cpu / ours.cpu
    met = None if target is None else times >= target
    return Row(name, work, peer, f"{times:,.0f} ×", f"≥ {target} ×" if target else "", met)


def peer_row(name: str, measure: Callable[[], Row]) -> Row:
    """Return the row of a peer, or a row that says which library is not installed."""
    try:
        return measure()
    except ImportError as error:
        return Row(name, f"not measured: {error.name} is not installed", Time(0, 0), "–")


def rate(n_pairs: int, time: Time) -> str:
    """Return how many pairs are done in a second of computing."""
    return f"{n_pairs / time.cpu:,.0f} pairs/s"


def seconds(value: float) -> str:
    """Return seconds with about three digits; a dash for what was not measured."""
    if value == 0:
        return "–"
    return f"{value:,.3f}" if value < 10 else f"{value:,.0f}"


def draw(rows: Sequence[Row], title: str, caption: str) -> Table:
    """Return the table."""
    table = Table(title=title, caption=caption, title_justify="left", caption_justify="left")
    for name in ("", "work"):
        table.add_column(name, no_wrap=True)
    for name in ("wall s", "CPU s", "result", "target", ""):
        table.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        mark = {None: "", True: "[green]met[/green]", False: "[red]missed[/red]"}[row.met]
        table.add_row(row.what, row.work, seconds(row.time.wall), seconds(row.time.cpu), row.result, row.target, mark)
    return table

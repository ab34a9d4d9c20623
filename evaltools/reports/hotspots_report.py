"""Tables of *Hotspots* as text, JSON or CSV."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from evaltools.errors import ParameterError, printable
from evaltools.frameworks.controls import Choice
from evaltools.frameworks.groups import Column, GroupBy, Part
from evaltools.frameworks.wording import with_minus
from evaltools.reports.formats import console_text, csv_text, json_rows, json_text
from evaltools.runs.metadata import plural_of
from evaltools.runs.store import Run

__all__ = ["HOTSPOTS_REPORTS", "HotspotTable", "cell_text", "hotspot_table", "needs_common"]

_FORMATS = {
    "count": "{:,.0f}",
    "score": "{:.3f}",
    "difference": "{:+.3f}",
    "points": "{:.2f}",
    "points difference": "{:+.2f}",
    "percent": "{:.1f} %",
}


@dataclass(frozen=True, slots=True, eq=False)
class HotspotTable:
    """A table of groups of errors, as the page shows it."""

    group: GroupBy
    parser: str
    other: str  # The parser compared with; empty for none
    options: Mapping[str, Any]
    rows: pd.DataFrame
    columns: tuple[Column, ...]
    n: int  # Number of sentences analyzed
    scope: str  # These sentences in words
    where: str = ""  # The group of sentences that the table is restricted to; empty for all
    over: str = ""  # What intervals of differences are over, such as ``24 documents``; empty for sentences


def needs_common(run: Run, view: str, parser: str, other: str) -> bool:
    """Return whether a table compares two parsers, for which the part needs to be the sentences that both have.

    Names that are not known are left to :func:`hotspot_table`.
    """
    views = run.framework.groups
    group = views.get(view or next(iter(views), ""))
    if group is None or group.of_all_parsers or group.compares_common:
        return False
    return parser != other and {parser, other} <= set(run.parsers)


def hotspot_table(
    part: Part, view: str, parser: str, other: str = "", given: Sequence[str] = (), cluster: str = ""
) -> HotspotTable:
    """Return a table of *Hotspots*; `given` has options as ``NAME=VALUE``, `view` is empty for the first view.

    `cluster` is the column of the metadata whose values are the units of the part.
    """
    views = part.run.framework.groups  # type: ignore[attr-defined]
    if not views:
        raise ParameterError(f"hotspots need trees or graphs of one framework; the run has {part.run.framework.title}")
    if view and view not in views:
        raise ParameterError.unknown("view", view, views)
    for name in filter(None, (parser, other)):
        if name not in part.run.parsers:
            raise ParameterError.unknown("parser", name, part.run.parsers)
    group: GroupBy = views[view or next(iter(views))]
    other = "" if group.of_all_parsers or other == parser else other
    options = group.options(**_chosen(group, given))
    rows = group.compared(part, parser, other, options) if other else group.rows(part, parser, options)
    columns = group.columns_compared(parser, other, options) if other else group.columns(options)
    over = ""
    if other and part.units is not None:
        over = f"{len(np.unique(part.units[: part.size])):,} {plural_of(cluster)}"
    return HotspotTable(group, parser, other, options, rows, columns, part.size, part.scope, part.where, over)


def _chosen(group: GroupBy, given: Sequence[str]) -> dict[str, Any]:
    """Return options given as ``NAME=VALUE``; raise ParameterError for one that the view does not have."""
    controls = {control.name: control for control in group.controls}
    chosen: dict[str, Any] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise ParameterError(f"an option is given as NAME=VALUE, not {text!r}")
        control = controls.get(name)
        if control is None:
            raise ParameterError.unknown(f"option of {group.id}", name, controls)
        if isinstance(control, Choice):
            if value not in control.options:
                raise ParameterError.unknown(name, value, control.options)
            chosen[name] = value
            continue
        if not value.isdecimal() or not control.low <= int(value[:12]) <= control.high:
            raise ParameterError(f"{name} is a number from {control.low} to {control.high:,}, not {value!r}")
        chosen[name] = int(value)
    return chosen


def cell_text(value: Any, column: Column) -> str:
    """Return a figure of a table of groups as text."""
    if column.format == "text":
        return str(value)
    number = float(value)
    if math.isnan(number):
        return "–"
    hundredths = column.format.startswith(("points", "percent"))
    return with_minus(_FORMATS[column.format].format(100 * number if hundredths else number))


def _frame(table: HotspotTable) -> pd.DataFrame:
    """Return the columns of the table under their names, with the ends of intervals."""
    names = [*table.group.keys, *(column.name for column in table.columns), "low", "high"]
    return table.rows[[name for name in dict.fromkeys(names) if name in table.rows]]


def as_json(run: Run, table: HotspotTable, limit: int | None) -> str:
    """Return ``view``, ``parser``, ``options``, the sentences, the headline, and ``rows`` with every digit."""
    rows = _frame(table) if limit is None else _frame(table).head(limit)
    content = {
        "signature": run.signature,
        "view": table.group.id,
        "parser": table.parser,
        "other": table.other or None,
        "where": table.where or None,
        "intervals_over": table.over or ("sentences" if table.other else None),
        "options": dict(table.options),
        "n": table.n,
        "over": table.scope,
        "unit": table.group.unit,
        "headline": table.group.answer(table.rows, table.parser, table.options, table.other),
        "rows": json_rows(rows),
    }
    return json_text(content)


def as_csv(run: Run, table: HotspotTable, limit: int | None) -> str:
    """Return one row a group."""
    return csv_text(_frame(table) if limit is None else _frame(table).head(limit))


def as_text(run: Run, table: HotspotTable, limit: int | None) -> str:
    """Return the headline, what rows mean, and the table as the page shows it."""
    group = table.group
    shown = Table(box=SIMPLE_HEAD, pad_edge=False)
    for column in table.columns:
        is_text = column.format == "text" and column.name not in ("interval", "flag")
        shown.add_column(printable(column.title), justify="left" if is_text else "right")
    for row in (table.rows if limit is None else table.rows.head(limit)).to_dict("records"):
        shown.add_row(*(Text(printable(cell_text(row[column.name], column))) for column in table.columns))
    who = f"{table.parser} and {table.other}" if table.other else table.parser
    lines = [
        f"{group.title}: {who}, over {table.scope}",
        group.answer(table.rows, table.parser, table.options, table.other),
        *([group.description] if group.description else []),
        *([f"Intervals and significance over {table.over}"] if table.over else []),
    ]
    more = [] if limit is None or len(table.rows) <= limit else [f"The first {limit:,} of {len(table.rows):,} rows"]
    other_views = ", ".join(name for name in run.framework.groups if name != group.id)
    more.append(f"Other views (--view): {other_views}")
    names = ", ".join(f"{name}={value}" for name, value in table.options.items())
    more += [f"Options (--option): {names}"] if names else []
    parts: list[Table | Text] = [Text(printable(line), no_wrap=True) for line in lines]
    parts += [shown, *(Text(printable(line)) for line in more), Text("")]
    return console_text(parts, run.signature, 180)


HOTSPOTS_REPORTS: dict[str, Callable[[Run, HotspotTable, int | None], str]] = {
    "text": as_text,
    "json": as_json,
    "csv": as_csv,
}
"""The reports by the name of their format."""

"""Tables of *Hotspots* as text, JSON or CSV."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from evaltools.errors import ParameterError
from evaltools.frameworks.controls import Choice
from evaltools.frameworks.groups import Column, GroupBy, Part
from evaltools.outputs.blocks import Block, Table, Text
from evaltools.outputs.tables import console_text, csv_text, json_rows, json_text
from evaltools.runs.metadata import parse_group, plural_of, units_of
from evaltools.runs.store import Run
from evaltools.runs.subset import common_sentences, subset


@dataclass(frozen=True, slots=True, eq=False)
class HotspotTable:
    """A table of groups of errors, as the page shows it."""

    run: Run  # The run of the sentences analyzed
    group: GroupBy
    parser: str
    other: str  # The parser compared with; empty for none
    options: Mapping[str, Any]
    rows: pd.DataFrame
    columns: tuple[Column, ...]
    part: Part  # The sentences analyzed
    over: str = ""  # What intervals of differences are over, such as ``24 documents``; empty for sentences


def hotspot_table(
    run: Run,
    parser: str,
    view: str = "",
    other: str = "",
    given: Sequence[str] = (),
    *,
    where: str | None = None,
    cluster: str = "",
    first: int | None = None,
) -> HotspotTable:
    """Return a table of *Hotspots* of a run.

    Parameters
    ----------
    run : Run
        The run.
    parser, other : str
        The parser, and the one to compare with; over the sentences that both have where the view needs that.
    view : str
        Name of the view, by default the first one.
    given : sequence of str
        Options of the view as ``NAME=VALUE``.
    where : str, optional
        A group of sentences by their metadata, as ``KEY=VALUE``; by default all.
    cluster : str
        The column of the metadata whose values intervals of differences are over; empty for sentences.
    first : int, optional
        Number of sentences, from the first one of the group; by default all.

    Raises
    ------
    ParameterError
        If there is no such view, parser, option, group or column, or no sentence that both parsers have.
    """
    views = run.framework.questions().groups
    if not views:
        raise ParameterError(f"hotspots need trees or graphs of one framework; the run has {run.framework.title}")
    if view and view not in views:
        raise ParameterError.unknown("view", view, views)
    for name in filter(None, (parser, other)):
        if name not in run.parsers:
            raise ParameterError.unknown("parser", name, run.parsers)
    if parser == other:
        raise ParameterError(f"two different parsers are compared, not {parser} with itself")
    if cluster and not other:
        raise ParameterError("--cluster goes with --compare-with; other tables have no intervals of differences")
    group = views[view or next(iter(views))]
    options = group.options(**_chosen(group, given))
    if where is not None:
        run = subset(run, parse_group(where).sentences(run))
    size, among = min(first or run.n_sentences, run.n_sentences), ""
    if group.needs_common(parser, other):
        run, numbers, among = common_sentences(run, (parser, other), size)
        size = len(numbers)
    units = units_of(run, cluster).index if cluster else None
    part = Part(run, size, where=where or "", units=units, among=among)
    other = "" if group.of_all_parsers else other
    rows = group.compared(part, parser, other, options) if other else group.rows(part, parser, options)
    columns = group.columns_compared(parser, other, options) if other else group.columns(options)
    over = ""
    if other and units is not None:
        over = f"{len(np.unique(units[:size])):,} {plural_of(cluster)}"
    return HotspotTable(run, group, parser, other, options, rows, columns, part, over)


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


def _frame(table: HotspotTable) -> pd.DataFrame:
    """Return the columns of the table under their names, with the ends of intervals."""
    names = [*table.group.keys, *(column.name for column in table.columns), "low", "high"]
    return table.rows[[name for name in dict.fromkeys(names) if name in table.rows]]


def as_json(table: HotspotTable, limit: int | None) -> str:
    """Return ``view``, ``parser``, ``options``, the sentences, the headline, and ``rows`` with every digit."""
    rows = _frame(table) if limit is None else _frame(table).head(limit)
    content = {
        "signature": table.run.signature,
        "view": table.group.id,
        "parser": table.parser,
        "other": table.other or None,
        "where": table.part.where or None,
        "intervals_over": table.over or ("sentences" if table.other else None),
        "options": dict(table.options),
        "n": table.part.size,
        "over": table.part.scope,
        "unit": table.group.unit,
        "headline": table.group.answer(table.rows, table.parser, table.options, table.other),
        "rows": json_rows(rows),
    }
    return json_text(content)


def as_csv(table: HotspotTable, limit: int | None) -> str:
    """Return one row a group."""
    return csv_text(_frame(table) if limit is None else _frame(table).head(limit))


def as_text(table: HotspotTable, limit: int | None) -> str:
    """Return the headline, what rows mean, and the table as the page shows it."""
    group = table.group
    who = f"{table.parser} and {table.other}" if table.other else table.parser
    lines = [
        f"{group.title}: {who}, over {table.part.scope}",
        group.answer(table.rows, table.parser, table.options, table.other),
        *([group.description] if group.description else []),
        *([f"Intervals and significance over {table.over}"] if table.over else []),
    ]
    rows = Table.of(table.rows if limit is None else table.rows.head(limit), table.columns)
    more = [] if limit is None or len(table.rows) <= limit else [f"The first {limit:,} of {len(table.rows):,} rows"]
    other_views = ", ".join(name for name in table.run.framework.questions().groups if name != group.id)
    more.append(f"Other views (--view): {other_views}")
    names = ", ".join(f"{name}={value}" for name, value in table.options.items())
    more += [f"Options (--option): {names}"] if names else []
    parts: list[Block | str] = [*(Text(line, "line") for line in lines), rows, *map(Text, more), ""]
    return console_text(parts, table.run.signature, 180)


HOTSPOTS_REPORTS: dict[str, Callable[[HotspotTable, int | None], str]] = {
    "text": as_text,
    "json": as_json,
    "csv": as_csv,
}
"""The reports by the name of their format."""

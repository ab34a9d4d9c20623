"""Hotspots: the errors of a parser by question, as tables, a matrix and sentences."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from evaltools.analysis.leaderboard import FEW_UNITS, few_units
from evaltools.app.components.blocks import show_blocks
from evaltools.app.session import data, state
from evaltools.app.session.data import cached_by_run
from evaltools.app.widgets.pickers import choice_picker, control_widget, group_part, group_pickers, switch, units_picker
from evaltools.app.widgets.saving import Origin, chart, save_table
from evaltools.app.widgets.tables import (
    MAX_STYLED,
    choice_name,
    choice_table,
    chosen_row,
    heading_width,
    number_format,
    selected_in,
)
from evaltools.charts.dumbbells import dumbbells_chart
from evaltools.charts.intervals import differences_chart
from evaltools.drawing.blocks import answer, legend, marked, note, pictured
from evaltools.frameworks.groups import Column, Example, GroupBy, Matrix, Options, Part, doubt
from evaltools.runs.metadata import units_of
from evaltools.runs.store import Run
from evaltools.runs.subset import common_sentences
from evaltools.text import column_format, count_of, excerpt

T = TypeVar("T")

_MAX_WHOLE = 10_000
"""Runs of up to so many sentences are analyzed completely."""
_STEPS = (1_000, _MAX_WHOLE, 50_000)

_common_sentences = data.cached_by_run(16)(common_sentences)


def sizes(n_sentences: int) -> tuple[list[int], int]:
    """Return the choices of the number of sentences to analyze, and the default."""
    # Words and brackets are read with their features, so questions about them begin with a part of long runs.
    if n_sentences <= _MAX_WHOLE:
        return [n_sentences], n_sentences
    complete = [n_sentences] if n_sentences < _STEPS[-1] else []
    return [*(step for step in _STEPS if step <= n_sentences), *complete], _STEPS[0]


@cached_by_run(1024)  # views and pictures of a parser are about 300
def _cached(run: Run, size: int, key: str, _make: Callable[[], Any]) -> Any:
    return _make()


def part_of(
    run: Run,
    size: int,
    where: str = "",
    numbers: NDArray[np.int64] | None = None,
    units: NDArray[np.int64] | None = None,
    among: str = "",
) -> Part:
    """Return the first sentences of a run; its cached results are shared, so callers must not change them."""

    def remember(key: tuple[Hashable, ...], make: Callable[[], T], /) -> T:
        result: T = _cached(run, size, repr(key), make)
        return result

    return Part(run, size, remember, where, numbers, units, among)


def compared_part(
    run: Run,
    size: int,
    parsers: tuple[str, str],
    where: str = "",
    numbers: NDArray[np.int64] | None = None,
    cluster: str = "",
) -> Part:
    """Return the part of the first sentences of a run that two parsers both have; raise ParameterError for none."""
    both = _common_sentences(run, parsers, size)
    units = units_of(both.run, cluster).index if cluster else None
    if both.run is not run:
        numbers = both.numbers if numbers is None else numbers[both.numbers - 1]
    return part_of(both.run, len(both.numbers), where, numbers, units, both.among)


@cached_by_run(16)
def agreed(run: Run) -> list[tuple[str, str, str]]:
    """Return id, title and summary of the questions about all parsers together."""
    size = sizes(run.n_sentences)[1]
    groups = [group for group in run.framework.questions().groups.values() if group.of_all_parsers]
    part = part_of(run, size)
    texts = [group.summary(group.rows(part, run.parsers[0], group.options())) for group in groups]
    among = f" Over the first {size:,} sentences." if size < run.n_sentences else ""
    return [(group.id, group.title, text + among) for group, text in zip(groups, texts, strict=True) if text]


def agreed_line(run: Run, key: str) -> None:
    """Show what all parsers have against the gold tree, if the run has more than one."""
    for view, title, text in agreed(run) if len(run.parsers) > 1 else []:
        with st.container(horizontal=True, vertical_alignment="center", key=f"{key}_{view}_row"):
            show_blocks(note(text), key=f"{key}_{view}")
            query = state.link(view=view, other=None, sentence=None, **dict.fromkeys(("box", "cell", "group")))
            st.page_link("pages/hotspots.py", label=title, icon=":material/arrow_forward:", query_params=query)


_NAMES = "_gold"
"""The column of gold labels."""
_ROW, _LABEL_WIDTH, _MAX_WIDTH = 27, 72, 130
_ERROR = "background-color: rgba(184, 80, 0, {share:.2f})"
_RIGHT = "opacity: 0.45; color: gray"


def matrix_table(matrix: Matrix, keys: tuple[str, ...], *, key: str, caption: str) -> pd.Series[Any]:
    """Show a matrix, and return the chosen pair of labels; by default the most frequent confusion."""
    counts = matrix.counts
    names = [str(name) for name in counts.columns]
    pairs = {choice_name((gold, test)): (gold, test) for gold in names for test in names if gold != test}
    gold, test = pairs.get(state.get("group"), _largest(counts))
    cell = (names.index(gold), test)
    listed = counts.astype("Int64").mask(counts == 0)
    listed.insert(0, _NAMES, ["spurious" if name == matrix.none else name for name in names])
    listed = listed.reset_index(drop=True)
    table_key = f"{key}_{hash((*names, counts.to_numpy().tobytes()))}"
    if table_key in st.session_state and _cells(table_key) != [cell]:
        st.session_state[table_key] = {"selection": {"rows": [], "columns": [], "cells": [cell]}}

    def choose() -> None:
        for row, column in _cells(table_key)[:1]:
            if column in names and names[row] != column:
                state.put(group=choice_name((names[row], column)), sentence=None, part=None)

    headings = {name: "missed" if name == matrix.none else name for name in names}
    columns: dict[str, Any] = {
        name: st.column_config.NumberColumn(heading, width=_width(max(heading, f"{counts[name].max():,}", key=len), 0))
        for name, heading in headings.items()
    }
    written = listed.style.format(thousands=",", na_rep="", subset=pd.Index(names))
    longest = max(names, key=len)
    columns[_NAMES] = st.column_config.TextColumn("gold", width=_width(longest, _LABEL_WIDTH), pinned=True)
    st.dataframe(
        written.apply(_shades(counts), axis=None),
        hide_index=True,
        row_height=_ROW,
        height=_ROW * (len(names) + 1) + 12,
        column_config=columns,
        placeholder="",
        on_select=choose,
        selection_mode="single-cell",
        selection_default={"selection": {"rows": [], "columns": [], "cells": [cell]}},
        key=table_key,
    )
    text = f"Rows: gold. Columns: the parser. {matrix.description} Click a cell to list its sentences."
    show_blocks(note(text), key=f"{key}_note")
    save_table(listed.rename(columns={_NAMES: "gold"}), key, caption)
    return pd.Series(dict(zip(keys, (gold, test), strict=True)))


def _width(heading: str, min_width: int) -> int:
    """Return the width of a column in pixels."""
    return min(max(min_width, 18 + 8 * len(heading)), _MAX_WIDTH)


def _wrong(counts: pd.DataFrame) -> NDArray[np.int64]:
    """Return the counts with 0 on the diagonal."""
    wrong = counts.to_numpy(dtype=np.int64, copy=True)
    np.fill_diagonal(wrong, 0)
    return wrong


def _largest(counts: pd.DataFrame) -> tuple[str, str]:
    """Return the most frequent pair of different labels."""
    gold, test = divmod(int(_wrong(counts).argmax()), len(counts.columns))
    return str(counts.index[gold]), str(counts.columns[test])


def _shades(counts: pd.DataFrame) -> Callable[[pd.DataFrame], pd.DataFrame]:
    """Return a function to the style of each cell: errors the darker the more frequent, right counts pale."""
    wrong = _wrong(counts)
    shares = 0.08 + 0.55 * np.sqrt(wrong / max(int(wrong.max(initial=0)), 1))

    def styles(listed: pd.DataFrame) -> pd.DataFrame:
        cells = [
            [
                "",
                *(
                    _RIGHT if row == column else _ERROR.format(share=shares[row, column]) if wrong[row, column] else ""
                    for column in range(len(wrong))
                ),
            ]
            for row in range(len(wrong))
        ]
        return pd.DataFrame(cells, index=listed.index, columns=listed.columns)

    return styles


def _cells(key: str) -> list[tuple[int, str]]:
    cells = selected_in(key).get("cells", [])
    return [(int(row), str(column)) for row, column in cells]


_HEIGHT, _PARTED_HEIGHT, _PARTS_HEIGHT = 416, 259, 169
"""Heights of the table of groups, of one above a table of parts, and of that, in pixels: a row cut in half shows that
there are more."""
_NAME_WIDTH, _PART_WIDTH, _NUMBER_WIDTH = 190, 236, 58
"""Widths of the columns of names, of parts and of figures, in pixels."""
_NARROW_NAME_WIDTH, _NARROW_PART_WIDTH, _NARROW_NUMBER_WIDTH = 176, 78, 98
"""Widths of columns if two parsers are compared: of names, of parts of names, of figures, in pixels."""
_NARROW_LETTERS = 11
"""Letters of a parser's name that such a column of figures has room for."""
_MAX_LISTED, _MAX_PICTURED = 100, 10
"""Maximum number of sentences of a group in the list, and of those with a picture of the error."""
_MAX_COMPARED = MAX_STYLED
"""Maximum number of rows of two parsers, those with the largest differences."""
_PICTURE_WIDTHS = (310, 388, 420)
"""Widths of these pictures, in pixels; the browser chooses one."""
_KEPT, _PINNED = "evaltools_row", "evaltools_pinned_row"
"""Where the session keeps the name of the chosen row, and of the one chosen when another parser was compared with."""
MAX_SEEN, _MAX_MARKED = 10, 100
"""Rows of a table that are in view at once, and those that are gray if they say little."""
_FORMATS = {
    "percent": column_format(1, sign="%"),
    "points": column_format(),
    "points difference": column_format(),
}


class Chosen(NamedTuple):
    """The sentences of a group, the chosen one, its words of the group, their parser, and the name of the group."""

    order: list[int]
    sentence: int
    words: list[int]
    parser: str
    title: str


def group_of(run: Run) -> GroupBy:
    """Return the question that the URL names, or the first one."""
    groups = run.framework.questions().groups
    return groups.get(state.get("view")) or next(iter(groups.values()))


def group_picker(run: Run) -> GroupBy:
    """Let the reader choose a question."""
    groups = run.framework.questions().groups
    titles = {name: group.title for name, group in groups.items()}
    first = next(iter(titles))
    also = state.deselect
    return groups[choice_picker("View", list(titles), name="view", default=first, titles=titles, also=also)]


def group_controls(group: GroupBy, **given: Any) -> dict[str, Any]:
    """Draw the controls of a question, except those of the given options, and return all options."""
    chosen = {control.name: control_widget(control) for control in group.controls if control.name not in given}
    return group.options(**chosen, **given)


def part_picker(run: Run, group: GroupBy, cluster: str = "", *, compared: tuple[str, str] | None = None) -> Part:
    """Let the reader choose a group of sentences, and the number of sentences to analyze, if they are many.

    `compared`: two parsers; the sentences are those that both have, and the reader also chooses what intervals of their
    differences are over. Else these are over the values of `cluster`, a column of the metadata, or over sentences.
    """
    chosen, where, numbers = group_pickers(run, state.deselect), "", None
    cluster = units_picker(run) if compared else cluster
    if chosen is not None:
        run, numbers = group_part(run, chosen.key, chosen.value)
        where = str(chosen)
    offered, size = sizes(run.n_sentences)
    if group.all_sentences:
        size = run.n_sentences
    elif len(offered) > 1:
        titles = {str(size): f"the first {size:,}" if size < run.n_sentences else f"all {size:,}" for size in offered}
        size = int(choice_picker("Sentences", list(titles), name="most", default=str(size), titles=titles))
    if compared and group.needs_common(*compared):
        return compared_part(run, size, compared, where, numbers, cluster)
    return part_of(run, size, where, numbers, units_of(run, cluster).index if cluster else None)


def limits(part: Part) -> str:
    """Return which sentences are analyzed, if not all, and what intervals are over, if not sentences."""
    n = part.run.n_sentences
    among = f" with {part.where}" if part.where else ""
    documents = ""
    if part.units is not None:
        n_documents = len(np.unique(part.units[: part.size]))
        few = f" {few_units('documents')}." if n_documents < FEW_UNITS else ""
        documents = f" Intervals and significance over {n_documents:,} documents.{few}"
    if part.among:
        return f" Over {part.scope}.{documents}"
    if n > part.size:
        return f" Over the first {part.size:,} of {n:,} sentences{among}.{documents}"
    return f" Over the {n:,} sentences{among}.{documents}" if among else documents


def group_rows(part: Part, group: GroupBy, parser: str, other: str, options: Options) -> pd.DataFrame:
    """Return the table of a parser, compared with another one if given; callers must not change it."""

    def compute() -> pd.DataFrame:
        return group.compared(part, parser, other, options) if other else group.rows(part, parser, options)

    units = "documents" if part.units is not None else "sentences"
    return part.memory(("rows", group.id, parser, other, units, *options.items()), compute)


def view_switch(part: Part, group: GroupBy, parser: str, other: str, options: Options, rows: pd.DataFrame) -> str:
    """Let the reader choose between the table and a matrix or chart, if there is one."""
    titles = {"table": "table", "chart": "chart"}
    if rows.empty:
        return "table"
    if not other and group.matrix(part, parser, options) is not None:
        titles = {"matrix": "matrix", "table": "table"}
    elif not other and _drawn_rows(part, group, parser, options):
        titles = {"trees": "trees", "table": "table"}
    elif not other and group.chart(rows, options) is None:
        return "table"
    return switch("Show", "show", titles)


def group_table(
    part: Part,
    group: GroupBy,
    parser: str,
    other: str,
    options: Options,
    rows: pd.DataFrame,
    key: str,
    *,
    show: str = "table",
    any_sentence: bool = False,
) -> Chosen | None:
    """Show the groups on the left, and on the right the sentences of the chosen one."""
    if rows.empty:
        show_blocks(note(group.empty(parser, options)), key=f"{key}_empty")
        return None
    left, right = st.columns([5, 3] if other else [3, 2] if show == "matrix" else [6, 5], gap="small")
    with left:
        unknown = st.container()
        row = _groups(part, group, parser, other, options, rows, key, show)
        name = choice_name([row[name] for name in group.keys])
        if (linked := state.get("group")) not in ("", name):
            text = f"There is no {group.row_name} “{excerpt(linked)}” here; “{name}” is shown instead."
            with unknown:
                show_blocks(note(text), key=f"{key}_unknown")
        st.session_state[_KEPT] = (group.id, parser, name)
    with right:
        heading = st.container()
        of_parser, errors = _errors_picker(_errors(part, group, parser, other, options, row))
    with left:
        chosen_part = _parts(part, group, options, errors, key)
    if chosen_part:
        errors = errors[errors["part"] == chosen_part]
    with heading:
        show_blocks(
            answer(_of_row(group, rows, row, chosen_part)),
            *(
                []
                if chosen_part or group.main not in row
                else [note(_figures(group, rows, row, parser, other, options))]
            ),
            key=f"{key}_row",
        )
    with right:
        whose = f"{of_parser}: " if other else ""
        chosen = _sentences(part, group, of_parser, options, row, errors, key, whose, any_sentence=any_sentence)
    if chosen is None:
        return None
    who = "all parsers" if group.of_all_parsers else of_parser
    return Chosen(*chosen, of_parser, ", ".join(filter(None, [who, group.heading(row), chosen_part, part.where])))


def _of_row(group: GroupBy, rows: pd.DataFrame, row: pd.Series[Any], chosen_part: str) -> str:
    """Return the heading of the chosen row: its place in the table, and its name."""
    names = [choice_name(values) for values in rows[list(group.keys)].astype(str).to_numpy().tolist()]
    name = choice_name([row[key] for key in group.keys])
    place = f"{group.row_name.capitalize()} {names.index(name) + 1:,} of {len(names):,}: " if name in names else ""
    return f"{place}{group.heading(row)}{f', {chosen_part}' if chosen_part else ''}"


def _figures(group: GroupBy, rows: pd.DataFrame, row: pd.Series[Any], parser: str, other: str, options: Options) -> str:
    """Return the figures of the chosen row in words, and why they say little if so."""
    reason = doubt(row, rows) if other else ""
    if not other and (why := group.uninformative(row, options)):
        reason = f"uninformative: {why}"
    who = "All parsers" if group.of_all_parsers else parser
    return f"{who}: {'; '.join(filter(None, [group.figures(row, other), reason]))}"


def keep_row() -> None:
    """Keep the chosen row, and show it first, when another parser is compared with."""
    kept = st.session_state[_PINNED] = st.session_state.get(_KEPT)
    state.put(group=None if kept is None else kept[-1], part=None, sentence=None)


def _with_pinned(rows: pd.DataFrame, group: GroupBy, parser: str) -> tuple[pd.DataFrame, str]:
    """Return the rows, the one that was chosen before they were sorted anew first, and its name if it moves."""
    *of, name = st.session_state.get(_PINNED) or ("", "", "")
    names = [choice_name(values) for values in rows[list(group.keys)].astype(str).to_numpy().tolist()]
    if of != [group.id, parser] or name not in names or names.index(name) < MAX_SEEN:
        return rows, ""
    at = names.index(name)
    return pd.concat([rows.iloc[[at]], rows.drop(index=rows.index[at])], ignore_index=True), name


def _groups(
    part: Part,
    group: GroupBy,
    parser: str,
    other: str,
    options: Options,
    rows: pd.DataFrame,
    key: str,
    show: str,
) -> pd.Series[Any]:
    """Show the table or the chart of the groups, and return the chosen row."""
    run = part.run
    max_rows = _MAX_COMPARED if other else group.max_rows
    pale = [] if other else _uninformative(group, rows, options)
    listed, pinned = _with_pinned(rows, group, parser) if other else (rows, "")
    listed = _first(listed, max_rows, group.keys)
    matrix = group.matrix(part, parser, options) if show == "matrix" else None
    if matrix is not None:
        return matrix_table(
            matrix, group.keys, key=f"{key}_matrix", caption=f"{group.title}: {parser}.{limits(part)} {run.signature}"
        )
    if show == "trees":
        return _row_pictures(part, group, parser, options, listed, key)
    if show == "chart":
        _group_chart(part, group, rows, parser, other, options)
        return chosen_row(listed, group.keys, "group", pale)
    columns = _columns(group, parser, other, options)
    hundredths = [column.name for column in columns if column.format.startswith(("points", "percent"))]

    def in_percent(table: pd.DataFrame) -> pd.DataFrame:
        table = table.assign(**{name: 100 * table[name] for name in hundredths})
        return table.assign(interval=(table["interval"] + " " + table["flag"]).str.strip()) if other else table

    choice_table(
        in_percent(listed),
        group.keys,
        key=f"{key}_{group.id}",
        name="group",
        columns={column.name: _column(column, listed[column.name], is_narrow=bool(other)) for column in columns},
        caption=f"{group.title}: {' and '.join(filter(None, (parser, other)))}.{limits(part)} {run.signature}",
        height=_PARTED_HEIGHT if group.has_parts else _HEIGHT,
        also=("sentence", "part"),
        whole=lambda: in_percent(rows),
        pale=pale,
        titles={column.name: column.title for column in columns},
    )
    if pinned:
        text = f"First the row chosen before, {pinned}; then by the size of the difference."
        show_blocks(note(text), key=f"{key}_pinned")
    if len(rows) > max_rows:
        more = note(f"The first {max_rows:,} of {len(rows):,} rows; Save has them all.")
        show_blocks(more, key=f"{key}_more")
    return chosen_row(listed, group.keys, "group", pale)


def _uninformative(group: GroupBy, rows: pd.DataFrame, options: Options) -> list[int]:
    """Return the indices of the rows in view that say little."""
    return [
        index for index, (_, row) in enumerate(rows.head(_MAX_MARKED).iterrows()) if group.uninformative(row, options)
    ]


def _columns(group: GroupBy, parser: str, other: str, options: Options) -> tuple[Column, ...]:
    """Return the columns; of two parsers, the mark of significance stands in that of the interval."""
    if not other:
        return group.columns(options)
    columns = group.columns_compared(parser, other, options)
    flag = next(column for column in columns if column.name == "flag")
    return tuple(
        replace(column, help=f"{column.help}. {flag.help}") if column.name == "interval" else column
        for column in columns
        if column is not flag
    )


def _first(rows: pd.DataFrame, n: int, keys: Sequence[str]) -> pd.DataFrame:
    """Return the first rows, and the one that the URL names."""
    if len(rows) <= n:
        return rows
    chosen = chosen_row(rows, keys, "group").name
    return rows.loc[sorted({*rows.index[:n], chosen})].reset_index(drop=True)


def _drawn_rows(part: Part, group: GroupBy, parser: str, options: Options) -> list[tuple[str, str]]:
    """Return the rows of a parser as pictures with typical words, drawn once: SVG and text."""
    return part.memory(
        ("drawn", group.id, parser, *options.items()),
        lambda: [(drawing.draw(theme="auto"), text) for text, drawing in group.drawn(part, parser, options)],
    )


def _row_pictures(
    part: Part, group: GroupBy, parser: str, options: Options, rows: pd.DataFrame, key: str
) -> pd.Series[Any]:
    """Show the rows as pictures with typical words and the main figures, and return the chosen row."""
    names = [choice_name(values) for values in rows[list(group.keys)].to_numpy().tolist()]
    row = chosen_row(rows, group.keys, "group")
    listed = [
        (svg, group.heading(item), text, group.figures(item))
        for (svg, text), (_, item) in zip(_drawn_rows(part, group, parser, options), rows.iterrows(), strict=True)
    ]

    def choose(index: int) -> None:
        state.put(group=names[index], sentence=None, part=None)

    show_blocks(
        pictured(listed, chosen=names.index(choice_name([row[name] for name in group.keys])), title=group.title),
        key=f"{key}_{group.id}_pictures",
        on_step=choose,
        origin=Origin(f"hotspots-{group.id}-{parser}", f"{group.title}, {parser}", part.run.signature),
    )
    show_blocks(note(group.drawn_legend), key=f"{key}_{group.id}_pictures_legend")
    return row


def _group_chart(part: Part, group: GroupBy, rows: pd.DataFrame, parser: str, other: str, options: Options) -> None:
    if other:
        names = [group.heading(row) for _, row in rows.iterrows()] if len(rows) <= group.max_rows else []
        drawn_rows = rows.assign(group=names, first=rows[group.main], second=rows["other"])
        drawing = dumbbells_chart(drawn_rows, (parser, other), parsers=part.run.parsers, unit=group.unit)
        description = f"{parser} and {other}: {group.unit}, and the difference with its 95 % interval."
    else:
        drawn = group.chart(rows, options)
        if drawn is None:
            return
        drawing = differences_chart(drawn.rows, score=drawn.score, things=drawn.things)
        description = drawn.description
    chart(drawing, key="hotspots_chart", description=description, signature=part.run.signature)


def _parts(part: Part, group: GroupBy, options: Options, errors: pd.DataFrame, key: str) -> str:
    """Show what the errors of the chosen row consist of, and return the chosen part; empty for all."""
    parts = group.parts(errors)
    if parts.empty:
        return ""
    total = pd.DataFrame({"part": [""], "amount": [parts["amount"].sum()], "count": [len(errors)]})
    listed = pd.concat([total, parts], ignore_index=True).assign(name=lambda rows: rows["part"].replace("", "all"))
    amount_title = next(column.title for column in group.columns(options) if column.name == group.main)
    row = choice_table(
        listed,
        ("part",),
        key=f"{key}_parts",
        name="part",
        columns={
            "name": st.column_config.TextColumn("Consists of", help=group.parts_help or None, width=_PART_WIDTH),
            "amount": st.column_config.NumberColumn(
                amount_title, format=number_format(listed["amount"]), width=_NUMBER_WIDTH
            ),
            "count": st.column_config.NumberColumn("Occurrences", format="%d", width=_NUMBER_WIDTH),
        },
        caption=f"What the errors of a row consist of. {part.run.signature}",
        height=_PARTS_HEIGHT,
        also=("sentence",),
    )
    return "" if row is None else str(row["part"])


def _column(column: Column, values: pd.Series[Any], *, is_narrow: bool) -> Any:
    hint = column.help or None
    if column.format in ("text", "interval"):
        width = (_NARROW_NAME_WIDTH if is_narrow else _NAME_WIDTH) if column.width == "large" else column.width
        if is_narrow and isinstance(width, int) and column.name != "interval":
            width = min(width, _NARROW_NAME_WIDTH if column.width == "large" else _NARROW_PART_WIDTH)
        return st.column_config.TextColumn(column.title, help=hint, width=width)
    form = _FORMATS.get(column.format) or number_format(values)
    if column.name == "more":
        form = form.replace("%", "%+", 1)
    heading = heading_width(column.title, _NUMBER_WIDTH)
    title = column.title
    if is_narrow and heading > _NARROW_NUMBER_WIDTH:
        heading, title = _NARROW_NUMBER_WIDTH, excerpt(title, _NARROW_LETTERS)
    return st.column_config.NumberColumn(title, help=hint, format=form, width=column.width or heading)


def _errors(
    part: Part, group: GroupBy, parser: str, other: str, options: Options, row: pd.Series[Any]
) -> dict[str, pd.DataFrame]:
    """Return the errors of a row by parser, of those that have some; the first parser if none has."""
    keys = {str(name): value for name, value in row.items()}
    errors = {parser: group.errors(part, parser, options, keys, other)}
    if other:
        errors[other] = group.errors(part, other, options, keys, parser)
    return {name: rows for name, rows in errors.items() if not rows.empty} or {parser: errors[parser]}


def _errors_picker(errors: dict[str, pd.DataFrame]) -> tuple[str, pd.DataFrame]:
    """Let the reader choose whose errors of a row are listed, if both parsers have some."""
    first, *others = errors
    chosen = first
    if others:
        chosen = switch("Errors of", "errors_of", {name: name for name in errors})
    return chosen, errors[chosen]


def _sentences(
    part: Part,
    group: GroupBy,
    parser: str,
    options: Options,
    row: pd.Series[Any],
    errors: pd.DataFrame,
    key: str,
    whose: str,
    *,
    any_sentence: bool,
) -> tuple[list[int], int, list[int]] | None:
    """List the sentences of a row: the first ones and the chosen one with a picture, the others with words marked.

    Returns these sentences, the chosen one, and its words of the row. `whose` begins the heading: the parser, where it
    is one of two.
    """
    if errors.empty:
        show_blocks(note("None of these errors can be shown."), key=f"{key}_no_errors")
        return None
    order = group.examples(part, parser, errors)
    url_sentence = part.sentence_of(state.get_number("sentence", part.number_of(order[0]), 1, 2**31 - 1))
    sentence = url_sentence if url_sentence in order else None if any_sentence else order[0]
    listed = order[:_MAX_LISTED]
    if sentence is not None and sentence not in listed:
        listed = [*listed[:-1], sentence]
    lines = group.lines(part, listed, errors)
    words = next((sorted(line.marked) for line in lines if line.sentence == sentence), [])
    first_listed = tuple(listed[:_MAX_PICTURED])
    pictured = dict.fromkeys(first_listed, first_listed)
    if sentence is not None:
        pictured.setdefault(sentence, (sentence,))
    drawn = {number: _drawn(part, group, parser, options, number, of, errors) for number, of in pictured.items()}
    examples = {number: example for number, example in drawn.items() if example is not None}
    lines = [line._replace(remark=examples[line.sentence][0]) if line.sentence in examples else line for line in lines]
    count = f"{group.number_of_errors(errors)} in {count_of(len(order), 'sentence')}"
    first = f", the first {_MAX_LISTED} listed" if len(order) > _MAX_LISTED else ""
    costs = group.costs(part, parser, options, {str(name): value for name, value in row.items()}, errors)
    show_blocks(
        marked(
            [line._replace(sentence=part.number_of(line.sentence)) for line in lines],
            chosen=None if sentence is None else part.number_of(sentence),
            heading=f"{whose}{count}{first}; the chosen one is below in full",
            pictures={part.number_of(number): drawings for number, (_, drawings) in examples.items()},
            figures={part.number_of(number): group.cost_text(costs[number]) for number in listed if number in costs},
        ),
        *([legend(group.legend)] if group.legend and examples else []),
        *([note(group.order_of_examples(errors))] if len(order) > 1 else []),
        key=f"{key}_sentences",
        on_sentence=lambda number: state.put(sentence=number),
        origin=Origin(f"hotspots-{parser}", f"{group.title}, {parser}", part.run.signature),
    )
    numbers = [part.number_of(number) for number in order]
    return numbers, numbers[0] if sentence is None else part.number_of(sentence), words


_Drawn = tuple[str, tuple[tuple[int, str], ...]]
"""An error in words, and its pictures with their widths."""


def _examples(
    part: Part, group: GroupBy, parser: str, options: Options, sentences: tuple[int, ...], errors: pd.DataFrame
) -> Mapping[int, Example]:
    """Return the first error of some sentences, to be drawn; to read them one by one would take longer."""

    def read() -> Mapping[int, Example]:
        return group.pictured(part, parser, options, sentences, errors)

    return part.memory(("examples", group.id, parser, *options.items(), *_firsts(errors, sentences)), read)


def _drawn(
    part: Part,
    group: GroupBy,
    parser: str,
    options: Options,
    sentence: int,
    sentences: tuple[int, ...],
    errors: pd.DataFrame,
) -> _Drawn | None:
    """Return the pictures of the first error of one of some sentences, drawn once; None if it has none."""

    def draw() -> _Drawn | None:
        example = _examples(part, group, parser, options, sentences, errors).get(sentence)
        if example is None:
            return None
        pictures = [(width, example.drawing.draw(theme="auto", width=width)) for width in _PICTURE_WIDTHS]
        return example.text, tuple(pictures)

    return part.memory(("picture", group.id, parser, *options.items(), *_firsts(errors, (sentence,))), draw)


def _firsts(errors: pd.DataFrame, sentences: Sequence[int]) -> Iterator[tuple[Any, ...]]:
    """Return what the pictures of the first error of some sentences depend on."""
    names = [name for name in ("sentence", "start", "end", "step", "remark") if name in errors]
    first = errors[errors["sentence"].isin(sentences)].drop_duplicates("sentence")
    return first[names].itertuples(index=False, name=None)

"""Hotspots: the errors of a parser by question, as tables, a matrix and sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from evaltools.analysis.leaderboard import FEW_UNITS, few_units
from evaltools.app.components.blocks import show_blocks
from evaltools.app.session import state
from evaltools.app.session.data import cached_by_run
from evaltools.app.widgets.pickers import (
    choice_picker,
    control_widget,
    group_mask,
    group_pickers,
    switch,
    units_picker,
)
from evaltools.app.widgets.saving import Origin, chart, save_table
from evaltools.app.widgets.tables import (
    MAX_STYLED,
    cells_in,
    choice_name,
    choice_table,
    chosen_row,
    heading_width,
    number_format,
    selection,
)
from evaltools.blocks import Column, Quoted, answer, legend, note, pictured, sentences
from evaltools.charts.dumbbells import dumbbells_chart
from evaltools.charts.intervals import differences_chart
from evaltools.frameworks.hotspots import MAX_ROWS, Hotspots, Matrix, doubt
from evaltools.frameworks.questions import Options, Question, first_errors, question_options
from evaltools.outputs.hotspots import ask, intervals_over
from evaltools.runs.metadata import Group, plural_of
from evaltools.runs.store import Run
from evaltools.text import capitalized, column_format, count_of, excerpt

_MAX_WHOLE = 10_000
"""Runs of up to so many sentences are analyzed completely."""
_STEPS = (1_000, _MAX_WHOLE, 50_000)


def sizes(n_sentences: int, question: Question) -> tuple[list[int], int]:
    """Return the choices of the number of sentences to analyze, and the default."""
    # Words and brackets are read with their features, so questions about them begin with a part of long runs.
    if n_sentences <= _MAX_WHOLE or question.members is None:
        return [n_sentences], n_sentences
    complete = [n_sentences] if n_sentences < _STEPS[-1] else []
    return [*(step for step in _STEPS if step <= n_sentences), *complete], _STEPS[0]


@cached_by_run(16)
def _asked(
    run: Run,
    question: str,
    parser: str,
    other: str,
    chosen: str,
    _options: Options,
    group: Group | None,
    size: int,
    cluster: str,
) -> Hotspots:
    asked = run.framework.questions().hotspots[question]
    return ask(run, asked, parser, other, _options, group=group, size=size, cluster=cluster)


def answered(
    run: Run,
    question: Question,
    parser: str,
    other: str = "",
    options: Options | None = None,
    *,
    group: Group | None = None,
    size: int = 0,
    cluster: str = "",
) -> Hotspots:
    """Ask a question, as :func:`evaltools.outputs.hotspots.ask` does; the answer is kept, so it must not be changed."""
    options = question_options(question) | dict(options or {})
    size = size or sizes(run.n_sentences, question)[1]
    return _asked(run, question.id, parser, other, repr(sorted(options.items())), options, group, size, cluster)


@cached_by_run(16)
def agreed(run: Run) -> list[tuple[str, str, str]]:
    """Return id, title and summary of the questions about all parsers together."""
    questions = [question for question in run.framework.questions().hotspots.values() if question.kind.of_all_parsers]
    tables = [answered(run, question, run.parsers[0]) for question in questions]
    return [
        (table.question.id, table.question.title, f"{text}{limits(table)}")
        for table in tables
        if (text := table.summary)
    ]


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


def matrix_table(matrix: Matrix, keys: list[str], *, key: str, caption: str) -> pd.Series[Any]:
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

    def choose() -> None:
        for row, column in cells_in(table_key):
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
        selection_default=selection(table_key, cells=[cell]),
        key=table_key,
    )
    text = "Rows: gold. Columns: the parser. Pale: right. Click a cell to list its sentences."
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
_MAX_MARKED = 100
"""Rows of a table that are gray if they say little."""
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


def question_of(run: Run) -> Question:
    """Return the question that the URL names, or the first one."""
    questions = run.framework.questions().hotspots
    return questions.get(state.get("view")) or next(iter(questions.values()))


def question_picker(run: Run) -> Question:
    """Let the reader choose a question."""
    questions = run.framework.questions().hotspots
    titles = {name: question.title for name, question in questions.items()}
    first = next(iter(titles))
    also = state.DESELECTED
    return questions[choice_picker("View", list(titles), name="view", default=first, titles=titles, also=also)]


def question_controls(question: Question, **given: Any) -> dict[str, Any]:
    """Draw the controls of a question, except those of the given options, and return all options."""
    chosen = {control.name: control_widget(control) for control in question.controls if control.name not in given}
    return question_options(question, **chosen, **given)


def hotspots_picker(
    run: Run, question: Question, parser: str, other: str, options: Options, cluster: str | None = None
) -> Hotspots:
    """Let the reader choose a group of sentences, and the number of sentences to analyze, if they are many.

    Without `cluster`, a column of the metadata, the reader chooses what intervals of differences are over.
    """
    group = group_pickers(run, state.DESELECTED)
    if cluster is None:
        cluster = units_picker(run) if other else ""
    n = run.n_sentences if group is None else int(group_mask(run, group).sum())
    offered, size = sizes(n, question)
    if len(offered) > 1:
        titles = {str(size): f"the first {size:,}" if size < n else f"all {size:,}" for size in offered}
        size = int(choice_picker("Sentences", list(titles), name="most", default=str(size), titles=titles))
    return answered(run, question, parser, other, options, group=group, size=size, cluster=cluster)


def limits(table: Hotspots) -> str:
    """Return which sentences are analyzed, if not all, and what intervals are over, if not sentences."""
    documents = ""
    if table.cluster and table.other:
        few = f" {few_units(plural_of(table.cluster))}." if table.n_units < FEW_UNITS else ""
        documents = f" Intervals and significance over {intervals_over(table)}.{few}"
    n = table.run.n_sentences
    if table.scope.text:
        the = "" if table.scope.text.startswith("of ") else "the "
        return f" Over {the}{table.scope}.{documents}"
    return f" Over the first {table.scope.size:,} of {n:,} sentences.{documents}" if n > table.scope.size else documents


def view_switch(table: Hotspots) -> str:
    """Let the reader choose between the table and a matrix or chart, if there is one."""
    titles = {"table": "table", "chart": "chart"}
    if table.rows.empty:
        return "table"
    if not table.other and table.matrix is not None:
        titles = {"matrix": "matrix", "table": "table"}
    elif not table.other and _drawn_rows(table):
        titles = {"trees": "trees", "table": "table"}
    elif not table.other and not _has_chart(table):
        return "table"
    return switch("Show", "show", titles)


def _has_chart(table: Hotspots) -> bool:
    """Return whether the rows are groups of members, whose differences to the rest can be drawn."""
    members = table.question.members
    return members is not None and members.conditions is None and bool(table.rows["low"].notna().any())


def hotspots_table(table: Hotspots, key: str, *, show: str = "table", any_sentence: bool = False) -> Chosen | None:
    """Show the rows on the left, and on the right the sentences of the chosen one."""
    if table.rows.empty:
        show_blocks(note(table.empty), key=f"{key}_empty")
        return None
    question, other = table.question, table.other
    left, right = st.columns([5, 3] if other else [3, 2] if show == "matrix" else [6, 5], gap="small")
    with left:
        unknown = st.container()
        row = _rows(table, key, show)
        name = choice_name([row[name] for name in table.keys])
        if (linked := state.get("group")) not in ("", name):
            text = f"There is no {question.row_name} “{excerpt(linked)}” here; “{name}” is shown instead."
            with unknown:
                show_blocks(note(text), key=f"{key}_unknown")
    with right:
        heading = st.container()
        of_parser, errors = _errors_picker(_errors(table, row))
    with left:
        chosen_part = _parts(table, errors, key)
    if chosen_part:
        errors = errors[errors["part"] == chosen_part]
    with heading:
        show_blocks(
            answer(_of_row(table, row, chosen_part)),
            *([] if chosen_part or "cost" not in row else [note(_figures(table, row))]),
            key=f"{key}_row",
        )
    with right:
        whose = f"{of_parser}: " if other else ""
        chosen = _sentences(table, of_parser, row, errors, key, whose, any_sentence=any_sentence)
    if chosen is None:
        return None
    who = "all parsers" if question.kind.of_all_parsers else of_parser
    return Chosen(*chosen, of_parser, ", ".join(filter(None, [who, table.heading(row), chosen_part])))


def _of_row(table: Hotspots, row: pd.Series[Any], chosen_part: str) -> str:
    """Return the heading of the chosen row: its place in the table, and its name."""
    names = [choice_name(values) for values in table.rows[table.keys].astype(str).to_numpy().tolist()]
    name = choice_name([row[key] for key in table.keys])
    row_name = table.question.row_name.capitalize()
    place = f"{row_name} {names.index(name) + 1:,} of {len(names):,}: " if name in names else ""
    return f"{place}{table.heading(row)}{f', {chosen_part}' if chosen_part else ''}"


def _figures(table: Hotspots, row: pd.Series[Any]) -> str:
    """Return the figures of the chosen row in words, and why they say little if so."""
    reason = doubt(row, table.rows) if table.other else ""
    if not table.other and (why := table.uninformative(row)):
        reason = f"uninformative: {why}"
    who = "All parsers" if table.question.kind.of_all_parsers else table.parser
    return f"{who}: {'; '.join(filter(None, [table.figures(row), reason]))}"


def _rows(table: Hotspots, key: str, show: str) -> pd.Series[Any]:
    """Show the table or the chart of the rows, and return the chosen row."""
    run, question, rows, parser, other = table.run, table.question, table.rows, table.parser, table.other
    max_rows = _MAX_COMPARED if other else MAX_ROWS
    pale = [] if other else _uninformative(table)
    listed = _first(rows, max_rows, table.keys)
    if show == "matrix" and table.matrix is not None:
        caption = f"{question.title}: {parser}.{limits(table)} {run.signature}"
        return matrix_table(table.matrix, table.keys, key=f"{key}_matrix", caption=caption)
    if show == "trees":
        return _row_pictures(table, listed, key)
    if show == "chart":
        _chart(table)
        return chosen_row(listed, table.keys, "group", pale)
    columns = _columns(table)
    hundredths = [column.name for column in columns if column.format.startswith(("points", "percent"))]

    def in_percent(rows: pd.DataFrame) -> pd.DataFrame:
        rows = rows.assign(**{name: 100 * rows[name] for name in hundredths})
        return rows.assign(interval=(rows["interval"] + " " + rows["flag"]).str.strip()) if other else rows

    choice_table(
        in_percent(listed),
        tuple(table.keys),
        key=f"{key}_{question.id}",
        name="group",
        columns={column.name: _column(column, listed[column.name], is_narrow=bool(other)) for column in columns},
        caption=f"{question.title}: {' and '.join(filter(None, (parser, other)))}.{limits(table)} {run.signature}",
        height=_PARTED_HEIGHT if _has_parts(table) else _HEIGHT,
        also=("sentence", "part"),
        whole=lambda: in_percent(rows),
        pale=pale,
        titles={column.name: column.title for column in columns},
    )
    if len(rows) > max_rows:
        more = note(f"The first {max_rows:,} of {len(rows):,} rows; Save has them all.")
        show_blocks(more, key=f"{key}_more")
    return chosen_row(listed, table.keys, "group", pale)


def _has_parts(table: Hotspots) -> bool:
    part = table.question.kind.part
    return bool(part) and part not in table.keys


def _uninformative(table: Hotspots) -> list[int]:
    """Return the indices of the rows in view that say little."""
    return [index for index, (_, row) in enumerate(table.rows.head(_MAX_MARKED).iterrows()) if table.uninformative(row)]


def _columns(table: Hotspots) -> tuple[Column, ...]:
    """Return the columns; of two parsers, the mark of significance stands in that of the interval."""
    if not table.other:
        return table.columns
    flag = next(column for column in table.columns if column.name == "flag")
    return tuple(
        replace(column, help=f"{column.help}. {flag.help}") if column.name == "interval" else column
        for column in table.columns
        if column is not flag
    )


def _first(rows: pd.DataFrame, n: int, keys: Sequence[str]) -> pd.DataFrame:
    """Return the first rows, and the one that the URL names."""
    if len(rows) <= n:
        return rows
    chosen = chosen_row(rows, keys, "group").name
    return rows.loc[sorted({*rows.index[:n], chosen})].reset_index(drop=True)


def _key(table: Hotspots) -> str:
    """Return what pictures of a table depend on, beside their errors."""
    return repr((table.question.id, table.parser, table.other, table.scope, sorted(table.options.items())))


@cached_by_run(64)
def _pictures_of_rows(run: Run, key: str, _table: Hotspots) -> list[tuple[str, str]]:
    return [(drawing.draw(theme="auto"), text) for text, drawing in _table.drawn()]


def _drawn_rows(table: Hotspots) -> list[tuple[str, str]]:
    """Return the rows of a parser as pictures with typical words, drawn once: SVG and text."""
    return _pictures_of_rows(table.run, _key(table), table)


def _row_pictures(table: Hotspots, rows: pd.DataFrame, key: str) -> pd.Series[Any]:
    """Show the rows as pictures with typical words and the main figures, and return the chosen row."""
    names = [choice_name(values) for values in rows[table.keys].to_numpy().tolist()]
    row = chosen_row(rows, table.keys, "group")
    question, parser = table.question, table.parser
    listed = [
        (svg, table.heading(item), text, table.figures(item))
        for (svg, text), (_, item) in zip(_drawn_rows(table), rows.iterrows(), strict=True)
    ]

    def choose(index: int) -> None:
        state.put(group=names[index], sentence=None, part=None)

    show_blocks(
        pictured(listed, names.index(choice_name([row[name] for name in table.keys])), question.title),
        key=f"{key}_{question.id}_pictures",
        on_step=choose,
        origin=Origin(f"hotspots-{question.id}-{parser}", f"{question.title}, {parser}", table.run.signature),
    )
    show_blocks(note(table.drawn_legend), key=f"{key}_{question.id}_pictures_legend")
    return row


def _chart(table: Hotspots) -> None:
    rows, parser, other = table.rows, table.parser, table.other
    if other:
        names = [table.heading(row) for _, row in rows.iterrows()] if len(rows) <= MAX_ROWS else []
        drawn_rows = rows.assign(group=names, first=rows["cost"], second=rows["other"])
        unit = table.question.kind.unit
        drawing = dumbbells_chart(drawn_rows, (parser, other), parsers=table.run.parsers, unit=unit)
        description = f"{parser} and {other}: {unit}, and the difference with its 95 % interval."
    else:
        things = table.question.members.noun if table.question.members is not None else "members"
        drawing = differences_chart(rows[rows["low"].notna()], score=table.score_name, things=things)
        description = f"Difference of each group to all other {things}."
    chart(drawing, key="hotspots_chart", description=description, signature=table.run.signature)


def _parts(table: Hotspots, errors: pd.DataFrame, key: str) -> str:
    """Show what the errors of the chosen row consist of, and return the chosen part; empty for all."""
    parts = table.parts(errors)
    if parts.empty:
        return ""
    total = pd.DataFrame({"part": [""], "amount": [parts["amount"].sum()], "count": [len(errors)]})
    listed = pd.concat([total, parts], ignore_index=True).assign(name=lambda rows: rows["part"].replace("", "all"))
    row = choice_table(
        listed,
        ("part",),
        key=f"{key}_parts",
        name="part",
        columns={
            "name": st.column_config.TextColumn("Consists of", width=_PART_WIDTH),
            "amount": st.column_config.NumberColumn(
                capitalized(table.question.kind.unit), format=number_format(listed["amount"]), width=_NUMBER_WIDTH
            ),
            "count": st.column_config.NumberColumn("Occurrences", format="%d", width=_NUMBER_WIDTH),
        },
        caption=f"What the errors of a row consist of. {table.run.signature}",
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


def _errors(table: Hotspots, row: pd.Series[Any]) -> dict[str, pd.DataFrame]:
    """Return the errors of a row by parser, of those that have some; the first parser if none has."""
    keys = {str(name): value for name, value in row.items()}
    errors = {name: table.errors(keys, name) for name in filter(None, (table.parser, table.other))}
    return {name: rows for name, rows in errors.items() if not rows.empty} or {table.parser: errors[table.parser]}


def _errors_picker(errors: dict[str, pd.DataFrame]) -> tuple[str, pd.DataFrame]:
    """Let the reader choose whose errors of a row are listed, if both parsers have some."""
    first, *others = errors
    chosen = first
    if others:
        chosen = switch("Errors of", "errors_of", {name: name for name in errors})
    return chosen, errors[chosen]


def _sentences(
    table: Hotspots,
    parser: str,
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
    order = table.examples(errors, parser)
    url_sentence = state.get_number("sentence", order[0], 1, 2**31 - 1)
    sentence = url_sentence if url_sentence in order else None if any_sentence else order[0]
    listed = order[:_MAX_LISTED]
    if sentence is not None and sentence not in listed:
        listed = [*listed[:-1], sentence]
    lines = table.lines(listed, errors)
    words = next((sorted(line.marked) for line in lines if line.sentence == sentence), [])
    shown = dict.fromkeys([*listed[:_MAX_PICTURED], *([] if sentence is None else [sentence])])
    examples = _examples(table, parser, list(shown), errors)
    lines = [line._replace(remark=examples[line.sentence][0]) if line.sentence in examples else line for line in lines]
    count = f"{count_of(len(errors), 'error')} in {count_of(len(order), 'sentence')}"
    first = f", the first {_MAX_LISTED} listed" if len(order) > _MAX_LISTED else ""
    costs = table.costs({str(name): value for name, value in row.items()}, errors, parser)
    kind = table.question.kind
    show_blocks(
        sentences(
            [
                (
                    line.sentence,
                    Quoted(line.words, line.marked, examples[line.sentence][1] if line.sentence in examples else ()),
                    line.remark,
                    table.cost_text(costs[line.sentence]) if line.sentence in costs else "",
                )
                for line in lines
            ],
            f"{whose}{count}{first}; the chosen one is below in full",
            sentence,
        ),
        *([legend(kind.legend)] if kind.legend and examples else []),
        *([note(table.order_of_examples(errors))] if len(order) > 1 else []),
        key=f"{key}_sentences",
        on_sentence=lambda number: state.put(sentence=number),
        origin=Origin(f"hotspots-{parser}", f"{table.question.title}, {parser}", table.run.signature),
    )
    return order, order[0] if sentence is None else sentence, words


_Drawn = tuple[str, tuple[tuple[int, str], ...]]
"""An error in words, and its pictures with their widths."""


@cached_by_run(256)
def _pictures_of_errors(
    run: Run, key: str, parser: str, firsts: str, _table: Hotspots, _sentences: list[int], _errors: pd.DataFrame
) -> dict[int, _Drawn]:
    examples = _table.pictured(_sentences, _errors, parser)
    return {
        number: (text, tuple((width, drawing.draw(theme="auto", width=width)) for width in _PICTURE_WIDTHS))
        for number, (text, drawing) in examples.items()
    }


def _examples(table: Hotspots, parser: str, sentences: list[int], errors: pd.DataFrame) -> dict[int, _Drawn]:
    """Return the pictures of the first error of some sentences, drawn once."""
    first = first_errors(errors, sentences)
    names = [name for name in ("sentence", "number", "start", "end", "remark") if name in first]
    firsts = repr(first[names].to_numpy().tolist())
    return _pictures_of_errors(table.run, _key(table), parser, firsts, table, sentences, errors)

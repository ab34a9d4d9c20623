"""Hotspots: the errors of a parser by question, as tables, a matrix and sentences."""

from __future__ import annotations

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
from evaltools.app.widgets.pickers import control_widget, group_mask, group_pickers, menu, switch, units_picker
from evaltools.app.widgets.saving import Origin, save_table
from evaltools.app.widgets.tables import (
    MAX_STYLED,
    cells_to_click,
    choice_name,
    choice_names,
    choice_table,
    chosen_index,
    column_of,
    key_of,
    text_width,
    with_styles,
)
from evaltools.blocks import Column, Quoted, answer, legend, note, sentences
from evaltools.frameworks.hotspots import MAX_ROWS, Hotspots, Matrix, doubt
from evaltools.frameworks.questions import Options, Question, first_errors, question_options
from evaltools.outputs.hotspots import ask, intervals_over
from evaltools.runs.metadata import Group, plural_of
from evaltools.runs.store import Run
from evaltools.text import capitalized, count_of, excerpt

_MAX_WHOLE = 10_000
"""Runs of up to so many sentences are analyzed completely."""
_STEPS = (1_000, _MAX_WHOLE, 50_000)


class Chosen(NamedTuple):
    """The sentences of a group, the chosen one, its words of the group, their parser, and the name of the group."""

    order: list[int]
    sentence: int
    words: list[int]
    parser: str
    title: str


# --------------------------------------------------------------------------------------------------------- the question


def question_of(run: Run) -> Question:
    """Return the question that the URL names, or the first one."""
    questions = run.framework.questions().hotspots
    return questions.get(state.get("view")) or next(iter(questions.values()))


def question_picker(run: Run) -> Question:
    """Let the reader choose a question."""
    questions = run.framework.questions().hotspots
    titles = {name: question.title for name, question in questions.items()}
    return questions[menu("View", titles, name="view", also=state.DESELECTED)]


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
    offered = _sizes(n, question)
    size = offered[0]
    if len(offered) > 1:
        titles = {str(size): f"the first {size:,}" if size < n else f"all {size:,}" for size in offered}
        size = int(menu("Sentences", titles, name="most"))
    return _asked(run, question.id, parser, other, repr(sorted(options.items())), group, size, cluster, options)


def _sizes(n_sentences: int, question: Question) -> list[int]:
    """Return the choices of the number of sentences to analyze, the default first."""
    # Words and brackets are read with their features, so questions about them begin with a part of long runs.
    if n_sentences <= _MAX_WHOLE or question.members is None:
        return [n_sentences]
    complete = [n_sentences] if n_sentences < _STEPS[-1] else []
    return [*(step for step in _STEPS if step <= n_sentences), *complete]


@cached_by_run(16)
def _asked(
    run: Run,
    question: str,
    parser: str,
    other: str,
    chosen: str,
    group: Group | None,
    size: int,
    cluster: str,
    _options: Options,
) -> Hotspots:
    """Ask a question; `chosen` has its options in words, for the cache."""
    asked = run.framework.questions().hotspots[question]
    return ask(run, asked, parser, other, _options, group=group, size=size, cluster=cluster)


def limits(table: Hotspots) -> str:
    """Return which sentences are analyzed, if not all, and what intervals are over, if not sentences."""
    documents = ""
    if table.cluster and table.other:
        few = f" {few_units(plural_of(table.cluster))}." if table.n_units < FEW_UNITS else ""
        documents = f" Intervals and significance over {intervals_over(table)}.{few}"
    n = table.run.n_counted
    if table.scope.text:
        the = "" if table.scope.text.startswith("of ") else "the "
        return f" Over {the}{table.scope}.{documents}"
    return f" Over the first {table.scope.size:,} of {n:,} sentences.{documents}" if n > table.scope.size else documents


def matrix_of(table: Hotspots) -> Matrix | None:
    """Return the matrix if there is one and the reader chooses it; None for the table."""
    if table.rows.empty or table.other or table.matrix is None:
        return None
    shown = switch("Show", {"matrix": "matrix", "table": "table"}, name="show")
    return table.matrix if shown == "matrix" else None


# ------------------------------------------------------------------------------------------------ its answer: the rows

_HEIGHT, _LOW_HEIGHT, _PARTS_HEIGHT = 416, 259, 169
"""Heights of the table of groups, of one above parts or sentences, and of a table of parts, in pixels: a row cut in
half shows that there are more."""
_NAME_WIDTH, _WIDE_NAME_WIDTH = 284, 420
"""Largest width of a column of names or parts, and of one in a wide table, in pixels."""
_MAX_MARKED = 100
"""Rows of a table that are gray if they say little."""


def hotspots_table(
    table: Hotspots, key: str, *, matrix: Matrix | None = None, any_sentence: bool = False
) -> Chosen | None:
    """Show the rows, and beside them, or below a wide table, the sentences of the chosen one."""
    if table.rows.empty:
        show_blocks(note(table.empty), key=f"{key}_empty")
        return None
    question = table.question
    if _is_wide(table):
        left, right = st.container(), st.container()
    else:
        left, right = st.columns([6, 5] if matrix is None else [3, 2], gap="small")
    with left:
        unknown = st.container()
        row = _rows(table, key, matrix)
        name = choice_name([row[name] for name in table.keys])
        if (linked := state.get("group")) not in ("", name):
            text = f"There is no {question.row_name} “{excerpt(linked)}” here; “{name}” is shown instead."
            with unknown:
                show_blocks(note(text), key=f"{key}_unknown")
    with right:
        heading = st.container()
        parser, errors = _errors(table, row)
    with left:
        part = _part(table, errors, key)
    if part:
        errors = errors[errors["part"] == part]
    with heading:
        figures = [] if part or "cost" not in row else [note(_figures(table, row))]
        show_blocks(answer(_heading(table, row, part)), *figures, key=f"{key}_row")
    with right:
        listed = _sentences(table, parser, row, errors, key, any_sentence=any_sentence)
    if listed is None:
        return None
    who = "all parsers" if question.kind.of_all_parsers else parser
    return Chosen(*listed, parser, ", ".join(filter(None, [who, table.heading(row), part])))


def _is_wide(table: Hotspots) -> bool:
    """Return whether a table has too many columns for sentences beside it."""
    return bool(table.other) or table.question.members is not None


def _heading(table: Hotspots, row: pd.Series[Any], part: str) -> str:
    """Return the heading of the chosen row: its rank in the table, and its name."""
    names, name = choice_names(table.rows, table.keys), choice_name([row[key] for key in table.keys])
    rank = ""
    if name in names:
        rank = f"{table.question.row_name.capitalize()} {names.index(name) + 1:,} of {len(names):,}: "
    return f"{rank}{', '.join(filter(None, [table.heading(row), part]))}"


def _figures(table: Hotspots, row: pd.Series[Any]) -> str:
    """Return the figures of the chosen row in words, and why they say little if so."""
    reason = doubt(row, table.rows) if table.other else ""
    if not table.other and (why := table.uninformative(row)):
        reason = f"uninformative: {why}"
    who = "All parsers" if table.question.kind.of_all_parsers else table.parser
    return f"{who}: {'; '.join(filter(None, [table.figures(row), reason]))}"


def _rows(table: Hotspots, key: str, matrix: Matrix | None) -> pd.Series[Any]:
    """Show the rows as a matrix or in a table, and return the chosen one."""
    rows, other, keys = table.rows, table.other, table.keys
    about = f"{table.question.title}: {' and '.join(filter(None, (table.parser, other)))}"
    caption = f"{about}.{limits(table)} {table.run.signature}"
    if matrix is not None:
        return _matrix(matrix, keys, key=f"{key}_matrix", caption=caption)
    max_rows = MAX_STYLED if other else MAX_ROWS  # of two parsers, those with the largest differences
    names = choice_names(rows, keys)
    pale = [] if other else [at for at in range(min(len(rows), _MAX_MARKED)) if table.uninformative(rows.iloc[at])]
    index = chosen_index(names, state.get("group"), pale)
    listed = rows.iloc[[*range(min(len(rows), max_rows)), *([index] if index >= max_rows else [])]]

    def in_percent(rows: pd.DataFrame) -> pd.DataFrame:
        hundredths = [item.name for item in table.columns if item.format.startswith(("points", "percent"))]
        rows = rows.assign(**{name: 100 * rows[name] for name in hundredths})
        return rows.assign(interval=(rows["interval"] + " " + rows["flag"]).str.strip()) if other else rows

    part = table.question.kind.part
    chosen = choice_table(
        in_percent(listed),
        tuple(keys),
        key=f"{key}_{table.question.id}",
        name="group",
        columns=_columns(table, listed),
        caption=caption,
        height=_LOW_HEIGHT if _is_wide(table) or (part and part not in keys) else _HEIGHT,
        also=("sentence", "part"),
        whole=lambda: in_percent(rows),
        pale=pale,
    )
    if len(rows) > max_rows:
        more = note(f"The first {max_rows:,} of {len(rows):,} rows; Save has them all.")
        show_blocks(more, key=f"{key}_more")
    return listed.iloc[chosen]


def _columns(table: Hotspots, rows: pd.DataFrame) -> dict[str, Any]:
    """Return how a page shows the columns; of two parsers, the mark of significance stands in that of the interval."""
    shown: dict[str, Any] = {}
    for column in table.columns:
        if table.other and column.name == "flag":
            shown["interval"]["help"] += f". {column.help}"
            continue
        values = rows[column.name]
        if column.width == "large":
            longest = text_width(max(map(len, (column.title, *map(str, values)))))
            column = replace(column, width=min(longest, _WIDE_NAME_WIDTH if _is_wide(table) else _NAME_WIDTH))
        shown[column.name] = column_of(column, list(values), signed=column.name == "more")
    return shown


_GOLD = "_gold"
"""The column of gold labels."""
_MATRIX_ROW, _LABEL_WIDTH, _MAX_WIDTH = 27, 72, 130
"""Pixels."""
_ERROR = "background-color: rgba(184, 80, 0, {share:.2f})"
_RIGHT = "opacity: 0.45; color: gray"


def _matrix(matrix: Matrix, keys: list[str], *, key: str, caption: str) -> pd.Series[Any]:
    """Show a matrix, and return the chosen pair of labels; by default the most frequent confusion."""
    counts = matrix.counts
    names = [str(name) for name in counts.columns]
    wrong = counts.to_numpy(dtype=np.int64, copy=True)
    np.fill_diagonal(wrong, 0)
    pairs = {choice_name((gold, test)): (gold, test) for gold in names for test in names if gold != test}
    first = divmod(int(wrong.argmax()), len(names))
    gold, test = pairs.get(state.get("group"), (names[first[0]], names[first[1]]))
    listed = counts.astype("Int64").mask(counts == 0)
    listed.insert(0, _GOLD, ["spurious" if name == matrix.none else name for name in names])
    listed = listed.reset_index(drop=True)

    def choose(row: int, column: str) -> None:
        if column in names and names[row] != column:
            state.put(group=choice_name((names[row], column)), sentence=None, part=None)

    def width(heading: str, min_width: int) -> int:
        return min(max(min_width, 18 + 8 * len(heading)), _MAX_WIDTH)

    columns: dict[str, Any] = {
        _GOLD: st.column_config.TextColumn("gold", width=width(max(names, key=len), _LABEL_WIDTH), pinned=True)
    }
    for name in names:
        heading = "missed" if name == matrix.none else name
        longest = max(heading, f"{counts[name].max():,}", key=len)
        columns[name] = st.column_config.NumberColumn(heading, width=width(longest, 0))
    cells_to_click(
        with_styles(listed.style.format(thousands=",", na_rep="", subset=pd.Index(names)), _shades(wrong)),
        columns,
        choose,
        key=key_of(key, repr((names, counts.to_numpy().tolist()))),
        chosen=(names.index(gold), test),
        height=_MATRIX_ROW * (len(names) + 1) + 12,
        row_height=_MATRIX_ROW,
        placeholder="",
    )
    text = "Rows: gold. Columns: the parser. Pale: right. Click a cell to list its sentences."
    show_blocks(note(text), key=f"{key}_note")
    save_table(listed.rename(columns={_GOLD: "gold"}), key, caption)
    return pd.Series(dict(zip(keys, (gold, test), strict=True)))


def _shades(wrong: NDArray[np.int64]) -> list[list[str]]:
    """Return the style of each cell: errors the darker the more frequent, right counts pale."""
    shares = 0.08 + 0.55 * np.sqrt(wrong / max(int(wrong.max(initial=0)), 1))
    cells = [["", *(_ERROR.format(share=share) for share in row)] for row in shares.tolist()]
    for row, column in zip(*np.nonzero(wrong == 0), strict=True):
        cells[row][column + 1] = _RIGHT if row == column else ""
    return cells


def _key(table: Hotspots) -> str:
    """Return what pictures of a table depend on, beside their errors."""
    return repr((table.question.id, table.parser, table.other, table.scope, sorted(table.options.items())))


def _part(table: Hotspots, errors: pd.DataFrame, key: str) -> str:
    """Show what the errors of the chosen row consist of, and return the chosen part; empty for all."""
    parts = table.parts(errors)
    if parts.empty:
        return ""
    total = pd.DataFrame({"part": [""], "amount": [parts["amount"].sum()], "count": [len(errors)]})
    listed = pd.concat([total, parts], ignore_index=True).assign(name=lambda rows: rows["part"].replace("", "all"))
    columns = (
        Column("name", "Consists of", "text", width=_NAME_WIDTH),
        Column("amount", capitalized(table.question.kind.unit), width=58),
        Column("count", "Occurrences", width=58),
    )
    index = choice_table(
        listed,
        ("part",),
        key=f"{key}_parts",
        name="part",
        columns={column.name: column_of(column, list(listed[column.name])) for column in columns},
        caption=f"What the errors of a row consist of. {table.run.signature}",
        height=_PARTS_HEIGHT,
        also=("sentence",),
    )
    return str(listed["part"].iloc[index])


# ---------------------------------------------------------------------------------------------- the sentences of a row

_MAX_LISTED, _MAX_PICTURED = 100, 10
"""Maximum number of sentences of a group in the list, and of those with a picture of the error."""
_PICTURE_WIDTHS = (310, 388, 420)
"""Widths of these pictures, in pixels; the browser chooses one."""


def _errors(table: Hotspots, row: pd.Series[Any]) -> tuple[str, pd.DataFrame]:
    """Return the errors of a row, and whose they are; the reader chooses if two parsers have some."""
    keys = {str(name): value for name, value in row.items()}
    errors = {name: table.errors(keys, name) for name in filter(None, (table.parser, table.other))}
    some = [name for name, rows in errors.items() if not rows.empty] or [table.parser]
    chosen = switch("Errors of", {name: name for name in some}, name="errors_of") if len(some) > 1 else some[0]
    return chosen, errors[chosen]


def _sentences(
    table: Hotspots, parser: str, row: pd.Series[Any], errors: pd.DataFrame, key: str, *, any_sentence: bool
) -> tuple[list[int], int, list[int]] | None:
    """List the sentences of a row: the first ones and the chosen one with a picture, the others with words marked.

    Returns these sentences, the chosen one, and its words of the row.
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
    shown = list(dict.fromkeys([*listed[:_MAX_PICTURED], *([] if sentence is None else [sentence])]))
    examples = _examples(table, parser, shown, errors)
    costs = table.costs({str(name): value for name, value in row.items()}, errors, parser)
    rows = []
    for line in lines:
        remark, pictures = examples.get(line.sentence, (line.remark, ()))
        cost = table.cost_text(costs[line.sentence]) if line.sentence in costs else ""
        rows.append((line.sentence, Quoted(line.words, line.marked, pictures), remark, cost))
    count = f"{count_of(len(errors), 'error')} in {count_of(len(order), 'sentence')}"
    first = f", the first {_MAX_LISTED} listed" if len(order) > _MAX_LISTED else ""
    whose, kind = f"{parser}: " if table.other else "", table.question.kind
    show_blocks(
        sentences(rows, f"{whose}{count}{first}; the chosen one is below in full", sentence),
        *([legend(kind.legend)] if kind.legend and examples else []),
        *([note(table.order_of_examples(errors))] if len(order) > 1 else []),
        key=f"{key}_sentences",
        on_sentence=lambda number: state.put(sentence=number),
        origin=Origin(f"hotspots-{parser}", f"{table.question.title}, {parser}", table.run.signature),
    )
    return order, order[0] if sentence is None else sentence, words


_Drawn = tuple[str, tuple[tuple[int, str], ...]]
"""An error in words, and its pictures with their widths."""


def _examples(table: Hotspots, parser: str, sentences: list[int], errors: pd.DataFrame) -> dict[int, _Drawn]:
    """Return the pictures of the first error of some sentences, drawn once."""
    first = first_errors(errors, sentences)
    names = [name for name in ("sentence", "number", "start", "end", "remark") if name in first]
    firsts = repr(first[names].to_numpy().tolist())
    return _pictures_of_errors(table.run, _key(table), parser, firsts, table, sentences, errors)


@cached_by_run(256)
def _pictures_of_errors(
    run: Run, key: str, parser: str, firsts: str, _table: Hotspots, _sentences: list[int], _errors: pd.DataFrame
) -> dict[int, _Drawn]:
    examples = _table.pictured(_sentences, _errors, parser)
    return {
        number: (text, tuple((width, drawing.draw(theme="auto", width=width)) for width in _PICTURE_WIDTHS))
        for number, (text, drawing) in examples.items()
    }

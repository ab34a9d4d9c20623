"""Tables of *Hotspots*: a question asked of a run, and its rows as text, JSON or CSV."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from evaltools.blocks import Block, Choice, Table, Text
from evaltools.errors import ParameterError
from evaltools.frameworks.hotspots import BOTH, Hotspots, common_sentences
from evaltools.frameworks.questions import Question, Scope, question_options
from evaltools.outputs.tables import console_text, csv_text, json_text
from evaltools.runs.metadata import Group, parse_group, plural_of
from evaltools.runs.store import Run
from evaltools.runs.sums import units_of


def ask(
    run: Run,
    question: Question,
    parser: str,
    other: str = "",
    options: Mapping[str, Any] | None = None,
    *,
    group: Group | None = None,
    size: int | None = None,
    cluster: str = "",
) -> Hotspots:
    """Ask a question of *Hotspots* of a run.

    Parameters
    ----------
    run : Run
        The run.
    question : Question
        The question.
    parser, other : str
        The parser, and the one to compare with, over the sentences that both have parsed; empty for none.
    options : mapping, optional
        The values of the question's controls; by default their defaults.
    group : Group, optional
        A group of sentences by their metadata; by default all.
    size : int, optional
        Number of sentences, from the first one of the group; by default all.
    cluster : str
        The column of the metadata whose values intervals of differences are over; empty for sentences.

    Raises
    ------
    ParameterError
        If there is no sentence that both parsers have parsed.
    """
    options = question_options(question) | dict(options or {})
    other = "" if question.kind.of_all_parsers else other
    scope = _scope(run, group, size or run.n_sentences)
    if other:
        scope = _common(run, scope, (parser, other))
    units = units_of(run, cluster) if cluster else None
    return Hotspots(run, question, parser, other, options, scope, units, cluster)


def _scope(run: Run, group: Group | None, size: int) -> Scope:
    """Return the first sentences of a run, or of a group; those of which nothing counts are no part of the number."""
    if group is None:
        condition, text = f"sentence <= {size}", ""
    else:
        numbers = group.sentences(run)[:size]
        # the sentences of a document follow one another
        ends = np.flatnonzero(np.diff(numbers) != 1)
        firsts, lasts = numbers[np.append(0, ends + 1)], numbers[np.append(ends, len(numbers) - 1)]
        spans = " or ".join(f"sentence between {first} and {last}" for first, last in zip(firsts, lasts, strict=True))
        condition, text = f"({spans})", f"sentences with {group}"
    return Scope(_count(run, condition), condition, text)


def _count(run: Run, condition: str) -> int:
    """Return the number of sentences that count and meet a condition."""
    sql = f"select count(*) as n from sentences where parser = ? and sentences > 0 and {condition}"
    return int(run.columns(sql, [run.parsers[0]])["n"][0])


def _common(run: Run, scope: Scope, parsers: tuple[str, str]) -> Scope:
    """Return those of some sentences that two parsers have parsed."""
    condition = f"{scope.condition} and {common_sentences(parsers)}"
    n = _count(run, condition)
    if not n:
        raise ParameterError(f"there is no sentence in which {BOTH}: {' and '.join(parsers)} cannot be compared")
    if n == scope.size:
        return scope
    first = "the first " if not scope.text and scope.size < run.n_counted else ""
    text = f"of {first}{scope.size:,} {scope.text or 'sentences'}: those in which {BOTH}"
    return Scope(n, condition, text)


def hotspot_table(
    run: Run,
    parser: str,
    view: str = "",
    other: str = "",
    given: Sequence[str] = (),
    *,
    where: str | None = None,
    cluster: str = "",
) -> Hotspots:
    """Return a table of *Hotspots* of a run, as the command line names it.

    `view` is the name of a question, by default the first one; `given` are its options as ``NAME=VALUE``, `where` is a
    group as ``KEY=VALUE``; see `ask`.
    """
    questions = run.framework.questions().hotspots
    if not questions:
        raise ParameterError(f"hotspots need trees or graphs of one framework; the run has {run.framework.title}")
    if view and view not in questions:
        raise ParameterError.unknown("view", view, questions)
    for name in filter(None, (parser, other)):
        if name not in run.parsers:
            raise ParameterError.unknown("parser", name, run.parsers)
    if parser == other:
        raise ParameterError(f"two different parsers are compared, not {parser} with itself")
    if cluster and not other:
        raise ParameterError("--cluster goes with --compare-with; other tables have no intervals of differences")
    question = questions[view or next(iter(questions))]
    group = None if where is None else parse_group(where)
    return ask(run, question, parser, other, _chosen(question, given), group=group, cluster=cluster)


def _chosen(question: Question, given: Sequence[str]) -> dict[str, Any]:
    """Return options given as ``NAME=VALUE``; raise ParameterError for one that the question does not have."""
    controls = {control.name: control for control in question.controls}
    chosen: dict[str, Any] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise ParameterError(f"an option is given as NAME=VALUE, not {text!r}")
        control = controls.get(name)
        if control is None:
            raise ParameterError.unknown(f"option of {question.id}", name, controls)
        if isinstance(control, Choice):
            if value not in control.options:
                raise ParameterError.unknown(name, value, control.options)
            chosen[name] = value
            continue
        if not value.isdecimal() or not control.low <= int(value[:12]) <= control.high:
            raise ParameterError(f"{name} is a number from {control.low} to {control.high:,}, not {value!r}")
        chosen[name] = int(value)
    return chosen


def intervals_over(table: Hotspots) -> str:
    """Return what intervals of differences are over: ``24 documents``; empty for sentences."""
    return f"{table.n_units:,} {plural_of(table.cluster)}" if table.other and table.cluster else ""


def hotspots_report(table: Hotspots, limit: int | None, kind: str) -> str:
    """Return the first rows: as text like the page, as JSON with every digit, or as CSV, a row a group."""
    if kind == "text":
        return console_text(_text_blocks(table, limit), table.run.signature)
    rows = error_rows(table)[:limit]
    if kind == "csv":
        return csv_text(rows)
    content = {
        "signature": table.run.signature,
        "view": table.question.id,
        "parser": table.parser,
        "other": table.other or None,
        "intervals_over": intervals_over(table) or ("sentences" if table.other else None),
        "options": dict(table.options),
        "n": table.scope.size,
        "over": str(table.scope),
        "unit": table.question.kind.unit,
        "headline": table.headline,
        "rows": rows,
    }
    return json_text(content)


def error_rows(table: Hotspots) -> pd.DataFrame:
    """Return the rows of a table under the names of JSON and CSV, with both ends of intervals."""
    names = [*table.keys, *(column.name for column in table.columns), "low", "high"]
    return table.rows[[name for name in dict.fromkeys(names) if name in table.rows]]


def _text_blocks(table: Hotspots, limit: int | None) -> list[Block | str]:
    """Return the headline, what rows mean, the table as the page shows it, and what else can be asked for."""
    question, over = table.question, intervals_over(table)
    who = f"{table.parser} and {table.other}" if table.other else table.parser
    above = [
        f"{question.title}: {who}, over {table.scope}",
        table.headline,
        question.description,
        over and f"Intervals and significance over {over}",
    ]
    is_cut = limit is not None and len(table.rows) > limit
    views = ", ".join(name for name in table.run.framework.questions().hotspots if name != question.id)
    options = ", ".join(f"{name}={value}" for name, value in table.options.items())
    below = [
        f"The first {limit:,} of {len(table.rows):,} rows" if is_cut else "",
        f"Other views (--view): {views}",
        options and f"Options (--option): {options}",
    ]
    rows = Table.of(table.rows[:limit], table.columns)
    return [*(Text(line, "line") for line in filter(None, above)), rows, *map(Text, filter(None, below)), ""]

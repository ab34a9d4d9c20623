"""What is printed when files have been scored: facts about a run, gathered once, then laid out as text or JSON."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import NamedTuple

from rich.cells import cell_len

from evaltools.analysis.significance import SIGNIFICANT
from evaltools.analysis.summary import Row, Summary, summarize_run
from evaltools.analysis.suspicions import Suspicion, suspicions
from evaltools.corpus import Dependencies
from evaltools.frameworks.registry import METRICS
from evaltools.outputs.summary import (
    MAX_FIRST,
    describe_incomplete,
    fit_table,
    head_of,
    headline,
    metrics_left_out,
    shortened,
    summary_rows,
    unparsed,
)
from evaltools.outputs.tables import json_text
from evaltools.runs.store import Run
from evaltools.text import and_more, capitalized, count_of, listing, number, percentage, printable

_MAX_WIDTH = 100
_MAX_LINES = 12
_MAX_NOTES = 2
_MAX_TYPES = 3
_MAX_NAME = 26
_SMALL = 0.005
"""Smaller shares are not named."""
_EXAMPLE = "my.run"
"""The name of a run in commands where none was kept."""


class CostliestErrors(NamedTuple):
    """The costliest errors of a parser."""

    unit: str = ""  # What shares are of, such as wrong brackets
    shares: Sequence[tuple[str, float]] = ()  # Names and shares, the largest first
    unclassified: Sequence[tuple[str, float]] = ()  # The share of those without a type, if there are any
    grouping: str = ""  # What groups them, if it is not their type, and over which words: by relation (same tokens)


@dataclass(frozen=True, slots=True)
class FirstAnswer:
    """What is known about a run at first sight."""

    run: Run
    summary: Summary
    rows: Sequence[Row]  # The parsers that are shown, the best first
    costliest: CostliestErrors  # Of the first parser
    checks: Sequence[Suspicion]  # What is probably wrong, the largest first
    left_out: Mapping[str, set[str]]  # Usual metrics without a column, and the empty columns
    notes: Sequence[str]  # What is worth a look, each in a sentence
    commands: Sequence[Sequence[str]]  # What to do next: names of commands and what follows the run


def first_answer(run: Run, parsers: Collection[str] | None = None) -> FirstAnswer:
    """Gather what is known about a run; `parsers`: those that are shown, by default all."""
    summary = summarize_run(run)
    rows = [row for row in summary.rows if parsers is None or row.parser in parsers]
    shown = [row.parser for row in rows]
    found = suspicions(entry for entry in run.meta["parsers"] if entry["name"] in shown)
    return FirstAnswer(
        run,
        summary,
        rows,
        costliest_errors(run, shown[0]),
        [item for item in found if item.kind != "columns"],  # notes name empty columns
        metrics_left_out(run, summary.metrics),
        _notes(run, summary),
        _commands(run, shown),
    )


def costliest_errors(run: Run, parser: str) -> CostliestErrors:
    """Return the costliest error types of a parser, or else rows of the views that divide all errors among them."""
    if (types := run.framework.figures.error_types) is not None:
        costs = types.costs(run, parser)
        shares = [(name, cost / sum(costs.values())) for name, cost in costs.items()]
        parts = [[item for item in shares if (item[0] == types.residual) is rest] for rest in (False, True)]
        return CostliestErrors("wrong brackets", parts[0][:_MAX_TYPES], parts[1])
    from evaltools.outputs.hotspots import ask  # with pandas, which the summary of other frameworks does not load

    questions = run.framework.questions()
    tables = [ask(run, questions.hotspots[name], parser, options={"least": 1}) for name in questions.costliest]
    costliest = [(table.heading(row), float(row["share"])) for table in tables for _, row in table.rows.iterrows()]
    costliest.sort(key=lambda item: -item[1])
    if not costliest:
        return CostliestErrors()
    grouping = f" by {tables[0].columns[0].title.lower()}" if run.framework.reads is Dependencies else ""
    if any(entry["words_aligned"] for entry in run.meta["parsers"] if entry["name"] == parser):
        grouping += " (same tokens)"
    return CostliestErrors(tables[0].question.kind.unit, costliest[:_MAX_TYPES], grouping=grouping)


def _notes(run: Run, summary: Summary) -> list[str]:
    notes = []
    differ = [row for row in summary.rows if row.words_differ]
    if differ:
        n = sum(row.words_differ for row in differ)
        counted = "count as no parse" if summary.figure.endswith("_all") else "are not scored"
        notes.append(f"Words differ from gold in {count_of(n, 'sentence')}, which {counted}")
    notes += [text.removesuffix(".") for text in describe_incomplete(run, summary.metrics)]
    if summary.standing.over:
        notes.append(f"Ahead: {summary.standing.over}")
    return notes


def _commands(run: Run, parsers: Sequence[str]) -> list[Sequence[str]]:
    figures = run.framework.figures
    has_views = figures.error_types is not None or run.framework.questions().hotspots  # those of trees stay unloaded
    return [
        ("app",),
        *([("compare", *parsers)] if len(parsers) == 2 else []),
        ("report",),
        *([("hotspots", parsers[0])] if has_views else []),
        *([("why", parsers[0])] if figures.conventions() else []),
    ]


def as_json(answer: FirstAnswer) -> str:
    """Return JSON: every figure with its interval and number of sentences, and who is surely ahead."""
    run, summary, costliest = answer.run, answer.summary, answer.costliest
    rows = summary_rows(answer.rows)
    types = [{"type": name, "share": share} for name, share in (*costliest.shares, *costliest.unclassified)]
    return json_text(
        {
            "signature": run.signature,
            "preset": run.preset,
            "metric": summary.metric,
            "figure": summary.figure,
            "base": summary.base,
            "sentences": summary.n,
            "parsers": rows,
            "costliest_errors": {"parser": rows[0]["parser"], "unit": costliest.unit, "types": types},
            "checks": [asdict(item) | {"text": item.text} for item in answer.checks],
            "left_out": [{"metric": name, "empty_columns": sorted(empty)} for name, empty in answer.left_out.items()],
            "notes": answer.notes,
        }
    )


def as_text(answer: FirstAnswer, path: str | None, width: int = _MAX_WIDTH) -> str:
    """Return text of at most twelve lines; `path`: the folder of the run as commands name it, None if not kept."""
    summary, rows = answer.summary, answer.rows
    wanted = answer.run.framework.figures.first or summary.metrics[:MAX_FIRST]
    table, left, _ = fit_table(summary, rows, width, _MAX_NAME, wanted=wanted)
    rules = _rules(summary)
    notes = _packed(answer.notes, width)[:_MAX_NOTES]
    below = [
        *([] if len(notes) == _MAX_NOTES else _costliest_line(answer, width)),
        *notes,
        *(_check_line(item, width) for item in answer.checks[:1]),
    ]
    after = [*_packed(rules, width), *below]
    if left:
        dropped = listing([head_of(METRICS[name]) for name in left], len(wanted))
        longer = [*_packed([*rules, f"No room for {dropped}: {_command(path, 'report')}"], width), *below]
        if len(rows) != _MAX_LINES - len(longer) - 2:  # else one line short: the last parser comes first
            after = longer
    room = _MAX_LINES - len(after) - 3  # headline, heads of columns, at least one line of commands
    n_rows = len(rows) if len(rows) <= room else room - 1
    table = table[: 1 + n_rows]
    if n_rows < len(rows):
        table.append(and_more(len(rows) - n_rows))
    free = _MAX_LINES - 1 - len(table) - len(after)
    commands = _command_lines(answer, path, width, free)
    n_blank = free - len(commands)
    first = headline(answer.run, summary, width)
    lines = [first, *[""][:n_blank], *table, *[""][: max(n_blank - 1, 0)], *after, *commands]
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _rules(summary: Summary) -> list[str]:
    """Return what a sentence without a parse counts as, and what *sure* means, each in a sentence."""
    rules = [*map(capitalized, unparsed(summary))]
    if any(row.lead for row in summary.rows):
        corrected = ", Holm" if len(summary.rows) > 2 else ""
        rules.append(f"Sure: p < {number(SIGNIFICANT)} (paired permutation test{corrected}), interval without 0")
    return rules


def _packed(sentences: Sequence[str], width: int) -> list[str]:
    """Return sentences as lines, several in a line where they fit."""
    lines: list[str] = []
    for sentence in (shortened(text, width) for text in sentences):
        if lines and cell_len(f"{lines[-1]}. {sentence}") <= width:
            lines[-1] += f". {sentence}"
        else:
            lines.append(sentence)
    return lines


def _costliest_line(answer: FirstAnswer, width: int) -> list[str]:
    """Return a line with the costliest errors of the best parser, as many as fit, and the rest."""
    errors = answer.costliest
    parser = shortened(printable(answer.rows[0].parser), _MAX_NAME)
    line = ""
    for n_types in range(len(errors.shares), 0, -1):
        named = [*errors.shares[:n_types], *errors.unclassified]
        shares = [*named, ("other", 1.0 - sum(share for _, share in named))]
        texts = [f"{percentage(share, 0)} {printable(name)}" for name, share in shares if share > _SMALL]
        line = f"{errors.unit.capitalize()} of {parser}{errors.grouping}: {', '.join(texts)}"
        if cell_len(line) <= width:
            break
    return [shortened(line, width)] if line else []


def _check_line(item: Suspicion, width: int) -> str:
    """Return what is probably wrong, with the number of parsers instead of their names if these have no room."""
    line = f"Check: {item.text}"
    if cell_len(line) > width and len(item.parsers) > 1:
        line = f"Check: {replace(item, parsers=(count_of(len(item.parsers), 'parser'),)).text}"
    return shortened(line, width)


def _command_lines(answer: FirstAnswer, path: str | None, width: int, room: int) -> list[str]:
    """Return what to do next: a line a command if there is room, and blank lines around the table, too."""
    first, *others = (_command(path, *command) for command in answer.commands)
    before = f"Not kept; with -o {_EXAMPLE}: " if path is None else "Next: "
    lines = [before + first]
    for command in others:
        if len(answer.commands) + 2 > room and cell_len(f"{lines[-1]}, {command}") <= width:
            lines[-1] += f", {command}"
        else:
            lines.append(" " * len(before) + command)
    return lines[:room]


def _command(path: str | None, name: str, *arguments: str) -> str:
    return " ".join(["evaltools", name, *(shlex.quote(printable(text)) for text in (path or _EXAMPLE, *arguments))])

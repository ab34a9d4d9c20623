"""Which convention gives a figure, as text or JSON."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evaltools.analysis.why import MAX_STEPS, Match, Step, Why, explain_figure
from evaltools.blocks import Block, Column, Table, Text
from evaltools.errors import ParameterError
from evaltools.formats.source import file_stem
from evaltools.frameworks.figures import AVERAGES, average_of, over_of
from evaltools.frameworks.metric import Metric
from evaltools.frameworks.options import signature_of
from evaltools.outputs.citation import citation_report
from evaltools.outputs.summary import summary_for_paper
from evaltools.outputs.tables import console_text, json_text
from evaltools.progress import Progress
from evaltools.runs.folder import is_run
from evaltools.runs.rescoring import Rescoring, rescoring_of
from evaltools.runs.scoring import score
from evaltools.runs.store import Run
from evaltools.text import count_of, decimals

_WIDTH = 100
_MAX_MATCHES = 6
_NOTE = "Sentences: how many sentences change; e.g. sentence: the number of the shortest of them."


def explain(
    gold: str, parse: str, metric: str | None = None, published: str | None = None, progress: Progress | None = None
) -> Why:
    """Compute the figure of a parser of a run, or of a parse beside a gold file, under all conventions.

    Parameters
    ----------
    gold, parse : str
        The folder of a run and the name of a parser, or two files.
    metric : str, optional
        Name of a metric; by default the main one.
    published : str, optional
        A published figure, rounded as it is printed.
    progress : Progress, optional
        Reports progress, and can cancel the work.

    Returns
    -------
    Why
        The figures.
    """
    if is_run(Path(gold)):
        return explain_figure(rescoring_of(Run(gold), parse, metric, progress), published)
    if "-" in (gold, parse):
        raise ParameterError("files are read twice, so that neither can be standard input")
    return explain_figure(Rescoring(gold, parse, _name(parse), metric, progress=progress), published)


def cite(gold: str, parse: str, metric: str | None, kind: str, progress: Progress | None = None) -> str:
    """Return what a paper should say about a figure, of a parser of a run, or of a parse beside a gold file.

    Parameters
    ----------
    gold, parse, metric, progress
        As for :func:`explain`.
    kind : {"text", "latex", "bibtex", "json"}
        The form.

    Returns
    -------
    str
        Methods, signature and BibTeX; the methods in LaTeX or BibTeX alone if asked for.
    """
    if is_run(Path(gold)):
        run = Run(gold)
        if parse not in run.parsers:
            raise ParameterError.unknown("parser", parse, run.parsers)
    else:
        run = score(gold, {_name(parse): parse}, metrics=[metric] if metric else None, progress=progress)
    return citation_report(run, summary_for_paper(run, [metric] if metric else ()), kind)


def why_report(why: Why, kind: str) -> str:
    """Return a figure and what conventions change, as text or JSON."""
    if kind == "json":
        return json_text(_content(why))
    hint = [] if why.published is None or why.is_found else [Text("Option --metric tries another metric.")]
    return console_text([*why_blocks(why), *hint, ""], " ".join(_rules(why)), _WIDTH)


def _name(parse: str) -> str:
    """Return the name of the parser of a file."""
    return file_stem(parse) or "parser"


def _rules(why: Why) -> list[str]:
    return [*why.setting.preset.signature(), *signature_of(why.setting.options)]


# ---------------------------------------------------------------------------------------------------------------- text


def why_blocks(why: Why) -> list[Block]:
    """Return a figure and what conventions change, as command line and pages show it."""
    metric = why.metric
    figure = why.setting.reading.figure
    average = AVERAGES[average_of(figure)]
    over = f"all {count_of(why.n, 'sentence')}" if over_of(figure) == "all" else count_of(why.n, "parsed sentence")
    blocks: list[Block] = [
        Text(f"{metric.title} of {why.parser}: {metric.text(why.value)}, {average} over {over}", "line")
    ]
    for suspicion, step in why.suspicions:
        text = suspicion.text
        if step is not None:
            text += f"; {step.words}: {step.metric.text(step.value)} ({decimals(_move(step), signed=True)})"
        blocks.append(Text(f"Warning: {text}.".replace("?.", "?"), "line"))
    if why.published is not None:
        return [*blocks, *_published(why)]
    steps = [step for step in why.single if _move(step) != 0]
    blocks.append(_table(steps) if steps else Text("No convention changes it.", "line"))
    idle = [*(step.words for step in why.single if _move(step) == 0), *(item.words for item in why.idle)]
    if idle:
        blocks.append(Text(f"Without effect on these files: {'; '.join(idle)}."))
    for reason in dict.fromkeys(reason for _, reason in why.refused):
        words = "; ".join(item.words for item, other in why.refused if other == reason)
        blocks.append(Text(f"Not possible with these files: {words} ({reason})."))
    return blocks


def _published(why: Why) -> list[Block]:
    published, best = why.published, why.matches[0]
    assert published is not None
    tried = f"conventions tried: {why.n_tried:,}, up to {MAX_STEPS} at once"
    if not why.is_found:
        answer = (
            f"{published.text} does not come out ({tried}). Another version of the parser, another gold file or split, "
            f"or another metric than {why.metric.title} may give it."
        )
        return [Text(answer), Text(f"Nearest, but not it: {_words(why, best)}: {_figure(why, best)}.")]
    n = len(why.matches)
    ways = count_of(n, "way", "different ways")
    answer = f"{published.text} comes out in {ways}, if rounded as published ({tried})."
    blocks: list[Block] = [Text(f"{answer} {_undecided(why)}".rstrip()), Text(f"Simplest: {_words(why, best)}.")]
    others = [f"{_words(why, match)}: {_figure(why, match)}" for match in why.matches[1:_MAX_MATCHES]]
    if others:
        more = f"; and {n - _MAX_MATCHES} more" if n > _MAX_MATCHES else ""
        blocks.append(Text(f"Or: {'; or: '.join(others)}{more}."))
    return [*blocks, _table(why.ladder, f"From {why.metric.text(why.value)} step by step")] if why.ladder else blocks


def _undecided(why: Why) -> str:
    """Return what the conventions that give a published figure differ in, if there are several."""
    if len(why.matches) == 1:
        return ""
    values = sorted(match.value for match in why.matches)
    minimum, maximum = why.metric.text(values[0]), why.metric.text(values[-1])
    if minimum != maximum:
        return f"A figure rounded like this cannot decide between them: they give {minimum} to {maximum}."
    if len({match.n for match in why.matches}) > 1:
        return f"All give {minimum}, but over different numbers of sentences."
    return f"All give {minimum} over the same number of sentences, so that the figure does not tell them apart."


def _words(why: Why, match: Match) -> str:
    unchanged = f"the figure above, unchanged: {'; '.join(item.words for item in why.in_force)}"
    return " + ".join(item.words for item in match.conventions) or unchanged


def _figure(why: Why, match: Match) -> str:
    return f"{why.metric.text(match.value)}, n = {match.n:,}"


def _move(step: Step) -> float:
    """Return the difference of two figures as they are printed, so that those of a ladder add up."""
    return round(_shown(step.metric, step.value) - _shown(step.metric, step.before), 2)


def _shown(metric: Metric, value: float) -> float:
    return round(value * (100 if metric.is_share else 1), 2)


def _table(steps: Sequence[Step], title: str = "") -> Table:
    columns = [
        Column("move", "moves", "interval"),
        Column("value", "to", "interval"),
        Column("n", "n"),
        Column("touched", "sentences"),
        Column("example", "e.g. sentence"),
        Column("words", "convention", "text"),
    ]
    rows = []
    for step in steps:
        figures = decimals(_move(step), signed=True), step.metric.text(step.value)
        rows.append([*figures, step.n, step.n_touched, step.example, step.words])
    return Table(columns, rows, title=title, note=_NOTE)


# ---------------------------------------------------------------------------------------------------------------- JSON


def _content(why: Why) -> dict[str, Any]:
    content = {
        "parser": why.parser,
        "metric": why.metric.id,
        "rules": _rules(why),
        "figure": why.setting.reading.figure,
        "value": why.value,
        "n": why.n,
        "conventions": [_step(step) for step in why.single],
        "without_effect": [item.id for item in why.idle],
        "figures": why.n_tried,
        "not_possible": [{"convention": item.id, "reason": reason} for item, reason in why.refused],
        "warnings": [
            {
                "kind": suspicion.kind,
                "words": suspicion.text,
                "n": suspicion.n,
                "total": suspicion.total,
                "without": None if step is None else _step(step),
            }
            for suspicion, step in why.suspicions
        ],
    }
    if why.published is None:
        return content
    matches = [
        {"conventions": [item.id for item in match.conventions], "value": match.value, "n": match.n}
        for match in why.matches
    ]
    return content | {
        "published": {
            "text": why.published.text,
            "value": why.published.value,
            "tolerance": why.published.tolerance,
            "found": why.is_found,
            "matches": matches,
            "ladder": [_step(step) for step in why.ladder],
        }
    }


def _step(step: Step) -> dict[str, Any]:
    return {
        "convention": step.convention.id,
        "words": step.words,
        "metric": step.metric.id,
        "value": step.value,
        "difference": step.difference,
        "n": step.n,
        "sentences": step.n_touched,
        "example": step.example,
    }

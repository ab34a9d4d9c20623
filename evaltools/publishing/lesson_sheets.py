"""Exercise sheet, solutions and hand-out of a lesson, as an HTML file for print and as LaTeX."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evaltools.classroom.lessons import Exercise, Lesson
from evaltools.classroom.material import TreePair, Vote, filled, numbers_of
from evaltools.corpus import Kind
from evaltools.drawing.writers.latex import escape_latex, table_row
from evaltools.publishing.lesson_markup import to_html, to_latex
from evaltools.publishing.lesson_pictures import Panel, StepPictures, step_pictures
from evaltools.publishing.page import Page

__all__ = ["SHEETS", "lesson_sheet"]

SHEETS = {"exercises": "Exercise sheet", "solutions": "Solutions", "handout": "Hand-out"}
"""Sheets of a lesson by name."""

_BODY = re.compile(r"\\begin\{document\}(.*)\\end\{document\}", re.DOTALL)
_LINES, _DRAWING_LINES = 6, 12
"""Lines to write on below an exercise, or as many as its brackets if those are more; room to draw if it shows none."""
_PRINT = "<style>@media print { figure svg { zoom: 1.4; } }</style>"
_AFTERWARDS = "For afterwards: with all answers of the lesson."
_NAME = "Name: "


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a sheet."""

    title: str
    text: str  # Markdown
    pictures: StepPictures
    lines: int = 0  # Empty lines below


def lesson_sheet(lesson: Lesson, sheet: str, language: str) -> str:
    r"""Write a sheet of a lesson.

    Parameters
    ----------
    lesson : Lesson
        The lesson.
    sheet : {"exercises", "solutions", "handout"}
        Which sheet.
    language : {"html", "latex"}
        Its language.

    Returns
    -------
    str
        A complete file.

    Examples
    --------
    >>> from evaltools.classroom.lessons import bundled_lessons
    >>> lesson_sheet(bundled_lessons()["brackets"], "exercises", "latex")[:14]
    '\\documentclass'
    """
    parts = _handout(lesson) if sheet == "handout" else _exercises(lesson, solved=sheet == "solutions")
    title = f"{lesson.title}: {SHEETS[sheet].lower()}"
    head = {"exercises": f"{_NAME}{'_' * 40}", "handout": _AFTERWARDS}.get(sheet, "")
    return (_html if language == "html" else _latex)(title, head, lesson, parts)


def _exercises(lesson: Lesson, *, solved: bool) -> list[_Part]:
    parts: list[_Part] = []
    for number, exercise in enumerate(lesson.exercises, start=1):
        text = exercise.text
        if solved:
            text += f"\n\n**Solution.** {filled(exercise.solution, numbers_of(exercise.material))}"
        pictures = step_pictures(exercise.material, hidden=not solved)
        parts.append(_Part(f"Exercise {number}", text, pictures, 0 if solved else _lines(exercise)))
    return parts


def _lines(exercise: Exercise) -> int:
    """Return the number of lines to write on: one for each bracket of the larger tree, and some for figures."""
    if exercise.material is None:
        return _DRAWING_LINES
    if not isinstance(exercise.material, TreePair):
        return _LINES
    aligned = exercise.material.align()
    return max(_LINES, max(tree.kinds.count(Kind.PHRASE) for tree in (aligned.gold, aligned.test)) + 3)


def _handout(lesson: Lesson) -> list[_Part]:
    """Return goals, steps with their answers, and recap; votes have no answers before the class.

    A picture or list that was there before is not repeated.
    """
    parts: list[_Part] = []
    known: set[str] = set()
    for step in lesson.steps:
        is_click = step.task is not None and step.task.kind == "click"
        texts = [step.text, "" if is_click else step.question]
        open_vote = isinstance(step.material, Vote)
        if not open_vote:
            texts.append(step.answer)
        numbers = numbers_of(step.material)
        text = "\n\n".join(filled(item, numbers) for item in texts if item)
        pictures = step_pictures(step.material)
        keys = [_key(panel) for panel in pictures.panels]
        new = [panel for panel, key in zip(pictures.panels, keys, strict=True) if key not in known]
        known.update(keys)
        parts.append(_Part(filled(step.title, numbers), text, StepPictures(new, pictures.formulas)))
    return parts


def _key(panel: Panel) -> str:
    """Return what a panel shows."""
    return repr([block.get("svg") or block.get("rows") or block for block in panel.blocks])


# ---- HTML


def _html(title: str, head: str, lesson: Lesson, parts: Sequence[_Part]) -> str:
    page = Page(title)
    page.markup(_PRINT)
    if head:
        page.text(head)
    if lesson.source:
        page.text(f"Source: {lesson.source}", "note")
    for part in parts:
        page.section(part.title)
        page.markup(to_html(part.text))
        for panel in part.pictures.panels:
            _panel_html(page, panel)
        if part.pictures.formulas:
            page.table(("metric", "formula", "with these numbers", "value"), part.pictures.formulas, texts=3)
        if part.lines:
            page.markup('<p class="line">&nbsp;</p>' * part.lines)
    return str(page)


def _panel_html(page: Page, panel: Panel) -> None:
    for block in panel.blocks:
        if "svg" in block:
            page.picture(block["svg"], panel.title)
        elif block["type"] == "table":
            page.table(block["head"], [cells for _, cells in block["rows"]], texts=len(block["head"]))
        elif block["type"] == "strip":
            page.table([word[0] for word in block["words"]], [[word[2] for word in block["words"]]], texts=0)
        else:
            page.text(block["text"], "note")


# ---- LaTeX


def _latex(title: str, head: str, lesson: Lesson, parts: Sequence[_Part]) -> str:
    preamble: dict[str, None] = {}
    body = []
    for part in parts:
        body.append(f"\\section*{{{escape_latex(part.title)}}}\n\n{to_latex(part.text)}\n")
        for panel in part.pictures.panels:
            body.append(_panel_latex(panel, preamble))
        if part.pictures.formulas:
            body.append(_tabular(("metric", "formula", "with these numbers", "value"), part.pictures.formulas))
        body += ["\n\\vspace{8mm}\\noindent\\hrulefill\n"] * part.lines
    above = f"\\noindent {escape_latex(head)}\n\n" if head else ""
    source = f"\\noindent Source: {escape_latex(lesson.source)}\n" if lesson.source else ""
    packages = "\n".join(preamble)
    return (
        "\\documentclass[a4paper]{article}\n"
        "\\usepackage[margin=22mm]{geometry}\n\\usepackage{adjustbox}\n"
        f"{packages}\n\\begin{{document}}\n\\title{{{escape_latex(title)}}}\n\\date{{}}\n\\maketitle\n\n"
        f"{above}{source}\n" + "\n".join(body) + "\n\\end{document}\n"
    )


def _panel_latex(panel: Panel, preamble: dict[str, None]) -> str:
    parts = [f"\\subsection*{{{escape_latex(panel.title)}}}\n"] if panel.title else []
    for block in panel.blocks:
        if "svg" in block:
            parts.append(_drawing(block["languages"]["latex"], preamble))
        elif block["type"] == "table":
            parts.append(_tabular(block["head"], [cells for _, cells in block["rows"]]))
        elif block["type"] == "strip":
            words = " ".join(
                f"{escape_latex(word[0])}\\,{{\\footnotesize({escape_latex(word[2])})}}" for word in block["words"]
            )
            parts.append(f"\\noindent {words}\n")
        else:
            parts.append(f"\\noindent {escape_latex(block['text'])}\n")
    return "\n".join(parts)


def _drawing(draw: Callable[[], str], preamble: dict[str, None]) -> str:
    """Return the picture of a complete document, and keep what its preamble needs."""
    document = draw()
    inside = _BODY.search(document)
    if inside is None:
        return ""
    lines = document[: inside.start()].splitlines()[1:]  # the first line is the class of the document
    preamble.update(dict.fromkeys(line for line in lines if line.startswith("\\")))
    size = "max width=\\linewidth,max height=0.4\\textheight"
    return f"\\begin{{adjustbox}}{{{size}}}\n{inside[1].strip()}\n\\end{{adjustbox}}\n"


def _tabular(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table that is as wide as the lines at most; empty cells stay empty."""
    lines = [table_row([escape_latex(cell) if cell else "" for cell in cells]) for cells in (head, *rows)]
    return (
        f"\\noindent\\begin{{adjustbox}}{{max width=\\linewidth}}\n\\begin{{tabular}}{{{'l' * len(head)}}}\n"
        f"{lines[0]}\n\\hline\n" + "\n".join(lines[1:]) + "\n\\end{tabular}\n\\end{adjustbox}\n"
    )

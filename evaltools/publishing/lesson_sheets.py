"""Exercise sheet, solutions and hand-out of a lesson, as an HTML file for print and as LaTeX."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evaltools.classroom.lessons import Lesson, Vote, filled, numbers_of
from evaltools.drawing.writers.latex import escape_latex
from evaltools.publishing.lesson_markup import to_html, to_latex
from evaltools.publishing.lesson_pictures import Panel, StepPictures, step_pictures
from evaltools.publishing.page import Page

__all__ = ["SHEETS", "lesson_sheet"]

SHEETS = {"exercises": "Exercise sheet", "solutions": "Solutions", "handout": "Hand-out"}
"""Sheets of a lesson by name."""

_BODY = re.compile(r"\\begin\{document\}(.*)\\end\{document\}", re.DOTALL)
_LINES = 4
"""Lines to write on below an exercise."""


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
    return (_html if language == "html" else _latex)(title, lesson, parts)


def _exercises(lesson: Lesson, *, solved: bool) -> list[_Part]:
    parts = []
    for number, exercise in enumerate(lesson.exercises, start=1):
        text = exercise.text
        if solved:
            text += f"\n\n**Solution.** {filled(exercise.solution, numbers_of(exercise.material))}"
        pictures = step_pictures(exercise.material, hidden=not solved)
        parts.append(_Part(f"Exercise {number}", text, pictures, 0 if solved else _LINES))
    return parts


def _handout(lesson: Lesson) -> list[_Part]:
    """Return goals, steps with their answers, and recap; votes have no answers before the class."""
    parts = []
    for step in lesson.steps:
        texts = [step.text, step.question]
        open_vote = isinstance(step.material, Vote)
        if not open_vote:
            texts.append(step.answer)
        numbers = numbers_of(step.material)
        text = "\n\n".join(filled(item, numbers) for item in texts if item)
        parts.append(_Part(filled(step.title, numbers), text, step_pictures(step.material)))
    return parts


# ---- HTML


def _html(title: str, lesson: Lesson, parts: Sequence[_Part]) -> str:
    page = Page(title)
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


def _latex(title: str, lesson: Lesson, parts: Sequence[_Part]) -> str:
    preamble: dict[str, None] = {}
    body = []
    for part in parts:
        body.append(f"\\section*{{{escape_latex(part.title)}}}\n\n{to_latex(part.text)}\n")
        for panel in part.pictures.panels:
            body.append(_panel_latex(panel, preamble))
        if part.pictures.formulas:
            body.append(_tabular(("metric", "formula", "with these numbers", "value"), part.pictures.formulas))
        body += ["\n\\vspace{8mm}\\noindent\\hrulefill\n"] * part.lines
    source = f"\\noindent Source: {escape_latex(lesson.source)}\n" if lesson.source else ""
    packages = "\n".join(preamble)
    return (
        "\\documentclass[a4paper]{article}\n"
        "\\usepackage[margin=22mm]{geometry}\n\\usepackage{adjustbox}\n"
        f"{packages}\n\\begin{{document}}\n\\title{{{escape_latex(title)}}}\n\\date{{}}\n\\maketitle\n\n"
        f"{source}\n" + "\n".join(body) + "\n\\end{document}\n"
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
    lines = [" & ".join(escape_latex(cell) if cell else "" for cell in cells) + " \\\\" for cells in (head, *rows)]
    return (
        f"\\noindent\\begin{{adjustbox}}{{max width=\\linewidth}}\n\\begin{{tabular}}{{{'l' * len(head)}}}\n"
        f"{lines[0]}\n\\hline\n" + "\n".join(lines[1:]) + "\n\\end{tabular}\n\\end{adjustbox}\n"
    )

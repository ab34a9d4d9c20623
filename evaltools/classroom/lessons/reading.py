"""Reading lessons; what their files may say stands at the top of the package."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from importlib import resources
from pathlib import Path
from typing import TypeVar

from evaltools.classroom.lessons.figures import named, names_for
from evaltools.classroom.lessons.material import MATERIALS, Material, Vote
from evaltools.classroom.lessons.table import Lines, Table
from evaltools.errors import InputError, Problem

__all__ = ["BUNDLED", "MOST_BYTES", "Lesson", "Step", "bundled_lessons", "check_lesson", "parse_lesson", "read_lesson"]

BUNDLED = ("attachment", "ancestry", "lineages", "theories", "meaning", "vote")
"""The lessons that come with the program, in the order of a class."""

MOST_BYTES = 1 << 20
"""The largest file that is read."""

_T = TypeVar("_T")
_MOST_STEPS = 200
_PLACE = re.compile(r"\s*\(at (?:line ([0-9]+), column ([0-9]+)|end of document)\)$")


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a lesson.

    Parameters
    ----------
    title : str
        What it is called.
    text : str
        Markdown; figures stand in two braces.
    material : Material or None
        What is shown.
    question, answer : str
        A question to the class, and what is shown when asked for; Markdown, may be empty.
    agreement : bool
        Whether the agreement of the metrics with the class is shown.
    """

    title: str
    text: str = ""
    material: Material | None = None
    question: str = ""
    answer: str = ""
    agreement: bool = False


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson.

    Parameters
    ----------
    title, about, source : str
        What it is called, what it is about in one line, and where its examples are from.
    minutes : int
        How long it takes.
    steps : tuple of Step
        Its steps, at least one.
    """

    title: str
    about: str
    source: str
    minutes: int
    steps: tuple[Step, ...]

    @property
    def votes(self) -> tuple[tuple[int, Vote], ...]:
        """The questions that can be voted on, each with the place of its step."""
        return tuple((place, step.material) for place, step in enumerate(self.steps) if isinstance(step.material, Vote))


@cache
def bundled_lessons() -> dict[str, Lesson]:
    """Return the lessons that come with the program, by name."""
    folder = resources.files("evaltools.classroom.lessons") / "bundled"
    return {name: parse_lesson((folder / f"{name}.toml").read_text("utf-8"), f"{name}.toml") for name in BUNDLED}


def read_lesson(path: str | os.PathLike[str]) -> Lesson:
    """Read a lesson's file.

    Parameters
    ----------
    path : path
        A TOML file.

    Returns
    -------
    Lesson
        The lesson.

    Raises
    ------
    InputError
        If it cannot be read, is no TOML, or says what no lesson says; with the line.
    """
    expected = "a lesson, in TOML"
    try:
        with Path(path).open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        text = data.decode("utf-8-sig")
    except (OSError, ValueError) as error:
        found = getattr(error, "strerror", None) or str(error)
        raise InputError(Problem("lesson", str(path), None, None, found, expected)) from None
    if len(data) > MOST_BYTES:
        found = f"more than {MOST_BYTES:,} bytes"
        raise InputError(Problem("lesson", str(path), None, None, found, expected))
    return parse_lesson(text, str(path))


def parse_lesson(text: str, file: str) -> Lesson:
    r"""Read the text of a lesson's file.

    Parameters
    ----------
    text : str
        The file.
    file : str
        Its name, for problems.

    Returns
    -------
    Lesson
        The lesson.

    Raises
    ------
    InputError
        If it is no TOML, or says what no lesson says; with the first line that does.

    Examples
    --------
    >>> lesson = parse_lesson('title = "One"\nabout = "A step."\n[[step]]\ntitle = "First"\n', "one.toml")
    >>> lesson.title, len(lesson.steps)
    ('One', 1)
    """
    lesson, problems = check_lesson(text, file)
    if lesson is None:
        raise InputError(problems[0])
    return lesson


def check_lesson(text: str, file: str) -> tuple[Lesson | None, tuple[Problem, ...]]:
    r"""Read the text of a lesson's file, and list all that is wrong with it: no more than one thing of a step.

    Parameters
    ----------
    text : str
        The file.
    file : str
        Its name, for problems.

    Returns
    -------
    lesson : Lesson or None
        The lesson, if nothing is wrong.
    problems : tuple of Problem
        What is wrong, in the order of the file.

    Examples
    --------
    >>> text = 'title = "One"\nabout = "A step."\n[[step]]\ntitel = "First"\n[[step]]\ntitle = 2\n'
    >>> for problem in check_lesson(text, "one.toml")[1]:
    ...     print(problem.line, problem.found)
    4 unknown key 'titel' in step 1
    6 title = 2 in step 2
    """
    text = text.replace("\r\n", "\n")
    try:
        content = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # also for a number of too many digits
        return None, (_no_toml(str(error), text, file),)
    lines = Lines(text)
    top = Table(content, lines, file)
    problems: list[Problem] = []

    def tried(read: Callable[[], _T]) -> _T | None:
        try:
            return read()
        except InputError as error:
            problems.append(error.problem)
            return None

    tried(lambda: top.check_keys(("title", "about", "source", "minutes", "step")))
    title, about = tried(lambda: top.text("title")), tried(lambda: top.text("about"))
    source, minutes = tried(lambda: top.text("source", "")), tried(lambda: top.number("minutes", 0, 0, 600))
    tables = tried(lambda: _steps(top)) or []
    steps = [tried(partial(_step, table)) for table in tables]
    if problems or title is None or about is None or source is None or minutes is None:
        return None, tuple(problems)
    return Lesson(title, about, source, minutes, tuple(step for step in steps if step is not None)), ()


def _steps(top: Table) -> list[Table]:
    steps = top.content.get("step")
    if not isinstance(steps, list) or not steps or not all(isinstance(one, dict) for one in steps):
        raise top.wrong("step", "no step", "[[step]], at least one")
    if len(steps) > _MOST_STEPS:
        raise top.wrong("step", f"{len(steps)} steps", f"no more than {_MOST_STEPS}")
    return [Table(one, top.lines, top.file, place) for place, one in enumerate(steps)]


def _step(table: Table) -> Step:
    table.check_keys(("title", "text", "question", "answer", "agreement", *MATERIALS))
    kinds = [kind for kind in MATERIALS if kind in table.content]
    if len(kinds) > 1:
        raise table.wrong(kinds[1], f"both [step.{kinds[0]}] and [step.{kinds[1]}]", "one of them")
    material = MATERIALS[kinds[0]](table.table(kinds[0])) if kinds else None
    step = Step(
        table.text("title"),
        table.text("text", ""),
        material,
        table.text("question", ""),
        table.text("answer", ""),
        table.flag("agreement", False),
    )
    if step.answer and not step.question:
        raise table.wrong("answer", "an answer", "a question before it")
    known = names_for(type(material) if material is not None else None)
    for key in ("text", "question", "answer"):
        for name in named(getattr(step, key)):
            if name not in known:
                expected = f"one of {', '.join(known)}" if known else "trees or graphs in the step, which have figures"
                raise table.wrong(key, f"{{{{{name}}}}} in {key}", expected)
    return step


def _no_toml(message: str, text: str, file: str) -> Problem:
    place = _PLACE.search(message)
    line, column = text.count("\n") + 1 if place else None, None
    if place and place[1]:
        line, column = int(place[1]), int(place[2])
    said = message[: place.start()] if place else message
    return Problem("lesson", file, line, column, f"no TOML: {said[:1].lower()}{said[1:]}", "a lesson, in TOML")

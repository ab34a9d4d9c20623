"""Reading of lessons; the package docstring describes the file format."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct

from evaltools.classroom.lessons.figures import named, names_for
from evaltools.classroom.lessons.material import MATERIALS, Material, Text, Vote
from evaltools.errors import InputError, Problem
from evaltools.formats.toml_files import TomlFile

__all__ = ["BUNDLED", "MOST_BYTES", "Lesson", "Step", "bundled_lessons", "check_lesson", "parse_lesson", "read_lesson"]

BUNDLED = ("attachment", "ancestry", "lineages", "theories", "meaning", "vote")
"""The lessons that come with the program, in the order of a class."""

MOST_BYTES = 1 << 20
"""The largest file that is read."""

_MAX_STEPS = 200
_STEPS = Meta(min_length=1, max_length=_MAX_STEPS, description=f"[[step]], at least one, no more than {_MAX_STEPS}")


class _Head(Struct, kw_only=True, forbid_unknown_fields=True):
    """The beginning of a file, and its steps."""

    title: Text
    about: Text
    source: str = ""
    minutes: Annotated[int, Meta(ge=0, le=600, description="a whole number from 0 to 600")] = 0
    step: Annotated[list[dict[str, Any]], _STEPS]


class _StepTable(Struct, forbid_unknown_fields=True):
    """A ``[[step]]`` of a file."""

    title: Text
    text: str = ""
    question: str = ""
    answer: str = ""
    agreement: bool = False
    trees: dict[str, Any] | None = None
    dependencies: dict[str, Any] | None = None
    functions: dict[str, Any] | None = None
    graphs: dict[str, Any] | None = None
    vote: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a lesson.

    Parameters
    ----------
    title : str
        The heading.
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
        The title, a summary in one line, and the source of its examples.
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
        """The questions that can be voted on, each with the index of its step."""
        return tuple((index, step.material) for index, step in enumerate(self.steps) if isinstance(step.material, Vote))


@cache
def bundled_lessons() -> dict[str, Lesson]:
    """Return the lessons that come with the program, by name."""
    folder = resources.files(__package__) / "bundled"
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
        If the file cannot be read, is not TOML, or is not a valid lesson; with the line.
    """
    expected = "a lesson, in TOML"
    try:
        with Path(path).open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        text = data.decode("utf-8-sig")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(Problem("lesson", str(path), None, None, reason, expected)) from None
    if len(data) > MOST_BYTES:
        raise InputError(Problem("lesson", str(path), None, None, f"more than {MOST_BYTES:,} bytes", expected))
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
        If the text is not TOML or not a valid lesson; with the first line of the error.

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
    r"""Read the text of a lesson's file, and list its problems, at most one per step.

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
    try:
        content = TomlFile(text, file, "lesson", "a lesson, in TOML")
    except InputError as error:
        return None, (error.problem,)
    problems = content.problems(_Head)
    steps = []
    for number, table in enumerate(_tables(content)):
        try:
            steps.append(_step(content, number, table))
        except InputError as error:
            problems.append(error.problem)
    if problems:
        return None, tuple(problems)
    head = content.convert(_Head)
    return Lesson(head.title, head.about, head.source, head.minutes, tuple(steps)), ()


def _tables(file: TomlFile) -> list[dict[str, Any]]:
    """Return the tables of the steps; none if they are something else, which is a problem of the head."""
    tables = file.content.get("step")
    if not isinstance(tables, list) or len(tables) > _MAX_STEPS or not all(isinstance(table, dict) for table in tables):
        return []
    return tables


def _step(file: TomlFile, number: int, content: dict[str, Any]) -> Step:
    key = ("step", number)
    table = file.convert(_StepTable, key)
    kinds = [kind for kind in MATERIALS if kind in content]
    if len(kinds) > 1:
        raise file.error((*key, kinds[1]), f"both [step.{kinds[0]}] and [step.{kinds[1]}]", "one of them")
    material = file.convert(MATERIALS[kinds[0]], (*key, kinds[0])).read(file, (*key, kinds[0])) if kinds else None
    if table.answer and not table.question:
        raise file.error((*key, "answer"), "an answer", "a question before it")
    valid = names_for(type(material) if material is not None else None)
    for name in ("text", "question", "answer"):
        for figure in named(getattr(table, name)):
            if figure not in valid:
                expected = f"one of {', '.join(valid)}" if valid else "trees or graphs in the step, which have figures"
                raise file.error((*key, name), f"{{{{{figure}}}}} in {name}", expected)
    return Step(table.title, table.text, material, table.question, table.answer, table.agreement)

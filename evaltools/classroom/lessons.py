"""Lessons: TOML files with steps of text, trees and questions.

The file starts with a description of the lesson::

    title = "Attachment"
    about = "One wrong attachment, counted in two ways."   # one line, for the list of lessons
    minutes = 45                                            # with talking
    source = "Emms (2008)"                                  # optional
    goals = ["You can compute E."]                          # optional: the first step
    opening = "Text above the goals."                       # optional
    recap = ["E compares sets of brackets."]                # optional: the last step
    goals_notes = "Ask what they know."                     # optional, for the teacher; also recap_notes
    next = "attachment"                                     # optional: the bundled lesson that follows

followed by its steps, each with a title, text in Markdown, and at most one table of material::

    [[step]]
    title = "x attaches too low"
    text = "E finds {{e_matched_roof}} of {{e_gold_roof}} brackets: {{f1}}."
    question = "Which bracket is left?"                     # optional, as is the answer
    answer = "That over the whole sentence."
    notes = "Let two groups argue."                         # optional, for the teacher's second window
    minutes = 3                                             # optional, with talking
    predict = "f1"                                 # optional; or count = "t_deleted", or click = "spurious"

    [step.trees]                     # a gold tree, and a test tree unless only the gold tree is shown
    gold = "[A [B v [C w [D y ] ] ] x ]"                    # square brackets, or round ones as in the Penn Treebank
    test = "[A [B v [C w [D y x ] ] ] ]"
    show = ["e", "t"]                # any of: trees, list, e, t, brackets, brackets_whole, words, lineage, table
    word = 4                         # word for "lineage" and "table"
    metrics = ["f1"]        # shown as formulas with their numbers
    preset = "none"                  # what is deleted and merged first

``[step.dependencies]`` has ``gold``, ``test`` and ``metrics``; its trees are lines of a word, the number of its head
and the relation. ``[step.functions]`` has ``golds``, a table of theories with a tree each, ``parse``, ``theory`` (that
of the parse), ``labeled``, and ``show`` (any of: golds, common, parse, steps). ``[step.graphs]`` has ``gold``,
``test``, ``rules`` and ``metrics``; its graphs are texts in any format of semantic graphs. ``[step.vote]`` has
``gold``, ``a``, ``b`` and ``preset``: the class votes which of the two is worse. ``agreement = true`` in a step shows
how often each metric has agreed with the class.

A step with ``predict``, ``count``, ``click`` or ``hide = true`` hides its answer, numbers, colors and marks until they
are asked for: first the class predicts a score, counts, clicks a bracket that is missing in the parse or spurious, or
answers aloud. Its text and question have no figures.

``[[exercise]]`` has ``text``, ``solution`` and a table of material, ``[exercise.trees]`` and so on. The exercises make
a sheet with solutions; goals, steps and recap make a hand-out.

Figures in texts are computed: write the name of a metric or of a count in double braces, as above; in a step with a
vote, after ``a.`` or ``b.``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from importlib import resources
from typing import Annotated, Any

from msgspec import Meta, Struct

from evaltools.classroom.material import MATERIALS, Material, Text, TreePair, Vote, named, names_for, reference_figures
from evaltools.errors import InputError, Problem
from evaltools.formats.toml_files import Key, TomlFile, choice
from evaltools.text import with_direction_codes

__all__ = [
    "ALIASES",
    "Exercise",
    "Lesson",
    "Step",
    "Task",
    "bundled_lessons",
    "check_lesson",
    "parse_lesson",
]

BUNDLED = ("brackets", "attachment", "lineages", "vote", "theories", "meaning")
"""The lessons that come with the program, in the order of a class."""

ALIASES = {"ancestry": "attachment"}
"""Names in older links, and the lessons that have their steps now."""

_MAX_STEPS = 200
_STEPS = Meta(min_length=1, max_length=_MAX_STEPS, description=f"[[step]], at least one, no more than {_MAX_STEPS}")
_EXERCISES = Meta(max_length=_MAX_STEPS, description=f"[[exercise]], no more than {_MAX_STEPS}")
_MINUTES = Meta(ge=0, le=600, description="a whole number from 0 to 600")
_OPTIONS = Meta(max_length=6, description="no more than 6 options, in quotes")
_CORRECT = Meta(ge=0, le=6, description="the number of an option, from 1; 0 if none is right or wrong")
_OPENING, _RECAP = "What you will be able to do", "Recap"
_FRAME_MINUTES = 2  # for the goals, and for the recap
_TASKS = ("predict", "count", "choose", "click", "hide")


class _Head(Struct, kw_only=True, forbid_unknown_fields=True):
    """The beginning of a file, and its steps."""

    title: Text
    about: Text
    source: str = ""
    minutes: Annotated[int, _MINUTES] = 0
    opening: str = ""
    goals: list[Text] = []
    goals_notes: str = ""
    recap: list[Text] = []
    recap_notes: str = ""
    next: Annotated[str, choice(("", *BUNDLED))] = ""
    step: Annotated[list[dict[str, Any]], _STEPS]
    exercise: Annotated[list[dict[str, Any]], _EXERCISES] = []


class _MaterialTable(Struct, forbid_unknown_fields=True):
    """What a step and an exercise have in common."""

    trees: dict[str, Any] | None = None
    dependencies: dict[str, Any] | None = None
    functions: dict[str, Any] | None = None
    graphs: dict[str, Any] | None = None


class _StepTable(_MaterialTable, kw_only=True, forbid_unknown_fields=True):
    """A ``[[step]]`` of a file."""

    title: Text
    text: str = ""
    question: str = ""
    answer: str = ""
    notes: str = ""
    minutes: Annotated[int, _MINUTES] = 0
    predict: str = ""
    count: str = ""
    choose: Annotated[list[Text], _OPTIONS] = []
    correct: Annotated[int, _CORRECT] = 0
    click: Annotated[str, choice(("", "missing", "spurious"))] = ""
    hide: bool = False
    agreement: bool = False
    same: bool = False
    vote: dict[str, Any] | None = None


class _ExerciseTable(_MaterialTable, kw_only=True, forbid_unknown_fields=True):
    """An ``[[exercise]]`` of a file."""

    text: Text
    solution: Text


@dataclass(frozen=True, slots=True)
class Task:
    """What a class does before a step shows its numbers, colors and marks.

    Parameters
    ----------
    kind : {"predict", "count", "choose", "click", "hide"}
        Predict a score, count something, choose an option, click a bracket, or answer aloud.
    figure : str
        The name of the score or count; for a click, ``"missing"`` or ``"spurious"``; else empty.
    options : tuple of str
        What there is to choose from.
    correct : int
        The number of the right option, from 1; 0 if none is right or wrong.
    """

    kind: str
    figure: str = ""
    options: tuple[str, ...] = ()
    correct: int = 0


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
    task : Task or None
        What the class does first; until then numbers, colors and marks are hidden.
    notes : str
        For the teacher; Markdown, may be empty.
    minutes : int
        How long it takes with talking; 0 if unknown.
    """

    title: str
    text: str = ""
    material: Material | None = None
    question: str = ""
    answer: str = ""
    agreement: bool = False
    task: Task | None = None
    notes: str = ""
    minutes: int = 0

    @property
    def ballot(self) -> str:
        """Key of the question for phones, a vote or a number; it changes with the question. Empty for no question."""
        if isinstance(self.material, Vote):
            return self.material.id
        if self.task is None or self.task.kind not in ("predict", "count", "choose"):
            return ""
        text = "\0".join((self.title, self.question, self.task.kind, self.task.figure, *self.task.options))
        return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()

    @property
    def hides(self) -> bool:
        """Whether something is hidden until it is asked for."""
        return bool(self.answer) or self.task is not None or isinstance(self.material, Vote)


@dataclass(frozen=True, slots=True)
class Exercise:
    """An exercise of a lesson.

    Parameters
    ----------
    text, solution : str
        Markdown; figures stand in two braces, in the solution only.
    material : Material or None
        What the exercise is about; its marks and figures belong to the solution.
    """

    text: str
    solution: str
    material: Material | None = None


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson.

    Parameters
    ----------
    title, about, source : str
        The title, a summary in one line, and the source of its examples.
    minutes : int
        How long it takes with talking.
    steps : tuple of Step
        Its steps, at least one; the goals are the first, the recap is the last.
    goals, recap : tuple of str
        What one will be able to do, and what was shown; Markdown.
    next : str
        The name of the bundled lesson that follows; may be empty.
    exercises : tuple of Exercise
        The exercise sheet.
    """

    title: str
    about: str
    source: str
    minutes: int
    steps: tuple[Step, ...]
    goals: tuple[str, ...] = ()
    recap: tuple[str, ...] = ()
    next: str = ""
    exercises: tuple[Exercise, ...] = ()

    @property
    def votes(self) -> tuple[tuple[int, Vote], ...]:
        """The questions that can be voted on, each with the index of its step."""
        return tuple((index, step.material) for index, step in enumerate(self.steps) if isinstance(step.material, Vote))


@cache
def bundled_lessons() -> dict[str, Lesson]:
    """Return the lessons that come with the program, by name."""
    folder = resources.files(__package__) / "data/lessons"
    return {name: parse_lesson((folder / f"{name}.toml").read_text("utf-8"), f"{name}.toml") for name in BUNDLED}


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
    steps: list[Step] = []
    exercises: list[Exercise] = []
    for number, table in enumerate(_tables(content, "step")):
        try:
            steps.append(_step(content, number, table, steps[-1].material if steps else None))
        except InputError as error:
            problems.append(error.problem)
    for number, table in enumerate(_tables(content, "exercise")):
        try:
            exercises.append(_exercise(content, number, table))
        except InputError as error:
            problems.append(error.problem)
    if problems:
        return None, tuple(problems)
    head = content.convert(_Head)
    minutes = _FRAME_MINUTES if head.minutes else 0
    if head.goals:
        steps.insert(0, Step(_OPENING, _list(head.goals, head.opening), notes=head.goals_notes, minutes=minutes))
    if head.recap:
        steps.append(Step(_RECAP, _list(head.recap), notes=head.recap_notes, minutes=minutes))
    goals, recap = tuple(head.goals), tuple(head.recap)
    return (
        Lesson(
            with_direction_codes(head.title),
            with_direction_codes(head.about),
            with_direction_codes(head.source),
            head.minutes,
            tuple(steps),
            goals,
            recap,
            head.next,
            tuple(exercises),
        ),
        (),
    )


def _list(items: Sequence[str], after: str = "") -> str:
    return "\n".join([*(f"* {item.strip()}" for item in items), *(["", after.strip()] if after.strip() else [])])


def _tables(file: TomlFile, name: str) -> list[dict[str, Any]]:
    """Return the tables of the steps or exercises; none if they are something else, which is a problem of the head."""
    tables = file.content.get(name, [])
    if not isinstance(tables, list) or len(tables) > _MAX_STEPS or not all(isinstance(table, dict) for table in tables):
        return []
    return tables


def _material(file: TomlFile, key: Key, content: dict[str, Any]) -> Material | None:
    kinds = [kind for kind in MATERIALS if kind in content]
    if len(kinds) > 1:
        first, second = (f"[{key[0]}.{kind}]" for kind in kinds[:2])
        raise file.error((*key, kinds[1]), f"both {first} and {second}", "one of them")
    if not kinds:
        return None
    table: Material = file.convert(MATERIALS[kinds[0]], (*key, kinds[0]))
    return table.checked(file, (*key, kinds[0]))


def _exercise(file: TomlFile, number: int, content: dict[str, Any]) -> Exercise:
    key = ("exercise", number)
    table = file.convert(_ExerciseTable, key)
    material = _material(file, key, content)
    _check_figures(file, key, {"text": table.text}, ())
    _check_figures(file, key, {"solution": table.solution}, _figures(material))
    return Exercise(table.text, table.solution, material)


def _step(file: TomlFile, number: int, content: dict[str, Any], before: Material | None) -> Step:
    key = ("step", number)
    table = file.convert(_StepTable, key)
    material = _material(file, key, content)
    if table.same and (material is not None or before is None):
        found = "same = true, where " + ("nothing is shown before" if material is None else "something else is shown")
        raise file.error((*key, "same"), found, "a step that shows what the one before it shows")
    material = before if table.same else material
    valid = _figures(material)
    task = _task(file, key, table, material, names_for(type(material)) if material is not None else ())
    if table.answer and not table.question and task is None and not isinstance(material, Vote):
        raise file.error((*key, "answer"), "an answer", "a question before it")
    # What a class is to find out first must not be in the text.
    _check_figures(file, key, {"text": table.text, "question": table.question}, () if task else valid)
    _check_figures(file, key, {"answer": table.answer, "notes": table.notes}, valid)
    return Step(
        table.title,
        table.text,
        material,
        table.question,
        table.answer,
        table.agreement,
        task,
        table.notes,
        table.minutes,
    )


def _figures(material: Material | None) -> tuple[str, ...]:
    """Return the names of the figures that a text may have."""
    return (*names_for(type(material) if material is not None else None), *reference_figures())


def _check_figures(file: TomlFile, key: Key, texts: dict[str, str], valid: tuple[str, ...]) -> None:
    """Raise an error if a text has a figure that is not valid."""
    for name, text in texts.items():
        for figure in named(text):
            if figure not in valid:
                expected = f"one of {', '.join(valid)}" if valid else "no figures before the answer or the solution"
                raise file.error((*key, name), f"{{{{{figure}}}}} in {name}", expected)


def _task(
    file: TomlFile, key: Key, table: _StepTable, material: Material | None, figures: tuple[str, ...]
) -> Task | None:
    """Return the task of a step."""
    given = [kind for kind in _TASKS if getattr(table, kind)]
    if not given:
        return None
    kind = given[0]
    if len(given) > 1:
        raise file.error((*key, given[1]), f"both {kind} and {given[1]}", "one of them")
    if kind == "hide":
        return Task(kind)
    if kind == "choose":
        if len(table.choose) < 2 or table.correct > len(table.choose):
            found = f"{len(table.choose)} options, correct = {table.correct}"
            raise file.error((*key, kind), found, "at least two options, and the number of one of them")
        return Task(kind, "", tuple(table.choose), table.correct)
    figure = getattr(table, kind)
    if kind == "click":
        if not isinstance(material, TreePair) or material.test is None:
            raise file.error((*key, kind), f"click = {figure!r}", "[step.trees] with gold and test")
    elif figure not in figures:
        expected = f"one of {', '.join(figures)}" if figures else "trees or graphs in the step, which have figures"
        raise file.error((*key, kind), f"{kind} = {figure!r}", expected)
    return Task(kind, figure)

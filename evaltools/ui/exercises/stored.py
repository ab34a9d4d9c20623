"""Where exercises are: beside the lessons, each under the beginning of its digest, with the answers beside it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from evaltools.classroom.exercises import Answer, Exercise, Item, Mark, check_edits, mark, read_answer, read_exercise
from evaltools.classroom.votes import VoteStore
from evaltools.errors import InputError, ParameterError
from evaltools.outputs import replace_file
from evaltools.ui.lessons import shelf

__all__ = ["Answered", "answered", "exercises", "find", "keep", "numbers", "question_of", "remove"]

_NAME = re.compile(r"exercise-[0-9a-f]{12}")


def _path(name: str) -> Path:
    return shelf.folder() / f"{name}.json"


def keep(exercise: Exercise) -> str:
    """Store an exercise, and return its name."""
    data = exercise.to_json()
    name = f"exercise-{sha256(data).hexdigest()[:12]}"
    replace_file(_path(name), data)
    return name


def find(name: str) -> Exercise | None:
    """Return an exercise by its name; None if there is none."""
    with suppress(OSError, InputError):
        if _NAME.fullmatch(name):
            return read_exercise(_path(name).read_bytes())
    return None


def exercises() -> dict[str, Exercise]:
    """Return all exercises by name, in the order of their titles."""
    names = sorted(path.stem for path in shelf.folder().glob("exercise-*.json"))
    stored = {name: exercise for name in names if (exercise := find(name)) is not None}
    return dict(sorted(stored.items(), key=lambda pair: pair[1].title.casefold()))


def remove(name: str) -> None:
    """Remove an exercise and the answers to it."""
    if _NAME.fullmatch(name):
        _path(name).unlink(missing_ok=True)
        (shelf.folder() / f"{name}.votes.sqlite").unlink(missing_ok=True)


def question_of(name: str, item: Item) -> str:
    """Return the id of the ballot on an item."""
    return f"{name}-{item.id}"


@dataclass(frozen=True, slots=True)
class Answered:
    """What a class has handed in for an item, by random names of the students."""

    item: Item
    answers: dict[str, Answer]  # The last answer of each student, which counts
    marks: dict[str, Mark]
    tries: dict[str, list[Answer]]  # All answers of each student, in their order

    def n_tries(self, student: str) -> int:
        """Return how many times a student has handed in."""
        return max(1, len(self.tries.get(student, ()))) if student in self.answers else 0


def answered(name: str, item: Item, store: VoteStore) -> Answered:
    """Return what a class has handed in for an item of an exercise, in the order of the students' numbers."""
    question = question_of(name, item)
    last = store.answers(question)
    answers = _read(item, {student: [last[student]] for student in numbers(store, last) if student in last})
    marks = {student: mark(item, check_edits(given[-1].edits)) for student, given in answers.items()}
    return Answered(
        item, {student: given[-1] for student, given in answers.items()}, marks, _read(item, store.tries(question))
    )


def numbers(store: VoteStore, students: Iterable[str] = ()) -> dict[str, int]:
    """Return the number of each student, by random names; those whose tries were not kept come last."""
    known = list(store.numbers())
    rest = sorted(set(students).difference(known))
    return {student: number for number, student in enumerate([*known, *rest], start=1)}


def _read(item: Item, texts: Mapping[str, Iterable[str]]) -> dict[str, list[Answer]]:
    """Read the answers of students; those that are damaged are left out."""
    answers: dict[str, list[Answer]] = {}
    for student, given in texts.items():
        for text in given:
            with suppress(ParameterError):
                answers.setdefault(student, []).append(read_answer(item, text))
    return answers

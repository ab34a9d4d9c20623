"""Where exercises are: beside the lessons, each under the beginning of its digest, with the answers beside it."""

from __future__ import annotations

import re
import tempfile
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from evaltools.classroom.exercises import Answer, Exercise, Item, Mark, check_edits, mark, read_answer, read_exercise
from evaltools.classroom.votes import VoteStore
from evaltools.errors import InputError, ParameterError
from evaltools.ui.lessons import shelf

__all__ = ["answers_of", "exercises", "find", "keep", "marks_of", "question_of", "remove"]

_NAME = re.compile(r"exercise-[0-9a-f]{12}")


def _path(name: str) -> Path:
    return shelf.folder() / f"{name}.json"


def keep(exercise: Exercise) -> str:
    """Store an exercise, and return its name."""
    data = exercise.to_json()
    name = f"exercise-{sha256(data).hexdigest()[:12]}"
    with tempfile.NamedTemporaryFile(dir=shelf.folder(), delete=False) as written:
        written.write(data)
    Path(written.name).replace(_path(name))
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


def answers_of(name: str, item: Item, store: VoteStore) -> dict[str, Answer]:
    """Return the answers to an item, by random names of the students."""
    answers = {}
    for student, text in store.answers(question_of(name, item)).items():
        with suppress(ParameterError):
            answers[student] = read_answer(item, text)
    return answers


def marks_of(item: Item, answers: dict[str, Answer]) -> dict[str, Mark]:
    """Return the mark of each answer to an item."""
    return {student: mark(item, check_edits(answer.edits)) for student, answer in answers.items()}

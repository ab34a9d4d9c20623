"""Where lessons, exercises and the answers of classes are: a folder that only its owner can read.

A lesson of one's own or an exercise is kept under the beginning of its digest, so that a link to it opens it for
everybody whose app is the same. Each class has a file of answers, whose name is when it began: a new class begins when
the app starts, or when the teacher says so, and an earlier one can be continued. Where nothing can be kept, all lasts
as long as the app runs.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path

import platformdirs

from evaltools.classroom.exercises import (
    Answer,
    Exercise,
    Item,
    Marking,
    check_edits,
    mark,
    practice,
    read_answer,
    read_exercise,
)
from evaltools.classroom.lessons import Lesson, bundled_lessons, check_lesson, parse_lesson
from evaltools.classroom.votes import Ballots
from evaltools.errors import InputError, ParameterError, Problem
from evaltools.files import replace_file
from evaltools.runs.locations import user_data, usual_folder

_OWN = re.compile(r"own-[0-9a-f]{12}")
_CLASS = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}\.[0-9]{2}\.[0-9]{2}")
_MAX_BYTES = 1 << 20
"""The largest file of a lesson that is kept."""
PRACTICE = "practice"
"""The name of the exercise that comes with the program."""


@cache
def _folder(home: Path) -> tuple[Path, bool]:
    """Return where lessons and answers are kept, and whether they stay there."""
    folder = home / "lessons"
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o700)
        with tempfile.NamedTemporaryFile(dir=folder):
            return folder, str(home) == usual_folder(platformdirs.user_data_dir)
    return Path(tempfile.mkdtemp(prefix="evaltools-lessons-")), False


def folder() -> Path:
    """Return the folder of lessons, exercises and answers."""
    return _folder(user_data())[0]


def answers_stay() -> bool:
    """Tell whether answers are still there when the app is started again."""
    return _folder(user_data())[1]


_NOW: dict[Path, str] = {}
"""The class of this app by folder: when it began."""


def class_now() -> str:
    """Return when the class of now has begun."""
    return _NOW.setdefault(folder(), f"{datetime.now():%Y-%m-%d %H.%M.%S}")


def begin_class(began: str = "") -> None:
    """Begin a new class, or continue an earlier one."""
    _NOW.pop(folder(), None)
    if _CLASS.fullmatch(began):
        _NOW[folder()] = began
    while not began and class_path().exists():  # within the same second
        _NOW.pop(folder(), None)


def class_path(began: str = "") -> Path:
    """Return the file of a class, by default that of now."""
    return folder() / "classes" / f"{began or class_now()}.sqlite"


def ballots(began: str = "") -> Ballots:
    """Return the answers of a class, by default of that of now."""
    return Ballots(class_path(began))


def earlier_classes() -> list[str]:
    """Return when earlier classes have begun, the last one first."""
    found = [path.stem for path in (folder() / "classes").glob("*.sqlite") if _CLASS.fullmatch(path.stem)]
    return sorted(set(found) - {class_now()}, reverse=True)


def delete_class(began: str) -> None:
    """Delete the answers of an earlier class."""
    if _CLASS.fullmatch(began):
        class_path(began).unlink(missing_ok=True)


def find(name: str) -> Lesson | None:
    """Return a lesson by the name that stands in links; None where there is none."""
    known = bundled_lessons().get(name)
    if known is not None or not _OWN.fullmatch(name):
        return known
    return _read_own(str(folder() / f"{name}.toml"))


@lru_cache(maxsize=64)
def _read_own(path: str) -> Lesson | None:
    with suppress(InputError, OSError):
        return parse_lesson(_text(Path(path).read_bytes(), path), path)
    return None


def own_lessons() -> dict[str, Lesson]:
    """Return the lessons that were brought along, by name; those that cannot be read any more are left out."""
    try:
        names = sorted(path.stem for path in folder().glob("own-*.toml") if _OWN.fullmatch(path.stem))
    except OSError:
        return {}
    found = {name: find(name) for name in names}
    return {name: lesson for name, lesson in found.items() if lesson is not None}


def problems_of(data: bytes, file: str) -> tuple[Problem, ...]:
    """Return all that is wrong with a lesson's file; nothing if it is a lesson."""
    try:
        return check_lesson(_text(data, file), file)[1]
    except InputError as error:
        return (error.problem,)


def keep(data: bytes, file: str) -> str:
    """Keep a lesson, and return its name."""
    text = _text(data, file)
    parse_lesson(text, file)
    name = f"own-{sha256(text.encode()).hexdigest()[:12]}"
    replace_file(folder() / f"{name}.toml", text.encode())
    _read_own.cache_clear()
    return name


def file_of(name: str) -> bytes:
    """Return the file of a lesson that was brought along; empty if it is gone."""
    with suppress(OSError):
        if _OWN.fullmatch(name):
            return (folder() / f"{name}.toml").read_bytes()
    return b""


def remove(name: str) -> None:
    """Remove a lesson that was brought along."""
    if _OWN.fullmatch(name):
        (folder() / f"{name}.toml").unlink(missing_ok=True)
        _read_own.cache_clear()


def _text(data: bytes, file: str) -> str:
    if len(data) > _MAX_BYTES:
        raise InputError(Problem("lesson", file, None, None, f"{len(data):,} bytes", f"no more than {_MAX_BYTES:,}"))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        found = "bytes that are no UTF-8"
        raise InputError(Problem("lesson", file, line, None, found, "a lesson, in TOML")) from None


_EXERCISE = re.compile(r"exercise-[0-9a-f]{12}")


def _path(name: str) -> Path:
    return folder() / f"{name}.json"


def keep_exercise(exercise: Exercise) -> str:
    """Store an exercise, and return its name."""
    data = exercise.to_json()
    name = f"exercise-{sha256(data).hexdigest()[:12]}"
    replace_file(_path(name), data, private=True)
    return name


def find_exercise(name: str) -> Exercise | None:
    """Return an exercise by its name; None if there is none."""
    if name == PRACTICE:
        return practice()
    with suppress(OSError, InputError):
        if _EXERCISE.fullmatch(name):
            return read_exercise(_path(name).read_bytes())
    return None


def exercises() -> dict[str, Exercise]:
    """Return all exercises by name, that of the program first, the others in the order of their titles."""
    names = sorted(path.stem for path in folder().glob("exercise-*.json"))
    found = {name: exercise for name in names if (exercise := find_exercise(name)) is not None}
    return {PRACTICE: practice()} | dict(sorted(found.items(), key=lambda pair: pair[1].title.casefold()))


def remove_exercise(name: str) -> None:
    """Remove an exercise; the answers to it stay with their class."""
    if _EXERCISE.fullmatch(name):
        _path(name).unlink(missing_ok=True)


def question_of(name: str, item: Item) -> str:
    """Return the id of the ballot on an item."""
    return f"{name}-{item.id}"


@dataclass(frozen=True, slots=True)
class Answered:
    """What a class has handed in for an item, by random names of the students."""

    item: Item
    answers: dict[str, Answer]  # The last answer of each student
    marks: dict[str, Marking]


def answered(name: str, item: Item, store: Ballots) -> Answered:
    """Return what a class has handed in for an item of an exercise, in the order of the students' numbers."""
    given = store.answers(question_of(name, item))
    answers: dict[str, Answer] = {}
    for student in numbers(store, given):
        with suppress(KeyError, ParameterError):  # the answer is to another item, or damaged
            answers[student] = read_answer(item, given[student])
    return Answered(item, answers, {student: mark(item, check_edits(each.edits)) for student, each in answers.items()})


def numbers(store: Ballots, students: Iterable[str] = ()) -> dict[str, int]:
    """Return the number of each student, by random names; the teacher's own comes last."""
    known = store.numbers()
    rest = sorted(set(students).difference(known))
    return known | {student: number for number, student in enumerate(rest, start=len(known) + 1)}

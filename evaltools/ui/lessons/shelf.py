"""Where lessons and the votes on them are: those of the program, and those that were brought along.

A lesson of one's own is kept under the beginning of its digest, so that a link to it opens it for everybody whose app
is the same; the votes lie beside it. Where nothing can be kept, lessons and votes last as long as the app runs.
"""

from __future__ import annotations

import re
import tempfile
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import platformdirs
import streamlit as st

from evaltools.classroom.lessons import MOST_BYTES, Lesson, bundled_lessons, check_lesson, parse_lesson, read_lesson
from evaltools.classroom.votes import VoteStore
from evaltools.errors import InputError, Problem
from evaltools.outputs import replace_file

__all__ = ["file_of", "find", "folder", "keep", "own_lessons", "problems_of", "remove", "votes_of", "votes_stay"]

_OWN = re.compile(r"own-[0-9a-f]{12}")


@st.cache_resource(show_spinner=False)
def _folder(home: str) -> tuple[Path, bool]:
    """Return where lessons and votes are kept, and whether they stay there."""
    folder = Path(home) / "lessons"
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder):
            return folder, True
    return Path(tempfile.mkdtemp(prefix="evaltools-lessons-")), False


def _place() -> tuple[Path, bool]:
    return _folder(platformdirs.user_data_dir("evaltools"))


def folder() -> Path:
    """Return the folder of lessons, exercises and votes."""
    return _place()[0]


def votes_stay() -> bool:
    """Tell whether votes are still there when the app is started again."""
    return _place()[1]


def votes_of(name: str) -> VoteStore:
    """Return the votes of a lesson."""
    return VoteStore(_place()[0] / f"{name}.votes.sqlite")


def find(name: str) -> Lesson | None:
    """Return a lesson by the name that stands in links; None where there is none."""
    known = bundled_lessons().get(name)
    if known is not None or not _OWN.fullmatch(name):
        return known
    return _read(str(_place()[0] / f"{name}.toml"))


@st.cache_resource(max_entries=64, show_spinner=False)
def _read(path: str) -> Lesson | None:
    with suppress(InputError):
        return read_lesson(path)
    return None


def own_lessons() -> dict[str, Lesson]:
    """Return the lessons that were brought along, by name; those that cannot be read any more are left out."""
    try:
        names = sorted(path.stem for path in _place()[0].glob("own-*.toml") if _OWN.fullmatch(path.stem))
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
    _read.clear()
    return name


def file_of(name: str) -> bytes:
    """Return the file of a lesson that was brought along; empty if it is gone."""
    with suppress(OSError):
        if _OWN.fullmatch(name):
            return (_place()[0] / f"{name}.toml").read_bytes()
    return b""


def remove(name: str) -> None:
    """Remove a lesson that was brought along, with the votes on it."""
    if _OWN.fullmatch(name):
        for end in (".toml", ".votes.sqlite", ".class.sqlite"):  # the last one is from 0.2.0
            (_place()[0] / f"{name}{end}").unlink(missing_ok=True)
        _read.clear()


def _text(data: bytes, file: str) -> str:
    if len(data) > MOST_BYTES:
        raise InputError(Problem("lesson", file, None, None, f"{len(data):,} bytes", f"no more than {MOST_BYTES:,}"))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        found = "bytes that are no UTF-8"
        raise InputError(Problem("lesson", file, line, None, found, "a lesson, in TOML")) from None

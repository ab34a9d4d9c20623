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

from evaltools.analysis.class_step import ClassStore
from evaltools.analysis.lessons import MOST_BYTES, Lesson, bundled_lessons, parse_lesson, read_lesson
from evaltools.analysis.votes import VoteStore
from evaltools.errors import InputError, Problem

__all__ = ["class_of", "find", "keep", "own_lessons", "votes_of", "votes_stay"]

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


def votes_stay() -> bool:
    """Tell whether votes are still there when the app is started again."""
    return _place()[1]


def votes_of(name: str) -> VoteStore:
    """Return the votes of a lesson.

    Parameters
    ----------
    name : str
        The lesson's name, of one that :func:`find` has found.
    """
    return VoteStore(_place()[0] / f"{name}.votes.sqlite")


def class_of(name: str) -> ClassStore:
    """Return what a class is shown of a lesson.

    Parameters
    ----------
    name : str
        The lesson's name, of one that :func:`find` has found.
    """
    return ClassStore(_place()[0] / f"{name}.class.sqlite")


def find(name: str) -> Lesson | None:
    """Return a lesson by the name that stands in links; None where there is none.

    Parameters
    ----------
    name : str
        A name of :data:`evaltools.analysis.lessons.BUNDLED`, or what :func:`keep` has returned.
    """
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


def keep(data: bytes, file: str) -> str:
    """Keep a lesson, and return its name.

    Parameters
    ----------
    data : bytes
        The file.
    file : str
        Its name, for problems.

    Raises
    ------
    InputError
        If it is no lesson.
    OSError
        If it cannot be kept.
    """
    expected = "a lesson, in TOML"
    if len(data) > MOST_BYTES:
        raise InputError(Problem("lesson", file, None, None, f"{len(data):,} bytes", f"no more than {MOST_BYTES:,}"))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise InputError(Problem("lesson", file, line, None, "bytes that are no UTF-8", expected)) from None
    parse_lesson(text, file)
    name = f"own-{sha256(text.encode()).hexdigest()[:12]}"
    folder = _place()[0]
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=folder, delete=False) as written:
        written.write(text)
    Path(written.name).replace(folder / f"{name}.toml")
    _read.clear()
    return name

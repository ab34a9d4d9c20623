"""The list of lessons: those that come with the program, and those of one's own, which come and go."""

from __future__ import annotations

from functools import partial
from importlib import resources

import streamlit as st

from evaltools.classroom import shelf
from evaltools.classroom.lessons import Lesson, bundled_lessons
from evaltools.drawing.blocks import answer, note, table
from evaltools.errors import InputError
from evaltools.outputs.lessons import SHEETS, lesson_sheet
from evaltools.text import count_of
from evaltools.ui.components.blocks import show_blocks
from evaltools.ui.lessons.agreement import votes_file
from evaltools.ui.lessons.ballot import reset_votes
from evaltools.ui.session import state

__all__ = ["lesson_list"]

_MOST_LISTED = 20
_BIN = ":material/delete:"
_TAKEN = "lesson_taken"
_KEYS = (
    "Keys: ← and → go from step to step, V shows the answer, F fills the screen. In a number field V and the page keys "
    "work as well; ← and → do after Enter."
)


def lesson_list(unknown: str = "") -> None:
    """List all lessons, and take in new ones."""
    bundled = bundled_lessons()
    minutes = sum(lesson.minutes for lesson in bundled.values())
    value = f"{len(bundled)} lessons, {minutes} minutes in all."
    hints = [note("Each fills one class of 45 minutes, with its questions and talking."), note(_KEYS)]
    if unknown:
        hints.insert(0, note(f"There is no lesson “{unknown}” here: the link may come from another computer."))
    show_blocks(answer(value), *hints, key="lessons_answer")
    st.subheader("Bundled lessons", anchor=False)
    for name, lesson in bundled.items():
        _row(name, lesson, own=False)
    st.subheader("Your lessons", anchor=False)
    kept = st.container()
    _take_in()
    with kept:  # above, though what was just brought along is among them
        _own(shelf.own_lessons())


def _about(name: str, lesson: Lesson) -> None:
    n_votes = sum(bool(step.ballot) for step in lesson.steps)
    steps = f"{count_of(len(lesson.steps), 'step')}"
    votes = f"{count_of(n_votes, 'question')} for phones" if n_votes else ""
    length = f"{lesson.minutes} minutes" if lesson.minutes else ""
    about = " · ".join(part for part in (length, steps, votes, lesson.source) if part)
    show_blocks({**answer(lesson.about), "heading": lesson.title}, note(about), key=f"about_{name}")


def _row(name: str, lesson: Lesson, *, own: bool) -> None:
    """Show a lesson, the way into it, and what can be done with its file and the votes on it."""
    left, middle, right = st.columns([6, 1, 1], vertical_alignment="center", gap="medium")
    with left:
        _about(name, lesson)
    with middle:
        st.button("Open", key=f"open_{name}", width="stretch", on_click=_open, args=(name,))
    votes = sum(tally.total for tally in shelf.votes_of(name).tallies().values()) if lesson.votes else 0
    if own or votes or lesson.goals or lesson.exercises:
        with right, st.popover("More", width="stretch", key=f"more_{name}"):
            _sheets(name, lesson)
            if votes:
                _votes(name, lesson, votes)
            if own:
                _file(name)


def _sheets(name: str, lesson: Lesson) -> None:
    """Offer exercise sheet, solutions and hand-out as files."""
    for sheet, title in SHEETS.items():
        if sheet == "handout" or lesson.exercises:
            for language, ending in (("HTML", "html"), ("LaTeX", "tex")):
                st.download_button(
                    f"{title} ({language})",
                    partial(_sheet_file, lesson, sheet, language.lower()),
                    f"{name}-{sheet}.{ending}",
                    "text/html" if ending == "html" else "application/x-tex",
                    icon=":material/download:",
                    key=f"sheet_{name}_{sheet}_{ending}",
                    on_click="ignore",
                )


def _sheet_file(lesson: Lesson, sheet: str, language: str) -> bytes:
    return lesson_sheet(lesson, sheet, language).encode("utf-8")


def _votes(name: str, lesson: Lesson, votes: int) -> None:
    """Offer the votes as a file, and a fresh start for the next class."""
    store = shelf.votes_of(name)
    st.text(f"{count_of(votes, 'vote')} on this lesson.")
    st.download_button(
        "Votes (CSV)",
        partial(votes_file, lesson, store),
        f"votes-{name}.csv",
        "text/csv",
        icon=":material/download:",
        key=f"votes_{name}",
        on_click="ignore",
    )
    st.button("Forget all votes", key=f"forget_{name}", icon=_BIN, on_click=reset_votes, args=(store,))


def _file(name: str) -> None:
    """Offer the file of a lesson of one's own, and the way to remove it."""
    st.download_button(
        "File (TOML)",
        partial(shelf.file_of, name),
        f"{name}.toml",
        "application/toml",
        icon=":material/download:",
        key=f"file_{name}",
        on_click="ignore",
    )
    st.text("Removing a lesson also deletes its votes.")
    st.button("Remove the lesson", key=f"remove_{name}", icon=_BIN, on_click=_remove, args=(name,))


def _open(name: str) -> None:
    state.put(lesson=name, slide=None, shown=None)


def _own(lessons: dict[str, Lesson]) -> None:
    """List lessons of one's own."""
    if not lessons:
        show_blocks(note("None yet. Start from the template below: it has one step of each kind."), key="own_none")
    for name, lesson in lessons.items():
        _row(name, lesson, own=True)


def _remove(name: str) -> None:
    try:
        shelf.remove(name)
    except OSError as error:
        st.toast(f"The lesson cannot be removed: {error.strerror or error}", icon=":material/error:")


def _take_in() -> None:
    """Take in a lesson, or list what is wrong with it; a file is taken once, so that its lesson can be removed."""
    given = st.file_uploader("A lesson’s file (TOML)", type="toml", key="lesson_file", max_upload_size=1)
    if given is not None:
        name = st.session_state.get(_TAKEN, {}).get(given.file_id, "")
        if not name:
            name = _keep(given.getvalue(), given.name)
            st.session_state[_TAKEN] = {given.file_id: name}
        lesson = shelf.find(name) if name else None
        if lesson is not None:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.button("Open the lesson", key="open_given", type="primary", on_click=_open, args=(name,))
                steps = len(lesson.steps)
                st.text(f"No problems; {count_of(steps, 'step')}.", width="content")
    pattern = (resources.files("evaltools.classroom") / "data/pattern.toml").read_text("utf-8")
    with st.expander("How to write a lesson", icon=":material/edit_note:"):
        st.download_button(
            "Template (TOML)",
            pattern.encode("utf-8"),
            "lesson.toml",
            "application/toml",
            icon=":material/download:",
            key="lesson_pattern",
            on_click="ignore",
        )
        st.code(pattern, language=None)


def _keep(data: bytes, file: str) -> str:
    """Keep a lesson and return its name; say what is wrong and return nothing if it is none."""
    problems = shelf.problems_of(data, file)
    if problems:
        number = f"{count_of(len(problems), 'problem')}"
        st.error(f"This is not a valid lesson: {number} to correct.", icon=":material/error:")
        rows = [(False, (str(item.line or "–"), item.found, item.expected)) for item in problems[:_MOST_LISTED]]
        more = len(problems) - _MOST_LISTED
        show_blocks(
            table(("line", "found", "expected"), rows, numbers=(0,)),
            *([note(f"and {more} more")] if more > 0 else []),
            key="lesson_problems",
        )
        return ""
    try:
        return shelf.keep(data, file)
    except (InputError, OSError) as error:
        value = getattr(error, "strerror", None) or str(error)
        st.error("The lesson cannot be saved.", icon=":material/error:")
        st.code(value, language=None, wrap_lines=True)
        return ""

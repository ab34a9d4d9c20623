"""The teacher's window: notes, question and answer of the step that the same browser shows in another window."""

from __future__ import annotations

from urllib.parse import urlencode

import streamlit as st

from evaltools.classroom import shelf
from evaltools.classroom.lessons import Lesson
from evaltools.classroom.material import numbers_of
from evaltools.text import count_of
from evaltools.ui.lessons.layout import as_markdown
from evaltools.ui.lessons.projection import apply_projection

__all__ = ["notes_link", "remember_step", "teacher_view"]

_MAX_KNOWN = 1000
_NO_NOTES = "This step has no notes."


@st.cache_resource(show_spinner=False)
def _steps() -> dict[str, tuple[str, int]]:
    """Return the lesson and the step that each browser shows."""
    return {}


def remember_step(me: str, name: str, number: int) -> None:
    """Keep which step a browser shows, for its other window."""
    known = _steps()
    known.pop(me, None)
    known[me] = (name, number)
    while len(known) > _MAX_KNOWN:
        known.pop(next(iter(known)))


def notes_link(name: str, number: int) -> str:
    """Return the address of the teacher's window.

    Examples
    --------
    >>> notes_link("vote", 2)
    'lessons?lesson=vote&slide=2&notes=1'
    """
    return f"lessons?{urlencode({'lesson': name, 'slide': number, 'notes': 1})}"


def teacher_view(lesson: Lesson, name: str, me: str, number: int) -> None:
    """Show the notes, which follow lesson and step in the other window of this browser."""
    apply_projection(whole_screen=True)
    _follow(lesson, name, me, number)


@st.fragment(run_every="1s")
def _follow(lesson: Lesson, name: str, me: str, first: int) -> None:
    shown, number = _steps().get(me, (name, first))
    lesson = shelf.find(shown) or lesson
    number = min(number, len(lesson.steps))
    step = lesson.steps[number - 1]
    numbers = numbers_of(step.material)
    st.header(as_markdown(step.title, numbers), anchor=False)
    st.text(f"{lesson.title} · {_times(lesson, number)}")
    with st.container(key="lesson_text"):
        st.markdown(as_markdown(step.notes, numbers) if step.notes else _NO_NOTES)
        for title, text in (("Question", step.question), ("Answer", step.answer)):
            if text:
                st.subheader(title, anchor=False)
                st.markdown(as_markdown(text, numbers))
    if number < len(lesson.steps):
        st.subheader("Next step", anchor=False)
        st.markdown(as_markdown(lesson.steps[number].title, numbers_of(lesson.steps[number].material)))
    st.caption("This window follows the lesson in another window of this browser.")


def _times(lesson: Lesson, number: int) -> str:
    r"""Return the number of a step and its time.

    Examples
    --------
    >>> from evaltools.classroom.lessons import parse_lesson
    >>> steps = '[[step]]\ntitle = "x"\nminutes = 3\n[[step]]\ntitle = "y"\nminutes = 2\n'
    >>> _times(parse_lesson('title = "A"\nabout = "B"\nminutes = 5\n' + steps, "a.toml"), 2)
    'Step 2 of 2 · 2 minutes · ends after 5 of 5 minutes'
    """
    parts = [f"Step {number} of {len(lesson.steps)}"]
    minutes = lesson.steps[number - 1].minutes
    if minutes:
        total = sum(step.minutes for step in lesson.steps[:number])
        parts += [f"{count_of(minutes, 'minute')}", f"ends after {total} of {lesson.minutes} minutes"]
    return " · ".join(parts)

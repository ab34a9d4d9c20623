"""Lessons: steps of text, trees and questions, to be shown to a class or read alone; and exercises."""

from __future__ import annotations

import secrets
from dataclasses import replace
from functools import partial
from importlib import resources
from urllib.parse import urlencode

import streamlit as st

from evaltools.app.components.blocks import show_blocks, show_problems
from evaltools.app.components.keyboard import keyboard
from evaltools.app.lab import lab_links
from evaltools.app.lessons.exercises import exercise_list, exercise_page
from evaltools.app.lessons.layout import apply_projection, apply_slide, as_markdown, lay_out
from evaltools.app.lessons.phones import class_files, follow, phones_button, show_large_code
from evaltools.app.lessons.votes import (
    agreement_view,
    answer_bar,
    choose_bracket,
    chosen_bracket,
    class_result,
    join_view,
    metric_verdicts,
    task_height,
    task_view,
)
from evaltools.app.session import state
from evaltools.app.widgets.pickers import label_about, previous_and_next
from evaltools.app.widgets.saving import Saving, block_files, made_here, save
from evaltools.blocks import Text, answer, note
from evaltools.classroom import shelf
from evaltools.classroom.lessons import ALIASES, Lesson, Step, bundled_lessons
from evaltools.classroom.material import Vote, numbers_of
from evaltools.classroom.votes import class_store
from evaltools.errors import InputError
from evaltools.outputs.lessons import SHEETS, lesson_sheet, phone_question
from evaltools.runs.store import Run
from evaltools.text import count_of

_FULL = "lesson_full"
_ANSWER = "lesson_shown"
_METRICS = "2"
"""What is shown of a vote after the class's result: the verdicts of the metrics."""
_TABS = ("Lessons", "Exercises")
_VOTER = "evaltools_voter"
"""Key of the random name under which this window votes, in the session."""


def render(run: Run | None) -> None:
    """Draw the page."""
    name = state.get("lesson")
    name = ALIASES.get(name, name)
    lesson = shelf.find(name) if name else None
    exercise = shelf.find_exercise(state.get("exercise")) if lesson is None else None
    if exercise is not None:
        exercise_page(state.get("exercise"), exercise)
    elif lesson is None:
        _lists(run, unknown=name or state.get("exercise"))
    else:
        _show(lesson, name)


def _lists(run: Run | None, unknown: str) -> None:
    """List lessons and exercises, each behind a tab."""
    apply_projection(whole_screen=False)
    follow("evaltools")
    st.header("Lessons", anchor=False)
    lessons, exercises = st.tabs(_TABS, default=_TABS[state.get("list") == "exercises"])
    with lessons:
        lesson_list(unknown)
    with exercises:
        exercise_list(run)


def _show(lesson: Lesson, name: str) -> None:
    """Show one step of a lesson."""
    whole = state.get("full") == "1"
    apply_projection(whole_screen=whole)
    if whole:
        apply_slide()
    number = state.get_number("slide", 1, 1, len(lesson.steps))
    if state.get("notes") == "1":
        teacher_view(lesson, name, number)
        return
    step = lesson.steps[number - 1]
    keyboard(
        number,
        len(lesson.steps),
        key="lesson_keys",
        whole=whole,
        button=_FULL,
        answer=_ANSWER,
        on_step=_go,
        on_leave=partial(_turn, "full", True),
    )
    shown = state.get("shown")
    revealed = shown in ("1", _METRICS)
    numbers = numbers_of(step.material)
    me = str(st.session_state.setdefault(_VOTER, secrets.token_hex(16)))
    _shown_now()["lesson"] = name, number
    question = phone_question(step)
    follow(lesson.title, step.ballot, question, closed=revealed)
    if state.get("code") == "1" and class_store() is not None:
        show_large_code()
        return
    with st.container(key="lesson_title"):
        st.header(as_markdown(step.title, numbers), anchor=False)
    bar = partial(_bar, lesson, name, number, shown=shown if revealed else "", whole=whole)
    if not whole:
        bar()
    task = f"task_{name}_{number}"
    drawn = lay_out(
        step,
        numbers,
        revealed=revealed,
        task=partial(task_view, step, question, task, me, revealed=revealed, with_result=shown != _METRICS),
        aside=partial(join_view, step, begins=number == 1 and any(item.ballot for item in lesson.steps)),
        task_height=task_height(step, question, revealed=revealed),
        choose=partial(choose_bracket, task),
        chosen=chosen_bracket(task),
        key=task,
        with_answer=shown != _METRICS,
        with_class=revealed and question is not None and any(shelf.ballots().counts(step.ballot).values()),
    )
    if question is not None:
        if isinstance(step.material, Vote) and shown != _METRICS:
            answer_bar(step, question, me, revealed=revealed)
        if revealed:
            given = class_result(question, shelf.ballots().counts(step.ballot))
            drawn.append(replace(given, file_title="Answers of the class"))
    if isinstance(step.material, Vote) and question is not None and shown == _METRICS:
        drawn.append(metric_verdicts(step.material, question))
    if step.agreement:
        agreement_view(lesson)
    if number == len(lesson.steps):
        _next_lesson(lesson.next)
    if whole:
        bar()
    else:
        _links(step, block_files(drawn, made_here(f"lesson-{name}-{number}", step.title)))


def _bar(lesson: Lesson, name: str, number: int, *, shown: str, whole: bool) -> None:
    """Draw the buttons, each with its key, and the panel of phones."""
    step, last = lesson.steps[number - 1], len(lesson.steps)
    with st.container(horizontal=True, vertical_alignment="center", key="lesson_bar"):
        before, after = number - 1 or None, number + 1 if number < last else None
        previous_and_next("lesson", before, after, _go)
        next_shown = _next_shown(step)
        if next_shown:
            label, value = next_shown[shown]
            st.button(label, key=_ANSWER, shortcut="V", on_click=state.put, kwargs={"shown": value})
        if any(item.ballot for item in lesson.steps):
            phones_button("Alternatively, take a show of hands and enter the numbers.")
        title = "Leave full screen" if whole else "Full screen"
        st.button(title, key=_FULL, shortcut="F", on_click=_turn, args=("full", whole))
        if any(item.notes for item in lesson.steps):
            st.link_button("Notes", notes_link(name, number), icon=":material/speaker_notes:")
        st.button("All lessons", key="lesson_all", shortcut="L", on_click=_leave)
        st.text(f"{number} of {last}", width="content")


def _next_shown(step: Step) -> dict[str, tuple[str, str | None]]:
    """Return what the key V does: the label and the value that follows each value of what is shown."""
    if isinstance(step.material, Vote):
        return {
            "": ("Result of the vote", "1"),
            "1": ("Verdicts of the metrics", _METRICS),
            _METRICS: ("Hide result and verdicts", None),
        }
    hide = ("Hide answer", None)
    return {"": ("Answer", "1"), "1": hide, _METRICS: hide} if step.hides else {}


def _go(number: int) -> None:
    state.put(slide=None if number == 1 else number, shown=None)


def _turn(name: str, on: bool) -> None:
    state.put(**{name: None if on else 1})


def _leave() -> None:
    state.put(lesson=None, slide=None, shown=None, full=None)


def _next_lesson(name: str) -> None:
    """Lead to the lesson that follows."""
    if name:
        st.button(
            f"Next lesson: {bundled_lessons()[name].title}",
            key="lesson_follows",
            type="primary",
            on_click=_open,
            args=(name,),
        )


def _open(name: str) -> None:
    state.put(lesson=name, slide=None, shown=None)


def _links(step: Step, things: list[Saving]) -> None:
    """Lead to the metric lab with what the step shows, and offer its pictures and tables as files."""
    with st.container(horizontal=True, vertical_alignment="center", key="lesson_links"):
        save("lesson", *things)
        for title, query in lab_links(step.material):
            st.link_button(title, f"lab?{urlencode(query)}", icon=":material/open_in_new:", type="tertiary")


_BIN = ":material/delete:"
_KEPT_FILE = "lesson_taken"
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
    st.subheader("Answers of classes", anchor=False)
    class_files()
    with kept:  # above, though what was just brought along is among them
        _own(shelf.own_lessons())


def _about(name: str, lesson: Lesson) -> None:
    n_votes = sum(bool(step.ballot) for step in lesson.steps)
    steps = f"{count_of(len(lesson.steps), 'step')}"
    votes = f"{count_of(n_votes, 'question')} for phones" if n_votes else ""
    length = f"{lesson.minutes} minutes" if lesson.minutes else ""
    about = " · ".join(part for part in (length, steps, votes, lesson.source) if part)
    show_blocks(Text(lesson.title, "heading"), answer(lesson.about), note(about), key=f"about_{name}")


def _row(name: str, lesson: Lesson, *, own: bool) -> None:
    """Show a lesson, the way into it, and what can be done with its file and the votes on it."""
    left, middle, right = st.columns([6, 1, 1], vertical_alignment="center", gap="medium")
    with left:
        _about(name, lesson)
    with middle:
        st.button(label_about("Open", lesson.title), key=f"open_{name}", width="stretch", on_click=_open, args=(name,))
    if own or lesson.goals or lesson.exercises:
        with right, st.popover(label_about("More", lesson.title), width="stretch", key=f"more_{name}"):
            _sheets(name, lesson)
            if own:
                _file(name)


def _sheets(name: str, lesson: Lesson) -> None:
    """Offer exercise sheet, solutions, hand-out and notes as files to print."""
    for sheet, title in SHEETS.items():
        if sheet in ("handout", "script") or lesson.exercises:
            st.download_button(
                f"{title} (HTML)",
                partial(_sheet_file, lesson, sheet),
                f"{name}-{sheet}.html",
                "text/html",
                icon=":material/download:",
                key=f"sheet_{name}_{sheet}",
                on_click="ignore",
            )


def _sheet_file(lesson: Lesson, sheet: str) -> bytes:
    return lesson_sheet(lesson, sheet).encode("utf-8")


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
    st.button("Remove the lesson", key=f"remove_{name}", icon=_BIN, on_click=_remove, args=(name,))


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
        name = st.session_state.get(_KEPT_FILE, {}).get(given.file_id, "")
        if not name:
            name = _keep(given.getvalue(), given.name)
            st.session_state[_KEPT_FILE] = {given.file_id: name}
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
        show_problems(problems, key="lesson_problems")
        return ""
    try:
        return shelf.keep(data, file)
    except (InputError, OSError) as error:
        value = getattr(error, "strerror", None) or str(error)
        st.error("The lesson cannot be saved.", icon=":material/error:")
        st.code(value, language=None, wrap_lines=True)
        return ""


_NO_NOTES = "This step has no notes."


@st.cache_resource(show_spinner=False)
def _shown_now() -> dict[str, tuple[str, int]]:
    """Return the lesson and the step that were shown last, which the teacher's window follows."""
    return {}


def notes_link(name: str, number: int) -> str:
    """Return the address of the teacher's window.

    Examples
    --------
    >>> notes_link("vote", 2)
    'lessons?lesson=vote&slide=2&notes=1'
    """
    return f"lessons?{urlencode({'lesson': name, 'slide': number, 'notes': 1})}"


def teacher_view(lesson: Lesson, name: str, number: int) -> None:
    """Show the notes, which follow lesson and step in the other window."""
    apply_projection(whole_screen=True)
    _follow(lesson, name, number)


@st.fragment(run_every="1s")
def _follow(lesson: Lesson, name: str, first: int) -> None:
    shown, number = _shown_now().get("lesson", (name, first))
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
    st.caption("This window follows the lesson in another window.")


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

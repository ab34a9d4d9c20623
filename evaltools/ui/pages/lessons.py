"""Lessons: steps of text, trees and questions, to be shown to a class or read alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from urllib.parse import urlencode

import streamlit as st

from evaltools.classroom import shelf
from evaltools.classroom.lessons import ALIASES, Lesson, Step, bundled_lessons
from evaltools.classroom.material import Vote, numbers_of
from evaltools.runs.store import Run
from evaltools.ui.components.copy_link import copy_link
from evaltools.ui.components.keyboard import keyboard
from evaltools.ui.components.voters import device, voter
from evaltools.ui.exercises.exercise_page import exercise_page
from evaltools.ui.exercises.listing import exercise_list
from evaltools.ui.lessons.agreement import agreement_view
from evaltools.ui.lessons.ballot import ballot, metric_verdicts, result_file, show_result
from evaltools.ui.lessons.class_panel import ClassPanel
from evaltools.ui.lessons.layout import as_markdown, lay_out
from evaltools.ui.lessons.links import lab_links
from evaltools.ui.lessons.listing import lesson_list
from evaltools.ui.lessons.poll import answers_height, poll_view
from evaltools.ui.lessons.projection import apply_projection
from evaltools.ui.lessons.slides import apply_slide
from evaltools.ui.lessons.tasks import choose_bracket, chosen_bracket, task_height, task_view
from evaltools.ui.lessons.teacher import notes_link, remember_step, teacher_view
from evaltools.ui.session import state
from evaltools.ui.session.kernels import wait_for_kernels
from evaltools.ui.widgets.block_export import block_files
from evaltools.ui.widgets.controls import previous_and_next
from evaltools.ui.widgets.saving import Saving, made_here, save

__all__ = ["render"]

_FULL = "lesson_full"
_ANSWER = "lesson_shown"
_METRICS = "2"
"""What is shown of a vote after the class's result: the verdicts of the metrics."""
_TABS = ("Lessons", "Exercises")


def render(run: Run | None) -> None:
    """Draw the page."""
    name = state.get("lesson")
    name = ALIASES.get(name, name)
    lesson = shelf.find(name) if name else None
    exercise = shelf.find_exercise(state.get("exercise")) if lesson is None else None
    if exercise is not None:
        exercise_page(state.get("exercise"), exercise, device())
    elif lesson is None:
        _lists(run, unknown=name or state.get("exercise"))
    else:
        _show(lesson, name)


def _lists(run: Run | None, unknown: str) -> None:
    """List lessons and exercises, each behind a tab."""
    apply_projection(whole_screen=False)
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
        teacher_view(lesson, name, device(), number)
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
    wait_for_kernels()
    shown = state.get("shown")
    revealed = shown in ("1", _METRICS)
    numbers = numbers_of(step.material)
    me, store = device(), shelf.votes_of(name)
    remember_step(me, name, number)
    panel = ClassPanel(me, name, lesson, store, number - 1, revealed)
    panel.follow()
    if state.get("code") == "1" and panel.show_code():
        return
    with st.container(key="lesson_title"):
        st.header(as_markdown(step.title, numbers), anchor=False)
    bar = partial(_bar, lesson, name, number, shown=shown if revealed else "", whole=whole)
    draw_panel = panel.draw if any(item.ballot for item in lesson.steps) else None
    if not whole:
        bar(draw_panel)
    task = f"task_{name}_{number}"

    drawn = lay_out(
        step,
        numbers,
        revealed=revealed,
        task=partial(task_view, step, numbers, task, revealed=revealed),
        choose=partial(choose_bracket, task),
        chosen=chosen_bracket(task),
        task_height=task_height(step),
        answers=partial(poll_view, step, store, numbers, panel.join, leads=panel.leads, revealed=revealed),
        answers_height=answers_height(step, store) if revealed else 0.0,
        aside=partial(show_result, step.material, store)
        if revealed and isinstance(step.material, Vote)
        else panel.join,
        with_pictures=shown != _METRICS,
    )
    if isinstance(step.material, Vote):
        ballot(step.material, store, voter(me, name), revealed=revealed)
        if revealed:
            drawn.append(result_file(step.material, store))
        if shown == _METRICS:
            drawn.append(metric_verdicts(step.material, store))
    if step.agreement:
        agreement_view(lesson, name, store, whole=whole)
    if number == len(lesson.steps):
        _next_lesson(lesson.next)
    if whole:
        bar(draw_panel)
    else:
        _links(step, block_files(drawn, made_here(f"lesson-{name}-{number}", step.title)))


def _bar(
    lesson: Lesson, name: str, number: int, draw_panel: Callable[[], None] | None, *, shown: str, whole: bool
) -> None:
    """Draw the buttons, each with its key, and the panel of phones."""
    step, last = lesson.steps[number - 1], len(lesson.steps)
    with st.container(horizontal=True, vertical_alignment="center", key="lesson_bar"):
        before, after = number - 1 or None, number + 1 if number < last else None
        previous_and_next("lesson", before, after, _go)
        next_shown = _next_shown(step)
        if next_shown:
            label, value = next_shown[shown]
            st.button(label, key=_ANSWER, shortcut="V", on_click=state.put, kwargs={"shown": value})
        if draw_panel is not None:
            draw_panel()
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
        copy_link(key="lesson_link")
        for title, query in lab_links(step.material):
            st.link_button(title, f"lab?{urlencode(query)}", icon=":material/open_in_new:", type="tertiary")

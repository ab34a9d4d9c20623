"""Lessons: steps of text, trees and questions, to be shown to a class or read alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from urllib.parse import urlencode

import streamlit as st

from evaltools.classroom.lessons import ALIASES, Lesson, Step, Vote, bundled_lessons, numbers_of
from evaltools.runs.store import Run
from evaltools.ui.components.copy_link import copy_link
from evaltools.ui.components.keyboard import keyboard
from evaltools.ui.components.voters import device, voter
from evaltools.ui.exercises import stored
from evaltools.ui.exercises.exercise_page import exercise_page
from evaltools.ui.exercises.listing import exercise_list
from evaltools.ui.lessons import shelf
from evaltools.ui.lessons.agreement import agreement_view
from evaltools.ui.lessons.ballot import ballot, reveal
from evaltools.ui.lessons.class_panel import ClassPanel
from evaltools.ui.lessons.layout import as_markdown, lay_out
from evaltools.ui.lessons.links import lab_links
from evaltools.ui.lessons.listing import lesson_list
from evaltools.ui.lessons.projection import apply_projection
from evaltools.ui.lessons.slides import apply_slide
from evaltools.ui.lessons.tasks import task_view
from evaltools.ui.lessons.teacher import notes_link, remember_step, teacher_view
from evaltools.ui.session import state
from evaltools.ui.session.kernels import wait_for_kernels
from evaltools.ui.widgets.block_export import block_files
from evaltools.ui.widgets.saving import Saving, made_here, save

__all__ = ["render"]

_FULL = "lesson_full"


def render(run: Run) -> None:
    """Draw the page."""
    name = state.get("lesson")
    name = ALIASES.get(name, name)
    lesson = shelf.find(name) if name else None
    exercise = stored.find(state.get("exercise")) if lesson is None else None
    if exercise is not None:
        exercise_page(state.get("exercise"), exercise, device())
    elif lesson is None:
        lesson_list(unknown=name or state.get("exercise"))
        exercise_list(run)
    else:
        _show(lesson, name)


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
        on_step=_go,
        on_leave=partial(_turn, "full", True),
    )
    wait_for_kernels()
    revealed = state.get("shown") == "1"
    numbers = numbers_of(step.material)
    with st.container(key="lesson_title"):
        st.header(as_markdown(step.title, numbers), anchor=False)
    me, store = device(), shelf.votes_of(name)
    remember_step(me, name, number)
    panel = ClassPanel(me, name, lesson, store, number - 1, revealed)
    panel.follow()
    bar = partial(_bar, lesson, name, number, revealed=revealed, whole=whole)
    draw_panel = panel.draw if lesson.votes else None
    if not whole:
        bar(draw_panel)
    drawn = lay_out(
        step,
        numbers,
        revealed=revealed,
        task=partial(task_view, step, numbers, f"task_{name}_{number}", revealed=revealed),
        aside=panel.join,
    )
    if isinstance(step.material, Vote):
        ballot(step.material, store, voter(me, name))
        if revealed:
            drawn.append(reveal(step.material, store))
    if step.agreement:
        agreement_view(lesson, name, store)
    if number == len(lesson.steps):
        _next_lesson(lesson.next)
    if whole:
        bar(draw_panel)
    else:
        _links(step, block_files(drawn, made_here(f"lesson-{name}-{number}", step.title)))


def _bar(
    lesson: Lesson, name: str, number: int, draw_panel: Callable[[], None] | None, *, revealed: bool, whole: bool
) -> None:
    """Draw the buttons, each with its key, and the panel of phones."""
    step, last = lesson.steps[number - 1], len(lesson.steps)
    with st.container(horizontal=True, vertical_alignment="center", key="lesson_bar"):
        for label, icon, to in (("Previous", "arrow_back", number - 1), ("Next", "arrow_forward", number + 1)):
            st.button(
                label,
                icon=f":material/{icon}:",
                key=f"lesson_{label}",
                disabled=not 1 <= to <= last,
                on_click=_go,
                args=(to,),
            )
        hidden = "The verdicts" if isinstance(step.material, Vote) else "Answer" if step.hides else ""
        if hidden:
            label = f"Hide {hidden.lower()}" if revealed else hidden
            st.button(label, key="lesson_shown", shortcut="V", on_click=_turn, args=("shown", revealed))
        if draw_panel is not None:
            draw_panel()
        title = "Leave full screen" if whole else "Full screen"
        st.button(title, key=_FULL, shortcut="F", on_click=_turn, args=("full", whole))
        if any(item.notes for item in lesson.steps):
            st.link_button("Notes", notes_link(name, number), icon=":material/speaker_notes:")
        st.button("All lessons", key="lesson_all", shortcut="L", on_click=_leave)
        st.text(f"{number} of {last}", width="content")


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

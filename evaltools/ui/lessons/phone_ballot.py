"""The ballot on a device of one's own: the two parses that are projected now, and three buttons."""

from __future__ import annotations

from functools import lru_cache

import streamlit as st

from evaltools.classroom.lessons import Lesson, Vote
from evaltools.classroom.votes import CHOICES, ClassStep, ClassStore, VoteStore
from evaltools.drawing import draw
from evaltools.drawing.blocks import answer, note, picture
from evaltools.ui.components.blocks import show_blocks
from evaltools.ui.components.voters import device, voter
from evaltools.ui.lessons import shelf
from evaltools.ui.lessons.projection import apply_ballot

__all__ = ["phone_ballot"]


@lru_cache(maxsize=64)
def _drawn(question: Vote) -> tuple[str, str, str]:
    gold, a, b = (draw(tree, theme="auto") for tree in question.trees())
    return gold, a, b


def phone_ballot(name: str) -> None:
    """Show the ballot of a lesson, which follows what is projected."""
    apply_ballot()
    lesson = shelf.find(name)
    if lesson is None:
        show_blocks(answer("There is no such lesson here."), note("Ask for the link again."), key="ballot_none")
        return
    me = voter(device(), name)
    shown = shelf.class_of(name)
    now = shown.now()
    _draw(lesson, now, shown, shelf.votes_of(name), me)
    _watch(shown, now)


@st.fragment(run_every="2s")
def _watch(shown: ClassStore, drawn: ClassStep | None) -> None:
    """Look every other second whether something else is projected, and only then draw the phone again."""
    if shown.now() != drawn:
        st.rerun()


@st.fragment
def _draw(lesson: Lesson, now: ClassStep | None, shown: ClassStore, store: VoteStore, me: str) -> None:
    """Show what is projected now; a vote draws this part only."""
    step = lesson.steps[now.step] if now is not None and now.step < len(lesson.steps) else None
    question = step.material if step is not None and isinstance(step.material, Vote) else None
    if step is None or now is None:
        show_blocks(
            answer("The vote has not begun."), note(f"“{lesson.title}” – leave this page open."), key="ballot_wait"
        )
        return
    if question is None:
        value = "The next two parses appear here when they are shown in front. Leave this page open."
        show_blocks(answer("Look at the screen in front."), note(value), key="ballot_wait")
        return
    mine = store.vote_of(question.id, me)
    gold, *parses = _drawn(question)
    show_blocks(
        answer("Which parse is worse?" if now.is_open else "The vote is closed: look at the screen."), key="ballot"
    )
    for choice, drawn in zip(("a", "b"), parses, strict=True):
        show_blocks(picture(drawn, choice.upper(), fit=30), key=f"ballot_{choice}_{now.step}")
        _button(choice, mine, question, shown, store, me, is_open=now.is_open)
    _button("equal", mine, question, shown, store, me, is_open=now.is_open)
    if mine:
        value = f"Your vote: {CHOICES[mine]}." + (" You can still change it." if now.is_open else "")
        show_blocks(note(value), key="ballot_mine")
    with st.expander("The gold tree"):
        show_blocks(picture(gold, fit=30), key=f"ballot_gold_{now.step}")


def _button(
    choice: str, mine: str | None, question: Vote, shown: ClassStore, store: VoteStore, me: str, *, is_open: bool
) -> None:
    title = CHOICES[choice]
    st.button(
        title[0].upper() + title[1:],
        key=f"ballot_vote_{choice}",
        type="primary" if mine == choice else "secondary",
        icon=":material/check:" if mine == choice else None,
        width="stretch",
        disabled=not is_open,
        on_click=_vote,
        args=(question, choice, shown, store, me),
    )


def _vote(question: Vote, choice: str, shown: ClassStore, store: VoteStore, me: str) -> None:
    """Keep a vote, unless the verdicts have been shown meanwhile."""
    now = shown.now()
    if now is None or not now.is_open:
        return
    try:
        store.vote(question.id, me, choice)
    except OSError as error:
        st.toast(f"The vote cannot be saved: {error.strerror or error}", icon=":material/error:")

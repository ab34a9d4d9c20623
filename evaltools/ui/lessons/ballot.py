"""Voting on which of two parses is worse, and what the metrics say of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from evaltools.classroom.material import Vote
from evaltools.classroom.votes import CHOICES, MAX_HANDS, Tally, VoteStore
from evaltools.classroom.worse_parse import Verdict, judges, verdicts_of
from evaltools.drawing.blocks import Block, note, scores, table
from evaltools.frameworks.registry import METRICS
from evaltools.text import capitalized, count_of
from evaltools.ui.components.blocks import show_blocks
from evaltools.ui.session import state

__all__ = ["ballot", "class_line", "class_result", "metric_verdicts", "reset_votes", "result_file", "show_result"]

_WORSE = {"a": "A", "b": "B", "equal": "equal"}
_KEYS = {"a": "1", "b": "2", "equal": "3"}


def ballot(question: Vote, store: VoteStore, me: str, *, revealed: bool) -> None:
    """Show the buttons that vote, how many have voted, and where a show of hands is typed in."""
    mine, is_open = store.vote_of(question.id, me), store.is_open(question.id)
    with st.container(horizontal=True, key="lesson_choices", vertical_alignment="center"):
        for choice, title in CHOICES.items() if is_open or not revealed else ():
            st.button(
                capitalized(title),
                key=f"vote_{choice}",
                type="primary" if mine == choice else "secondary",
                shortcut=_KEYS[choice],
                disabled=not is_open,
                on_click=_try,
                args=(lambda choice=choice: store.vote(question.id, me, choice),),
            )
        if not is_open:
            again = partial(_vote_again, question, store)
            st.button("Vote again", key="vote_again", icon=":material/replay:", on_click=again)
        with st.popover("Show of hands", icon=":material/back_hand:", key="hands"):
            _hands(question, store)
        _count(question.id, store, me)


def _vote_again(question: Vote, store: VoteStore) -> None:
    """Let the class change its votes, and hide the verdicts."""
    _try(lambda: store.reopen(question.id))
    state.put(shown=None)


@st.fragment(run_every="1s")
def _count(question: str, store: VoteStore, me: str) -> None:
    """Say how many have voted, and nothing that would sway those who have not."""
    total = store.tally(question).total
    mine = store.vote_of(question, me)
    value = f"You: {CHOICES[mine]}. " if mine else ""
    end = " so far" if store.is_open(question) else "; the vote is closed"
    st.text(f"{value}{count_of(total, 'vote')}{end}", width="content")


def _hands(question: Vote, store: VoteStore) -> None:
    known = store.hands_of(question.id)
    with st.form("hands_form", border=False):
        numbers = {
            choice: st.number_input(
                capitalized(title),
                min_value=0,
                max_value=MAX_HANDS,
                value=min(getattr(known, choice), MAX_HANDS),
                key=f"hands_{question.id}_{choice}",
            )
            for choice, title in CHOICES.items()
        }
        if st.form_submit_button("Save these numbers"):
            _try(lambda: store.hands(question.id, Tally(**{choice: int(item) for choice, item in numbers.items()})))
            st.rerun()


def _try(write: Callable[[], object]) -> None:
    try:
        write()
    except OSError as error:
        st.toast(f"The votes cannot be changed: {error.strerror or error}", icon=":material/error:")


def reset_votes(store: VoteStore) -> None:
    """Forget all votes of a lesson, or say why that cannot be."""
    _try(store.clear)


def class_line(tally: Tally) -> str:
    """Return what most of a class have voted.

    Examples
    --------
    >>> class_line(Tally(5, 2, 1)), class_line(Tally()), class_line(Tally(1, 1, 0))
    ('Most say: A is worse.', 'No votes yet.', 'It is a tie.')
    """
    if not tally.total:
        return "No votes yet."
    if tally.answer is None:
        return "It is a tie."
    return f"{'One vote' if tally.total == 1 else 'Most say'}: {CHOICES[tally.answer]}."


def class_result(tally: Tally) -> Block:
    """Return the votes of a class as bars.

    Examples
    --------
    >>> result = class_result(Tally(3, 1))
    >>> result["heading"], result["rows"][0]
    ('The class: 4 votes', ['A is worse', 0.75, '3 of 4', ''])
    """
    rows = [
        (
            capitalized(title),
            getattr(tally, choice) / tally.total if tally.total else 0.0,
            f"{getattr(tally, choice)} of {tally.total}",
            "",
        )
        for choice, title in CHOICES.items()
    ]
    return scores(rows, f"The class: {count_of(tally.total, 'vote')}")


def show_result(question: Vote, store: VoteStore) -> None:
    """Show what the class has voted."""
    show_blocks(class_result(store.tally(question.id)), key="class_result", large=True)


def result_file(question: Vote, store: VoteStore) -> Block:
    """Return what the class has voted, to be saved."""
    return {**class_result(store.tally(question.id)), "title": "Votes of the class"}


def metric_verdicts(question: Vote, store: VoteStore) -> Block:
    """Show the verdict of every metric with its reasons, and how many agree with the class."""
    tally = store.tally(question.id)
    judged = judges([question])
    found = [item for item in verdicts_of(*question.align()) if item.metric in judged]
    rows = [_row(item, tally) for item in found]
    agreed = sum(item.worse == tally.answer for item in found)
    value = class_line(tally)
    if tally.answer:
        value += f" {agreed} of {len(found)} metrics agree."
    head = ("metric", "worse", "A", "B", "what is wrong with A", "what is wrong with B")
    listed = table(head, rows, numbers=(2, 3))
    show_blocks(note(value), listed, key="verdicts", large=True)
    return {**listed, "title": "Verdicts of the metrics"}


def _row(one: Verdict, tally: Tally) -> tuple[bool, tuple[str, ...]]:
    agrees = tally.answer is not None and one.worse == tally.answer
    metric = METRICS[one.metric]
    a, b = (metric.score_text(score) for score in (one.a, one.b))
    return agrees, (metric.title, _WORSE.get(one.worse or "", "–"), a, b, one.reason_a, one.reason_b)

"""A number that a class enters on its phones: how many have answered, and their answers once the solution is shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import partial

import streamlit as st

from evaltools.classroom.lessons import Step
from evaltools.classroom.material import Vote
from evaltools.classroom.votes import VoteStore
from evaltools.drawing.blocks import Block, scores
from evaltools.text import count_of
from evaltools.ui.components.blocks import show_blocks
from evaltools.ui.lessons.phones import attempt
from evaltools.ui.lessons.tasks import LINE, MAX_ROWS, is_same
from evaltools.ui.session import state

__all__ = ["answers_chart", "answers_height", "poll_view"]


def poll_view(
    step: Step, store: VoteStore, numbers: Mapping[str, str], join: Callable[[], None], *, leads: bool, revealed: bool
) -> None:
    """Show how phones join and how many have answered; after the solution what they have answered."""
    if step.task is None or not step.ballot or isinstance(step.material, Vote):
        return
    is_open = store.is_open(step.ballot)
    if leads and is_open:
        join()
    if revealed:
        given = store.answers(step.ballot).values()
        if given:
            show_blocks(answers_chart(given, numbers.get(step.task.figure, "")), key="poll_result", large=True)
    elif leads:
        _count(step.ballot, store)
    if leads and not is_open:
        again = partial(_ask_again, step.ballot, store)
        st.button("Ask again", key="poll_again", icon=":material/replay:", on_click=again)


def answers_height(step: Step, store: VoteStore) -> float:
    """Return about how high the answers of the class are, in pixels of a slide; 0 if there are none."""
    if step.task is None or not step.ballot or isinstance(step.material, Vote):
        return 0.0
    n_answers = len(set(store.answers(step.ballot).values()))
    return LINE * (min(n_answers, MAX_ROWS + 1) + 1) if n_answers else 0.0


def _ask_again(ballot: str, store: VoteStore) -> None:
    """Let the class change its answers, and hide the answer."""
    attempt(lambda: store.reopen(ballot))
    state.put(shown=None)


@st.fragment(run_every="1s")
def _count(ballot: str, store: VoteStore) -> None:
    """Say how many have answered, and nothing that would sway those who have not."""
    total = len(store.answers(ballot))
    end = "so far" if store.is_open(ballot) else "; the question is closed"
    st.text(f"{count_of(total, 'answer')} by phone {end}".replace(" ;", ";"), width="content")


def answers_chart(given: Iterable[str], correct: str) -> Block:
    """Return the answers as bars in their order, the most frequent ones; the correct one is ticked.

    Examples
    --------
    >>> answers_chart(["0.80", "0.86", "0.86"], "0.857")["rows"]
    [['0.80', 0.3333333333333333, '1 of 3', ''], ['0.86 ✓', 0.6666666666666666, '2 of 3', '']]
    """
    counts = Counter(given)
    total = counts.total()
    listed = sorted((value for value, _ in counts.most_common(MAX_ROWS)), key=float)
    numbered = [(f"{value} ✓" if is_same(value, correct) else value, counts[value]) for value in listed]
    rest = total - sum(count for _, count in numbered)
    rows = [*numbered, *([("other", rest)] if rest else [])]
    return scores(
        [(title, count / total, f"{count} of {total}", "") for title, count in rows],
        f"The class: {count_of(total, 'answer')}",
    )

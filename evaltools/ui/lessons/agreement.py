"""Agreement of the metrics with a class, and the votes: saving and deleting them."""

from __future__ import annotations

import csv
import io

import pandas as pd
import streamlit as st

import evaltools
from evaltools.charts.agreement import agreement_chart
from evaltools.classroom.lessons import Lesson
from evaltools.classroom.shelf import votes_stay
from evaltools.classroom.votes import CHOICES, Tally, VoteStore
from evaltools.classroom.worse_parse import JUDGES, Verdict, agreement, judges, verdicts_of
from evaltools.drawing.blocks import note
from evaltools.outputs.tables import safe_cell
from evaltools.text import count_of
from evaltools.ui.components.blocks import show_blocks
from evaltools.ui.lessons.ballot import reset_votes
from evaltools.ui.widgets.charting import chart

__all__ = ["agreement_view", "votes_csv", "votes_file"]

_MIN_WIDTH = 560
Asked = tuple[int, str, Tally, tuple[Verdict, ...]]
"""A question that was asked: step, title, votes and verdicts."""


@st.cache_resource(max_entries=32, show_spinner=False)
def _verdicts(_lesson: Lesson, ids: tuple[str, ...]) -> dict[str, tuple[Verdict, ...]]:
    return {vote.id: verdicts_of(*vote.align()) for _, vote in _lesson.votes}


def _asked(lesson: Lesson, store: VoteStore) -> list[Asked]:
    """Return every question of a lesson: its step, title, votes and verdicts."""
    verdicts = _verdicts(lesson, tuple(vote.id for _, vote in lesson.votes))
    tallies = store.tallies()
    return [
        (index + 1, lesson.steps[index].title, tallies.get(vote.id, Tally()), verdicts[vote.id])
        for index, vote in lesson.votes
    ]


def agreement_view(lesson: Lesson, name: str, store: VoteStore, *, whole: bool) -> None:
    """Show the agreement over all questions of a lesson; what is done with the votes is not on the full screen."""
    asked = _asked(lesson, store)
    answered = [item for item in asked if item[2].answer is not None]
    votes = sum(item[2].total for item in asked)
    if answered:
        judged = judges([vote for _, vote in lesson.votes])
        rows = [row for row in agreement([(tally, each) for _, _, tally, each in answered]) if row.metric in judged]
        description = "Share of the questions on which each metric agrees with the majority of the class."
        signature = (
            f"{len(answered)} questions, {votes} votes, lesson {name}; 95 % intervals of Wilson; "
            f"evaltools {evaltools.__version__}"
        )
        chart(
            agreement_chart(pd.DataFrame(rows)),
            key="agreement",
            description=description,
            signature=signature,
            min_width=_MIN_WIDTH,
        )
    tied = sum(item[2].total > 0 and item[2].answer is None for item in asked)
    if votes:
        summary = f"{len(answered)} of {len(asked)} questions have an answer; {count_of(votes, 'vote')}."
    else:
        summary = "No question has an answer yet."
    if tied:
        summary += f" Tied, so without an answer of the class: {count_of(tied, 'question')}."
    if answered:
        summary += " Bars are Wilson’s 95 % intervals over questions."
    if not votes_stay():
        summary += " The votes are kept only until the app is closed, because its folder is not writable."
    show_blocks(note(summary), key="agreement_note", large=True)
    if whole:
        return
    with st.container(horizontal=True):
        st.download_button(
            "Votes (CSV)",
            lambda: votes_file(lesson, store),
            f"votes-{name}.csv",
            "text/csv",
            icon=":material/download:",
            key="votes_csv",
            on_click="ignore",
        )
        with st.popover("Forget all votes", icon=":material/delete:", key="votes_reset"):
            st.text(f"This forgets {count_of(votes, 'vote')} on this lesson, for everybody.")
            st.button("Yes, forget them", key="votes_reset_sure", type="primary", on_click=reset_votes, args=(store,))


def votes_file(lesson: Lesson, store: VoteStore) -> bytes:
    """Write the votes on a lesson as they are now, as :func:`votes_csv` does."""
    return votes_csv(_asked(lesson, store)).encode("utf-8")


def votes_csv(asked: list[Asked]) -> str:
    """Write the votes on every question and the verdicts of the metrics.

    Examples
    --------
    >>> print(votes_csv([(2, "High or low", Tally(3, 1, 0), ())]).splitlines()[1])
    2,High or low,3,1,0,a
    """
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    metrics = [metric for metric in JUDGES if asked and asked[0][3]]
    writer.writerow(["step", "question", *(f"votes_{choice}" for choice in CHOICES), "class", *metrics])
    for step, title, tally, verdicts in asked:
        counts = [getattr(tally, choice) for choice in CHOICES]
        writer.writerow(
            [step, safe_cell(title), *counts, tally.answer or "", *(verdict.worse or "" for verdict in verdicts)]
        )
    return file.getvalue()

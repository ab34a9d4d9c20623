"""How often each metric has agreed with a class, the votes as a file, and a fresh start."""

from __future__ import annotations

import csv
import io

import streamlit as st

import evaltools
from evaltools.analysis.lessons import Lesson
from evaltools.analysis.votes import CHOICES, Tally, VoteStore
from evaltools.analysis.worse_parse import JUDGES, Verdict, agreement, verdicts_of
from evaltools.charts.agreement import agreement_chart
from evaltools.reports.csv_cells import safe_cell
from evaltools.ui.ballot_view import reset_votes
from evaltools.ui.charting import chart
from evaltools.ui.lesson_shelf import votes_stay
from evaltools.ui.plain import note, plain

__all__ = ["agreement_view", "votes_csv", "votes_file"]

_NARROWEST = 560
Asked = tuple[int, str, Tally, tuple[Verdict, ...]]


@st.cache_resource(max_entries=32, show_spinner=False)
def _verdicts(_lesson: Lesson, ids: tuple[str, ...]) -> dict[str, tuple[Verdict, ...]]:
    return {vote.id: verdicts_of(*vote.align()) for _, vote in _lesson.votes}


def _asked(lesson: Lesson, store: VoteStore) -> list[Asked]:
    """Return every question of a lesson: its step, title, votes and verdicts."""
    verdicts = _verdicts(lesson, tuple(vote.id for _, vote in lesson.votes))
    tallies = store.tallies()
    return [
        (place + 1, lesson.steps[place].title, tallies.get(vote.id, Tally()), verdicts[vote.id])
        for place, vote in lesson.votes
    ]


def agreement_view(lesson: Lesson, name: str, store: VoteStore) -> None:
    """Show the agreement over all questions of a lesson.

    Parameters
    ----------
    lesson : Lesson
        The lesson.
    name : str
        Its name in links.
    store : VoteStore
        Its votes.
    """
    asked = _asked(lesson, store)
    answered = [one for one in asked if one[2].answer is not None]
    votes = sum(one[2].total for one in asked)
    if answered:
        rows = agreement([(tally, found) for _, _, tally, found in answered])
        says = "Share of the questions on which each metric says what most of the class say."
        signature = (
            f"{len(answered)} questions, {votes} votes, lesson {name}; 95 % intervals of Wilson; "
            f"evaltools {evaltools.__version__}"
        )
        chart(agreement_chart(rows), key="agreement", says=says, signature=signature, narrowest=_NARROWEST)
    said = f"{len(answered)} of {len(asked)} questions have an answer; {votes} votes."
    said += " Bars are Wilson’s 95 % intervals over questions."
    if not votes_stay():
        said += " The votes are kept only until the app is closed, since its folder cannot be written."
    plain(note(said if answered else f"No question has an answer yet. {said}"), key="agreement_note")
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
            st.text(f"This forgets all {votes} votes on this lesson, for everybody.")
            st.button("Yes, forget them", key="votes_reset_sure", type="primary", on_click=reset_votes, args=(store,))


def votes_file(lesson: Lesson, store: VoteStore) -> bytes:
    """Write the votes on a lesson as they are now, as :func:`votes_csv` does.

    Parameters
    ----------
    lesson : Lesson
        The lesson.
    store : VoteStore
        Its votes.
    """
    return votes_csv(_asked(lesson, store)).encode("utf-8")


def votes_csv(asked: list[Asked]) -> str:
    """Write the votes on every question and the verdicts of the metrics.

    Parameters
    ----------
    asked : list of (int, str, Tally, tuple of Verdict)
        Step, title, votes, verdicts.

    Examples
    --------
    >>> print(votes_csv([(2, "High or low", Tally(3, 1, 0), ())]).splitlines()[1])
    2,High or low,3,1,0,a
    """
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    metrics = [metric for metric in JUDGES if asked and asked[0][3]]
    writer.writerow(["step", "question", *(f"votes_{choice}" for choice in CHOICES), "class", *metrics])
    for step, title, tally, found in asked:
        counts = [getattr(tally, choice) for choice in CHOICES]
        writer.writerow([step, safe_cell(title), *counts, tally.answer or "", *(one.worse or "" for one in found)])
    return file.getvalue()

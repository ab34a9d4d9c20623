"""What a class does before a step shows numbers and verdicts: tasks, votes, answers by phone; and agreement."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial

import pandas as pd
import streamlit as st

import evaltools
from evaltools.app.components.blocks import show_blocks
from evaltools.app.lessons.phones import attempt
from evaltools.app.session import state
from evaltools.app.widgets.saving import chart
from evaltools.blocks import Block, Table, answer, note, scores, steps, table
from evaltools.charts.intervals import agreement_chart
from evaltools.classroom.lessons import Lesson, Step
from evaltools.classroom.material import TreePair, Vote
from evaltools.classroom.shelf import votes_stay
from evaltools.classroom.votes import CHOICES, MAX_HANDS, Tally, VoteStore
from evaltools.classroom.worse_parse import JUDGES, Verdict, agreement, judges, verdicts_of
from evaltools.frameworks.registry import METRICS
from evaltools.marks import Status
from evaltools.outputs.lessons import bracket_rows
from evaltools.outputs.tables import safe_cell
from evaltools.text import capitalized, count_of, decimals

MAX_ROWS = 5
"""Maximum number of different answers of a class that are shown."""
LINE = 34.0
"""Height of a row of a table on a slide of 1280 by 720 pixels."""
_SAME = 0.005 + 1e-9
"""Numbers that differ from a score by no more are correct: they have two decimals."""

_SIDES = {
    "missing": ("gold", "Brackets of the gold tree"),
    "spurious": ("test", "Brackets of the parse"),
}


def task_view(step: Step, numbers: Mapping[str, str], key: str, *, revealed: bool) -> None:
    """Show the task of a step, and after it what was answered beside what is correct.

    Parameters
    ----------
    step : Step
        The step.
    numbers : mapping of str to str
        Its figures.
    key : str
        The key of its answer in the session.
    revealed : bool
        Whether the solution is shown.
    """
    if step.task is None or step.task.kind == "hide":
        return
    if step.task.kind == "click":
        _click(step, key, revealed=revealed)
        return
    known = f"{key}_value"
    if revealed:
        _compare(step.task.figure, st.session_state.get(known), numbers)
        return
    is_count = step.task.kind == "count"
    value = st.number_input(
        "Your count" if is_count else "Your number, from 0 to 1",
        min_value=0 if is_count else 0.0,
        max_value=None if is_count else 1.0,
        value=st.session_state.get(known),
        step=1 if is_count else 0.05,
        key=f"{key}_input",
        width=260,
    )
    st.session_state[known] = value


def task_height(step: Step) -> float:
    """Return about how high what a task shows after the answer is, in pixels of a slide."""
    lines = 1.0
    if step.task is not None and step.task.kind == "click" and isinstance(step.material, TreePair):
        side, _ = _SIDES[step.task.figure]
        lines += len(bracket_rows(step.material.align(), side)) + 1
    return LINE * lines


def choose_bracket(key: str, index: int) -> None:
    """Keep which bracket was clicked, in the list or in the tree."""
    st.session_state[key] = index


def chosen_bracket(key: str) -> int | None:
    """Return the bracket that was clicked last."""
    chosen = st.session_state.get(key)
    return chosen if isinstance(chosen, int) else None


def _compare(figure: str, value: float | None, numbers: Mapping[str, str]) -> None:
    """Say whether what was typed in is the figure, which the answer gives."""
    if value is None:
        return
    given = decimals(value) if figure in METRICS else f"{value}"
    verdict = "Correct." if is_same(given, numbers[figure]) else f"Correct is {numbers[figure]}."
    show_blocks(answer(f"Your number: {given}. {verdict}"), key="task_result", large=True)


def is_same(value: str, correct: str) -> bool:
    """Return whether a number is a count, or a score to two decimals.

    Examples
    --------
    >>> is_same("0.86", "0.857"), is_same("0.8", "0.857"), is_same("5", "5"), is_same("0.5", "–")
    (True, False, True, False)
    """
    try:
        return abs(float(value) - float(correct)) <= _SAME
    except ValueError:  # an undefined score
        return False


def _click(step: Step, key: str, *, revealed: bool) -> None:
    """List the brackets of a tree to click; their status is shown afterwards."""
    if step.task is None or not isinstance(step.material, TreePair):
        return
    side, heading = _SIDES[step.task.figure]
    rows = bracket_rows(step.material.align(), side)
    listed = [(str(status if revealed else Status.RIGHT), text) for text, status in rows]
    chosen = chosen_bracket(key)
    show_blocks(
        steps(listed, heading, chosen),
        key="task_brackets",
        on_step=None if revealed else partial(choose_bracket, key),
        large=True,
    )
    if revealed and chosen is not None and chosen < len(rows):
        wrong = rows[chosen][1] is not Status.RIGHT
        show_blocks(answer("Your bracket is not matched." if wrong else "Your bracket is matched."), key="task_result")


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


def class_result(tally: Tally) -> Table:
    """Return the votes of a class as bars.

    Examples
    --------
    >>> result = class_result(Tally(3, 1))
    >>> result.title, result.rows[0]
    ('The class: 4 votes', ('A is worse', 0.75, '3 of 4', ''))
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
    return replace(class_result(store.tally(question.id)), file_title="Votes of the class")


def metric_verdicts(question: Vote, store: VoteStore) -> Block:
    """Show the verdict of every metric with its reasons, and how many agree with the class."""
    tally = store.tally(question.id)
    judged = judges([question])
    found = [item for item in verdicts_of(*question.align()) if item.metric in judged]
    rows = [_row(item) for item in found]
    marked = {at for at, item in enumerate(found) if tally.answer is not None and item.worse == tally.answer}
    agreed = sum(item.worse == tally.answer for item in found)
    value = class_line(tally)
    if tally.answer:
        value += f" {agreed} of {len(found)} metrics agree."
    head = ("metric", "worse", "A", "B", "what is wrong with A", "what is wrong with B")
    listed = table(head, rows, numbers=(2, 3), marked=marked)
    show_blocks(note(value), listed, key="verdicts", large=True)
    return replace(listed, file_title="Verdicts of the metrics")


def _row(one: Verdict) -> tuple[str, ...]:
    metric = METRICS[one.metric]
    a, b = (metric.text(score, whole=True) for score in (one.a, one.b))
    return metric.title, _WORSE.get(one.worse or "", "–"), a, b, one.reason_a, one.reason_b


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
        _count_answers(step.ballot, store)
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
def _count_answers(ballot: str, store: VoteStore) -> None:
    """Say how many have answered, and nothing that would sway those who have not."""
    total = len(store.answers(ballot))
    end = "so far" if store.is_open(ballot) else "; the question is closed"
    st.text(f"{count_of(total, 'answer')} by phone {end}".replace(" ;", ";"), width="content")


def answers_chart(given: Iterable[str], correct: str) -> Block:
    """Return the answers as bars in their order, the most frequent ones; the correct one is ticked.

    Examples
    --------
    >>> answers_chart(["0.80", "0.86", "0.86"], "0.857").rows
    [('0.80', 0.3333333333333333, '1 of 3', ''), ('0.86 ✓', 0.6666666666666666, '2 of 3', '')]
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

"""What a class does before a step shows numbers and verdicts: tasks, votes, answers by phone; and agreement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import streamlit as st

from evaltools.app.components.blocks import show_blocks
from evaltools.app.lessons.phones import answered_by, attempt, show_join
from evaltools.app.session import state
from evaltools.blocks import Table, answer, note, scores, steps, table
from evaltools.classroom import shelf
from evaltools.classroom.lessons import Lesson, Step
from evaltools.classroom.material import TreePair, Vote
from evaltools.classroom.questions import Poll, read_number
from evaltools.classroom.votes import MAX_HANDS, class_store, leading
from evaltools.classroom.worse_parse import Verdict, agreement, verdicts
from evaltools.errors import ParameterError
from evaltools.frameworks.registry import METRICS
from evaltools.marks import Status
from evaltools.outputs.lessons import bracket_rows
from evaltools.text import capitalized, count_of

_MAX_ROWS = 4
"""Maximum number of different numbers of a class that are shown."""
LINE = 34.0
"""Height of a row of a table on a slide of 1280 by 720 pixels."""
_BUTTONS, _CODE = 1.5, 4.5
"""Height of the options, and of the code of the link, in such rows."""

_SIDES = {
    "missing": ("gold", "Brackets of the gold tree"),
    "spurious": ("test", "Brackets of the parse"),
}


def task_view(
    step: Step, question: Poll | None, key: str, me: str, *, revealed: bool, with_result: bool = True
) -> None:
    """Show the task of a step, and after it what was answered, here and by the class.

    Parameters
    ----------
    step : Step
        The step.
    question : Poll or None
        What phones are asked.
    key : str
        The key of its answer in the session.
    me : str
        The random name of this window.
    revealed : bool
        Whether the solution is shown.
    with_result : bool
        Whether the answers of the class are shown then.
    """
    if step.task is not None and step.task.kind == "click":
        _click(step, key, revealed=revealed)
    if question is None:
        return
    if not question.options:
        _number(question, key, revealed=revealed)
    given = shelf.ballots().counts(step.ballot)
    if revealed and with_result and given:
        show_blocks(class_result(question, given), key="class_result", large=True)
    if not isinstance(step.material, Vote):  # its buttons are below the trees
        answer_bar(step, question, me, revealed=revealed)


def task_height(step: Step, question: Poll | None, *, revealed: bool) -> float:
    """Return about how high what a task shows below the text is, in pixels of a slide."""
    lines = 1.0
    if step.task is not None and step.task.kind == "click" and isinstance(step.material, TreePair):
        lines += len(bracket_rows(step.material.align(), _SIDES[step.task.figure][0])) + 1
    if question is not None:
        lines += _BUTTONS
    if question is not None and not revealed and class_store() is not None:
        lines += _CODE
    if question is not None and revealed and (given := shelf.ballots().counts(step.ballot)):
        lines += len(question.options) or min(len(given), _MAX_ROWS + 1) + 1
    return LINE * lines


def choose_bracket(key: str, index: int) -> None:
    """Keep which bracket was clicked, in the list or in the tree."""
    st.session_state[key] = index


def chosen_bracket(key: str) -> int | None:
    """Return the bracket that was clicked last."""
    chosen = st.session_state.get(key)
    return chosen if isinstance(chosen, int) else None


def _number(question: Poll, key: str, *, revealed: bool) -> None:
    """Ask for a number; say afterwards whether it is right."""
    known = f"{key}_value"
    if not revealed:
        label = "Your number, such as 67 %, 0.67 or 2/3" if question.is_score else "Your count"
        value = st.text_input(label, st.session_state.get(known, ""), key=f"{key}_input", width=320)
        st.session_state[known] = value
        return
    written = str(st.session_state.get(known, ""))
    if not written.strip():
        return
    try:
        given = read_number(written, is_score=question.is_score)
    except ParameterError as error:
        show_blocks(answer(f"Your number: {error}."), key="task_result", large=True)
        return
    verdict = "Right." if question.is_right(given) else f"Not right: it is {question.shown(question.correct)}."
    show_blocks(answer(f"Your number: {question.shown(given)}. {verdict}"), key="task_result", large=True)


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


def answer_bar(step: Step, question: Poll, me: str, *, revealed: bool) -> None:
    """Show the options as buttons, how many have answered, and where a show of hands is typed in."""
    ballots, asked = shelf.ballots(), step.ballot
    mine, is_open = ballots.answers(asked).get(me), ballots.is_open(asked)
    with st.container(horizontal=True, key="lesson_choices", vertical_alignment="center"):
        for number, (option, title) in enumerate(question.options.items() if is_open and not revealed else (), start=1):
            st.button(
                capitalized(title),
                key=f"vote_{option}",
                type="primary" if mine == option else "secondary",
                shortcut=str(number),
                on_click=attempt,
                args=(partial(ballots.vote, asked, me, option),),
            )
        if not is_open:
            st.button("Reopen", key="vote_again", icon=":material/replay:", on_click=_reopen, args=(asked,),
                      help="Take answers again; those that were given can be changed.")  # fmt: skip
        if question.options:
            with st.popover("Show of hands", icon=":material/back_hand:", key="hands"):
                _hands(question, asked)
        if question.options or class_store() is not None:
            _count(asked, question, me)


def _reopen(asked: str) -> None:
    """Let the class change its answers, and hide the answer."""
    attempt(partial(shelf.ballots().reopen, asked))
    state.put(shown=None)


@st.fragment(run_every="1s")
def _count(asked: str, question: Poll, me: str) -> None:
    """Say how many have answered, and nothing that would sway those who have not."""
    ballots = shelf.ballots()
    given = ballots.answers(asked)
    value = f"You: {question.shown(given[me])}. " if me in given else ""
    end = " so far" if ballots.is_open(asked) else "; the question is closed"
    total = len(given) + ballots.hands_of(asked).total()
    st.text(f"{value}{answered_by(total)}{end}", width="content")


def _hands(question: Poll, asked: str) -> None:
    ballots = shelf.ballots()
    known = ballots.hands_of(asked)
    with st.form("hands_form", border=False):
        numbers = {
            option: st.number_input(
                capitalized(title),
                min_value=0,
                max_value=MAX_HANDS,
                value=min(known[option], MAX_HANDS),
                key=f"hands_{asked}_{option}",
            )
            for option, title in question.options.items()
        }
        if st.form_submit_button("Save these numbers"):
            attempt(partial(ballots.hands, asked, {option: int(number) for option, number in numbers.items()}))
            st.rerun()


def class_line(question: Poll, counts: Mapping[str, int]) -> str:
    """Return what most of a class have answered.

    Examples
    --------
    >>> vote = Poll("Which parse is worse?", options={"a": "A is worse", "b": "B is worse"})
    >>> class_line(vote, {"a": 5, "b": 2}), class_line(vote, {}), class_line(vote, {"a": 1, "b": 1})
    ('Most say: A is worse.', 'No votes yet.', 'It is a tie.')
    """
    if not any(counts.values()):
        return "No votes yet."
    most = leading(counts)
    if most is None:
        return "It is a tie."
    return f"{'One vote' if sum(counts.values()) == 1 else 'Most say'}: {question.shown(most)}."


def class_result(question: Poll, counts: Mapping[str, int]) -> Table:
    """Return the answers of a class as bars: all options, or the most frequent numbers; a right one is ticked.

    Examples
    --------
    >>> number = Poll("Predict F1.", is_score=True, correct="85.71")
    >>> class_result(number, {"80.00": 1, "86.00": 2}).rows
    [('80.00 %', 0.3333333333333333, '1 of 3', ''), ('86.00 % ✓', 0.6666666666666666, '2 of 3', '')]
    """
    total = sum(counts.values())
    listed = list(question.options) or sorted(sorted(counts, key=lambda each: -counts[each])[:_MAX_ROWS], key=float)
    rows = [
        (
            capitalized(question.shown(each)) + (" ✓" if question.correct and question.is_right(each) else ""),
            counts.get(each, 0),
        )
        for each in listed
    ]
    if rest := total - sum(number for _, number in rows):
        rows.append(("other", rest))
    return scores(
        [(title, number / total if total else 0.0, f"{number} of {total}", "") for title, number in rows],
        f"The class: {count_of(total, 'answer')}",
    )


def join_view(step: Step, *, begins: bool = False) -> None:
    """Show how phones join, while they can answer, and before the first question."""
    is_asked = bool(step.ballot) and shelf.ballots().is_open(step.ballot)
    if class_store() is not None and (begins or is_asked):
        show_join("Vote" if isinstance(step.material, Vote) else "Answer")


def metric_verdicts(vote: Vote, question: Poll) -> Table:
    """Show the verdict of every metric with its reasons, and how many agree with the class."""
    counts = shelf.ballots().counts(vote.id)
    most = leading(counts)
    judged = verdicts(*vote.align())
    value = class_line(question, counts)
    if most:
        value += f" {sum(verdict.worse == most for verdict in judged)} of {len(judged)} metrics agree."
    head = ("metric", "worse", "A", "B", "what is wrong with A", "what is wrong with B")
    marked = {index for index, verdict in enumerate(judged) if most is not None and verdict.worse == most}
    listed = table(head, list(map(_row, judged)), numbers=(2, 3), marked=marked)
    show_blocks(note(value), listed, key="verdicts", large=True)
    return replace(listed, file_title="Verdicts of the metrics")


def _row(verdict: Verdict) -> tuple[str, ...]:
    metric = METRICS[verdict.metric]
    a, b = (metric.text(score, sign=True, whole=True) for score in (verdict.a, verdict.b))
    worse = {"a": "A", "b": "B", "equal": "equal"}.get(verdict.worse or "", "–")
    return metric.title, worse, a, b, verdict.reason_a, verdict.reason_b


def agreement_view(lesson: Lesson) -> None:
    """Show on how many questions of a lesson each metric agrees with most of the class."""
    ballots = shelf.ballots()
    asked = [(ballots.counts(vote.id), verdicts(*vote.align())) for _, vote in lesson.votes]
    answered = sum(leading(counts) is not None for counts, _ in asked)
    rows = [
        (METRICS[metric].title, agreed / questions, f"{agreed} of {questions}", "")
        for metric, (agreed, questions) in agreement(asked).items()
        if questions
    ]
    tied = sum(any(counts.values()) and leading(counts) is None for counts, _ in asked)
    summary = f"{answered} of {len(asked)} questions have an answer." if answered else "No question has an answer yet."
    if tied:
        summary += f" Tied, so without an answer of the class: {count_of(tied, 'question')}."
    shown = [scores(rows, "Questions on which each metric agrees with the class")] if rows else []
    show_blocks(*shown, note(summary), key="agreement", large=True)

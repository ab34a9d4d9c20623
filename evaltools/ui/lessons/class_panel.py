"""Voting by phone, as the teacher sees it: the address, its QR code, who has a vote, and phones that follow."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial

import msgspec
import streamlit as st

from evaltools.classroom.lessons import Lesson, Step
from evaltools.classroom.material import Vote
from evaltools.classroom.questions import Number, Question, TreeExercise, WorseParse
from evaltools.classroom.votes import ClassState, ClassStore, VoteStore, class_store
from evaltools.ui.lessons.phones import ask_students, attempt, show_command, show_join, show_large_code, show_link

_BEGIN = "Let phones vote"


@dataclass(frozen=True, slots=True)
class ClassPanel:
    """The class that follows a lesson by phone, as one browser sees it."""

    me: str  # Random name of this browser
    name: str  # Name of the lesson
    lesson: Lesson
    votes: VoteStore
    number: int  # Index of the step that is shown
    is_shown: bool  # Whether the verdicts are shown

    @property
    def _store(self) -> ClassStore | None:
        return class_store()

    @property
    def leads(self) -> bool:
        """Whether phones follow this browser."""
        return self._now() is not None

    def follow(self) -> None:
        """Have phones show the step, if they follow this browser; showing the verdicts closes the ballot."""
        now, ballot = self._now(), self._step.ballot
        if ballot and self.is_shown and (now is not None or self.votes.tally(ballot).total):
            attempt(lambda: self.votes.close(ballot))
        if now is not None:
            self._show(now)

    def join(self) -> None:
        """Show the link as a QR code, beside a ballot that is projected."""
        if self.leads:
            show_join("Vote" if isinstance(self._step.material, Vote) else "Answer")

    def show_code(self) -> bool:
        """Fill the window with the code of the link; return whether phones follow this browser."""
        if self.leads:
            show_large_code()
        return self.leads

    def draw(self) -> None:
        """Show where voting by phone begins and ends, or why phones cannot vote."""
        with st.popover("Phones", icon=":material/qr_code_2:", key="phones"):
            store, now = self._store, self._now()
            if store is None:
                show_command("vote", "Alternatively, take a show of hands and enter the numbers.")
            elif now is not None:
                self._details(store)
            elif (exercise := self._exercise()) is not None:
                st.text(f"Phones show the exercise “{exercise.lesson}”.")
                st.button(_BEGIN, key="phones_begin", type="primary", on_click=self._show, args=(exercise,))
            else:
                self._offer(store)

    def _offer(self, store: ClassStore) -> None:
        st.text("Phones in the same network show what you ask: two parses to vote on, or a number to enter.")
        begin = partial(self._begin, store, ask_students(store))
        st.button(_BEGIN, key="phones_begin", type="primary", on_click=attempt, args=(begin,))

    def _details(self, store: ClassStore) -> None:
        st.text("Phones show what you ask. They may answer until you show the answer or the result.")
        st.button("Disconnect the phones", key="phones_end", on_click=attempt, args=(store.end,))
        show_link()

    def _begin(self, store: ClassStore, students: int) -> None:
        """Have phones follow this browser."""
        self.votes.discard_unused()
        blank = ClassState(self.me, self.lesson.title, str(self.votes.path), students)
        store.show(blank)
        self._show(blank)

    def _show(self, now: ClassState) -> None:
        """Write what phones show, if it is not that already."""
        step, store = self._step, self._store
        question = phone_question(step)
        state = ClassState(now.leader, self.lesson.title, str(self.votes.path), now.students)
        if question is not None:
            if not self.is_shown:
                attempt(lambda: self.votes.open(step.ballot))
            content = msgspec.json.encode(question).decode()
            state = msgspec.structs.replace(state, question=step.ballot, kind=question.kind, content=content)
        if store is not None and state != store.now():
            attempt(lambda: store.show(state))

    def _led(self) -> ClassState | None:
        """Return what phones show, if they follow this browser, be it a lesson or an exercise."""
        now = self._store.now() if self._store is not None else None
        return now if now is not None and now.leader == self.me else None

    def _now(self) -> ClassState | None:
        """Return what phones show, if they follow this browser; an exercise keeps them until the teacher says so."""
        now = self._led()
        return now if now is not None and now.kind != TreeExercise.kind else None

    def _exercise(self) -> ClassState | None:
        """Return what phones show if it is an exercise of this browser."""
        return self._led() if self._now() is None else None

    @property
    def _step(self) -> Step:
        return self.lesson.steps[self.number]


def phone_question(step: Step) -> Question | None:
    """Return the question that phones answer; None if the step has none."""
    if isinstance(step.material, Vote):
        return WorseParse(step.material.gold, step.material.a, step.material.b)
    if step.ballot and step.task is not None:
        return Number(re.sub(r"[*`]", "", step.question or step.title), step.task.kind == "predict")
    return None

"""Voting by phone, as the teacher sees it: the address, its QR code, who has a vote, and phones that follow."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import msgspec
import streamlit as st

from evaltools.classroom.class_state import Admission, ClassState, ClassStore, class_store
from evaltools.classroom.lessons import Lesson, Material, Vote
from evaltools.classroom.votes import VoteStore
from evaltools.phones.questions import Question, WorseParse
from evaltools.ui.lessons.phones import (
    ask_admission,
    attempt,
    codes_of,
    show_command,
    show_join,
    show_large_code,
    show_link,
)

__all__ = ["ClassPanel"]


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
        now, question = self._now(), self._vote
        if question is not None and self.is_shown and (now is not None or self.votes.tally(question.id).total):
            attempt(lambda: self.votes.close(question.id))
        if now is not None:
            self._show(now)

    def join(self) -> None:
        """Show the link as a QR code, beside a ballot that is projected."""
        now = self._now()
        if now is not None:
            show_join(now)

    def show_code(self) -> bool:
        """Fill the window with the code of the link; return whether phones follow this browser."""
        now = self._now()
        if now is not None:
            show_large_code(now)
        return now is not None

    def draw(self) -> None:
        """Show where voting by phone begins and ends, or why phones cannot vote."""
        with st.popover("Phones", icon=":material/qr_code_2:", key="phones"):
            store, now = self._store, self._now()
            if store is None:
                show_command("vote", "Alternatively, take a show of hands and enter the numbers.")
            elif now is None:
                self._offer(store)
            else:
                self._details(store, now)

    def _offer(self, store: ClassStore) -> None:
        st.text("Phones in the same network show the two parses that you show, and vote on them.")
        admission, students = ask_admission(store)
        begin = partial(self._begin, store, admission, students)
        st.button("Let phones vote", key="phones_begin", type="primary", on_click=attempt, args=(begin,))

    def _details(self, store: ClassStore, now: ClassState) -> None:
        show_link(now, self.lesson.title, self.name)
        st.text("Phones show what you show. They may vote until you show the verdicts.")
        st.button("End the vote by phone", key="phones_end", on_click=attempt, args=(store.end,))

    def _begin(self, store: ClassStore, admission: Admission, students: int) -> None:
        """Have phones follow this browser."""
        self.votes.discard_unused()
        store.admit(codes_of(students) if admission == "code" else [])
        blank = ClassState(self.me, self.lesson.title, str(self.votes.path), admission, students)
        store.show(blank)
        self._show(blank)

    def _show(self, now: ClassState) -> None:
        """Write what phones show, if it is not that already."""
        vote, store = self._vote, self._store
        question = _phone_question(vote)
        state = ClassState(now.leader, self.lesson.title, str(self.votes.path), now.admission, now.students)
        if vote is not None and question is not None:
            if not self.is_shown:
                attempt(lambda: self.votes.open(vote.id))
            content = msgspec.json.encode(question).decode()
            ballot = self.votes.ballot(vote.id)
            state = msgspec.structs.replace(
                state, question=vote.id, round=ballot.round, kind=question.kind, content=content
            )
        if store is not None and state != store.now():
            attempt(lambda: store.show(state))

    def _now(self) -> ClassState | None:
        """Return what phones show, if they follow this browser."""
        now = self._store.now() if self._store is not None else None
        return now if now is not None and now.leader == self.me else None

    @property
    def _vote(self) -> Vote | None:
        material = self.lesson.steps[self.number].material
        return material if isinstance(material, Vote) else None


def _phone_question(material: Material | None) -> Question | None:
    """Return the question that phones answer."""
    if isinstance(material, Vote):
        return WorseParse(material.gold, material.a, material.b)
    return None

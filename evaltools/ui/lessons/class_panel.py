"""Voting by phone, as the teacher sees it: the address, its QR code, who has a vote, and phones that follow."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import msgspec
import streamlit as st

from evaltools.classroom.class_state import (
    PHONES_URL,
    TEACHER,
    Admission,
    ClassState,
    ClassStore,
    class_codes,
    class_store,
)
from evaltools.classroom.lessons import Lesson, Material, Vote
from evaltools.classroom.votes import VoteStore
from evaltools.drawing.blocks import answer, note, picture
from evaltools.drawing.qr import qr_svg
from evaltools.phones.questions import Question, WorseParse
from evaltools.runs.sample import app_folder
from evaltools.ui.components.blocks import show_blocks
from evaltools.ui.lessons.code_sheet import code_sheet

__all__ = ["ClassPanel", "command"]

_LARGE, _SMALL = 8, 4
"""Pixels of a module of the code: to be read from the last row, and beside two parses."""
_MAX_STUDENTS = 500
_ADMISSIONS: dict[Admission, str] = {"device": "Each device", "code": "Each one-time code of a printed sheet"}
_HELP = (
    "Devices are known by a cookie; whoever deletes it can vote again, up to the number of students for each network "
    "address. A one-time code admits one device."
)


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
            _try(lambda: self.votes.close(question.id))
        if now is not None:
            self._show(now)

    def join(self) -> None:
        """Show the link as a QR code, beside a ballot that is projected."""
        now = self._now()
        if now is None:
            return
        left, right = st.columns([2, 5], vertical_alignment="center")
        link = _phones_url()
        with left:
            show_blocks(picture(qr_svg(link, _SMALL)), key="join_code")
        with right:
            title = "Vote with your phone and your code:" if now.admission == "code" else "Vote with your phone:"
            show_blocks(answer(title), note(link), key="join_link", large=True)

    def draw(self) -> None:
        """Show where voting by phone begins and ends, or why phones cannot vote."""
        with st.popover("Phones", icon=":material/qr_code_2:", key="phones"):
            store, now = self._store, self._now()
            if store is None:
                st.text(
                    "This app was started without phones. To let the class vote on their own devices, start it with"
                )
                st.code(command(), language=None)
                st.text(
                    "in a network that you share with the class. Phones then reach the ballots, and not the app. "
                    "Alternatively, take a show of hands and enter the numbers."
                )
            elif now is None:
                self._offer(store)
            else:
                self._details(store, now)

    def _offer(self, store: ClassStore) -> None:
        st.text("Phones in the same network show the two parses that you show, and vote on them.")
        if store.now() is not None:
            st.text("They currently follow another browser.")
        admission = st.radio(
            "Who has one vote",
            list(_ADMISSIONS),
            format_func=lambda name: _ADMISSIONS[name],
            key="phones_admission",
            help=_HELP,
        )
        students = st.number_input(
            "Number of students", min_value=1, max_value=_MAX_STUDENTS, value=40, key="phones_students"
        )
        begin = partial(self._begin, store, admission, int(students))
        st.button("Let phones vote", key="phones_begin", type="primary", on_click=_try, args=(begin,))

    def _details(self, store: ClassStore, now: ClassState) -> None:
        link = _phones_url()
        show_blocks(picture(qr_svg(link, _LARGE)), key="phones_code")
        st.code(link, language=None, wrap_lines=True)
        if now.admission == "code":
            st.text(f"Print the sheet and cut it up: each of its {now.students} codes has one vote.")
            st.download_button(
                "Sheet of codes (HTML)",
                lambda: code_sheet(link, class_codes(_secret(), now.students), f"Codes: {self.lesson.title}"),
                f"codes-{self.name}.html",
                "text/html",
                icon=":material/download:",
                key="phones_sheet",
                on_click="ignore",
            )
        else:
            st.text("Each device has one vote.")
        st.text("Phones show what you show. They may vote until you show the verdicts.")
        st.button("End the vote by phone", key="phones_end", on_click=_try, args=(store.end,))

    def _begin(self, store: ClassStore, admission: Admission, students: int) -> None:
        """Have phones follow this browser."""
        self.votes.discard_unused()
        store.admit(class_codes(_secret(), students) if admission == "code" else [])
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
                _try(lambda: self.votes.open(vote.id))
            content = msgspec.json.encode(question).decode()
            ballot = self.votes.ballot(vote.id)
            state = msgspec.structs.replace(
                state, question=vote.id, round=ballot.round, kind=question.kind, content=content
            )
        if store is not None and state != store.now():
            _try(lambda: store.show(state))

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


def command() -> str:
    """Return the command that starts the app with phones, as the reader has installed it."""
    return "make class" if (app_folder() / "Makefile").is_file() else "evaltools class"


def _secret() -> str:
    return os.environ.get(TEACHER, "")


def _phones_url() -> str:
    return os.environ.get(PHONES_URL, "")


def _try(write: Callable[[], None]) -> None:
    try:
        write()
    except OSError as error:
        st.toast(f"Phones cannot follow: {error.strerror or error}", icon=":material/error:")

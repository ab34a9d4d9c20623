"""Phones of a class, as the teacher sees them: how they join a lesson or an exercise, and what they show."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import msgspec
import streamlit as st

from evaltools.app.components.blocks import show_blocks
from evaltools.app.lessons.layout import apply_projection
from evaltools.app.session import state
from evaltools.blocks import Picture, answer, note
from evaltools.classroom.exercises import Exercise, Item
from evaltools.classroom.lessons import Lesson, Step
from evaltools.classroom.material import Vote
from evaltools.classroom.questions import Number, Question, TreeExercise, WorseParse
from evaltools.classroom.shelf import question_of
from evaltools.classroom.votes import PHONES_URL, ClassState, ClassStore, VoteStore, class_store
from evaltools.corpus import Kind
from evaltools.drawing.qr import qr_svg
from evaltools.runs.locations import app_folder

_LARGE, _SMALL = 8, 4
"""Pixels of a module of the code: to be read from the last row, and beside what is projected."""
_FIT = 76
"""How much of the window's height the code may take, in hundredths."""
_MAX_STUDENTS = 500
_HELP = (
    "Devices are known by a cookie; whoever deletes it can vote again, up to the number of students for each network "
    "address."
)


def command() -> str:
    """Return the command that starts the app with phones, as the reader has installed it."""
    return "make class" if (app_folder() / "Makefile").is_file() else "evaltools class"


def phones_url() -> str:
    """Return the address that phones open."""
    return os.environ.get(PHONES_URL, "")


def attempt(write: Callable[[], object]) -> None:
    """Write what phones show, or say why that cannot be."""
    try:
        write()
    except OSError as error:
        st.toast(f"Phones cannot follow: {error.strerror or error}", icon=":material/error:")


def show_command(what: str, instead: str = "") -> None:
    """Say which command starts the app with phones."""
    st.text(f"This app was started without phones. To let the class {what} on their own devices, start it with")
    st.code(command(), language=None)
    st.text(
        "in a network that you share with the class. Phones then reach the ballots, and not the app."
        f"{f' {instead}' if instead else ''}"
    )


def ask_students(store: ClassStore) -> int:
    """Ask how many students there are."""
    if store.now() is not None:
        st.text("They currently follow another browser.")
    number = st.number_input(
        "Number of students", min_value=1, max_value=_MAX_STUDENTS, value=40, key="phones_students", help=_HELP
    )
    return int(number)


def show_link(what: str = "vote") -> None:
    """Show the link with its large code."""
    link = phones_url()
    st.text(f"Each device has one {what}.")
    show_blocks(Picture("", svg=qr_svg(link, _LARGE)), key="phones_code")
    st.code(link, language=None, wrap_lines=True)
    _enlarge("phones_enlarge")


def show_join(what: str = "Vote") -> None:
    """Show the link with a small code, beside what is projected."""
    left, right = st.columns([2, 5], vertical_alignment="center")
    link = phones_url()
    with left:
        show_blocks(Picture("", svg=qr_svg(link, _SMALL)), key="join_code")
    with right:
        show_blocks(answer(f"{what} with your phone:"), note(link), key="join_link", large=True)
        _enlarge("join_enlarge")


def show_large_code(what: str = "Vote") -> None:
    """Fill the window with the code and the link."""
    link = phones_url()
    apply_projection(whole_screen=True)
    with st.container(key="lesson_title"):
        st.header(link, anchor=False)
    show_blocks(
        answer(f"{what} with your phone:"),
        Picture("", svg=qr_svg(link, _LARGE), fit=_FIT),
        key="large_code",
        large=True,
    )
    st.button("Close the code", key="code_close", on_click=state.put, kwargs={"code": None})


def _enlarge(key: str) -> None:
    st.button(
        "Fill the window with the code", key=key, icon=":material/zoom_in:", on_click=state.put, kwargs={"code": 1}
    )


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


_MAX_LABELS = 16
_BEGIN_EXERCISE = "Let the class answer"


@dataclass(frozen=True, slots=True)
class ExerciseClass:
    """The class that answers the item that is shown."""

    me: str  # Random name of this browser
    name: str  # Name of the exercise
    exercise: Exercise
    votes: VoteStore
    number: int  # Index of the item

    @property
    def item(self) -> Item:
        """The item that is shown."""
        return self.exercise.items[self.number]

    @property
    def question(self) -> str:
        """The id of the item's ballot."""
        return question_of(self.name, self.item)

    @property
    def is_closed(self) -> bool:
        """Whether answers are no longer taken."""
        return not self.votes.is_open(self.question)

    def led(self) -> ClassState | None:
        """Return what phones show, if they follow this browser, be it this exercise or something else."""
        store = class_store()
        now = store.now() if store is not None else None
        return now if now is not None and now.leader == self.me else None

    def now(self) -> ClassState | None:
        """Return what phones show, if they follow this browser through this exercise."""
        now = self.led()
        return now if now is not None and now.votes == str(self.votes.path) else None

    def follow(self) -> None:
        """Have phones show the item, if they follow this browser through the exercise."""
        now = self.now()
        if now is not None:
            self._show(now)

    def draw(self) -> None:
        """Show where answering by phone begins and ends, or why phones cannot answer."""
        with st.popover("Phones", icon=":material/qr_code_2:", key="phones"):
            store, now, led = class_store(), self.now(), self.led()
            if store is None:
                show_command("answer")
            elif now is not None:
                st.text("Phones show the sentence that you show. Students may hand in until you close it.")
                st.button("Disconnect the phones", key="phones_end", on_click=attempt, args=(store.end,))
                show_link("answer")
            elif led is not None:
                st.text(f"Phones show “{led.lesson}”.")
                st.text(self._rows())
                st.button(
                    _BEGIN_EXERCISE,
                    key="phones_begin",
                    type="primary",
                    on_click=attempt,
                    args=(partial(self._show, led),),
                )
            else:
                st.text("Phones in the same network show the sentence that you show, and hand in trees.")
                st.text(self._rows())
                begin = partial(self._begin, ask_students(store))
                st.button(_BEGIN_EXERCISE, key="phones_begin", type="primary", on_click=attempt, args=(begin,))

    def _rows(self) -> str:
        """Say what the rows of the marks are known by."""
        names = "Students may leave out their names" if self.exercise.ask_names else "No names are asked for"
        return f"{names}: marks without a name have the student’s number, which the phone shows."

    def close(self) -> None:
        """Take no more answers to the item, and show its gold tree on the phones."""
        attempt(lambda: self.votes.close(self.question))
        self.follow()

    def reopen(self) -> None:
        """Take answers to the item again."""
        attempt(lambda: self.votes.reopen(self.question))
        self.follow()

    def _begin(self, students: int) -> None:
        self._show(ClassState(self.me, self.exercise.title, str(self.votes.path), students))

    def _show(self, now: ClassState) -> None:
        """Write what phones show, if it is not that already."""
        store, exercise = class_store(), self.exercise
        if not self.is_closed:
            attempt(lambda: self.votes.open(self.question))
        question = TreeExercise(
            self.item,
            f"Sentence {self.number + 1} of {len(exercise.items)}",
            _labels(exercise),
            exercise.credit,
            exercise.feedback,
            exercise.ask_names,
            exercise.show_solution,
            self.is_closed,
        )
        state = ClassState(
            now.leader,
            exercise.title,
            str(self.votes.path),
            now.students,
            self.question,
            question.kind,
            msgspec.json.encode(question).decode(),
        )
        if store is not None and state != store.now():
            attempt(lambda: store.show(state))


def _labels(exercise: Exercise) -> tuple[str, ...]:
    """Return the labels of brackets of an exercise, the most frequent ones, in alphabetical order."""
    counts = Counter(
        label
        for item in exercise.items
        for tree in (item.gold_tree, item.start_tree)
        for label, kind in zip(tree.labels, tree.kinds, strict=True)
        if kind is Kind.PHRASE and label
    )
    return tuple(sorted(label for label, _ in counts.most_common(_MAX_LABELS)))

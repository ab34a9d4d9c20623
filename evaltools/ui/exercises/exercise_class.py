"""The class that answers an exercise by phone, as one browser sees it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial

import msgspec
import streamlit as st

from evaltools.classroom.exercises import Exercise, Item
from evaltools.classroom.questions import TreeExercise
from evaltools.classroom.shelf import question_of
from evaltools.classroom.votes import ClassState, VoteStore, class_store
from evaltools.corpus import Kind
from evaltools.ui.lessons.phones import ask_students, attempt, show_command, show_link

_MAX_LABELS = 16
_BEGIN = "Let the class answer"


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
                    _BEGIN, key="phones_begin", type="primary", on_click=attempt, args=(partial(self._show, led),)
                )
            else:
                st.text("Phones in the same network show the sentence that you show, and hand in trees.")
                st.text(self._rows())
                begin = partial(self._begin, ask_students(store))
                st.button(_BEGIN, key="phones_begin", type="primary", on_click=attempt, args=(begin,))

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

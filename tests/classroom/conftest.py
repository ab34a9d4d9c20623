"""A class with a question, as the app leaves it for the server of the phones."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import pytest

from evaltools.classroom.material import CHOICES
from evaltools.classroom.questions import PhonePicture, Poll
from evaltools.classroom.server import phone_app
from evaltools.classroom.votes import Ballots, ClassState, ClassStore
from evaltools.corpus import Tree
from evaltools.drawing import draw
from tests.classroom.client import Phone

TREES = {"gold": "(S (A a) (B b))", "a": "(S (A a) (C b))", "b": "(T (A a) (B b))"}
QUESTION = Poll(
    "Which parse is worse?",
    options=CHOICES,
    pictures=tuple(
        PhonePicture(name, name, draw(Tree.from_string(text), theme="auto"), text) for name, text in TREES.items()
    ),
)


@dataclass(slots=True)
class Clock:
    now: float = 0.0

    def __call__(self) -> float:
        return self.now


@dataclass(slots=True)
class Class:
    """A class, and the teacher's side of it."""

    folder: Path
    clock: Clock = field(default_factory=Clock)
    app: Any = None

    def __post_init__(self) -> None:
        self.app = phone_app(self.store.path, clock=self.clock)

    @property
    def store(self) -> ClassStore:
        return ClassStore(self.folder / "class.sqlite")

    @property
    def votes(self) -> Ballots:
        return Ballots(self.folder / "ballots.sqlite")

    def ask(self, question: str = "q", *, kind: str = Poll.kind, **values: Any) -> None:
        """Show a question; without an id a step that has none."""
        if question:
            self.votes.open(question)
        more = {
            "question": question,
            "kind": kind,
            "content": msgspec.json.encode(QUESTION).decode(),
        }
        state = ClassState("A <b>lesson</b>", str(self.votes.path), **((more if question else {}) | values))
        self.store.show(state)

    def phone(self, address: str = "192.168.1.77") -> Phone:
        phone = Phone(self.app, address)
        phone.get()
        return phone


@pytest.fixture
def course(tmp_path: Path) -> Class:
    return Class(tmp_path)

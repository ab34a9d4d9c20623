"""Pictures that are drawn once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from evaltools.app.widgets import saving
from evaltools.app.widgets.saving import drawn_once
from evaltools.drawing import blocks
from evaltools.drawing.blocks import Drawing

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True)
class Sentence:
    text: str


@dataclass(frozen=True)
class Graph:
    nodes: dict[str, str] = field(default_factory=dict)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """Give the list of what is drawn."""
    made: list[Any] = []

    def draw(subject: object, language: str, **options: Any) -> str:
        made.append((subject, options))
        return f"{subject} {options}"

    monkeypatch.setattr(blocks, "draw", draw)
    monkeypatch.setattr(blocks, "options_of", lambda subject, language: {"width", "shade", "parts"})
    saving._pictures.clear()
    yield made
    saving._pictures.clear()


def test_a_picture_is_drawn_again_for_other_options_and_another_subject_only(drawn: list[Any]):
    first = drawn_once(Drawing(Sentence("a"), options={"shade": True}), width=330)
    assert drawn_once(Drawing(Sentence("a"), "Title", options={"shade": True}), width=330) == first
    assert len(drawn) == 1
    others = [
        drawn_once(Drawing(Sentence("b"), options={"shade": True}), width=330),
        drawn_once(Drawing(Sentence("a"), options={"shade": False}), width=330),
        drawn_once(Drawing(Sentence("a"), options={"shade": True}), width=960),
    ]
    assert len({first, *others}) == len(drawn) == 4


def test_subjects_with_dictionaries_are_told_apart_though_they_are_gone(drawn: list[Any]):
    kept = Graph({"x": "kept"})
    for _ in range(2):
        assert "kept" in drawn_once(Drawing(kept))
    assert len(drawn) == 1
    for number in range(50):  # without a reference to the subject another one soon has its id
        assert f"'{number}'" in drawn_once(Drawing(Graph({"x": str(number)})))


def test_pictures_with_options_that_cannot_be_compared_are_drawn_each_time(drawn: list[Any]):
    for _ in range(2):
        drawn_once(Drawing(Sentence("a"), options={"parts": [1]}))
    assert len(drawn) == 2


def test_the_pictures_that_are_kept_are_bounded_by_their_length(drawn: list[Any], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(saving, "_MAX_CHARACTERS", 100)
    for text in ("a" * 40, "b" * 40, "a" * 40, "c" * 400):
        drawn_once(Drawing(Sentence(text)))
    assert [len(subject.text) for subject, _ in drawn] == [40, 40, 40, 400]
    assert saving._pictures().kept == {}
    assert saving._pictures().characters == 0

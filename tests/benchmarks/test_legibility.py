"""What makes a sentence unreadable, by the benchmark of legibility."""

from __future__ import annotations

from typing import Any

from benchmarks.legibility import Opened


def opened(**changes: Any) -> Opened:
    values: dict[str, Any] = {"parser": "a", "sentence": 1, "words": 9, "wrong": 3, "errors": 3, "pixels": 11.0}
    return Opened(**(values | {"words_outside": 0, "errors_outside": 0} | changes))


def test_what_makes_a_sentence_unreadable():
    assert opened().faults == []
    assert opened(errors=2).faults == ["2 of 3 wrong brackets drawn"]
    assert opened(words_outside=1).faults == ["1 words off the screen"]
    assert opened(errors_outside=2).faults == ["2 wrong brackets off the screen"]
    assert opened(errors=2, unit="repairs").faults == ["2 of 3 repairs drawn"]
    assert opened(pixels=10.4).faults == ["letters of 10.4 px"]

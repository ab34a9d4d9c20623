"""The benchmark of legibility: what it counts, and that it runs from its first line to its last."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, Any

from benchmarks.engine import imperfect
from benchmarks.legibility import Opened
from tests.conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path


def opened(**changes: Any) -> Opened:
    """Make a readable sentence, with changes."""
    values: dict[str, Any] = {"parser": "a", "sentence": 1, "words": 9, "wrong": 3, "errors": 3, "pixels": 11.0}
    return Opened(**(values | {"words_outside": 0, "errors_outside": 0} | changes))


def test_what_makes_a_sentence_unreadable():
    assert opened().faults == []
    assert opened(errors=2).faults == ["2 of 3 wrong brackets drawn"]
    assert opened(words_outside=1).faults == ["1 words off the screen"]
    assert opened(errors_outside=2).faults == ["2 wrong brackets off the screen"]
    assert opened(errors=2, unit="repairs").faults == ["2 of 3 repairs drawn"]
    assert opened(pixels=10.4).faults == ["letters of 10.4 px"]


def test_short_sentences_are_readable_in_every_window(tiny_folder: Path, browser: object):
    run = tiny_folder / "tiny.run"
    command = [sys.executable, "-m", "benchmarks", "--legibility", str(run), "--sample", "1", "--strict"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1440 × 900" in done.stdout
    assert "1280 × 720" in done.stdout
    with_errors = [parser for parser, sentences in imperfect(run).items() if sentences]
    assert with_errors
    assert all(done.stdout.count(parser) == 2 for parser in with_errors)

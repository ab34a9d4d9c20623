"""How many modules one action passes through, and how wide the interfaces are: ceilings that only fall.

A trip is the number of modules of evaltools in which a function is called for one action, with imports and caches warm.
A change that makes a trip shorter lowers its ceiling; a change that raises one gives the reason in its message.
"""

from __future__ import annotations

import dataclasses
import inspect
import sys
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import evaltools
from evaltools.frameworks.constituency.framework import CONSTITUENCY
from evaltools.frameworks.framework import Framework
from evaltools.frameworks.metric import Metric
from evaltools.frameworks.questions import Question
from evaltools.kernels import repair
from tests.pages.conftest import open_app, scored, tiny_run
from tests.pages.tiny import HOSTILE_PARSER

__all__ = ["open_app", "scored", "tiny_run"]

PACKAGE = f"{Path(evaltools.__file__).parent}/"
SAMPLE = Path(__file__).parents[1] / "sample_data"
GOLD = "(S (NP (PRP She)) (VP (VBD ate) (NP (NP (NN pasta)) (PP (IN with) (NP (NN cheese))))))"
TEST = "(S (NP (PRP She)) (VP (VBD ate) (NP (NN pasta)) (PP (IN with) (NP (NN cheese)))))"


def trip(action: Callable[[], Any]) -> set[str]:
    """Return the modules in which a function is called, in any thread."""
    files: set[str] = set()

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(PACKAGE):
            files.add(frame.f_code.co_filename.removeprefix(PACKAGE))

    action()
    threading.setprofile(note)
    sys.setprofile(note)
    try:
        action()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return files


def test_aligning_a_pair():
    passes = {
        inspect.getfile(kind).removeprefix(PACKAGE) for kind in CONSTITUENCY.passes.values()
    }  # a new one is a module more
    assert len(trip(lambda: evaltools.align(GOLD, TEST)) - passes) <= 20


def test_scoring_two_files(tmp_path: Path):
    parsers = {"pcfg": SAMPLE / "parsers" / "pcfg-plain.ptb", "shift": SAMPLE / "parsers" / "shift-reduce.ptb"}
    gold, out = SAMPLE / "gold.ptb", tmp_path / "sample.run"
    passes = {inspect.getfile(kind).removeprefix(PACKAGE) for kind in CONSTITUENCY.passes.values()}
    assert len(trip(lambda: evaltools.score(gold, parsers, out=out, force=True, jobs=1)) - passes) <= 52


def test_the_page_sentence(open_app: Callable[..., AppTest]):
    assert len(trip(lambda: open_app("sentence", sentence="2", parser=HOSTILE_PARSER))) <= 45


def test_the_page_hotspots(open_app: Callable[..., AppTest]):
    assert len(trip(lambda: open_app("hotspots", parser=HOSTILE_PARSER))) <= 52


@pytest.mark.parametrize(
    ("page", "query"),
    [("sentence", {"sentence": "7"}), ("hotspots", {"view": "errors", "group": "PP attachment", "sentence": "7"})],
)
def test_a_stored_sentence_is_not_repaired_again(
    open_app: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch, page: str, query: dict[str, str]
):
    st.cache_resource.clear()
    searched: list[Any] = []
    repair_steps = repair.repair_steps

    def noted(gold: Any, test: Any, n_words: int, known: Any, work: Any) -> Any:
        found = repair_steps(gold, test, n_words, known, work)
        is_warm = any(frame.filename.endswith("runs/warm.py") for frame in traceback.extract_stack())
        if len(found[0]) > len(known) and not is_warm:
            searched.append(found)
        return found

    monkeypatch.setattr(repair, "repair_steps", noted)
    app = open_app(page, parser=HOSTILE_PARSER, **query)
    assert not app.exception
    assert any(item.proto.component_name.endswith("marked_sentence") for item in app.get("bidi_component"))
    assert not searched


def public_members(kind: type) -> set[str]:
    """Return the names of fields, methods and properties that a class itself has."""
    fields = {field.name for field in dataclasses.fields(kind)} if dataclasses.is_dataclass(kind) else set()
    return {name for name in fields | set(vars(kind)) | set(inspect.get_annotations(kind)) if not name.startswith("_")}


def test_interfaces_are_no_wider():
    widths = {kind.__name__: len(public_members(kind)) for kind in (Framework, Metric, Question)}
    assert widths["Framework"] <= 17
    assert widths["Metric"] <= 13
    assert widths["Question"] <= 14

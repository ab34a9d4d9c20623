"""Whatever is typed into the lab, or stands in a link to it, is a tree or a list of problems with their places."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltools import ParameterError
from evaltools.app.lab.trees import pack, read_typed, unpack
from evaltools.corpus.editing import edits_as_text, read_edits
from evaltools.frameworks.constituency.views import typed_text

PIECES = st.lists(st.sampled_from(["(", ")", "[", "]", " ", "\n", "S", "NP", "dog", "é", "漢", "\x00", "-NONE-", "0="]))


@given(PIECES.map("".join) | st.text(max_size=40))
def test_any_text_is_a_tree_or_has_problems(text: str):
    typed = read_typed(text, "gold")
    assert typed.tree is not None or typed.problems
    lines = text.split("\n")
    for problem in typed.problems:
        if problem.line is not None and problem.column is not None:
            assert 1 <= problem.line <= len(lines)
            assert 1 <= problem.column <= len(lines[problem.line - 1]) + 1
    if typed.tree is not None:
        assert typed.tree.words
        again = read_typed(typed_text(typed.tree), "gold").tree
        assert again is not None
        assert len(again.words) == len(typed.tree.words)


@given(st.text(max_size=400))
def test_what_is_packed_comes_back(text: str):
    assert unpack(pack(text)) == text


@given(st.text(max_size=60) | st.text("~ABCabc-_09", max_size=60).map("~".__add__))
def test_a_damaged_link_gives_some_text(said: str):
    assert isinstance(unpack(said), str)


@given(st.text("mrdi0123456789,NP- ", max_size=30))
def test_edits_of_a_link_are_read_or_refused(said: str):
    try:
        edits = read_edits(said)
    except ParameterError:
        return
    assert read_edits(edits_as_text(edits)) == edits


@pytest.mark.parametrize("line", ["\r", "\n", "\r\n", " "])
def test_every_way_to_end_a_line_is_white_space(line: str):
    read = read_typed(f"(S{line} (A a){line} (B b))", "gold")
    assert read.problems == ()
    assert read.tree is not None
    assert read.tree.to_string() == "(S (A a) (B b))"


def test_a_mistake_after_a_lone_carriage_return_has_its_place():
    (problem,) = read_typed("(S (A a)\r\r(B b)) x", "gold").problems
    assert (problem.line, problem.column) == (1, 18)

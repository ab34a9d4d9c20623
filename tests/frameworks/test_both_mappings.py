"""E beside T: what both mappings make of the same errors, in a sentence."""

from __future__ import annotations

import pytest

from evaltools import align
from evaltools.frameworks.constituency.views import compare_mappings

MOVED = (
    "(S (N a) (V (V b) (X (X c) (Y (Y d) (Z (Z e) (U (U f) (W g)))))))",
    "(S (N a) (V (V b) (X (X c) (Y (Y d) (Z (Z e) (U (U f)))))) (W g))",
)


SAME, LABEL = "E and T mark the same nodes", "a wrong label is two brackets for E and one edit for T"


@pytest.mark.parametrize(
    ("gold", "test", "text"),
    [
        ("(S (N a) (V (V b)))", "(S (N a) (V (V b)))", ""),
        ("(S (A (B (N one) (N two))))", "(S (B (A (N one) (N two))))", "T marks 2 nodes that E matches."),
        ("(S (N a))", "(S (N b))", ""),
        ("(S (NP (N a) (N b)) (V c))", "(S (VP (N a) (N b)) (V c))", f"{SAME}; {LABEL}."),
        ("(S (NP (N a) (N b)) (V c))", "(S (N a) (N b) (V c))", f"{SAME}."),
    ],
    ids=["equal", "chain", "other words", "label", "missing"],
)
def test_mappings_that_differ_in_nodes_alone_or_not_at_all(gold: str, test: str, text: str):
    assert compare_mappings(align(gold, test)) == text


def test_a_repair_that_is_more_brackets_than_edits_is_named():
    text = compare_mappings(align(*MOVED))
    assert text == "One misplaced U “f” is 10 of 10 wrong brackets for E and 4 of 4 edits for T."


def test_trees_without_a_parse_are_not_compared():
    assert compare_mappings(align("(S (N a))", "")) == ""

"""Figures by label."""

from __future__ import annotations

import io

import evaltools


def labels(gold: str, test: str) -> list[tuple[object, ...]]:
    run = evaltools.score(io.BytesIO(gold.encode()), {"p": io.BytesIO(test.encode())}, preset="none")
    rows = run.labels("p")
    assert rows["matched"].sum() == run.sentences("p")["e_matched_roof"].sum()
    return list(rows[["label", "gold", "test", "matched"]].itertuples(index=False, name=None))


def test_brackets_are_counted_by_label():
    assert labels("(S (NP (N a)) (VP (V b)))", "(S (NP (N a)) (NP (V b)))") == [
        ("NP", 1, 2, 1),
        ("S", 1, 1, 1),
        ("VP", 1, 0, 0),
    ]


def test_a_phrase_and_a_tag_with_one_label_are_no_pair_of_phrases():
    assert labels("(S (X (N a)) (X b))", "(S (X a) (X b))") == [("S", 1, 1, 1), ("X", 1, 0, 0)]


def test_sentences_without_a_score_are_left_out():
    assert labels("(S (A (N a)))\n(S (B (N b)))\n", "(S (A (N a)))\n\n") == [("A", 1, 1, 1), ("S", 1, 1, 1)]

"""Attachment scores against their definition, and what must hold of them and of an alignment of dependency trees."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from evaltools.corpus import DependencyTree
from evaltools.corpus.folding import is_punctuation
from evaltools.errors import ParameterError
from evaltools.frameworks.dependency.alignment import align_dependencies
from evaltools.frameworks.registry import METRICS
from evaltools.marks import Status
from tests.slow import attachment as slow
from tests.slow.dependency_pairs import dependency_pairs

Pair = tuple[DependencyTree, DependencyTree]
IDS = ("uas", "las", "label")


@given(dependency_pairs(), st.booleans())
def test_scores_are_shares_of_the_words(pair: Pair, subtypes: bool):
    a = align_dependencies(*pair, subtypes=subtypes)
    for name, right in slow.right_words(*pair, subtypes=subtypes).items():
        assert a.scores[name] == pytest.approx(sum(right) / len(right))
    assert a.status == "ok"
    assert a.counts["dep_gold"] == a.counts["dep_test"] == a.counts["dep_aligned"] == len(pair[0])


@given(dependency_pairs(), st.sampled_from(["upos", "unicode"]))
def test_punctuation_is_left_out_by_the_gold_tree(pair: Pair, punctuation: str):
    gold, test = pair
    a = align_dependencies(gold, test, punctuation=punctuation)
    out = [
        tag == "PUNCT" if punctuation == "upos" else is_punctuation(form)
        for tag, form in zip(gold.tags, gold.forms, strict=True)
    ]
    assert [status is None for status in a.gold_status] == out
    assert [status is None for status in a.test_status] == out
    assert [word.position for word in a.words] == [place for place, left_out in enumerate(out) if not left_out]
    for name, right in slow.right_words(gold, test, subtypes=False).items():
        kept = [value for value, left_out in zip(right, out, strict=True) if not left_out]
        assert a.scores[name] == (pytest.approx(sum(kept) / len(kept)) if kept else None)


def test_of_words_that_are_aligned_the_gold_tree_says_which_are_punctuation():
    """The parser has split a word, and takes a verb for punctuation."""
    gold = DependencyTree(("ab", "c", "."), (1, -1, 1), ("nsubj", "root", "punct"), tags=("NOUN", "VERB", "PUNCT"))
    relations, tags = ("x", "nsubj", "root", "punct"), ("NOUN", "NOUN", "PUNCT", "PUNCT")
    a = align_dependencies(
        gold, DependencyTree(("a", "b", "c", "."), (1, 2, -1, 2), relations, tags=tags), punctuation="upos"
    )
    assert a.status == "words_differ"
    assert [status is None for status in a.test_status] == [False, False, False, True]
    assert (a.counts["dep_gold"], a.counts["dep_test"]) == (2, 3)


@given(dependency_pairs(), st.booleans())
def test_the_status_of_every_arc(pair: Pair, subtypes: bool):
    a = align_dependencies(*pair, subtypes=subtypes)
    right = slow.right_words(*pair, subtypes=subtypes)
    for word, status in enumerate(a.gold_status):
        head, relation = right["uas"][word], right["label"][word]
        assert (status in (Status.RIGHT, Status.RELABELED)) == head
        assert a.relabeled[word] != relation
        assert (a.test_status[word], status) in {*((each, each) for each in Status), (Status.SPURIOUS, Status.MISSING)}
    assert a.number(Status.RIGHT) == a.counts["las_right"]


def test_words_that_differ_are_aligned_by_their_characters():
    gold = DependencyTree(("can", "not", "go", "far"), (2, 2, -1, 2), ("aux", "advmod", "root", "advmod"))
    test = DependencyTree(("cannot", "go", "far"), (1, -1, 1), ("aux", "root", "advmod"))
    a = align_dependencies(gold, test)
    assert a.status == "words_differ"
    assert a.partner == (None, None, 1, 2)
    assert a.test_partner == (None, 2, 3)
    assert [str(status) for status in a.gold_status] == ["missing", "missing", "right", "right"]
    assert [str(status) for status in a.test_status] == ["spurious", "right", "right"]
    assert a.scores["las"] == pytest.approx(2 * 2 / (4 + 3))
    assert [word.test for word in a.words] == [None, None, ("root",), ("advmod", "root")]


def test_a_head_without_a_partner_is_wrong():
    gold = DependencyTree(("a", "b", "c"), (1, -1, 1), ("det", "root", "obj"))
    test = DependencyTree(("a", "x", "c"), (1, -1, 1), ("det", "root", "obj"))
    a = align_dependencies(gold, test)
    assert a.partner == (0, None, 2)
    assert [str(status) for status in a.gold_status] == ["missing", "missing", "missing"]
    assert (a.scores["uas"], a.scores["label"]) == (0.0, pytest.approx(2 / 3))


def test_a_head_without_a_partner_is_no_root():
    gold = DependencyTree(("a", "b", "c"), (1, -1, 1), ("det", "root", "obj"))
    test = DependencyTree(("a", "x", "c"), (-1, 0, 0), ("det", "dep", "obj"))
    a = align_dependencies(gold, test)
    assert a.partner == (0, None, 2)
    assert [str(status) for status in a.gold_status] == ["missing", "missing", "missing"]
    assert (a.scores["uas"], a.scores["las"]) == (0.0, 0.0)


def test_a_missing_parse_has_no_scores():
    gold = DependencyTree(("a", "b"), (1, -1), ("det", "root"))
    a = align_dependencies(gold, DependencyTree((), (), ()))
    assert a.status == "missing"
    assert set(a.scores.values()) == {None}
    assert a.words == ()
    assert a.counts["dep_gold"] == 2
    columns = {name: a.counts[name] for name in METRICS["las"].columns}
    assert columns["dep_test"] == columns["las_right"] == 0


def test_punctuation_is_a_name_that_exists():
    tree = DependencyTree(("a",), (-1,), ("root",))
    with pytest.raises(ParameterError, match="keep, upos, ptb, unicode"):
        align_dependencies(tree, tree, punctuation="no")


def test_what_is_punctuation():
    assert [is_punctuation(form) for form in ("…", "?!", "，", "-LRB-", "$", "a.")] == [True, True, True] + [False] * 3

"""Verdicts of the metrics on two parses, and how often they are those of a class."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltools.classroom.votes import Tally
from evaltools.classroom.worse_parse import JUDGES, agreement, verdicts, wilson
from evaltools.corpus import Tree
from evaltools.errors import ParameterError
from evaltools.frameworks.constituency.alignment import align
from evaltools.frameworks.registry import METRICS

LABELS = ("NP", "VP", "N1", "S")


@st.composite
def brackets(draw: st.DrawFn, words: tuple[str, ...]) -> str:
    """Write a random tree in square brackets over some words."""
    inside = " ".join(words)
    if len(words) > 1:
        cuts = sorted(draw(st.sets(st.integers(1, len(words) - 1), max_size=2)))
        parts = [words[low:high] for low, high in zip([0, *cuts], [*cuts, len(words)], strict=True)]
        if len(parts) > 1:
            written = (draw(brackets(part)) if draw(st.booleans()) else " ".join(part) for part in parts)
            inside = " ".join(written)
    return f"[{draw(st.sampled_from(LABELS))} {inside} ]"


@st.composite
def three_trees(draw: st.DrawFn) -> list[Tree]:
    words = tuple(f"w{number}" for number in range(draw(st.integers(1, 6))))
    return [Tree.from_string(draw(brackets(words)), "sampson") for _ in range(3)]


OTHER = {"a": "b", "b": "a", "equal": "equal", None: None}


@given(three_trees())
def test_verdicts_are_those_of_the_scores_and_turn_round_with_the_parses(trees: list[Tree]):
    gold, a, b = trees
    found = verdicts(gold, a, b)
    assert [one.metric for one in found] == list(JUDGES)
    scores = [align(gold, tree).scores for tree in (a, b)]
    for one, turned in zip(found, verdicts(gold, b, a), strict=True):
        assert (one.a, one.b) == (scores[0][one.metric], scores[1][one.metric]) == (turned.b, turned.a)
        assert OTHER[one.worse] == turned.worse
        assert (one.reason_a, one.numbers_b) == (turned.reason_b, turned.numbers_a)
        if one.worse in ("a", "b"):
            low, high = (one.a, one.b) if one.worse == "a" else (one.b, one.a)
            assert low is not None
            assert high is not None
            assert low < high if METRICS[one.metric].higher_is_better else low > high


@given(three_trees())
def test_a_parse_is_never_worse_than_itself_nor_the_gold_tree_than_any(trees: list[Tree]):
    gold, a, _ = trees
    assert {one.worse for one in verdicts(gold, a, a)} <= {"equal", None}
    assert {one.worse for one in verdicts(gold, gold, a)} <= {"b", "equal", None}


def test_reasons_say_what_is_wrong():
    gold, a, b = (
        Tree.from_string(text, "sampson")
        for text in ("[A [B v [C w [D y ] ] ] x ]", "[A [B v [C w [D y x ] ] ] ]", "[A [B v [C w [E y ] ] ] x ]")
    )
    reasons = {one.metric: (one.reason_a, one.reason_b) for one in verdicts(gold, a, b)}
    assert reasons["f1"] == ("3 brackets missing, 3 spurious", "1 bracket missing, 1 spurious")
    assert reasons["f1_unlabeled"][1] == "all brackets right"
    assert reasons["crossing"] == ("2 brackets cross", "no crossing brackets")
    assert reasons["ted"] == ("1 missing, 1 spurious", "1 relabeled")
    assert reasons["la_exact"][1].startswith("1 of 4 words, “y” worst: ")
    numbers = {one.metric: one.numbers_a for one in verdicts(gold, a, b)}
    assert numbers["f1"] == "2 × 1 / (4 + 4)"


def test_crossing_brackets_are_worse_where_there_are_more():
    found = verdicts("(S (X (A a) (B b)) (C c))", "(S (A a) (X (B b) (C c)))", "(S (Y (A a) (B b)) (C c))")
    one = next(one for one in found if one.metric == "crossing")
    assert (one.a, one.b, one.worse, one.reason_a) == (1.0, 0.0, "a", "1 bracket crosses")


def test_words_that_differ_leave_verdicts_open_where_there_is_no_score():
    found = verdicts("(S (A a) (B b))", "(S (A a) (B b))", "(())")
    assert {one.worse for one in found if one.b is None} <= {None}
    assert {one.reason_b for one in found if one.b is None} <= {"no score"}
    assert any(one.b is None for one in found)


def test_a_question_without_an_answer_of_the_class_does_not_count():
    found = verdicts("(S (A a) (B (C b) (D c)))", "(S (A a) (C b) (D c))", "(Q (A a) (E (C b) (D c)))")
    asked = [(Tally(5, 5, 0), found), (Tally(), found), (Tally(0, 3, 1), found), (Tally(4, 0, 0), found)]
    one = agreement(asked)[0]
    assert (one.questions, one.agreed, one.votes, one.votes_agreed) == (2, 1, 8, 3)
    assert one.share == 0.5
    assert 0 < one.low < 0.5 < one.high < 1


def test_without_questions_there_is_no_share():
    for one in agreement([]):
        assert one.questions == 0
        assert all(math.isnan(value) for value in (one.share, one.low, one.high))


@given(st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.floats(0.5, 0.999))
def test_wilson_solves_its_equation(counted: tuple[int, int], confidence: float):
    """At both ends of the interval the share is as far from the end as the normal distribution allows."""
    successes, trials = counted
    low, high = wilson(successes, trials, confidence)
    share = successes / trials
    assert 0 <= low <= share <= high <= 1
    distances = [abs(share - end) / math.sqrt(end * (1 - end) / trials) for end in (low, high) if 1e-9 < end < 1 - 1e-9]
    assert distances
    for distance in distances[1:]:
        assert distance == pytest.approx(distances[0], rel=1e-6)


def test_wilson_as_printed():
    """Newcombe (1998), Statistics in Medicine 17, Table I: 81 of 263 and 0 of 20, method 3."""
    assert [round(value, 4) for value in wilson(81, 263)] == [0.2553, 0.3662]
    assert [round(value, 4) for value in wilson(0, 20)] == [0.0, 0.1611]


@pytest.mark.parametrize("wrong", [(3, 2, 0.95), (-1, 2, 0.95), (1, 2, 0.0), (1, 2, 1.0)])
def test_wilson_refuses_what_is_no_share(wrong: tuple[int, int, float]):
    with pytest.raises(ParameterError):
        wilson(*wrong)

"""Verdicts of the metrics on two parses, and how often they are those of a class."""

from __future__ import annotations

from hypothesis import given, strategies as st

from evaltools.classroom.worse_parse import JUDGES, Verdict, agreement, verdicts
from evaltools.corpus import Tree
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


def judged(*written: Tree | str) -> tuple[Verdict, ...]:
    gold, a, b = (each if isinstance(each, Tree) else Tree.from_string(each) for each in written)
    return verdicts(align(gold, a), align(gold, b))


OTHER = {"a": "b", "b": "a", "equal": "equal", None: None}


@given(three_trees())
def test_verdicts_are_those_of_the_scores_and_turn_round_with_the_parses(trees: list[Tree]):
    gold, a, b = trees
    found = judged(gold, a, b)
    assert [one.metric for one in found] == list(JUDGES)
    scores = [align(gold, tree).scores for tree in (a, b)]
    for one, turned in zip(found, judged(gold, b, a), strict=True):
        assert (one.a, one.b) == (scores[0][one.metric], scores[1][one.metric]) == (turned.b, turned.a)
        assert OTHER[one.worse] == turned.worse
        assert one.reason_a == turned.reason_b
        if one.worse in ("a", "b"):
            low, high = (one.a, one.b) if one.worse == "a" else (one.b, one.a)
            assert low is not None
            assert high is not None
            assert low < high if METRICS[one.metric].higher_is_better else low > high


@given(three_trees())
def test_a_parse_is_never_worse_than_itself_nor_the_gold_tree_than_any(trees: list[Tree]):
    gold, a, _ = trees
    assert {one.worse for one in judged(gold, a, a)} <= {"equal", None}
    assert {one.worse for one in judged(gold, gold, a)} <= {"b", "equal", None}


def test_reasons_say_what_is_wrong():
    gold, a, b = (
        Tree.from_string(text, "sampson")
        for text in ("[A [B v [C w [D y ] ] ] x ]", "[A [B v [C w [D y x ] ] ] ]", "[A [B v [C w [E y ] ] ] x ]")
    )
    reasons = {one.metric: (one.reason_a, one.reason_b) for one in judged(gold, a, b)}
    assert reasons["f1"] == ("3 brackets missing, 3 spurious", "1 bracket missing, 1 spurious")
    assert reasons["f1_unlabeled"][1] == "all brackets right"
    assert reasons["crossing"] == ("2 brackets cross", "no crossing brackets")
    assert reasons["ted"] == ("1 missing, 1 spurious", "1 relabeled")
    assert reasons["la"][1].startswith("1 of 4 words, “y” worst: ")


def test_crossing_brackets_are_worse_where_there_are_more():
    found = judged("(S (X (A a) (B b)) (C c))", "(S (A a) (X (B b) (C c)))", "(S (Y (A a) (B b)) (C c))")
    one = next(one for one in found if one.metric == "crossing")
    assert (one.a, one.b, one.worse, one.reason_a) == (1.0, 0.0, "a", "1 bracket crosses")


def test_words_that_differ_leave_verdicts_open_where_there_is_no_score():
    found = judged("(S (A a) (B b))", "(S (A a) (B b))", "(())")
    assert {one.worse for one in found if one.b is None} <= {None}
    assert {one.reason_b for one in found if one.b is None} <= {"no score"}
    assert any(one.b is None for one in found)


def test_a_question_without_an_answer_of_the_class_does_not_count():
    found = judged("(S (A a) (B (C b) (D c)))", "(S (A a) (C b) (D c))", "(Q (A a) (E (C b) (D c)))")
    asked = [({"a": 5, "b": 5}, found), ({}, found), ({"b": 3, "equal": 1}, found), ({"a": 4}, found)]
    assert agreement(asked)["f1"] == (1, 2)
    assert set(agreement([]).values()) == {(0, 0)}

"""Another mapping as cheap as the canonical one, if and only if there is one."""

from __future__ import annotations

import pytest
from hypothesis import given

from evaltools import Tree, align
from evaltools.frameworks.constituency.alternatives import alternative_mapping
from evaltools.marks import Status
from tests.slow import mappings
from tests.slow.trees import pairs


@pytest.mark.parametrize(
    ("gold", "test", "reason", "number"),
    [
        ("(A (B (X a)))", "(B (A (X a)))", "matches", "matched"),  # two swaps cost as much as a deletion and insertion
        ("(S (X a) (X a))", "(S (X a))", "spans", "spans"),
        ("(S (A (X a)) (V b))", "(S (Y a) (V b))", "kinds", "kinds"),
    ],
)
def test_the_canonical_mapping_has_more_of_what_it_prefers(gold: str, test: str, reason: str, number: str):
    found = alternative_mapping(align(gold, test))
    assert found is not None
    assert found.reason == reason
    assert getattr(found, f"canonical_{number}") > getattr(found, number)


def test_large_trees_are_left_alone():
    tree = "(S " + " ".join(f"(N w{number})" for number in range(60)) + ")"
    assert alternative_mapping(align(tree, tree.replace("(S", "(T"))) is None


@given(pairs(most_words=4))
def test_it_is_another_valid_mapping_of_the_same_cost(pair: tuple[Tree, Tree]):
    a = align(*pair)
    found = alternative_mapping(a)
    if found is None:
        return
    other = found.mapping
    assert other.pairs != a.t.pairs
    assert mappings.is_t_mapping(a.gold, a.test, other.pairs)
    cost = sum(other.number(status) for status in (Status.MISSING, Status.SPURIOUS, Status.RELABELED))
    assert cost == found.cost == mappings.score_of(a.gold, a.test, a.t.pairs)[0]
    assert mappings.score_of(a.gold, a.test, other.pairs) == (
        found.cost,
        found.matched,
        found.kinds,
        found.spans,
    )
    canonical = found.canonical_matched, found.canonical_kinds, found.canonical_spans
    assert canonical >= (found.matched, found.kinds, found.spans)


@given(pairs(most_words=2))
def test_it_is_found_wherever_there_is_one(pair: tuple[Tree, Tree]):
    a = align(*pair)
    if len(a.gold) * len(a.test) > 20:
        return
    scored = [mappings.score_of(a.gold, a.test, one)[0] for one in mappings.all_t_mappings(a.gold, a.test)]
    found = alternative_mapping(a)
    assert (found is not None) == (scored.count(min(scored)) > 1)
    if found is not None and found.reason == "order":
        kept = [mappings.score_of(a.gold, a.test, one) for one in mappings.all_t_mappings(a.gold, a.test)]
        assert len({one for one in kept if one[0] == found.cost}) == 1

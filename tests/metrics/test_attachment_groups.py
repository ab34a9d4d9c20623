"""Attachment by relation, distance and direction."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltools import Dependencies, DependencyTree, ParameterError
from evaltools.metrics.attachment import Attachment
from evaltools.metrics.attachment_groups import GROUPINGS, AttachmentGroup, attachment_groups
from evaltools.normalize.dependency_pair import PUNCTUATION, DependencyRules, is_punctuation, pair_dependencies
from evaltools.treebank import Vocabulary
from tests.slow import attachment as slow
from tests.slow.dependency_pairs import dependency_pairs

Pair = tuple[DependencyTree, DependencyTree]


def compared(pairs: list[Pair], **options: object) -> Attachment:
    vocabulary = Vocabulary()
    gold, test = (Dependencies.from_trees([pair[side] for pair in pairs], vocabulary) for side in (0, 1))
    rules = DependencyRules(**options)
    return Attachment(pair_dependencies(gold, test, rules), subtypes=rules.subtypes)


def group_of(tree: DependencyTree, word: int, by: str, *, subtypes: bool) -> str:
    """Name the group of a word, from its definition."""
    if by == "relation":
        return slow.bare(tree.relations[word], subtypes=subtypes)
    head = tree.heads[word]
    if head < 0:
        return "root"
    if by == "direction":
        return "left" if head < word else "right"
    distance = abs(head - word)
    return str(distance) if distance < 3 else "3–6" if distance < 7 else "7–"


@given(
    st.lists(dependency_pairs(most_words=12), min_size=1, max_size=3),
    st.sampled_from(sorted(GROUPINGS)),
    st.sampled_from(sorted(PUNCTUATION)),
    st.booleans(),
)
def test_groups_are_those_of_the_definition(pairs: list[Pair], by: str, punctuation: str, subtypes: bool):
    counts: dict[str, Counter[str]] = {name: Counter() for name in ("gold", "test", "heads", "both")}
    for gold, test in pairs:
        right = slow.right_words(gold, test, subtypes=subtypes)
        for word in range(len(gold)):
            if punctuation == "upos" and gold.tags[word] == "PUNCT":
                continue
            if punctuation == "unicode" and is_punctuation(gold.forms[word]):
                continue
            ours, theirs = (group_of(tree, word, by, subtypes=subtypes) for tree in (gold, test))
            counts["gold"][ours] += 1
            counts["test"][theirs] += 1
            counts["heads"][ours] += ours == theirs and right["uas"][word]
            counts["both"][ours] += ours == theirs and right["las"][word]
    found = attachment_groups(compared(pairs, punctuation=punctuation, subtypes=subtypes), by, subtypes=subtypes)
    assert {row.group: (row.gold, row.test, row.heads, row.both) for row in found} == {
        group: tuple(counts[name][group] for name in counts) for group in counts["gold"] | counts["test"]
    }
    assert len({row.group for row in found}) == len(found)


@given(dependency_pairs(), dependency_pairs(), st.sampled_from(sorted(GROUPINGS)))
def test_some_sentences_only(one: Pair, other: Pair, by: str):
    both, first = compared([one, other]), compared([one])
    assert attachment_groups(both, by, np.array([True, False])) == attachment_groups(first, by)


def test_the_order_and_the_figures():
    words = ("a", "b", "c", "d")
    gold = DependencyTree(words, (1, -1, 1, 2), ("det", "root", "nsubj:pass", "punct"))
    test = DependencyTree(words, (1, -1, 1, 1), ("amod", "root", "nsubj", "punct"))
    found = compared([(gold, test)])
    assert attachment_groups(found, "relation") == [
        AttachmentGroup("nsubj", 1, 1, 1, 1),
        AttachmentGroup("punct", 1, 1, 0, 0),
        AttachmentGroup("root", 1, 1, 1, 1),
        AttachmentGroup("det", 1, 0, 0, 0),
        AttachmentGroup("amod", 0, 1, 0, 0),
    ]
    assert attachment_groups(found, "distance") == [
        AttachmentGroup("root", 1, 1, 1, 1),
        AttachmentGroup("1", 3, 2, 2, 1),
        AttachmentGroup("2", 0, 1, 0, 0),
    ]
    assert attachment_groups(found, "direction") == [
        AttachmentGroup("root", 1, 1, 1, 1),
        AttachmentGroup("left", 2, 2, 1, 1),
        AttachmentGroup("right", 1, 1, 1, 0),
    ]
    one = attachment_groups(found, "distance")[1]
    assert one.figures() == pytest.approx((1 / 3, 1 / 2, 2 / 5))
    assert one.figures(labelled=False) == pytest.approx((2 / 3, 1.0, 4 / 5))
    assert math.isnan(attachment_groups(found, "relation")[3].figures()[1])


def test_words_that_differ():
    gold = DependencyTree(("can", "not", "go"), (2, 2, -1), ("aux", "advmod", "root"))
    test = DependencyTree(("cannot", "go"), (1, -1), ("aux", "root"))
    found = compared([(gold, test)])
    assert attachment_groups(found, "relation") == [
        AttachmentGroup("aux", 1, 1, 0, 0),
        AttachmentGroup("root", 1, 1, 1, 1),
        AttachmentGroup("advmod", 1, 0, 0, 0),
    ]


def test_an_unknown_grouping_is_refused():
    tree = DependencyTree(("a",), (-1,), ("root",))
    with pytest.raises(ParameterError, match="valid: relation, distance, direction"):
        attachment_groups(compared([(tree, tree)]), "length")

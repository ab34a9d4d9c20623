"""Configurations as fragments of trees: conditions become nodes, and words are those of a typical member."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from evaltools.frameworks.common.gold_words import GoldWords
from evaltools.frameworks.constituency.groups import (
    TypicalBracket,
    bracket_fragment,
    shortened,
    typical_bracket,
    word_fragment,
)

TYPICAL = TypicalBracket(("it", "is", "late"), ("it",), ("is", "late"))


@pytest.mark.parametrize(
    ("conditions", "rules"),
    [
        ({"label": "S", "first_child": "NP"}, "S → NP(it) …"),
        ({"label": "S", "first_child": "NP", "last_child": "VP"}, "S → NP(it) … VP(is late)"),
        ({"label": "S", "children": "2", "first_child": "NP"}, "S → NP(it) …"),
        ({"label": "S", "children": "2", "last_child": "VP", "first_child": "NP"}, "S → NP(it) VP(is late)"),
        ({"label": "S", "children": "1"}, "S → any(it is late)"),
        ({"first_words": "1", "label": "S"}, "S → any(it) …"),
        ({"first_child": "word", "label": "S"}, "S → it …"),
        ({"parent": "VP", "grandparent": "S"}, "S → VP; VP → any; any → it is late"),
        ({"parent": "VP", "edge": "inside"}, "VP → … any …; any → it is late"),
        ({"edge": "alone", "label": "S"}, "any → S; S → it is late"),
        ({"edge": "top", "label": "S"}, "S → it is late"),
        ({"parent": "–", "label": "S"}, "S → it is late"),
        ({"grandparent": "–", "label": "S"}, "any → S; S → it is late"),
        ({"length": "5–9", "depth": "2"}, "any → it is late"),
    ],
)
def test_conditions_on_brackets_become_nodes(conditions: dict[str, str], rules: str):
    fragment = bracket_fragment(conditions, TYPICAL)
    assert str(fragment) == rules
    assert fragment.is_lost


@pytest.mark.parametrize(
    ("conditions", "rules"),
    [
        ({"tag": "IN", "parent": "PP"}, "PP → … IN(of, in) …"),
        ({"form": "as", "tag": "IN", "place": "first"}, "any → IN(as) …"),
        ({"place": "last", "first_child": "NP", "parent": "NP"}, "NP → NP … of, in"),
        ({"place": "alone", "parent": "NP", "grandparent": "–"}, "NP → of, in"),
        ({"grandparent": "VP", "tag": "RB"}, "VP → any; any → … RB(of, in) …"),
    ],
)
def test_conditions_on_words_become_nodes(conditions: dict[str, str], rules: str):
    assert str(word_fragment(conditions, "of, in")) == rules


def test_the_typical_bracket_begins_as_most_do_and_is_not_too_short():
    forms = "a b c d e a b x y a q".split()
    words = GoldWords.of(np.array(forms, dtype=object), np.array([5, 4, 2]))
    members = pd.DataFrame(
        {
            "sentence": [1, 1, 2, 3],
            "start": [0, 1, 0, 0],
            "end": [5, 4, 4, 2],
            "first_end": [1, 2, 1, 1],
            "last_start": [4, 3, 2, 1],
            "is_plain": [True] * 4,
        }
    )
    assert typical_bracket(members, words) == TypicalBracket(("a", "b", "x", "y"), ("a",), ("x", "y"))
    assert typical_bracket(members.head(0), words) is None
    assert shortened(("a", "b"), 2) == "a b"

"""The repair that the picture of an error shows."""

from __future__ import annotations

import random
from typing import Any

import pytest

from evaltools import align
from evaltools.frameworks.constituency.bracket_groups import repair_of
from evaltools.frameworks.constituency.error_types import error_steps
from evaltools.frameworks.constituency.marked import marked_sentence
from evaltools.marks import Marks
from tests.drawing.test_marked_sentence import random_tree

GOLD = "(S (NP (DT the) (NN cat)) (VP (VBD saw) (NP (NP (NN pasta)) (PP (IN with) (NP (NN cheese))))))"
TEST = "(S (NX (DT the) (NN cat)) (VP (VBD saw) (NP (NN pasta)) (PP (IN with) (NP (NN cheese)))))"


def marked() -> Marks:
    return marked_sentence(align(GOLD, TEST))


@pytest.mark.parametrize("seed", range(8))
def test_a_repair_has_the_number_of_its_step(seed: int):
    rng = random.Random(seed)
    words = [f"w{index}" for index in range(rng.randint(3, 14))]
    alignment = align(random_tree(rng, words), random_tree(rng, words))
    steps = error_steps(alignment.gold, alignment.test)
    sentence = marked_sentence(alignment)
    assert sorted(repair.step for repair in sentence.repairs) == list(range(1, len(steps) + 1))
    for number, step in enumerate(steps, start=1):
        repair = repair_of(sentence, {"start": 0, "end": 1, "number": number})
        assert repair is not None
        assert (repair.type, repair.repaired) == (step.type.title, step.step.repaired)


@pytest.mark.parametrize(
    ("error", "verdict"),
    [
        ({"start": 0, "end": 2, "gold": "NP", "test": "NX"}, "is NX, should be NP"),  # a bracket over these words
        ({"start": 4, "end": 6}, "belongs in"),  # a phrase that moves
        ({"start": 1, "end": 2}, "is NX, should be NP"),  # a word: the smallest bracket around it
        ({"start": 5, "end": 6}, "belongs in"),
    ],
)
def test_an_error_belongs_to_the_nearest_repair(error: dict[str, Any], verdict: str):
    repair = repair_of(marked(), error)
    assert repair is not None
    assert verdict in repair.verdict


def test_the_children_of_a_rule_are_within_its_words():
    error = {"start": 2, "end": 6}
    assert repair_of(marked(), error) is None
    repair = repair_of(marked(), error, is_within=True)
    assert repair is not None
    assert "belongs in" in repair.verdict
    assert repair_of(marked_sentence(align(GOLD, GOLD)), error, is_within=True) is None

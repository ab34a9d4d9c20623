"""The repair that the picture of an error shows."""

from __future__ import annotations

import random

import pytest

from evaltools import align
from evaltools.frameworks.constituency.marked import marked_sentence
from tests.drawing.test_marked import random_tree
from tests.slow.edits import error_steps


@pytest.mark.parametrize("seed", range(8))
def test_a_repair_has_the_number_of_its_step(seed: int):
    rng = random.Random(seed)
    words = [f"w{index}" for index in range(rng.randint(3, 14))]
    alignment = align(random_tree(rng, words), random_tree(rng, words))
    steps = error_steps(alignment.gold, alignment.test)
    sentence = marked_sentence(alignment)
    assert sorted(repair.step for repair in sentence.repairs) == list(range(1, len(steps) + 1))
    for number, step in enumerate(steps, start=1):
        (repair,) = (repair for repair in sentence.repairs if repair.step == number)
        assert (repair.type, repair.repaired) == (step.type.title, step.repaired)

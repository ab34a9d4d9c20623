"""Stored steps of a repair that do not fit its trees, as a run from anyone may have them."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from evaltools.corpus import Tree
from evaltools.errors import RunError
from evaltools.frameworks.constituency.alignment import align, align_trees
from evaltools.frameworks.constituency.options import ConstituencyOptions
from evaltools.frameworks.constituency.repair import Columns, Repairs
from evaltools.frameworks.presets import load_preset

GOLD = "(S (NP (D the) (N man)) (VP (V saw) (NP (NP (D a) (N dog)) (PP (P with) (NP (N ears)))) (ADVP (R now))))"
TEST = "(S (NP (D the) (N man)) (VP (V saw) (X (D a) (N dog)) (PP (P with) (NP (N ears) (ADVP (R now))))))"


def repaired(edits: Columns) -> Repairs:
    gold, test = map(Tree.from_string, (GOLD, TEST))
    repairs = align_trees(gold, test, load_preset("none"), ConstituencyOptions(), edits).repairs
    assert repairs is not None
    return repairs


def found() -> Columns:
    repairs = align(GOLD, TEST).repairs
    assert repairs is not None
    return repairs.steps.edits


def test_each_number_in_range_that_a_step_needs_is_checked():
    edits = found()
    assert repaired(edits).steps.edits.tolist() == edits.tolist()
    assert {operation for _, operation, *_ in edits.tolist()} >= {0, 1}, "a relabeling and a move"
    kept = 0
    for at, column in np.ndindex(edits.shape):
        for value in range(-1, 20):
            forged = edits.copy()
            forged[at, column] = value
            if value == edits[at, column]:
                continue
            try:
                whole = repaired(forged)
            except RunError:
                continue
            kept += 1  # in a column that this operation does not read, or another repair of these trees
            assert whole.steps.edits[:, 0].sum() == edits[:, 0].sum()
            assert column >= 2
    assert kept


@pytest.mark.parametrize("how", ["twice", "backwards", "no operation", "nothing gained"])
def test_steps_that_do_not_follow_each_other(how: str):
    edits = found()
    forged = {
        "twice": np.vstack((edits, edits)),
        "backwards": edits[::-1].copy(),
        "no operation": edits + np.eye(8, dtype=np.int64)[1] * 4,
        "nothing gained": edits * np.array([0, *[1] * 7]),
    }[how]
    with pytest.raises(RunError, match="does not match its tree"):
        repaired(forged)


def test_any_steps_end_in_a_repair_or_the_error():
    random = Random(1)
    edits, n_wrong = found(), found()[:, 0].sum()
    n_refused = 0
    for _ in range(300):
        forged = np.array([[random.randrange(-1, 12) for _ in range(8)] for _ in range(random.randint(1, 4))])
        forged = np.vstack((edits[: random.randint(0, len(edits))], forged))
        try:
            assert repaired(forged).steps.edits[:, 0].sum() == n_wrong
        except RunError:
            n_refused += 1
    assert n_refused > 290

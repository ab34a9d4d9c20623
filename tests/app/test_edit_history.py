"""A series of edits, and what it costs."""

from __future__ import annotations

from random import Random

from hypothesis import given

from evaltools import ParameterError, Tree
from evaltools.app.lab.trees import edit_history, tree_cost
from evaltools.corpus.editing import Edit, read_edits
from tests.corpus.test_editing import random_edit
from tests.slow.trees import pairs, randoms

DOGS = Tree.from_string("(S (NP (N dogs)) (VP (V bark)))")


def test_steps_are_told_with_their_costs():
    made = edit_history(DOGS, read_edits("r5,NP i2,2,X d2"))
    assert [step.text for step in made.steps] == [
        "relabeled VP over “bark” as NP",
        "inserted X over “dogs”",
        "deleted NP over “dogs”",
    ]
    assert [step.cost for step in made.steps] == [1, 1, 1]
    assert str(made.tree) == "(S (X (N dogs)) (NP (V bark)))"
    assert made.cost == 2  # NP became X


def test_what_cannot_be_done_ends_the_series():
    made = edit_history(DOGS, read_edits("d0 r5,NP"))
    assert (made.steps, made.tree, made.cost) == ((), DOGS, 0)
    assert "words cannot be" in made.refused


@given(pairs(forest=False), randoms)
def test_the_distance_is_at_most_the_sum_of_the_steps(pair: tuple[Tree, Tree], random: Random):
    tree, edits = pair[1], list[Edit]()
    for _ in range(3):
        edit = random_edit(random, tree)
        try:
            tree = edit.apply(tree)
        except ParameterError:
            continue
        edits.append(edit)
    made = edit_history(pair[1], edits)
    assert made.tree == tree
    assert made.cost == tree_cost(pair[1], tree) <= sum(step.cost for step in made.steps)
    assert all(step.cost == 1 for step in made.steps if step.edit.kind not in ("move", "attach"))

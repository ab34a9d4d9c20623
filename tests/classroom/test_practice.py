"""The exercises that come with the package: their trees, and that each can be solved in the editor."""

from __future__ import annotations

import pytest

from evaltools import Tree
from evaltools.classroom.exercises import mark, practices
from evaltools.corpus.editing import read_edits

SOLUTIONS = {
    "draw-train": "i1,3,NP i8,10,NP i6,11,VP",
    "pp-song": "i9,17,NP",
    "pp-knife": "a17,19",
    "coordination-rice": "d9 i8,16,VP",
    "labels-rain": "r14,SBAR r12,VP",
    "draw-bird": "i11,13,NP i9,14,VP i7,7,VP i8,8,S i5,5,WHNP i6,10,SBAR i1,3,NP i4,12,NP",
}


def test_every_exercise_has_a_solution_here():
    assert SOLUTIONS.keys() == practices().keys()


@pytest.mark.parametrize("name", SOLUTIONS)
def test_an_exercise_is_solved_by_a_few_edits(name: str):
    practice = practices()[name]
    begin, end = mark(practice.item, ()), mark(practice.item, read_edits(SOLUTIONS[name]))
    assert not begin.is_right
    assert begin.texts
    assert begin.credit() == 0
    assert str(end.tree) == practice.item.gold
    assert end.is_right
    assert end.credit() == 1
    assert end.repairs == 0
    assert set(practice.labels) >= set(practice.item.start_tree.labels) & {"S", "NP", "VP"}


def test_exercises_have_texts_and_short_sentences():
    for practice in practices().values():
        tree = Tree.from_string(practice.item.gold)
        assert 3 <= len(tree.words) <= 12
        assert practice.title
        assert practice.task.endswith(".")
        assert practice.note.endswith(".")

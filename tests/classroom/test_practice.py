"""The exercise that comes with the package: its trees, and that each can be solved in the editor."""

from __future__ import annotations

import pytest

from evaltools.classroom.exercises import Item, mark, practice
from evaltools.corpus.editing import read_edits

SOLUTIONS = {
    "1": "i1,3,NP i8,10,NP i6,11,VP",
    "2": "i9,17,NP",
    "3": "a17,19",
    "4": "d9 i8,16,VP",
    "5": "r14,SBAR r12,VP",
    "6": "i11,13,NP i9,14,VP i7,7,VP i8,8,S i5,5,WHNP i6,10,SBAR i1,3,NP i4,12,NP",
}


@pytest.mark.parametrize("item", practice().items, ids=lambda item: item.id)
def test_a_sentence_is_solved_by_a_few_edits(item: Item):
    begin, end = mark(item, ()), mark(item, read_edits(SOLUTIONS[item.id]))
    assert not begin.is_right
    assert begin.texts
    assert begin.points == 0
    assert str(end.tree) == item.gold
    assert (end.is_right, end.points, end.repairs) == (True, 100, 0)
    assert 3 <= len(end.tree.words) <= 12
    assert item.task.endswith(".")
    assert item.note.endswith(".")

"""What holds of every layout: nothing overlaps, nothing is lost, equal things stand over one another."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import given

from evaltools.corpus import Kind, Tree
from evaltools.drawing.scene import Box
from evaltools.drawing.tree_placement import Layout, layout_alignment, layout_tree
from evaltools.frameworks.constituency.aligned_trees import Alignment
from evaltools.marks import Status
from tests.drawing.examples import ARABIC, DOG, OTHER_WORDS, PAIRS, TELESCOPE, TURNED, aligned, pairs


def crosses(start: tuple[float, float], end: tuple[float, float], box: Box) -> bool:
    """Return whether an upright or level line crosses a box."""
    left, right = sorted((start[0], end[0]))
    top, bottom = sorted((start[1], end[1]))
    return left < box.right - 0.1 and right > box.left + 0.1 and top < box.bottom - 0.1 and bottom > box.top + 0.1


def check(layout: Layout, alignment: Alignment, mapping: str) -> None:
    """Check all that should hold of a layout."""
    boxes = [node.box for node in layout.nodes] + [cell.box for cell in layout.words]
    for first, second in combinations(boxes, 2):
        assert not first.overlaps(second), (first, second)
    for box in boxes:
        assert box.left >= 0
        assert box.right <= layout.width
        assert box.top >= 0
        assert box.bottom <= layout.height

    drawn = {"gold": [], "test": []}
    for node in layout.nodes:
        drawn[node.side] += [node.node, *node.hidden]
    for cell in layout.words:
        for word in cell.words:
            drawn[word.side].append(word.node)
    assert sorted(drawn["gold"]) == list(range(len(alignment.gold)))
    assert sorted(drawn["test"]) == list(range(len(alignment.test)))

    for edge in layout.edges:
        for start, end in pairwise(edge.points):
            assert not any(crosses(start, end, box) for box in boxes), edge

    boxes_of = {(node.side, node.node): node.box for node in layout.nodes}
    boxes_of |= {(word.side, word.node): cell.box for cell in layout.words for word in cell.words}
    for link in layout.links:
        ends = (boxes_of["gold", link.gold], boxes_of["test", link.test])
        for start, end in pairwise(link.points):
            if start[0] == end[0] or start[1] == end[1]:
                assert not any(crosses(start, end, box) for box in boxes if box not in ends), link

    levels = {(node.side, node.node): node.level for node in layout.nodes}
    for node in layout.nodes:
        if node.parent is not None:
            assert levels[node.side, node.parent] > node.level
    if mapping == "t":
        kinds = alignment.gold.kinds, alignment.test.kinds
        for gold, test in alignment.t.pairs:
            ends = levels.get(("gold", gold)), levels.get(("test", test))
            if None not in ends and kinds[0][gold] is kinds[1][test]:
                assert ends[0] == ends[1]


@given(pair=pairs())
@pytest.mark.parametrize(("mapping", "fold"), [("t", False), ("t", True), ("e", False)])
def test_layouts_of_random_trees(pair: tuple[str, str], mapping: str, fold: bool) -> None:
    alignment = aligned(pair)
    check(layout_alignment(alignment, mapping, fold=fold), alignment, mapping)


@pytest.mark.parametrize("mapping", ["e", "t"])
@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_layouts_of_examples(pair: tuple[str, str], mapping: str) -> None:
    alignment = aligned(pair)
    check(layout_alignment(alignment, mapping, fold=False), alignment, mapping)
    check(layout_alignment(alignment, mapping, fold=True), alignment, mapping)


def test_equal_spans_stand_over_one_another() -> None:
    alignment = aligned(TELESCOPE)
    layout = layout_alignment(alignment, "e")
    x = {(node.side, node.node): node.box.x for node in layout.nodes}
    trees = {"gold": alignment.gold, "test": alignment.test}
    by_span: dict[tuple[int, int], set[float]] = {}
    for (side, node), at in x.items():
        by_span.setdefault(trees[side].span(node), set()).add(round(at, 6))
    assert all(len(positions) == 1 for positions in by_span.values())


def test_words_share_one_row_unless_they_differ() -> None:
    same = layout_alignment(aligned(DOG), "t")
    assert len({cell.box.y for cell in same.words}) == 1
    assert [cell.text for cell in same.words] == ["the", "dog", "barks"]
    other = layout_alignment(aligned(OTHER_WORDS), "t")
    rows = sorted({cell.box.y for cell in other.words})
    assert len(rows) == 2
    columns = {cell.text: cell.box.x for cell in other.words if cell.box.y == rows[0]}
    below = {cell.text: cell.box.x for cell in other.words if cell.box.y == rows[1]}
    assert columns["I"] == below["I"]
    assert columns["go"] == below["go"]
    assert below["can"] < columns["cannot"] < below["not"]


def test_swapped_pair_is_linked_beside_the_words() -> None:
    layout = layout_alignment(aligned(DOG), "t")
    assert {link.status for link in layout.links} == {Status.RELABELED}
    assert len(layout.links) == 2


def test_turned_chain_of_an_e_mapping_is_placed() -> None:
    layout = layout_alignment(aligned(TURNED), "e")
    assert all(node.status is Status.RIGHT for node in layout.nodes)


def test_right_to_left_words_run_from_the_right() -> None:
    layout = layout_alignment(aligned(ARABIC), "t")
    positions = [cell.box.x for cell in sorted(layout.words, key=lambda cell: cell.position or 0)]
    assert positions == sorted(positions, reverse=True)


def test_missing_parse_shows_the_gold_tree_alone() -> None:
    gold = Tree.from_string("(S (NP (PRP I)) (VP (VBP go)))")
    layout = layout_tree(gold)
    assert {node.side for node in layout.nodes} == {"gold"}
    assert [cell.text for cell in layout.words] == ["I", "go"]


def test_triangles_open_one_step_at_a_time() -> None:
    shared = "(NP (NP (DT the) (NN man)) (PP (IN in) (NP (DT the) (NN moon))))"
    alignment = aligned((f"(S {shared} (VP (VBZ is) (ADJP (JJ old))))", f"(S {shared} (VP (VBZ is) (JJ old)))"))
    folded = layout_alignment(alignment, "t", fold=True)
    (top,) = [node for node in folded.nodes if node.triangle and node.side == "gold"]
    assert "the man in the moon" in [cell.text for cell in folded.words]
    opened = layout_alignment(alignment, "t", fold=True, unfolded=frozenset({top.node}))
    inner = [node for node in opened.nodes if node.triangle and node.side == "gold"]
    assert len(inner) == 2
    (again,) = [node for node in opened.nodes if node.side == "gold" and node.node == top.node]
    assert again.fold == top.node
    check(opened, alignment, "t")


def test_folding_starts_above_25_words() -> None:
    def pair(n: int) -> tuple[str, str]:
        noun = " ".join(f"(NN w{i})" for i in range(n - 1))
        return f"(S (NP {noun}) (VP (V go)))", f"(S (NP {noun}) (V go))"

    assert not any(node.triangle for node in layout_alignment(aligned(pair(25)), "t").nodes)
    assert any(node.triangle for node in layout_alignment(aligned(pair(26)), "t").nodes)


def test_identical_trees_keep_their_root_open() -> None:
    alignment = aligned((TELESCOPE[0], TELESCOPE[0]))
    layout = layout_alignment(alignment, "t", fold=True)
    roots = [node for node in layout.nodes if node.parent is None]
    assert not any(node.triangle for node in roots)
    assert any(node.triangle for node in layout.nodes)


def test_preterminals_stand_next_to_the_words() -> None:
    layout = layout_alignment(aligned(TELESCOPE), "t")
    assert {node.level for node in layout.nodes if node.kind is Kind.PRETERMINAL} == {1}

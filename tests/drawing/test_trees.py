"""Where the parts of pictures of trees are: nothing overlaps or is lost, and every line can be followed."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise
from random import Random

import pytest
from hypothesis import given

from evaltools.corpus import Kind, Tree
from evaltools.drawing import draw
from evaltools.drawing.scene import Box, Point
from evaltools.drawing.tree_placement import Layout, layout_alignment, layout_tree
from evaltools.frameworks.constituency.aligned_trees import Alignment, drawn_mapping, placed_links, word_columns
from evaltools.frameworks.constituency.alignment import align
from evaltools.marks import Status
from tests.conftest import few_examples
from tests.drawing.examples import (
    ARABIC,
    CANNOT,
    CANNOT_LINKS,
    CHARACTERS,
    DOG,
    EXACT,
    FOLDED,
    OTHER_WORDS,
    PAIRS,
    TELESCOPE,
    TURNED,
    aligned,
    cannot,
    joined,
    joined_pairs,
    pairs,
)
from tests.slow.discontinuous import random_pair
from tests.slow.trees import randoms

NESTED = ("(S (A (B (C (D a))) b))", "(S (E (F (G (H a))) b))")
CROSSING = Tree.from_string("(S (X (A 0=a) (C 2=c)) (Y (B 1=b) (D 3=d)))", "discbracket")


def crosses(start: Point, end: Point, box: Box) -> bool:
    left, right = sorted((start[0], end[0]))
    top, bottom = sorted((start[1], end[1]))
    return left < box.right - 0.1 and right > box.left + 0.1 and top < box.bottom - 0.1 and bottom > box.top + 0.1


def words_of(layout: Layout) -> list[tuple[str, int, Box]]:
    return [(*key, cell.box) for cell in layout.cells for key in cell.nodes.items() if key not in layout.triangles]


def check(layout: Layout, alignment: Alignment, mapping: str) -> None:
    boxes = [*layout.boxes.values(), *(cell.box for cell in layout.cells)]
    for first, second in combinations(boxes, 2):
        assert not first.overlaps(second), (first, second)
    for box in boxes:
        assert box.left >= 0
        assert box.right <= layout.width
        assert box.top >= 0
        assert box.bottom <= layout.height

    words = words_of(layout)
    for side in layout.sides:
        drawn = [node for name, node in layout.boxes if name == side.name]
        drawn += [inner for node in side.folded for inner in side.hidden(node)]
        drawn += [node for name, node, _ in words if name == side.name]
        assert sorted(drawn) == list(range(len(side.tree)))

    boxes_of = layout.boxes | {(side, node): box for side, node, box in words}
    for (side, child), points in layout.edges.items():
        tree = alignment.gold if side == "gold" else alignment.test
        ends = {child, tree.parents[child]}
        for (own, node), box in boxes_of.items():
            if own == side and node not in ends:
                assert not any(crosses(*line, box) for line in pairwise(points)), (child, node)
    for link in layout.links:
        ends = boxes_of["gold", link.gold], boxes_of["test", link.test]
        for start, end in pairwise(link.points):
            if start[0] == end[0] or start[1] == end[1]:
                assert not any(crosses(start, end, box) for box in boxes if box not in ends), link

    for side in layout.sides:
        for node in side.inner:
            parent = side.tree.parents[node]
            assert parent < 0 or layout.levels[side.name, parent] > layout.levels[side.name, node]
    if mapping == "t":
        for gold, test in alignment.t.pairs:
            ends = layout.levels.get(("gold", gold)), layout.levels.get(("test", test))
            if None not in ends and alignment.gold.kinds[gold] is alignment.test.kinds[test]:
                assert ends[0] == ends[1]
    check_ties(layout, alignment)


def check_ties(layout: Layout, alignment: Alignment) -> None:
    """Check that each line leads from its gold word, or the line along it, to its test word, between the rows."""
    cells = {key: cell.box for cell in layout.cells for key in cell.nodes.items()}
    for tie in layout.ties:
        (x, top), (x_below, bottom) = tie.points
        upper, lower = cells["gold", tie.gold], cells["test", tie.test]
        assert x == x_below
        assert upper.bottom < top < bottom < lower.top
        for box, y in ((upper, top), (lower, bottom)):
            along = [(a, b) for (a, at), (b, _) in layout.braces if at == y]
            assert box.left <= x <= box.right or any(a - 0.1 <= x <= b + 0.1 for a, b in along)
    drawn = Counter((tie.gold, tie.test) for tie in layout.ties)
    assert all(number == 1 for number in drawn.values())
    if not layout.triangles:
        nodes = alignment.gold.word_nodes, alignment.test.word_nodes
        assert set(drawn) == {(nodes[0][link.gold], nodes[1][link.test]) for link in placed_links(alignment)}
    assert len({cell.box.y for cell in layout.cells}) <= 2


MAPPINGS = pytest.mark.parametrize(("mapping", "fold"), [("e", False), ("e", True), ("t", False), ("t", True)])


@given(pair=pairs())
@MAPPINGS
def test_layouts_of_random_trees(pair: tuple[str, str], mapping: str, fold: bool) -> None:
    alignment = aligned(pair)
    check(layout_alignment(alignment, mapping, fold=fold), alignment, mapping)


@given(alignment=joined_pairs())
@MAPPINGS
@pytest.mark.slow
def test_layouts_of_random_alignments(alignment: Alignment, mapping: str, fold: bool) -> None:
    check(layout_alignment(alignment, mapping, fold=fold), alignment, mapping)


@MAPPINGS
@pytest.mark.parametrize("pair", [*PAIRS.values(), NESTED, CANNOT], ids=[*PAIRS, "nested", "cannot"])
def test_layouts_of_examples(pair: tuple[str, str], mapping: str, fold: bool) -> None:
    alignment = aligned(pair)
    layout = layout_alignment(alignment, mapping, fold=fold)
    check(layout, alignment, mapping)
    upright = [
        (link, x, min(y0, y1), max(y0, y1))
        for link in layout.links
        for (x, y0), (x1, y1) in pairwise(link.points)
        if x == x1
    ]
    for (one, x, top, bottom), (other, x_other, top_other, bottom_other) in combinations(upright, 2):
        beside = min(bottom, bottom_other) - max(top, top_other) > 0.5
        assert one is other or not (beside and abs(x - x_other) < 3.5), "links are kept apart"


@given(alignment=joined_pairs())
def test_brackets_over_the_same_columns_are_over_one_another(alignment: Alignment) -> None:
    columns = word_columns(alignment)
    positions: dict[tuple[int, int], set[float]] = {}
    for (name, node), box in layout_alignment(alignment, "e", fold=False).boxes.items():
        side, tree = (0, alignment.gold) if name == "gold" else (1, alignment.test)
        start, end = tree.span(node)
        first = [at for at, column in enumerate(columns) if column[side] == start]
        last = [at for at, column in enumerate(columns) if column[side] == end - 1]
        empty = any(tree.starts[inner] == tree.ends[inner] for inner in range(len(tree)))
        if first and last and not empty:
            positions.setdefault((first[0], last[-1]), set()).add(round(box.x, 6))
    assert all(len(xs) == 1 for xs in positions.values())


def test_words_share_one_row_unless_they_differ() -> None:
    same = layout_alignment(aligned(DOG), "t")
    assert len({cell.box.y for cell in same.cells}) == 1
    assert [cell.text for cell in same.cells] == ["the", "dog", "barks"]
    cells = layout_alignment(aligned(OTHER_WORDS), "t").cells
    rows = sorted({cell.box.y for cell in cells})
    above, below = ({cell.text: cell.box.x for cell in cells if cell.box.y == row} for row in rows)
    assert (above["I"], above["go"]) == (below["I"], below["go"])
    assert below["can"] < above["cannot"] < below["not"]


def test_links_of_relabeled_pairs() -> None:
    assert [link.what for link in layout_alignment(aligned(DOG), "t").links] == [Status.RELABELED] * 2
    assert len(layout_alignment(aligned(NESTED), "t", fold=False).links) == 4
    turned = layout_alignment(aligned(TURNED), "e")
    assert {status for side in turned.sides for status in side.statuses} == {Status.RIGHT}


def test_right_to_left_words_run_from_the_right() -> None:
    xs = [cell.box.x for cell in layout_alignment(aligned(ARABIC), "t").cells]
    assert xs == sorted(xs, reverse=True)


def test_a_single_tree_is_above_its_words() -> None:
    layout = layout_tree(Tree.from_string("(S (NP (PRP I)) (VP (VBP go)))"))
    assert {side for side, _ in layout.boxes} == {"gold"}
    assert [cell.text for cell in layout.cells] == ["I", "go"]
    assert all(box.y < layout.middle for box in layout.boxes.values())


def test_preterminals_are_next_to_the_words() -> None:
    layout = layout_alignment(aligned(TELESCOPE), "t")
    kinds = {side.name: side.tree.kinds for side in layout.sides}
    assert {level for (side, node), level in layout.levels.items() if kinds[side][node] is Kind.PRETERMINAL} == {1}


# -------------------------------------------------------------------------------------------------------------- folding


def test_triangles_open_one_step_at_a_time() -> None:
    shared = "(NP (NP (DT the) (NN man)) (PP (IN in) (NP (DT the) (NN moon))))"
    alignment = aligned((f"(S {shared} (VP (VBZ is) (ADJP (JJ old))))", f"(S {shared} (VP (VBZ is) (JJ old)))"))
    folded = layout_alignment(alignment, "t", fold=True)
    (top,) = folded.sides[0].folded
    assert "the man in the moon" in [cell.text for cell in folded.cells]
    opened = layout_alignment(alignment, "t", fold=True, unfolded=frozenset({top}))
    assert len(opened.sides[0].folded) == 2
    assert opened.sides[0].fold(top) == top
    check(opened, alignment, "t")


def test_folding_starts_above_25_words_and_leaves_the_root_of_equal_trees_open() -> None:
    def pair(n: int) -> tuple[str, str]:
        noun = " ".join(f"(NN w{i})" for i in range(n - 1))
        return f"(S (NP {noun}) (VP (V go)))", f"(S (NP {noun}) (V go))"

    assert not layout_alignment(aligned(pair(25)), "t").triangles
    assert layout_alignment(aligned(pair(26)), "t").triangles
    gold = layout_alignment(aligned((TELESCOPE[0], TELESCOPE[0])), "t", fold=True).sides[0]
    assert gold.folded
    assert not {*gold.tree.roots} & {*gold.folded}


def test_only_equal_words_fold() -> None:
    inner = "(NP (DT the) (JJ old) (NN {}))"
    gold = f"(S {inner.format('dog')} (VP (V barks)) {inner.format('cat')})"
    test = f"(S {inner.format('dog')} (VP (V barks)) {inner.format('Cat')})"
    links = [(at, at, EXACT, 3) for at in range(6)] + [(6, 6, FOLDED, 3)]
    alignment = joined((gold, test), links)
    layout = layout_alignment(alignment, "t", fold=True)
    assert [cell.text for cell in layout.cells if {*cell.nodes.items()} & {*layout.triangles}] == ["the old dog"] * 2
    assert "Cat" in [cell.text for cell in layout.cells]
    check_ties(layout, alignment)
    assert sum(alignment.gold.kinds[tie.gold] is Kind.PHRASE for tie in layout.ties) == 1


# --------------------------------------------------------------------------------------------------- words that differ


def test_a_word_joined_to_two_is_over_their_columns() -> None:
    pair = ("(S (X (MD can) (RB not)) (VB go))", "(S (MD cannot) (VB go))")
    layout = layout_alignment(joined(pair, [(0, 0, CHARACTERS, 3), (1, 0, CHARACTERS, 3), (2, 1, EXACT, 2)]), "e")
    x = {cell.text: cell.box.x for cell in layout.cells}
    labels = {(side, layout.grid.text[side, node]): box.x for (side, node), box in layout.boxes.items()}
    assert x["can"] < x["cannot"] < x["not"]
    assert x["cannot"] == labels["test", "MD"] == labels["gold", "X"]
    (brace,) = layout.braces
    assert [end[0] for end in brace] == [x["can"], x["not"]]
    assert {tie.points[0][0] for tie in layout.ties if tie.what.how is CHARACTERS} == {x["can"], x["not"]}


def test_a_chain_of_joined_words_is_one_block() -> None:
    alignment = joined(
        ("(S (A ab) (B c))", "(S (A a) (B bc))"), [(0, 0, CHARACTERS, 1), (0, 1, CHARACTERS, 1), (1, 1, CHARACTERS, 1)]
    )
    layout = layout_alignment(alignment, "e")
    assert len({tie.points[0][0] for tie in layout.ties}) == 3
    assert len(layout.braces) == 2


def test_the_e_mapping_marks_words_aligned_with_none_and_leaves_phrases_as_they_are() -> None:
    alignment = cannot()
    layout, drawn = layout_alignment(alignment, "e"), drawn_mapping(alignment, "e")
    statuses = {side.name: side.statuses for side in layout.sides}
    found = {cell.text: statuses[side][node] for cell in layout.cells for side, node in cell.nodes.items()}
    assert found == dict.fromkeys(("I", "can", "not", "go", ".", "i", "cannot"), Status.RIGHT) | {
        "there": Status.MISSING,
        "!": Status.SPURIOUS,
    }
    assert drawn_mapping(alignment, "t") is alignment.t
    for tree, before, after in (
        (alignment.gold, alignment.e.gold_status, drawn.gold_status),
        (alignment.test, alignment.e.test_status, drawn.test_status),
    ):
        assert all(before[node] is after[node] for node in range(len(tree)) if tree.kinds[node] is not Kind.WORD)


def test_what_the_engine_aligns_is_drawn_and_a_preset_of_evalb_joins_no_words() -> None:
    alignment = aligned(CANNOT)
    assert [(link.gold, link.test, link.how) for link in alignment.links] == [link[:3] for link in CANNOT_LINKS]
    drawn = drawn_mapping(alignment, "e")
    assert [step.text for step in drawn.steps if "word" in step.text] == ["delete word “there”", "insert word “!”"]
    wrong = drawn.gold_status.count(Status.MISSING) + drawn.test_status.count(Status.SPURIOUS)
    assert len(drawn.steps) == wrong
    plain = align(*CANNOT, preset="collins")
    assert plain.status == "words_differ"
    layout = layout_alignment(plain, "t")
    assert (layout.ties, layout.braces) == ([], [])
    assert len({cell.box.y for cell in layout.cells}) == 2


# ---------------------------------------------------------------------------------------------------- crossing branches


@few_examples
@given(randoms)
def test_lines_of_random_discontinuous_trees_can_be_followed(random: Random):
    gold, test = random_pair(random)
    alignment = align(gold, test)
    for fold in (False, True):
        layout = layout_alignment(alignment, "e", fold)
        check(layout, alignment, "e")
        trees = {"gold": gold, "test": test}
        for (one, points), (other, others) in combinations(layout.edges.items(), 2):
            side = trees[one[0]]
            if one[0] != other[0] or side.parents[one[1]] == side.parents[other[1]]:
                continue
            for (a, b), (c, d) in ((p, q) for p in pairwise(points) for q in pairwise(others)):
                for along, across in ((0, 1), (1, 0)):
                    if a[across] == b[across] == c[across] == d[across]:
                        low = max(min(a[along], b[along]), min(c[along], d[along]))
                        high = min(max(a[along], b[along]), max(c[along], d[along]))
                        assert high - low <= 0.01, "lines to children of two phrases are nowhere on one another"
        words = [box.x for side, _, box in words_of(layout) if side == "gold"]
        assert words == sorted(words)


def test_a_line_that_crosses_another_passes_over_it() -> None:
    alignment = align(CROSSING, CROSSING)
    layout = layout_alignment(alignment, "e", fold=False)
    assert {CROSSING.labels[child] for (side, child), _ in layout.bridges if side == "gold"} in (
        {"Y", "C"},
        {"C"},
        {"Y"},
    )
    lines = draw(alignment, "latex", mapping="e").split("\n")
    halos = [at for at, line in enumerate(lines) if line.startswith(r"\draw[draw=white, line width=3.75pt")]
    assert len(halos) == draw(alignment, "svg", mapping="e").count('class="halo"') > 0
    assert any(line.startswith(r"\draw[draw=black!45") for line in lines[: halos[0]]), "what it passes over"
    for at in halos:
        (_, path), (style, own) = (line.split("] ", 1) for line in lines[at : at + 2])
        assert own == path, "each gap is right before its line"
        assert style.startswith(r"\draw[draw=black!45, line width=.5pt")


def test_a_phrase_with_gaps_is_over_words_of_its_own() -> None:
    layout = layout_alignment(align(CROSSING, CROSSING), "e", fold=False)
    words = {CROSSING.first(node): box for side, node, box in words_of(layout) if side == "gold"}
    for (side, node), box in layout.boxes.items():
        if side == "gold" and CROSSING.kinds[node] is Kind.PHRASE and CROSSING.has_gap(node):
            assert any(words[word].left <= box.x <= words[word].right for word in CROSSING.yield_(node))


def test_discontinuous_trees_in_other_languages() -> None:
    latex = draw(CROSSING, "latex", standalone=True)
    assert r"\usepackage{tikz}" in latex
    assert "draw=white" in latex
    words = [line for line in latex.split("\n") if line.startswith(r"\node") and line.rstrip("};")[-1] in "abcd"]
    x = {line.rstrip("};")[-1]: float(line.split("(")[1].split(",")[0]) for line in words}
    assert sorted(x, key=x.__getitem__) == ["a", "b", "c", "d"], "in the order of the sentence"
    assert r"\begin{forest}" in draw(Tree.from_string("(S (A a))"), "latex")
    text = draw(align(CROSSING, Tree.from_string("(S (A a) (B b) (C c) (D d))")), "text", mapping="e")
    assert "2=c" in text, "words with their positions"
    assert "0=a" in text
    assert '"words"' in draw(align(CROSSING, CROSSING), "json", mapping="e")

"""Crossing branches of discontinuous trees: every line can be followed."""

from __future__ import annotations

from itertools import combinations, pairwise
from random import Random

from hypothesis import given

from evaltools import Tree, align
from evaltools.corpus import Kind
from evaltools.drawing import draw
from evaltools.drawing.tree_placement import Layout, layout_alignment
from tests.conftest import few_examples
from tests.slow.discontinuous import random_pair
from tests.slow.trees import randoms

GOLD = Tree.from_string("(S (X (A 0=a) (C 2=c)) (Y (B 1=b) (D 3=d)))", "discbracket")


def check(layout: Layout, trees: dict[str, Tree]) -> None:
    """Check that lines run through no label, and that lines to children of two phrases lie nowhere on one another."""
    boxes = {(node.side, node.node): node.box for node in layout.nodes}
    for edge in layout.edges:
        ends = {edge.child, trees[edge.side].parents[edge.child]}
        for (x0, y0), (x1, y1) in pairwise(edge.points):
            for (side, node), box in boxes.items():
                if side != edge.side or node in ends:
                    continue
                apart = max(x0, x1) <= box.left or box.right <= min(x0, x1)
                assert apart or max(y0, y1) <= box.top or box.bottom <= min(y0, y1), (edge, node)
    for one, other in combinations(layout.edges, 2):
        parents = [trees[edge.side].parents[edge.child] for edge in (one, other)]
        if one.side != other.side or parents[0] == parents[1]:
            continue
        for (a, b), (c, d) in ((p, q) for p in pairwise(one.points) for q in pairwise(other.points)):
            for along, across in ((0, 1), (1, 0)):
                is_parallel = a[across] == b[across] and c[across] == d[across] and a[across] == c[across]
                overlap = min(max(a[along], b[along]), max(c[along], d[along])) - max(
                    min(a[along], b[along]), min(c[along], d[along])
                )
                assert not (is_parallel and overlap > 0.01), (one, other)


@few_examples
@given(randoms)
def test_lines_of_random_trees_can_be_followed(random: Random):
    gold, test = random_pair(random)
    alignment = align(gold, test)
    for fold in (False, True):
        layout = layout_alignment(alignment, "e", fold)
        check(layout, {"gold": gold, "test": test})
        words = [cell for cell in layout.words if cell.fold is None]
        assert [cell.box.x for cell in words] == sorted(cell.box.x for cell in words)
        forms = [gold.words[cell.position] for cell in words if cell.position is not None]
        assert all(cell.full for cell in words)
        if not fold:
            assert forms == list(gold.words)


def test_a_line_that_crosses_another_passes_over_it():
    layout = layout_alignment(align(GOLD, GOLD), "e", fold=False)
    gold = [bridge for bridge in layout.bridges if bridge.side == "gold"]
    crossed = {GOLD.labels[bridge.child] for bridge in gold}
    assert crossed == {"Y", "C"} or crossed == {"C"} or crossed == {"Y"}
    assert 'class="halo"' in draw(align(GOLD, GOLD), "svg", mapping="e")


def test_latex_has_the_same_white_gaps_each_right_before_its_line():
    alignment = align(GOLD, GOLD)
    lines = draw(alignment, "latex", mapping="e").split("\n")
    halos = [at for at, line in enumerate(lines) if line.startswith(r"\draw[draw=white, line width=3.75pt")]
    assert len(halos) == draw(alignment, "svg", mapping="e").count('class="halo"') > 0
    for at in halos:
        (_, path), (style, own) = (line.split("] ", 1) for line in lines[at : at + 2])
        assert own == path
        assert style.startswith(r"\draw[draw=black!45, line width=.5pt")
    first_halo = halos[0]
    assert any(line.startswith(r"\draw[draw=black!45") for line in lines[:first_halo])  # what it passes over


def test_a_single_discontinuous_tree_in_latex_has_its_words_in_the_order_of_the_sentence():
    text = draw(GOLD, "latex", standalone=True)
    assert r"\usepackage{tikz}" in text
    words = [line for line in text.split("\n") if line.startswith(r"\node") and line.rstrip("};")[-1] in "abcd"]
    x = {line.rstrip("};")[-1]: float(line.split("(")[1].split(",")[0]) for line in words}
    assert sorted(x, key=x.__getitem__) == ["a", "b", "c", "d"]
    assert "draw=white" in text
    assert r"\begin{forest}" in draw(Tree.from_string("(S (A a))"), "latex")


def test_a_phrase_with_gaps_is_over_words_of_its_own():
    layout = layout_alignment(align(GOLD, GOLD), "e", fold=False)
    columns = {cell.position: cell.box for cell in layout.words}
    for node in layout.nodes:
        tree_words = GOLD.yield_(node.node)
        if node.side == "gold" and node.kind is Kind.PHRASE and GOLD.has_gap(node.node):
            assert any(columns[word].left <= node.box.x <= columns[word].right for word in tree_words)


def test_text_has_the_positions_of_words_that_stand_elsewhere():
    text = draw(align(GOLD, Tree.from_string("(S (A a) (B b) (C c) (D d))")), "text", mapping="e")
    assert "2=c" in text
    assert "0=a" in text


def test_data_have_the_words_of_a_phrase_with_gaps():
    data = draw(align(GOLD, GOLD), "json", mapping="e")
    assert '"words"' in data

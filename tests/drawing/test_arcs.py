"""Drawings of two dependency trees: nothing overlaps, nothing is lost, marks beside colours, in every language."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest
from hypothesis import given, strategies as st

from evaltools.corpus import DependencyTree
from evaltools.drawing import draw, languages
from evaltools.drawing.arc_content import arc_content, identical_parts
from evaltools.drawing.graph_placement import GraphLayout, PlacedArc, layout_arcs as placed_arcs
from evaltools.frameworks.dependency.aligned_arcs import DependencyAlignment
from evaltools.frameworks.dependency.alignment import align_dependencies
from tests.drawing.arc_examples import NO_PARSE, OTHER_WORDS, PAIRS, STARS, aligned
from tests.slow.dependency_pairs import dependency_pairs

if TYPE_CHECKING:
    pass

SVG = "{http://www.w3.org/2000/svg}"
Pair = tuple[DependencyTree, DependencyTree]


def layout_arcs(alignment: DependencyAlignment, fold: bool | None = None) -> GraphLayout:
    content = arc_content(alignment, fold=fold)
    return placed_arcs(content.cells, content.arcs)


def level_part(arc: PlacedArc) -> tuple[float, float]:
    """Return where an arc runs level; for a root, where its relation stands."""
    if arc.arc.source < 0:
        return arc.box.left, arc.box.right
    first, last = sorted((arc.points[1][0], arc.points[2][0]))
    return first, last


def above(first: PlacedArc, second: PlacedArc) -> bool:
    """Return whether an arc is farther from the words than another one of its side."""
    return first.box.y > second.box.y if first.arc.side == "test" else first.box.y < second.box.y


def check(layout: GraphLayout, alignment: DependencyAlignment) -> None:
    """Check all that should hold of a layout."""
    boxes = [arc.box for arc in layout.arcs] + [word.box for word in layout.words]
    for first, second in combinations(boxes, 2):
        assert not first.overlaps(second, -0.5), (first, second)
    for box in boxes:
        assert box.left >= 0
        assert box.right <= layout.width
        assert box.top >= 0
        assert box.bottom <= layout.height
    for first, second in combinations(layout.arcs, 2):
        if first.arc.side == second.arc.side and first.box.y == second.box.y:
            (a, b), (c, d) = level_part(first), level_part(second)
            assert b < c or d < a, (first, second)
    words = {"gold": [], "test": []}
    hidden = {word for parts in identical_parts(alignment).values() for word in parts}
    for placed in layout.words:
        for side in words:
            words[side] += [] if placed.cell.data[side] is None else [placed.cell.data[side]]
    assert len(words["gold"]) == len(set(words["gold"]))
    assert set(range(len(alignment.gold))) - set(words["gold"]) <= hidden
    drawn = {(arc.arc.side, arc.arc.number) for arc in layout.arcs}
    assert len(drawn) == len(layout.arcs)


@given(dependency_pairs(most_words=14), st.sampled_from([True, False]))
def test_nothing_overlaps_and_nothing_is_lost(pair: Pair, fold: bool) -> None:
    alignment = align_dependencies(*pair)
    check(layout_arcs(alignment, fold), alignment)


@given(dependency_pairs(most_words=10))
def test_no_arc_runs_through_a_relation_of_a_projective_tree(pair: Pair) -> None:
    alignment = align_dependencies(*pair)
    layout = layout_arcs(alignment, fold=False)
    for side, tree in (("gold", alignment.gold), ("test", alignment.test)):
        if not tree.is_projective or len(tree.roots) > 1:
            continue
        arcs = [arc for arc in layout.arcs if arc.arc.side == side]
        for arc in arcs:
            for other in arcs:
                if other is not arc and above(other, arc):
                    legs = {other.points[0][0], other.points[-1][0]}
                    assert not any(arc.box.left < x < arc.box.right for x in legs), (arc, other)


@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_the_examples_are_laid_out(pair: Pair) -> None:
    alignment = aligned(pair)
    layout = layout_arcs(alignment)
    check(layout, alignment)
    assert len(layout.arcs) == len(alignment.gold) + len(alignment.test)
    middle = layout.middle
    assert all((arc.box.y < middle) == (arc.arc.side == "gold") for arc in layout.arcs)


def test_a_relation_moves_aside_where_an_arc_crosses_its_own() -> None:
    tree = DependencyTree(("aa", "bb", "cc", "dd", "ee"), (4, 2, -1, 2, 2), ("far", "x", "root", "x", "x"))
    arcs = [arc for arc in layout_arcs(aligned((tree, tree))).arcs if arc.arc.side == "gold"]
    crossed = [
        (low, leg)
        for low in arcs
        for high in arcs
        if above(high, low)
        for leg in {high.points[0][0], high.points[-1][0]}
        if level_part(low)[0] < leg < level_part(low)[1]
    ]
    assert [low.arc.label for low, _ in crossed] == ["far"]
    for low, leg in crossed:
        assert not low.box.left < leg < low.box.right
        assert low.box.x != pytest.approx(sum(level_part(low)) / 2)


def test_what_is_equal_is_folded_and_opened_step_by_step() -> None:
    words = ("the", "very", "old", "man", "of", "the", "sea", "left", "us")
    heads = (3, 2, 3, 7, 6, 6, 3, -1, 7)
    gold = DependencyTree(words, heads, ("det", "advmod", "amod", "nsubj", "case", "det", "nmod", "root", "obj"))
    test = DependencyTree(words, heads, ("det", "advmod", "amod", "obl", "case", "det", "nmod", "root", "obj"))
    alignment = align_dependencies(gold, test)
    assert identical_parts(alignment) == {2: (1, 2), 3: (0, 1, 2, 3, 4, 5, 6), 6: (4, 5, 6)}
    folded = arc_content(alignment, fold=True).cells
    assert [column.texts[0] for column in folded] == ["the … sea", "left", "us"]
    assert folded[0].full == "the very old man of the sea"
    opened = arc_content(alignment, fold=True, unfolded=frozenset({3})).cells
    assert [column.texts[0] for column in opened] == ["the", "very old", "man", "of the sea", "left", "us"]
    assert [column.opens for column in opened] == [False, False, True, False, False, False]
    assert len(arc_content(alignment).cells) == 9


def test_nothing_with_a_wrong_arc_inside_is_folded() -> None:
    assert identical_parts(aligned(STARS)) == {5: (4, 5)}
    assert identical_parts(aligned((STARS[0], STARS[0]))) == {3: (2, 3), 5: (4, 5)}


def test_words_that_differ_stand_in_two_rows() -> None:
    layout = layout_arcs(aligned(OTHER_WORDS))
    texts = [word.cell.texts for word in layout.words]
    assert texts == [("I", "I"), ("can", ""), ("not", ""), ("", "cannot"), ("go", "go")]


# ---------------------------------------------------------------------------------------------------------------- SVG


def arcs(source: str) -> list[ElementTree.Element]:
    return [
        g
        for g in ElementTree.fromstring(source).iter(f"{SVG}g")
        if "arc" in g.get("class", "").split() and g.get("data-node")
    ]


@pytest.mark.parametrize("theme", ["light", "dark", "auto"])
@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_every_arc_is_a_group(pair: Pair, theme: str) -> None:
    alignment = aligned(pair)
    source = draw(alignment, theme=theme, interactive=True)
    found = {(g.get("data-side"), int(g.get("data-node", ""))): g for g in arcs(source)}
    statuses = {("gold", word): status for word, status in enumerate(alignment.gold_status)}
    statuses |= {("test", word): status for word, status in enumerate(alignment.test_status)}
    assert {key: g.get("class", "").split()[-1] for key, g in found.items()} == statuses
    for (side, word), g in found.items():
        tree = alignment.gold if side == "gold" else alignment.test
        head = tree.heads[word]
        assert g.get("data-parent") == (str(head) if head >= 0 else None)
        assert g.get("aria-label")
        assert g.get("tabindex") == "0"
    edges = [p for p in ElementTree.fromstring(source).iter(f"{SVG}path") if "edge" in p.get("class", "").split()]
    assert sorted((p.get("data-side"), int(p.get("data-child", ""))) for p in edges if p.get("data-child")) == sorted(
        found
    )
    assert ("var(" in source) == (theme == "auto")


def test_marks_and_lines_say_what_colours_say() -> None:
    source = draw(aligned(STARS), legend=False)
    marks = {
        (g.get("data-side"), int(g.get("data-node", ""))): [
            p.get("class", "").removeprefix("mark ") for p in g if p.get("class", "").startswith("mark")
        ]
        for g in arcs(source)
    }
    assert {key: found for key, found in marks.items() if found} == {
        ("gold", 2): ["relabeled"],
        ("test", 2): ["relabeled"],
        ("gold", 5): ["missing", "relabeled"],
        ("test", 5): ["spurious", "relabeled"],
    }
    lines = [p.get("class") for p in ElementTree.fromstring(source).iter(f"{SVG}path") if p.get("class")]
    assert lines.count("edge gold missing") == lines.count("edge test spurious") == lines.count("core") == 1
    assert lines.count("edge gold relabeled") == lines.count("edge test relabeled") == 1
    assert "telescopes · obl of “saw” · different head and relation · parse has nmod of “stars”" in source


def test_a_missing_parse_says_so() -> None:
    source = draw(aligned(NO_PARSE), parse_name="parser <1>")
    assert "parser &lt;1&gt;: no parse" in source


def test_a_folded_part_can_be_opened_and_closed() -> None:
    alignment = aligned((STARS[0], STARS[0]))
    closed = draw(alignment, fold=True, interactive=True)
    assert 'class="cell folded"' in closed
    assert 'data-fold="3"' in closed
    opened = draw(alignment, fold=True, unfolded=frozenset({3, 5}), interactive=True)
    assert "folded" not in opened.split("</style>")[1]
    assert opened.count('class="handle"') == 2


# -------------------------------------------------------------------------------------------------- other languages


@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
@pytest.mark.parametrize("language", languages(aligned(STARS)))
def test_every_language_draws_every_pair(language: str, pair: Pair) -> None:
    assert draw(aligned(pair), language).strip()


STARS_TEXT = """\
   word        tag        gold                 parse
1  I           PRON       nsubj ← 2 saw        nsubj ← 2 saw
2  saw         VERB       root ← 0             root ← 0
3  the         DET ≠ ADJ  ≠ det ← 4 stars      ≠ amod ← 4 stars
4  stars       NOUN       obj ← 2 saw          obj ← 2 saw
5  with        ADP        case ← 6 telescopes  case ← 6 telescopes
6  telescopes  NOUN       < ≠ obl ← 2 saw      > ≠ nmod ← 4 stars

< missed head (only in gold)   > wrong head (only in parse)   ≠ wrong relation"""


def test_text() -> None:
    assert draw(aligned(STARS), "text") == STARS_TEXT

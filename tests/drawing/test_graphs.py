"""Pictures of semantic graphs and dependency trees: nothing overlaps or is lost, marks beside colors, all languages."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, strategies as st

from evaltools.corpus import DependencyTree
from evaltools.corpus.semantic_graph import SemanticGraph, SemanticNode
from evaltools.drawing import arc_legends, draw
from evaltools.drawing.arc_content import arc_content
from evaltools.drawing.graph_content import content_of, segment_range, segments_of
from evaltools.drawing.graph_placement import GraphLayout, PlacedArc, layout_arcs, layout_graph
from evaltools.drawing.scene import Box
from evaltools.formats import read_semantics
from evaltools.frameworks.dependency.aligned_arcs import DependencyAlignment
from evaltools.frameworks.dependency.alignment import align_dependencies
from evaltools.frameworks.semantics.aligned_graphs import GRAPH_LEGEND, GraphAlignment
from evaltools.frameworks.semantics.alignment import align_graphs
from evaltools.frameworks.semantics.edm_rules import EdmRules, load_edm_rules
from tests.drawing import arc_examples, graph_examples
from tests.drawing.arc_examples import OTHER_WORDS, STARS
from tests.drawing.graph_examples import (
    ARABIC,
    COMPOUND,
    COMPOUND_TEXT,
    GOLD,
    HOSTILE,
    LEAVES,
    TEST,
    Edge,
    Pair,
    aligned,
    node,
    repeated,
)
from tests.slow.dependency_pairs import dependency_pairs
from tests.slow.edm import graph_pairs, rules
from tests.slow.projectivization import is_projective

SVG = "{http://www.w3.org/2000/svg}"
TreePair = tuple[DependencyTree, DependencyTree]
GRAPHS = {f"graphs {name}": aligned(pair) for name, pair in graph_examples.PAIRS.items()}
TREES = {f"trees {name}": arc_examples.aligned(pair) for name, pair in arc_examples.PAIRS.items()}
each_graph = pytest.mark.parametrize("alignment", GRAPHS.values(), ids=GRAPHS)
each_tree = pytest.mark.parametrize("alignment", TREES.values(), ids=TREES)
each_of_all = pytest.mark.parametrize("alignment", [*GRAPHS.values(), *TREES.values()], ids=[*GRAPHS, *TREES])


# ------------------------------------------------------------------------------------------------------------- layouts


def check_room(layout: GraphLayout) -> None:
    """Check that nothing overlaps anything else and all is in the picture."""
    boxes = [*(box for _, box in layout.nodes), *(arc.box for arc in layout.arcs)]
    words = [box for _, box in layout.words]
    for first, second in [*combinations(boxes, 2), *((word, box) for word in words for box in boxes)]:
        assert not first.overlaps(second, -0.5), (first, second)
    for first, second in combinations(words, 2):
        assert not first.overlaps(second, -3.0), (first, second)
    for box in (*boxes, *words):
        assert box.left >= -0.01
        assert box.right <= layout.width + 0.01
        assert box.top >= 0
        assert box.bottom <= layout.height


def runs_through(start: tuple[float, float], end: tuple[float, float], box: Box) -> bool:
    """Say whether an upright or level line enters the inside of a box."""
    left, right = sorted((start[0], end[0]))
    top, bottom = sorted((start[1], end[1]))
    return left < box.right - 1 and box.left + 1 < right + 0.01 and top < box.bottom - 1 and box.top + 1 < bottom + 0.01


def check_graph(layout: GraphLayout, alignment: GraphAlignment) -> None:
    check_room(layout)
    nodes = [box for _, box in layout.nodes]
    for placed in layout.arcs:
        for start, end in pairwise(placed.points):
            assert start[0] == pytest.approx(end[0]) or start[1] == pytest.approx(end[1])
            for box in nodes:
                assert not runs_through(start, end, box), (placed, box)
    level = [
        (placed, (a, b))
        for placed in layout.arcs
        for a, b in pairwise(placed.points)
        if a[1] == b[1] and a[0] != b[0] and not any(box.top <= a[1] <= box.bottom for box in nodes)
    ]
    for (one, (a, b)), (two, (c, d)) in combinations(level, 2):
        if one.arc != two.arc and a[1] == pytest.approx(c[1]):
            assert max(min(a[0], b[0]), min(c[0], d[0])) >= min(max(a[0], b[0]), max(c[0], d[0])), (one, two)
    drawn = [item for item, _ in layout.nodes]
    golds, tests = (
        [getattr(item, side) for item in drawn if getattr(item, side) is not None] for side in ("gold", "test")
    )
    assert len(golds) == len(set(golds))
    assert len(tests) == len(set(tests))
    if len(drawn) == len(content_of(alignment, fold=False).nodes):
        assert sorted(golds) == list(range(len(alignment.gold.nodes) if alignment.gold else 0))
        assert sorted(tests) == list(range(len(alignment.test.nodes) if alignment.test else 0))


def level_part(arc: PlacedArc) -> tuple[float, float]:
    """Return where an arc runs level; for a root, where its relation stands."""
    if arc.arc.source < 0:
        return arc.box.left, arc.box.right
    first, last = sorted((arc.points[1][0], arc.points[2][0]))
    return first, last


def above(first: PlacedArc, second: PlacedArc) -> bool:
    """Return whether an arc is farther from the words than another one of its side."""
    return first.box.y > second.box.y if first.arc.side == "test" else first.box.y < second.box.y


def layout_of(alignment: DependencyAlignment) -> GraphLayout:
    content = arc_content(alignment)
    return layout_arcs(content.cells, content.arcs)


def check_arcs(layout: GraphLayout, alignment: DependencyAlignment) -> None:
    check_room(layout)
    for first, second in combinations(layout.arcs, 2):
        if first.arc.side == second.arc.side and first.box.y == second.box.y:
            (a, b), (c, d) = level_part(first), level_part(second)
            assert b < c or d < a, (first, second)
    for side, tree in (("gold", alignment.gold), ("test", alignment.test)):
        words = [cell.data[side] for cell, _ in layout.words if cell.data[side] is not None]
        assert len(words) == len(set(words))
        assert {*words} == {*range(len(tree))}
    drawn = {(arc.arc.side, arc.arc.number) for arc in layout.arcs}
    assert len(drawn) == len(layout.arcs)


@given(graph_pairs(), rules, st.sampled_from(["differing", "all", "none"]), st.booleans())
def test_layouts_of_random_graphs(pair: Pair, some: EdmRules, properties: str, fold: bool) -> None:
    alignment = align_graphs(*pair, some)
    check_graph(layout_graph(content_of(alignment, fold, properties=properties)), alignment)


@given(dependency_pairs(most_words=14))
def test_layouts_of_random_trees(pair: TreePair) -> None:
    alignment = align_dependencies(*pair)
    check_arcs(layout_of(alignment), alignment)


@each_graph
def test_layouts_of_example_graphs(alignment: GraphAlignment) -> None:
    layout = layout_graph(content_of(alignment))
    check_graph(layout, alignment)
    assert all(box.bottom < layout.middle for _, box in layout.nodes)


@each_tree
def test_layouts_of_example_trees(alignment: DependencyAlignment) -> None:
    layout = layout_of(alignment)
    check_arcs(layout, alignment)
    assert len(layout.arcs) == len(alignment.gold) + len(alignment.test)
    assert all((arc.box.y < layout.middle) == (arc.arc.side == "gold") for arc in layout.arcs)


def test_a_long_text_is_laid_out_and_folded() -> None:
    gold = repeated(GOLD, 12)
    edges = (*gold.edges[:20], Edge(gold.edges[20].source, "ARG7", gold.edges[20].target), *gold.edges[21:])
    alignment = aligned((gold, replace(gold, edges=edges)))
    whole, folded = layout_graph(content_of(alignment, fold=False)), layout_graph(content_of(alignment))
    assert (len(whole.nodes), len(folded.nodes)) == (72, 2)
    assert folded.width < whole.width / 4
    opened = layout_graph(content_of(alignment, unfolded=frozenset({folded.words[0][0].first})))
    assert len(opened.nodes) > len(folded.nodes)
    for layout in (whole, folded, opened):
        check_graph(layout, alignment)


def test_graphs_of_a_grammar_are_laid_out(shared_data: Path) -> None:
    profiles = [read_semantics(shared_data / "data" / "erg" / year / "mrs") for year in ("2024", "2025")]
    items = [{item.id: item.results[0] for item in bank.items if item.results} for bank in profiles]
    assert len(items[0]) > 90
    for name in items[0].keys() & items[1].keys():
        alignment = aligned((items[0][name], items[1][name]))
        check_graph(layout_graph(content_of(alignment, properties="all")), alignment)


@given(dependency_pairs(most_words=10))
def test_no_arc_runs_through_a_relation_of_a_projective_tree(pair: TreePair) -> None:
    alignment = align_dependencies(*pair)
    layout = layout_of(alignment)
    for side, tree in (("gold", alignment.gold), ("test", alignment.test)):
        if not is_projective(tree.heads) or len(tree.roots) > 1:
            continue
        arcs = [arc for arc in layout.arcs if arc.arc.side == side]
        for arc in arcs:
            for other in arcs:
                if other is not arc and above(other, arc):
                    legs = {other.points[0][0], other.points[-1][0]}
                    assert not any(arc.box.left < x < arc.box.right for x in legs), (arc, other)


def test_a_relation_moves_aside_where_an_arc_crosses_its_own() -> None:
    tree = DependencyTree(("aa", "bb", "cc", "dd", "ee"), (4, 2, -1, 2, 2), ("far", "x", "root", "x", "x"))
    arcs = [arc for arc in layout_of(arc_examples.aligned((tree, tree))).arcs if arc.arc.side == "gold"]
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


def test_words_that_differ_are_in_two_rows() -> None:
    texts = [cell.texts for cell, _ in layout_of(arc_examples.aligned(OTHER_WORDS)).words]
    assert texts == [("I", "I"), ("can", ""), ("not", ""), ("", "cannot"), ("go", "go")]


def test_nodes_are_over_their_words() -> None:
    layout = layout_graph(content_of(aligned((COMPOUND, COMPOUND))))
    words = {cell.texts[0]: box.x for cell, box in layout.words}
    nodes = {item.name: box for item, box in layout.nodes}
    assert nodes["udef_q"].x == nodes["_garden_n_1"].x == words["garden"]
    assert nodes["udef_q"].y > nodes["_garden_n_1"].y, "what binds is under what is bound"
    assert words["garden"] < nodes["compound"].x < words["dog"]
    assert nodes["loc_nonsp"].y < nodes["_bark_v_1"].y, "an argument is under its predicate"


def test_nodes_without_characters_are_beside_what_they_lead_to() -> None:
    nodes = (node("_a_n_1", (0, 1)), node("_b_n_1", (2, 3)), node("plus_c"), node("udef_q"), node("thing"))
    graph = SemanticGraph(nodes, (Edge(2, "ARG1", 0), Edge(2, "ARG2", 1), Edge(3, "BV", 2)), (), "a b c")
    layout = layout_graph(content_of(aligned((graph, graph))))
    x = {item.name: box.x for item, box in layout.nodes}
    assert x["_a_n_1"] < x["plus_c"] == x["udef_q"] < x["_b_n_1"] < x["thing"]


# ------------------------------------------------------------------------------------------------------------ contents


def test_words_are_cut_where_nodes_are_on_both_sides() -> None:
    anchors = [node.anchors for node in COMPOUND.nodes]
    texts = [segment.text for segment in segments_of(COMPOUND_TEXT, anchors)]
    assert texts == ["The", "garden", "dog", "can", "not", "bark."]
    assert [segment.text for segment in segments_of("go on.", [((0, 5),), ((3, 5),), ((3, 6),)])] == ["go", "on."]
    assert [segment.text for segment in segments_of("日本語", [((0, 2),), ((2, 3),)])] == ["日本", "語"]
    assert [segment.text for segment in segments_of("", [((4, 9),), ((0, 3),), ((0, 9),)])] == ["0–3", "4–9"]


def test_spans_beyond_the_text_take_the_nearest_word() -> None:
    segments = segments_of("a bc", [])
    assert [segment_range(anchors, segments) for anchors in (((90, 95),), ((2, 2),), ((0, 4),), (), ((-1, -1),))] == [
        (1, 1),
        (1, 1),
        (0, 1),
        None,
        None,
    ]


def test_a_node_with_other_characters_of_the_same_words_is_drawn_once() -> None:
    content = content_of(aligned((GOLD, LEAVES)))
    leave = next(one for one in content.nodes if one.name == "_leave_v_1")
    assert (leave.gold, leave.test, leave.status) == (5, 5, "relabeled")
    assert [(line.kind, line.description) for line in leave.lines] == [
        ("predicate", "_leave_v_1"),
        ("span", "20:25 ≠ 20:26"),
    ]
    roles = sorted((role.label, role.description, role.status) for role in content.roles if role.status != "right")
    assert roles == [("ARG1", "ARG1", "relabeled"), ("ARG3", "ARG3", "relabeled")]


def test_what_differs_is_told_apart() -> None:
    content = content_of(aligned((GOLD, TEST)))
    assert {one.name: one.status for one in content.nodes if one.status != "right"} == {
        "_leave_v_1 ≠ _leave_v_for": "relabeled",
        "_extra_a_1": "spurious",
    }
    roles = sorted((role.description, role.status) for role in content.roles if role.status != "right")
    assert roles == [("ARG1", "missing"), ("ARG1", "spurious"), ("ARG1", "spurious"), ("ARG3 ≠ ARG4", "relabeled")]
    persuade = next(one for one in content.nodes if one.name == "_persuade_v_of")
    assert [line.description for line in persuade.lines if line.kind == "property"] == ["TENSE past ≠ pres"]
    everything = content_of(aligned((GOLD, TEST)), properties="all")
    pron = next(one for one in everything.nodes if one.name == "pron")
    assert [line.description for line in pron.lines] == ["pron", "PERS 3", "NUM sg"]


def test_what_does_not_count_is_no_difference() -> None:
    pair = (
        GOLD,
        replace(GOLD, nodes=(*GOLD.nodes[:2], node("_persuade_v_of", (3, 12), TENSE="pres"), *GOLD.nodes[3:])),
    )
    some = replace(aligned(pair).rules, properties=(("TENSE", 0.0),))
    assert not any(one.differs for one in content_of(align_graphs(*pair, some)).nodes)
    assert any(one.differs for one in content_of(aligned(pair)).nodes)


def test_what_differs_in_case_alone_is_drawn_as_matched_where_case_is_folded():
    names = (("Kim", "named", "TENSE", "pres"), ("KIM", "NAMED", "tense", "PRES"))
    graphs = [
        SemanticGraph((SemanticNode("x", predicate, ((0, 3),), ((name, value),), constant, "x"),), (), (0,), "Kim")
        for constant, predicate, name, value in names
    ]
    folded, told_apart = (
        content_of(align_graphs(*graphs, load_edm_rules(preset)), properties="all") for preset in ("mtool", "pydelphin")
    )
    (node,) = folded.nodes
    assert {line.status for line in node.lines} == {"right"}
    assert [line.text for line in node.lines] == ["named", "“Kim”", "top", "pres"]
    assert {line.status for node in told_apart.nodes for line in node.lines} > {"right"}


def test_only_what_differs_keeps_its_neighbors() -> None:
    shown = layout_graph(content_of(aligned((GOLD, TEST)), fold=True))
    names = {item.name for item, _ in shown.nodes}
    assert {"pron", "named", "_persuade_v_of", "_extra_a_1"} <= names
    assert "proper_q" not in names
    same = layout_graph(content_of(aligned((GOLD, GOLD)), fold=True))
    assert not same.nodes
    assert [cell.folded for cell, _ in same.words] == [True]


# ----------------------------------------------------------------------------------------------------------------- SVG


def groups(source: str, class_: str) -> dict[int, ElementTree.Element]:
    return {
        int(g.get("data-node", "")): g
        for g in ElementTree.fromstring(source).iter(f"{SVG}g")
        if class_ in g.get("class", "").split() and g.get("data-node")
    }


@pytest.mark.parametrize("theme", ["light", "dark", "auto"])
@each_graph
def test_every_node_and_role_is_a_group(alignment: GraphAlignment, theme: str) -> None:
    content, source = content_of(alignment), draw(alignment, theme=theme, interactive=True)
    nodes, roles = groups(source, "pred"), groups(source, "role")
    assert set(nodes) == {item.number for item in content.nodes}
    assert set(roles) == {item.number for item in content.roles}
    assert all(g.get("aria-label") and g.get("tabindex") == "0" for g in (*nodes.values(), *roles.values()))
    edges = {p.get("data-child") for p in ElementTree.fromstring(source).iter(f"{SVG}path") if p.get("data-child")}
    assert edges == set(map(str, roles))
    for item in content.roles:
        assert roles[item.number].get("data-with") == f"{item.source} {item.target}"
    assert ("var(" in source) == (theme == "auto")


def arcs(source: str) -> list[ElementTree.Element]:
    return [
        g
        for g in ElementTree.fromstring(source).iter(f"{SVG}g")
        if "arc" in g.get("class", "").split() and g.get("data-node")
    ]


@pytest.mark.parametrize("theme", ["light", "dark", "auto"])
@each_tree
def test_every_arc_is_a_group(alignment: DependencyAlignment, theme: str) -> None:
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


def test_marks_of_graphs_say_what_colors_say() -> None:
    source = draw(aligned((GOLD, TEST)), legend=False)
    for class_ in ("pred", "role"):
        for g in groups(source, class_).values():
            status = next(one for one in ("right", "missing", "spurious", "relabeled") if one in g.get("class", ""))
            marks = [p for p in g.iter(f"{SVG}path") if "mark" in p.get("class", "")]
            assert bool(marks) or status == "right"
    lines = [p.get("class") for p in ElementTree.fromstring(source).iter(f"{SVG}path") if p.get("class")]
    assert lines.count("edge missing") == 1
    assert lines.count("edge spurious") == lines.count("core") == 2
    assert lines.count("edge relabeled") == 1
    assert "_persuade_v_of ARG3 ≠ ARG4 _leave_v_1" in source


def test_marks_and_lines_of_arcs_say_what_colors_say() -> None:
    source = draw(arc_examples.aligned(STARS), legend=False)
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


def test_a_node_says_where_it_stands_and_whose_it_is() -> None:
    source = draw(aligned((GOLD, TEST)), parse_name="parser <1>")
    titles = {g.get("aria-label") for g in groups(source, "pred").values()}
    assert "_extra_a_1 <17:19> “to” · only in parser <1>" in titles
    assert "named <13:16> “Kim” · in both · “Kim”" in titles
    assert "_persuade_v_of <3:12> “persuaded” · in both · top · TENSE past ≠ pres" in titles


def test_hostile_labels_are_shown_literally() -> None:
    source = draw(aligned((HOSTILE, HOSTILE)), title="<i>", properties="all", gold_name="{gold}")
    texts = {text.text for text in ElementTree.fromstring(source).iter(f"{SVG}text")}
    assert {"<b>$x$</b>", "a&b|\"'`\\n␁", "∅", "\\u202e-LRB-", "{nowhere}", "<script>", "&amp;", "<i>"} <= texts
    assert "<script" not in source
    assert "\u202e" not in source


def test_predicates_run_from_left_to_right() -> None:
    source = ElementTree.fromstring(draw(aligned((ARABIC, ARABIC))))
    directions = {text.text: text.get("direction") for text in source.iter(f"{SVG}text")}
    assert directions["_كتاب_n_1"] is None
    assert directions["كتابا"] == "rtl"


def test_the_legend_names_what_occurs() -> None:
    assert "different name or span" in draw(aligned((GOLD, TEST)))
    assert "different name or span" not in draw(aligned((GOLD, GOLD)))
    assert "only in" not in draw(aligned((GOLD, GOLD)))
    entries = arc_legends(GRAPH_LEGEND, "a & b", "c", has_boxes=True)
    assert sum("only in a &amp; b" in draw(entry, theme="auto") for entry in entries) == 1


def test_a_missing_analysis_is_named() -> None:
    assert "parser &lt;1&gt;: no graph" in draw(aligned((GOLD, None)), parse_name="parser <1>")
    assert "no graph" in draw(aligned((None, None)))
    assert "parser &lt;1&gt;: no parse" in draw(TREES["trees no parse"], parse_name="parser <1>")


def test_a_folded_part_can_be_opened_and_closed() -> None:
    alignment = aligned((GOLD, GOLD))
    closed = draw(alignment, fold=True, interactive=True)
    assert 'class="cell folded"' in closed
    assert 'data-fold="0"' in closed
    opened = draw(alignment, fold=True, unfolded=frozenset({0}), interactive=True)
    assert 'class="cell folded"' not in opened
    assert opened.count('class="handle"') == 1


# ----------------------------------------------------------------------------------------------------- other languages


def test_dependency_trees_in_dot() -> None:
    gold = DependencyTree(("Kim", "saw", "her"), (1, -1, 1), ("nsubj", "root", "obj"), tags=("PROPN", "VERB", "PRON"))
    parse = DependencyTree(("Kim", "saw", "her"), (1, -1, 0), ("subj", "root", "obj"), tags=("PROPN", "VERB", "PRON"))
    edges = {
        r'w1 -> w0 [label="< nsubj > subj" color="#0072B2" fontcolor="#0072B2" style=solid]',
        "root -> w1 [label=root]",
        r'w1 -> w2 [label="< obj" color="#B85000" fontcolor="#B85000" style=dashed]',
        r'w0 -> w2 [label="> obj" color="#007d5b" fontcolor="#007d5b" style=bold]',
    }
    lines = [line.strip() for line in draw(align_dependencies(gold, parse), "dot").splitlines()]
    assert {line for line in lines if "->" in line} == edges
    assert r'w0 [label="Kim\nPROPN"]' in lines
    lines = [line.strip() for line in draw(gold, "dot").splitlines()]
    assert [line for line in lines if "->" in line] == [
        "w1 -> w0 [label=nsubj]",
        "root -> w1 [label=root]",
        "w1 -> w2 [label=obj]",
    ]


@each_of_all
@pytest.mark.skipif(shutil.which("dot") is None, reason="no Graphviz here")
def test_dot_is_accepted_by_graphviz(alignment: Any) -> None:
    source = draw(alignment, "dot").encode()
    done = subprocess.run(["dot", "-Tsvg"], input=source, capture_output=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert b"rror" not in done.stderr


TEXT = """\
He persuaded Kim to leave.

Names: 5 right, 1 missing, 2 spurious
  <0:2> He          NAME   pron
  <0:2> He          NAME   pronoun_q
  <3:12> persuaded  NAME   _persuade_v_of
  <13:16> Kim       NAME   named
  <13:16> Kim       NAME   proper_q
> <17:19> to        NAME   _extra_a_1
< <20:25> leave     NAME   _leave_v_1
> <20:25> leave     NAME   _leave_v_for

Arguments: 4 right, 2 missing, 3 spurious
  <0:2> He          BV     → <0:2> He
  <3:12> persuaded  ARG1   → <0:2> He
  <3:12> persuaded  ARG2   → <13:16> Kim
< <3:12> persuaded  ARG3   → <20:25> leave
> <3:12> persuaded  ARG4   → <20:25> leave
  <13:16> Kim       BV     → <13:16> Kim
> <17:19> to        ARG1   → <20:25> leave
> <20:25> leave     ARG1   → <0:2> He
< <20:25> leave     ARG1   → <13:16> Kim

Properties: 4 right, 1 missing, 1 spurious
  <0:2> He          NUM    sg
  <0:2> He          PERS   3
< <3:12> persuaded  TENSE  past
> <3:12> persuaded  TENSE  pres
  <13:16> Kim       NUM    sg
  <20:25> leave     TENSE  untensed

Constants: 1 right, 0 missing, 0 spurious
  <13:16> Kim       CARG   Kim

Top: 1 right, 0 missing, 0 spurious
  <3:12> persuaded  TOP

< only in gold   > only in parse"""


def test_text_of_graphs() -> None:
    assert draw(aligned((GOLD, TEST)), "text") == TEXT
    assert "Constants" not in draw(aligned((GOLD, TEST), "dridan-oepen-2011"), "text")
    assert draw(aligned((GOLD, GOLD)), "text").endswith("\n\nno difference")


STARS_TEXT = """\
   word        tag        gold                 parse
1  I           PRON       nsubj ← 2 saw        nsubj ← 2 saw
2  saw         VERB       root ← 0             root ← 0
3  the         DET ≠ ADJ  ≠ det ← 4 stars      ≠ amod ← 4 stars
4  stars       NOUN       obj ← 2 saw          obj ← 2 saw
5  with        ADP        case ← 6 telescopes  case ← 6 telescopes
6  telescopes  NOUN       < ≠ obl ← 2 saw      > ≠ nmod ← 4 stars

< missed head (only in gold)   > wrong head (only in parse)   ≠ wrong relation"""


def test_text_of_trees() -> None:
    assert draw(arc_examples.aligned(STARS), "text") == STARS_TEXT

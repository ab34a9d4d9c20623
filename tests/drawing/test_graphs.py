"""Drawings of two semantic graphs: nothing overlaps, nothing is lost, marks beside colours, in every language."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from itertools import combinations, pairwise
from time import perf_counter
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest
from hypothesis import given, strategies as st

from evaltools.corpus.semantic_graph import SemanticGraph, SemanticNode
from evaltools.drawing import arc_legend, draw, languages
from evaltools.drawing.graph_content import content_of, piece_range, pieces_of
from evaltools.drawing.graph_placement import GraphLayout, layout_graph
from evaltools.drawing.scene import Box
from evaltools.formats import read_semantics
from evaltools.frameworks.semantics.aligned_graphs import GRAPH_LEGEND, GraphAlignment
from evaltools.frameworks.semantics.alignment import align_graphs
from evaltools.frameworks.semantics.edm_rules import EdmRules, load_edm_rules
from tests.drawing.graph_examples import (
    ARABIC,
    COMPOUND,
    COMPOUND_TEXT,
    GOLD,
    HOSTILE,
    LEAVES,
    PAIRS,
    TEST,
    Edge,
    Pair,
    aligned,
    node,
    repeated,
)
from tests.slow.edm import graph_pairs, rules

if TYPE_CHECKING:
    from pathlib import Path

SVG = "{http://www.w3.org/2000/svg}"


def runs_through(start: tuple[float, float], end: tuple[float, float], box: Box) -> bool:
    """Say whether an upright or level line enters the inside of a box."""
    left, right = sorted((start[0], end[0]))
    top, bottom = sorted((start[1], end[1]))
    return left < box.right - 1 and box.left + 1 < right + 0.01 and top < box.bottom - 1 and box.top + 1 < bottom + 0.01


def check(layout: GraphLayout, alignment: GraphAlignment) -> None:
    """Check all that should hold of a layout."""
    nodes = [placed.box for placed in layout.nodes]
    names = [placed.box for placed in layout.arcs]
    words = [placed.box for placed in layout.words]
    for one, two in combinations([*nodes, *names], 2):
        assert not one.overlaps(two, -0.5), (one, two)
    for word in words:
        assert not any(word.overlaps(box, -0.5) for box in [*nodes, *names])
    for one, two in combinations(words, 2):
        assert not one.overlaps(two, -3.0), (one, two)
    for box in [*nodes, *names, *words]:
        assert box.left >= -0.01
        assert box.right <= layout.width + 0.01
        assert box.top >= 0
        assert box.bottom <= layout.height
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
    drawn = [placed.node for placed in layout.nodes]
    golds, tests = (
        [getattr(one, side) for one in drawn if getattr(one, side) is not None] for side in ("gold", "test")
    )
    assert len(golds) == len(set(golds))
    assert len(tests) == len(set(tests))
    if len(drawn) == len(content_of(alignment, fold=False).nodes):
        assert sorted(golds) == list(range(len(alignment.gold.nodes) if alignment.gold else 0))
        assert sorted(tests) == list(range(len(alignment.test.nodes) if alignment.test else 0))


@given(graph_pairs(), rules, st.sampled_from(["differing", "all", "none"]), st.sampled_from([True, False]))
def test_nothing_overlaps_and_nothing_is_lost(pair: Pair, some: EdmRules, properties: str, fold: bool) -> None:
    alignment = align_graphs(*pair, some)
    check(layout_graph(content_of(alignment, fold, properties=properties)), alignment)


@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_the_examples_are_laid_out(pair: Pair) -> None:
    alignment = aligned(pair)
    layout = layout_graph(content_of(alignment))
    check(layout, alignment)
    assert all(placed.box.bottom < layout.middle for placed in layout.nodes)


def test_a_long_text_is_laid_out_and_folded() -> None:
    gold = repeated(GOLD, 12)
    edges = (*gold.edges[:20], Edge(gold.edges[20].source, "ARG7", gold.edges[20].target), *gold.edges[21:])
    alignment = aligned((gold, replace(gold, edges=edges)))
    whole = layout_graph(content_of(alignment, fold=False))
    check(whole, alignment)
    folded = layout_graph(content_of(alignment))
    check(folded, alignment)
    assert len(whole.nodes) == 72
    assert len(folded.nodes) == 2
    assert folded.width < whole.width / 4
    opened = layout_graph(content_of(alignment, unfolded=frozenset({folded.words[0].cell.first})))
    check(opened, alignment)
    assert len(opened.nodes) > len(folded.nodes)


def test_graphs_of_a_grammar_are_laid_out(shared_data: Path) -> None:
    profiles = [read_semantics(shared_data / "data" / "erg" / year / "mrs") for year in ("2024", "2025")]
    items = [{item.id: item.results[0] for item in bank.items if item.results} for bank in profiles]
    assert len(items[0]) > 90
    for name in items[0].keys() & items[1].keys():
        alignment = aligned((items[0][name], items[1][name]))
        check(layout_graph(content_of(alignment, properties="all")), alignment)


def test_two_hundred_words_take_no_second() -> None:
    alignment = aligned((repeated(GOLD, 40), repeated(TEST, 40)))
    start = perf_counter()
    layout = layout_graph(content_of(alignment, fold=False))
    assert perf_counter() - start < 5
    assert len(layout.words) == 200


def test_words_are_cut_where_nodes_stand_on_both_sides() -> None:
    anchors = [node.anchors for node in COMPOUND.nodes]
    texts = [piece.text for piece in pieces_of(COMPOUND_TEXT, anchors)]
    assert texts == ["The", "garden", "dog", "can", "not", "bark."]
    assert [piece.text for piece in pieces_of("go on.", [((0, 5),), ((3, 5),), ((3, 6),)])] == ["go", "on."]
    assert [piece.text for piece in pieces_of("日本語", [((0, 2),), ((2, 3),)])] == ["日本", "語"]
    assert [piece.text for piece in pieces_of("", [((4, 9),), ((0, 3),), ((0, 9),)])] == ["0–3", "4–9"]


def test_spans_beyond_the_text_take_the_nearest_word() -> None:
    pieces = pieces_of("a bc", [])
    assert [piece_range(anchors, pieces) for anchors in (((90, 95),), ((2, 2),), ((0, 4),), (), ((-1, -1),))] == [
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


def test_only_what_differs_keeps_its_neighbours() -> None:
    alignment = aligned((GOLD, TEST))
    shown = layout_graph(content_of(alignment, fold=True))
    names = {placed.node.name for placed in shown.nodes}
    assert {"pron", "named", "_persuade_v_of", "_extra_a_1"} <= names
    assert "proper_q" not in names
    same = layout_graph(content_of(aligned((GOLD, GOLD)), fold=True))
    assert not same.nodes
    assert [placed.cell.folded for placed in same.words] == [True]


def test_nodes_stand_over_their_words() -> None:
    layout = layout_graph(content_of(aligned((COMPOUND, COMPOUND))))
    words = {placed.cell.texts[0]: placed.box.x for placed in layout.words}
    nodes = {placed.node.name: placed.box for placed in layout.nodes}
    assert nodes["udef_q"].x == nodes["_garden_n_1"].x == words["garden"]
    assert nodes["udef_q"].y > nodes["_garden_n_1"].y, "what binds stands under what is bound"
    assert words["garden"] < nodes["compound"].x < words["dog"]
    assert nodes["loc_nonsp"].y < nodes["_bark_v_1"].y, "an argument stands under its predicate"


def test_nodes_without_characters_stand_beside_what_they_lead_to() -> None:
    nodes = (node("_a_n_1", (0, 1)), node("_b_n_1", (2, 3)), node("plus_c"), node("udef_q"), node("thing"))
    graph = SemanticGraph(nodes, (Edge(2, "ARG1", 0), Edge(2, "ARG2", 1), Edge(3, "BV", 2)), (), "a b c")
    layout = layout_graph(content_of(aligned((graph, graph))))
    x = {placed.node.name: placed.box.x for placed in layout.nodes}
    assert x["_a_n_1"] < x["plus_c"] == x["udef_q"] < x["_b_n_1"] < x["thing"]


# ---------------------------------------------------------------------------------------------------------------- SVG


def groups(source: str, class_: str) -> dict[int, ElementTree.Element]:
    return {
        int(g.get("data-node", "")): g
        for g in ElementTree.fromstring(source).iter(f"{SVG}g")
        if class_ in g.get("class", "").split() and g.get("data-node")
    }


@pytest.mark.parametrize("theme", ["light", "dark", "auto"])
@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_every_node_and_role_is_a_group(pair: Pair, theme: str) -> None:
    alignment = aligned(pair)
    content = content_of(alignment)
    source = draw(alignment, theme=theme, interactive=True)
    nodes, roles = groups(source, "pred"), groups(source, "role")
    assert set(nodes) == {one.number for one in content.nodes}
    assert set(roles) == {one.number for one in content.roles}
    for g in (*nodes.values(), *roles.values()):
        assert g.get("aria-label")
        assert g.get("tabindex") == "0"
    edges = {p.get("data-child") for p in ElementTree.fromstring(source).iter(f"{SVG}path") if p.get("data-child")}
    assert edges == set(map(str, roles))
    for one in content.roles:
        assert roles[one.number].get("data-with") == f"{one.source} {one.target}"
    assert ("var(" in source) == (theme == "auto")


def test_marks_say_what_colours_say() -> None:
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
    assert "only in a &amp; b" in draw(
        arc_legend(gold_name="a & b", meanings=GRAPH_LEGEND, has_boxes=True), theme="auto"
    )


def test_a_missing_graph_says_so() -> None:
    assert "parser &lt;1&gt;: no graph" in draw(aligned((GOLD, None)), parse_name="parser <1>")
    assert "no graph" in draw(aligned((None, None)))


def test_a_folded_part_can_be_opened_and_closed() -> None:
    closed = draw(aligned((GOLD, GOLD)), fold=True, interactive=True)
    assert 'class="cell folded"' in closed
    assert 'data-fold="0"' in closed
    opened = draw(aligned((GOLD, GOLD)), fold=True, unfolded=frozenset({0}), interactive=True)
    assert 'class="cell folded"' not in opened
    assert opened.count('class="handle"') == 1


# -------------------------------------------------------------------------------------------------- other languages


@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
@pytest.mark.parametrize("language", languages(aligned((GOLD, TEST))))
def test_every_language_draws_every_pair(language: str, pair: Pair) -> None:
    assert draw(aligned(pair), language).strip()


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


def test_text() -> None:
    assert draw(aligned((GOLD, TEST)), "text") == TEXT
    assert "Constants" not in draw(aligned((GOLD, TEST), "dridan-oepen-2011"), "text")
    assert draw(aligned((GOLD, GOLD)), "text").endswith("\n\nno difference")


@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_dot_is_accepted_by_graphviz(pair: Pair) -> None:
    dot = shutil.which("dot")
    if dot is None:
        pytest.skip("no Graphviz here")
    source = draw(aligned(pair), "dot").encode()
    done = subprocess.run([dot, "-Tsvg"], input=source, capture_output=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert b"rror" not in done.stderr


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

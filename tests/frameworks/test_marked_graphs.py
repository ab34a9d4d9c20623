"""The repairs of a semantic graph: which triples are one error, and what is said of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evaltools.corpus.semantic_graph import SemanticEdge, SemanticGraph, SemanticNode
from evaltools.frameworks.semantics.aligned_graphs import GraphAlignment
from evaltools.frameworks.semantics.alignment import align_graphs
from evaltools.frameworks.semantics.edm_rules import load_edm_rules
from evaltools.frameworks.semantics.marked import compared_graphs, marked_graph
from evaltools.marks import Marks
from tests.drawing.graph_examples import EDGES, GOLD, LEAVES, NODES, TEXT, node

Pair = tuple[SemanticGraph, SemanticGraph]


def marked(gold: SemanticGraph, test: SemanticGraph, preset: str = "dridan-oepen-2011") -> Marks:
    """Return the marked sentence; its repairs explain every lost triple once."""
    alignment = align_graphs(gold, test, load_edm_rules(preset))
    sentence = marked_graph(alignment)
    assert sentence is not None
    lost = sum(row.status != "right" and row.weight > 0 for row in alignment.triples)
    assert sum(repair.repaired for repair in sentence.repairs) == sentence.wrong == lost
    numbers = {repair.number for repair in sentence.repairs}
    assert {number for item in sentence.items for number in item.repairs} == numbers
    return sentence


def told(gold: SemanticGraph, test: SemanticGraph, *preset: str) -> list[tuple[str, str, int]]:
    repairs = marked(gold, test, *preset).repairs
    return [(f"{item.phrase} {item.verdict}", str(item.status), item.repaired) for item in repairs]


def changed(*edges: SemanticEdge, tops: tuple[int, ...] = (2,), **nodes: SemanticNode) -> SemanticGraph:
    """Return the gold graph with other edges or nodes, such as ``n3=…``."""
    listed = tuple(nodes.get(f"n{index}", item) for index, item in enumerate(NODES))
    return SemanticGraph(listed, edges or EDGES, tops, TEXT, "eds")


def without(index: int) -> SemanticGraph:
    def moved(at: int) -> int:
        return at - (at > index)

    nodes = tuple(item for at, item in enumerate(NODES) if at != index)
    edges = tuple(SemanticEdge(moved(edge.source), edge.role, moved(edge.target)) for edge in EDGES
                  if index not in (edge.source, edge.target))  # fmt: skip
    return SemanticGraph(nodes, edges, (moved(2),), TEXT, "eds")


def test_a_missing_or_spurious_node_explains_its_name_its_roles_and_its_properties():
    missing = [("_leave_v_1 “leave” is missing, with 2 roles and 1 property", "missing", 4)]
    assert told(GOLD, without(5)) == missing
    assert told(without(5), GOLD) == [("_leave_v_1 “leave” is spurious, with 2 roles and 1 property", "spurious", 4)]
    sentence = marked(GOLD, without(5))
    assert [(label.side, label.text, label.status) for label in sentence.marks] == [("gold", "_leave_v_1", "missing")]
    assert {(arc.text, arc.side) for arc in sentence.links} == {("ARG1", "gold"), ("ARG3", "gold")}


def test_a_wrong_predicate_and_a_wrong_property():
    test = changed(
        n2=node("_persuade_v_of", (3, 12), TENSE="pres"), n5=node("_leave_v_for", (20, 25), TENSE="untensed")
    )
    assert told(GOLD, test) == [
        ("“leave” is _leave_v_for, should be _leave_v_1", "relabeled", 2),
        ("_persuade_v_of “persuaded”: TENSE is pres, should be past", "relabeled", 2),
    ]
    assert {label.text for label in marked(GOLD, test).marks} >= {"TENSE pres", "TENSE past"}
    bare = changed(n5=node("_leave_v_1", (20, 25)))
    assert told(GOLD, bare) == [("_leave_v_1 “leave”: lacks TENSE untensed", "missing", 1)]
    assert told(bare, GOLD) == [("_leave_v_1 “leave”: should not have TENSE untensed", "spurious", 1)]


@pytest.mark.parametrize(
    ("edges", "expected"),
    [
        (
            (*EDGES[:5], SemanticEdge(5, "ARG1", 0)),
            ("ARG1 of _leave_v_1 “leave” is “He”, should be “Kim”", "moved", 2),
        ),
        (
            (*EDGES[:5], SemanticEdge(5, "ARG2", 4)),
            ("“Kim” is ARG2 of _leave_v_1 “leave”, should be ARG1", "relabeled", 2),
        ),
        (EDGES[:5], ("_leave_v_1 “leave” lacks ARG1 “Kim”", "missing", 1)),
        (
            (*EDGES, SemanticEdge(5, "ARG2", 0)),
            ("_leave_v_1 “leave” should not have ARG2 “He”", "spurious", 1),
        ),
        (
            (EDGES[0], SemanticEdge(2, "ARG1", 4), SemanticEdge(2, "ARG2", 0), *EDGES[3:]),
            ("_persuade_v_of “persuaded” has ARG1 “Kim”, ARG2 “He”, should have ARG1 “He”, ARG2 “Kim”", "moved", 4),
        ),
    ],
    ids=["target", "role", "missing", "spurious", "both"],
)
def test_the_wrong_roles_of_a_node_are_one_repair(edges: tuple[SemanticEdge, ...], expected: tuple[str, str, int]):
    assert told(GOLD, changed(*edges)) == [expected]


def test_a_predicate_that_is_its_words_is_said_once():
    gold = changed(n5=node("Leave", (20, 25), TENSE="untensed"))
    test = changed(*EDGES[:5], n5=node("Leave", (20, 25), TENSE="untensed"))
    assert told(gold, test) == [("“leave” lacks ARG1 “Kim”", "missing", 1)]


def test_a_node_with_other_characters_is_one_repair():
    ((text, cause, share),) = told(GOLD, LEAVES)
    assert (text, cause) == ("_leave_v_1 covers “leave.”, should cover “leave”", "moved")
    assert share == 8  # name, property and two roles, in both graphs


def test_another_top_is_a_repair():
    ((text, cause, share),) = told(GOLD, changed(tops=(5,)), "pydelphin")
    assert text == "the top is _leave_v_1 “leave”, should be _persuade_v_of “persuaded”"
    assert (cause, share) == ("relabeled", 2)


def test_nodes_without_characters_have_words_of_their_own():
    loose = SemanticNode("p", "parg_d", (), (), None, "e")
    gold = SemanticGraph((*NODES, loose), (*EDGES, SemanticEdge(6, "ARG1", 2)), (2,), TEXT, "eds")
    sentence = marked(gold, GOLD)
    assert sentence.own_row == 5
    assert [word.form for word in sentence.words[5:]] == ["parg_d"]
    assert [(arc.source, arc.target) for arc in sentence.links] == [(5, 1)]
    assert sentence.repairs[0].phrase == "parg_d"


def test_without_two_graphs_or_without_spans_there_is_none():
    bare = replace(GOLD, nodes=tuple(replace(item, anchors=()) for item in GOLD.nodes))
    for gold, test in ((GOLD, None), (None, GOLD), (GOLD, bare), (bare, bare)):
        assert marked_graph(align_graphs(gold, test, load_edm_rules())) is None
    assert marked(GOLD, GOLD).repairs == ()


def aligned(test: SemanticGraph | None) -> GraphAlignment:
    return align_graphs(GOLD, test, load_edm_rules())


def test_marks_of_two_parsers_are_wrong_in_one_or_alike():
    first, second = changed(*EDGES[:5]), changed(*EDGES[:5], n2=node("_persuade_v_of", (3, 12), TENSE="pres"))
    sentence = compared_graphs(aligned(first), aligned(second), ("p", "q"))
    assert sentence is not None
    assert [(link.text, link.side, link.repairs) for link in sentence.links] == [("ARG1", "gold", (1, 2))]
    assert {(mark.side, mark.text, mark.repairs) for mark in sentence.marks} == {
        ("gold", "TENSE past", (2,)),
        ("test", "TENSE pres", (2,)),
    }
    assert sentence.describe(sentence.marks[0]) == "TENSE pres, “persuaded”, spurious in q"
    assert [(repair.phrase, repair.repaired) for repair in sentence.repairs] == [("p", 1), ("q", 3)]
    assert sentence.wrong == 1 + 3
    assert len(sentence.right_links) == len(EDGES) - 1
    assert sentence.parsers == ("p", "q")


def test_every_mark_of_a_parser_is_among_those_of_two():
    tests = (without(5), changed(n5=node("_leave_v_for", (20, 25), TENSE="pres")), LEAVES)
    for first in tests:
        for second in tests:
            sentence = compared_graphs(aligned(first), aligned(second), ("p", "q"))
            assert sentence is not None
            for number, test in enumerate((first, second), start=1):
                parse = marked(GOLD, test)
                labels = sorted((item.side, item.text, item.stretches) for item in parse.marks)
                assert labels == sorted(
                    (item.side, item.text, item.stretches) for item in sentence.marks if number in item.repairs
                )
                assert len(parse.links) == sum(number in link.repairs for link in sentence.links)
    assert compared_graphs(aligned(None), aligned(GOLD), ("p", "q")) is None


def test_roles_that_are_right_are_those_of_both_graphs():
    sentence = marked(GOLD, changed(*EDGES[:5]))
    assert len(sentence.right_links) == 5
    assert {link.status for link in sentence.right_links} == {"right"}

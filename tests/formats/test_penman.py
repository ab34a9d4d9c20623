"""PENMAN notation: layouts, metadata, alignments, mistakes with their lines, and graphs written and read again."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import penman
import pytest

import evaltools
from evaltools.corpus.semantic_graph import SemanticEdge, SemanticGraph, SemanticNode
from evaltools.errors import ParameterError
from evaltools.formats import SemanticBank, SemanticItem, Source, read_semantics, write_mrp, write_penman
from evaltools.formats.objects import PENMAN_GRAPHS

SAMPLE = Path(__file__).parents[2] / "sample_data" / "amr"


def source(text: str) -> Source:
    return Source.from_bytes(text.encode(), "x.amr")


def read(text: str) -> SemanticBank:
    return read_semantics(source(text), "penman")


def graph_of(text: str) -> SemanticGraph:
    (item,) = read(text).items
    assert item.graph is not None
    return item.graph


# ------------------------------------------------------------------------------------------------------------- reading


@pytest.mark.parametrize("space", [" ", "\n", "\t", "\r\n    "])
def test_layouts(space: str):
    text = '(w / want-01 :ARG0 (b / boy :name "A (b): #c/d") :ARG1 (g / go-02 :ARG0 b))'
    assert graph_of(text.replace(" :", f"{space}:")) == graph_of(text)
    # one graph a line: a second one on it is a problem
    assert len(read(f"{text}{space}{text}").items) == 1 + ("\n" in space)


ALIGNED = """# ::snt Kim, from New York, can't say that he sang.
# ::tok Kim , from New York , ca n't say that he sang .
"""
MARKERS = f"""{ALIGNED}(s / say-01~e.8 :ARG1~e.9 (s2 / sing-01~11 :ARG0 p~e.10)
    :ARG0 (p / person~e.0 :ARG1-of~e.2 (l / live-01 :location (c / city~e.3,4 :op1~5 "New~e.3"~e.3 :op2 "York"~4)))
    :polarity~e.6,7 -~e.7)
"""
WORDS = {"s": "say", "s2": "sang", "p": "Kim", "c": "New … York"}


def words_of(graph: SemanticGraph) -> dict[str, str]:
    return {node.id: graph.surface(node) for node in graph.nodes if node.anchors}


def test_numbers_of_many_digits_in_alignments_are_ignored():
    digits = "9" * 5000
    bank = read(f"{ALIGNED}# ::alignments {digits}-1 x ::annotator JAMR\n(a / b~e.{digits})")
    assert (graph_of(f"(a / b~e.{digits})").nodes[0].anchors, bank.problems) == ((), [])


def test_objects_of_the_library_keep_the_alignments_of_concepts():
    bank = PENMAN_GRAPHS.corpus([penman.decode(MARKERS)], "x")
    assert bank.items[0].graph is not None
    assert words_of(bank.items[0].graph) == WORDS
    bank = PENMAN_GRAPHS.corpus([penman.decode("# ::snt Kim.\n(k / kim~e.3)")], "x")
    assert not bank.problems


# ------------------------------------------------------------------------------------------------------------- writing


def same(first: SemanticBank, second: SemanticBank) -> None:
    assert [(item.id, item.text, item.metadata) for item in first.items] == [
        (item.id, item.text, item.metadata) for item in second.items
    ]
    for one, other in zip(first.items, second.items, strict=True):
        assert (one.graph is None) == (other.graph is None)
        if one.graph is not None and other.graph is not None:
            nodes, again = ([replace(node, anchors=()) for node in graph.nodes] for graph in (one.graph, other.graph))
            assert sorted(nodes, key=str) == sorted(again, key=str)


@pytest.mark.parametrize("name", ["gold", "parser"])
def test_what_is_written_is_read_again(name: str):
    bank = read_semantics(SAMPLE / f"{name}.amr")
    assert not bank.problems
    again = read(write_penman(bank.items))
    assert not again.problems
    same(bank, again)
    assert write_penman(again.items) == write_penman(bank.items)


@pytest.mark.slow
def test_shared_graphs_are_all_read_and_written(shared_data: Path):
    for path in sorted((shared_data / "data" / "amr").glob("*.amr")):
        bank = read_semantics(path)
        assert not bank.problems, path.name
        assert all(item.graph is not None for item in bank.items)
        same(bank, read(write_penman(bank.items)))


@pytest.mark.slow
def test_graphs_of_mrp_are_written_with_variables(shared_data: Path):
    folder = shared_data / "data" / "amr"
    text = write_penman(read_semantics(folder / "qald.gold.mrp").items)
    run = evaltools.score(folder / "qald.gold.amr", {"p": io.BytesIO(text.encode())})
    assert run.summary().set_index("metric").loc["smatch", "pooled"] == 1.0


def test_a_graph_is_written_from_its_top_with_inverse_roles():
    nodes = tuple(SemanticNode(name, name) for name in "abc")
    graph = SemanticGraph(nodes, (SemanticEdge(0, "ARG0", 1), SemanticEdge(2, "ARG1-of", 1)), (1,), "", "amr")
    text = write_penman([SemanticItem(None, 1, "", (graph,))])
    assert text == "(b / b\n    :ARG0-of (a / a)\n    :ARG1 (c / c))\n"


@pytest.mark.parametrize(
    "graph",
    [
        SemanticGraph((SemanticNode("a", "a"), SemanticNode("b", "b")), (), (0,), "", "amr"),
        SemanticGraph((SemanticNode("a", "two words"),), (), (0,), "", "amr"),
        SemanticGraph((SemanticNode("a", "named", constant="Kim"),), (), (0,), "", "eds"),
    ],
)
def test_what_penman_cannot_hold_is_refused(graph: SemanticGraph):
    item = SemanticItem("7", 1, "", (graph,))
    with pytest.raises(ParameterError, match="item 7: PENMAN"):
        write_penman([item])
    assert write_mrp([item])


# ------------------------------------------------------------------------------------------------------------- objects


def test_graphs_of_the_library_are_scored():
    gold, parser = (penman.load(SAMPLE / f"{name}.amr") for name in ("gold", "parser"))
    run = evaltools.score(gold, {"parser": parser})
    files = evaltools.score(SAMPLE / "gold.amr", {"parser": SAMPLE / "parser.amr"})
    assert run.summary()["pooled"].equals(files.summary()["pooled"])
    assert run.metadata()["document"].nunique() == 2
    graph = run.tree(1)
    assert isinstance(graph, SemanticGraph)
    assert {node.predicate: node.anchors for node in graph.nodes}["mayor"] == ((38, 44),)
    assert replace(graph, edges=()).text == "The old ferryman did not wait for the mayor."

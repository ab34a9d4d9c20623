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
from evaltools.formats import (
    SemanticBank,
    SemanticItem,
    Source,
    detected_format,
    read_semantics,
    write_mrp,
    write_penman,
)
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


def problems(text: str) -> list[tuple[str, int | None, str]]:
    return [(item.kind, item.line, item.found) for item in read(text).problems]


# ------------------------------------------------------------------------------------------------------------- reading


def test_a_graph_is_kept_as_it_is_written():
    graph = graph_of('(m / man :ARG0-of (s / sing-01 :polarity -) :name (n / name :op1 "Bo"))')
    assert [(node.id, node.predicate) for node in graph.nodes] == [("m", "man"), ("s", "sing-01"), ("n", "name")]
    assert [(edge.source, edge.role, edge.target) for edge in graph.edges] == [(0, "ARG0-of", 1), (0, "name", 2)]
    assert graph.nodes[1].properties == (("polarity", "-"),)
    assert graph.nodes[2].properties == (("op1", '"Bo"'),)
    assert graph.tops == (0,)
    assert graph.is_unanchored
    assert graph.lacks_spans


def test_a_variable_is_a_node_before_and_after_its_concept():
    graph = graph_of("(l / laugh-01 :ARG0 p :time (t / last :domain (p / person)))")
    assert [(edge.source, edge.role, edge.target) for edge in graph.edges] == [
        (0, "ARG0", 2),
        (0, "time", 1),
        (1, "domain", 2),
    ]


@pytest.mark.parametrize("value", ["b", '"b"'])
def test_a_constant_in_quotes_is_no_variable(value: str):
    graph = graph_of(f"(l / letter :mod (b / b) :value {value})")
    assert len(graph.edges) == (2 if value == "b" else 1)
    assert graph.nodes[0].properties == (() if value == "b" else (("value", '"b"'),))


@pytest.mark.parametrize("space", [" ", "\n", "\n\n", "\t", "\r\n    "])
def test_layouts(space: str):
    text = '(w / want-01 :ARG0 (b / boy :name "A (b): #c/d") :ARG1 (g / go-02 :ARG0 b))'
    if space != "\n\n":
        assert graph_of(text.replace(" :", f"{space}:")) == graph_of(text)
    assert len(read(f"{text}{space}{text}").items) == 2


def test_metadata_names_the_item_and_are_kept():
    text = "# a file of graphs\n\n# ::id a.1 ::date 2012-01-02T10:00 ::annotator X Y\n# ::snt Is it :: so?\n(s / so)\n"
    bank = read(text)
    (item,) = bank.items
    assert (item.id, item.text, item.line) == ("a.1", "Is it :: so?", 5)
    assert item.metadata == {"sent_id": "a.1", "date": "2012-01-02T10:00", "annotator": "X Y"}
    assert bank.has_ids
    assert not bank.problems


def test_sentences_without_a_graph_are_items():
    text = "# ::id 1\n# ::snt One.\n\n# ::id 2\n# ::snt Two.\n\n(t / two)\n\n# ::id 3\n()\n# ::id 4\n"
    items = read(text).items
    assert [(item.id, item.line, item.graph is None, item.is_empty) for item in items] == [
        ("1", 1, True, False),
        ("2", 7, False, False),
        ("3", 10, True, True),
        ("4", 11, True, False),
    ]


def test_graphs_of_one_id_are_items_of_their_own():
    assert [len(item.results) for item in read("# ::id a\n(b / b)\n\n# ::id a\n(c / c)\n").items] == [1, 1]


ALIGNED = """# ::snt Kim, from New York, can't say that he sang.
# ::tok Kim , from New York , ca n't say that he sang .
"""
MARKERS = f"""{ALIGNED}(s / say-01~e.8 :ARG1~e.9 (s2 / sing-01~11 :ARG0 p~e.10)
    :ARG0 (p / person~e.0 :ARG1-of~e.2 (l / live-01 :location (c / city~e.3,4 :op1~5 "New~e.3"~e.3 :op2 "York"~4)))
    :polarity~e.6,7 -~e.7)
"""
WORDS = {"s": "say", "s2": "sang", "p": "Kim", "c": "New … York"}


def words_of(graph: SemanticGraph) -> dict[str, str]:
    """Return the words of the nodes."""
    return {node.id: graph.surface(node) for node in graph.nodes if node.anchors}


@pytest.mark.parametrize(
    "line",
    [
        "",
        "# ::alignments 1-2|0.0 2-3|0 4-6|0.1+0.1.0 ::annotator JAMR\n",
        "# ::alignments 0-1.2 2-1.2.1.r 7-1.3 ::annotator JAMR\n",
        f"# ::alignments {'9' * 5000}-1 x ::annotator JAMR\n",
    ],
)
def test_alignments_of_concepts_are_read_and_others_ignored(line: str):
    bank = read(ALIGNED + line + MARKERS.removeprefix(ALIGNED))
    (graph,) = bank.items[0].results
    assert words_of(graph) == WORDS
    assert [(edge.role, graph.nodes[edge.target].id) for edge in graph.edges] == [
        *(("ARG1", "s2"), ("ARG0", "p"), ("ARG0", "p"), ("ARG1-of", "l"), ("location", "c")),
    ]
    assert graph.nodes[0].properties == (("polarity", "-"),)
    assert graph.nodes[4].properties == (("op1", '"New~e.3"'), ("op2", '"York"'))
    assert bank.items[0].metadata == ({"annotator": "JAMR"} if line else {})
    assert not bank.problems


@pytest.mark.parametrize(
    "text",
    [
        "(a / b~e.x\n  :c~ d)",
        "(a~e.1 / b)",
        "(a / b~e.99)",
        f"(a / b~e.{'9' * 5000})",
        '(a / b :c~e.1 "~e.1"~e.1)',
    ],
)
def test_alignments_that_cannot_be_read_are_ignored(text: str):
    bank = read(ALIGNED + text)
    (node,) = bank.items[0].graph.nodes
    assert (node.predicate, node.anchors) == ("b", ())
    assert not bank.problems


def test_tokens_that_the_sentence_lacks_have_no_characters():
    text = "# ::snt Kim sang.\n# ::tok Kim yodeled .\n(y / yodel-01~e.1 :ARG0 (k / kim~e.0))"
    assert words_of(graph_of(text)) == {"k": "Kim"}


def test_objects_of_the_library_keep_the_alignments_of_concepts():
    bank = PENMAN_GRAPHS.corpus([penman.decode(MARKERS)], "x")
    assert bank.items[0].graph is not None
    assert words_of(bank.items[0].graph) == WORDS
    bank = PENMAN_GRAPHS.corpus([penman.decode("# ::snt Kim.\n(k / kim~e.3)")], "x")
    assert not bank.problems


# ------------------------------------------------------------------------------------------------------------ mistakes


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(a / b\n  :c (d / e)\n\n(f / g)", [("graph", 2, "graph does not parse: it is not closed")]),
        ("(a / b\n  :c (d / e)\n# ::id 2\n(f / g)", None),
        ("(a / b) x y\n(c / d)", [("stray_text", 1, "text outside any graph: 'x y'")]),
        ("(a / b))\n(c / d)", [("stray_text", 1, "text outside any graph: ')'")]),
        ("(a / b\n :c / d)", [("graph", 2, "graph does not parse: '/ d)' where a name or a string or '(' should be")]),
        ("(a / b\n # :c (d / e)\n :f g)", [("comment", 2, "a role in a comment: '# :c (d / e)'")]),
        ("(a b)", [("graph", 1, "graph does not parse: 'b)' where a role should be")]),
        ("(a / b :c )", [("no_value", 1, "role :c of a without a value")]),
        ("(a :c d)", [("no_concept", 1, "node a without a concept")]),
        ("(a / b :c ())", [("graph", 1, "graph does not parse: a node without a variable")]),
        (
            "(a / b :c (a / d) :e a)",
            [("repeated_node", 1, "two nodes named 'a', the second of which is read as 'a_2'")],
        ),
        ("(a / b :c " * 3000, [("graph", 1, "graph does not parse: nested too deeply")]),
        ("", [("empty", 1, "no graph")]),
    ],
)
def test_mistakes_have_their_line(text: str, expected: list[tuple[str, int, str]] | None):
    if expected is None:
        assert [item.graph is None for item in read(text).items] == [True, False]
    else:
        assert problems(text) == expected


def test_comments_inside_a_graph_do_not_count():
    assert graph_of("(a / b # (\n :c d) # ::x").nodes[0].properties == (("c", "d"),)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(a / b)", True),
        ("# ::id 1\n(a/b)", True),
        ("# ::id 1\n# ::snt Nothing.\n", True),
        ("# c\n\n  (zz / yy-01 :a b)", True),
        ("(S (NP x))", False),
        ("(S/NP (NP x))", False),
        ("( (S (X y)))", False),
        ("(SYM /)", False),
        ("# sent_id = 1\n1\tx", False),
    ],
)
def test_detection(text: str, expected: bool):
    assert (detected_format(source(text)) == "penman") is expected


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

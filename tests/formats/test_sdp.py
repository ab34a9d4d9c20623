"""The columns of the shared tasks on semantic dependency parsing."""

from __future__ import annotations

import re

import pytest

from evaltools.errors import InputError
from evaltools.formats import SemanticBank, Source, detected_format, read_semantics, write_mrp

SDP_2015 = """#SDP 2015
#22000001
1\tMs.\tMs.\tNNP\t-\t+\t_\t_\t_
2\tHaag\tHaag\tNNP\t-\t-\tnamed:x-c\tcompound\tARG1
3\tplays\tplay\tVBZ\t+\t+\tv:e-i-p\t_\t_
4\tElianti\t_\tNNP\t-\t-\tnamed:x-c\t_\tARG2
5\t.\t_\t.\t-\t-\t_\t_\t_

#22000002
1\tYes\tyes\tUH\t-\t-\t_
"""


def without_frames(text: str) -> str:
    """Return a text in the columns of 2014."""
    rows = [line.split("\t") for line in text.splitlines()[1:]]
    return "".join("\t".join(row[:6] + row[7:]) + "\n" for row in rows)


def read(text: str, format_name: str | None = None) -> SemanticBank:
    return read_semantics(Source.from_bytes(text.encode(), "x.sdp"), format_name)


def test_words_with_a_role_are_nodes_anchored_in_the_sentence():
    bank = read(SDP_2015)
    assert (bank.format, bank.problems, [item.id for item in bank.items]) == ("sdp", [], ["22000001", "22000002"])
    graph = bank.items[0].graph
    assert graph is not None
    assert graph.text == bank.items[0].text == "Ms. Haag plays Elianti ."
    assert [(node.id, node.predicate, graph.surface(node)) for node in graph.nodes] == [
        ("1", "Ms.", "Ms."),
        ("2", "Haag", "Haag"),
        ("3", "play", "plays"),
        ("4", "Elianti", "Elianti"),
    ]
    assert graph.nodes[2].properties == (("pos", "VBZ"), ("frame", "v:e-i-p"))
    assert [(edge.source, edge.role, edge.target) for edge in graph.edges] == [
        (0, "compound", 1),
        (2, "ARG1", 1),
        (2, "ARG2", 3),
    ]
    assert graph.tops == (2,)


def test_a_sentence_without_nodes_is_a_graph():
    graph = read(SDP_2015).items[1].graph
    assert graph is not None
    assert (graph.nodes, graph.tops, graph.text) == ((), (), "Yes")


def test_columns_of_2014_have_no_frames():
    first, second = read(SDP_2015), read(without_frames(SDP_2015))
    for one, other in zip(first.items, second.items, strict=True):
        assert one.graph is not None
        assert other.graph is not None
        assert (one.graph.edges, one.graph.tops) == (other.graph.edges, other.graph.tops)
        assert [node.predicate for node in one.graph.nodes] == [node.predicate for node in other.graph.nodes]
    assert {name for item in second.items for node in item.graph.nodes for name, _ in node.properties} == {"pos"}


@pytest.mark.parametrize(
    "text", [SDP_2015, without_frames(SDP_2015), SDP_2015.partition("\n")[2], SDP_2015[SDP_2015.index("1\tMs") :]]
)
def test_the_format_is_detected(text: str):
    assert detected_format(Source.from_bytes(text.encode(), "x")) == "sdp"


@pytest.mark.parametrize(
    "text",
    [
        "1\tYes\tyes\tINTJ\tUH\t_\t0\troot\t_\t_\n",
        "1\tYes\tyes\tUH\tUH\t_\t0\troot\n",
        "(S (UH yes))",
        "#SDP of mine\n",
    ],
)
def test_dependencies_and_brackets_are_something_else(text: str):
    assert detected_format(Source.from_bytes(text.encode(), "x")) != "sdp"


@pytest.mark.parametrize(
    ("old", "new", "line", "found"),
    [
        ("3\tplays", "4\tplays", 5, "'4' as the number of word 3"),
        ("VBZ\t+\t+", "VBZ\tx\t+", 5, "'x' and '+', where a top and a predicate have '+'"),
        ("VBZ\t+\t+", "VBZ\t+\t-", 3, "9 columns, where 1 predicate needs 8 in the format of 2015"),
        ("\t_\t_\n\n", "\t_\n\n", 7, "8 columns, where the first word has 9"),
        ("4\tElianti\t_\tNNP\t-\t-\tnamed:x-c\t_\tARG2", "4\tElianti", 6, "2 columns, where a word has at least 6"),
    ],
)
def test_a_broken_sentence_is_listed_and_the_others_are_read(old: str, new: str, line: int, found: str):
    bank = read(SDP_2015.replace(old, new, 1), "sdp")
    (problem,) = bank.problems
    assert (problem.kind, problem.line, problem.sentence) == ("graph", line, 1)
    assert found in problem.found
    assert [item.graph is not None for item in bank.items] == [False, True]


def test_the_format_of_the_header_holds():
    # without the frame of one word there are as many columns as in the format of 2014
    first = SDP_2015.replace("\tVBZ\t+\t+\tv:e-i-p\t", "\tVBZ\t+\t+\t")
    cut = without_frames(SDP_2015)
    for text, found in (
        (first, "8 columns, where the first word has 9"),
        ("#SDP 2015\n" + cut, "8 columns, where 2 predicates need 9 in the format of 2015"),
        # a predicate without its mark: its column is no frame
        (
            2 * cut + cut.replace("VBZ\t+\t+", "VBZ\t+\t-", 1),
            "8 columns, where 1 predicate needs 7 in the format of 2014",
        ),
    ):
        problem = read(text, "sdp").problems[0]
        assert (problem.kind, found in problem.found) == ("graph", True), problem.found


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("\t_\t_\n\n#22000002\n", "\t_\t_\n#22000002\n"),  # no blank line between sentences
        ("3\tplays", "\n3\tplays"),  # a blank line inside a sentence
        ("3\tplays", "\n \n3\tplays"),
    ],
)
@pytest.mark.parametrize("named", [True, False])
def test_blank_lines_too_many_or_too_few_change_no_graph(old: str, new: str, named: bool):
    text = SDP_2015.replace(old, new)
    names = ("#22000001\n", "#22000002\n")
    if not named:
        text = text.replace(names[0], "").replace(names[1], "")
    bank = read(text, "sdp")
    assert [item.graph for item in bank.items] == [item.graph for item in read(SDP_2015).items]
    assert [problem.kind for problem in bank.problems] == ["blank_line"] * ("\n3" in new)


def test_a_sentence_without_its_first_word_harms_no_other():
    first, second = re.sub("#.*\n", "", SDP_2015).split("\n\n")
    bank = read("\n\n".join([first, first.partition("\n")[2], first, second]))
    assert [item.graph is None for item in bank.items] == [False, True, False, False]
    assert [problem.kind for problem in bank.problems] == ["graph"]


def test_an_empty_file_is_an_error():
    with pytest.raises(InputError, match="an empty file"):
        read("")


def test_written_as_mrp_nothing_changes():
    items = read(SDP_2015).items[:1]
    again = read(write_mrp(items), "mrp").items
    assert again[0].graph is not None
    assert (again[0].graph.edges, again[0].graph.tops) == (items[0].graph.edges, items[0].graph.tops)
    assert '"flavor":0' in write_mrp(items)

"""Reading semantic graphs: every notation, profiles, problems, and writing them again."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from pathlib import Path

import pytest
from delphin.codecs import eds as native_eds
from hypothesis import given, strategies as st

from evaltools import InputError, ParameterError
from evaltools.corpus import SemanticEdge, SemanticGraph, SemanticNode
from evaltools.formats import FORMATS, SemanticBank, SemanticItem, read_semantics, write_eds, write_mrp
from tests.formats.semantic_texts import DMRS_GRAPHS, EDS, GRAPHS, PERSUADED, TEXTS

NODE = "e2:_rain_v_1<3:8>{e TENSE pres}[]"
RAIN = "{e2: " + NODE + "}"


def read(text: str | bytes, format: str | None = None) -> SemanticBank:  # noqa: A002
    data = text if isinstance(text, bytes) else text.encode()
    return read_semantics(io.BytesIO(data), format, results="all")


def problem_texts(bank: SemanticBank) -> list[str]:
    return [str(problem).removeprefix("<upload>:") for problem in bank.problems]


def content(graph: SemanticGraph | None) -> object:
    """Return what a graph says, whatever the order in its file and the names of its nodes."""
    if graph is None:
        return None
    nodes = [
        (one.predicate, one.anchors, sorted(one.properties), one.constant or "", one.is_quantifier)
        for one in graph.nodes
    ]
    edges = [(nodes[one.source], one.role, nodes[one.target]) for one in graph.edges]
    return sorted(nodes), sorted(edges), [nodes[top] for top in graph.tops]


# ------------------------------------------------------------------------------------------------------------- formats


def test_texts_are_of_all_formats_of_graphs():
    assert {*TEXTS, "tsdb", "penman", "sdp"} == {name for name, item in FORMATS.items() if item.holds is SemanticBank}


@pytest.mark.parametrize("name", TEXTS)
def test_a_format_is_guessed_and_read(name: str):
    bank = read(TEXTS[name])
    assert (bank.format, bank.problems) == (name, [])
    expected = DMRS_GRAPHS if "dmr" in name else GRAPHS
    assert [content(item.graph) for item in bank.items] == [content(graph) for graph in expected]
    assert {item.graph.framework for item in bank.items if item.graph} == {"dmrs" if "dmr" in name else "eds"}
    assert bank.has_ids == (name == "mrp")
    assert read(TEXTS[name], name) == bank


@pytest.mark.parametrize("name", sorted(set(TEXTS) - {"eds", "edsjson", "mrsjson"}))
def test_the_sentence_is_read_where_the_notation_has_it(name: str):
    items = read(TEXTS[name]).items
    assert [item.text for item in items] == ["He persuaded Kim to leave.", "It rains."]
    assert all(item.graph is not None and item.graph.text == item.text for item in items)


def test_the_sentence_is_read_where_json_has_it():
    text = TEXTS["mrsjson"].replace('"top": "h0"', '"surface": "It rains.", "top": "h0"')
    item = read(text).items[1]
    assert item.graph is not None
    assert item.text == item.graph.text == "It rains."


def test_quantifiers_constants_types_and_properties():
    graph = read(TEXTS["simplemrs"]).items[0].graph
    assert graph is not None
    by_name = {node.predicate: node for node in graph.nodes}
    assert {name for name, node in by_name.items() if node.is_quantifier} == {"pronoun_q", "proper_q"}
    kim = by_name["named"]
    assert (kim.constant, kim.type, kim.properties) == ("Kim", "x", (("PERS", "3"), ("NUM", "sg")))
    assert graph.surface(by_name["_leave_v_1"]) == "leave."
    assert [graph.nodes[top].predicate for top in graph.tops] == ["_persuade_v_of"]
    roles = {(graph.nodes[one.source].predicate, one.role, graph.nodes[one.target].predicate) for one in graph.edges}
    assert ("proper_q", "BV", "named") in roles
    assert ("_persuade_v_of", "ARG3", "_leave_v_1") in roles


def test_predicates_are_written_alike_in_all_notations():
    mrx = TEXTS["mrx"].replace('<realpred lemma="rain" pos="v" sense="1" />', "<spred>_Rain_v_1_rel</spred>")
    assert mrx != TEXTS["mrx"]
    assert content(read(mrx).items[1].graph) == content(GRAPHS[1])


# ------------------------------------------------------------------------------------------------- items and results


def test_only_first_results_are_read_if_that_is_enough():
    text = f"#a\n{RAIN}\n#b {RAIN}\n#a {RAIN}\n"
    bank = read_semantics(io.BytesIO(text.encode()))
    assert [len(item.results) for item in bank.items] == [1, 1]


def test_names_in_xml_and_json():
    xml = TEXTS["mrx"].replace("<mrs ", '<mrs ident="a&amp;b" ', 1)
    assert [item.id for item in read(xml).items] == ["a&b", None]
    assert [item.id for item in read(TEXTS["edsjson"].replace('"top"', '"id": 7, "top"')).items] == ["7"]
    assert [item.id for item in read(TEXTS["simpledmrs"].replace("dmrs {", "dmrs 5 {")).items] == ["5"]


# ----------------------------------------------------------------------------------------------------------------- MRP

MRP = (
    '{"id": "%s", "flavor": 0, "framework": "%s", "input": "It rains.", "tops": [1], "nodes": ['
    '{"id": 0, "label": "it", "properties": ["pos", "frame"], "values": ["PRP", "n:x"], "anchors": '
    '[{"from": 0, "to": 2}]}, {"id": 1, "label": "rain", "properties": ["CARG"], "values": ["r"], "anchors": '
    '[{"from": 3, "to": 5}, {"from": 6, "to": 8}]}], "edges": [{"source": 1, "target": 0, "label": "ARG1"}]}\n'
)


# ------------------------------------------------------------------------------------------------------------- problems


@pytest.mark.parametrize("name", ["mrx", "dmrx", "mrsjson", "edsjson", "dmrsjson"])
def test_a_graph_that_is_broken_touches_no_other(name: str):
    """Those with brackets alone are broken in every way by the tests of layouts."""
    both = read(TEXTS[name])
    lines = TEXTS[name].split("\n")
    one = "\n".join(lines[both.items[0].line - 1 : both.items[1].line - 1]).rstrip(" \n,")
    one = one[one.index("{") :] if "json" in name else re.sub("<d?mrs-list>", "", one).strip()
    closing = {"mrx": "</mrs>", "dmrx": "</dmrs>"}.get(name, "}")
    broken = "".join(one.rpartition(closing)[::2])
    bank = read(("\n\n" if "mrx" in name else ",\n").join([one, broken, one, broken, one]), name)
    assert [item.graph is None for item in bank.items] == [False, True, False, True, False]
    assert [content(item.graph) for item in bank.items[::2]] == [content(both.items[0].graph)] * 3
    for item, problem in zip(bank.items[1::2], bank.problems, strict=True):
        assert item.line <= (problem.line or 0) < item.line + broken.count("\n") + 3


def test_the_line_of_what_cannot_be_read():
    assert problem_texts(read("\n\n" + PERSUADED.replace("BODY: h13 ]", "BODY: ]"))) == [
        "7: graph does not parse: expected: a symbol at ']'; expected SimpleMRS that is well-formed"
    ]
    assert problem_texts(read(TEXTS["mrx"].replace("</mrs-list>", "\n<mrs>\n<ep>\n</mrs></mrs-list>")))[0].startswith(
        f"{TEXTS['mrx'].count(chr(10)) + 4}: graph does not parse: mismatched tag"
    )
    text = f"#7\n{{e2:\n {NODE}\n x:\n}}\n#8\n{RAIN}"
    assert problem_texts(read(text)) == [
        "5: item 7: graph does not parse: expected: a symbol at '}'; expected EDS that is well-formed"
    ]


def test_text_outside_any_graph():
    assert problem_texts(read(f"#7 {RAIN}\n\n  stray }} words\n#8 {RAIN}", "eds"))[0] == (
        "3: text outside any graph: 'stray } words'; expected a graph in braces"
    )
    assert problem_texts(read(TEXTS["mrx"].replace("</mrs-list>", "x</mrs-list>")))[0].endswith(
        "text outside any graph: 'x'; expected <mrs>"
    )
    broken = TEXTS["edsjson"][:-1] + ", oops]"
    assert problem_texts(read(broken))[-1].endswith("text outside any graph: 'oops]'; expected a graph")


def test_half_a_surrogate_pair_in_json_can_be_written():
    item = read(MRP.replace('"r"', r'"\ud800"') % (r"\udc00", "dm")).items[0]
    assert item.graph is not None
    assert (item.id, item.graph.nodes[1].constant) == (r"\udc00", r"\ud800")
    assert item.graph.to_json().encode()


@pytest.mark.parametrize("name", ["mrp", "mrsjson", "mrx", "eds", "simplemrs", "simpledmrs", "penman"])
def test_depth_is_no_trouble(name: str):
    deep = {
        "penman": "(a / b :c " * 3000,
        "mrx": "<mrs>" + "<a>" * 50_000,
        "eds": "{e:" + "{" * 50_000,
        "simplemrs": "[ TOP: h0 " + "[ " * 50_000,
    }
    text = deep.get(name, "dmrs {" * 50_000 if name == "simpledmrs" else '{"id": "1", "nodes": ' + "[" * 50_000)
    bank = read(text, name)
    assert bank.items
    assert bank.problems
    assert all(item.graph is None for item in bank.items)


def test_unknown_names():
    with pytest.raises(ParameterError, match="unknown format 'ptb'; valid: simplemrs, "):
        read(RAIN, "ptb")
    with pytest.raises(ParameterError, match="unknown results 'best'; valid: first, all"):
        read_semantics(io.BytesIO(), results="best")  # type: ignore[arg-type]


def test_the_file_is_named(tmp_path: Path):
    path = tmp_path / "a.eds"
    path.write_text(RAIN)
    bank = read_semantics(path)
    assert (bank.name, bank.path, len(bank.digest), len(bank)) == (str(path), str(path.resolve()), 64, 1)
    with pytest.raises(InputError, match="no such file"):
        read_semantics(tmp_path / "b.eds")


# -------------------------------------------------------------------------------------------------------------- writing

names = st.text("abex_019.$", min_size=1, max_size=5)
nodes = st.builds(
    SemanticNode,
    id=names,
    predicate=st.text("abx_019+-/é", min_size=1, max_size=8),
    anchors=st.lists(st.tuples(st.integers(0, 9), st.integers(9, 20)), max_size=1).map(tuple),
    properties=st.dictionaries(st.text("ABC.", min_size=1, max_size=4), names, max_size=3).map(
        lambda found: tuple(found.items())
    ),
    constant=st.none() | st.text("ab \\\"'()<>{}[]é日", max_size=6),
    type=st.sampled_from("exu"),
)


@st.composite
def graphs(draw: st.DrawFn) -> SemanticGraph:
    found = draw(st.lists(nodes, min_size=1, max_size=5, unique_by=lambda node: node.id))
    places = st.integers(0, len(found) - 1)
    roles = draw(st.dictionaries(st.tuples(places, st.sampled_from(["ARG1", "ARG2", "BV"])), places, max_size=6))
    quantifiers = {source for source, role in roles if role == "BV"}
    return SemanticGraph(
        tuple(
            SemanticNode(one.id, one.predicate, one.anchors, one.properties, one.constant, one.type, i in quantifiers)
            for i, one in enumerate(found)
        ),
        tuple(SemanticEdge(source, role, target) for (source, role), target in sorted(roles.items())),
        tuple(draw(st.lists(places, max_size=1))),
        "A sentence with twenty or more.",
    )


items = st.builds(
    SemanticItem,
    id=st.none() | st.text("ab019-", min_size=1, max_size=3),
    line=st.just(1),
    text=st.just("A sentence with twenty or more."),
    results=st.lists(st.none() | graphs(), min_size=1, max_size=3).map(tuple),
)
banks = st.lists(items, min_size=1, max_size=4).map(
    lambda found: [
        SemanticItem(f"{one.id}.{i}" if one.id else None, 1, one.text, one.results) for i, one in enumerate(found)
    ]
)


@given(banks)
def test_eds_comes_back_as_it_was_written(made: list[SemanticItem]):
    named = [replace(item, id=item.id or f"n{number}") for number, item in enumerate(made)]
    bank = read(write_eds(named), "eds")
    assert [item.id for item in bank.items] == [item.id for item in named]
    for before, after in zip(named, bank.items, strict=True):
        assert [content(graph) for graph in after.results] == [content(graph) for graph in before.results]


@given(banks)
def test_mrp_comes_back_as_it_was_written(made: list[SemanticItem]):
    bank = read(write_mrp(made), "mrp")
    assert [item.id for item in bank.items] == [item.id or str(i) for i, item in enumerate(made, start=1)]
    for before, after in zip(made, bank.items, strict=True):
        assert [content(graph) for graph in after.results] == [content(graph) for graph in before.results]


def test_pydelphin_reads_eds():
    named = [SemanticItem(str(i), 1, "", (graph,)) for i, graph in enumerate(GRAPHS, start=1)]
    text = write_eds(named)
    assert native_eds.loads(text) == EDS
    assert [one.identifier for one in native_eds.loads(text)] == ["1", "2"]


@pytest.mark.parametrize(
    "node",
    [
        SemanticNode("e2", "a b"),
        SemanticNode("e2", "a<b"),
        SemanticNode("e 2", "a"),
        SemanticNode("e2", "A"),
        SemanticNode("e2", "a", ((0, 1), (2, 3))),
        SemanticNode("e2", "a", (), (("pos", "X"),)),
        SemanticNode("e2", "a", (), (), "two\nlines"),
    ],
)
def test_what_eds_cannot_hold_is_refused(node: SemanticNode):
    item = SemanticItem("7", 1, "", (SemanticGraph((node,)),))
    with pytest.raises(ParameterError, match=r"item 7: EDS cannot hold this graph.*MRP can"):
        write_eds([item])
    assert read(write_mrp([item])).items[0].graph is not None


def test_what_eds_cannot_hold_around_a_graph():
    one = SemanticNode("e2", "a")
    for graph in (
        SemanticGraph((one,), framework="dmrs"),
        SemanticGraph((one,), (SemanticEdge(0, "ARG1", 0), SemanticEdge(0, "ARG1", 0))),
        SemanticGraph((one, SemanticNode("e3", "b")), (), (0, 1)),
    ):
        with pytest.raises(ParameterError, match="MRP can"):
            write_eds([SemanticItem(None, 1, "", (graph,))])
    with pytest.raises(ParameterError, match="item 1: EDS cannot hold"):  # two results of an item without a name
        write_eds([SemanticItem(None, 1, "", (SemanticGraph((one,)),) * 2)])
    with pytest.raises(ParameterError, match="item a b"):
        write_eds([SemanticItem("a b", 1, "", ())])


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("eds", "[ARG1 x4, ", "[ARG1 x4, ARG1 x10, "),
        ("eds", "{e SF prop, ", "{e SF prop, SF ques, "),
        ("simplemrs", "ARG0: e2 ARG1: x4", "ARG0: e2 ARG1: x4 ARG1: x10"),
        ("simplemrs", "[ e SF: prop ", "[ e SF: prop SF: ques "),
        ("simpledmrs", "SF=prop ", "SF=prop SF=ques "),
        ("mrx", "<rargname>ARG2</rargname>", "<rargname>ARG1</rargname>"),
        ("mrsjson", '"ARG2"', '"ARG1"'),
        ("edsjson", '"ARG2"', '"ARG1"'),
    ],
)
def test_a_role_or_property_that_a_node_has_twice_is_listed(name: str, old: str, new: str):
    assert not read(TEXTS[name], name).problems
    text = TEXTS[name].replace(old, new, 1)
    assert text != TEXTS[name]
    bank = read(text, name)
    assert [problem.kind for problem in bank.problems] == ["graph" if "json" in name else "repeated_role"]
    assert "twice" in bank.problems[0].found
    assert bank.problems[0].sentence == 1
    assert content(bank.items[1].graph) == content(read(TEXTS[name], name).items[1].graph)


@pytest.mark.parametrize(
    ("name", "old", "new", "kind"),
    [
        ("mrp", '"edges":', '"egdes":', "graphs"),
        ("mrp", '"nodes":', '"nods":', "graphs"),
        ("mrsjson", '"relations":', '"relatons":', "graphs"),
        ("mrsjson", '"constraints":', '"constraint":', "graphs"),
        ("mrsjson", '"lnk":', '"link":', "relations"),
        ("mrsjson", '"high":', '"hi":', "constraints"),
        ("mrsjson", '"properties":', '"props":', "variables"),
        ("edsjson", '"top":', '"tpo":', "graphs"),
        ("edsjson", '"nodes":', '"node":', "graphs"),
        ("edsjson", '"edges":', '"egdes":', "nodes"),
        ("edsjson", '"carg":', '"CARG":', "nodes"),
        ("dmrsjson", '"links":', '"edges":', "graphs"),
        ("dmrsjson", '"sortinfo":', '"properties":', "nodes"),
        ("dmrsjson", '"rargname":', '"role":', "links"),
    ],
)
def test_keys_of_json_that_are_not_read_are_listed(name: str, old: str, new: str, kind: str):
    assert not read(TEXTS[name], name).problems
    text = TEXTS[name].replace(old, new, 1)
    problem = next(problem for problem in read(text, name).problems if problem.kind == "unknown_key")
    assert problem.found.endswith(f"{new.split(chr(34))[1]!r} as keys of {kind}, which are not read")
    assert (problem.sentence, problem.line) == (1, text[: text.index(new)].count("\n") + 1)
    assert old.split('"')[1] in problem.expected


@pytest.mark.parametrize("name", ["mrp", "mrsjson", "edsjson", "dmrsjson"])
def test_what_is_said_of_a_graph_beside_it_is_no_problem(name: str):
    more = '"score": 0.5, "parser": {"name": "ace"}, "language": "en", "tags": ["a"], "'
    text = re.sub(r'"(?=(?:id|top|nodes)")', more, TEXTS[name], count=1)
    assert text != TEXTS[name]
    assert not read(text, name).problems

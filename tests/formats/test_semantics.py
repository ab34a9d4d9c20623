"""Reading semantic graphs: every notation, profiles, problems, and writing them again."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from delphin.codecs import eds as native_eds
from hypothesis import given, strategies as st

from evaltools import InputError, ParameterError
from evaltools.corpus import SemanticEdge, SemanticGraph, SemanticNode
from evaltools.formats import (
    FORMATS,
    SemanticBank,
    SemanticItem,
    detected_format,
    read_semantics,
    write_eds,
    write_mrp,
)
from evaltools.formats.source import Source
from tests.formats.semantic_texts import DMRS_GRAPHS, EDS, GRAPHS, PERSUADED, RAINS, TEXTS

SAMPLE = Path(__file__).resolve().parents[2] / "sample_data"
NODE = "e2:_rain_v_1<3:8>{e TENSE pres}[]"
RAIN = "{e2: " + NODE + "}"
NO_SPAN = (
    "a graph none of whose nodes has a span; "
    "expected characters from and to for each node; EDM is undefined without them"
)


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


def test_dmrs_has_rstr_and_no_links_that_are_no_arguments():
    text = "dmrs { 1 [_every_q<0:5>]; 2 [_dog_n_1<6:9> x]; 3 [_big_a_1<0:3> e]; 1:RSTR/H -> 2; 3:MOD/EQ -> 2; }"
    graph = read(text).items[0].graph
    assert graph is not None
    assert [(edge.role, edge.source, edge.target) for edge in graph.edges] == [("RSTR", 0, 1)]
    assert graph.nodes[0].is_quantifier


def test_predicates_are_written_alike_in_all_notations():
    mrx = TEXTS["mrx"].replace('<realpred lemma="rain" pos="v" sense="1" />', "<spred>_Rain_v_1_rel</spred>")
    assert mrx != TEXTS["mrx"]
    assert content(read(mrx).items[1].graph) == content(GRAPHS[1])


def test_white_space_of_any_kind_and_words_with_odd_characters():
    text = '#1\t{e2:\r\n\te2:_rain_v_1<3:8>{e\tTENSE pres}[]\n x1:named<0:1>("a\u2028\x85\\"}b"){x}[]\n}'
    bank = read(text)
    assert problem_texts(bank) == []
    graph = bank.items[0].graph
    assert graph is not None
    assert graph.nodes[1].constant == 'a\u2028\x85"}b'


@pytest.mark.parametrize(
    "text",
    [
        "{:\n e2:_bark_v_1<0:4>{e}[]\n}",
        "{\n e2:_bark_v_1<0:4>{e}[]\n}",
        "{:e2:_bark_v_1<0:4>{e}[]}",
        "{e2:_bark_v_1<0:4>{e}[]}",
        "{e2: (fragmented)\n|e2:_bark_v_1<0:4>{e}[]\n}",
        "{e2: |e2:_bark_v_1<0:4>{e}[] }",
        "#12{e2:e2:_bark_v_1<0:4>[]}",
    ],
)
def test_eds_with_and_without_top_and_status(text: str):
    bank = read(text)
    assert (bank.format, bank.problems) == ("eds", [])
    graph = bank.items[0].graph
    assert graph is not None
    assert [node.predicate for node in graph.nodes] == ["_bark_v_1"]
    assert graph.tops == ((0,) if re.search(r"\{e2: ?[(|e]", text) else ())


def test_an_mrs_without_rels_is_a_problem():
    text = "[ TOP: h0 INDEX: e2 RELS: < [ _rain_v_1<1:2> LBL: h1 ARG0: e2 ] > HCONS: < h0 qeq h1 > ]"
    bank = read(f"{text}\n[ TOP: h0 INDEX: e2 HCONS: < h0 qeq h1 > ]\n{text}\n")
    assert [item.graph is None for item in bank.items] == [False, True, False]
    assert [(problem.line, problem.found) for problem in bank.problems] == [
        (2, "graph does not parse: an MRS without RELS")
    ]


@pytest.mark.parametrize(
    ("header", "n"),
    [
        ("# ::id a\n# ::id a\n", 1),
        ("# ::id a\n# ::snt Yes.\n# ::id a\n# ::snt Yes.\n", 1),
        ("# ::id a\n# ::id b\n", 2),
        ("# ::snt Yes.\n# ::snt Yes.\n", 2),
    ],
)
def test_lines_repeated_under_one_id_are_of_one_graph(header: str, n: int):
    bank = read(f"{header}(s / say-01)\n\n# ::id z\n(g / go-02)\n")
    assert [item.graph is not None for item in bank.items] == [*[False] * (n - 1), True, True]


@pytest.mark.parametrize(
    "predicate",
    [
        *("_foo:bar_n_1", "_foo:bar_n", "_xml:tm/nn_u_unknown", "_24/7_n_1", "_foo<bar_n_1", "_foo_n_<1:3", "_]_n_1"),
        *("_[/nn_u_unknown", '_"/nn_u_unknown', '"a space"', '"a]b"', '"a[b"', "'single+quoted"),
    ],
)
def test_brackets_and_quotes_in_predicates(predicate: str):
    text = f"[ TOP: h0 INDEX: e2 RELS: < [ {predicate}<1:2> LBL: h1 ARG0: e2 ] > HCONS: < h0 qeq h1 > ]"
    bank = read(f"{text}\n{text}\n")
    assert bank.problems == []
    for item in bank.items:
        assert item.graph is not None
        assert item.graph.nodes[0].predicate == (predicate.strip("'\"") if predicate[0] in "'\"" else predicate)
    assert len(bank) == 2


# ------------------------------------------------------------------------------------------------- items and results


def test_names_and_results_of_eds():
    bank = read(f"#a\n{RAIN}\n#b {RAIN}\n#a {{\n}}\n#c\n{{}}\n")
    assert [(item.id, item.line, len(item.results)) for item in bank.items] == [("a", 1, 2), ("b", 3, 1), ("c", 6, 1)]
    assert bank.items[0].results[1] is None
    assert bank.items[2].graph is None
    assert (bank.has_ids, bank.problems) == (True, [])


def test_what_ace_prints():
    text = (
        f'NOTE: hello\nSENT: It rains [sic].\n{RAINS} ;  (root [ ] ] " )\n{RAINS} ; \nNOTE: 2 readings, [x]\n\n\n'
        f"SKIP: nothing [\nNOTE: 0 readings\n\nSENT: It rains.\n{RAINS}\n"
    )
    bank = read(text)
    assert problem_texts(bank) == []
    assert [(item.line, item.text, len(item.results)) for item in bank.items] == [
        (3, "It rains [sic].", 2),
        (8, "nothing [", 0),
        (12, "It rains.", 1),
    ]


def test_a_sentence_belongs_to_the_graph_after_it():
    bank = read(f"SENT: It rains.\n#1\n{RAIN}\n#1\n{RAIN}\n#2\n{RAIN}\nSENT: x\n\nSENT:\n{RAIN}\n{RAIN}")
    assert [(item.id, item.text, len(item.results)) for item in bank.items] == [
        ("1", "It rains.", 2),
        ("2", "", 1),
        (None, "x", 0),
        (None, "", 2),
    ]


def test_only_first_results_are_read_if_that_is_enough():
    text = f"#a\n{RAIN}\n#b {RAIN}\n#a {RAIN}\n"
    bank = read_semantics(io.BytesIO(text.encode()))
    assert [len(item.results) for item in bank.items] == [1, 1]


def test_some_items_without_a_name():
    bank = read(f"#a\n{RAIN}\n{RAIN}\n")
    assert not bank.has_ids
    assert problem_texts(bank) == [" 1 of 2 items without a name; expected a name for each, or for none"]


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


def test_mrp_keeps_properties_and_discontinuous_spans():
    item = read(MRP % ("9", "dm")).items[0]
    assert item.graph == SemanticGraph(
        (
            SemanticNode("0", "it", ((0, 2),), (("pos", "PRP"), ("frame", "n:x"))),
            SemanticNode("1", "rain", ((3, 5), (6, 8)), (), "r"),
        ),
        (SemanticEdge(1, "ARG1", 0),),
        (1,),
        "It rains.",
        "dm",
    )


def test_roles_in_small_letters_bind_too():
    graph = read(MRP.replace("ARG1", "bv") % ("9", "eds")).items[0].graph
    assert graph is not None
    assert [node.is_quantifier for node in graph.nodes] == [False, True]
    assert graph.edges[0].role == "bv"


def test_mrp_lines_of_one_name_are_results_and_other_frameworks_are_left_out():
    bank = read(MRP % ("9", "dm") + MRP % ("8", "dm") + MRP % ("9", "eds") + MRP % ("9", "dm"))
    assert [(item.id, len(item.results)) for item in bank.items] == [("9", 2), ("8", 1)]
    assert problem_texts(bank) == ["3: 1 graphs of framework 'eds', left out; expected 'dm', as in the first graph"]


def test_a_broken_line_of_mrp_keeps_its_name():
    good = MRP % ("9", "dm")
    bank = read(good + (MRP % ("8", "dm"))[:-9] + "\n\n" + good.replace('"9"', '"7"').replace('"id": 0', '"ID": 0'))
    assert [item.id for item in bank.items] == ["9", "8", "7"]
    assert [item.graph is None for item in bank.items] == [False, True, True]
    assert [problem.line for problem in bank.problems] == [2, 4]
    expected = "4: item 7: graph does not parse: a node without 'id'; expected MRP (JSON lines) that is well-formed"
    assert problem_texts(bank)[1] == expected


# ------------------------------------------------------------------------------------------------------------- problems


@pytest.mark.parametrize(
    ("graph", "expected"),
    [
        (RAIN.replace("[]", "[ARG1 x9]"), "ARG1 of e2 to x9, where x9 is not a node; expected a node of the graph"),
        (RAIN.replace("{e2:", "{e9:"), "e9 as the top, which is not a node; expected a node of the graph"),
        (RAIN.replace("<3:8>", ""), NO_SPAN),
        (RAIN.replace("<3:8>", "<8:3>"), NO_SPAN),
        (RAIN.replace("<3:8>", "<3#8>"), NO_SPAN),
        (RAIN.replace("<3:8>", f"<3:{9**40}>"), NO_SPAN),
        (
            RAIN.replace("<3:8>", "<3:88>"),
            "1 of 1 nodes with a span beyond the sentence's 9 characters; expected spans inside the sentence",
        ),
        ("{e2: " + NODE + " " + NODE + "}", "two nodes named 'e2'; expected one name for each node"),
    ],
)
def test_what_is_wrong_with_a_graph_that_is_kept(graph: str, expected: str):
    bank = read(f"\nSENT: It rains.\n#7\n{graph}\n")
    assert problem_texts(bank) == [f"3: item 7: {expected}"]
    assert bank.problems[0].sentence == 1
    assert bank.items[0].graph is not None
    assert all(any(node.id == name for node in bank.items[0].graph.nodes) for name in {"e2"})


def test_an_mrs_that_does_not_convert_whole_says_so():
    topless = RAINS.replace("TOP: h0 ", "TOP: h7 ").replace("INDEX: e2", "INDEX: e9")
    bank = read(topless + "\n" + RAINS.replace("ARG0: e2 [ e TENSE: pres ]", ""))
    assert [item.graph is None for item in bank.items] == [False, True]
    assert problem_texts(bank) == [
        "1: unable to find a suitable TOP; expected an MRS that converts to EDS whole",
        "2: graph does not convert: a node or an argument without a name; expected an MRS that converts to EDS",
    ]


def test_problems_say_the_same_each_time():
    text = RAINS.replace("h0 qeq h1", "h0 qeq h8")
    assert (
        problem_texts(read(text))
        == problem_texts(read(text))
        == ["1: broken handle constraint: h0 qeq h8; expected an MRS that converts to EDS whole"]
    )


def damage(name: str, text: str) -> str:
    """Leave out the last of what closes something in a graph."""
    close = {"simplemrs": " >", "simpledmrs": ";", "eds": "]", "mrx": "</mrs>", "dmrx": "</dmrs>"}.get(name, "}")
    at = text.rindex(close)
    return text[:at] + text[at + len(close) :]


@pytest.mark.parametrize("name", sorted(set(TEXTS) - {"mrp"}))
def test_a_graph_that_is_broken_touches_no_other(name: str):
    both = read(TEXTS[name])
    between = {"mrsjson": ",\n", "edsjson": ",\n", "dmrsjson": ",\n"}.get(name, "\n\n")
    lines = TEXTS[name].split("\n")
    one = "\n".join(lines[both.items[0].line - 1 : both.items[1].line - 1]).rstrip(" \n,")
    one = one[one.index("{") :] if "json" in name else re.sub("<d?mrs-list>", "", one).strip()
    broken = damage(name, one)
    bank = read(between.join([one, broken, one, broken, one]), name)
    assert [item.graph is None for item in bank.items] == [False, True, False, True, False]
    assert [content(item.graph) for item in bank.items[::2]] == [content(both.items[0].graph)] * 3
    for item, problem in zip(bank.items[1::2], bank.problems, strict=True):
        assert item.line <= (problem.line or 0) < item.line + broken.count("\n") + 3


def test_the_line_of_what_cannot_be_read():
    assert problem_texts(read("\n\n" + PERSUADED.replace("BODY: h13 ]", "BODY: ]"))) == [
        "7: graph does not parse: expected: a symbol at ']'; expected SimpleMRS that is well-formed",
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


def test_entities_are_not_followed():
    text = '<!DOCTYPE x [<!ENTITY a "b">]><mrs-list><mrs surface="&a;"><label vid="1"/></mrs></mrs-list>'
    bank = read(text)
    assert [item.graph for item in bank.items] == [None]
    assert problem_texts(bank) == ["1: graph does not parse: undefined entity; expected MRX that is well-formed"]


def test_bytes_that_are_not_text_are_listed():
    bank = read(f"#1 {RAIN}\n".encode() + b'#2 {x1: x1:named<0:3>("caf\xe9"){x}[]}\n' + b"#3 {e2: " + b"\0}")
    assert [problem.kind for problem in bank.problems] == ["encoding", "nul", "graph"]
    assert bank.items[1].graph is not None
    assert bank.items[1].graph.nodes[0].constant == r"caf\xe9"


def test_half_a_surrogate_pair_in_json_can_be_written():
    item = read(MRP.replace('"r"', r'"\ud800"') % (r"\udc00", "dm")).items[0]
    assert item.graph is not None
    assert (item.id, item.graph.nodes[1].constant) == (r"\udc00", r"\ud800")
    assert item.graph.to_json().encode()


@pytest.mark.parametrize("name", ["mrp", "mrsjson", "mrx", "eds", "simplemrs", "simpledmrs"])
def test_depth_is_no_trouble(name: str):
    deep = {"mrx": "<mrs>" + "<a>" * 50_000, "eds": "{e:" + "{" * 50_000, "simplemrs": "[ TOP: h0 " + "[ " * 50_000}
    text = deep.get(name, "dmrs {" * 50_000 if name == "simpledmrs" else '{"id": "1", "nodes": ' + "[" * 50_000)
    bank = read(text, name)
    assert bank.items
    assert bank.problems
    assert all(item.graph is None for item in bank.items)


# --------------------------------------------------------------------------------------------------- what is which


def test_trees_are_no_graphs_and_graphs_no_trees():
    for path in SAMPLE.rglob("*"):
        if path.is_file() and "semantics" not in path.parts and "semantic" not in path.name:
            name = detected_format(Source.from_bytes(path.read_bytes(), path.name))
            assert (
                name is None
                or FORMATS[name].holds is not SemanticBank
                or path.suffix in (".mrs", ".eds", ".mrp", ".amr")
            ), path
    for name, text in TEXTS.items():
        source = Source.from_bytes(text.encode(), name)
        assert detected_format(source) == name


@pytest.mark.parametrize(
    ("text", "format_name", "expected"),
    [
        ("", None, "an empty file"),
        ("(S (NP x))", None, "text in an unknown format"),
        (RAIN, "tsdb", "expected the folder of a profile"),
    ],
)
def test_what_cannot_be_read_at_all(text: str, format_name: str | None, expected: str):
    with pytest.raises(InputError, match=expected):
        read(text, format_name)


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
    bank = read(write_eds(made), "eds")
    assert [(item.id, item.text) for item in bank.items] == [(item.id, item.text) for item in made]
    assert [item.results for item in bank.items] == [item.results for item in made]


@given(banks)
def test_mrp_comes_back_as_it_was_written(made: list[SemanticItem]):
    bank = read(write_mrp(made), "mrp")
    assert [item.id for item in bank.items] == [item.id or str(i) for i, item in enumerate(made, start=1)]
    for before, after in zip(made, bank.items, strict=True):
        assert [content(graph) for graph in after.results] == [content(graph) for graph in before.results]


def test_pydelphin_reads_eds_without_texts():
    named = [SemanticItem(str(i), 1, "", (graph,)) for i, graph in enumerate(GRAPHS, start=1)]
    text = write_eds(named, texts=False)
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
    with pytest.raises(ParameterError, match="item 1: EDS without texts cannot hold several results"):
        write_eds([SemanticItem(None, 1, "", (SemanticGraph((one,)),) * 2)], texts=False)
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
    ("old", "new", "kind"), [('"label": "it"', '"labl": "it"', "nodes"), ('"label": "ARG1"', '"l": "ARG1"', "edges")]
)
def test_keys_of_mrp_that_are_not_read_are_listed(old: str, new: str, kind: str):
    bank = read((MRP % ("9", "dm")).replace(old, new))
    (problem,) = bank.problems
    assert (problem.kind, problem.sentence) == ("unknown_key", 1)
    assert problem.found.endswith(f"as keys of {kind}, which are not read")


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

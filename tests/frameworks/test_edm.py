"""Elementary dependency match against its definition, and against PyDelphin."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from delphin import edm as pydelphin
from hypothesis import assume, given, strategies as st

from evaltools import InputError, ParameterError
from evaltools.corpus.semantic_graph import SemanticEdge, SemanticGraph, SemanticNode
from evaltools.frameworks.registry import METRICS
from evaltools.frameworks.semantics import edm
from evaltools.frameworks.semantics.alignment import align_graphs
from evaltools.frameworks.semantics.edm import TripleCounter, trimmed
from evaltools.frameworks.semantics.edm_rules import (
    EDM_PRESETS,
    SPANS,
    ClassWeights,
    EdmRules,
    load_edm_rules,
    parse_weights,
)
from tests.slow import edm as slow

Pair = tuple[SemanticGraph | None, SemanticGraph | None]

any_rules = st.one_of(
    st.builds(load_edm_rules, st.sampled_from(sorted(EDM_PRESETS)), spans=st.sampled_from(sorted(SPANS))), slow.rules
)
corpora = st.lists(slow.graph_pairs(), max_size=5)


def matched(corpus: list[Pair], rules: EdmRules) -> np.ndarray:
    rows = [TripleCounter(rules).counts(*pair) for pair in corpus]
    return np.reshape(rows, (-1, len(edm.COLUMNS)))


# ------------------------------------------------------------------------------------------------------------- counts


@given(slow.graph_pairs(), any_rules)
def test_the_counts_are_those_of_the_definition(pair: Pair, rules: EdmRules):
    expected = slow.counts(*pair, rules)
    np.testing.assert_array_equal(matched([pair], rules)[0], [expected[name] for name in edm.COLUMNS])


@given(slow.graph_pairs(), any_rules)
def test_an_alignment_has_the_same_counts(pair: Pair, rules: EdmRules):
    a = align_graphs(*pair, rules, ("edm",))
    found = [a.counts[name] for name in edm.COLUMNS]
    assert found == pytest.approx(TripleCounter(rules).counts(*pair), abs=0, rel=0, nan_ok=True)
    columns = dict(zip(edm.COLUMNS, matched([pair], rules).T, strict=True))
    for name, score in a.scores.items():
        assert (np.nan if score is None else score) == pytest.approx(METRICS[name].score(columns)[0], nan_ok=True)
    if not any(map(slow.is_bare, pair)):
        statuses = {"gold": ("missing", "right"), "test": ("spurious", "right"), "matched": ("right",)}
        for letter, kind in edm.LETTERS.items():
            for side, own in statuses.items():
                rows = [row.weight for row in a.triples if row.kind == kind and row.status in own]
                assert sum(rows) == a.counts[f"edm_{letter}_{side}"]


@given(slow.graphs(), any_rules)
def test_equal_graphs_score_1(graph: SemanticGraph, rules: EdmRules):
    a = align_graphs(graph, graph, rules, ("edm",))
    assert set(a.scores.values()) <= {1.0, None}
    assert a.scores["edm_exact"] == (None if slow.is_bare(graph) else 1.0)
    if slow.is_bare(graph):
        assert set(a.scores.values()) == {None}
        return
    assert {row.status for row in (*a.nodes, *a.edges, *a.triples)} <= {"right"}
    assert all(pair.gold == pair.test for pair in a.nodes if graph.nodes.count(graph.nodes[pair.gold]) == 1)


# --------------------------------------------------------------------------------------------------------- PyDelphin


@pytest.mark.parametrize("convert", [slow.to_eds, slow.to_dmrs])
@given(
    corpus=corpora,
    weights=st.tuples(*[st.sampled_from(slow.WEIGHTS)] * 5),
    ignore=st.tuples(st.booleans(), st.booleans()),
)
@pytest.mark.slow
def test_pydelphin_says_the_same(convert, corpus: list[Pair], weights: tuple[float, ...], ignore: tuple[bool, bool]):
    """Weights are whole numbers of quarters, so that sums do not depend on the order.

    Graphs without spans are left out: PyDelphin gives all their nodes the span (-1, -1), and here they are undefined.
    """
    assume(not any(slow.is_bare(graph) for pair in corpus for graph in pair))
    pairs = [tuple(None if one is None else slow.one_range(one) for one in pair) for pair in corpus]
    theirs = pydelphin.compute(
        *([None if pair[side] is None else convert(pair[side]) for pair in pairs] for side in (0, 1)),
        *weights,
        ignore_missing_gold=ignore[0],
        ignore_missing_test=ignore[1],
    )
    names = ("names", "arguments", "properties", "constants", "top")
    said = "[classes]\n" + "\n".join(f"{name} = {weight}" for name, weight in zip(names, weights, strict=True))
    rules = parse_weights(said, "weights.toml", load_edm_rules("pydelphin"))
    counts = matched(pairs, rules)
    kept = [not any(one is None and out for one, out in zip(pair, ignore, strict=True)) for pair in pairs]
    columns = dict(zip(edm.COLUMNS, counts[np.array(kept, dtype=bool)].sum(axis=0), strict=True))
    found = [
        METRICS[name].score({key: np.array([value]) for key, value in columns.items()})[0]
        for name in ("edm_precision", "edm_recall", "edm")
    ]
    ours = [0.0 if np.isnan(score) else float(score) for score in found]
    if columns["edm_n_matched"] or any(columns[f"edm_{letter}_matched"] for letter in "apct"):
        assert ours[:2] == list(theirs[:2])
        assert f"{ours[2]:.12f}" == f"{theirs[2]:.12f}"
    else:
        assert ours == list(theirs) == [0.0, 0.0, 0.0]


# --------------------------------------------------------------------------------------------------------------- rules

FILE = """
preset = "pydelphin"
spans = "trimmed"

[classes]
properties = 0.5
top = 0

[roles]
"ARG*" = 2
ARG3 = 1 # the last that matches

[properties]
SF = 0

[predicates]
"*_q" = 0.25
"""


def test_a_file_of_weights():
    rules = parse_weights(FILE, "some/mine.toml")
    assert rules.name == "pydelphin with mine.toml"
    assert rules.classes == ClassWeights(properties=0.5, constants=1.0, top=0.0)
    assert [rules.weight("argument", role) for role in ("ARG1", "ARG3", "arg1", "BV")] == [2.0, 1.0, 1.0, 1.0]
    assert [rules.weight("property", name) for name in ("SF", "NUM")] == [0.0, 0.5]
    assert [rules.weight("name", one) for one in ("the_q", "_the_q_dem", "_dog_n_1")] == [0.25, 1.0, 1.0]
    assert (rules.weight("constant", "CARG"), rules.weight("top", "TOP")) == (1.0, 0.0)
    assert (rules.spans, rules.multiset, rules.quantifier_role) == ("trimmed", True, None)


def test_what_is_said_in_the_call_holds(tmp_path: Path):
    path = tmp_path / "mine.toml"
    path.write_bytes(b"\xef\xbb\xbf" + FILE.replace("\n", "\r\n").encode())
    assert load_edm_rules(weights_file=path) == parse_weights(FILE, "mine.toml")
    rules = load_edm_rules("mtool", path, "exact")
    assert (rules.name, rules.spans, rules.multiset) == ("mtool with mine.toml", "exact", False)
    assert load_edm_rules(rules) == rules
    assert load_edm_rules() == load_edm_rules("dridan-oepen-2011") == load_edm_rules(next(iter(EDM_PRESETS)))
    more = load_edm_rules(EdmRules("own", roles=(("*", 0.0),)), path)
    assert [more.weight("argument", role) for role in ("ARG1", "BV")] == [2.0, 0.0]


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        ("presets = 1", 1, "unknown key 'presets'; expected one of preset, spans, [classes]"),
        ("[classes]\nnames = 1\nargs = 1", 3, "unknown key 'args' in [classes]; expected one of names, arguments"),
        ("[classes]\nnames = -1", 2, "names = -1 in [classes]; expected a number from 0"),
        ("[classes]\nnames = true", 2, "names = true"),
        ("[classes]\nnames = nan", 2, "names = nan"),
        ("[classes]\nnames = inf", 2, "names = inf"),
        (f"[classes]\nnames = 1{'0' * 4000}", 2, "a number too large"),
        (f"[classes]\nnames = 1{'0' * 5000}", None, "no TOML: exceeds the limit"),
        ('[roles]\n# "ARG*" = x\n"ARG*" = "much"', 3, "ARG* = 'much'"),
        ("[roles]\n\nARG1.x = 1", 3, "ARG1 = a table"),
        ("[properties]\nSF = [1]", 2, "SF = a list"),
        ("classes = 1", 1, "classes = 1; expected a table of numbers, [classes]"),
        ("\n[weights]\nx = 1", 2, "unknown key 'weights'"),
        ("[[classes]]\nx = 1", 1, "classes = a list"),
        ('preset = "evalb"', 1, "preset = 'evalb'; expected dridan-oepen-2011 or pydelphin or mtool"),
        ("spans = []", 1, "spans = a list; expected exact or trimmed"),
        ("[classes]\nnames 1", 2, "no TOML: expected '='"),
        ("[classes", 1, "no TOML"),
        ("x = " + "[" * 100_000, None, "no TOML"),
        ("x = 2020-13-45", 1, "no TOML"),
        ("x = [", 1, "no TOML: invalid value"),
    ],
)
def test_wrong_files_of_weights(text: str, line: int | None, found: str):
    with pytest.raises(InputError) as error:
        parse_weights(text, "w.toml")
    assert error.value.problem.line == line
    assert error.value.problem.kind == "weights"
    assert found in str(error.value)


@given(st.text() | st.binary().map(lambda data: data.decode("utf-8", "backslashreplace")))
def test_any_text_is_weights_or_a_problem(text: str):
    try:
        parse_weights(text, "w.toml")
    except InputError as error:
        assert error.problem.file == "w.toml"  # noqa: PT017


def test_files_and_names_that_are_not_there(tmp_path: Path):
    with pytest.raises(InputError, match=r"none\.toml"):
        load_edm_rules(weights_file=tmp_path / "none.toml")
    with pytest.raises(InputError):
        load_edm_rules(weights_file="a\0b")
    with pytest.raises(ParameterError, match=r"'evalb'.*mtool"):
        load_edm_rules("evalb")
    with pytest.raises(ParameterError, match="exact, trimmed"):
        load_edm_rules(spans="none")


@given(slow.rules)
def test_rules_survive_json(rules: EdmRules):
    assert EdmRules.from_dict(json.loads(json.dumps(rules.to_dict()))) == rules
    assert len(rules.describe().split("\n")) >= 4


def test_the_rules_in_words():
    said = load_edm_rules("dridan-oepen-2011").describe()
    assert "preset dridan-oepen-2011: names, arguments and properties, as in the paper" in said
    assert "classes that do not count: constants, top" in said
    assert "counts as ARG0" in said
    said = parse_weights(FILE, "mine.toml", load_edm_rules("mtool")).describe()
    for line in ("names, arguments, properties × 0.5", "role ARG* × 2", "named CARG", "counts once", "edges, if both"):
        assert line in said


# -------------------------------------------------------------------------------------------------------------- spans


@given(slow.anchors, st.sampled_from((slow.TEXT, "", "x", slow.TEXT[::-1])))
def test_trimmed_spans_are_sets_of_characters(anchors, text: str):
    found = trimmed(anchors, text)
    assert {place for start, end in found for place in range(start, end)} == slow.positions(anchors, text)
    assert all(one[1] < other[0] for one, other in pairwise(found))


def test_spans_beyond_the_text():
    assert trimmed(((2, 10**15),), "Kim leaves") == ((2, 3), (4, 10))
    assert trimmed(((50, 60), (-3, 2)), "Kim leaves") == ((0, 2),)


# ---------------------------------------------------------------------------------------------------------- alignment


def node(predicate: str, *span: int, quantifier: bool = False, **properties: str) -> SemanticNode:
    return SemanticNode(
        "n", predicate, (span,) if span else (), tuple(properties.items()), type="x", is_quantifier=quantifier
    )


DOGS = SemanticGraph(
    (node("_the_q", 0, 3, quantifier=True), node("_dog_n_1", 4, 8, NUM="pl"), node("_bark_v_1", 9, 14, SF="prop")),
    (SemanticEdge(0, "BV", 1), SemanticEdge(2, "ARG1", 1)),
    (2,),
    "The dogs bark.",
)
CAT = replace(
    DOGS,
    nodes=(DOGS.nodes[0], node("_cat_n_1", 4, 8, NUM="sg"), node("_bark_v_1", 9, 13, SF="prop")),
)


def test_which_triples_are_whose():
    a = align_graphs(DOGS, CAT, load_edm_rules("dridan-oepen-2011"))
    rows = [(row.kind, row.span, row.label, row.value, row.target, row.status, row.weight) for row in a.triples]
    assert rows == [
        ("name", ((0, 3),), "NAME", "_the_q", None, "right", 1.0),
        ("argument", ((0, 3),), "ARG0", "", ((4, 8),), "right", 1.0),
        ("name", ((4, 8),), "NAME", "_cat_n_1", None, "spurious", 1.0),
        ("name", ((4, 8),), "NAME", "_dog_n_1", None, "missing", 1.0),
        ("property", ((4, 8),), "NUM", "pl", None, "missing", 1.0),
        ("property", ((4, 8),), "NUM", "sg", None, "spurious", 1.0),
        ("name", ((9, 13),), "NAME", "_bark_v_1", None, "spurious", 1.0),
        ("argument", ((9, 13),), "ARG1", "", ((4, 8),), "spurious", 1.0),
        ("property", ((9, 13),), "SF", "prop", None, "spurious", 1.0),
        ("top", ((9, 13),), "TOP", "", None, "spurious", 0.0),
        ("name", ((9, 14),), "NAME", "_bark_v_1", None, "missing", 1.0),
        ("argument", ((9, 14),), "ARG1", "", ((4, 8),), "missing", 1.0),
        ("property", ((9, 14),), "SF", "prop", None, "missing", 1.0),
        ("top", ((9, 14),), "TOP", "", None, "missing", 0.0),
    ]
    assert [(pair.gold, pair.test, pair.status) for pair in a.nodes] == [
        (0, 0, "right"),
        (1, 1, "relabeled"),
        (None, 2, "spurious"),
        (2, None, "missing"),
    ]
    assert [(pair.gold, pair.test, pair.status) for pair in a.edges] == [
        (0, 0, "right"),
        (1, None, "missing"),
        (None, 1, "spurious"),
    ]
    number = next(row for row in a.triples if row.label == "NUM" and row.status == "missing")
    assert (number.gold_node, number.test_node) == (1, 1)
    lost = next(row for row in a.triples if row.label == "ARG1" and row.status == "missing")
    assert (lost.gold_node, lost.test_node, lost.gold_target, lost.test_target) == (2, None, 1, 1)


def test_trimming_needs_both_texts():
    rules = load_edm_rules("dridan-oepen-2011", spans="trimmed")
    test = replace(CAT, nodes=(*CAT.nodes[:2], node("_bark_v_1", 9, 14 - 1)))
    gold = replace(DOGS, nodes=(*DOGS.nodes[:2], node("_bark_v_1", 9, 14)))
    assert align_graphs(gold, test, rules).nodes[2].status == "right"
    assert align_graphs(gold, replace(test, text=""), rules).nodes[2].status == "spurious"
    assert align_graphs(gold, None, rules).triples[-1].span == ((9, 14),)


def test_the_likest_nodes_meet():
    plain, other = node("_dog_n_1", 4, 8), node("_dog_n_1", 4, 8, NUM="sg")
    gold = SemanticGraph((plain, other, node("udef_q", 4, 8, quantifier=True), node("card")))
    test = SemanticGraph((other, node("_the_q", 4, 8, quantifier=True), plain, node("_big_a_1"), node("card")))
    found = align_graphs(gold, test, load_edm_rules()).nodes
    assert [(pair.gold, pair.test, pair.status) for pair in found] == [
        (3, 4, "right"),  # without a span, but the same
        (None, 3, "spurious"),
        (0, 2, "right"),
        (1, 0, "right"),
        (2, 1, "relabeled"),
    ]


def test_repeated_triples():
    twice = replace(DOGS, nodes=(*DOGS.nodes, DOGS.nodes[2]), edges=(*DOGS.edges, SemanticEdge(3, "ARG1", 1)))
    bag, as_set = (align_graphs(twice, DOGS, load_edm_rules(name, spans="exact")) for name in ("pydelphin", "mtool"))
    assert (bag.counts["edm_a_gold"], bag.counts["edm_a_matched"]) == (3, 2)
    assert [pair.status for pair in bag.edges] == ["right", "right", "missing"]
    assert (as_set.counts["edm_a_gold"], as_set.counts["edm_a_matched"], as_set.counts["edm_exact_match"]) == (2, 2, 1)
    assert [(pair.gold, pair.test, pair.status) for pair in as_set.edges][2:] == [(2, None, "right")]


def test_no_graph():
    a = align_graphs(None, DOGS, load_edm_rules("pydelphin"))
    assert (a.text, a.counts["sentences"], a.counts["edm_exact_match"]) == ("The dogs bark.", 1.0, 0.0)
    assert {row.status for row in (*a.triples, *a.nodes, *a.edges)} == {"spurious"}
    assert (a.scores["edm"], a.scores["edm_recall"], a.scores["edm_precision"]) == (0.0, None, 0.0)
    nothing = align_graphs(None, None, load_edm_rules())
    assert (nothing.triples, nothing.counts["sentences"], set(nothing.scores.values())) == ((), 0.0, {None})


@given(slow.graph_pairs(), slow.rules)
def test_every_node_and_edge_is_in_one_pair(pair, rules: EdmRules):
    a = align_graphs(*pair, rules)
    for side, graph in enumerate(pair):
        for pairs, n in ((a.nodes, len(graph.nodes) if graph else 0), (a.edges, len(graph.edges) if graph else 0)):
            places = [one.test if side else one.gold for one in pairs]
            assert sorted(place for place in places if place is not None) == list(range(n))
    for one in a.nodes:
        if one.gold is not None and one.test is not None:
            nodes = pair[0].nodes[one.gold], pair[1].nodes[one.test]
            names = [node.predicate.lower() if rules.fold_case else node.predicate for node in nodes]
            assert (names[0] == names[1]) == (one.status == "right")
    arguments = {row.status for row in a.triples if row.kind == "argument"}
    if any(map(slow.is_bare, pair)):
        assert "right" not in arguments  # though edges of paired nodes are drawn as one
    else:
        assert {one.status for one in a.edges} == arguments


def test_many_equal_nodes_take_no_longer_than_others():
    many = SemanticGraph((node("_dog_n_1", 4, 8),) * 20_000)
    a = align_graphs(many, many, load_edm_rules())
    assert a.counts["edm_n_matched"] == 20_000

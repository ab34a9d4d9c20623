"""Smatch against its definition, and the parts of graphs that the fine-grained figures compare."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, strategies as st

import evaltools
from evaltools.corpus.semantic_graph import SemanticEdge, SemanticGraph, SemanticNode
from evaltools.formats import read_semantics
from evaltools.frameworks.semantics import smatch, smatch_matching
from evaltools.frameworks.semantics.alignment import align_graphs
from evaltools.frameworks.semantics.edm_rules import load_edm_rules
from evaltools.frameworks.semantics.smatch import COLUMNS, LISTED, SEARCHED, smatch_counts
from evaltools.frameworks.semantics.smatch_matching import Triples, best_mapping, triples_of
from tests.runs.semantic_files import data
from tests.slow import smatch as slow

KILLED = '(k / kill-01 :polarity - :ARG0 (p / person :wiki "A_B" :name (n / name :op1 "A" :op2 "B")) :ARG1 (c / cat))'


GAPS = [(52, 6, 8, 9, 8), (27, 7, 9, 10, 9), (58, 13, 19, 20, 19)]
"""Graphs drawn at random that the bound leaves open: seed, nodes, matched triples, bound, optimum."""


def amr(text: str) -> SemanticGraph:
    (item,) = read_semantics(data(text), "penman").items
    assert item.graph is not None
    return item.graph


def counts(gold: str, test: str, name: str = "smatch") -> list[int]:
    found, _ = smatch_counts(amr(gold), amr(test))
    return [found[f"{name}_{side}"] for side in ("gold", "test", "matched")]


# ----------------------------------------------------------------------------------------------------- the best mapping


@given(slow.graphs(), slow.graphs())
def test_no_mapping_matches_more(gold: Triples, test: Triples):
    found = best_mapping(gold, test)
    assert found.matched == found.bound
    assert found.matched == slow.optimum(gold, test) == slow.matched(gold, test, found.mapping)


@given(slow.graphs(), slow.graphs())
def test_integer_linear_programming_finds_the_same(gold: Triples, test: Triples):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(smatch_matching, "MAX_ROUNDS", 1)  # so that there is a gap more often
        found = best_mapping(gold, test)
    assert found.matched == found.bound
    assert found.matched == slow.optimum(gold, test) == slow.matched(gold, test, found.mapping)


def drawn(random: Random, n: int) -> Triples:
    relations = tuple((random.randrange(n), random.choice("xy"), random.randrange(n)) for _ in range(n + 4))
    return Triples(tuple(random.choice("ab") for _ in range(n)), (), relations)


@pytest.mark.parametrize(("seed", "n", "without", "bound", "optimum"), GAPS)
def test_it_closes_the_gap_that_the_bound_leaves(seed: int, n: int, without: int, bound: int, optimum: int):
    random = Random(seed)
    gold, test = drawn(random, n), drawn(random, n)
    first, second = best_mapping(gold, test, seconds=0), best_mapping(gold, test)
    assert (first.matched, first.bound, second.matched, second.bound) == (without, bound, optimum, optimum)
    assert slow.matched(gold, test, second.mapping) == optimum
    if n < 8:
        assert slow.optimum(gold, test) == optimum


@given(slow.graphs(), slow.graphs())
def test_without_a_proof_the_optimum_is_inside_the_gap(gold: Triples, test: Triples):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(smatch_matching, "MAX_ROUNDS", 1)
        found = best_mapping(gold, test, seconds=0)
    assert slow.matched(gold, test, found.mapping) == found.matched <= slow.optimum(gold, test) <= found.bound


@given(slow.graphs(12, 20), slow.graphs(12, 20), st.randoms(use_true_random=False))
def test_sides_and_names_make_no_difference(gold: Triples, test: Triples, random: Random):
    order = random.sample(range(len(gold.concepts)), len(gold.concepts))
    assert best_mapping(gold, test).matched == best_mapping(test, gold).matched
    assert best_mapping(slow.with_nodes_in_order(gold, order), test).matched == best_mapping(gold, test).matched
    assert best_mapping(gold, test).matched <= min(len(gold), len(test))
    assert best_mapping(slow.with_nodes_in_order(gold, order), gold).matched == len(gold)


def test_nodes_with_nothing_in_common_have_no_partner():
    gold, test = Triples(("a", "b", "c"), (), ((0, "arg0", 1),)), Triples(("x", "b", "y"), (), ((0, "arg0", 1),))
    assert best_mapping(gold, test).mapping == (0, 1, None)
    assert best_mapping(gold, Triples(())).mapping == (None, None, None)
    assert best_mapping(Triples(()), test) == smatch_matching.Matching((), 0, 0)


def test_a_chain_that_hill_climbing_stops_short_of():
    roles = ["arg1", "arg1", "arg2", "arg1", "arg2", "arg1", "arg1"] * 3
    chain = Triples(("part",) * 22, (), tuple((node, role, node + 1) for node, role in enumerate(roles)))
    backwards = slow.with_nodes_in_order(chain, [*range(21, -1, -1)])
    assert best_mapping(chain, backwards) == smatch_matching.Matching(tuple(range(21, -1, -1)), 43, 43)


# -------------------------------------------------------------------------------------------------------------- triples


def test_triples_are_those_of_the_program():
    found = triples_of(amr("(M / Man :mod (b / big) :ARG0-of (s / sing-01 :polarity -) :consist-of (c / cell) :age 3)"))
    assert found.concepts == ("man", "big", "sing-01", "cell")
    assert found.attributes == ((0, "age", "3"), (2, "polarity", "-"), (0, "top", "top"))
    assert found.relations == ((1, "domain", 0), (2, "arg0", 0), (0, "consist-of", 3))


def test_quotes_case_and_underscores_at_the_end_make_no_difference():
    assert counts('(n / name :op1 "Rome" :op2 "a_")', "(n / Name :op1 rome :op2 A)") == [4, 4, 4]


def test_a_concept_of_underscores_is_a_triple():
    assert counts("(w / want-01 :ARG0 (b / boy))", "(w / _ :ARG0 (b / boy))") == [4, 4, 3]  # smatch 1.0.4: F1 .75
    assert counts("(w / __ :ARG0 (b / boy))", "(w / _ :ARG0 (b / boy))") == [4, 4, 4]
    assert counts("(w / want-01)", "(w / _)", "smatch_concepts") == [1, 1, 0]


def test_a_constant_of_several_words_counts_as_a_whole():
    assert counts('(n / name :op1 "Ode to joy")', '(n / name :op1 "Ode to love")') == [3, 3, 2]


def test_attributes_with_an_inverse_role_are_not_lost():
    assert counts("(a / a :mod 3 :ARG1-of 4)", "(a / a :mod 3 :ARG1-of 5)") == [4, 4, 3]


def test_a_relation_that_occurs_twice_matches_as_often_as_in_both():
    twice, once = "(r / rose :mod (r2 / red) :mod r2)", "(r / rose :mod (r2 / red))"
    assert counts(twice, once) == [5, 4, 4]
    assert counts(twice, twice) == [5, 5, 5]


def test_the_top_is_a_triple_and_roles_are_turned_round():
    first = "(l / leave-11 :ARG0 (m / man :ARG0-of (s / sing-01)))"
    assert counts(first, "(s / sing-01 :ARG0 (m / man :ARG0-of (l / leave-11)))") == [6, 6, 5]


def test_nodes_without_a_label_and_constants_of_eds():
    graph = SemanticGraph(
        (SemanticNode("x", "", (), (), "Kim"), SemanticNode("y", "go")), (SemanticEdge(1, "ARG1", 0),), ()
    )
    assert triples_of(graph) == Triples((None, "go"), ((0, "carg", "kim"),), ((1, "arg1", 0),))
    assert len(triples_of(graph)) == 3


# ---------------------------------------------------------------------------------------------------------------- parts


def test_unlabeled_keeps_directions_values_and_the_top():
    other = KILLED.replace("polarity", "mode").replace("ARG0", "instrument").replace("ARG1", "ARG0")
    assert counts(KILLED, other) == [12, 12, 9]
    assert counts(KILLED, other, "smatch_unlabeled") == [12, 12, 12]
    assert counts("(a / a :ARG0 (b / b))", "(a / a :ARG1-of (b / b))", "smatch_unlabeled") == [4, 4, 3]
    assert counts("(a / a :polarity -)", "(a / a :polarity +)", "smatch_unlabeled") == [3, 3, 2]


def test_senses_are_alike_but_a_predicate_has_one():
    assert counts("(g / go-01)", "(g / go-12)", "smatch_no_senses") == [2, 2, 2]
    assert counts("(g / go-01)", "(g / go)", "smatch_no_senses") == [2, 2, 1]
    assert counts("(g / go-01)", "(g / go-12)") == [2, 2, 1]


def test_reentrancies_are_relations_to_nodes_with_several():
    gold = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b :time (n / now)))"
    assert counts(gold, gold, "smatch_reentrancies") == [5, 5, 5]  # two relations; want-01, go-02 and boy
    split = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 (b2 / boy) :time (n / now)))"
    assert counts(gold, split, "smatch_reentrancies") == [5, 0, 0]


def test_semantic_roles_are_numbered_ones():
    assert counts(KILLED, KILLED.replace("cat", "dog"), "smatch_srl") == [5, 5, 4]
    assert counts("(a / a :time (b / b))", "(a / a :time (b / b))", "smatch_srl") == [0, 0, 0]


@pytest.mark.parametrize(
    ("name", "change", "expected"),
    [
        ("concepts", ("cat", "person"), [4, 4, 3]),
        ("named_entities", ("person", "thing"), [1, 1, 0]),
        ("negation", (":polarity - ", ""), [1, 0, 0]),
        ("wiki", ("A_B", "a_b"), [1, 1, 1]),
        ("wiki", ('"A_B"', "-"), [1, 1, 0]),
    ],
)
def test_labels_are_compared_without_a_mapping(name: str, change: tuple[str, str], expected: list[int]):
    assert counts(KILLED, KILLED.replace(*change), f"smatch_{name}") == expected


def test_equal_labels_count_as_often_as_they_occur():
    assert counts("(d / dog :x (d2 / dog) :y (c / cat))", "(d / dog :x (c / cat))", "smatch_concepts") == [3, 2, 2]


@given(slow.graphs(), slow.graphs())
def test_parts_are_parts(gold: Triples, test: Triples):
    for part in SEARCHED.values():
        kept = part(gold)
        assert len(kept) <= len(gold)
        assert best_mapping(kept, part(test)).matched == slow.optimum(kept, part(test))
    for labels in LISTED.values():
        assert len(labels(gold)) <= len(gold)


# ----------------------------------------------------------------------------------------------------------------- runs


def test_a_run_has_the_counts_and_a_missing_parse_has_none_matched():
    gold = f"# ::id a\n{KILLED}\n\n# ::id b\n(s / sleep-01)\n"
    run = evaltools.score(data(gold), {"p": data(f"# ::id a\n{KILLED}\n")}, format="penman")
    table = run.counts("p")
    assert table["smatch_gold"].tolist() == [12, 2]
    assert table["smatch_matched"].tolist() == [12, 0]
    assert table[[name for name in COLUMNS if name.endswith("_gap")]].sum(axis=None) == 0
    figures = run.summary().set_index("metric")
    assert figures.loc["smatch", ["pooled", "mean"]].tolist() == [1, 1]
    assert figures.loc["smatch", ["pooled_all", "mean_all"]].tolist() == [2 * 12 / (12 + 14), 0.5]


def test_spans_are_ignored_on_request_only():
    anchored = tuple(SemanticNode(name, "dog", ((0, 3),)) for name in "ab")
    graph = SemanticGraph(anchored, (SemanticEdge(0, "ARG1", 1),), (0,), "dog")
    assert "smatch" not in evaltools.align_graphs(graph, graph, evaltools.load_edm_rules()).scores
    found = evaltools.align_graphs(graph, graph, evaltools.load_edm_rules(), families=("smatch",))
    assert found.scores["smatch"] == 1


def test_the_limit_holds_for_all_figures_of_a_pair(monkeypatch: pytest.MonkeyPatch):
    now, limits = 0.0, []

    def slow_search(
        gold: Triples, test: Triples, seconds: float, *, max_work: int, repeats_multiply: bool
    ) -> smatch_matching.Matching:
        assert not repeats_multiply
        nonlocal now
        now += seconds  # every search takes all the time that it may take
        limits.append((seconds, max_work / smatch_matching.MAX_WORK))
        return best_mapping(gold, test)

    monkeypatch.setattr(smatch, "best_mapping", slow_search)
    monkeypatch.setattr(smatch, "monotonic", lambda: now)
    smatch_counts(amr(KILLED), amr(KILLED), 8.0)
    assert limits == [(4, 0.5), (2, 0.25), (1, 0.125), (0.5, 0.0625), (0.25, 0.03125)]


def test_what_is_not_proven_is_listed_with_the_gap(monkeypatch: pytest.MonkeyPatch):
    random = Random(0)
    monkeypatch.setattr(smatch_matching, "MAX_ROUNDS", 1)
    monkeypatch.setattr(smatch, "SECONDS", 0.0)

    def text() -> str:
        nodes = "".join(f" :op{n} (n{n} / c{random.randrange(3)})" for n in range(1, 20))
        links = "".join(f" :ARG{random.randrange(2)} n{random.randrange(1, 20)}" for _ in range(25))
        return f"(n0 / c0{nodes} :op20 (z / c1{links}))"

    gold, test = text(), text()
    run = evaltools.score(data(gold), {"p": data(test)}, format="penman")
    (counted,) = run.counts("p").to_dict("records")
    assert counted["smatch_gap"] > 0
    (problem,) = run.problems().query("kind == 'not_proven'").to_dict("records")
    matched = int(counted["smatch_matched"])
    assert f"{matched} to {matched + int(counted['smatch_gap'])} (smatch)" in problem["found"]
    assert (problem["sentence"], problem["parser"], problem["line"]) == (1, "p", 1)
    monkeypatch.undo()
    proven, _ = smatch_counts(amr(gold), amr(test))
    assert proven["smatch_gap"] == 0
    assert matched <= proven["smatch_matched"] <= matched + counted["smatch_gap"]


def test_an_empty_constant_is_an_attribute():
    """As in mtool."""
    empty, none = (
        SemanticGraph((SemanticNode("a", "named", constant=value),), framework="amr") for value in ("", None)
    )
    found = [smatch_counts(empty, other)[0] for other in (empty, none)]
    assert [[one[f"smatch_{side}"] for side in smatch.SIDES] for one in found] == [[2, 2, 2], [2, 1, 1]]
    rows = align_graphs(empty, none, load_edm_rules()).triples
    assert [(row.label, row.value, row.status) for row in rows] == [("NAME", "named", "right"), ("CARG", "", "missing")]

"""Groups of triples: an obvious twin, two parsers against one another, places; errors add up to lost triples."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltools.analysis.nbest import CONFIGURATIONS, nbest
from evaltools.corpus import SemanticEdge, SemanticGraph
from evaltools.corpus.semantic_graph import SemanticNode
from evaltools.errors import ParameterError
from evaltools.frameworks.groups import Part
from evaltools.frameworks.questions import NONE
from evaltools.frameworks.semantics.alignment import align_graphs
from evaltools.frameworks.semantics.edm_rules import ClassWeights, EdmRules
from evaltools.frameworks.semantics.errors import graph_errors
from evaltools.frameworks.semantics.groups import GROUPS as GROUPS_OF_GRAPHS
from evaltools.frameworks.semantics.lost_triples import (
    GROUPS,
    MIN_SENTENCES,
    lost_places,
    lost_triples,
    total_lost,
)
from tests.analysis.semantic_tables import ask_of
from tests.conftest import few_examples
from tests.pages.semantic_corpus import score_graphs


def name(parser, sentence, predicate, status, start=0, weight=1.0):
    gold, test = (predicate if status != one else None for one in ("spurious", "missing"))
    return (parser, sentence, "name", "NAME", predicate, start, start + 3, None, None, status, gold, test, weight)


def role(parser, sentence, label, status, gold="_see_v_1", test="_see_v_1", weight=1.0):
    gold, test = (None if status == "spurious" else gold), (None if status == "missing" else test)
    return (parser, sentence, "argument", label, "", 4, 7, 0, 3, status, gold, test, weight)


def value(parser, sentence, label, said, status, weight=1.0):
    gold, test = ("_see_v_1" if status != one else None for one in ("spurious", "missing"))
    return (parser, sentence, "property", label, said, 4, 7, None, None, status, gold, test, weight)


statuses = st.sampled_from(["right", "missing", "spurious"])
parsers = st.sampled_from(["a", "b"])
sentences = st.integers(1, 4)
weights = st.sampled_from([0.0, 0.5, 1.0, 2.0])
predicates = st.sampled_from(["_see_v_1", "_saw_n_1"])
rows = st.lists(
    st.builds(name, parsers, sentences, predicates, statuses, st.integers(0, 3), weights)
    | st.builds(role, parsers, sentences, st.sampled_from(["ARG1", "BV"]), statuses, predicates, predicates, weights)
    | st.builds(value, parsers, sentences, st.just("TENSE"), st.sampled_from(["past", "pres"]), statuses, weights),
    min_size=1,
    max_size=40,
)
missing = st.lists(st.tuples(parsers, sentences, st.just("missing")), max_size=3)


def group_of(row, by: str, side: str) -> str:
    _, _, kind, label, said, *_, gold, test, _ = row
    own = gold if side == "gold" else test
    return {
        "predicate": said,
        "role": label,
        "frame": f"{own} {label}",
        "property": label,
        "value": f"{label} = {said}",
        "construction": f"{kind} {label}",
        "concept": said,
        "concept_role": f"{own} {label}",
        "attribute": label,
        "constant": f"{label} = {said}",
    }[by]


@few_examples
@given(rows, missing, st.sampled_from(list(GROUPS)), st.booleans())
def test_groups_are_counted_as_the_slow_way_does(rows, missing, by, every):
    out = {(parser, sentence) for parser, sentence, _ in missing}
    mine = [row for row in rows if row[0] == "a" and row[-1] > 0 and (every or (row[0], row[1]) not in out)]
    all_lost = sum(row[-1] for row in mine if row[9] != "right")
    counts: Counter[tuple[str, str]] = Counter()
    for row in (one for one in mine if GROUPS[by].kind in ("", one[2])):
        for side, alone in (("gold", "missing"), ("test", "spurious")):
            if row[9] in ("right", alone):
                counts[group_of(row, by, side), side] += row[-1]
            if row[9] == "right":
                counts[group_of(row, by, side), f"found {side}"] += row[-1]
    table = lost_triples(ask_of(rows, statuses=missing), "a", by, every=every)
    assert set(table["group"]) == {group for group, _ in counts}
    assert (table["lost"].diff().dropna() <= 1e-6).all()
    for row in table.to_dict("records"):
        gold, test, right, found = (counts[row["group"], one] for one in ("gold", "test", "found test", "found gold"))
        assert (row["gold"], row["test"], row["matched"]) == (gold, test, found)
        assert row["lost"] == pytest.approx(gold + test - right - found)
        assert row["share"] == pytest.approx(row["lost"] / all_lost if all_lost else 0)
        assert row["f1"] == pytest.approx((found + right) / (gold + test))
        for figure, over, base in (("recall", found, gold), ("precision", right, test)):
            assert row[figure] == pytest.approx(over / base) if base else math.isnan(row[figure])


@few_examples
@given(rows, missing, st.sampled_from(list(GROUPS)), st.booleans())
@pytest.mark.slow
def test_two_parsers_are_compared_over_what_both_analyse(rows, missing, by, every):
    ask = ask_of(rows, statuses=missing)
    one, other = lost_triples(ask, "a", by, other="b", every=every), lost_triples(ask, "b", by, other="a", every=every)
    assert set(one["group"]) == set(other["group"])
    mirrored = other.set_index("group")
    for row in one.to_dict("records"):
        assert row["other"] == pytest.approx(mirrored.loc[row["group"], "lost"])
        assert row["more"] == pytest.approx(-mirrored.loc[row["group"], "more"])
    assert (one["more"].diff().dropna() <= 1e-9).all()


@few_examples
@given(rows, st.sampled_from(list(GROUPS)))
def test_every_lost_triple_has_a_place(rows, by):
    ask = ask_of([(*row[:-1], 1.0) for row in rows])
    for row in lost_triples(ask, "a", by).to_dict("records"):
        places = lost_places(ask, "a", by, row["group"])
        assert len(places) == row["lost"]
        assert set(places["status"]) <= {"missing", "spurious"}


RULES = EdmRules(
    "mine",
    ClassWeights(1, 0.5, 2, 0, 0),
    roles=(("ARG*", 0.0),),
    properties=(("T*", 0.25),),
    predicates=(("*_v_1", 3.0),),
)


@pytest.mark.slow
@few_examples
@given(rows, st.sampled_from(list(GROUPS)), st.sampled_from([None, "b"]))
def test_other_weights_are_as_if_they_had_been_in_the_run(rows, by, other):
    weighed = [(*row[:-1], RULES.weight(row[2], row[4] if row[2] == "name" else row[3])) for row in rows]
    expected = lost_triples(ask_of(weighed), "a", by, other=other)
    found = lost_triples(ask_of(rows), "a", by, other=other, rules=RULES)
    pd.testing.assert_frame_equal(found, expected)
    for group in found["group"]:
        places = lost_places(ask_of(rows), "a", by, group, other=other, rules=RULES)
        pd.testing.assert_frame_equal(places, lost_places(ask_of(weighed), "a", by, group, other=other))


def test_a_hotspot_in_enough_sentences_is_flagged():
    rows = [role("a", sentence, "ARG1", "right") for sentence in range(1, 41)]
    rows += [role("a", sentence, "ARG3", "missing") for sentence in range(1, MIN_SENTENCES + 1)]
    rows += [role("a", sentence, "ARG4", "missing") for sentence in range(1, MIN_SENTENCES)]
    table = lost_triples(ask_of(rows), "a", "role").set_index("group")
    assert table.index.tolist() == ["ARG3", "ARG4", "ARG1"]
    assert table["flagged"].tolist() == [True, False, True]
    assert np.isnan(table.loc["ARG4", "low"])
    assert table.loc["ARG3", "high"] < 0
    assert table.loc["ARG3", "excess"] == pytest.approx(10 * (1 - 0) - 10 * 9 / 89)
    assert lost_triples(ask_of(rows), "a", "role", min_count=11)["group"].tolist() == ["ARG1"]


def test_what_only_the_other_loses_is_listed_last():
    rows = [role("a", 1, "ARG1", "right"), role("b", 1, "ARG1", "right"), role("b", 1, "ARG2", "spurious")]
    table = lost_triples(ask_of(rows), "a", "role", other="b")
    assert table[["group", "lost", "other", "more"]].to_numpy().tolist() == [["ARG1", 0, 0, 0], ["ARG2", 0, 1, -1]]


def test_a_grouping_that_is_unknown_is_answered_with_those_there_are():
    with pytest.raises(ParameterError, match="frame"):
        lost_triples(ask_of([]), "a", "colour")


def test_nothing_is_lost_in_an_empty_run():
    for by in GROUPS:
        assert lost_triples(ask_of([]), "a", by).empty
        assert lost_triples(ask_of([]), "a", by, other="b").empty


def test_errors_cost_the_lost_triples(tmp_path_factory):
    run = score_graphs(tmp_path_factory.mktemp("graphs"))
    for parser in run.parsers:
        part = Part(run, run.n_sentences)
        errors = run.query("select * from errors where parser = ?", [parser])
        triples = run.triples(parser)
        for over in ("scored", "all"):
            own = errors if over == "all" else errors[errors["scored"]]
            assert own["cost"].sum() == pytest.approx(total_lost(run.query, parser, every=over == "all"))
            roles = GROUPS_OF_GRAPHS["roles"].rows(part, parser, {"over": over})
            confused = GROUPS_OF_GRAPHS["confusion"].rows(part, parser, {"over": over})
            lost = triples[(triples["status"] != "right") & triples["sentence"].isin(own["sentence"])]
            assert roles["cost"].sum() == pytest.approx(lost.query("kind == 'argument'")["weight"].sum())
            assert confused["cost"].sum() <= lost.query("kind == 'name'")["weight"].sum()


def test_an_error_is_that_of_its_number(tmp_path_factory):
    run = score_graphs(tmp_path_factory.mktemp("graphs"))
    for parser in run.parsers:
        errors = run.query("select * from errors where parser = ? order by sentence, number", [parser])
        for sentence, own in errors.groupby("sentence"):
            found = graph_errors(run.graphs(int(sentence), parser))
            assert own["number"].tolist() == list(range(1, len(found) + 1))
            for row, error in zip(own.to_dict("records"), found, strict=True):
                assert (row["gold"], row["test"], row["status"]) == (error.gold, error.test, error.status)
                assert row["cost"] == error.cost


@given(rows)
@few_examples
def test_arguments_of_both_graphs_are_paired_between_the_same_characters(triples):
    lost = [row for row in triples if row[2] == "argument" and row[9] != "right"]
    nodes = tuple(SemanticNode(str(at), f"p{at}", ((4 * at, 4 * at + 3),)) for at in range(2))
    graphs = (SemanticGraph(nodes, tuple(SemanticEdge(1, row[3], 0) for row in lost if row[9] == status))
              for status in ("missing", "spurious"))  # fmt: skip
    alignment = align_graphs(*graphs, EdmRules("mine", multiset=True))
    unmatched = [row for row in alignment.triples if row.status != "right"]
    errors = graph_errors(alignment)
    for side, status in (("gold", "missing"), ("test", "spurious")):
        expected = Counter(row.label for row in unmatched if row.status == status)
        assert Counter(getattr(error, side) for error in errors if getattr(error, side) != NONE) == expected
    alone = Counter(row.status for row in unmatched)
    pairs = [error for error in errors if error.status == "relabeled"]
    assert len(pairs) == min(alone["missing"], alone["spurious"])
    assert sum(error.cost for error in errors) == sum(row.weight for row in unmatched)


@pytest.mark.parametrize("every", [False, True])
@pytest.mark.parametrize(("by", "letter"), [("predicate", "n"), ("role", "a"), ("frame", "a"), ("value", "p")])
@pytest.mark.slow
def test_groups_add_up_to_the_counts_of_a_run(tmp_path_factory, every, by, letter):
    run = score_graphs(tmp_path_factory.mktemp("graphs"))
    for parser in run.parsers:
        counts = run.counts(parser)
        counts = counts[counts["sentences"] == 1] if every else counts[counts["status"] == "ok"]
        table = lost_triples(run.query, parser, by, every=every)
        for name in ("gold", "test", "matched"):
            assert table[name].sum() == counts[f"edm_{letter}_{name}"].sum()
        weighed = lost_triples(run.query, parser, by, every=every, rules=run.edm_rules)
        pd.testing.assert_frame_equal(weighed, table)


def test_the_first_of_the_lists_are_what_the_run_scores(tmp_path_factory):
    run = score_graphs(tmp_path_factory.mktemp("graphs"))
    found = nbest(run.ranks("lists"), resamples=1)
    means = run.summary().query("parser == 'lists'").set_index("metric")["mean"]
    for metric in CONFIGURATIONS:
        first = found.by_rank.query("metric == @metric and rank == 1")["mean"].iloc[0]
        assert first == pytest.approx(means[metric])

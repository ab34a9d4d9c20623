"""Groups of triples: an obvious twin, two parsers against one another, places, confusions of predicates."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltools.analysis.nbest import CONFIGURATIONS, nbest
from evaltools.errors import ParameterError
from evaltools.frameworks.semantics.edm_rules import ClassWeights, EdmRules
from evaltools.frameworks.semantics.errors import (
    GROUPS,
    MIN_SENTENCES,
    NO_ROLE,
    confusion_places,
    equal_predicates,
    equal_roles,
    lost_places,
    lost_triples,
    role_places,
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
    assert confusion_places(ask_of([]), "a").empty


def test_confusions_are_found_with_the_weight_that_they_lose():
    names = [name("a", sentence, "_bank_n_1", "missing", start=4) for sentence in (1, 2, 3)]
    names += [name("a", 1, "_bank_n_of", "spurious", start=4, weight=0.5), name("a", 4, "_bank_n_1", "right")]
    confused = [("a", sentence, 4, 7, "_bank_n_1", "_bank_n_of") for sentence in (1, 2)]
    confused += [("a", 3, 4, 8, "_bank_n_1", "_bank_v_1"), ("b", 3, 4, 8, "_bank_n_1", "_bank_v_1")]
    ask = ask_of([*names, name("b", 1, "x", "right"), name("b", 2, "x", "right")], confused)
    nodes = confusion_places(ask, "a")
    assert nodes[["sentence", "test", "lost"]].to_numpy().tolist() == [
        [1, "_bank_n_of", 1.5],
        [2, "_bank_n_of", 1.0],
        [3, "_bank_v_1", 0.0],  # other characters: no name is lost by it
    ]
    assert nodes["gold"].tolist() == ["_bank_n_1"] * 3
    assert equal_predicates(ask, "a").to_numpy().tolist() == [["_bank_n_1", "_bank_n_1", 1]]
    assert total_lost(ask, "a") == 3.5


@given(rows)
@few_examples
def test_arguments_of_both_graphs_are_paired_between_the_same_characters(triples):
    ask = ask_of(triples)
    places = role_places(ask, "a", every=True)
    lost = [row for row in triples if row[0] == "a" and row[2] == "argument" and row[9] != "right"]
    for side, status in (("gold", "missing"), ("test", "spurious")):
        expected = Counter((row[1], row[3]) for row in lost if row[9] == status)
        own = places[places[side] != NO_ROLE]
        assert Counter(zip(own["sentence"].tolist(), own[side].tolist(), strict=True)) == expected
    alone = Counter((row[1], row[9]) for row in lost)
    for sentence in {row[1] for row in lost}:
        pairs = places[(places["sentence"] == sentence) & (places["gold"] != NO_ROLE) & (places["test"] != NO_ROLE)]
        assert len(pairs) == min(alone[sentence, "missing"], alone[sentence, "spurious"])
    assert places["lost"].sum() == sum(row[-1] for row in lost)
    equal = equal_roles(ask, "a", every=True)
    matched = [row for row in triples if row[0] == "a" and row[2] == "argument" and row[9] == "right"]
    assert equal["count"].sum() == len(matched)


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

"""Groups of triples: an obvious twin, two parsers against one another, places; errors add up to lost triples."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

from evaltools.corpus import SemanticEdge, SemanticGraph
from evaltools.corpus.semantic_graph import SemanticNode
from evaltools.frameworks.common.differences import MIN_SENTENCES
from evaltools.frameworks.hotspots import Hotspots, common_sentences
from evaltools.frameworks.questions import NONE, Scope, question_options
from evaltools.frameworks.semantics.alignment import align_graphs
from evaltools.frameworks.semantics.edm_rules import ClassWeights, EdmRules
from evaltools.frameworks.semantics.errors import graph_errors
from evaltools.frameworks.semantics.questions import GROUPINGS, MAPPED_QUESTIONS, QUESTIONS, total_lost
from evaltools.outputs.hotspots import ask
from tests.analysis.semantic_tables import run_of
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


def table_of(run: Any, parser: str, by: str, other: str = "", **options: Any) -> Hotspots:
    question = (QUESTIONS | MAPPED_QUESTIONS)[by]
    least = {"least": 0} if question.members is not None else {}
    options = question_options(question) | least | options
    scope = Scope(4, common_sentences([parser, other])) if other else Scope(4, "true")
    return Hotspots(run, question, parser, other, options, scope)


def over(every: bool) -> str:
    return "all" if every else "scored"


@few_examples
@given(rows, missing, st.sampled_from(list(GROUPINGS)), st.booleans())
def test_groups_are_counted_as_the_slow_way_does(rows, missing, by, every):
    out = {(parser, sentence) for parser, sentence, _ in missing}
    mine = [row for row in rows if row[0] == "a" and row[-1] > 0 and (every or (row[0], row[1]) not in out)]
    all_lost = sum(row[-1] for row in mine if row[9] != "right")
    counts: Counter[tuple[str, str]] = Counter()
    for row in (one for one in mine if GROUPINGS[by].kind in ("", one[2])):
        for side, alone in (("gold", "missing"), ("test", "spurious")):
            if row[9] in ("right", alone):
                counts[group_of(row, by, side), side] += row[-1]
            if row[9] == "right":
                counts[group_of(row, by, side), f"found {side}"] += row[-1]
    table = table_of(run_of(rows, statuses=missing), "a", by, over=over(every)).rows
    lost = {
        group: counts[group, "gold"] + counts[group, "test"] - counts[group, "found gold"] - counts[group, "found test"]
        for group in dict.fromkeys(group for group, _ in counts)
    }
    assert set(table["group"]) == {group for group, n in lost.items() if n > 0}
    assert (table["cost"].diff().dropna() <= 1e-6).all()
    for row in table.to_dict("records"):
        gold, test, right, found = (counts[row["group"], one] for one in ("gold", "test", "found test", "found gold"))
        assert (row["gold"], row["test"]) == (gold, test)
        assert row["cost"] == pytest.approx(lost[row["group"]])
        assert row["share"] == pytest.approx(row["cost"] / all_lost)
        assert row["mean"] == pytest.approx((found + right) / (gold + test))
        for figure, part, base in (("recall", found, gold), ("precision", right, test)):
            assert row[figure] == pytest.approx(part / base) if base else math.isnan(row[figure])


@few_examples
@given(rows, missing, st.sampled_from(list(GROUPINGS)))
@pytest.mark.slow
def test_two_parsers_are_compared_over_what_both_analyse(rows, missing, by):
    run = run_of(rows, statuses=missing)
    one, other = table_of(run, "a", by, "b").rows, table_of(run, "b", by, "a").rows
    assert set(one["group"]) == set(other["group"])
    mirrored = other.set_index("group")
    for row in one.to_dict("records"):
        assert row["other"] == pytest.approx(mirrored.loc[row["group"], "cost"])
        assert row["more"] == pytest.approx(-mirrored.loc[row["group"], "more"])
    assert (one["more"].abs().diff().dropna() <= 1e-9).all()


RULES = EdmRules(
    "mine",
    ClassWeights(1, 0.5, 2, 0, 0),
    roles=(("ARG*", 0.0),),
    properties=(("T*", 0.25),),
    predicates=(("*_v_1", 3.0),),
)


@pytest.mark.slow
@few_examples
@given(rows, st.sampled_from(list(GROUPINGS)))
def test_other_weights_are_as_if_they_had_been_in_the_run(rows, by):
    weighed = [(*row[:-1], RULES.weight(row[2], row[4] if row[2] == "name" else row[3])) for row in rows]
    expected = table_of(run_of(weighed), "a", by).rows
    # a weight of 0 in the run leaves a triple out
    found = table_of(run_of([(*row[:-1], 1.0) for row in rows]), "a", by, weights=RULES).rows
    pd.testing.assert_frame_equal(found, expected)


def test_a_hotspot_in_enough_sentences_is_flagged():
    rows = [role("a", sentence, "ARG1", "right") for sentence in range(1, 41)]
    rows += [role("a", sentence, "ARG3", "missing") for sentence in range(1, MIN_SENTENCES + 1)]
    rows += [role("a", sentence, "ARG4", "missing") for sentence in range(1, MIN_SENTENCES)]
    table = table_of(run_of(rows), "a", "role").rows.set_index("group")
    assert table.index.tolist() == ["ARG3", "ARG4"]
    assert table["flagged"].tolist() == [True, False]
    assert np.isnan(table.loc["ARG4", "low"])
    assert table.loc["ARG3", "high"] < 0
    assert table.loc["ARG3", "excess"] == pytest.approx(10 * (1 - 0) - 10 * 9 / 89)
    assert table_of(run_of(rows), "a", "role", least=10).rows["group"].tolist() == ["ARG3"]


def test_what_only_the_other_loses_is_listed_last():
    rows = [role("a", 1, "ARG1", "missing"), role("b", 1, "ARG1", "missing"), role("b", 1, "ARG2", "spurious")]
    table = table_of(run_of(rows), "a", "role", "b").rows
    assert table[["group", "cost", "other", "more"]].to_numpy().tolist() == [["ARG2", 0, 1, -1], ["ARG1", 1, 1, 0]]


def test_nothing_is_lost_in_an_empty_run():
    for by in GROUPINGS:
        assert table_of(run_of([]), "a", by).rows.empty
        assert table_of(run_of([]), "a", by, "b").rows.empty


def test_the_errors_of_a_group_have_its_lost_triples(tmp_path_factory):
    run = score_graphs(tmp_path_factory.mktemp("graphs"))
    for parser in run.parsers:
        for name, question in run.framework.questions().hotspots.items():
            table = ask(run, question, parser)
            for row in table.rows.to_dict("records"):
                errors = table.errors(row)
                assert errors["sentence"].nunique() == row["sentences"], name
                assert sum(table.costs(row, errors).values()) == pytest.approx(row["cost"])


def test_errors_cost_the_lost_triples(tmp_path_factory):
    run = score_graphs(tmp_path_factory.mktemp("graphs"))
    for parser in run.parsers:
        errors = run.query("select * from errors where parser = ?", [parser])
        triples = run.triples(parser)
        for of in ("scored", "all"):
            own = errors if of == "all" else errors[errors["scored"]]
            scope = Scope(run.n_sentences, "true")
            assert own["cost"].sum() == pytest.approx(total_lost(run, parser, scope, {"over": of}))
            roles = table_of(run, parser, "roles", over=of).rows
            confused = table_of(run, parser, "confusion", over=of).rows
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

"""What must hold of the scores of any two trees."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st

from evaltools import (
    METRICS,
    CostTable,
    InputError,
    ParameterError,
    Tree,
    align,
    align_dependencies,
    load_preset,
    read_cost_table,
)
from evaltools.frameworks.constituency.aligned_trees import WordMatch
from evaltools.frameworks.presets import preset_from_parameters
from evaltools.marks import Status
from tests.slow import mappings
from tests.slow.trees import LABELS, pairs

ANY = {"most_words": 7}


def unary(tree: Tree) -> bool:
    """Tell whether there is a node whose only child is no word."""
    return any(len(tree.children(n)) == 1 and tree.kinds[tree.children(n)[0]] != 2 for n in range(len(tree)))


def cost(counts: dict[str, float]) -> float:
    return counts["t_deleted"] + counts["t_inserted"] + counts["t_swapped"]


@given(pairs(**ANY))
def test_equal_trees_score_1(pair: tuple[Tree, Tree]):
    a = align(pair[0], pair[0])
    scores = {name: score for name, score in a.scores.items() if METRICS[name].higher_is_better and score is not None}
    assert set(scores.values()) == {1.0}
    assert {score for name, score in a.scores.items() if not METRICS[name].higher_is_better} == {0.0}
    assert set(a.e.gold_status) == set(a.t.gold_status) == {Status.RIGHT}
    assert a.t.pairs == a.e.pairs == tuple((n, n) for n in range(len(pair[0])))
    assert a.e.steps == a.t.steps == ()


@given(st.lists(pairs(**ANY) | pairs(same_words=False, bare=True, **ANY), min_size=1, max_size=4), st.data())
def test_every_figure_of_all_sentences_lies_between_0_and_1(corpus: list[tuple[Tree, Tree]], data: st.DataObject):
    blank = Tree.from_string("")
    parsed = [data.draw(st.booleans()) for _ in corpus]
    every = [align(gold, test if there else blank) for (gold, test), there in zip(corpus, parsed, strict=True)]
    for metric in (METRICS["ted"], METRICS["ted_jaccard"]):
        columns = {name: np.array([one.counts[name] for one in every]) for name in metric.columns}
        single = metric.score(columns)
        assert all(score == 0 for score, there in zip(single, parsed, strict=True) if not there)
        pooled = metric.score({name: values.sum(keepdims=True) for name, values in columns.items()})
        assert all(math.isnan(score) or 0 <= score <= 1 for score in (*single, *pooled))


def test_four_words_that_all_differ_never_score_below_0():
    gold = "(S (NP (D the) (N dog)) (VP (V barks) (R loudly)))"
    test = "(X (A w) (B x) (C (D y) (E z)))"
    assert align(gold, test).scores["ted"] == pytest.approx(1 - 11 / 21)
    bare = align("(S a b c d)", "(S e f g h)")
    assert (bare.scores["ted"], bare.scores["ted_jaccard"]) == (pytest.approx(1 - 4 / 10), pytest.approx(1 / 5))


@given(pairs(same_words=False, bare=True, empties=True, **ANY))
def test_the_words_left_out_of_t_are_the_equal_words_of_the_alignment(pair: tuple[Tree, Tree]):
    a = align(*pair)
    exact = sum(link.how is WordMatch.EXACT for link in a.links)
    words = len(pair[0].words) if a.status == "ok" else exact
    assert a.counts["t_words_gold"] == a.counts["t_words_test"] == words
    assert words == longest_common(pair[0].words, pair[1].words)


@given(pairs(same_words=False, bare=True, labels=LABELS, **ANY), st.booleans())
def test_t_costs_no_more_than_mapping_the_equal_words_alone(pair: tuple[Tree, Tree], by_evalb: bool):
    """It keeps T Dice from falling below 0."""
    a = align(*pair, load_preset("collins") if by_evalb else "none")
    if a.status == "missing":
        return
    words = longest_common(a.gold.words, a.test.words)
    assert a.counts["t_words_gold"] == a.counts["t_words_test"] == words
    assert cost(a.counts) <= len(a.gold) + len(a.test) - 2 * words


def longest_common(ours: tuple[str, ...], its: tuple[str, ...]) -> int:
    """Return how many words can be paired with equal ones in their order, by the definition."""
    if not ours or not its:
        return 0
    best = max(longest_common(ours[:-1], its), longest_common(ours, its[:-1]))
    return max(best, 1 + longest_common(ours[:-1], its[:-1])) if ours[-1] == its[-1] else best


def test_t_jaccard_is_0_where_fewer_nodes_are_matched_than_there_are_equal_words():
    # four swaps are cheaper than four deletions and four insertions: a and b are not mapped to themselves then
    a = align("(S a (P1 (P2 (P3 (P4 b)))))", "(S (Q1 (Q2 (Q3 (Q4 a)))) b)")
    assert (a.counts["t_matched"], a.counts["t_words_gold"]) == (1, 2)
    assert (a.scores["ted_jaccard"], a.scores["ted"]) == (0.0, pytest.approx(1 - 7 / 10))


def test_words_that_a_parameter_file_equates_are_equal_for_t_too():
    rules = preset_from_parameters("evalb:made-up.prm", "EQ_WORD x y\n", "made-up.prm")
    a = align("(S x x x)", "(S y y y)", rules)
    assert (a.status, cost(a.counts), a.scores["ted"], a.scores["ted_jaccard"]) == ("ok", 0, 1.0, 1.0)


@given(pairs(**ANY))
def test_the_formulas(pair: tuple[Tree, Tree]):
    a = align(*pair)
    gold, test, matched = (a.counts[f"e_{name}_roof"] for name in ("gold", "test", "matched"))
    expected = {"recall": (matched, gold), "precision": (matched, test), "f1": (2 * matched, gold + test)}
    for name, (numerator, denominator) in expected.items():
        score = a.scores[name]
        assert score == (pytest.approx(numerator / denominator) if denominator else None)
    words = len(pair[0].words)
    d, i, s, m = (a.counts[f"t_{name}"] for name in ("deleted", "inserted", "swapped", "matched"))
    nodes = len(pair[0]) + len(pair[1]) - 2 * words
    assert a.scores["ted"] == (pytest.approx(1 - (d + i + s) / nodes) if nodes else None)
    rest = d + s + i + max(m - words, 0)
    assert a.scores["ted_jaccard"] == (pytest.approx(1 - (d + i + s) / rest) if rest else None)


@given(pairs(bare=True, **ANY))
def test_without_unary_chains_t_costs_no_more_than_e(pair: tuple[Tree, Tree]):
    assume(not any(map(unary, pair)))
    a = align(*pair)
    pairs_of_e = a.e.pairs
    assert mappings.is_t_mapping(*pair, pairs_of_e)
    e_cost = len(pair[0]) + len(pair[1]) - 2 * len(pairs_of_e)
    assert cost(a.counts) <= e_cost
    if a.scores["f1_pos"] is not None:
        assert a.scores["ted"] >= a.scores["f1_pos"] - 1e-12


@given(pairs(**ANY))
def test_strict_leaf_ancestor_is_1_only_for_the_same_lineages(pair: tuple[Tree, Tree]):
    a = align(*pair)
    same = all(word.gold == word.test for word in a.words)
    assert (a.scores["la_exact"] == 1) == same
    roofs = [mappings.brackets(tree, whole=False) for tree in pair]
    if roofs[0] == roofs[1] and not any(map(unary, pair)):
        assert same


def test_a_repeated_label_over_one_word_costs():
    assert align("(S (A (A (N a))) (N b))", "(S (A (N a)) (N b))").scores["la_exact"] == pytest.approx((8 / 9 + 1) / 2)


# ------------------------------------------------------------------------------------------------------ one alignment


@given(pairs(same_words=False, **ANY))
def test_the_edit_script_names_every_change_once(pair: tuple[Tree, Tree]):
    a = align(*pair)
    for mapping in (a.e, a.t):
        by_status = {status: [step for step in mapping.steps if step.status is status] for status in Status}
        assert len(by_status[Status.RELABELED]) == mapping.number(Status.RELABELED)
        assert len(by_status[Status.MISSING]) == mapping.number(Status.MISSING)
        assert len(by_status[Status.SPURIOUS]) == mapping.number(Status.SPURIOUS)
        assert [(step.gold, step.test) for step in by_status[Status.MOVED]] == list(mapping.moves)
        assert by_status[Status.RIGHT] == []
        assert all(step.text for step in mapping.steps)


def test_the_edit_script_in_words():
    a = align("(S (VP (NP (D the) (N dog)) (V barks)))", "(S (AP (PP (A the)) (N dog)) (V barks))")
    assert {step.text for step in a.t.steps} >= {"delete VP over “the dog barks”"}
    assert sum("relabel" in step.text for step in a.t.steps) == 2
    moved = align("(A (B v (C w (D y)) (X (P p) (Q q))))", "(A (B v (C w (D y) (X (P p) (Q q)))))")
    assert moved.counts["t_deleted"] + moved.counts["t_inserted"] > 0


def test_statuses_of_a_pair():
    assert align("(S (N a))", "(S (N a))").status == "ok"
    differ = align("(S (N a))", "(S (N b))")
    assert (differ.status, differ.links) == ("words_differ", ())
    assert differ.scores["ted"] == pytest.approx(1 - 1 / 6)
    assert (differ.scores["f1"], differ.scores["la_exact"]) == (0.0, None)
    assert [(word.form, word.test) for word in differ.words] == [("a", None)]
    missing = align(Tree.from_string("(S (N a))"), Tree.from_string(""))
    assert missing.status == "missing"
    assert set(missing.scores.values()) == {None}
    assert (missing.counts["t_deleted"], missing.counts["t_inserted"]) == (3, 0)


def test_scores_without_anything_to_count_are_undefined():
    scores = align("(NN dog)", "(NN dog)").scores
    assert scores["f1"] is scores["recall"] is scores["jaccard"] is None
    assert scores["f1_pos"] == scores["ted"] == scores["la_exact"] == 1.0
    recall_only = align("(S (NN dog))", "(NN dog)").scores
    assert (recall_only["recall"], recall_only["precision"]) == (0.0, None)


def test_an_unknown_engine():
    with pytest.raises(ParameterError, match=r"'zss'.*banded.*apted"):
        align("(S a)", "(S a)", engine="zss")


def test_the_reference_engine_gives_a_mapping_of_its_own_at_the_same_cost():
    gold, test = "(S (VP (NP (D the) (N dog)) (V barks)))", "(S (AP (PP (A the)) (N dog)) (V barks))"
    banded, apted = (align(gold, test, engine=engine) for engine in ("banded", "apted"))
    assert cost(banded.counts) == cost(apted.counts)
    assert mappings.is_t_mapping(apted.gold, apted.test, apted.t.pairs)
    assert apted.e == banded.e


# ------------------------------------------------------------------------------------------ tables of costs


def test_reading_a_table_of_costs(tmp_path: Path):
    path = tmp_path / "costs.txt"
    path.write_text("# a comment\n\nNP N1 0.5\nS\tVP  1.25 # another\n", encoding="utf-8")
    table = read_cost_table(path)
    assert (table.cost("NP", "N1"), table.cost("N1", "NP"), table.cost("VP", "S")) == (0.5, 0.5, 1.25)
    assert (table.cost("NP", "VP"), table.cost("X", "X")) == (2.0, 0.0)


PATTERNS = """
NP N1 0.5
NP * 1     # all other replacements of NP
N* V* 1.5
* * graded # the default
"""


@pytest.mark.parametrize(
    ("labels", "cost"),
    [
        *((("NP", "N1"), 0.5), (("PP", "NP"), 1.0), (("NP", "VP"), 1.0), (("VP", "N1"), 1.5)),
        *((("ADJP", "ADVP"), 0.5), (("S", "PP"), 2.0)),
    ],
)
def test_patterns_and_a_default_of_a_table_of_costs(labels: tuple[str, str], cost: float, tmp_path: Path):
    (tmp_path / "costs.txt").write_text(PATTERNS, encoding="utf-8")
    table = read_cost_table(tmp_path / "costs.txt")
    assert table.cost(*labels) == table.cost(*labels[::-1]) == cost
    assert table.matrix(labels)[0, 1] == table.matrix(labels)[1, 0] == cost
    scores = align(*(f"(S ({label} (N a) (N b)) (N c))" for label in labels), la_table=table).scores
    assert scores["la_costs"] == pytest.approx((2 * (1 - cost / 6) + 1) / 3)


def test_a_table_of_graded_costs_scores_as_graded():
    texts = ("1\ta\ta\t_\t_\t_\t2\tnsubj\t_\t_\n2\tb\tb\t_\t_\t_\t0\troot\t_\t_\n\n",)
    texts += (texts[0].replace("nsubj", "nmod:poss"),)
    scores = align_dependencies(*texts, la_table=CostTable({("*", "*"): "graded"})).scores
    assert scores["la_costs"] == scores["la"] == pytest.approx((1 - 0.5 / 4 + 1) / 2)


@pytest.mark.parametrize("line", ["NP N1", "NP N1 x", "NP N1 0", "NP N1 2.5", "NP N1 -1", "NP N1 nan", "a b c 1"])
def test_wrong_lines_in_a_table_of_costs(line: str, tmp_path: Path):
    path = tmp_path / "costs.txt"
    path.write_text(f"S VP 1\n{line}\n", encoding="utf-8")
    with pytest.raises(InputError) as error:
        read_cost_table(path)
    assert error.value.problem.line == 2


def test_costs_given_both_ways_hold_as_given():
    table = CostTable({("A", "B"): 0.25, ("B", "A"): 1.5})
    there = align("(S (A (N a) (N b)) (N c))", "(S (B (N a) (N b)) (N c))", la_table=table)
    back = align("(S (B (N a) (N b)) (N c))", "(S (A (N a) (N b)) (N c))", la_table=table)
    assert there.scores["la_costs"] == pytest.approx((2 * (1 - 0.25 / 6) + 1) / 3)
    assert back.scores["la_costs"] == pytest.approx((2 * (1 - 1.5 / 6) + 1) / 3)


@given(pairs(labels=LABELS, **ANY))
def test_a_table_that_says_what_strict_says(pair: tuple[Tree, Tree]):
    scores = align(*pair, la_table=CostTable({})).scores
    assert scores["la_costs"] == scores["la_exact"]

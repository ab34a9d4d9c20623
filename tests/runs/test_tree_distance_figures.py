"""Figures of T over runs with missing parses and with words that differ."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

import evaltools
from evaltools import Run
from evaltools.analysis.explain import explain
from evaltools.runs.sums import sum_sentences
from tests.conftest import ROOT

GOLD = "(S (NP (N a)) (VP (V b) (NP (N c))))"
OTHER = "(X (Y (M w) (M x)) (M y))"
T = ("ted", "ted_jaccard")


def scored(gold: list[str], test: list[str], **options: str) -> Run:
    sides = [io.BytesIO("".join(f"{line}\n" for line in lines).encode()) for lines in (gold, test)]
    return evaltools.score(sides[0], {"p": sides[1]}, jobs=1, **options)


def test_a_missing_parse_scores_0_in_figures_over_all_sentences():
    run = scored([GOLD] * 4, [GOLD, "(())", GOLD, GOLD])
    figures = run.summary().set_index("metric").loc[list(T)]
    assert figures[["pooled", "mean"]].to_numpy().tolist() == [[1.0, 1.0]] * 2
    assert figures["mean_all"].tolist() == [0.75, 0.75]
    counts = run.counts("p").loc[1]
    assert (counts["t_words_gold"], counts["t_words_test"]) == (0, 0)
    # 10 nodes a tree, 3 of them words: of the missing one all 10 are deleted
    assert figures["pooled_all"].tolist() == pytest.approx([1 - 10 / (3 * 14 + 10), 1 - 10 / (3 * 7 + 10)])


@pytest.mark.parametrize("preset", ["standard", "none", "collins", "new"])
def test_words_that_differ_never_make_a_score_below_0(preset: str):
    run = scored([GOLD, GOLD, GOLD], [OTHER, GOLD.replace("b", "B"), "(())"], preset=preset)
    scores = run.sentences("p")[list(T)]
    assert scores.notna().sum().tolist() == [2, 2]
    assert (scores.min() >= 0).all()
    summary = run.summary().set_index("metric").loc[list(T), ["pooled", "mean", "pooled_all", "mean_all"]]
    assert ((summary >= 0) & (summary < 1)).all(axis=None)


def test_in_the_mean_over_all_sentences_a_missing_parse_is_never_better_than_any_parse():
    for parse in (OTHER, GOLD.replace("b", "B"), "(S (N c))"):
        worst, some = (scored([GOLD, GOLD], [GOLD, one]).summary().set_index("metric") for one in ("(())", parse))
        assert (worst.loc[list(T), "mean_all"] <= some.loc[list(T), "mean_all"]).all()


def test_the_numbers_of_an_explanation_hold_where_fewer_nodes_are_matched_than_words_are_equal():
    run = scored(["(S a (P1 (P2 (P3 (P4 b)))))"], ["(S (Q1 (Q2 (Q3 (Q4 a)))) b)"], preset="none")
    said = explain(sum_sentences(run, T), "p", "ted_jaccard", "pooled")
    assert (said.value, said.numbers) == (0.0, "1 − (1 + 1 + 5) / (1 + 1 + 5 + 1 − 1)")


def test_the_sample_parser_of_running_text_has_its_figures():
    folder = ROOT / "sample_data"
    run = evaltools.score(
        folder / "gold.ptb", {"p": folder / "parsers" / "shift-reduce-running-text.ptb"}, metrics=["t"]
    )
    figures = 100 * run.summary().set_index("metric").loc["ted", ["pooled", "mean", "pooled_all", "mean_all"]]
    assert figures.tolist() == pytest.approx([90.22, 91.45, 90.22, 91.45], abs=0.005)


def test_twelve_missing_parses_of_gum_count_0(shared_data: Path):
    folder = shared_data / "data" / "gum"
    run = evaltools.score(folder / "gold.ptb", {"p": folder / "const" / "pcfg-plain.ptb"}, metrics=["t"])
    figures = run.summary().set_index("metric").loc["ted"]
    assert (figures["n"], round(100 * figures["mean"], 2), round(100 * figures["mean_all"], 2)) == (1182, 85.34, 84.48)
    assert figures["mean_all"] == pytest.approx(figures["mean"] * 1182 / 1194)

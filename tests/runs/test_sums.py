"""Sums over groups are those of the sentences one by one."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, strategies as st

from evaltools.analysis import leaderboard
from evaltools.frameworks.figures import FIGURES, Sentences, figure_over, sentence_scores
from evaltools.frameworks.registry import METRICS
from evaltools.runs import sums as sums_module
from tests.analysis.made import table
from tests.analysis.summed import steps_of, sums_of
from tests.commands import call
from tests.conftest import few_examples
from tests.slow.trees import random_forest, text_of


@pytest.mark.parametrize("most", [10, 20_000])
@given(seed=st.integers(0, 10_000), names=st.sets(st.sampled_from(sorted(METRICS)), min_size=1, max_size=8))
@few_examples
@pytest.mark.slow
def test_sums_are_those_of_the_sentences(most, seed, names):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sums_module, "MAX_SINGLE", most)
        patch.setattr(sums_module, "GROUPS", 7)
        frame = table(n=40, seed=seed)
        frame.loc[::5, "t_gold"] = -1
        summed = sums_of(frame, sorted(names))
    assert summed.grouped == (most < 40)
    assert len(summed.rows) == (7 if summed.grouped else 40)
    for parser in ("a", "b"):
        part, rows = summed.of(parser), frame[frame["parser"] == parser]
        place = rows["sentence"].to_numpy() % 7 if summed.grouped else rows["sentence"].to_numpy() - 1
        for metric in map(METRICS.__getitem__, sorted(names)):
            for over in ("scored", "all"):
                every = over == "all"
                columns = Sentences(rows).counts(metric, every=every)
                scores = Sentences(rows).scores(metric, every=every)
                counts = Sentences(rows).members(metric, every=every)
                pooled, mean = (figure_over(average, over) for average in ("pooled", "mean"))

                def by_group(values, kept, place=place):
                    return [values[kept & (place == one)].sum() for one in range(len(summed.rows))]

                known = counts & ~np.isnan(scores)
                np.testing.assert_allclose(part.members(metric, pooled), by_group(np.ones(40), counts))
                np.testing.assert_allclose(part.members(metric, mean), by_group(np.ones(40), known))
                np.testing.assert_allclose(part.columns(metric, mean)[0], by_group(scores, known), atol=1e-12)
                for name, found in zip(metric.columns, part.columns(metric, pooled), strict=True):
                    np.testing.assert_allclose(found, by_group(columns[name], counts))


def test_a_parser_that_lacks_sentences_is_drawn_with_the_others():
    frame = table(n=20)
    frame = frame[(frame["parser"] == "a") | (frame["sentence"] > 5)]
    board = leaderboard(sums_of(frame, ["f1"]), ["a", "b"], ["f1"], resamples=20)
    assert board["sentences"].tolist() == [20, 15]
    assert (board["pooled_low"] <= board["pooled"]).all()


def test_intervals_from_groups_are_as_wide_as_those_from_sentences(monkeypatch):
    frame = table(n=12_000)
    metrics = ["f1", "ted", "la", "crossing"]
    single = leaderboard(sums_of(frame, metrics), ["a", "b"], metrics)
    monkeypatch.setattr(sums_module, "MAX_SINGLE", 1000)
    grouped = leaderboard(sums_of(frame, metrics), ["a", "b"], metrics)
    for figure in FIGURES:
        np.testing.assert_allclose(grouped[figure], single[figure])
        widths = [(one[f"{figure}_high"] - one[f"{figure}_low"]).to_numpy() for one in (single, grouped)]
        np.testing.assert_allclose(widths[1], widths[0], rtol=0.15)


def test_steps_count_the_sentences_with_a_score():
    frame = table(n=50)
    for metric in ("f1", "crossing"):
        scores = sentence_scores(frame, [METRICS[metric]])[metric]
        for parser, rows in steps_of(frame, metric).groupby("parser"):
            assert rows["count"].sum() == scores[frame["parser"] == parser].count()


@pytest.mark.parametrize("rows_per_block", [64, 50_000])
def test_sums_are_the_same_in_any_order_of_the_rows(rows_per_block, monkeypatch):
    monkeypatch.setattr(sums_module, "MAX_SINGLE", 10)
    monkeypatch.setattr(sums_module, "GROUPS", 3)
    monkeypatch.setattr(sums_module, "_SENTENCES_PER_BLOCK", rows_per_block)
    metrics = ["la", "la_exact", "f1", "ted"]
    frame = table(n=500, seed=3)
    figures = []
    for seed in range(3):
        sums = sums_of(frame.sample(frac=1, random_state=seed), metrics)
        parts = [*sums.shared("a", "b", METRICS["la"], "mean"), sums.of("a")]
        figures.append([part.columns(METRICS["la"], "mean")[0].tolist() for part in parts])
    assert figures[1:] == figures[:1] * 2


def test_two_parsers_are_compared_over_the_sentences_of_both():
    frame = table(n=90, seed=5)
    for metric in map(METRICS.__getitem__, ("f1", "ted", "la_exact", "exact")):
        for figure in FIGURES:
            every = figure.endswith("_all")
            sides = [Sentences(frame[frame["parser"] == name]) for name in "ab"]
            masks = [
                side.members(metric, every=every) if "pooled" in figure else ~np.isnan(side.scores(metric, every=every))
                for side in sides
            ]
            both = int((masks[0] & masks[1]).sum())
            for most in (10, 20_000):
                with pytest.MonkeyPatch.context() as patch:
                    patch.setattr(sums_module, "MAX_SINGLE", most)
                    sums = sums_of(frame, [metric.id])
                parts = sums.shared("a", "b", metric, figure)
                assert [part.n(metric, figure) for part in parts] == [both, both]


@pytest.mark.slow
def test_the_report_of_a_long_run_has_the_same_bytes_with_any_number_of_threads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("evaltools.runs.scoring._SENTENCES_PER_CHUNK", 40)
    monkeypatch.setattr(sums_module, "MAX_SINGLE", 20)
    monkeypatch.setattr(sums_module, "GROUPS", 2)
    random = Random(5)
    trees = [text_of(random_forest(random, list("abc"), bare=False, forest=False)) for _ in range(200)]
    for name in ("gold", "a", "b"):
        (tmp_path / name).write_text("".join(f"{random.choice(trees)}\n" for _ in trees), "utf-8")
    reports = set()
    for jobs in (1, 2, 5):
        options = ("--jobs", jobs, "--format", "ptb", "-o", tmp_path / f"run{jobs}")
        call("score", tmp_path / "gold", *(tmp_path / name for name in ("a", "b")), *options)
        reports.add(call("report", tmp_path / f"run{jobs}", "--format", "json", "--all").stdout)
    assert len(reports) == 1

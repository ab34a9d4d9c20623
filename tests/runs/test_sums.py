"""What DuckDB adds up is what the formulas make of the sentences one by one."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltools.analysis import leaderboard
from evaltools.frameworks.figures import FIGURES, counts_of, members, scores_of, sentence_scores
from evaltools.frameworks.formulas import Expression
from evaltools.frameworks.metric import ratio
from evaltools.frameworks.registry import METRICS
from evaltools.runs import sums as sums_module
from evaltools.runs.sums import condition, score_sql
from tests.analysis.made import table
from tests.analysis.summed import query_of, steps_of, sums_of
from tests.commands import call
from tests.conftest import few_examples
from tests.slow.trees import random_forest, text_of


@pytest.mark.slow
@few_examples
@given(seed=st.integers(0, 10_000))
def test_the_sql_of_a_formula_is_the_formula(seed):
    frame = table(seed=seed)
    frame.loc[::5, "t_gold"] = -1
    columns = ", ".join(f"{score_sql(metric)} as {name}" for name, metric in METRICS.items())
    found = query_of(frame)(f"select {columns} from sentences")
    expected = sentence_scores(frame, list(METRICS.values()))
    for metric in METRICS:
        np.testing.assert_array_equal(
            found[metric].to_numpy(dtype=float, na_value=np.nan), expected[metric], err_msg=metric
        )


@given(
    st.recursive(st.sampled_from(["a", "b", 2, 1.5]), lambda inner: st.tuples(inner, st.sampled_from("+-*/"), inner))
)
@pytest.mark.slow
def test_expressions_keep_the_order_of_operations(tree):
    def build(node, columns):
        if not isinstance(node, tuple):
            return columns[node] if isinstance(node, str) else node
        one, operator, other = node[0], node[1], node[2]
        one, other = build(one, columns), build(other, columns)
        if operator == "/":
            return ratio(one + 0 * columns["a"], other + 0 * columns["a"])
        return {"+": lambda: one + other, "-": lambda: one - other, "*": lambda: one * other}[operator]()

    numbers = {"a": np.array([1.0, 0.0, 3.0]), "b": np.array([0.5, 2.0, 0.0])}
    written = build(tree, {name: Expression(f"{name}::double") for name in numbers})
    sql = written.sql if isinstance(written, Expression) else str(written)
    found = query_of(pd.DataFrame(numbers))(f"select ({sql})::double as x from sentences")["x"].to_numpy(dtype=float)
    expected = np.broadcast_to(np.asarray(build(tree, numbers), dtype=float), 3)
    known = np.isfinite(expected)
    np.testing.assert_allclose(found[known], expected[known])


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
    assert len(summed.groups) == (7 if summed.grouped else 40)
    for parser in ("a", "b"):
        part, rows = summed.of(parser), frame[frame["parser"] == parser]
        place = rows["sentence"].to_numpy() % 7 if summed.grouped else rows["sentence"].to_numpy() - 1
        for metric in map(METRICS.__getitem__, sorted(names)):
            for over in ("scored", "all"):
                every = over == "all"
                columns, scores = counts_of(rows, metric, every=every), scores_of(rows, metric, every=every)
                counts = members(rows, metric, every=every)

                def by_group(values, kept, place=place):
                    return [values[kept & (place == one)].sum() for one in range(len(summed.groups))]

                known = counts & ~np.isnan(scores)
                np.testing.assert_allclose(part.members(metric, over), by_group(np.ones(40), counts))
                np.testing.assert_allclose(part.defined(metric, over), by_group(np.ones(40), known))
                np.testing.assert_allclose(part.score(metric, over), by_group(scores, known), atol=1e-12)
                for name in metric.columns:
                    np.testing.assert_allclose(part.count(metric, over, name), by_group(columns[name], counts))


def test_a_parser_that_lacks_sentences_is_drawn_with_the_others():
    frame = table(n=20)
    frame = frame[(frame["parser"] == "a") | (frame["sentence"] > 5)]
    board = leaderboard(sums_of(frame, ["e_dice_roof"]), ["a", "b"], ["e_dice_roof"], resamples=20)
    assert board["sentences"].tolist() == [20, 15]
    assert (board["pooled_low"] <= board["pooled"]).all()


def test_intervals_from_groups_are_as_wide_as_those_from_sentences(monkeypatch):
    frame = table(n=12_000)
    metrics = ["e_dice_roof", "t_dice", "la_partial", "e_crossing"]
    single = leaderboard(sums_of(frame, metrics), ["a", "b"], metrics)
    monkeypatch.setattr(sums_module, "MAX_SINGLE", 1000)
    grouped = leaderboard(sums_of(frame, metrics), ["a", "b"], metrics)
    for figure in FIGURES:
        np.testing.assert_allclose(grouped[figure], single[figure])
        widths = [(one[f"{figure}_high"] - one[f"{figure}_low"]).to_numpy() for one in (single, grouped)]
        np.testing.assert_allclose(widths[1], widths[0], rtol=0.15)


def test_steps_count_the_best():
    frame = table(n=50)
    for metric in ("e_dice_roof", "e_crossing"):
        scores = sentence_scores(frame, [METRICS[metric]])[metric]
        best = 1 if METRICS[metric].higher_is_better else 0
        for parser, rows in steps_of(frame, metric).groupby("parser"):
            own = scores[frame["parser"] == parser].dropna()
            assert (rows["count"].sum(), rows["best"].sum()) == (len(own), (own == best).sum())


def test_conditions_name_statuses():
    assert condition(METRICS["e_dice_roof"], "all") == "sentences > 0"
    assert condition(METRICS["e_dice_roof"], "scored") == "(status in ('ok') or words_aligned is not null)"
    assert "t_gold >= 0" in condition(METRICS["t_dice"], "scored")


def test_sums_are_the_same_in_any_order_of_the_rows():
    # as several threads add them
    metrics = ["la_partial", "la_strict", "e_dice_roof"]
    frame = table(n=1500, seed=3)
    rows = frame.assign(sentence=frame["sentence"] * 1024)  # of one group
    sums = []
    for seed in range(4):
        query = query_of(rows.sample(frac=1, random_state=seed))
        sums.append(pd.DataFrame(dict(sums_module.sum_sentences(query, metrics, sums_module.MAX_SINGLE + 1).table)))
    for other in sums[1:]:
        pd.testing.assert_frame_equal(other, sums[0], check_exact=True)


@pytest.mark.slow
def test_the_report_of_a_long_run_has_the_same_bytes_with_any_number_of_threads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("evaltools.runs.engine.scoring._SENTENCES_PER_CHUNK", 40)
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
        reports.add(call("report", tmp_path / f"run{jobs}", "--format", "json").stdout)
    assert len(reports) == 1
    assert '"mean_common"' in reports.pop()

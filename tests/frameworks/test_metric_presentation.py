"""Each metric says how it is presented; frameworks say which metrics rank, summarize and judge."""

from __future__ import annotations

import dataclasses
import re
from itertools import pairwise
from random import Random

import numpy as np
import pytest

from evaltools.analysis import significance
from evaltools.analysis.rankings import variants_of
from evaltools.frameworks.framework import Framework
from evaltools.frameworks.metric import Metric, formula, formula_with, hint
from evaltools.frameworks.registry import FRAMEWORKS, METRICS
from tests.analysis.paired import compare_two

every_metric = pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS)
every_framework = pytest.mark.parametrize("framework", FRAMEWORKS.values(), ids=FRAMEWORKS)


def numbers_of(metric: Metric) -> str:
    """Return the formula with another prime in the place of each count."""
    primes = iter((2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47))
    return formula_with(metric, {name: next(primes) for name in metric.columns})


@every_metric
def test_a_metric_has_a_title_a_help_text_and_a_chapter(metric: Metric):
    assert metric.title[0].isupper()
    assert re.fullmatch(r"[A-Z1].+[^.]\.", metric.help)
    assert metric.family.title
    assert metric.family.chapter
    assert metric.family.words_differ
    assert metric.help in hint(metric)
    assert formula(metric) in hint(metric)
    assert (metric.title in hint(metric)) == (metric.short != metric.title)
    assert "labelled" not in f"{metric.title} {metric.short} {metric.help}"


@every_metric
def test_the_head_of_a_column_is_short(metric: Metric):
    assert len(metric.short) <= 25
    if metric.place.overview:
        assert len(metric.short) <= 18


@pytest.mark.parametrize("name", ["title", "short"])
@every_framework
def test_names_are_unique_in_a_framework(framework: Framework, name: str):
    names = [
        getattr(metric, name)
        for metric in framework.metrics
        if metric.place.reports or metric.place.overview or name == "title"
    ]
    assert len(names) == len(set(names))


@every_metric
@pytest.mark.slow
def test_the_formula_with_numbers_has_the_value_of_the_score(metric: Metric):
    random, compared = Random(metric.id), 0
    for _ in range(2000):
        counts = {name: float(random.randrange(1, 40)) for name in metric.columns}
        for name in counts:
            counts[name] = counts[metric.family.count(name).repeats or name]
        score = float(metric.score({name: np.array([count]) for name, count in counts.items()})[0])
        if metric.is_share and not 0 < score < 1:  # no more can be matched than there is
            continue
        value = float(eval(formula_with(metric, counts).replace("×", "*").replace("−", "-"), {"__builtins__": {}}))
        assert value == pytest.approx(score), counts
        compared += 1
    assert compared >= 10


@every_metric
def test_the_formula_is_filled_with_numbers(metric: Metric):
    assert re.fullmatch(r"[\d\s()+−×/.]+", numbers_of(metric))


@pytest.mark.parametrize(
    ("name", "filled"),
    [
        ("recall", "2 / 3"),
        ("f1_pos", "2 × 2 / (3 + 5)"),
        ("jaccard_unlabeled", "2 / (3 + 5 − 2)"),
        ("ted", "1 − (11 + 13 + 17) / (2 + 3 − 2 × 5)"),
        ("ted_jaccard", "1 − (11 + 13 + 17) / (11 + 13 + 17 + 19 − 5)"),
        ("uas", "2 × 2 / (3 + 5)"),
        ("la", "2 / 3"),
        ("tedeval_single_labeled", "1 − 3 / (5 + 7)"),
        ("tedeval2011_unlabeled", "1 − 3 / (5 + 7)"),
        ("edm_n_precision", "2 / 3"),
        ("edm_na", "2 × 5 / (12 + 24)"),
        ("edm_exact", "2 / 5"),
    ],
)
def test_numbers_stand_where_the_formula_has_their_letters(name: str, filled: str):
    assert numbers_of(METRICS[name]) == filled


def test_words_of_jaccard_are_at_most_the_matched_nodes():
    counts = dict.fromkeys(METRICS["ted_jaccard"].columns, 1.0) | {"t_words_gold": 4.0, "t_matched": 3.0}
    assert formula_with(METRICS["ted_jaccard"], counts).endswith("+ 1 + 3 − 3)")


@every_framework
def test_neighbors_of_a_ranking_differ_in_one_choice(framework: Framework):
    variants = variants_of(framework)
    alike = sum(bool(METRICS[name].place.ranks_as) for name in framework.figures.ranking)
    assert len({variant.id for variant in variants}) == len(variants) == 2 * len(framework.figures.ranking) - alike
    assert set(framework.figures.ranking) == {metric.id for metric in framework.metrics if metric.place.mapping}
    for first, second in pairwise(variants):
        if first.mapping == second.mapping:
            assert sum(getattr(first, name) != getattr(second, name) for name in ("part", "norm", "figure")) == 1
        else:
            assert first.figure == second.figure


@every_metric
def test_metrics_that_rank_alike_by_counts_are_increasing_functions_of_one_another(metric: Metric):
    if not metric.place.ranks_as:
        return
    random, other = Random(metric.id), METRICS[metric.place.ranks_as]
    assert not other.place.ranks_as
    rows = []
    for _ in range(300):
        values = {name: float(random.randrange(1, 40)) for name in (*metric.columns, *other.columns)}
        counts = {name: np.array([value]) for name, value in values.items()}
        rows.append((float(other.score(counts)[0]), float(metric.score(counts)[0])))
    # counts of random numbers may match more than there is; a score above 1 is none
    rows = sorted((a, b) for a, b in rows if 0 <= a <= 1 and 0 <= b <= 1)
    assert len(rows) > 50
    assert all(first[1] <= second[1] + 1e-12 for first, second in pairwise(rows))


@every_framework
def test_a_framework_has_headlines_and_ranks_its_main_metrics(framework: Framework):
    headlines = [metric.id for metric in framework.metrics if metric.place.overview]
    assert {framework.figures.main, framework.figures.second} <= set(headlines)
    assert {framework.figures.main, framework.figures.second} <= set(framework.figures.ranking)


@every_metric
def test_a_variant_is_of_the_same_family(metric: Metric):
    if metric.place.variant_of:
        original = METRICS[metric.place.variant_of]
        assert (original.family, original.place.part, original.place.variant_of) == (
            metric.family,
            metric.place.part,
            "",
        )


def test_only_scores_by_edits_count_sentences_whose_words_differ_as_they_are():
    assert {metric.family.id for metric in METRICS.values() if metric.family.words != "aligned"} == {
        *("t", "r", "tedeval2011")
    }


@pytest.mark.parametrize("metric", [metric for metric in METRICS.values() if metric.is_share], ids=lambda item: item.id)
def test_hints_name_the_unit(metric: Metric):
    assert " in %." in hint(metric)


@pytest.mark.parametrize(
    ("metric", "value", "figure", "score"),
    [
        ("las", 0.12346, "12.35", "12.35"),
        ("las", -0.5, "−50.00", "−50.00"),
        ("las", None, "–", "–"),
        ("las", float("nan"), "–", "–"),
        ("errors", 3.4003, "3.40", "3.40"),
        ("errors", 3.0, "3.00", "3"),
        ("crossing", 1.5, "1.50", "1.50"),
        ("crossing", None, "–", "–"),
        ("errors_per_100_words", 14.0, "14.00", "14"),
    ],
)
def test_how_figures_and_scores_are_written(metric, value, figure, score):
    assert (METRICS[metric].text(value), METRICS[metric].text(value, whole=True)) == (figure, score)


@pytest.mark.parametrize(("higher_is_better", "ahead"), [(True, "a"), (False, "b")])
def test_the_better_direction_decides_who_is_ahead(higher_is_better: bool, ahead: str, monkeypatch: pytest.MonkeyPatch):
    metric = dataclasses.replace(METRICS["tagging"], higher_is_better=higher_is_better)
    monkeypatch.setattr(significance, "METRICS", {metric.id: metric})
    right = np.tile([5.0, 4.0, 6.0], 5)
    sides = [{"e_tags_correct": right - wrong, "e_tags": right} for wrong in (0, 2)]
    assert compare_two(metric, *sides, names=("a", "b")).ahead == ahead

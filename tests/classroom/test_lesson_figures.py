"""Figures of lessons that do not belong to a step: the program computes each of them anew."""

from __future__ import annotations

from itertools import product

import pytest

from evaltools.analysis.comparison import compare_in_run
from evaltools.analysis.standing import standings
from evaltools.classroom.material import reference_figures
from evaltools.frameworks.constituency.views import marks_agree
from evaltools.runs.sample import sample_run
from evaltools.runs.store import Run
from evaltools.runs.sums import sum_sentences
from evaltools.text import p_value


@pytest.fixture(scope="module")
def sample() -> Run:
    return sample_run()


def group(name: str) -> dict[str, str]:
    return {key.partition(".")[2]: value for key, value in reference_figures().items() if key.startswith(f"{name}.")}


def test_two_sentences():
    sentences = [(2, 2, 2), (10, 20, 20)]
    matched, gold, test = (sum(column) for column in zip(*sentences, strict=True))
    mean = sum(2 * m / (g + t) for m, g, t in sentences) / 2
    assert group("two_sentences") == {"pooled": f"{200 * matched / (gold + test):.2f} %", "mean": f"{100 * mean:.2f} %"}


def extreme(numbers: list[int]) -> int:
    """Count the ways of signs whose sum is at least as far from 0."""
    sums = (
        sum(sign * number for sign, number in zip(signs, numbers, strict=True))
        for signs in product((1, -1), repeat=len(numbers))
    )
    return sum(abs(value) >= abs(sum(numbers)) for value in sums)


def test_coins():
    six = extreme([3, 1, 2, 1, -1, 2])
    assert group("coins") == {
        "extreme": str(six),
        "p": f"{six / 64:.3f}",
        "p_five": f"{extreme([2, 1, 1, 3, 1]) / 32:.4f}",
    }


@pytest.mark.slow
def test_how_often_both_mappings_mark_the_same_nodes_of_the_sample(sample: Run):
    parser = group("sample")["parser"]
    imperfect = same = equal_scores = 0
    for number in range(1, sample.n_sentences + 1):
        aligned = sample.alignment(number, parser)
        counts = aligned.counts
        perfect = counts["e_matched_whole"] == counts["e_gold_whole"] == counts["e_test_whole"]
        if counts["t_gold"] < 0 or not len(aligned.test) or perfect:
            continue
        imperfect += 1
        same += marks_agree(aligned)
        equal_scores += aligned.scores["f1"] == aligned.scores["ted"]
    assert group("sample") == {
        "sentences": str(sample.n_sentences),
        "parser": parser,
        "imperfect": str(imperfect),
        "same": str(same),
        "same_share": f"{same / imperfect:.0%}".replace("%", " %"),
        "equal_scores": str(equal_scores),
    }


def test_the_difference_of_two_parsers_of_the_sample(sample: Run):
    figures = group("difference")
    pair = figures["a"], figures["b"]
    f1, t = (compare_in_run(sample, metric, *pair, over="scored").comparison for metric in ("f1", "ted"))
    sums = sum_sentences(sample, sample.metrics)
    in_overview = standings(sums, sample.parsers, ["f1"])["f1"]
    assert figures == {
        "a": pair[0],
        "b": pair[1],
        "sentences": str(f1.n_sentences),
        "f1_a": f"{100 * f1.value:.2f} %",
        "f1_b": f"{100 * f1.value_b:.2f} %",
        "p": f"{f1.p:.3f}",
        "p_t": f"{t.p:.3f}",
        "low": f"{100 * f1.low:.2f}".replace("-", "−"),
        "high": f"{100 * f1.high:.2f}",
        "iterations": f"{f1.iterations:,}",
        "p_adjusted": p_value(in_overview.pair(*pair).p_adjusted),
        "in_all": str(in_overview.pair(*pair).n_sentences),
        "pairs": str(len(in_overview.comparisons)),
    }

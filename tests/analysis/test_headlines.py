"""Headlines name the first row of the table as it is sorted, with value and unit."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from evaltools.analysis.headlines import RankPair, Sorting, disagreement_headline, worst_parses_headline
from evaltools.frameworks.registry import FRAMEWORKS, METRICS
from evaltools.text import ordinal

NAN = float("nan")
COUNTED = [framework for framework in FRAMEWORKS.values() if framework.figures.errors is not None]
FRAMEWORK = next(framework for framework in COUNTED if framework.id == "constituency")
F1, T = METRICS["f1"], METRICS["ted"]
SORTING = Sorting("errors", "mine", 5, F1, T, FRAMEWORK.figures.errors)
TABLE = pd.DataFrame(
    {
        "sentence": [4, 2, 5, 1, 3],
        "words": [10, 1, 4, 8, 2],
        "errors": [7.0, 1.0, 3.0, 0.0, NAN],
        "largest": [5.0, 1.0, 3.0, 0.0, 0.0],
        "score": [0.5, 0.25, 0.75, 1.0, NAN],
        "score_b": [0.9, 0.25, 0.5, 1.0, NAN],
        "rank_a": [2.0, 1.0, 3.0, 4.0, NAN],
        "rank_b": [3.0, 1.0, 2.0, 4.0, NAN],
    }
)
KEYS = {
    "instructive": lambda rows: -rows["largest"],
    "errors": lambda rows: -rows["errors"],
    "per_word": lambda rows: -rows["errors"] / rows["words"],
    "worst": lambda rows: rows["score"],
    "best": lambda rows: -rows["score"],
    "either": lambda rows: -(rows["rank_a"] - rows["rank_b"]).abs(),
    "first": lambda rows: rows["rank_a"] - rows["rank_b"],
    "second": lambda rows: rows["rank_b"] - rows["rank_a"],
}


def in_order(order: str, rows: pd.DataFrame) -> pd.DataFrame:
    return rows.iloc[KEYS[order](rows).argsort(kind="stable")]


def named(headline: str) -> int:
    return int(re.findall(r"[Ss]entence (\d+)", headline)[0])


@pytest.mark.parametrize("order", KEYS)
def test_the_first_row_is_named(order: str):
    generator = np.random.default_rng(7)
    for _ in range(30):
        rows = TABLE.sample(frac=1, random_state=int(generator.integers(1 << 30)))
        table = in_order(order, rows)
        headline = worst_parses_headline(table, replace(SORTING, order=order))
        assert named(headline) == table["sentence"].iloc[0]


@pytest.mark.parametrize(
    ("order", "headline"),
    [
        (
            "errors",
            "Sentence 4 has the most wrong brackets, 7 in 10 words; mine has 11 wrong brackets in 3 of 4 scored "
            "sentences.",
        ),
        (
            "per_word",
            "Sentence 2 has the most wrong brackets per word, 1.00 (1 in 1 word); mine has 11 wrong brackets in 3 "
            "of 4 scored sentences.",
        ),
        (
            "worst",
            "Sentence 2 (1 word) has the lowest Bracketing F1 of mine, 25.00; a quarter of its 4 scored sentences have "
            "43.75 or less, 1 is perfect.",
        ),
        (
            "best",
            "Sentence 1 (8 words) has the highest Bracketing F1 of mine, 100.00; a quarter of its 4 scored sentences "
            "have 43.75 or less, 1 is perfect.",
        ),
        (
            "either",
            "Sentence 4 of mine is 2nd worst by Bracketing F1 (50.00) and 3rd worst by Tree-edit similarity (Dice) "
            "(90.00): 1 rank apart among 4.",
        ),
    ],
)
def test_value_and_unit_are_named(order: str, headline: str):
    assert worst_parses_headline(in_order(order, TABLE), replace(SORTING, order=order)) == headline


def test_in_the_order_of_the_file_no_sentence_is_named():
    headline = worst_parses_headline(TABLE.sort_values("sentence"), replace(SORTING, order="file"))
    assert headline == "mine has 11 wrong brackets in 3 of 4 scored sentences; they are in the order of the file."
    uncounted = worst_parses_headline(TABLE.sort_values("sentence"), replace(SORTING, order="file", count=None))
    assert uncounted.startswith("By Bracketing F1, mine: a quarter of its 4 scored sentences have 43.75 or less")


def test_a_filtered_list_says_so():
    headline = worst_parses_headline(TABLE.head(2), SORTING)
    assert headline.endswith("; mine has 8 wrong brackets in 2 of the 2 sentences listed.")


def test_ranks_are_among_all_sentences_also_where_few_are_listed():
    by_ranks = replace(SORTING, order="either")
    headline = worst_parses_headline(in_order("either", TABLE).head(2), by_ranks, ranked=4)
    assert headline.endswith("1 rank apart among 4; 2 of them are listed.")
    assert worst_parses_headline(in_order("either", TABLE), by_ranks, ranked=4).endswith("1 rank apart among 4.")
    unranked = worst_parses_headline(TABLE.head(2).assign(rank_a=NAN), by_ranks, ranked=4)
    assert unranked.startswith("No sentence of mine has a rank by both")


def test_the_share_of_the_worst_sentences_is_named_of_a_long_list():
    errors = np.repeat([9.0, 1.0], [50, 150])
    table = pd.DataFrame({"sentence": range(1, 201), "words": 3, "errors": errors, "score": 0.5})
    headline = worst_parses_headline(table, replace(SORTING, total=200))
    assert headline.endswith("mine has 600 wrong brackets in 200 of 200 sentences, 75 % of them in the 50 worst.")


def test_a_value_that_says_nothing_names_no_sentence():
    perfect = TABLE.assign(errors=0.0, score=1.0)
    assert worst_parses_headline(perfect, SORTING) == "mine has no wrong bracket in 5 sentences."
    alone = worst_parses_headline(perfect[:1], replace(SORTING, total=1))
    assert alone == "mine has no wrong bracket in 1 sentence."
    alone = worst_parses_headline(perfect[:1], replace(SORTING, order="worst", total=1))
    assert alone == "By Bracketing F1, mine has no error in 1 scored sentence."
    worst = worst_parses_headline(perfect, replace(SORTING, order="worst"))
    assert worst == "By Bracketing F1, mine has no error in 5 scored sentences."
    nothing = TABLE.assign(errors=NAN, score=NAN, rank_a=NAN, unparsed=False)
    headline = worst_parses_headline(nothing, SORTING)
    assert headline == "None of the 5 sentences of the run has a number of wrong brackets for mine."
    headline = worst_parses_headline(nothing, replace(SORTING, order="worst"))
    assert headline == "None of the 5 sentences of the run has a score by Bracketing F1 for mine."
    assert worst_parses_headline(nothing, replace(SORTING, order="either")).startswith("No sentence of mine has a rank")


def test_ties_and_metrics_that_count_errors_are_named():
    crossing = replace(SORTING, order="worst", metric=METRICS["crossing"])
    headline = worst_parses_headline(TABLE.assign(score=[3.0, 3.0, 1.0, 0.0, NAN]), crossing)
    expected = "Sentence 4 (10 words) has the highest Crossing brackets of mine, 3, shared by 2 sentences; 1 of its 4"
    assert headline.startswith(expected)


def test_the_first_row_of_two_rankings_is_named():
    pair = RankPair((F1.title, T.title), (F1, T), worst_first=False)
    table = pd.DataFrame(
        {"sentence": [12, 3], "a": [0.25, 0.5], "b": [0.9, 0.5], "rank_a": [149.0, 2.5], "rank_b": [1188.0, 2.0]}
    )
    assert disagreement_headline(table, pair, "mine") == (
        "Sentence 12 of mine is 149th by Bracketing F1 (25.00) and 1,188th by Tree-edit similarity (Dice) (90.00): "
        "1,039 ranks apart among 2."
    )
    assert "is rank 2.5 by Bracketing F1 (50.00) and 2nd by" in disagreement_headline(table.tail(1), pair)
    same = table.assign(rank_b=table["rank_a"])
    assert disagreement_headline(same, pair, "mine").endswith("rank sentence 12 of mine, the first of the list, alike.")


def test_ordinal_numbers():
    assert [ordinal(number) for number in (1, 2, 3, 4, 11, 12, 13, 21, 111, 1022)] == [
        *("1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "111th", "1,022nd")
    ]


@pytest.mark.parametrize("framework", COUNTED, ids=lambda framework: framework.id)
def test_a_framework_counts_errors_in_words(framework):
    count = framework.figures.errors
    assert count.noun(1) == count.singular != count.plural == count.noun(2)
    assert count.metric.title.lower() == count.plural
    assert not count.metric.higher_is_better
    assert count.metric.id not in METRICS


@pytest.mark.parametrize("order", ["errors", "per_word", "worst", "file"])
def test_a_parser_without_a_parse_is_said_to_have_none(order: str):
    unparsed = TABLE.assign(errors=NAN, score=NAN, unparsed=True)
    by = replace(SORTING, order=order)
    assert worst_parses_headline(unparsed, by) == "mine has no parse of any sentence of the run."
    listed = worst_parses_headline(unparsed.head(2), by)
    assert listed == "mine has no parse of any sentence listed."
    some = worst_parses_headline(unparsed.assign(unparsed=[True, False, False, False, False]), by)
    assert some.endswith("for mine: 1 has no parse.")

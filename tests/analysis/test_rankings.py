"""Rankings of parsers: Emms's tables, and the words for them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

from evaltools.analysis import (
    Variant,
    crossings,
    describe_crossing,
    figures_by_variant,
    rank_parsers,
    verdict,
)
from evaltools.analysis.rankings import pair_orders
from evaltools.frameworks.registry import FRAMEWORKS, METRICS

PARSERS = ("Collins 1", "Collins 2", "Collins 3", "Petrov 5", "Charniak", "Petrov 6")
GOLD = 44276
TABLE_3 = {
    # deleted, inserted, test; E Dice and E Jaccard as printed
    "Collins 1": (5558, 5408, 44126, 87.59, 77.93),
    "Collins 2": (5292, 5188, 44172, 88.15, 78.81),
    "Collins 3": (5294, 5188, 44170, 88.15, 78.81),
    "Petrov 5": (4860, 4525, 43941, 89.36, 80.77),
    "Charniak": (4624, 4460, 44112, 89.72, 81.36),
    "Petrov 6": (4541, 4409, 44144, 89.87, 81.62),
}
TABLE_4 = {
    # E Dice, E Jaccard, T Dice, T Jaccard, whole trees
    "Collins 1": (92.39, 85.86, 93.62, 87.87),
    "Collins 2": (92.73, 86.45, 93.91, 88.41),
    "Collins 3": (92.71, 86.42, 93.91, 88.41),
    "Petrov 5": (93.37, 87.58, 94.50, 89.47),
    "Charniak": (93.30, 87.44, 94.55, 89.54),
    "Petrov 6": (93.61, 87.99, 94.72, 89.87),
}
POOLED = {
    f"{name}:pooled": Variant(name, "pooled", place.mapping, "with tags" if place.part == "whole" else "", place.norm)
    for name in FRAMEWORKS["constituency"].figures.ranking
    if (place := METRICS[name].place).mapping != "Leaf-ancestor"
}
"""The variants of his tables, also those that must rank alike."""


def emms() -> tuple[pd.DataFrame, tuple[Variant, ...]]:
    """Return the figures of Emms's Tables 3 and 4; the roof ones computed from his counts."""
    rows = {}
    for parser, (deleted, inserted, test, _, _) in TABLE_3.items():
        counts = {
            "e_matched_roof": np.array([GOLD - deleted]),
            "e_gold_roof": np.array([GOLD]),
            "e_test_roof": np.array([GOLD - deleted + inserted]),
        }
        assert counts["e_test_roof"][0] == test
        whole = dict(zip(("f1_pos", "jaccard_pos", "ted", "ted_jaccard"), TABLE_4[parser], strict=True))
        rows[parser] = {
            name: METRICS[one.metric].score(counts)[0] if one.group == "Bracketing" else whole[one.metric] / 100
            for name, one in POOLED.items()
        }
    return pd.DataFrame.from_dict(rows, orient="index"), tuple(POOLED.values())


@pytest.mark.parametrize("parser", PARSERS)
def test_table_3_comes_out_of_its_counts(parser):
    """Two of his E Dice figures, 87.5953 and 89.8779, are printed one lower in the last digit."""
    figures, _ = emms()
    found = [100 * figures.loc[parser, f"{metric}:pooled"] for metric in ("f1", "jaccard")]
    printed = TABLE_3[parser][3:]
    assert found[0] == pytest.approx(printed[0], abs=0.008)
    assert round(found[1], 2) == printed[1]


def test_charniak_and_petrov_5_change_places_and_no_others_do():
    figures, variants = emms()
    changing = [pair for pair in pair_orders(figures) if pair.changes]
    assert [(pair.parser_a, pair.parser_b) for pair in changing] == [("Charniak", "Petrov 5")]
    assert [variants[at].group for at in changing[0].b_ahead] == ["Bracketing with tags", "Bracketing with tags"]
    texts = [describe_crossing(crossing, variants) for crossing in crossings(figures)]
    assert texts == [
        "Jaccard, micro: Bracketing ranks Petrov 5 below Charniak, Bracketing with tags above",
        "Dice, micro: Bracketing with tags ranks Charniak below Petrov 5, Tree edit above",
    ]


def test_the_verdict_on_emms():
    assert verdict(*emms()) == (
        "Petrov 6 has the highest figure on all 6 variants; Charniak and Petrov 5 swap ranks: Petrov 5 ranks higher "
        "only on Bracketing Jaccard incl. POS tags, micro and Bracketing F1 incl. POS tags, micro."
    )


def frame_of(rows: dict[str, list[float]], n: int | None = None) -> tuple[pd.DataFrame, tuple[Variant, ...]]:
    variants = tuple(POOLED.values())[: n or len(next(iter(rows.values())))]
    return pd.DataFrame.from_dict(rows, orient="index", columns=[variant.id for variant in variants]), variants


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ({"a": [0.9, 0.9], "b": [0.8, 0.7]}, "a has the highest figure on all 2 variants."),
        ({"a": [0.9], "b": [0.8]}, "a has the highest figure on the only variant, Bracketing F1, micro."),
        (
            {"a": [0.9, 0.5], "b": [0.8, 0.7]},
            "a has the highest figure on 1 of 2 variants, b on 1.",
        ),
        ({"a": [0.9, 0.9], "b": [0.9, 0.9]}, "Both parsers are equal on all 2 variants."),
        ({"a": [0.9], "b": [0.9], "c": [0.9]}, "All 3 parsers are equal on the only variant, Bracketing F1, micro."),
        (
            {"a": [0.9, 0.9], "b": [0.9, 0.9], "c": [0.1, 0.2]},
            "a and b share the highest figure on all 2 variants; no two parsers swap ranks.",
        ),
        (
            {"a": [0.9, 0.9], "b": [0.8, 0.8], "c": [0.1, 0.2]},
            "a has the highest figure on all 2 variants; no two parsers swap ranks.",
        ),
        (
            {"a": [0.9, 0.9], "b": [0.8, 0.8], "c": [0.1, 0.85]},
            "a has the highest figure on all 2 variants; b and c swap ranks: b ranks higher on 1 of 2 variants, "
            "c on 1.",
        ),
        (
            {"a": [0.9, 0.9], "b": [0.9, 0.8]},
            "a has the highest figure on all 2 variants, b on 1; 1 of these is shared.",
        ),
        ({"a": [0.9, 0.9], "b": [np.nan, np.nan]}, "a scores 90.00 % on Bracketing F1, micro."),
        ({"a": [np.nan]}, "No parser has a score on any variant of the metrics."),
    ],
)
def test_verdicts(rows, said):
    assert verdict(*frame_of(rows)) == said


def test_the_verdict_on_no_parsers():
    assert verdict(pd.DataFrame(), ()).startswith("No parser")


def test_many_pairs_that_change_places_are_counted():
    rows = {"a": [0.9, 0.1], "b": [0.8, 0.2], "c": [0.7, 0.3], "d": [0.6, 0.4]}
    assert "; 6 pairs of parsers swap ranks, most evenly " in verdict(*frame_of(rows))


def test_a_parser_without_a_figure_has_no_rank():
    figures, _ = frame_of({"a": [0.9], "b": [np.nan], "c": [0.5]})
    assert rank_parsers(figures).iloc[:, 0].tolist()[::2] == [1, 2]
    assert np.isnan(rank_parsers(figures).iloc[1, 0])


def test_ahead_tied_behind_is_one_change_of_places():
    figures, variants = frame_of({"a": [0.9, 0.5, 0.1], "b": [0.8, 0.5, 0.2]})
    (crossing,) = crossings(figures)
    assert (crossing.up, crossing.down, crossing.before, crossing.after) == ("b", "a", 0, 2)
    assert crossings(figures.iloc[:, :2]) == []
    assert "ranks b below a" in describe_crossing(crossing, variants)


scores = st.integers(0, 4).map(lambda value: value / 4) | st.just(float("nan"))


@given(st.integers(1, 5).flatmap(lambda n: st.lists(st.lists(scores, min_size=6, max_size=6), min_size=n, max_size=n)))
def test_ranks_and_crossings_agree_with_their_slow_twins(rows):
    figures, variants = frame_of({f"p{at}": row for at, row in enumerate(rows)})
    ranks = rank_parsers(figures)
    for column in figures:
        for parser, value in figures[column].items():
            better = sum(other > value for other in figures[column])
            assert (np.isnan(value) and np.isnan(ranks.loc[parser, column])) or ranks.loc[parser, column] == 1 + better
    changes = 0
    for a in range(len(rows)):
        for b in range(a + 1, len(rows)):
            signs = [x > y for x, y in zip(rows[a], rows[b], strict=True) if x > y or x < y]
            changes += sum(one != other for one, other in pairwise(signs))
    assert len(crossings(figures)) == changes
    assert all(describe_crossing(crossing, variants) for crossing in crossings(figures))
    said = verdict(figures, variants)
    assert said.endswith(".")
    assert "  " not in said


def test_figures_of_a_run_without_all_metrics():
    summary = pd.DataFrame(
        {
            "parser": ["a", "b"],
            "metric": "ted",
            "pooled": [0.5, 0.6],
            "mean": [0.5, 0.7],
            "pooled_all": 0.1,
            "mean_all": 0.2,
        }
    )
    figures, variants = figures_by_variant(summary)
    titles = [f"Tree-edit similarity (Dice), {average}" for average in ("micro", "macro")]
    assert [variant.title for variant in variants] == titles
    assert figures.loc["b"].tolist() == [0.6, 0.7]
    assert figures_by_variant(summary, every=True)[0].loc["b"].tolist() == [0.1, 0.2]

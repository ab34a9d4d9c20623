"""What must hold of the figures of any corpus, whatever its notation and metric: generated, bundled and real ones."""

from __future__ import annotations

import functools
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import evaltools
from evaltools import METRICS
from evaltools.corpus import Dependencies, Treebank
from evaltools.formats import FORMATS
from evaltools.frameworks.figures import needed_columns
from evaltools.frameworks.registry import framework_reading
from tests.laws.corpora import (
    Corpus,
    bundled,
    generated_amrs,
    generated_dependencies,
    generated_discontinuous,
    generated_trees,
    real,
)

NEAR = 1e-9

GENERATED = [
    pytest.param(make(seed, 1 + 2 * seed), id=f"{make.__name__}-{seed}")
    for make in (generated_trees, generated_discontinuous, generated_dependencies, generated_amrs)
    for seed in range(4)
]

BUNDLED = [pytest.param(corpus, id=corpus.name) for corpus in bundled()]


@pytest.fixture(scope="session")
def real_corpora(shared_data: Path) -> list[Corpus]:
    return real(shared_data)


@functools.lru_cache(maxsize=4)
def run_of(corpus: Corpus, **options: object) -> evaltools.Run:
    return corpus.score(**options)


def summary_of(corpus: Corpus, **options: object) -> pd.DataFrame:
    return run_of(corpus, **options).summary().set_index("metric")


# ------------------------------------------------------------------------------------------------------------ the laws


def a_file_against_itself_scores_1(corpus: Corpus, **options: object) -> None:
    """Every metric that is defined is 1, or 0 where it counts errors, pooled, in the mean, and over all sentences."""
    summary = corpus.against_itself(**options).summary()
    defined = summary[summary["n"] > 0]
    assert len(defined)
    for row in defined.itertuples():
        best = 1.0 if METRICS[row.metric].higher_is_better else 0.0
        figures = (row.pooled, row.mean, row.pooled_all, row.mean_all)
        assert figures == pytest.approx((best,) * 4), (corpus.name, row.metric)


def matched_never_exceeds_either_side(corpus: Corpus, **options: object) -> None:
    """No count of what is matched exceeds the count of gold or of test, and no share lies outside 0 to 1."""
    run = run_of(corpus, **options)
    counts = run.counts()
    compared = 0
    for matched in [name for name in counts if "_matched" in name and name.startswith(("e_", "edm_", "smatch_"))]:
        for side in ("gold", "test"):
            total = matched.replace("matched", side).removesuffix("_unlabeled")
            assert not (counts[matched] > counts[total] + NEAR).any(), (corpus.name, matched)  # NaN where undefined
            compared += 1
    bounds = {
        "t_matched": ("t_gold", "t_test"),
        "uas_right": ("dep_gold", "dep_test"),
        "las_right": ("uas_right",),
        "label_right": ("dep_gold", "dep_test"),
        "la_exact_sum": ("la_words", "la_sum"),
        "la_sum": ("la_words",),
    }
    for matched, sides in bounds.items():
        for side in sides if matched in counts else ():
            assert (counts[matched] <= counts[side] + NEAR).all(), (corpus.name, matched, side)
            compared += 1
    sentences = run.sentences()
    for metric in run.metrics:
        if METRICS[metric].is_share:
            scores = sentences[metric].dropna()
            assert scores.between(-NEAR, 1 + NEAR).all(), (corpus.name, metric, scores.min(), scores.max())
            compared += len(scores)
    assert compared


def swapping_gold_and_test_swaps_recall_and_precision(corpus: Corpus, **options: object) -> None:
    """Recall becomes precision and the other way round; symmetrical scores stay as they are."""
    run, other_run = run_of(corpus, **options), run_of(corpus.swapped(), **options)
    there, back = (one.summary().set_index("metric") for one in (run, other_run))
    words_differ = (run.sentences("p")["status"] == "words_differ").any()
    for metric in there.index:
        other = metric.replace("recall", "precision") if "recall" in metric else metric.replace("precision", "recall")
        # crossing brackets are the parse's, tags the gold tree's; a repair is the result of a greedy search; LA is over
        # gold words where words differ
        symmetrical = not (metric in ("crossing", "tagging", "la_costs") or METRICS[metric].family.id == "r") and not (
            words_differ and METRICS[metric].family.id == "la"
        )
        if symmetrical and other in back.index:
            for figure in ("pooled", "mean"):
                expected = pytest.approx(back.loc[other, figure], nan_ok=True)
                assert there.loc[metric, figure] == expected, (corpus.name, metric, figure)


def an_equal_sentence_never_lowers_a_pooled_score(corpus: Corpus, extra: str, **options: object) -> None:
    """Add a sentence that gold and test share: no pooled share falls, over scored sentences or over all."""
    longer = replace(corpus, gold=(*corpus.gold, extra), test=(*corpus.test, extra))
    before, after = (summary_of(one, **options) for one in (corpus, longer))
    for metric in before.index:
        if not METRICS[metric].is_share:
            continue
        for figure in ("pooled", "pooled_all"):
            was, now = before.loc[metric, figure], after.loc[metric, figure]
            assert math.isnan(was) or now >= was - NEAR, (corpus.name, metric, figure, was, now)


def no_parse_is_never_better_than_a_parse(corpus: Corpus, index: int, **options: object) -> None:
    """One parse is taken away; no mean over all sentences rises (or falls, of a count of errors)."""
    fewer = corpus.with_test([None if i == index else text for i, text in enumerate(corpus.test)])
    with_parse, without = (summary_of(one, **options) for one in (corpus, fewer))
    for metric in with_parse.index:
        item = METRICS[metric]
        if (not item.higher_is_better and needed_columns(item) == list(item.columns)) or item.place.if_defined:
            continue  # what only the parse has, such as crossing or discontinuous brackets, is not there without one
        was, now = with_parse.loc[metric, "mean_all"], without.loc[metric, "mean_all"]
        gain = now - was if METRICS[metric].higher_is_better else was - now
        assert math.isnan(was) or gain <= NEAR, (corpus.name, index, metric, was, now)


def every_sentence_is_accounted_for(corpus: Corpus, **options: object) -> None:
    """Add up a figure's n, its undefined and its unscored sentences: they are all sentences."""
    run = run_of(corpus, **options)
    sentences, summary = run.sentences("p"), run.summary().set_index("metric")
    assert len(sentences) == run.n_sentences == len(corpus)
    for metric in run.metrics:
        n = int(summary.loc[metric, "n"])
        assert n == int(sentences[metric].notna().sum()), (corpus.name, metric)
        scored = sentences["status"].isin(["ok", "words_differ"] if METRICS[metric].family.words == "any" else ["ok"])
        scored |= sentences["words_aligned"].notna()
        undefined = int((scored & sentences[metric].isna()).sum())
        unscored = int((~scored).sum())
        assert n + undefined + unscored == run.n_sentences, (corpus.name, metric, n, undefined, unscored)


ALL = (
    a_file_against_itself_scores_1,
    matched_never_exceeds_either_side,
    every_sentence_is_accounted_for,
)


@pytest.mark.parametrize("law", ALL, ids=lambda law: law.__name__)
@pytest.mark.parametrize("corpus", BUNDLED)
def test_laws_of_bundled_files(corpus: Corpus, law):
    law(corpus)


@pytest.mark.slow
@pytest.mark.parametrize("law", ALL, ids=lambda law: law.__name__)
def test_laws_of_real_files(real_corpora: list[Corpus], law):
    for corpus in real_corpora:
        law(corpus)


@pytest.mark.parametrize("corpus", GENERATED)
def test_laws_of_generated_files(corpus: Corpus):
    for law in ALL:
        law(corpus)


@pytest.mark.parametrize("corpus", GENERATED)
@pytest.mark.slow
def test_swapping_gold_and_test_of_generated_files(corpus: Corpus):
    options = {} if corpus.kind == "semantics" else {"preset": "none"}
    swapping_gold_and_test_swaps_recall_and_precision(corpus, **options)


@pytest.mark.parametrize(
    "corpus", [one for one in BUNDLED if one.values[0].kind in ("constituency", "dependency", "semantics")]
)
@pytest.mark.slow
def test_swapping_gold_and_test_of_bundled_files(corpus: Corpus):
    options = {} if corpus.kind == "semantics" else {"preset": "none"}
    swapping_gold_and_test_swaps_recall_and_precision(corpus, **options)


@pytest.mark.parametrize("corpus", BUNDLED)
@pytest.mark.slow
def test_an_equal_sentence_never_lowers_a_pooled_score_of_bundled_files(corpus: Corpus):
    parts = replace(corpus, gold=corpus.gold[:-1], test=corpus.test[:-1])
    an_equal_sentence_never_lowers_a_pooled_score(parts, corpus.gold[-1])


@pytest.mark.parametrize("corpus", GENERATED)
@pytest.mark.slow
def test_an_equal_sentence_never_lowers_a_pooled_score_of_generated_files(corpus: Corpus):
    shorter = Corpus(
        corpus.name, corpus.kind, corpus.format, corpus.gold[:-1] or corpus.gold, corpus.test[:-1] or corpus.test
    )
    if len(corpus) > 1:
        an_equal_sentence_never_lowers_a_pooled_score(shorter, corpus.gold[-1])


@pytest.mark.parametrize("corpus", BUNDLED)
@pytest.mark.slow
def test_no_parse_is_never_better_than_a_parse_of_bundled_files(corpus: Corpus):
    for index in np.linspace(0, len(corpus) - 1, 6).astype(int).tolist():
        no_parse_is_never_better_than_a_parse(corpus, index)


@pytest.mark.parametrize("corpus", GENERATED)
@pytest.mark.slow
def test_no_parse_is_never_better_than_a_parse_of_generated_files(corpus: Corpus):
    for index in range(len(corpus)):
        no_parse_is_never_better_than_a_parse(corpus, index)


# ------------------------------------------------------------------------------------------------------- every notation


@pytest.mark.parametrize("name", [name for name, module in FORMATS.items() if module.holds in (Treebank, Dependencies)])
def test_every_format_scores_1_against_itself(name: str, tmp_path: Path):
    module = FORMATS[name]
    source = "gold-functions.ptb" if module.holds is Treebank else "dependencies/lexical.conllu"
    path = tmp_path / f"gold.{name}"
    evaltools.convert(Path(__file__).parents[2] / "sample_data" / source, path, to=name)
    summary = evaltools.score(path, {"p": path}, format=name).summary()
    assert set(summary["metric"]) >= {metric.id for metric in framework_reading(module.holds).metrics} - {"la_costs"}
    for row in summary[summary["n"] > 0].itertuples():
        best = 1.0 if METRICS[row.metric].higher_is_better else 0.0
        assert (row.pooled, row.mean, row.pooled_all, row.mean_all) == pytest.approx((best,) * 4), row.metric

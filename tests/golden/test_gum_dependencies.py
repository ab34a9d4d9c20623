"""Attachment scores and TedEval on real parsers, against what the CoNLL 2018 evaluation prints for them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from evaltools import METRICS, read_treebank
from evaltools.corpus import Vocabulary
from evaltools.frameworks.crossframework import tedeval
from evaltools.frameworks.crossframework.function_columns import FunctionVocabulary, corpus_functions
from evaltools.frameworks.crossframework.memberships import Segmentation
from evaltools.frameworks.crossframework.tedeval import TedEval, statuses
from evaltools.frameworks.dependency.options import DependencyOptions
from evaltools.frameworks.dependency.pair import pair_dependencies
from evaltools.frameworks.dependency.passes import COLUMNS, Attachment
from evaltools.frameworks.metric import Metric
from tests.slow.functions import overlap

CONSTITUENCY_PARSERS = ("pcfg-parent-markov", "pcfg-plain", "seqlab-bilstm", "span-bilstm", "span-bilstm-epoch1")
DEPENDENCY_PARSERS = ("spacy-cnn", "udpipe-projective", "udpipe-swap")

CONLL_2018 = {"spacy-cnn": (83.68, 80.46), "udpipe-projective": (81.38, 78.11), "udpipe-swap": (81.28, 78.20)}


@pytest.fixture(scope="module")
def gum(request: pytest.FixtureRequest) -> Path:
    shared: Path = request.getfixturevalue("shared_data")
    return shared / "data" / "gum"


def pooled(metric: Metric, columns: tuple[str, ...], counts: np.ndarray) -> float:
    sums = {name: np.array([float(total)]) for name, total in zip(columns, counts.sum(axis=0), strict=True)}
    return float(metric.score(sums)[0])


@pytest.mark.parametrize("parser", DEPENDENCY_PARSERS)
def test_uas_and_las_are_those_of_the_conll_2018_evaluation(gum: Path, parser: str):
    vocabulary = Vocabulary()
    gold, test = (read_treebank(gum / name, vocabulary=vocabulary) for name in ("gold.conllu", f"dep/{parser}.conllu"))
    found = Attachment(pair_dependencies(gold, test, DependencyOptions()))
    figures = tuple(round(100 * pooled(METRICS[name], COLUMNS, found.counts), 2) for name in ("uas", "las"))
    assert figures == CONLL_2018[parser]


def test_every_tree_of_every_parser_is_over_the_same_words(gum: Path):
    vocabulary = FunctionVocabulary()
    golds = [corpus_functions(read_treebank(gum / name), vocabulary) for name in ("gold-functions.ptb", "gold.conllu")]
    shared = overlap(*golds)
    assert 0.8 < shared["unlabeled"] < 0.9
    unlabeled = {metric.id: metric for metric in tedeval.METRICS if metric.id.endswith("unlabeled")}
    for own, folder, ending, parsers in (
        (0, "const", "ptb", CONSTITUENCY_PARSERS),
        (1, "dep", "conllu", DEPENDENCY_PARSERS),
    ):
        for parser in parsers:
            parse = corpus_functions(read_treebank(gum / folder / f"{parser}.{ending}"), vocabulary)
            passed = TedEval(parse, golds, own)
            missing = int(np.count_nonzero(parse.n_words == 0))
            segmentation = np.bincount(statuses(parse, golds), minlength=len(Segmentation))
            assert segmentation.tolist() == [len(parse) - missing, 0, 0, missing, 0]
            single, multiple = (pooled(metric, tedeval.COLUMNS, passed.counts) for metric in unlabeled.values())
            # what the theories do not share is not counted against anybody
            assert 0.8 < single < multiple < 1.0
    for own, gold in enumerate(golds):
        perfect = TedEval(gold, golds, own)
        assert {pooled(metric, tedeval.COLUMNS, perfect.counts) for metric in tedeval.METRICS} == {1.0}

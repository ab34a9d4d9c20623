"""Attachment scores and TedEval on real parsers, against what the CoNLL 2018 evaluation prints for them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from evaltools import read_treebank
from evaltools.frameworks.crossframework import tedeval
from evaltools.frameworks.crossframework.function_columns import FunctionVocabulary, corpus_functions
from evaltools.frameworks.crossframework.memberships import Segmentation
from evaltools.frameworks.crossframework.tedeval import TedEval, statuses
from evaltools.frameworks.metric import Metric
from tests.slow.functions import overlap

CONSTITUENCY_PARSERS = ("pcfg-parent-markov", "pcfg-plain", "seqlab-bilstm", "span-bilstm", "span-bilstm-epoch1")
DEPENDENCY_PARSERS = ("spacy-cnn", "udpipe-projective", "udpipe-swap")


@pytest.fixture(scope="module")
def gum(request: pytest.FixtureRequest) -> Path:
    shared: Path = request.getfixturevalue("shared_data")
    return shared / "data" / "gum"


def pooled(metric: Metric, columns: tuple[str, ...], counts: np.ndarray) -> float:
    sums = {name: np.array([float(total)]) for name, total in zip(columns, counts.sum(axis=0), strict=True)}
    return float(metric.score(sums)[0])


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

"""A new metric is one pass in the table of a framework: it is scored, aligned and reported without another edit."""

from __future__ import annotations

from typing import Self

import numpy as np
import pytest
from numpy.typing import NDArray

import evaltools
from evaltools import METRICS, align, align_dependencies
from evaltools.corpus import DependencyTree
from evaltools.errors import ParameterError
from evaltools.frameworks.constituency.framework import CONSTITUENCY
from evaltools.frameworks.constituency.normalization import TreeComparison
from evaltools.frameworks.constituency.passes import PASSES as CONSTITUENCY_PASSES
from evaltools.frameworks.dependency.framework import DEPENDENCY
from evaltools.frameworks.dependency.pair import DependencyComparison
from evaltools.frameworks.dependency.passes import PASSES as DEPENDENCY_PASSES, Attachment
from evaltools.frameworks.formulas import ratio
from evaltools.frameworks.metric import Family, Metric
from evaltools.frameworks.passes import Pass
from evaltools.frameworks.registry import FAMILIES, FRAMEWORKS
from evaltools.outputs.figures import REPORTS
from evaltools.outputs.selection import Selection
from evaltools.runs.store import Run
from tests.runs.semantic_files import data

GOLD = "(S (NP (D the) (N dog)) (VP (V barks)))\n(S (NP (N dogs)) (VP (V bark)))\n"
TEST = "(S (D the) (N dog) (VP (V barks)))\n(S (NP (N dogs)) (VP (V bark)))\n"

SIZE = Metric(
    id="toy_size",
    title="Sizes alike",
    family=Family("toy", "Sizes"),
    columns=("toy_min", "toy_max"),
    score=lambda counts: ratio(counts["toy_min"], counts["toy_max"]),
    help="The smaller number as a share of the larger one, in %.",
)


class Sizes(Pass[TreeComparison]):
    """Compares the numbers of nodes; has no count for one sentence."""

    family = SIZE.family
    columns = ("toy_min", "toy_max")
    metrics = (SIZE,)

    def __init__(self, sizes: NDArray[np.int64]) -> None:
        self._sizes = sizes
        self._counts = np.zeros((sizes.shape[1], 2), dtype=np.int32)

    @classmethod
    def prepare(cls, comparison: TreeComparison) -> Self:
        sides = (comparison.pair.gold.treebank, comparison.pair.test.treebank)
        return cls(np.stack([np.diff(side.offsets) for side in sides]))

    def run(self, first: int, last: int) -> None:
        self._counts[first:last] = np.sort(self._sizes[:, first:last], axis=0).T

    @property
    def counts(self) -> NDArray[np.int32]:
        return self._counts

    def undefined(self, column: str) -> NDArray[np.bool_]:
        return self._sizes[0] > 8


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(CONSTITUENCY_PASSES, "toy", Sizes)


@pytest.fixture
def run(toy: None) -> Run:
    return evaltools.score(data(GOLD), {"p": data(TEST)})


def test_tables_of_metrics_follow_from_the_passes(toy: None):
    assert METRICS["toy_size"] is SIZE
    assert FAMILIES["toy"] == Sizes.columns
    assert CONSTITUENCY.metrics[-1].id == "toy_size"
    assert tuple(CONSTITUENCY.passes)[-1] == "toy"
    assert "toy_size" not in [metric.id for metric in DEPENDENCY.metrics]


def test_metrics_that_frameworks_share_are_the_same_objects():
    shared = [[metric for metric in FRAMEWORKS[name].metrics if metric.family.id == "la"] for name in FRAMEWORKS]
    assert shared[0]
    assert all(one is other is METRICS[one.id] for one, other in zip(shared[0], shared[1], strict=True))
    assert len(METRICS) == len({metric.id for framework in FRAMEWORKS.values() for metric in framework.metrics})


def test_a_new_pass_is_scored(run: Run):
    rows = run.sentences("p")
    assert rows["toy_min"].tolist()[1] == rows["toy_max"].tolist()[1] == 7
    assert rows["toy_size"].isna().tolist() == [True, False]  # the first has more than eight nodes
    assert "toy_size" in run.meta["metrics"]
    assert run.summary().set_index("metric").loc["toy_size", "pooled"] == 1.0


def test_a_new_pass_is_reported(run: Run):
    for report in ("json", "csv"):
        assert "toy_size" in REPORTS[report](run, Selection(all_figures=True))


def test_a_new_pass_is_chosen_by_its_family(toy: None):
    run = evaltools.score(data(GOLD), {"p": data(TEST)}, metrics=["toy"])
    assert run.meta["metrics"] == ["toy_size"]
    assert run.sentences("p")["e_gold_roof"].isna().all()


def test_a_new_pass_is_aligned(toy: None, run: Run):
    small = "(S (NP (N dogs)) (VP (V bark)))"
    a = align(small, small)
    assert a.counts["toy_min"] == a.counts["toy_max"] == 7.0
    assert a.scores["toy_size"] == 1.0
    assert run.alignment(1, "p").scores["toy_size"] is None
    assert run.alignment(2, "p").scores["toy_size"] == 1.0


def test_without_the_table_there_is_no_such_metric():
    with pytest.raises(ParameterError, match="toy"):
        evaltools.score(data(GOLD), {"p": data(TEST)}, metrics=["toy"])
    assert "toy_size" not in align("(S (N a))", "(S (N a))").scores


class Words(Pass[DependencyComparison]):
    """Counts words, without a run over ranges of sentences."""

    family = SIZE.family
    columns = ("toy_min", "toy_max")
    metrics = (SIZE,)

    def __init__(self, counts: NDArray[np.float64]) -> None:
        self._counts = counts

    @classmethod
    def prepare(cls, comparison: DependencyComparison) -> Self:
        sides = np.stack((comparison.pair.gold.n_words, comparison.pair.test.n_words), axis=1)
        return cls(np.sort(sides.astype(np.float64), axis=1))

    @property
    def counts(self) -> NDArray[np.float64]:
        return self._counts


def test_a_new_pass_over_dependency_trees(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(DEPENDENCY_PASSES, "toy", Words)
    tree = DependencyTree(("we", "saw"), (1, -1), ("nsubj", "root"))
    assert align_dependencies(tree, tree).scores["toy_size"] == 1.0
    text = "1\twe\t_\t_\t_\t_\t2\tnsubj\t_\t_\n2\tsaw\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
    run = evaltools.score(data(text), {"p": data(text)}, metrics=["toy"])
    rows = run.sentences("p")
    assert rows["toy_size"].tolist() == [1.0]
    assert rows["uas_right"].tolist() == [2.0]  # attachment is required by the table of words
    assert Attachment.required

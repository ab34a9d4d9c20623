"""A new pass over dependency trees; a metric of constituency trees is added in ``tests/extension``."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import evaltools
from evaltools import METRICS, align_dependencies
from evaltools.errors import ParameterError
from evaltools.frameworks.dependency.pair import DependencyComparison
from evaltools.frameworks.dependency.passes import PASSES, Attachment
from evaltools.frameworks.metric import Family, Metric, ratio
from evaltools.frameworks.passes import Pass
from evaltools.frameworks.registry import FRAMEWORKS
from tests.runs.dependency_files import PASSIVE, TREE, data

SIZE = Metric(
    id="toy_size",
    title="Sizes alike",
    family=Family("toy", "Sizes"),
    columns=("toy_min", "toy_max"),
    score=lambda counts: ratio(counts["toy_min"], counts["toy_max"]),
    help="The smaller number as a share of the larger one, in %.",
)


class Words(Pass[DependencyComparison]):
    """Counts words, without a run over ranges of sentences; has no count for long ones."""

    family, columns, metrics = SIZE.family, SIZE.columns, (SIZE,)

    def __init__(self, comparison: DependencyComparison) -> None:
        sides = np.stack((comparison.pair.gold.n_words, comparison.pair.test.n_words), axis=1)
        self._counts: NDArray[np.float64] = np.sort(sides.astype(np.float64), axis=1)

    @property
    def counts(self) -> NDArray[np.float64]:
        return self._counts

    def undefined(self, column: str) -> NDArray[np.bool_]:
        return self._counts[:, 1] > 4


def test_metrics_that_frameworks_share_are_the_same_objects():
    shared = [[metric for metric in FRAMEWORKS[name].metrics if metric.family.id == "la"] for name in FRAMEWORKS]
    assert shared[0]
    assert all(one is other is METRICS[one.id] for one, other in zip(shared[0], shared[1], strict=True))
    assert len(METRICS) == len({metric.id for framework in FRAMEWORKS.values() for metric in framework.metrics})


def test_a_pass_in_the_table_is_scored_and_aligned(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(PASSES, "toy", Words)
    assert METRICS["toy_size"] == SIZE
    assert [align_dependencies(tree, tree).scores["toy_size"] for tree in (PASSIVE, TREE)] == [1.0, None]
    run = evaltools.score(data(PASSIVE, TREE), {"p": data(PASSIVE, TREE)}, metrics=["toy"])
    rows = run.sentences("p")
    assert run.metrics == ["toy_size"]
    assert rows["toy_size"].fillna(-1).tolist() == [1.0, -1.0]
    assert rows["uas_right"].tolist() == [3, 5]  # attachment is required by the table of words
    assert Attachment.required
    assert [run.alignment(number, "p").scores["toy_size"] for number in (1, 2)] == [1.0, None]


def test_without_the_table_there_is_no_such_metric():
    with pytest.raises(ParameterError, match="toy"):
        evaltools.score(data(TREE), {"p": data(TREE)}, metrics=["toy"])
    assert "toy_size" not in align_dependencies(TREE, TREE).scores

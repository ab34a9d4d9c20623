"""The tables of a run and the columns that are relied upon."""

from __future__ import annotations

import pytest

from evaltools.frameworks.registry import FRAMEWORKS, METRICS
from evaltools.runs.meta import columns_of, tables_of


def test_tables_in_the_order_of_meta():
    names = {kind: tables_of({"kind": kind}) for kind in FRAMEWORKS}
    assert names["constituency"] == ("sentences", "words", "brackets", "errors", "trees", "problems")
    assert names["dependency"] == ("sentences", "words", "errors", "trees", "problems")
    assert names["crossframework"] == ("sentences", "trees", "golds", "problems")
    assert names["mrs"] == ("sentences", "trees", "triples", "errors", "ranks", "problems")
    assert tables_of({"metadata": {"keys": ["genre"]}}) == (*names["constituency"], "metadata")
    assert tables_of({"metadata": {"keys": []}}) == names["constituency"]
    assert tables_of({}) == names["constituency"]


@pytest.mark.parametrize("kind", FRAMEWORKS)
def test_counts_are_those_of_the_metrics_of_the_run(kind: str):
    ids = [metric.id for metric in FRAMEWORKS[kind].metrics]
    for metrics in (list(ids), [ids[0]]):
        columns = columns_of({"kind": kind, "metrics": [*metrics, "of_another_version"]})
        counts = {name for metric in metrics for name in METRICS[metric].columns}
        assert counts - {"sentences"} <= set(columns["sentences"].numbers)
        others = {name for metric in ids for name in METRICS[metric].columns} - counts - {"sentences"}
        assert not others & set(columns["sentences"].numbers)
        assert {"parser", "status"} <= set(columns["sentences"].texts)
        assert not any(counts & set(columns[name].numbers) for name in columns if name not in ("sentences", "ranks"))

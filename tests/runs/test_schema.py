"""The tables of a run and the columns that are relied upon."""

from __future__ import annotations

import pytest

from evaltools.frameworks.registry import FRAMEWORKS, METRICS
from evaltools.runs.schema import all_tables, columns_of, metrics_in, tables_of, unknown_metrics, values_of


def test_tables_in_the_order_of_meta():
    names = {kind: tables_of({"kind": kind}) for kind in FRAMEWORKS}
    assert names["constituency"] == ("sentences", "words", "brackets", "trees", "problems")
    assert names["dependency"] == ("sentences", "words", "trees", "problems")
    assert names["crossframework"] == ("sentences", "trees", "golds", "problems")
    assert names["semantics"] == ("sentences", "trees", "triples", "confusions", "ranks", "problems")
    assert set(all_tables()) == {name for tables in names.values() for name in tables} | {"metadata"}
    assert tables_of({"metadata": {"keys": ["genre"]}}) == (*names["constituency"], "metadata")
    assert tables_of({"metadata": {"keys": []}}) == names["constituency"]
    assert tables_of({}) == names["constituency"]


@pytest.mark.parametrize("kind", FRAMEWORKS)
def test_counts_are_those_of_the_metrics_of_the_run(kind: str):
    ids = FRAMEWORKS[kind].metric_ids
    for metrics in (list(ids), [ids[0]]):
        columns = columns_of({"kind": kind, "metrics": [*metrics, "of_another_version"]})
        counts = {name for metric in metrics for name in METRICS[metric].columns if name not in METRICS[metric].older}
        assert counts <= set(columns["sentences"].numbers)
        others = {name for metric in ids for name in METRICS[metric].columns} - counts - {"sentences"}
        assert not others & set(columns["sentences"].numbers)
        assert {"parser", "status"} <= set(columns["sentences"].texts)
        assert not any(counts & set(columns[name].numbers) for name in columns if name not in ("sentences", "ranks"))


def test_metrics_that_are_not_known_are_told_apart():
    meta = {"metrics": ["las", "b_cubed", "uas"]}
    assert (metrics_in(meta), unknown_metrics(meta)) == (["las", "uas"], ["b_cubed"])


def test_columns_that_an_older_table_lacks_are_null_or_those_they_are_instead_of():
    dependency = FRAMEWORKS["dependency"]
    every = [name for metric in dependency.metrics for name in (*metric.all_columns, *metric.older)]
    assert values_of({"kind": "dependency"}, "sentences", every) == {}
    assert values_of({"kind": "dependency"}, "words", []) == {}
    added = {name: old for metric in FRAMEWORKS["crossframework"].metrics for old, name in metric.over_all.items()}
    known = {name for metric in FRAMEWORKS["crossframework"].metrics for name in metric.all_columns} - set(added)
    assert added
    assert values_of({"kind": "crossframework"}, "sentences", known) == added
    lacking = values_of({"kind": "dependency"}, "sentences", set(every) - {"label_right"})
    assert lacking == {"label_right": "null::double"}
    older = {name: old for metric in dependency.metrics for name, old in metric.older.items()}
    assert older
    assert values_of({"kind": "dependency"}, "sentences", set(every) - set(older)) == older

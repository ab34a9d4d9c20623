"""Runs that were written before a metric existed, and runs with metrics that this version does not know."""

from __future__ import annotations

import io
import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd
import pyarrow.parquet as pq
import pytest

import evaltools
from evaltools.analysis.leaderboard import leaderboard
from evaltools.frameworks.registry import METRICS
from evaltools.reports import REPORTS, Selection
from evaltools.runs.subset import subset
from evaltools.runs.sums import sum_sentences
from tests.resealing import reseal, write_meta

if TYPE_CHECKING:
    from collections.abc import Callable

NEWER = {
    "constituency": ("t_dice", "t_jaccard"),
    "dependency": ("label_accuracy",),
    "crossframework": ("tedeval2011_unlabelled", "tedeval2011_labelled"),
    "semantics": ("edm_exact",),
}


def change_meta(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    meta = json.loads((folder / "meta.json").read_text("utf-8"))
    change(meta)
    write_meta(folder, meta)


def drop(folder: Path, columns: set[str]) -> None:
    for table in ("sentences", "ranks"):
        for part in (folder / table).glob("*.parquet"):
            rows = pq.read_table(part)
            pq.write_table(rows.drop_columns(sorted(columns & set(rows.column_names))), part)


@pytest.fixture(params=NEWER)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def folder(kind: str, tmp_path: Path) -> Path:
    """Give a folder with a run of each framework that was written before some of its metrics existed."""
    path = shutil.copytree(Path(__file__).parent / "schema4" / kind, tmp_path / "run")
    kept = [name for name in evaltools.Run(path).metrics if name not in NEWER[kind]]
    newer, older = ({column for name in names for column in METRICS[name].all_columns} for names in (NEWER[kind], kept))
    added = newer - older - {"sentences"}
    assert added
    drop(path, added)
    change_meta(path, lambda meta: meta.update(metrics=kept))
    return path


def test_a_run_without_a_newer_metric_opens_and_has_its_figures(kind: str, folder: Path):
    run, whole = evaltools.Run(folder), evaltools.Run(Path(__file__).parent / "schema4" / kind)
    assert not set(run.metrics) & set(NEWER[kind])
    assert run.unknown_metrics == []
    summary = whole.summary()
    expected = summary[~summary["metric"].isin(NEWER[kind])].reset_index(drop=True)
    assert run.summary().equals(expected)
    assert set(run.sentences().columns) >= set(run.metrics)
    part = subset(run, [1, 3])
    assert (part.metrics, part.n_sentences) == (run.metrics, 2)


def test_a_newer_metric_is_undefined_in_an_older_run(kind: str, folder: Path):
    run, metrics = evaltools.Run(folder), list(NEWER[kind])
    table = leaderboard(sum_sentences(run.answer, metrics, run.n_sentences, common=True), run.parsers, metrics)
    assert len(table) == len(run.parsers) * len(metrics)
    assert table[["pooled", "mean"]].isna().all(axis=None)
    assert (table["n"] == 0).all()
    if not METRICS[metrics[0]].zero_over_all:
        assert table[["pooled_all", "mean_all"]].isna().all(axis=None)


def test_reports_leave_a_newer_metric_empty(kind: str, folder: Path):
    run, metrics = evaltools.Run(folder), NEWER[kind]
    text = REPORTS["text"](run, Selection())
    assert run.signature in text
    rows = json.loads(REPORTS["json"](run, Selection(sentences=True)))["sentences"]
    assert len(rows) == run.n_sentences * len(run.parsers)
    assert {row[name] for row in rows for name in metrics} == {None}
    assert any(row[run.metrics[0]] is not None for row in rows)
    header, *lines = REPORTS["csv"](run, Selection(sentences=True)).splitlines()
    at = header.split(",").index(metrics[0])
    assert {line.split(",")[at] for line in lines} == {""}
    for parser in json.loads(REPORTS["json"](run, Selection()))["parsers"].values():
        assert set(parser["metrics"]) == set(run.metrics)


def test_a_column_of_a_metric_that_the_run_has_must_be_there(folder: Path):
    run = evaltools.Run(folder)
    column = next(name for name in METRICS[run.metrics[0]].columns if name != "sentences")
    drop(folder, {column})
    with pytest.raises(evaltools.RunError, match=f"is damaged: its table (sentences|ranks) has no column {column}"):
        evaltools.Run(folder).summary()


def test_metrics_that_this_version_does_not_know_are_ignored_and_named(folder: Path):
    before = evaltools.Run(folder)
    change_meta(folder, lambda meta: meta["metrics"].insert(0, "b_cubed"))
    run = evaltools.Run(folder)
    assert (run.metrics, run.unknown_metrics) == (before.metrics, ["b_cubed"])
    assert run.summary().equals(before.summary())
    line = "metrics unknown to this version of evaltools: b_cubed\n"
    assert line in REPORTS["text"](run, Selection())
    assert line not in REPORTS["text"](before, Selection())


def test_a_run_of_unknown_metrics_only_is_refused(folder: Path):
    change_meta(folder, lambda meta: meta.update(metrics=["b_cubed"]))
    with pytest.raises(evaltools.RunError, match="unknown metric 'b_cubed', and no known metric"):
        evaltools.Run(folder)


def test_a_run_without_numbers_of_words_with_a_head_has_the_figures_over_all_words(tmp_path: Path):
    """As every run in which all words have heads."""
    text = "1\tGo\tgo\tVERB\tVB\t_\t0\troot\t_\t_\n2\thome\thome\tADV\tRB\t_\t1\tadvmod\t_\t_\n\n"
    parse = text.replace("advmod", "obl")
    run = evaltools.score(io.BytesIO(text.encode()), {"p": io.BytesIO(parse.encode())}, out=tmp_path / "run")
    figures, table = run.summary(), REPORTS["conll18"](run, Selection())
    drop(tmp_path / "run", {"ud_gold_heads", "ud_test_heads", "ud_aligned_heads"})
    reseal(tmp_path / "run")
    older = evaltools.Run.open(tmp_path / "run")
    pd.testing.assert_frame_equal(older.summary(), figures)
    assert REPORTS["conll18"](older, Selection()) == table
    assert older.summary().set_index("metric").loc["ud_las", "pooled"] == 0.5

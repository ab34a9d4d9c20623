"""Columns that a parser's file leaves empty are a problem of the run, since figures count them as wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import evaltools
from evaltools.analysis.disagreement import compared_metrics
from evaltools.outputs.figures import REPORTS
from evaltools.outputs.selection import Selection
from evaltools.outputs.summary import describe_incomplete
from tests.commands import call, json_of

FULL = "1\tDogs\tdog\tNOUN\tNNS\tNumber=Plur\t2\tnsubj\t2:nsubj\t_\n2\tbark\tbark\tVERB\tVBP\t_\t0\troot\t0:root\t_\n\n"
BARE = "1\tDogs\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"


def score(folder: Path, gold: str, test: str) -> evaltools.Run:
    (folder / "gold.conllu").write_text(gold, encoding="utf-8")
    (folder / "test.conllu").write_text(test, encoding="utf-8")
    return evaltools.score(folder / "gold.conllu", {"p": folder / "test.conllu"}, out=folder / "p.run")


def empty_columns(run: evaltools.Run) -> list[str]:
    rows = run.query("select * from problems where kind = 'empty_column'")
    return [f"{row.parser}: {row.found}; {row.expected}" for row in rows.itertuples()]


def test_empty_columns_are_named_once_in_summary_and_report(tmp_path: Path):
    columns = "LEMMA, XPOS, FEATS and DEPS without a value in every word; values as in the gold file"
    assert empty_columns(score(tmp_path, FULL, BARE)) == [f"p: {columns}"]
    done = call(tmp_path / "gold.conllu", tmp_path / "test.conllu", "-o", tmp_path / "named.run")
    assert "without a value" not in done.stderr  # the summary says it
    left_out = "Left out: MLAS, BLEX and ELAS; DEPS, FEATS and LEMMA empty in gold or all parses"
    assert left_out in done.stdout
    assert left_out in call("report", tmp_path / "named.run").stdout
    assert [item["metric"] for item in json_of("report", tmp_path / "named.run")["left_out"]] == [
        "mlas",
        "blex",
        "elas",
    ]
    assert "Not comparable: XPOS, UFeats, AllTags, Lemmas, " in call("report", tmp_path / "named.run", "--all").stdout


@pytest.mark.parametrize(("gold", "test"), [(FULL, FULL), (BARE, BARE), (BARE, FULL), (FULL + FULL, BARE + FULL)])
def test_columns_with_a_value_and_those_that_gold_lacks_are_no_problem(tmp_path: Path, gold: str, test: str):
    assert empty_columns(score(tmp_path, gold, test)) == []


def test_metrics_of_columns_that_no_file_fills_are_left_out_with_a_note(tmp_path: Path):
    run = score(tmp_path, FULL, BARE)
    assert run.incomplete_metrics["blex"] == {"p": ["LEMMA"]}
    assert run.incomplete_metrics["alltags"] == {"p": ["XPOS", "FEATS"]}
    assert "upos" not in run.incomplete_metrics
    assert not {"mlas", "blex"} & {*run.headline_metrics, *compared_metrics(run, "p")}
    assert describe_incomplete(run, run.headline_metrics) == [
        "Left out: MLAS, BLEX and ELAS; DEPS, FEATS and LEMMA empty in gold or all parses."
    ]
    assert describe_incomplete(run, ["las", "blex"]) == [
        "Left out: MLAS and ELAS; DEPS and FEATS empty in gold or all parses.",
        "Not comparable: BLEX; LEMMA empty in gold or all parses.",
    ]


def test_metrics_of_columns_that_one_file_fills_are_shown_with_a_note(tmp_path: Path):
    files = {"gold": FULL, "full": FULL, "bare": BARE}
    for name, text in files.items():
        (tmp_path / f"{name}.conllu").write_text(text, encoding="utf-8")
    parsers = {name: tmp_path / f"{name}.conllu" for name in ("full", "bare")}
    run = evaltools.score(tmp_path / "gold.conllu", parsers, out=tmp_path / "two.run")
    assert {"mlas", "blex"} <= {*run.headline_metrics} & {*compared_metrics(run, "full")}
    assert not {"mlas", "blex"} & {*compared_metrics(run, "bare")}
    assert describe_incomplete(run, ["las", "blex"]) == ["BLEX counts empty columns as wrong: LEMMA of bare."]


@pytest.mark.parametrize(("gold", "shown"), [(FULL, ["elas", "eulas"]), (BARE, [])])
def test_reports_have_enhanced_dependencies_where_the_gold_file_has_them(tmp_path: Path, gold: str, shown: list[str]):
    run = score(tmp_path, gold, gold.replace("2:nsubj", "2:nsubj:pass"))
    assert [name for name in run.reported_metrics if name in ("elas", "eulas")] == shown
    assert ("ELAS" in REPORTS["text"](run, Selection())) == bool(shown)
    if shown:
        values = json.loads(REPORTS["json"](run, Selection("all")))["parsers"]["p"]["metrics"]
        assert [values[name]["pooled"] for name in shown] == [0.5, 1.0]
        assert "eulas" in REPORTS["csv"](run, Selection("all"))

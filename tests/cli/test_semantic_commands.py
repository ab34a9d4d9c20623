"""The command line on semantic graphs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.commands import call, check_refused, json_of, rows_of
from tests.runs.semantic_files import mrp, saw, sleeps


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "gold.mrp").write_text(mrp(("a", sleeps()), ("b", saw())), "utf-8")
    near = mrp(("a", sleeps("_doze_v_1", end=11)), ("a", sleeps()), ("b", saw(swapped=True)))
    (tmp_path / "near.mrp").write_text(near, "utf-8")
    (tmp_path / "weights.toml").write_text("[classes]\nproperties = 0.5\n", "utf-8")
    return tmp_path


@pytest.fixture
def run(files: Path) -> Path:
    result = call("score", files / "gold.mrp", f"near={files / 'near.mrp'}", "-o", files / "run")
    assert result.returncode == 0
    assert "near: items are paired by their ids" in result.stderr
    return files / "run"


def test_the_report_as_json(run: Path):
    report = json_of("report", run, "--all")
    near = report["parsers"]["near"]
    assert near["metrics"]["edm_n"]["pooled"] == pytest.approx(7 / 8)
    assert near["paired"] == "id"
    assert near["n_best"] == 2
    assert report["preset"] == "dridan-oepen-2011"


def test_the_report_as_text_and_csv(run: Path):
    text = call("report", run, "--all").stdout
    assert "Graphs of a sentence" in text
    assert "87.50" in text
    rows = rows_of("report", run, "--sentences")
    assert [float(row["edm_n"]) for row in rows] == pytest.approx([2 / 3, 1])
    labels = rows_of("report", run, "--labels")
    assert {row["kind"] for row in labels} == {"name", "argument", "property"}
    assert "ARG1" in call("report", run, "--labels", "--limit", "2").stdout
    assert call("report", run, "--format", "evalb").stderr.endswith("this run compares semantic graphs\n")


def test_parsers_of_two_golds_are_in_one_table(files: Path, run: Path):
    assert call("score", files / "near.mrp", f"far={files / 'gold.mrp'}", "-o", files / "run-2").returncode == 0
    rows = rows_of("report", run, "--beside", files / "run-2")
    assert [(row["run"], row["parser"], row["n_edm"]) for row in rows] == [("run", "near", "2"), ("run-2", "far", "2")]
    assert float(rows[0]["edm_n"]) == pytest.approx(7 / 8)
    text = call("report", run, "--beside", files / "run-2").stdout
    assert "EDM (F1), micro over all sentences of each gold" in text
    assert "Parsers of different golds are not ranked against each other." in text
    runs = json_of("report", run, "--beside", files / "run-2")["runs"]
    assert runs[0]["parsers"] == json_of("report", run)["parsers"]
    assert "run-2 & far" in call("report", run, "--beside", files / "run-2", "--format", "latex").stdout
    check_refused("--beside goes with other runs, each given once", "report", run, "--beside", run)
    for table in ("--all", "--classes"):
        check_refused(f"{table} and --beside cannot be combined", "report", run, "--beside", files / "run-2", table)
    weighted = ("--weights", files / "weights.toml", "-o", files / "run-3", "-q")
    assert call("score", files / "near.mrp", f"far={files / 'gold.mrp'}", *weighted).returncode == 0
    check_refused("are scored by different rules; score both alike", "report", run, "--beside", files / "run-3")


def test_weights_and_spans(files: Path):
    arguments = ("score", files / "gold.mrp", f"near={files / 'near.mrp'}", "-o", files / "run")
    options = ("--weights", files / "weights.toml", "--spans", "trimmed", "--preset", "pydelphin")
    assert call(*arguments, *options).returncode == 0
    meta = json.loads((files / "run" / "meta.json").read_text("utf-8"))
    assert meta["edm_rules"]["classes"]["properties"] == 0.5
    assert "|spans:trimmed|" in meta["signature"]
    assert meta["preset"] == "pydelphin with weights.toml"
    assert call("verify", files / "run").returncode == 0
    (files / "weights.toml").write_text("[classes]\nproperties = -1\n", "utf-8")
    check_refused("weights.toml:2", *arguments, "--force", "--weights", files / "weights.toml")
    assert call("report", files / "run").returncode == 0  # the older run is still there


@pytest.mark.slow
def test_a_run_as_one_page(run: Path, files: Path):
    assert call("html", run, "-o", files / "run.html").returncode == 0
    page = (files / "run.html").read_text("utf-8")
    assert "_doze_v_1" in page
    assert "has no alignments" not in page


def test_presets_are_listed():
    assert "dridan-oepen-2011" in call("preset").stdout
    assert "a triple that occurs twice counts once" in call("preset", "mtool").stdout

"""The command line on semantic graphs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.test_commands import Result, call  # noqa: F401 - a fixture
from tests.runs.semantic_files import mrp, saw, sleeps

Call = Callable[..., Result]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Give a folder with a gold file, a parser's, and weights."""
    (tmp_path / "gold.mrp").write_text(mrp(("a", sleeps()), ("b", saw())), "utf-8")
    near = mrp(("a", sleeps("_doze_v_1", end=11)), ("a", sleeps()), ("b", saw(swapped=True)))
    (tmp_path / "near.mrp").write_text(near, "utf-8")
    (tmp_path / "weights.toml").write_text("[classes]\nproperties = 0.5\n", "utf-8")
    return tmp_path


@pytest.fixture
def run(files: Path, call: Call) -> Path:  # noqa: F811 - the fixture
    """Give the folder of a run."""
    result = call("score", files / "gold.mrp", f"near={files / 'near.mrp'}", "-o", files / "run")
    assert result.status == 0
    assert "near: items are paired by their ids" in result.err
    return files / "run"


def test_the_report_as_json(run: Path, call: Call):  # noqa: F811
    report = json.loads(call("report", run, "--format", "json", "--all").out)
    near = report["parsers"]["near"]
    assert near["metrics"]["edm_n"]["pooled"] == pytest.approx(7 / 8)
    assert near["paired"] == "id"
    assert near["n_best"] == 2
    assert near["spans_change"]["exact"] < near["spans_change"]["trimmed"]
    assert report["preset"] == "dridan-oepen-2011"


def test_the_report_as_text_and_csv(run: Path, call: Call):  # noqa: F811
    text = call("report", run, "--all").out
    assert "EDM with exact and with trimmed spans (without punctuation at their edges), micro (corpus)" in text
    assert "87.50" in text
    rows = list(csv.DictReader(io.StringIO(call("report", run, "--sentences", "--format", "csv").out)))
    assert [float(row["edm_n"]) for row in rows] == pytest.approx([2 / 3, 1])
    labels = list(csv.DictReader(io.StringIO(call("report", run, "--labels", "--format", "csv").out)))
    assert {row["kind"] for row in labels} == {"name", "argument", "property"}
    assert "ARG1" in call("report", run, "--labels", "--limit", "2").out
    assert call("report", run, "--format", "evalb").err.endswith("this run compares semantic graphs\n")


def test_weights_and_spans(files: Path, call: Call):  # noqa: F811
    arguments = ("score", files / "gold.mrp", f"near={files / 'near.mrp'}", "-o", files / "run")
    assert (
        call(*arguments, "--weights", files / "weights.toml", "--spans", "trimmed", "--preset", "pydelphin").status == 0
    )
    meta = json.loads((files / "run" / "meta.json").read_text("utf-8"))
    assert meta["edm_rules"]["classes"]["properties"] == 0.5
    assert "|spans:trimmed|" in meta["signature"]
    assert meta["preset"] == "pydelphin with weights.toml"
    assert call("verify", files / "run").status == 0
    (files / "weights.toml").write_text("[classes]\nproperties = -1\n", "utf-8")
    result = call(*arguments, "--force", "--weights", files / "weights.toml")
    assert result.status == 2
    assert "weights.toml:2" in result.err
    assert call("report", files / "run").status == 0  # the older run is still there


@pytest.mark.slow
def test_a_run_as_one_page(run: Path, files: Path, call: Call):  # noqa: F811
    assert call("html", run, "-o", files / "run.html").status == 0
    page = (files / "run.html").read_text("utf-8")
    assert "_doze_v_1" in page
    assert "has no alignments" not in page


def test_presets_are_listed(call: Call):  # noqa: F811
    assert "dridan-oepen-2011" in call("preset").out
    assert "a triple that occurs twice counts once" in call("preset", "mtool").out

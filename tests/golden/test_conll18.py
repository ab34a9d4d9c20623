"""Attachment scores of real parsers, as the CoNLL 2018 evaluation gives them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evaltools.cli import app


def printed(readme: Path) -> dict[str, list[str]]:
    """Read the table of the CoNLL 2018 evaluation: parser to UPOS, XPOS, UAS, LAS, CLAS."""
    rows = re.findall(r"^\| ([\w-]+)\.conllu ((?:\| [\d.]+ ){5})\|$", readme.read_text(encoding="utf-8"), re.MULTILINE)
    return {name: cells.replace("|", " ").split() for name, cells in rows}


def test_uas_and_las_are_those_of_the_evaluation_script(shared_data: Path, tmp_path: Path):
    gum = shared_data / "data" / "gum"
    expected = printed(gum / "README.md")
    if not expected:
        pytest.skip("no table of attachment scores in the README of these data")
    run = str(tmp_path / "run")
    parsers = [f"{name}={gum}/dep/{name}.conllu" for name in expected]
    scored = CliRunner().invoke(app, ["score", f"{gum}/gold.conllu", *parsers, "-o", run])
    assert scored.exit_code == 0, scored.output
    report = json.loads(CliRunner().invoke(app, ["report", run, "--format", "json", "--all"]).output)
    for name, (_, _, uas, las, _) in expected.items():
        metrics = report["parsers"][name]["metrics"]
        assert [f"{100 * metrics[one]['pooled']:.2f}" for one in ("uas", "las")] == [uas, las]
        assert report["parsers"][name]["scored"] == report["parsers"][name]["sentences"]

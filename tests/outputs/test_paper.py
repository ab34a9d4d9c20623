"""The files of a paper: what they say, and that they compile as they are."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from evaltools.analysis.summary import summarize_run
from evaltools.outputs.citation import describe_settings
from evaltools.outputs.paper import paper_files, zipped
from evaltools.outputs.sections import Report
from evaltools.outputs.summary import summary_for_paper
from tests.commands import call, check_refused
from tests.outputs.test_summary import FRAMEWORKS, runs

if TYPE_CHECKING:
    from evaltools import Run

__all__ = ["runs"]

NAMES = {"table.tex", "methods.tex", "references.bib", "paper.tex", "figure.tex", "figure.pdf", "figure.svg"}
STEPS = [["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper"], ["bibtex", "paper"]]


@pytest.mark.skipif(not all(map(shutil.which, ("pdflatex", "bibtex", "kpsewhich"))), reason="no pdflatex or bibtex")
@pytest.mark.parametrize("name", FRAMEWORKS)
def test_the_paper_compiles_without_a_warning_or_a_line_that_is_too_wide(
    runs: dict[str, Run], name: str, tmp_path: Path
):
    styles = ["kpsewhich", "booktabs.sty", "graphicx.sty", "geometry.sty"]
    if subprocess.run(styles, capture_output=True, check=False).returncode:
        pytest.skip("no booktabs, graphicx or geometry here")
    folder = tmp_path / "new" / "paper"
    assert "pdflatex paper; bibtex paper" in call("paper", runs[name].path, "-o", folder).stdout
    for step in (*STEPS, STEPS[0], STEPS[0]):
        done = subprocess.run(step, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout[-2000:]
        assert step[0] == "pdflatex" or "Warning" not in done.stdout
    assert not re.findall(r"Overfull.*|.*[Ww]arning.*|.*undefined.*", done.stdout)


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_the_table_is_not_scaled_and_says_what_it_shows(runs: dict[str, Run], name: str):
    run = runs[name]
    summary = summary_for_paper(run)
    files = paper_files(Report(run, summary))
    assert set(files) == NAMES | ({"experiments.tex"} if run.theories else set())
    table, document = files["table.tex"].decode(), files["figure.tex"].decode()
    assert "resizebox" not in table
    assert ("\n% Settings: " in table) == bool(describe_settings(run))
    heads = next(line for line in table.splitlines() if line.endswith("\\\\"))
    assert r"\begin{table*}" in table or heads.count("&") < 5
    assert r"\label{tab:parsers}" in table
    (caption,) = re.findall(r"\\caption\{(.*)\}", table)
    assert f", {summary.base}; percent" in caption
    for sign in ("dagger", "textbf"):
        assert (
            sign in re.sub(r"\\phantom\{.*?\}", "", table).partition(r"\midrule")[2].partition(r"\bottomrule")[0]
        ) == ({"dagger": r"$^\dagger$: ", "textbf": "old: significantly better"}[sign] in caption)
    assert rf"with 95 \% intervals, {summary.base}." in document
    assert summary.metrics == tuple(name for name in summarize_run(run).metrics if name in summary.metrics)
    with zipfile.ZipFile(io.BytesIO(zipped(files))) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == files


def test_metrics_width_and_existing_files(runs: dict[str, Run], tmp_path: Path):
    run = runs["constituency"].path
    assert call("paper", run, "-o", tmp_path, "--metrics", "ted,f1", "--width", "text").returncode == 0
    assert r"parser & Tree edit & F1 & no parse \\" in (tmp_path / "table.tex").read_text()
    assert (tmp_path / "methods.tex").read_text().startswith(r"We report tree-edit similarity (Dice)~\cite{emms-2008}")
    (width,) = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ", (tmp_path / "figure.pdf").read_bytes())
    assert abs(float(width) / 72 - 6.3) < 0.05
    check_refused("an existing file; expected --force to replace it", "paper", run, "-o", tmp_path)
    (tmp_path / "file").touch()
    check_refused("expected a folder that can be written", "paper", run, "-o", tmp_path / "file" / "x")
    check_refused("unknown metric 'tedd'; nearest: ted", "paper", run, "-o", tmp_path / "new", "--metrics", "tedd")
    check_refused("unknown width 'page'; valid: column, text", "paper", run, "-o", tmp_path / "new", "--width", "page")
    assert not (tmp_path / "new").exists()

"""Charts and tables as files."""

from __future__ import annotations

import json
import shutil
import struct
import subprocess
from typing import TYPE_CHECKING

import altair as alt
import pandas as pd
import pytest

from evaltools.publishing.tables import TABLE_FILES, table_csv, table_latex, table_markdown
from evaltools.publishing.vega import CHART_FILES, chart_json, chart_png, chart_svg

if TYPE_CHECKING:
    from pathlib import Path

HOSTILE = r"a_1 & 50 % $x$ #{~^\} <b> |"


@pytest.fixture
def chart() -> dict[str, object]:
    frame = pd.DataFrame({"parser": [HOSTILE, "b"], "value": [1.0, 2.0]})
    drawn = alt.Chart(frame).mark_bar(color="currentColor").encode(x="value", y="parser")
    return dict(drawn.properties(width="container", height=80, background="transparent").to_dict())


@pytest.fixture
def frame() -> pd.DataFrame:
    return pd.DataFrame({"parser": [HOSTILE, "=1+1"], "n": [3, 10], "F1": [0.12345, float("nan")]})


def test_svg_has_text_as_text_and_its_own_colours(chart: dict[str, object]):
    drawn = chart_svg(chart)
    assert drawn.startswith("<svg")
    assert "&lt;b&gt;" in drawn
    assert "currentColor" not in drawn
    assert 'width="container"' not in drawn


def test_on_a_page_a_chart_takes_its_ink(chart: dict[str, object]):
    drawn = chart_svg(chart, inline=True)
    assert "currentColor" in drawn
    assert "max-width" in drawn.split(">")[0]


def test_png_is_as_wide_as_asked(chart: dict[str, object]):
    small, large = (chart_png(chart, width=300, scale=scale) for scale in (1.0, 2.0))
    assert small.startswith(b"\x89PNG")
    widths = [struct.unpack(">I", one[16:20])[0] for one in (small, large)]
    assert widths[0] >= 300
    assert abs(widths[1] - 2 * widths[0]) <= 2


def test_vega_lite_is_json_that_needs_no_page(chart: dict[str, object]):
    content = json.loads(chart_json(chart))
    assert content["background"] == "#ffffff"
    assert "currentColor" not in json.dumps(content)
    assert chart["background"] == "transparent"  # the chart itself is as it was


def test_csv_keeps_every_digit_and_starts_no_formula(frame: pd.DataFrame):
    text = table_csv(frame, "Figures.\nmade so")
    lines = text.splitlines()
    assert lines[0] == "parser,n,F1"
    assert lines[1].endswith(",3,0.12345")
    assert lines[2] == "'=1+1,10,"
    assert lines[3] == "# Figures. made so"


def test_markdown_keeps_its_columns(frame: pd.DataFrame):
    lines = table_markdown(frame, "Figures.").splitlines()
    assert len({len(line) for line in lines[:4]}) == 1
    cells = lines[2].replace(r"\|", "").split("|")
    assert len(cells) == 5
    assert lines[3].endswith(" 10 |     – |")


def test_latex_escapes_everything(frame: pd.DataFrame):
    text = table_latex(frame, f"Of {HOSTILE}.")
    assert r"a\_1 \& 50 \% \$x\$ \#\{\textasciitilde{}\textasciicircum{}\textbackslash{}\}" in text
    assert r"\begin{tabular}{lrr}" in text
    assert "0.123" in text
    assert "--" in text


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no pdflatex here")
def test_latex_compiles(frame: pd.DataFrame, tmp_path: Path):
    found = subprocess.run(["kpsewhich", "booktabs.sty"], capture_output=True, check=False)
    if found.returncode:
        pytest.skip("no booktabs here")
    body = table_latex(frame, f"Of {HOSTILE}.")
    preamble = r"\documentclass{article}\usepackage[T1]{fontenc}\usepackage{booktabs}\begin{document}"
    document = preamble + body + r"\end{document}"
    (tmp_path / "table.tex").write_text(document, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "table.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]


def test_every_kind_of_file_has_a_name_and_a_type():
    for _, suffix, mime, make in (*CHART_FILES.values(), *TABLE_FILES.values()):
        assert suffix.isascii()
        assert "/" in mime
        assert callable(make)

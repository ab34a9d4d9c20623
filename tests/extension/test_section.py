"""A section of reports that is one function and one line, as CONTRIBUTING says: every surface shows it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import altair as alt
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from evaltools.blocks import Block, Chart, Table, Text, text_columns
from evaltools.charts.theme import specification
from evaltools.outputs import sections
from evaltools.outputs.html_report import html_report, write_bundle
from evaltools.outputs.sections import Report, Section, section_text
from tests.pages.conftest import open_app
from tests.pages.shown import said
from tests.pages.tiny import score_tiny

__all__ = ["open_app"]


def sizes(report: Report) -> list[Block]:
    """Return the number of sentences of every parser, as a text, a table and a chart."""
    rows = [[parser, f"{report.run.n_sentences:,}"] for parser in report.parsers]
    frame = pd.DataFrame(rows, columns=["parser", "sentences"])
    drawn = alt.Chart(frame).mark_bar().encode(x="sentences", y="parser")
    return [
        Text("Every file has these sentences."),
        Table(text_columns("parser", "sentences"), rows),
        Chart(specification(drawn), "Bars"),
    ]


def test_every_surface_shows_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, open_app: Callable[..., AppTest]):
    run = score_tiny(tmp_path)
    monkeypatch.setitem(sections.SECTIONS, "sizes", Section("Sizes of the files", sizes))
    text = section_text(Report.of(run), "sizes")
    assert "Sizes of the files" in text
    assert "Every file has these sentences." in text
    for page in (html_report(run, worst=0), write_bundle(run, tmp_path / "site", worst=0)[0].read_text("utf-8")):
        assert ">Sizes of the files</h2>" in page
        assert "Bars." in page
    monkeypatch.setattr(sys, "argv", ["app.py", str(run.path)])
    app = open_app("overview", open="sizes")
    assert not app.exception
    assert "Every file has these sentences." in said(app, "note")
    (shown,) = [table.value for table in app.main.dataframe if list(table.value.columns) == ["parser", "sentences"]]
    assert shown["sentences"].tolist() == ["7", "7"]

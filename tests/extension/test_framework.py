"""A new framework is one new file, and one entry each in the tables of frameworks and of formats."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import evaltools
from evaltools.app.scoring.checking import content_of
from evaltools.formats import FORMATS, guess_format, open_source, write_treebank
from evaltools.frameworks.registry import FRAMEWORKS
from evaltools.frameworks.views import Sentence, Viewing
from evaltools.outputs.figures import REPORTS
from evaltools.outputs.html_report import html_report
from evaltools.outputs.selection import Selection
from evaltools.runs.subset import subset
from tests.extension import toy_framework
from tests.pages.shown import blocks, said

Open = Callable[..., AppTest]
GOLD = "dogs/N bark/V\nthe/D cat/N sees/V it/P\nit/P rains/V\nbirds/N sing/V\n"
WORSE = "dogs/N bark/N\nthe/D cat/V sees/N it/P\n\nbirds/N sing/N\n"


@pytest.fixture
def files(enter: Callable[..., None], tmp_path: Path) -> dict[str, Path]:
    """Enter the framework and its format into their tables, and give files."""
    enter(FORMATS, toy_framework.TAGS.name, toy_framework.TAGS)
    enter(FRAMEWORKS, "tags", toy_framework.TAGGED_WORDS)
    texts = {"gold": GOLD, "better": GOLD, "worse": WORSE}
    for name, text in texts.items():
        (tmp_path / f"{name}.tags").write_text(text, encoding="utf-8")
    return {name: tmp_path / f"{name}.tags" for name in texts}


@pytest.fixture
def tiny_run(files: dict[str, Path], tmp_path: Path) -> evaltools.Run:
    parsers = {name: files[name] for name in ("better", "worse")}
    return evaltools.score(files["gold"], parsers, out=tmp_path / "tags.run")


def test_its_files_are_known(files: dict[str, Path], tmp_path: Path):
    assert guess_format(open_source(files["worse"])) == "tags"
    content = content_of(open_source(files["worse"]), FRAMEWORKS.values())
    assert (content.framework.id, content.sentences, content.trees) == ("tags", 4, 3)
    corpus: Any = evaltools.read_treebank(files["worse"])
    write_treebank(corpus.sentences, tmp_path / "again.tags", "tags")
    assert (tmp_path / "again.tags").read_text(encoding="utf-8") == WORSE


def test_it_is_scored_and_opened_again(tiny_run: evaltools.Run):
    run = evaltools.Run(tiny_run.path)
    assert (run.kind, run.metrics) == ("tags", ["tag_accuracy"])
    figures = run.summary().set_index("parser")
    assert figures["pooled"].to_dict() == {"better": 1, "worse": 4 / 8}
    assert figures.loc["worse", "pooled_all"] == 4 / 10
    assert run.sentences("worse")["tag_accuracy"].tolist()[:2] == [0.5, 0.5]
    assert evaltools.verify(run).equal
    part = subset(run, [2, 3])
    assert (part.n_sentences, part.summary()["pooled"].tolist()) == (2, [1, 0.5])


def test_reports_have_it(tiny_run: evaltools.Run, call: Callable[..., str]):
    assert "Right tags" in REPORTS["text"](tiny_run, Selection())
    figures = json.loads(REPORTS["json"](tiny_run, Selection("all")))["parsers"]["worse"]["metrics"]
    assert figures["tag_accuracy"]["pooled"] == 0.5
    rows = list(csv.DictReader(io.StringIO(REPORTS["csv"](tiny_run, Selection("sentences")))))
    assert next(row["tag_accuracy"] for row in rows if row["parser"] == "worse").startswith("0.5")
    page = html_report(tiny_run, worst=2)
    assert "bark</text>" in page
    assert "Right tags" in page
    assert "Right tags" in call("report", tiny_run.path)


def test_a_sentence_is_aligned_and_drawn(tiny_run: evaltools.Run, call: Callable[..., str]):
    alignment: Any = tiny_run.alignment(1, "worse")
    assert alignment.test == (("dogs", "N"), ("bark", "N"))
    (drawing,) = tiny_run.framework.view(Sentence(alignment), Viewing()).drawings
    assert "bark" in drawing.draw("svg")
    assert "bark" in call("draw", tiny_run.path, "--sentence", 1, "--parser", "worse", "--as", "svg")


@pytest.mark.parametrize("page", ["overview", "sentence", "worst_parses", "hotspots", "disagreement"])
def test_pages_show_it(open_app: Open, page: str):
    app = open_app(page, parser="worse", sentence="1")
    assert not app.exception
    assert not app.error
    if page == "worst_parses":
        assert app.main.dataframe[-1].value["tag_accuracy"].tolist()[:3] == [50.0, 50.0, 50.0]
    if page == "hotspots":
        assert (
            said(app, "answer")[0]
            == "worse has most wrong tags at V as N: 3 wrong tags, 75.0 % of all wrong tags, in 3 sentences."
        )
        assert blocks(app, "sentences")
    if page == "disagreement":
        assert said(app, "answer") == ["This run has no metric but Right tags: choose a parser to compare with."]
        compared = open_app(page, parser="worse", other="better")
        assert not compared.exception
    if page == "sentence":
        assert "Tags of worse" in said(app, "answer")[0]
        assert any("bark" in element.proto.json for element in app.get("bidi_component"))

"""A run as one HTML file: complete, safe, and in need of nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from html import escape
from html.parser import HTMLParser
from pathlib import Path

import pytest

import evaltools
from evaltools.blocks import Table, Text
from evaltools.outputs.hotspots import ask
from evaltools.outputs.html_report import html_report
from evaltools.outputs.sections import SECTIONS, Report, hotspots
from tests.commands import call, check_refused
from tests.pages.dependency_corpus import score_dependencies
from tests.pages.semantic_corpus import score_graphs
from tests.pages.tiny import HOSTILE_PARSER, score_tiny, write_files


class Content(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self._raw = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._raw = tag == "style"

    def handle_endtag(self, tag: str) -> None:
        self._raw = False

    def handle_data(self, data: str) -> None:
        if not self._raw:
            self.texts.append(data)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> evaltools.Run:
    return score_tiny(tmp_path_factory.mktemp("html"))


@pytest.fixture(scope="module")
def page(tiny: evaltools.Run) -> str:
    return html_report(tiny, worst=3)


@pytest.mark.slow
def test_it_has_every_part(tiny: evaltools.Run, page: str):
    text = " ".join(Content(page).texts)
    parts = ("Label confusions", "The 3 worst parses", "Kummerfeld", tiny.signature, HOSTILE_PARSER)
    for part in (*parts, *(section.title for section in SECTIONS.values() if section.applies(tiny))):
        assert part in text, part


def test_figures_are_those_of_the_run(tiny: evaltools.Run, page: str):
    summary = tiny.summary().set_index(["parser", "metric"])
    text = " ".join(Content(page).texts)
    for parser in tiny.parsers:
        for figure in ("pooled", "mean", "pooled_all"):
            assert f"{100 * summary.loc[(parser, 'f1'), figure]:.2f}" in text


def test_what_comes_from_files_is_text_and_nothing_is_fetched(page: str):
    content = Content(page)
    assert not [tag for tag, _ in content.tags if tag in ("script", "iframe", "object", "embed", "link", "b")]
    attributes = [item for _, own in content.tags for item in own.items()]
    assert not [name for name, _ in attributes if name.startswith("on")]
    fetched = [value for name, value in attributes if name in ("src", "href", "xlink:href", "data")]
    assert all(value is None or value.startswith("#") for value in fetched)
    assert not re.search(r"@import|url\((?!#)", page)
    assert "alert[1]" in " ".join(content.texts)


def test_alignments_are_drawn_with_their_colors(page: str):
    content = Content(page)
    drawn = [one for tag, one in content.tags if tag == "svg" and "evaltools" in str(one.get("class"))]
    assert len(drawn) >= 6
    assert (
        page.count(".evaltools.auto .missing>.box") == 2
    )  # once for all drawings of a kind, and with a > that CSS understands


def test_the_costliest_errors_come_before_the_figures_with_examples(tiny: evaltools.Run, page: str):
    text = " ".join(" ".join(Content(page).texts).split())
    lead = text[: text.rindex("What each figure is")]
    example = re.search(
        r"Sentence \d+: .*?\.", lead[lead.rindex(f"Wrong brackets of {HOSTILE_PARSER} by error type: ") :]
    )
    assert example is not None
    assert page.index(">Costliest errors</h2>") < page.index("<svg") < page.index(">Figures</h2>")
    assert "better has no errors." in text


@pytest.mark.slow
def test_parsers_come_best_first_and_figures_are_explained(tmp_path: Path):
    files = write_files(tmp_path)
    page = html_report(evaltools.score(files["gold"], {name: files[name] for name in ("worse", "better")}), worst=1)
    figures = page[page.index(">Figures</h2>") : page.index(">Significance</h2>")]
    assert re.findall(r'<tr><td class="text">(\w+)</td>', figures)[:2] == ["better", "worse"]
    assert re.findall(r"<h3>(\w+)</h3>", page[page.index(">Worst parses</h2>") :]) == ["better", "worse"]
    assert "Share of the words with a gold tag that have the right tag, in %." in figures


@pytest.mark.slow
def test_other_kinds_of_runs(tmp_path: Path):
    run = score_dependencies(tmp_path)
    arcs = html_report(run, worst=1)
    assert "LAS" in arcs
    for part in ("Relation confusions", "Wrong heads"):
        assert f"<h4>{part}</h4>" in arcs
    folder = Path(__file__).parents[2] / "sample_data" / "semantics"
    graphs = html_report(evaltools.score(folder / "gold.eds", {"small": folder / "grammar-small.eds"}), worst=1)
    assert "EDM" in graphs
    assert "loses" not in graphs[: graphs.index("Costliest errors")]
    assert re.search(r"Costliest errors.*Lost triples of small by .*Sentence \d+: ", graphs, re.DOTALL)
    for part in ("Predicate", "Role of a predicate", "Predicate confusions"):
        assert f"<h4>{part}</h4>" in graphs
    assert "_q</text>" in graphs
    trees = run.meta["gold"]["path"], run.meta["parsers"][0]["path"]
    across = evaltools.crossframework({"words": trees[0]}, {"one": ("words", trees[1])})
    bars = html_report(across, worst=1)
    assert "TedEval" in bars
    assert 'class="evaltools auto' in bars


@pytest.mark.slow
def test_the_command_writes_it_and_replaces_nothing_unasked(tiny: evaltools.Run, tmp_path: Path):
    out = tmp_path / "report.html"
    command = ("html", tiny.path, "-o", out, "--worst", 1)
    first = call(*command)
    assert (first.returncode, first.stderr) == (0, "")
    assert out.read_text("utf-8").startswith("<!DOCTYPE html>")
    check_refused("--force", *command)
    assert call(*command, "--force").returncode == 0


def test_unknown_metrics_are_refused(tiny: evaltools.Run):
    with pytest.raises(evaltools.ParameterError, match="nearest: f1, "):
        html_report(tiny, metric="f2")
    with pytest.raises(evaltools.ParameterError, match="negative"):
        html_report(tiny, worst=-1)


@pytest.mark.parametrize(("right", "said"), [(0, "yes"), (29, "no")])
@pytest.mark.slow
def test_the_table_of_pairs_says_which_difference_is_significant(tmp_path: Path, right: int, said: str):
    good, bad = "(S (NP (N a)) (VP (V b) (NP (N c))))\n", "(S (X (N a)) (Y (V b) (Z (N c))))\n"
    for name, text in {"gold": good * 30, "one": good * 30, "other": good * right + bad * (30 - right)}.items():
        (tmp_path / name).write_text(text)
    run = evaltools.score(tmp_path / "gold", {name: tmp_path / name for name in ("one", "other")}, metrics=["e"])
    page = html_report(run, worst=0)
    (row,) = re.findall(r'<tr><td class="text">one</td><td class="text">other</td>.*?</tr>', page)
    assert re.findall(r">([^<]*)</td>", row)[6:] == [said, str(30 - right)]


@pytest.mark.slow
def test_sections_are_printed_with_the_figures_and_words_of_the_page(tiny: evaltools.Run, page: str):
    printed = call("report", tiny.path, "--section", "all")
    assert (printed.returncode, printed.stderr) == (0, "")
    report = Report.of(tiny, n_worst=3)
    for section in SECTIONS.values():
        blocks = section.blocks(report)
        assert section.applies(tiny) or not blocks
        for block in blocks:
            if isinstance(block, Table):
                assert all(escape(cell) in page for row in block.cells for cell in row)
                assert all(head.split()[0] in printed.stdout for head in block.heads if head)
            elif isinstance(block, Text):
                assert escape(block.text) in page
    check_refused("ranks", "report", tiny.path, "--section", "rank")


@pytest.mark.parametrize("score", [score_tiny, score_dependencies, score_graphs])
def test_tables_of_hotspots_are_the_first_rows_that_the_app_shows(
    tmp_path: Path, score: Callable[[Path], evaltools.Run]
):
    run = score(tmp_path)
    questions = run.framework.questions()
    names = {questions.hotspots[name].title: name for name in questions.excerpts}
    blocks = [(parser, block) for parser in run.parsers for block in hotspots(replace(Report.of(run), parser=parser))]
    tables = [(parser, block) for parser, block in blocks if isinstance(block, Table)]
    assert tables
    for parser, block in tables:
        table = ask(run, questions.hotspots[names[block.title]], parser)
        assert 0 < len(block.rows) <= 8
        assert set(block.columns) <= set(table.columns)
        for row, own in zip(block.rows, table.rows.to_dict("records"), strict=False):
            assert repr(row) == repr([own[column.name] for column in block.columns])


def test_a_run_of_part_of_the_metrics_has_what_it_can(tmp_path: Path):
    (tmp_path / "g").write_text("(S (A a) (B b))\n")
    run = evaltools.score(tmp_path / "g", {"same": tmp_path / "g"}, metrics=["f1"], out=tmp_path / "r")
    assert hotspots(Report.of(run)) == []

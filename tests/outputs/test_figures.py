"""Figures and tables as text: units, and nothing cut."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import evaltools
from evaltools.blocks import Column, Table, text_columns
from evaltools.outputs.tables import console_text
from tests.commands import call

GOLD = """\
(S (NP (DT the) (NN dog)) (VP (VBZ barks) (ADVP (RB loudly))))
(S (NP (PRP she)) (VP (VBD saw) (NP (PRP him))))
"""
TEST = """\
(S (NP (DT the) (NN dog)) (X (VBZ barks)) (Y (RB loudly)))
(S (NP (PRP she)) (VP (VBD saw)) (Z (PRP him)))
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("figures")
    (folder / "gold.ptb").write_text(GOLD)
    (folder / "test.ptb").write_text(TEST)
    evaltools.score(folder / "gold.ptb", {"one": folder / "test.ptb", "same": folder / "gold.ptb"}, out=folder / "run")
    return folder / "run"


COMMANDS = {
    ("report",): 1,
    ("report", "--parser", "one"): 1,
    ("report", "--all"): 4,
    ("compare", "one", "same", "--metric", "errors", "--iterations", "20"): 1,
    ("compare", "one", "same", "--metric", "errors_per_100_words", "--iterations", "20"): 0,
    ("html", "--metric", "errors", "-o", "report.html"): 4,
}
"""Commands, and in how many tables at least the figure stands."""


@pytest.mark.parametrize(("arguments", "tables"), COMMANDS.items(), ids=map(" ".join, COMMANDS))
def test_numbers_of_errors_are_no_percentages(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], tables: int
):
    # sentence 1: VP is relabeled X, Y is ADVP, and X ends too early; sentence 2: the object is moved and relabeled
    monkeypatch.chdir(tmp_path)
    result = call(arguments[0], run, *arguments[1:])
    assert result.returncode == 0, result.stderr
    text = (tmp_path / "report.html").read_text() if arguments[0] == "html" else result.stdout
    assert len(re.findall(r"\b2\.50\b", text)) >= tables
    assert re.search(r"\b250\.0", text) is None
    if "errors_per_100_words" in arguments:
        assert "71.43 less than one by" in text  # 5 errors in 7 words
        assert "Errors per 100 words, micro" in text


def test_the_units_of_figures_are_stated(run: Path):
    assert "Errors/sent." in call("report", run).stdout
    assert "Errors per sentence" in call("report", run, "--all").stdout


def test_numbers_of_errors_of_a_sentence_are_whole(run: Path):
    rows = [line.split() for line in call("report", run, "--sentences", "--parser", "one").stdout.splitlines()]
    assert [row[-2] for row in rows if row[:1] == ["one"]] == ["3", "2"]


LONG = "a parser with a name that is longer than any column of a table ought to be, and goes on " * 3


def test_no_name_and_no_figure_of_a_report_is_cut(tmp_path: Path):
    (tmp_path / "gold.ptb").write_text(GOLD)
    (tmp_path / "test.ptb").write_text(TEST.splitlines()[0] + "\n(())\n")
    parsers = {LONG.strip(): tmp_path / "test.ptb", "same": tmp_path / "gold.ptb"}
    run = evaltools.score(tmp_path / "gold.ptb", parsers, out=tmp_path / "run")
    commands = [("report",), ("report", "--sentences"), ("report", "--labels"), ("ranks",), ("disagree", "--matrix")]
    commands += [("disagree", "f1", "ted", "--parser", "same"), ("hotspots", LONG.strip())]
    for name, *more in commands:
        text = call(name, run.path, *more).stdout
        assert "…" not in text, name
        if name == "report":
            assert " ".join(text.split()).count(LONG.split()[-1]) or LONG.strip() in text


@pytest.mark.parametrize("width", [30, 50, 70, 100, 300])
def test_a_table_that_is_too_wide_becomes_several_that_name_their_rows(width: int):
    columns = [*text_columns("parser"), Column("sentence", "sentence"), *text_columns("status")]
    columns += [Column(f"metric {index}", f"metric {index}", "interval") for index in range(8)]
    figures = [f"{index}2.34 (n 1,188)" for index in range(8)]
    table = Table(columns, [[name, 17, "ok", *figures] for name in ("p", "q")])
    text = console_text([table], "signature", width)
    assert "…" not in text
    assert all(text.count(f" {index}2.34 (n 1,188)") == 2 for index in range(8))
    assert all(len(line) <= width for line in text.splitlines())
    rows = [tuple(line.split()) for line in text.splitlines() if line.startswith((" p ", " q "))]
    keys = ("17", "ok") if width > 50 else ()  # else the name alone is repeated
    assert {row[: 1 + len(keys)] for row in rows} == {("p", *keys), ("q", *keys)}
    assert text.count("parser") == (1 if width == 300 else len(rows) // 2)


def test_long_texts_are_wrapped_and_not_cut():
    table = Table([Column("n", "n"), *text_columns("words")], [[1, "word " * 50 + "x" * 200]])
    text = console_text([table], "signature", 80)
    assert "…" not in text
    assert (text.count("word") - 1, text.count("x")) == (50, 200)

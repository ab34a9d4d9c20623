"""Figures and tables as text: units, and nothing cut."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import evaltools
from tests.commands import call

if TYPE_CHECKING:
    from pathlib import Path

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
    ("report",): 4,  # once in each of the four tables
    ("report", "--parser", "one"): 4,
    ("compare", "one", "same", "--metric", "r_errors", "--iterations", "20"): 1,
    ("compare", "one", "same", "--metric", "r_errors_per_100_words", "--iterations", "20"): 0,
    ("html", "--metric", "r_errors", "-o", "report.html"): 4,
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
    if "r_errors_per_100_words" in arguments:
        assert re.search(r"one +71\.43\n", text)  # 5 errors in 7 words
        assert "Errors per 100 words, micro" in text


def test_the_units_of_figures_are_stated(run: Path):
    assert call("report", run).stdout.startswith("Percentages; Errors: per sentence\n")


def test_numbers_of_errors_of_a_sentence_are_whole(run: Path):
    rows = [line.split() for line in call("report", run, "--sentences", "--parser", "one").stdout.splitlines()]
    assert [row[-2] for row in rows if row[:1] == ["one"]] == ["3", "2"]

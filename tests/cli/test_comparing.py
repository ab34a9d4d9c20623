"""``evaltools disagree``, called as other programs call it."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import evaltools

if TYPE_CHECKING:
    from pathlib import Path

GOLD = """\
(S (NP (DT the) (NN dog)) (VP (VBZ barks)))
(S (NP (PRP she)) (VP (VBD saw) (NP (PRP him))))
(S (VP (VB go)))
(S (NP (NN rain)) (VP (VBZ falls)))
"""
TEST = """\
(S (NP (DT the) (NN dog)) (VP (VBZ barks)))
(S (NP (PRP she)) (VP (VBD saw)) (NP (PRP him)))
(X (VP (VB go)))
(())
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("comparing")
    (folder / "gold.ptb").write_text(GOLD)
    (folder / "test.ptb").write_text(TEST)
    evaltools.score(folder / "gold.ptb", {"one": folder / "test.ptb"}, out=folder / "run")
    return folder / "run"


def call(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "evaltools.cli", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)


def test_json_has_the_distance_the_tenths_and_the_extremes(run: Path):
    result = call("disagree", run, "e_dice_roof", "t_dice", "--parser", "one", "--format", "json")
    assert result.returncode == 0, result.stderr
    found = json.loads(result.stdout)
    # E roof Dice: 1, 3/4, 1/2; T Dice of the third: 2 nodes of 3 keep their label
    assert found["n"] == 3
    assert found["kendall_distance"] == 0
    assert found["tau_b"] == pytest.approx(1)
    assert set(found["deciles"]) == {"a_in_b", "b_in_a"}
    assert all(len(counts) == 10 for counts in found["deciles"].values())
    first = found["extremes"][0]
    assert set(first) == {"sentence", "a", "b", "rank_difference"}
    assert [(row["sentence"], row["a"]) for row in found["extremes"]] == [(1, 1), (2, 0.75), (3, 0.5)]


def test_csv_has_a_row_a_sentence_and_text_names_the_metrics(run: Path):
    arguments = ("disagree", run, "e_dice_roof", "la_strict", "--parser", "one")
    rows = list(csv.DictReader(io.StringIO(call(*arguments, "--format", "csv", "--limit", 2).stdout)))
    assert len(rows) == 2
    assert {"sentence", "e_dice_roof", "la_strict", "rank_difference"} <= set(rows[0])
    text = call(*arguments).stdout
    assert "E Dice (F1), roof" in text
    assert "Kendall distance" in text
    assert "she saw him" in text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("e_dice_roof", "x", "--parser", "one"), "unknown metric 'x'"),
        (("e_dice_roof", "t_dice", "--parser", "two"), "unknown parser 'two'"),
        (("e_dice_roof", "t_dice", "--parser", "one", "--format", "xml"), "unknown format 'xml'"),
    ],
)
def test_what_is_unknown_is_said_in_one_line(run: Path, arguments: tuple[str, ...], said: str):
    result = call("disagree", run, *arguments)
    assert result.returncode == 2
    assert said in result.stderr
    assert result.stderr.count("\n") == 1

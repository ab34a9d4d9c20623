"""Which sentences a figure is over: each metric has its own number, and all of them are accounted for."""

from __future__ import annotations

import csv
import io
import json

import pytest

import evaltools
from evaltools.analysis.comparison import compare_in_run
from evaltools.outputs.comparison import comparison_report
from evaltools.outputs.figures import REPORTS
from evaltools.outputs.selection import Selection

GOLD = "(TOP (S (NP (A a)) (VP (B b))))\n" * 3 + "(TOP (C c))\n"
FEWER = GOLD  # of the last there is nothing to score
MORE = "(TOP (S (NP (A a)) (X (B b))))\n" * 3 + "(TOP (X (C c)))\n"
NONE = "(TOP (S (NP (A a)) (VP (B b))))\n(())\n" + "(TOP (A a) (B b))\n" + "(TOP (C c))\n"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> evaltools.Run:
    folder = tmp_path_factory.mktemp("coverage")
    texts = {"gold": GOLD, "fewer": FEWER, "more": MORE, "none": NONE}
    for name, text in texts.items():
        (folder / f"{name}.ptb").write_text(text)
    parsers = {name: folder / f"{name}.ptb" for name in ("fewer", "more", "none")}
    return evaltools.score(folder / "gold.ptb", parsers, out=folder / "run")


def figure(run: evaltools.Run, parser: str, metric: str, name: str) -> float:
    return float(run.summary().set_index(["parser", "metric"]).loc[(parser, metric), name])


def test_the_number_of_sentences_is_in_text_json_and_csv(run: evaltools.Run):
    text = REPORTS["text"](run, Selection(all_figures=True))
    row = next(line for line in text.split("\n") if line.startswith(" Bracketing F1, %") and "fewer" in line)
    assert "100.00 (n 3)" in row
    found = json.loads(REPORTS["json"](run, Selection(all_figures=True)))["parsers"]["more"]["metrics"]["f1"]
    assert (found["n"], found["n_pooled"]) == (4, 4)
    rows = {
        (row["parser"], row["metric"]): row
        for row in csv.DictReader(io.StringIO(REPORTS["csv"](run, Selection(all_figures=True))))
    }
    assert rows["fewer", "f1"]["n"] == "3"
    assert rows["none", "f1"]["n_unscored"] == "1"


def test_compare_says_how_many_sentences_each_parser_has(run: evaltools.Run):
    found = compare_in_run(run, "f1", "fewer", "none", over="scored", iterations=99)
    text = comparison_report(run, found, 1, "text")
    assert "fewer has 4 sentences." in text
    assert "99 iterations; interval of the difference by 99 paired resamples" in text
    assert "The difference is not significant" in text
    content = json.loads(comparison_report(run, found, 1, "json"))
    assert (content["n"], content["n_a"], content["n_b"]) == (3, 4, 3)
    assert (content["iterations"], content["resamples"], content["significant"]) == (99, 99, False)


def test_over_all_sentences_precision_of_no_parse_and_of_a_parse_without_brackets_is_0(run: evaltools.Run):
    # right, no parse, no bracket; the last sentence has none in the gold tree either
    assert figure(run, "none", "precision", "mean") == 1
    assert figure(run, "none", "precision", "mean_all") == pytest.approx(1 / 3)
    assert figure(run, "none", "precision", "n_mean_all") == 3


def test_a_missing_parse_is_not_counted_as_one_without_crossing_brackets(run: evaltools.Run):
    assert figure(run, "none", "crossing", "n_mean_all") == 3

"""``evaltools disagree`` and ``evaltools compare``, called as other programs call them."""

from __future__ import annotations

import json
import shlex
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

import evaltools
from evaltools.analysis.comparison import compare_in_run
from evaltools.outputs.comparison import second_in_words
from tests.commands import call, check_refused, json_of, rows_of

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


def test_json_has_the_distance_the_tenths_and_the_extremes(run: Path):
    found = json_of("disagree", run, "f1", "ted", "--parser", "one")
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
    arguments = ("disagree", run, "f1", "la_exact", "--parser", "one")
    rows = rows_of(*arguments, "--limit", 2)
    assert len(rows) == 2
    assert {"sentence", "f1", "la_exact", "rank_difference"} <= set(rows[0])
    text = call(*arguments).stdout
    assert "Bracketing F1" in text
    assert "Kendall distance" in text
    assert "she saw him" in text


def test_long_sentences_stand_beside_their_figures(tmp_path: Path):
    trees = [f"(S {' '.join(f'(N dog{number})' for number in range(n))})" for n in (60, 70)]
    evaltools.score(trees, {"one": trees}, out=tmp_path / "run")
    lines = [line for line in call("disagree", tmp_path / "run").stdout.splitlines() if "dog0 dog1" in line]
    assert [line.split()[0] for line in lines] == ["1", "2"]
    assert all("…" in line for line in lines)


@pytest.mark.parametrize(
    ("message", "arguments"),
    [
        ("two different parsers are compared, not one with itself", "compare one one"),
        ("two different parsers are compared, not one with itself", "hotspots one --compare-with one"),
        ("two different metrics are compared, not ted with itself", "disagree ted ted --parser one"),
        ("unknown metric 'x'", "disagree f1 x --parser one"),
        ("unknown parser 'two'", "disagree f1 ted --parser two"),
        ("unknown parser 'nobody'", "compare one nobody"),
        ("unknown metric 'x'", "compare one two --metric x"),
        ("unknown format 'csv'", "compare one two --format csv"),
    ],
)
def test_what_cannot_be_compared_is_said(run: Path, message: str, arguments: str):
    command, *options = shlex.split(arguments)
    check_refused(message, command, run, *options)


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("two")
    (folder / "gold.ptb").write_text(GOLD * 10)
    (folder / "worse.ptb").write_text(TEST * 10)
    (folder / "same.ptb").write_text(GOLD * 10)
    parsers = {"worse": folder / "worse.ptb", "same": folder / "same.ptb"}
    evaltools.score(folder / "gold.ptb", parsers, out=folder / "run")
    return folder / "run"


def test_two_parsers_are_compared_on_the_sentences_both_score(two: Path):
    arguments = ("compare", two, "same", "worse", "--iterations", 999, "--seed", 3, "--format", "json")
    everything = json.loads(call(*arguments).stdout)
    # with it: 12 of 12 roof brackets right against 7 of 12
    assert (everything["n"], everything["over"]) == (40, "all")
    assert everything["difference"] == pytest.approx(1 - 14 / 21)
    arguments = (*arguments, "--parsed-only")
    result = call(*arguments)
    assert result.returncode == 0, result.stderr
    found = json.loads(result.stdout)
    assert (found["metric"], found["a"], found["b"]) == ("f1", "same", "worse")
    # without the sentence that the one has no parse of: 9 of 9 roof brackets right against 7 of 9
    assert found["n"] == 30
    assert found["value_a"] == 1
    assert found["difference"] == pytest.approx(1 - 14 / 18)
    assert found["p"] == pytest.approx(1 / 1000)
    assert found["ci"][0] < found["difference"] < found["ci"][1]
    assert (found["iterations"], found["seed"]) == (999, 3)
    assert call(*arguments).stdout == result.stdout
    assert call(*arguments, "--metric", "F1").stdout == call(*arguments, "--metric", "f1").stdout == result.stdout


def test_json_has_the_effect_size_and_classes_that_add_up(two: Path):
    found = json_of("compare", two, "worse", "same", "--iterations", 99, "--parsed-only")
    # of every four sentences one has no parse; of the other three the second and the third are worse, the first equal
    effect = found["effect"]
    assert (effect["n"], effect["better"], effect["equal"], effect["worse"]) == (30, 0, 10, 20)
    assert effect["mean_difference"] == pytest.approx((0 - 0.25 - 0.5) / 3)
    assert effect["d_z"] == pytest.approx(effect["mean_difference"] / effect["standard_deviation"])
    by_family: dict[str, list[dict[str, float]]] = {}
    for one in found["classes"]:
        by_family.setdefault(one["family"], []).append(one)
    assert set(by_family) == {"length", "better", "label"}
    for family in ("length", "better"):
        assert sum(one["contribution"] for one in by_family[family]) == pytest.approx(found["difference"])
        assert sum(one["share"] for one in by_family[family]) == pytest.approx(1)
        assert sum(one["n"] for one in by_family[family]) == 30
    assert {one["class"]: one["n"] for one in by_family["label"]} == {"S": 30, "VP": 30, "NP": 20}
    assert by_family["better"][0]["class"] == "equal scores"
    assert by_family["better"][0]["ci"] == [0, 0]


def test_a_comparison_as_text_gives_the_numbers(two: Path):
    arguments = ("compare", two, "same", "worse", "--metric", "la_exact", "--iterations", 99, "--parsed-only", "--all")
    text = call(*arguments).stdout
    assert "leaf-ancestor" in text.lower() or "LA" in text
    assert "p = 0.01" in text
    assert "95 % interval" in text
    assert "the 30 sentences both have" in text
    assert "Effect size d_z = " in text
    assert "Of 30 sentences, same is better on 20 (66.67 %), both are equal on 10 (33.33 %)" in text
    assert "Length in words: the contributions add up to the difference" in text
    assert "Phrase label in the gold tree" in text


def test_the_text_begins_with_result_wins_second_metric_and_lengths_and_ends_with_the_test(two: Path):
    done = call("compare", two, "worse", "same", "--iterations", 999)
    result, wins, second, errors, lengths, *_ = done.stdout.splitlines()
    assert result.startswith("same is significantly better: 33.33 points more than worse by Bracketing F1, micro")
    assert wins.startswith("Of 40 sentences, worse is better on 0 (0.00 %), both are equal on 10 (25.00 %) and same")
    assert second.startswith("Tree-edit similarity (Dice) agrees about which is ahead: same is significantly better: ")
    fewer = "20 fewer at NP attachment and 20 fewer at wrong label"
    assert errors == f"Wrong brackets of same: {fewer} (significant differences)."
    assert lengths.startswith(
        "Lengths: the 10 sentences of 2 words contribute most, 15.53 of 33.33 points (95 % interval"
    )
    assert lengths.endswith("47 % of the difference with 20 % of the denominator.")
    assert "Error types, brackets of each parser" in done.stdout
    assert "Effect size" not in done.stdout
    assert "One paired permutation test for each metric over the sentences" in done.stdout


def test_the_second_metric_is_the_main_one_where_that_is_not_compared(two: Path):
    pairs = {
        name: json_of("compare", two, "worse", "same", "--iterations", 99, "--metric", name) for name in ("f1", "ted")
    }
    assert (pairs["f1"]["second"]["metric"], pairs["ted"]["second"]["metric"]) == ("ted", "f1")
    for first, second in (("f1", "ted"), ("ted", "f1")):
        alone, beside = pairs[first], pairs[second]["second"]
        assert {name: beside[name] for name in ("difference", "p", "ci")} == {
            name: alone[name] for name in ("difference", "p", "ci")
        }


def test_two_metrics_that_disagree_are_both_in_words(two: Path):
    pair = compare_in_run(evaltools.Run(two), "f1", "worse", "same", iterations=99).comparison
    other = replace(pair, metric="ted", value=0.903, value_b=0.9, low=-0.01, high=0.016, p=0.4, p_adjusted=0.4)
    unsure = second_in_words(pair, other, 40)
    assert unsure.startswith("Tree-edit similarity (Dice) disagrees: worse has 0.30 points more than same by Tree-edit")
    assert unsure.endswith("The difference is not significant.")
    equal = second_in_words(pair, replace(other, value_b=other.value), 40)
    assert equal.startswith("Tree-edit similarity (Dice) says: worse and same have the same figure")
    # fewer errors are better: a difference of the same sign disagrees
    fewer = second_in_words(pair, replace(pair, metric="errors"), 40)
    assert fewer.startswith("Errors per sentence disagrees: ")


def test_error_types_follow_the_rules_that_are_named(tmp_path: Path):
    gold, test = "(S (VP (VB a) (NP (NN b))) (SQ (VB c)))\n", "(S (VP (VB a) (NP (NN b) (SQ (VB c)))))\n"
    for name, text in {"gold": gold, "one": test, "two": gold}.items():
        (tmp_path / f"{name}.ptb").write_text(text * 2)
    parsers = {"one": tmp_path / "one.ptb", "two": tmp_path / "two.ptb"}
    evaltools.score(tmp_path / "gold.ptb", parsers, out=tmp_path / "run")
    (tmp_path / "mine.toml").write_text('[[type]]\nid = "q"\ntitle = "my type"\n[[rule]]\ntype = "q"\nmoved = ["SQ"]\n')

    def compared(*options: object) -> subprocess.CompletedProcess[str]:
        return call("compare", tmp_path / "run", "one", "two", "--iterations", 9, "--all", *options)

    assert "unclassified" in compared().stdout
    assert "clause attachment" in compared("--error-rules", "ptb-wide").stdout
    assert "my type" in compared("--error-rules", tmp_path / "mine.toml").stdout
    wrong = compared("--error-rules", "none")
    assert wrong.returncode != 0
    assert "ptb-wide" in wrong.stderr
    assert "Traceback" not in wrong.stderr

"""The command line on dependency trees."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from evaltools.corpus import DependencyTree
from tests.commands import call, check_refused, json_of, rows_of
from tests.runs.dependency_files import NEAR, PASSIVE, TREE, conllu


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "gold.conllu").write_text(conllu(TREE, PASSIVE), "utf-8")
    (tmp_path / "near.conllu").write_text(conllu(NEAR, PASSIVE), "utf-8")
    (tmp_path / "gold.ptb").write_text("(S (N dogs))\n", "utf-8")
    return tmp_path


@pytest.fixture
def run(files: Path) -> Path:
    arguments = ("score", files / "gold.conllu", f"near={files / 'near.conllu'}", "-o", files / "run")
    assert call(*arguments).returncode == 0
    return files / "run"


def test_the_report_as_json(run: Path):
    report = json_of("report", run, "--all")
    metrics = report["parsers"]["near"]["metrics"]
    assert {"uas", "las", "label", "la_exact", "la", "ud_words", "mlas"} <= set(metrics)
    assert metrics["uas"]["pooled"] == pytest.approx(7 / 8)
    assert metrics["las"]["pooled"] == pytest.approx(6 / 8)
    assert metrics["las"]["mean"] == pytest.approx((3 / 5 + 1) / 2)
    assert metrics["las"]["n"] == 2


def test_the_report_as_text_and_csv(run: Path):
    text = call("report", run).stdout
    assert "UAS" in text
    assert "Bracketing" not in text
    assert "75.00" in text
    rows = rows_of("report", run, "--sentences")
    assert list(rows[0])[:9] == [
        *("parser", "sentence", "words", "status"),
        *("uas", "las", "label", "la_exact", "la"),
    ]
    assert [rows[0][name] for name in ("dep_gold", "dep_test", "uas_right", "las_right", "label_right")] == [
        *("5", "5", "4", "3", "4")
    ]


def test_words_are_printed_with_their_columns(files: Path, run: Path):
    found = json_of("words", run, "near")
    assert [item["sentence"] for item in found["sentences"]] == [1, 2]
    words = found["sentences"][0]["words"]
    assert [word["gold"]["form"] for word in words] == list(TREE.forms)
    assert [word["test"]["deprel"] for word in words] == list(NEAR.relations)
    assert [word["differs"] for word in words] == [["deprel"], [], [], ["deprel"], ["upos", "head"]]
    rows = rows_of("words", run, "near", "--differing")
    assert [(row["sentence"], row["word"], row["differs"]) for row in rows] == [
        *(("1", "1", "deprel"), ("1", "4", "deprel"), ("1", "5", "upos head"))
    ]
    assert (rows[2]["gold_head"], rows[2]["test_head"]) == ("2", "4")
    text = call("words", run, "near", "--sentence", 1).stdout
    assert "Sentence 1: 3 of 5 words differ" in text
    assert "≠ nsubj:pass" in text
    assert "Sentence 2" not in text
    everything = json_of("words", run)["sentences"]
    assert len(everything) > 1
    assert json_of("words", run, "--limit", 1)["sentences"] == everything[:1]
    text = call("words", run, "--limit", 1).stdout
    assert f"The first 1 of {len(everything)} sentences\n" in text
    assert text.count("Sentence ") == 1
    assert call("words", run, "far").stderr == "evaltools: unknown parser 'far'; valid: near\n"


def test_words_that_one_side_lacks_and_columns_that_a_parser_leaves_empty(tmp_path: Path):
    gold = replace(TREE, lemmas=("I", "see", "the", "star", "."))
    test = DependencyTree(("I", "saw", "thestars", "."), (1, -1, 1, 1), ("nsubj", "root", "obj", "punct"))
    for name, tree in (("gold", gold), ("p", test)):
        (tmp_path / f"{name}.conllu").write_text(conllu(tree), "utf-8")
    run = tmp_path / "run"
    assert call("score", tmp_path / "gold.conllu", f"p={tmp_path / 'p.conllu'}", "-o", run).returncode == 0
    found = json_of("words", run, "p", "--differing")
    assert found["empty_columns"] == ["lemma", "upos"]
    words = found["sentences"][0]["words"]
    assert [(word["word"], word["test_word"]) for word in words] == [(None, 3), (3, None), (4, None)]
    assert (words[0]["gold"], words[1]["test"]) == (None, None)
    text = call("words", run, "p").stdout
    assert "p leaves lemma and upos empty" in text
    assert "> 3" in text
    assert "< 4" in text


def test_lineages_of_words_in_place_of_columns(run: Path):
    rows = rows_of("words", run, "near", "--lineages", "--sentence", 1)
    assert [row["form"] for row in rows] == list(TREE.forms)
    assert {row["la"] for row in rows if row["gold_lineage"] == row["test_lineage"]} == {"1.0"}
    assert "≠" not in call("words", run, "near", "--lineages").stdout


def test_words_of_constituency_trees_have_lineages(tmp_path: Path):
    (tmp_path / "gold.ptb").write_text("(S (NP (D the) (N dogs)) (VP (V bark)) (. .))\n(S (VP (V go)))\n", "utf-8")
    (tmp_path / "p.ptb").write_text("(S (NP (D the)) (NX (N dogs)) (VP (V bark)) (. .))\n\n", "utf-8")
    run = tmp_path / "run"
    assert call("score", tmp_path / "gold.ptb", f"p={tmp_path / 'p.ptb'}", "-o", run).returncode == 0
    first = {"word": "1", "form": "the", "la_exact": "0.8571428571428572", "la": "0.8571428571428572"}
    second = {"word": "2", "form": "dogs", "la_exact": "0.5714285714285714", "la": "0.7857142857142857"}
    assert rows_of("words", run, "--differing") == [
        {"sentence": "1", **first, "gold_lineage": "NP [ S", "test_lineage": "NP ] [ S"},
        {"sentence": "1", **second, "gold_lineage": "NP ] S", "test_lineage": "[ NX ] S"},
    ]
    text = call("words", run).stdout
    assert "Sentence 1: 2 of 3 words differ" in text
    assert "Sentence 2: no parse" in text
    found = json_of("words", run, "--sentence", 1)["sentences"][0]["words"][2]
    assert found == {
        "word": 3,
        "form": "bark",
        "la_exact": 1,
        "la": 1,
        "gold_lineage": "[ VP S ]",
        "test_lineage": "[ VP S ]",
    }


def test_two_trees_are_drawn():
    draw = ("draw", TREE.to_string())
    drawn = call(*draw, NEAR.to_string())
    assert "≠ obj ← 2 saw" in drawn.stdout
    check_refused("<parse>: constituency trees (Penn Treebank brackets); expected dependency", *draw, "(S (N a))")


@pytest.mark.parametrize("language", ["text", "svg", "latex"])
def test_enhanced_dependencies_are_drawn(language: str):
    enhanced = replace(
        TREE, deps=tuple(f"{head + 1}:{name}" for head, name in zip(TREE.heads, TREE.relations, strict=True))
    )
    arguments = ("draw", enhanced.to_string(), NEAR.to_string(), "--mapping", "enhanced")
    drawn = call(*arguments, "--as", language)
    assert drawn.returncode == 0
    assert TREE.relations[0] in drawn.stdout
    plain = call("draw", TREE.to_string(), *arguments[2:])
    assert (plain.returncode, plain.stderr) == (
        2,
        "evaltools: there are no enhanced dependencies: the column DEPS is empty, or these are no such trees\n",
    )


def test_what_counts_is_chosen(files: Path):
    arguments = ("score", files / "gold.conllu", f"near={files / 'near.conllu'}", "-o", files / "run", "--force")
    assert call(*arguments, "--punctuation", "upos", "--subtypes", "keep").returncode == 0
    report = json_of("report", files / "run", "--all")
    assert "punctuation:upos|subtypes:keep" in report["signature"]
    assert report["parsers"]["near"]["metrics"]["uas"]["pooled"] == 1
    assert report["parsers"]["near"]["metrics"]["las"]["pooled"] == pytest.approx(5 / 7)
    check_refused("unknown subtypes 'no'; valid: keep, drop", *arguments, "--subtypes", "no")


def test_reports_that_have_no_meaning(run: Path, files: Path):
    assert "evalb scores brackets" in call("report", run, "--format", "evalb").stderr
    check_refused("classes of triples are for runs of semantic graphs; --labels has", "report", run, "--classes")
    check_refused("--labels and --all cannot be combined", "report", run, "--labels", "--all")


def test_csv_of_sentences_keeps_counts_of_parts_of_a_word(tmp_path: Path):
    """MSLAS counts the share of a word's features; other counts are whole."""
    row = "1\tdogs\tdog\tNOUN\t_\t{}\t0\troot\t_\t_\n\n"
    (tmp_path / "gold.conllu").write_text(row.format("Case=Nom|Number=Plur"))
    (tmp_path / "p.conllu").write_text(row.format("Case=Acc|Number=Plur"))
    assert call("score", tmp_path / "gold.conllu", tmp_path / "p.conllu", "-o", tmp_path / "run").returncode == 0
    (counts,) = rows_of("report", tmp_path / "run", "--sentences")
    assert 0 < float(counts["ud_right_mslas"]) < 1
    assert counts["ud_right_las"] == "1"

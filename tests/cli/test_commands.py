"""The command line, called as other programs call it."""

from __future__ import annotations

import gzip
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from evaltools.frameworks.registry import FRAMEWORKS, METRICS
from evaltools.outputs.sections import SECTIONS
from tests.commands import call, check_refused, json_of, rows_of

GOLD = """\
(S (NP (DT the) (NN dog)) (VP (VBZ barks)) (. .))
(S (NP (PRP she)) (VP (VBD saw) (NP (PRP him))))
(S (NP (PRP it)) (VP (VBZ is)))
(S (NP (NN rain)) (VP (VBZ falls)))
"""
ONE = """\
(S (NP (DT the) (NN dog)) (VP (VBZ barks)) (. .))
(S (NP (PRP she)) (VP (VBD saw)) (NP (PRP him)))
(())
(S (NP (NN rain)) (VP (VBZ fell)))
"""


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "gold.ptb").write_text(GOLD)
    (tmp_path / "one.ptb").write_text(ONE)
    return tmp_path


@pytest.fixture
def run(files: Path) -> Path:
    result = call(
        "score", files / "gold.ptb", f"one={files / 'one.ptb'}", f"same={files / 'gold.ptb'}", "-o", files / "run"
    )
    assert result.returncode == 0
    return files / "run"


def test_scoring_writes_a_run_and_lists_problems(files: Path):
    result = call("score", files / "gold.ptb", f"one={files / 'one.ptb'}", "-o", files / "run")
    assert result.returncode == 0
    assert result.stdout.startswith("Bracketing F1, micro over all 4 sentences; preset standard\n")
    assert f"{files / 'one.ptb'}:4: word 2 'fell'; expected word 2 'falls'" in result.stderr
    assert (files / "run" / "meta.json").is_file()


def test_strict_scoring_ends_with_1_for_problems_and_keeps_the_run(files: Path):
    result = call("score", files / "gold.ptb", f"one={files / 'one.ptb'}", "-o", files / "run", "--strict")
    assert result.returncode == 1
    assert (files / "run" / "meta.json").is_file()
    clean = call("score", files / "gold.ptb", f"same={files / 'gold.ptb'}", "-o", files / "clean", "--strict")
    assert clean.returncode == 0
    assert clean.stderr == ""


def test_a_parser_without_a_name_has_that_of_its_file(files: Path, tmp_path: Path):
    folder = tmp_path / "more.parsers"
    folder.mkdir()
    (folder / "v2.best.ptb.gz").write_bytes(gzip.compress((files / "one.ptb").read_bytes()))
    done = call("score", files / "gold.ptb", files / "one.ptb", folder / "v2.best.ptb.gz", "-o", tmp_path / "n.run")
    assert done.returncode == 0
    parsers = json.loads((tmp_path / "n.run" / "meta.json").read_text())["parsers"]
    assert [parser["name"] for parser in parsers] == ["one", "v2.best"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("score gold.ptb =one.ptb -o r", "a parser is given as [NAME=]FILE, not '=one.ptb'"),
        ("score gold.ptb - -o r", "a parser is given as [NAME=]FILE, not '-'"),
        (
            "score gold.ptb one.ptb more/one.mrg.gz -o r",
            "two parsers are named 'one', 'one.ptb' and 'more/one.mrg.gz'; give another name, as in other=more/one.",
        ),
        ("score gold.ptb a=one.ptb a=one.ptb -o r", "two parsers are named 'a'"),
        ("score gold.ptb a=nowhere.ptb -o r", "nowhere.ptb: no such file; expected a readable file"),
        ("score . a=one.ptb -o r", ".: a folder; expected a readable file"),
        ("score gold.ptb a=one.ptb -o r --preset x", "unknown preset 'x'; valid: standard, keep, proper, collins"),
        ("score gold.ptb a=one.ptb -o r --preset evalb:no.prm", "no.prm: No such file or directory"),
        ("score gold.ptb a=one.ptb -o r --format x", "unknown format 'x'; valid: simplemrs, simpledmrs, eds"),
        (
            "score gold.ptb a=one.ptb -o r --metrics f2",
            "unknown metric 'f2'; nearest: f1, ufeats, f1_pos; common: recall, precision, f1,",
        ),
        ("score gold.ptb a=one.ptb -o r --engine x", "unknown engine 'x'; valid: banded, apted"),
        ("score gold.ptb a=one.ptb -o r --jobs 0", "jobs must be at least 1, not 0"),
        ("score - a=- -o r", "only one input can be standard input"),
        ("score gold.ptb a=one.ptb -o one.ptb", "one.ptb exists and is not a run of evaltools"),
        ("score gold.ptb", "Missing"),
        ("report nowhere", "nowhere is not a run of evaltools"),
        ("report run --format xml", "unknown format 'xml'; valid: text, json, csv, latex, evalb"),
        ("report run --parser x", "unknown parser 'x'; valid: one, same"),
        ("report run --sort x", "unknown metric 'x'; nearest: exact, "),
        ("report run --limit -1", "-1 is not in the range x>=0"),
        ("report run --all --limit 1", "--limit goes with --sentences and --labels"),
        ("report run --problems --format csv", "--problems cannot be combined with --format csv; valid: text"),
        ("run", "run is a run, not a gold file; its figures: evaltools report run"),
        ("draw run", "has 4 sentences; give the number of one with --sentence N"),
        ("draw run --sentence 9 --parser one", "no sentence 9; there are 4, counted from 1"),
        ("draw '(S (X a)' '(S (X a))'", "<gold>:1:1: '(' that is never closed; expected ')'"),
        ("draw '(S a)' '(S a)' --as gif", "unknown drawing 'gif'; valid: svg, png, pdf"),
        ("draw '(S a)' '(S a)' --mapping x", "unknown mapping 'x'; valid: e, t"),
        ("preset x", "unknown preset 'x'"),
        ("app nowhere", "nowhere is not a run of evaltools"),
        ("app --port 0", "port 0 is out of range; expected 1 to 65535"),
        (
            "app --address everybody",
            "'everybody' is not an IP address; expected 127.0.0.1 (only this computer), 0.0.0.0",
        ),
        ("app --address 192.0.2.77", "this computer does not have the address 192.0.2.77"),
        ("nonsense", "no file 'nonsense' and no command of this name; the commands: score, verify"),
        ("scroe gold.ptb one.ptb", "no command of this name; did you mean evaltools score?"),
        ("nowhere/gold.ptb one.ptb", "nowhere/gold.ptb: no such file"),
    ],
)
def test_wrong_use_is_one_clear_message_and_status_2(files: Path, run: Path, arguments: str, message: str):
    result = call(*shlex.split(arguments), cwd=files)
    assert result.returncode == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    assert not (files / "r").exists()


def test_json_report_has_the_fixed_keys(run: Path):
    report = json_of("report", run, "--all")
    assert set(report) == {"signature", "preset", "parsers"}
    assert report["preset"] == "standard"
    assert list(report["parsers"]) == ["one", "same"]
    one = report["parsers"]["one"]
    assert set(one) == {"sentences", "scored", "missing", "words_differ", "words_aligned", "metrics"}
    counts = ("sentences", "scored", "missing", "words_differ", "words_aligned")
    assert [one[name] for name in counts] == [4, 3, 1, 1, 1]
    assert set(one["metrics"]) == {metric.id for metric in FRAMEWORKS["constituency"].metrics} - {"la_costs"}
    for figures in one["metrics"].values():
        names = {"pooled", "mean", "pooled_all", "mean_all"}
        numbers = {"n", "n_pooled", "n_pooled_all", "n_mean_all", "n_undefined", "n_unscored"}
        assert set(figures) == names | numbers
    same = report["parsers"]["same"]["metrics"]
    defined = [name for name in same if not METRICS[name].place.if_defined]
    assert all(same[name]["pooled"] == (1 if METRICS[name].higher_is_better else 0) for name in defined)


def test_it_says_where_evalb_itself_would_have_stopped(files: Path):
    (files / "other.ptb").write_text("(S (X other))\n" * 4)
    (files / "few.prm").write_text("MAX_ERROR 1\n")
    preset = f"evalb:{files / 'few.prm'}"
    call("score", files / "gold.ptb", f"other={files / 'other.ptb'}", "-o", files / "r", "--preset", preset)
    result = call("report", files / "r", "--format", "evalb")
    assert result.stderr == "other: 4 sentences in error; evalb stops at number 3 (MAX_ERROR 1)\n"
    assert "Number of Error sentence  =      4" in result.stdout


def test_a_parser_needs_a_printable_name(files: Path):
    message = "a parser's name must be printable text: 'a\\nb'"
    check_refused(message, "score", files / "gold.ptb", f"a\nb={files / 'one.ptb'}", "-o", files / "r")


def test_undefined_values_are_null_in_json_and_empty_in_csv(tmp_path: Path):
    (tmp_path / "gold.txt").write_text("[S a [T b ] ]\n")
    (tmp_path / "test.txt").write_text("\n")
    call("score", tmp_path / "gold.txt", f"x={tmp_path / 'test.txt'}", "-o", tmp_path / "run", "--format", "sampson")
    metrics = json_of("report", tmp_path / "run", "--all")["parsers"]["x"]["metrics"]
    figures = ("pooled", "mean", "pooled_all", "mean_all")
    assert {name: metrics["tagging"][name] for name in figures} == dict.fromkeys(figures)
    assert (metrics["tagging"]["n"], metrics["tagging"]["n_mean_all"]) == (0, 0)
    assert metrics["f1"]["mean_all"] == 0
    assert metrics["recall"]["pooled"] is None
    assert metrics["recall"]["pooled_all"] == 0
    rows = rows_of("report", tmp_path / "run", "--sentences")
    assert rows[0]["status"] == "missing"
    assert rows[0]["f1"] == rows[0]["ted"] == rows[0]["la_exact"] == ""


def test_csv_of_sentences_has_the_fixed_columns(run: Path):
    rows = rows_of("report", run, "--sentences")
    counts = "e_gold_roof e_test_roof e_matched_roof e_gold_whole e_test_whole e_matched_whole "
    counts += "t_gold t_test t_deleted t_inserted t_swapped t_matched "
    counts += "r_steps r_brackets r_moves r_relabels r_adds r_removes"
    ids = [metric.id for metric in FRAMEWORKS["constituency"].metrics if metric.id != "la_costs"]
    assert list(rows[0]) == ["parser", "sentence", "words", "status", *ids, *counts.split()]
    assert [(row["parser"], row["sentence"]) for row in rows] == [
        (p, str(s)) for p in ("one", "same") for s in range(1, 5)
    ]
    assert [row["status"] for row in rows[:4]] == ["ok", "ok", "missing", "words_differ"]
    second = rows[1]
    assert [second[name] for name in counts.split()] == [
        *("4", "4", "3", "7", "7", "6"),
        *("10", "10", "1", "1", "0", "9"),
        *("1", "2", "1", "0", "0", "0"),
    ]
    differs = rows[3]
    assert float(differs["f1"]) == float(differs["la_exact"]) == 1
    assert float(differs["ted"]) == pytest.approx(1 - 1 / 12)


def test_sentences_come_worst_first_and_limited(run: Path):
    rows = rows_of("report", run, "--parser", "one", "--sort", "ted", "--limit", "2")
    assert [row["sentence"] for row in rows] == ["2", "4"]
    assert len(rows_of("report", run, "--parser", "one", "--sort", "crossing", "--limit", "1")) == 1
    by_name, by_alias = (call("report", run, "--sort", name, "--limit", "1").stdout for name in ("ted", "t_dice"))
    assert by_name == by_alias != ""


def test_text_report_shows_every_parser_with_coverage_and_signature(run: Path):
    text = call("report", run).stdout
    assert text.startswith("Bracketing F1, micro over all 4 sentences; preset standard")
    assert [line.split()[0] for line in text.splitlines()[3:5]] == ["same", "one"]
    assert "Sentences whose words differ are scored over aligned words" in text
    assert "aligned words" not in call("report", run, "--parser", "same").stdout
    everything = call("report", run, "--all").stdout
    assert all(title in everything for title in ("micro,", "macro,", "parsed only", "Unlabeled bracketing Jaccard, %"))
    counts = call("report", run, "--counts").stdout.splitlines()
    assert counts[0] == "Counts over all 4 sentences"
    heads = ["metric", "parser", "G", "T", "M", "D", "I", "S", "W", "cost, nodes", "cost, repairs"]
    assert re.split("  +", counts[2].strip()) == heads
    rows = json_of("report", run, "--counts")["counts"]
    (f1,) = (row for row in rows if (row["metric"], row["parser"]) == ("f1", "same"))
    assert f1["G"] == f1["T"] == f1["M"] > 0
    assert f1["D"] == f1["I"] == 0
    assert f1["S"] is None
    latex = call("report", run, "--format", "latex").stdout
    assert "Bracketing F1 and other figures, micro over all 4 sentences; percent where no other unit is named" in latex
    assert "evaltools:0.3.0|preset:standard|gold:" in text
    assert "1 problem in the input, 1 missing parse; list them with --problems" in text
    assert "sentence" in call("report", run, "--sentences").stdout


def test_missing_sentences_and_those_with_other_words_stand_in_their_columns(tmp_path: Path):
    tree = "(S (NP (N rain)) (VP (V fell)))\n"
    (tmp_path / "gold.ptb").write_text(tree * 6)
    (tmp_path / "some.ptb").write_text(tree * 3 + "(())\n" * 2 + tree.replace("rain", "snow"))
    out = tmp_path / "run"
    assert call("score", tmp_path / "gold.ptb", f"some={tmp_path / 'some.ptb'}", "-o", out).returncode == 0
    (row,) = json_of("report", out)["parsers"]
    assert (row["no_parse"], row["words_differ"], row["figures"]["f1"]["n"]) == (2, 0, 6)


def test_problems_are_kept_in_the_run(run: Path):
    (problem, missing) = call("report", run, "--problems").stdout.splitlines()
    assert "one.ptb:4: word 2 'fell'; expected word 2 'falls'" in problem
    assert missing == "one: no parse of 1 sentence: 3"


def test_figures_by_label(run: Path):
    rows = rows_of("report", run, "--labels", "--parser", "one")
    # the three scored sentences: gold S NP VP, S NP VP NP, S NP VP; the VP of the second differs
    assert [(row["label"], row["gold"], row["test"], row["matched"]) for row in rows] == [
        ("NP", "4", "4", "4"),
        ("S", "3", "3", "3"),
        ("VP", "3", "3", "2"),
    ]
    assert float(rows[2]["f1"]) == pytest.approx(2 / 3)
    labels = json_of("report", run, "--labels", "--limit", "1")["labels"]
    assert [(row["parser"], row["label"]) for row in labels] == [("one", "NP"), ("same", "NP")]
    assert "66.67" in call("report", run, "--labels").stdout
    assert call("report", run, "--labels", "--sentences").returncode == 2


@pytest.mark.slow
def test_compressed_files_and_standard_input(files: Path):
    (files / "gold.ptb.gz").write_bytes(gzip.compress(GOLD.encode()))
    program = [sys.executable, "-m", "evaltools.cli"]
    command = [*program, "score", str(files / "gold.ptb.gz"), "a=-", "-o", str(files / "r")]
    ended = subprocess.run(command, input=ONE.encode(), capture_output=True, check=False)
    assert ended.returncode == 0
    assert b"<standard input>:4: word 2 'fell'" in ended.stderr
    assert b"\x1b" not in ended.stderr  # quiet where there is no terminal


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are a Unix matter")
def test_on_a_terminal_progress_is_shown(files: Path):
    import os
    import pty

    read_end, terminal = pty.openpty()
    command = [sys.executable, "-m", "evaltools.cli", "score", str(files / "gold.ptb"), f"a={files / 'one.ptb'}"]
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "120"}
    with subprocess.Popen([*command, "-o", str(files / "r")], stderr=terminal, env=environment) as process:
        os.close(terminal)
        shown = b""
        try:
            while block := os.read(read_end, 1 << 16):
                shown += block
        except OSError:  # Linux says so at the end
            pass
    os.close(read_end)
    assert process.returncode == 0
    assert b"4 of 4 sentence pairs" in shown
    assert b"Traceback" not in shown


def test_presets_are_printed():
    assert "standard" in call("preset").stdout
    rules = call("preset", "collins").stdout
    assert "labels ADVP and PRT count as equal" in rules
    assert "words deleted where the tree's own tag is" in rules


def test_version_and_help():
    assert call("--version").stdout == "evaltools 0.3.0\n"
    assert "score" in call("--help").stdout
    for command in ("score", "report", "draw", "app", "preset"):
        assert call(command, "--help").returncode == 0


def test_help_names_all_sections_of_reports():
    text = call("report", "--help").stdout
    assert not [name for name in SECTIONS if name != "findings" and name not in text]


@pytest.mark.parametrize(
    ("lines", "where"),
    [
        (slice(3), ":3: 3 sentences; the others count as missing; expected 4"),
        (slice(5), ":5: 5 sentences; those from this line on are not scored; expected 4"),
    ],
    ids=["fewer", "more"],
)
def test_other_numbers_of_sentences_name_the_option_that_aligns(files: Path, lines: slice, where: str):
    (files / "mine.ptb").write_text("".join([*GOLD.splitlines(keepends=True), "(S (X extra))\n"][lines]))
    error = call("score", files / "gold.ptb", files / "mine.ptb", "-o", files / "r").stderr
    assert f"mine.ptb{where} sentences, as in " in error
    assert "; --align-sentences pairs sentences by their words" in error


def test_sentences_are_aligned_on_request(files: Path):
    lines = GOLD.splitlines(keepends=True)
    (files / "shifted.ptb").write_text("".join(["(S (X extra))\n", lines[0], *lines[2:]]))
    arguments = ("score", files / "gold.ptb", f"a={files / 'shifted.ptb'}", "-o", files / "r", "--align-sentences")
    result = call(*arguments)
    assert result.returncode == 0
    assert (
        "evaltools: a: sentences aligned by their words: 1 shifted, 1 left out, 1 gold sentence without partner\n"
    ) in result.stderr  # a note on compiling may stand before it
    assert "shifted.ptb:1: sentence 1 (line 1), with the words of no gold sentence; left out" in result.stderr
    assert "shifted.ptb:2: from gold sentence 1 (line 1) to 1, sentence 2 (line 2)" in result.stderr
    assert "shifted.ptb:3: no sentence with the words of gold sentence 2 (line 2)" in result.stderr
    assert "a: sentences aligned by their words: 1 shifted" in call("report", files / "r").stdout
    report = json_of("report", files / "r", "--all")["parsers"]["a"]
    assert (report["scored"], report["missing"]) == (3, 1)
    assert call("verify", files / "r").returncode == 0
    assert call(*arguments, "--force", "--strict").returncode == 1

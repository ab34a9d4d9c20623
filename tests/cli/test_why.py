"""``evaltools why``: which convention gives a figure."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import evaltools
from tests.commands import call, check_refused, json_of

SAMPLE = Path(__file__).resolve().parents[2] / "sample_data"

GOLD = (
    "(ROOT (S (NP-SBJ (PRP I)) (VP (VBD saw) (NP (NP (DT a) (NN man)) (PP (IN with) (NP (NNS glasses))))) (. .)))",
    "(ROOT (S (NP (DT the) (NN dog)) (VP (VBZ barks))))",
    "(ROOT (S (NP (PRP she)) (VP (VBD saw) (NP (PRP him)))))",
)
PARSE = (
    "(ROOT (S (NP (PRP I)) (VP (VBD saw) (NP (DT a) (NN man)) (PP (IN with) (NP (NNS glasses)))) (. .)))",
    "(())",
    GOLD[2],
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("why")
    for name, lines in (("gold", GOLD), ("mine", PARSE)):
        (folder / f"{name}.ptb").write_text("".join(f"{line}\n" for line in lines))
    (folder / "empty.ptb").write_text("(())\n" * len(GOLD))
    evaltools.score(folder / "gold.ptb", {"mine": folder / "mine.ptb"}, out=folder / "run")
    return folder


def test_conventions_are_listed_with_their_sizes(folder: Path):
    printed = call("why", folder / "gold.ptb", folder / "mine.ptb").stdout
    figure = evaltools.evaluate(GOLD, PARSE)["f1"]
    assert figure is not None
    assert printed.startswith(f"Bracketing F1 of mine: {100 * figure:.2f}, micro over all 3 sentences\n")
    with_root = evaltools.evaluate(GOLD, PARSE, figure="pooled")["f1"]
    assert with_root is not None
    assert f"{100 * with_root:.2f}" in printed
    assert "function tags are kept" in printed.split("Without effect")[0]
    assert max(map(len, printed.splitlines())) <= 100


def test_empty_lines_at_the_end_of_files_change_nothing(folder: Path):
    for name, lines in (("gold", GOLD), ("mine", PARSE)):
        (folder / f"{name}-open.ptb").write_text("".join(f"{line}\n" for line in lines) + "\n\n")
    ours, theirs = (
        json_of("why", folder / f"gold{end}.ptb", folder / f"mine{end}.ptb")["conventions"] for end in ("", "-open")
    )
    assert ours == theirs


def test_a_run_and_its_files_have_the_same_figures(folder: Path):
    assert json_of("why", folder / "run", "mine") == json_of("why", folder / "gold.ptb", folder / "mine.ptb")


def test_the_printed_steps_add_up_to_the_published_figure(folder: Path):
    figure = evaltools.evaluate(GOLD, PARSE, preset="collins")["f1"]
    assert figure is not None
    text = f"{100 * figure:.2f}"
    printed = call("why", folder / "run", "mine", "--published", text).stdout
    assert "Simplest: preset collins (evalb: no score if words differ after deletions)." in printed
    assert "over the same number of sentences, so that the figure does not tell them apart" in " ".join(printed.split())
    rows = [line.replace("−", "-").split() for line in printed.splitlines() if re.match(r" *[+−]\d", line)]
    first = float(printed.split(": ")[1].split(",")[0])
    assert len(rows) > 1
    for row in rows:
        first = round(first + float(row[0]), 2)
        assert f"{first:.2f}" == row[1]
    assert f"{first:.2f}" == text
    found = json_of("why", folder / "run", "mine", "--published", text)["published"]
    assert found["found"]
    assert sum(step["difference"] for step in found["ladder"]) == pytest.approx(
        figure - evaltools.evaluate(GOLD, PARSE)["f1"]
    )


def test_a_figure_that_does_not_come_out_is_not_claimed(folder: Path):
    printed = call("why", folder / "run", "mine", "--published", "12.34").stdout
    assert "12.34 does not come out (conventions tried: " in printed
    assert "Nearest, but not it: " in printed
    assert "step by step" not in printed
    assert not json_of("why", folder / "run", "mine", "--published", "12.34")["published"]["found"]


@pytest.mark.parametrize(
    ("published", "answer"),
    [
        ("81.83", "Simplest: the figure above, unchanged: punctuation counts; subtypes of relations are cut; "),
        ("82", "comes out in 6 different ways"),
        ("82", "A figure rounded like this cannot decide between them: they give 81.65 to 82.49."),
    ],
)
def test_the_default_is_one_way_among_all(published: str, answer: str):
    files = [SAMPLE / "dependencies" / f"{side}.conllu" for side in ("lexical", "transition-lexical")]
    assert answer in " ".join(call("why", *files, "--published", published).stdout.split())


def test_other_metrics_of_the_same_counts(folder: Path):
    content = json_of("why", folder / "run", "mine", "--metric", "recall")
    assert content["value"] == pytest.approx(evaltools.evaluate(GOLD, PARSE, metrics="recall")["recall"])
    assert next(step for step in content["conventions"] if step["convention"] == "tags")["metric"] == "recall_pos"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("gold.ptb", "absent.ptb"), "absent.ptb"),
        (("run", "absent"), "unknown parser 'absent'"),
        (("gold.ptb", "-"), "neither can be standard input"),
        (("run", "mine", "--metric", "las"), "unknown metric 'las'"),
        (("run", "mine", "--published", "good"), "a number such as 95.98"),
        (("run", "mine", "--published", "50", "--cite"), "--cite is about the figure of the run or the default"),
        (("empty.ptb", "mine.ptb", "--published", "50"), "Bracketing F1 is undefined under all conventions"),
    ],
)
def test_bad_arguments_are_one_line(folder: Path, arguments: tuple[str, ...], message: str):
    check_refused(message, "why", *arguments, cwd=folder)


def test_what_is_probably_wrong_is_said_first_with_its_size(folder: Path):
    assert json_of("why", folder / "run", "mine")["warnings"] == []
    evaltools.score(
        folder / "gold.ptb", {"mine": folder / "mine.ptb"}, out=folder / "none", preset="none", metrics="f1"
    )
    printed = call("why", folder / "none", "mine").stdout.splitlines()
    warnings = [line for line in printed if line.startswith("Warning: ")]
    assert printed[1 : 1 + len(warnings)] == warnings
    start = "Warning: function tags count, with none in mine: gold has 1 in 17 brackets; function tags are cut: "
    assert any(line.startswith(start) for line in warnings)
    content = {item["words"].split(",")[0]: item for item in json_of("why", folder / "none", "mine")["warnings"]}
    assert content["the root label counts as a bracket in mine: 3 of 17"]["without"]["difference"] < 0
    assert content["function tags count"]["without"]["difference"] > 0


def test_the_summary_names_the_command(folder: Path):
    printed = call(folder / "gold.ptb", folder / "mine.ptb", "-o", folder / "kept").stdout
    assert f"evaltools why {folder / 'kept'} mine" in printed


def test_what_to_cite_is_printed_for_a_run_and_for_files(folder: Path):
    for arguments in ((folder / "run", "mine"), (folder / "gold.ptb", folder / "mine.ptb")):
        printed = call("why", *arguments, "--cite").stdout
        assert printed.startswith("We report bracketing F1 (Black et al., 1991), micro-averaged over all 3 sentences")
        assert "\nSignature: evaltools:" in printed
        assert "@inproceedings{emms-2008," in printed
        entries = call("why", *arguments, "--cite", "--format", "bibtex").stdout
        assert entries.startswith("@")
        assert printed.endswith(entries)
        latex = call("why", *arguments, "--cite", "--format", "latex").stdout
        assert latex.startswith(r"We report bracketing F1~\cite{black-1991}")
        assert "\n% evaltools:" in latex
    check_refused("--format bibtex goes with --cite", "why", "run", "mine", "--format", "bibtex", cwd=folder)
    content = json_of("why", folder / "run", "mine", "--cite", "--metric", "ted")
    assert content["text"].startswith("We report tree-edit similarity (Dice) (Emms, 2008)")
    assert r"\cite{emms-2008}" in content["latex"]
    check_refused("unknown parser 'absent'", "why", "run", "absent", "--cite", cwd=folder)

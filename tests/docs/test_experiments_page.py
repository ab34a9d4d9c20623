"""Every command on the page about the papers' experiments is one of the program, with its options and arguments."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import typer

import evaltools
from evaltools import METRICS, cli
from tests.commands import call

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "pages" / "experiments.md"
_COMMAND = re.compile(r"^\$ evaltools (.+)$|`evaltools ([^`]+)`", re.MULTILINE)
COMMANDS = [shlex.split(shown or named) for shown, named in _COMMAND.findall(PAGE.read_text("utf-8"))]


def test_all_five_papers_have_commands():
    sections = PAGE.read_text("utf-8").split("\n## ")[1:]
    papers = ("Emms", "Sampson", "Tsarfaty", "Tsarfaty", "Dridan")
    assert [section.split()[0].rstrip(",") for section in sections] == list(papers)
    assert all(len(_COMMAND.findall(section)) >= 3 for section in sections)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command)[:60])
def test_commands_parse(command: list[str]):
    name, *arguments = command
    commands = typer.main.get_command(cli.app).commands  # type: ignore[attr-defined]
    commands[name].make_context(name, list(arguments))  # raises an error for an unknown option


@pytest.mark.parametrize("command", [command for command in COMMANDS if "sample_data" in " ".join(command)])
def test_files_of_the_sample_exist(command: list[str]):
    for argument in command:
        if "sample_data" in argument:
            assert (ROOT / argument.rpartition("=")[2]).exists(), argument


def test_counts_named_on_the_page_are_columns_of_the_report(tmp_path: Path):
    tree = "(S (A (P a) (P b)) (P c))"
    (tmp_path / "gold.ptb").write_text(tree)
    evaltools.score(tmp_path / "gold.ptb", {"p": tmp_path / "gold.ptb"}, out=tmp_path / "run")
    columns = call("report", tmp_path / "run", "--sentences", "--format", "csv").stdout.splitlines()[0].split(",")
    named = set(re.findall(r"`([et]_[a-z]+(?:_[a-z]+)*)`", PAGE.read_text("utf-8")))
    assert named >= {"e_gold_roof", "e_matched_roof", "e_test_roof", "t_deleted", "t_swapped"}
    assert named <= set(columns)


def test_every_pair_on_the_page_has_a_distance_and_the_matrix_has_no_jaccard():
    names = [command[2:4] for command in COMMANDS if command[0] == "disagree" and "--matrix" not in command]
    assert ["e_jaccard_whole", "t_jaccard"] in names
    assert all(name in METRICS for pair in names for name in pair)
    assert not any(METRICS[name].headline for name in ("e_jaccard_roof", "e_jaccard_whole", "t_jaccard"))


def test_the_figures_of_the_official_script_are_not_denied():
    text = (PAGE.parent / "coming-from.md").read_text("utf-8")
    assert "are not computed" not in text
    assert all(f"ud_{name.lower()}" in METRICS and name in text for name in ("CLAS", "MLAS", "BLEX", "ELAS", "EULAS"))

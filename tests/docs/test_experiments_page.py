"""Every command on the page about the papers' experiments is one of the program, with its options and arguments."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import typer

from evaltools import cli

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

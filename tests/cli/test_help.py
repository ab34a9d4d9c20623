"""Every command's help ends with two examples, which run; the shell completes runs, parsers, metrics and views."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import pytest
import typer.main

import evaltools
from evaltools.cli import app
from evaltools.cli.examples import EXAMPLES
from tests.commands import call
from tests.docs.test_commands_run import prepare
from tests.pages.semantic_corpus import score_graphs

COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]
SERVERS = ("app", "class")
RUN = [(name, example) for name in EXAMPLES if name not in SERVERS for example in EXAMPLES[name]]
"""The examples that end by themselves."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder with the files and runs that examples name, of short corpora."""
    folder = tmp_path_factory.mktemp("examples")
    prepare(folder)
    sample = folder / "sample_data"
    for name, file in {"mine.conllu": "spacy.conllu", "functions.ptb": "sample_data/gold-functions.ptb"}.items():
        shutil.copyfile(folder / file, folder / name)
    shutil.copyfile(sample / "parsers" / "pcfg-plain.ptb", folder / "baseline.ptb")
    parsers = {name: folder / f"{name}.ptb" for name in ("mine", "baseline")}
    evaltools.score(folder / "gold.ptb", parsers, metadata=folder / "documents.tsv", out=folder / "my.run")
    evaltools.score(folder / "gold.conllu", {"mine": folder / "mine.conllu"}, out=folder / "deps.run")
    golds = {"ptb": folder / "functions.ptb", "ud": folder / "gold.conllu"}
    outputs = {"mine": ("ptb", folder / "mine.ptb"), "other": ("ud", folder / "mine.conllu")}
    evaltools.crossframework(golds, outputs, out=folder / "theories.run")
    (folder / "graphs").mkdir()
    shutil.copytree(score_graphs(folder / "graphs").path, folder / "edm.run")
    return folder


def test_every_command_has_two_examples_in_its_help():
    assert EXAMPLES.keys() == COMMANDS.keys()
    for name, examples in EXAMPLES.items():
        lines = call(name, "--help").stdout.splitlines()
        assert [line.strip() for line in lines[-3:]] == ["Examples:", *examples], name
        assert max(map(len, examples)) <= 150


@pytest.mark.parametrize(("command", "example"), RUN)
def test_examples_run(folder: Path, command: str, example: str):
    program, *arguments = shlex.split(example)
    assert (program, command) == ("evaltools", arguments[0] if arguments[0] in COMMANDS else "score")
    done = call(*arguments, cwd=folder)
    assert (done.returncode, done.stdout != "" or "-o" in arguments or command == "convert") == (0, True), done.stderr


@pytest.mark.parametrize("example", [example for name in SERVERS for example in EXAMPLES[name]])
def test_examples_of_servers_are_understood(example: str):
    _, name, *arguments = shlex.split(example)
    with COMMANDS[name].make_context(name, list(arguments)) as context:
        assert context.args == []


@pytest.mark.parametrize(
    ("line", "completed"),
    [
        ("report my", ["my.run"]),
        ("report sample", ["sample_data/"]),
        ("repo", ["report"]),
        ("compare my.run ", ["mine", "baseline"]),
        ("hotspots my.run mine --compare-with b", ["baseline"]),
        ("hotspots my.run --view er", ["errors"]),
        ("hotspots deps.run --view er", []),
        ("disagree my.run te", ["ted", "ted_jaccard"]),
        ("compare my.run mine baseline --metric te", ["ted", "ted_jaccard"]),
        ("compare deps.run mine baseline --metric ua", ["uas"]),
        ("score gold.ptb mine.ptb --metrics f1,exa", ["f1,exact"]),
        ("draw nowhere --parser ", []),
        ("disagree gold.ptb smatch_p", ["smatch_precision"]),
    ],
)
def test_the_shell_completes_names(folder: Path, monkeypatch: pytest.MonkeyPatch, line: str, completed: list[str]):
    words = line.split(" ")
    monkeypatch.setenv("_EVALTOOLS_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", f"evaltools {line}")
    monkeypatch.setenv("COMP_CWORD", str(len(words)))
    assert call(cwd=folder).stdout.split() == completed


def test_completion_can_be_installed():
    assert "--install-completion" in call("--help").stdout
    assert "_EVALTOOLS_COMPLETE" in call("--show-completion").stdout

"""Every command on the pages about the papers' experiments and other programs runs, and prints what the pages say."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest
import typer

import evaltools
from evaltools import cli
from tests.commands import call

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "sample_data"
PAGE = ROOT / "docs" / "pages" / "experiments.md"
OTHER_PROGRAMS = PAGE.with_name("coming-from.md")
_COMMAND = re.compile(r"^\$ evaltools (.+)$|`evaltools ([^`]+)`", re.MULTILINE)


def commands_of(page: Path) -> list[list[str]]:
    """Return the commands of a page in their order; without the name of a command, files are scored."""
    commands = [shlex.split(shown or named) for shown, named in _COMMAND.findall(page.read_text("utf-8"))]
    return [command if "." not in command[0] else ["score", *command] for command in commands]


COMMANDS = commands_of(PAGE)

FILES = {
    "gold.ptb": "gold.ptb",
    "gold.conllu": "dependencies/lexical.conllu",
    "gold.export": "formats/discontinuous.export",
    "gold.amr": "amr/gold.amr",
    "berkeley.ptb": "parsers/pcfg-parent.ptb",
    "berkeley.conllu": "dependencies/transition-lexical.conllu",
    "rr.txt": "formats/relational-realizational.txt",
    "parser.ptb": "parsers/pcfg-parent.ptb",
    "a.ptb": "parsers/pcfg-parent.ptb",
    "b.ptb": "parsers/shift-reduce.ptb",
    "parser.export": "formats/discontinuous.export",
    "system.conllu": "dependencies/transition-lexical.conllu",
    "a.conllu": "dependencies/transition-lexical.conllu",
    "b.conllu": "dependencies/spanning-tree-lexical.conllu",
    "parser.amr": "amr/parser.amr",
    "a.amr": "amr/parser.amr",
    "b.amr": "amr/gold.amr",
}
"""Files of the sample under the names that the pages give to files of the reader."""

_BY_PARSER = r"(?s)Kendall distance +tau-b.* plain +.* parent +.* shift +"
PRINTED = [
    (PAGE, "report emms.run --counts", r"(?s)parser +G +T +M +D +I +S .*cost.*Tree-edit similarity \(Dice\) +plain"),
    (
        PAGE,
        "report emms.run --all",
        r"(?s)micro, all +macro, all .*Bracketing F1, %.*Bracketing Jaccard incl\. POS tags, %",
    ),
    (PAGE, "ranks emms.run", r"(?s)Bracketing F1, micro .*Tree-edit similarity \(Jaccard\), macro"),
    (PAGE, "disagree emms.run jaccard_pos ted_jaccard --every-parser", _BY_PARSER),
    (PAGE, "disagree emms.run jaccard_pos ted_jaccard", r"(?s)Kendall distance 0\.\d+ .*difference +words\n"),
    (PAGE, "disagree emms.run ted ted_jaccard", _BY_PARSER),
    (PAGE, "disagree emms.run --matrix", r"(?s)plain, over .*parent, over .*shift, over "),
    (PAGE, "report sampson.run", r"(?m)^parser,.*\bla\b.*$"),
    (PAGE, "disagree sampson.run", r"worst decile by Leaf-anc., deciles by"),
    (PAGE, "words sampson.run", r"80.00 +80.00 +achieve +VP S S S +\[ VP VP S S S"),
    (PAGE, "crossframework --gold lexical", r"(?s)TedEval.* UAS +LAS .*lexical\+functional"),
    (PAGE, "report schemes.run", r"(?s)TedEval.* UAS +LAS .*lexical\+functional"),
    (PAGE, "edits schemes.run", r"(?s)operations? count; 1 − .*operation +function +becomes +words +counts"),
    (PAGE, "compare schemes.run", r"(?s)points more than .*95 % interval.* p = .*[Pp]aired permutation test"),
    (
        PAGE,
        "crossframework --gold phrases",
        r"(?s)the trees of pcfg have no functions.*trees of shift have no functions",
    ),
    (PAGE, "report frameworks.run --experiments", r"(?s)TedEval.* F1 +UAS +LAS .*phrases\+dependencies"),
    (PAGE, "report frameworks.run --all", r"(?s)own gold.*all golds.*Overlap of the theories"),
    (PAGE, "crossframework --gold PTB", r"(?s)berkeley +PTB +\d\d\.\d\d +– +– +\d\d\.\d\d +\d\d\.\d\d"),
    (PAGE, "compare frameworks.run", r"(?s)points more than .*95 % interval.* p = .*[Pp]aired permutation test"),
    (PAGE, "nbest configurations.run", r"(?s)rank +sentences +EDM.*best EDM so far"),
    (PAGE, "report configurations.run", r"EDM +EDM_NA +EDM_N +EDM_A +EDM_P +Exact"),
    (
        PAGE,
        "report first.run --beside second.run",
        r"(?s)EDM +EDM_NA +.*first.run +parser-1 +.*second.run +parser-2 +",
    ),
    (PAGE, "compare configurations.run", r"(?s)points more than .*95 % interval.* p = .*[Pp]aired permutation test"),
    (OTHER_PROGRAMS, "why my.run", r"(?s)moves +to +n .*macro \(mean over sentences\)"),
    (OTHER_PROGRAMS, "compare my.run", r"95 % interval"),
    (OTHER_PROGRAMS, "report my.run", r"F1 +Exact +Tree edit +Leaf-anc\."),
    (OTHER_PROGRAMS, "draw my.run", r"(?s)T-mapping .*relabel"),
    (OTHER_PROGRAMS, "why sample_data/dependencies", r"Simplest: words of Unicode punctuation do not count\."),
    (OTHER_PROGRAMS, "why sample_data/gold.ptb", r"(?s)Simplest: preset collins .* the root label counts as a bracket"),
    (OTHER_PROGRAMS, "report collins.run", r"(?s)Sent\. +Matched .*=== Summary ==="),
    (OTHER_PROGRAMS, "report evalb.run", r"(?s)Sent\. +Matched .*=== Summary ==="),
    (OTHER_PROGRAMS, "report deps.run --format conll18", r"(?s)Tokens .*CLAS .*MLAS .*BLEX .*ELAS .*EULAS "),
    (OTHER_PROGRAMS, "report deps.run --labels", r"relation +gold +test +matched"),
    (OTHER_PROGRAMS, "draw edm.run", r"(?s)Names: .*Arguments: .*Properties: "),
    (OTHER_PROGRAMS, "report smatch.run --sentences", r"(?s)parser +sentence .*Smatch"),
    (OTHER_PROGRAMS, "draw smatch.run", r"(?s)Concepts: .*Relations: "),
]
"""What the commands of a page, each by its beginning, print according to the page; the first beginning that fits."""


@pytest.mark.slow
@pytest.mark.parametrize("page", [PAGE, OTHER_PROGRAMS], ids=lambda page: page.stem)
def test_commands_run_and_print_what_the_page_says(page: Path, tmp_path: Path):
    shutil.copytree(SAMPLE, tmp_path / "sample_data")
    shutil.copytree(PAGE.parent / "examples", tmp_path / "examples")
    for name, file in FILES.items():
        shutil.copyfile(SAMPLE / file, tmp_path / name)
    for name in ("gold", "parser", "gold-1", "parser-1", "gold-2", "parser-2"):
        shutil.copyfile(PAGE.parent / "examples" / f"{name.partition('-')[0]}.eds", tmp_path / f"{name}.eds")
    expected = {beginning: text for of, beginning, text in PRINTED if of == page}
    seen, wrong = set(), []
    for command in commands_of(page):
        if command[0] == "app":  # starts a server
            continue
        if command[-2] == "-o":
            shutil.rmtree(tmp_path / command[-1], ignore_errors=True)  # another table on the page makes it, too
        done = call(*command, cwd=tmp_path)
        if command[0] == "score":
            is_right = "micro over" in done.stdout and (command[-2] != "-o" or (tmp_path / command[-1]).is_dir())
        elif command[-1].endswith(".svg"):
            is_right = (tmp_path / command[-1]).read_text().startswith("<svg")
        else:
            beginning = next((each for each in expected if " ".join(command).startswith(each)), "")
            is_right = bool(beginning and re.search(expected[beginning], done.stdout))
            seen.add(beginning)
        if done.returncode or not is_right:
            wrong.append((command, done.returncode, done.stderr, done.stdout))
    assert not wrong
    assert seen == set(expected)


@pytest.mark.parametrize(
    "command", [*COMMANDS, *commands_of(OTHER_PROGRAMS)], ids=lambda command: " ".join(command)[:60]
)
def test_commands_parse(command: list[str]):
    name, *arguments = command
    commands = typer.main.get_command(cli.app).commands  # type: ignore[attr-defined]
    commands[name].make_context(name, list(arguments))  # raises an error for an unknown option


def test_counts_named_on_the_page_are_columns_of_the_report(tmp_path: Path):
    (row,) = (line for line in PAGE.read_text("utf-8").splitlines() if "`evaltools report emms.run --counts`" in line)
    (tmp_path / "gold.ptb").write_text("(S (A (P a) (P b)) (P c))")
    evaltools.score(tmp_path / "gold.ptb", {"p": tmp_path / "gold.ptb"}, out=tmp_path / "run")
    columns = call("report", tmp_path / "run", "--counts", "--format", "csv").stdout.splitlines()[0].split(",")
    assert set(re.findall(r"\b[GTMDIS]\b", row)) <= set(columns)
    assert "the cost" in row
    assert "cost_nodes" in columns

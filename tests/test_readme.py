"""The README and the other documents say what is so."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import typer.main

import evaltools
from docs.readme import FILES, MADE, fill, made_files
from docs.tables import usage
from evaltools.cli import app
from evaltools.drawing import draw
from evaltools.formats import FORMATS
from evaltools.frameworks.presets import PRESETS
from evaltools.frameworks.registry import METRICS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
DOCUMENTS = {name: (ROOT / name).read_text("utf-8") for name in FILES}

GOLD = (
    "(S (NP (EX There)) (VP (VBZ 's) (NP (NP (DT a) (NN spider)) (PP (IN in) (NP (DT the) (NN bath))) (SBAR (WHNP "
    "(WDT that)) (S (VP (VBZ looks) (PP (IN like) (NP (PRP$ my) (NN boss)))))))))"
)
TEST = (
    "(S (NP (EX There)) (VP (VBZ 's) (NP (DT a) (NN spider)) (PP (IN in) (NP (NP (DT the) (NN bath)) (SBAR (WHNP "
    "(WDT that)) (S (VP (VBZ looks) (PP (IN like) (NP (PRP$ my) (NNS boss))))))))))"
)


def commands() -> dict[str, set[str]]:
    return {
        name: {option for item in command.params for option in (*item.opts, *item.secondary_opts) if option[0] == "-"}
        for name, command in typer.main.get_command(app).commands.items()
    }


@pytest.mark.slow
def test_what_the_program_knows_is_up_to_date():
    old = [str(path.relative_to(ROOT)) for path, text in made_files().items() if path.read_text("utf-8") != text]
    assert old == [], "make readme writes them anew"


def test_what_can_be_made_stands_somewhere_and_nothing_else_is_asked_for():
    asked = {name for text in DOCUMENTS.values() for name in re.findall(r"<!-- made: ([\w ]+) -->", text)}
    assert asked == set(MADE)
    with pytest.raises(KeyError, match="nothing"):
        fill("<!-- made: nothing -->\n<!-- end -->")


def test_every_metric_format_preset_and_command_is_named():
    everything = "".join(DOCUMENTS.values())
    for name in (*METRICS, *FORMATS, *PRESETS):
        assert f"`{name}`" in everything, name
    for name, command in typer.main.get_command(app).commands.items():
        page = DOCUMENTS["docs/commands.md"].split(f"\n## {name}\n")[1].split("\n## ")[0]
        assert usage(name) in page
        for option in (one for parameter in command.params if not parameter.hidden for one in parameter.opts):
            assert not option.startswith("-") or f"`{option}`" in page, option


def test_a_newcomer_reads_it_in_a_few_minutes():
    words = re.sub(r"```.*?```|^\|.*$", "", README, flags=re.DOTALL | re.MULTILINE).split()
    assert len(words) < 700  # at 250 a minute, tables and code apart
    assert len(README.splitlines()) <= 120
    assert max(map(len, re.findall(r"(?:^\w.*\n)+", README, flags=re.MULTILINE))) < 4 * 160  # four lines


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_command_and_option_it_names_exists(document: str):
    known, text = commands(), DOCUMENTS[document]
    for line in re.findall(r"^ {4}evaltools (.*)$|`evaltools ([a-z][^`]*)`", text, flags=re.MULTILINE):
        words = shlex.split((line[0] or line[1]).replace("\\|", "|"))
        if words[0] == "COMMAND":  # stands for any
            continue
        if words[0] not in known and "." in words[0]:  # files to score
            words = ["score", *words]
        assert words[0] in known, words
        for option in (word for word in words if word.startswith("-")):
            assert option in known[words[0]] | {"-o", "-"}, words


@pytest.mark.parametrize("document", DOCUMENTS)
def test_metrics_it_names_exist(document: str):
    for name in re.findall(r"`((?:[etl]a?|edm|tedeval)_[a-z_]+)`", DOCUMENTS[document]):
        assert name in METRICS, name


def test_python_names_it_uses_exist():
    code = "\n".join(re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL))
    for name in re.findall(r"evaltools\.([a-z_]+)\(", code):
        assert name in evaltools.__all__, name
    for name in re.findall(r"\brun\.([a-z_]+)\(", code):
        assert hasattr(evaltools.Run, name), name


def test_its_picture_is_drawn_by_the_program():
    assert (ROOT / "docs" / "alignment.svg").read_text("utf-8").strip() == draw(
        evaltools.align(GOLD, TEST), mapping="t"
    ).strip()


def test_its_arcs_are_drawn_by_the_program():
    forms = ("What", "does", "a", "lighthouse", "dream", "of", "in", "daylight", "?")
    tags = ("PRON", "AUX", "DET", "NOUN", "VERB", "ADP", "ADP", "NOUN", "PUNCT")
    same = ("root", "case", "case", "obl", "punct")
    gold = evaltools.DependencyTree(
        forms, (4, 4, 3, 4, -1, 0, 7, 4, 4), ("obl", "aux", "det", "nsubj", *same), tags=tags
    )
    test = evaltools.DependencyTree(forms, (4, 4, 3, 4, -1, 7, 7, 4, 4), ("obj", "aux", "det", "obj", *same), tags=tags)
    drawn = draw(evaltools.align_dependencies(gold, test))
    assert (ROOT / "docs" / "arcs.svg").read_text("utf-8").strip() == drawn.strip()

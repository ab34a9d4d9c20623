"""The README says what is so."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import evaltools
from evaltools.cli import app
from evaltools.drawing import alignment_svg, arcs_svg
from evaltools.metrics import METRICS
from evaltools.normalize import PRESETS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")

GOLD = (
    "(S (NP (EX There)) (VP (VBZ 's) (NP (NP (DT a) (NN spider)) (PP (IN in) (NP (DT the) (NN bath))) (SBAR (WHNP "
    "(WDT that)) (S (VP (VBZ looks) (PP (IN like) (NP (PRP$ my) (NN boss)))))))))"
)
TEST = (
    "(S (NP (EX There)) (VP (VBZ 's) (NP (DT a) (NN spider)) (PP (IN in) (NP (NP (DT the) (NN bath)) (SBAR (WHNP "
    "(WDT that)) (S (VP (VBZ looks) (PP (IN like) (NP (PRP$ my) (NNS boss))))))))))"
)


def commands() -> dict[str, set[str]]:
    """Return the options of each command."""
    return {
        str(command.name or command.callback.__name__): {
            name for option in _options(command.callback) for name in option.split("/")
        }
        for command in app.registered_commands
    }


def _options(function) -> list[str]:
    import inspect

    found = []
    for name, parameter in inspect.signature(function, eval_str=True).parameters.items():
        (option,) = parameter.annotation.__metadata__
        # what an option is called stands first in its declaration, where typer looks for a default
        said = [one for one in (option.default, *(option.param_decls or ())) if isinstance(one, str) and one[:1] == "-"]
        found += said or [f"--{name.strip('_').replace('_', '-')}"]
    return found


def test_every_command_and_option_it_names_exists():
    known = commands()
    for line in re.findall(r"^ {4}evaltools (.*)$|`evaltools ([a-z][^`]*)`", README, flags=re.MULTILINE):
        words = shlex.split(line[0] or line[1])
        assert words[0] in known, words
        for option in (word for word in words if word.startswith("-")):
            assert option in known[words[0]] | {"-o", "-"}, words
    for row in re.findall(r"^\| `evaltools (\w+)[^`]*` \|(.*)\|$", README, flags=re.MULTILINE):
        for option in re.findall(r"--[a-z-]+", row[1]):
            assert option in known[row[0]], option


def test_metrics_and_presets_it_names_exist():
    table = README.split("## How to read the scores")[1].split("###")[0]
    for name in re.findall(r"`([etl]a?_[a-z_]+)`", table):
        assert name in METRICS, name
    for name in re.findall(r"^\| `(\w+)[^|]*\|", README.split("### What counts: presets")[1], flags=re.MULTILINE):
        assert name in {preset.split(":")[0] for preset in PRESETS}, name


def test_python_names_it_uses_exist():
    code = "\n".join(re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL))
    for name in re.findall(r"evaltools\.([a-z_]+)\(", code):
        assert name in evaltools.__all__, name
    for name in re.findall(r"\brun\.([a-z_]+)\(", code):
        assert hasattr(evaltools.Run, name), name


def test_its_picture_is_drawn_by_the_program():
    assert (ROOT / "docs" / "alignment.svg").read_text("utf-8").strip() == alignment_svg(
        evaltools.align(GOLD, TEST), "t"
    ).strip()


def test_its_arcs_are_drawn_by_the_program():
    forms = ("What", "does", "a", "lighthouse", "dream", "of", "in", "daylight", "?")
    tags = ("PRON", "AUX", "DET", "NOUN", "VERB", "ADP", "ADP", "NOUN", "PUNCT")
    same = ("root", "case", "case", "obl", "punct")
    gold = evaltools.DependencyTree(
        forms, (4, 4, 3, 4, -1, 0, 7, 4, 4), ("obl", "aux", "det", "nsubj", *same), tags=tags
    )
    test = evaltools.DependencyTree(forms, (4, 4, 3, 4, -1, 7, 7, 4, 4), ("obj", "aux", "det", "obj", *same), tags=tags)
    drawn = arcs_svg(evaltools.align_dependencies(gold, test))
    assert (ROOT / "docs" / "arcs.svg").read_text("utf-8").strip() == drawn.strip()


def test_the_changelog_names_the_version():
    assert f"## {evaltools.__version__}" in (ROOT / "CHANGELOG.md").read_text("utf-8")

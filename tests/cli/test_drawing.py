"""``evaltools draw`` writes files of every kind, and says clearly why it does not."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

from tests.commands import call, check_refused
from tests.pages.dependency_corpus import score_dependencies
from tests.pages.semantic_corpus import score_graphs
from tests.pages.test_crossframework import score_frameworks
from tests.pages.tiny import HOSTILE_PARSER, score_tiny

if TYPE_CHECKING:
    import evaltools

TREES = ("--gold", "(S (NP (N dogs)) (VP (V bark)))", "--test", "(S (NP (N dogs)) (NP (V bark)))")
BEGINS = {
    "svg": b"<svg",
    "png": b"\x89PNG",
    "pdf": b"%PDF",
    "latex": b"% To \\input this file",
    "dot": b"// ",
    "text": b"",
    "json": b"{",
}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, evaltools.Run]:
    makers = {"trees": score_tiny, "arcs": score_dependencies, "graphs": score_graphs, "frameworks": score_frameworks}
    return {name: make(tmp_path_factory.mktemp(name)) for name, make in makers.items()}


@pytest.mark.parametrize("kind", BEGINS)
@pytest.mark.parametrize("name", ["trees", "arcs", "graphs"])
def test_a_sentence_becomes_a_file(runs: dict[str, evaltools.Run], tmp_path: Path, name: str, kind: str):
    run, out = runs[name], tmp_path / "drawn"
    mapping = "marked" if kind == "json" else "t"
    choice = ("draw", run.path, "--sentence", 1, "--parser", run.parsers[-1], "--mapping", mapping, "--as", kind)
    if (name, kind) == ("arcs", "dot"):
        check_refused("valid: svg, png, pdf, latex, text", *choice, "-o", out)
        return
    drawn = call(*choice, "-o", out)
    assert (drawn.returncode, drawn.stdout, drawn.stderr) == (0, "", "")
    content = out.read_bytes()
    assert content.startswith(BEGINS[kind])
    if kind not in ("png", "pdf"):
        assert run.signature[:24] in content.decode()
        assert "sentence 1, gold and" in content.decode()


@pytest.mark.parametrize("name", ["trees", "arcs", "graphs"])
def test_the_marked_sentence_becomes_a_file_and_names_the_parser(
    runs: dict[str, evaltools.Run], tmp_path: Path, name: str
):
    parser = HOSTILE_PARSER if name == "trees" else runs[name].parsers[0]
    choice = ("draw", runs[name].path, "--sentence", 1, "--parser", parser)
    assert call(*choice, "--mapping", "marked", "-o", tmp_path / "p.svg").returncode == 0
    drawn = ElementTree.parse(tmp_path / "p.svg").getroot()
    assert "marked" in drawn.attrib["class"].split()
    assert parser in " ".join(drawn.itertext())
    assert name != "trees" or parser in call(*choice).stdout


def test_steps_across_frameworks_become_files(runs: dict[str, evaltools.Run], tmp_path: Path):
    choice = ("draw", runs["frameworks"].path, "--sentence", 1, "--parser", "wrong")
    assert call(*choice, "-o", tmp_path / "steps.pdf").returncode == 0
    assert (tmp_path / "steps.pdf").read_bytes().startswith(b"%PDF")
    valid = "svg, png, pdf, latex, dot, text"
    check_refused(f"unknown drawing of such a sentence 'json'; valid: {valid}", *choice, "--as", "json")


@pytest.mark.parametrize(("suffix", "kind"), [("svg", "svg"), ("PNG", "png"), ("tex", "latex"), ("txt", "text")])
def test_the_name_of_the_file_says_its_kind(tmp_path: Path, suffix: str, kind: str):
    out = tmp_path / f"two trees.{suffix}"
    assert call("draw", *TREES, "-o", out).returncode == 0
    assert out.read_bytes().startswith(BEGINS[kind])


def test_two_trees_have_a_caption_with_the_preset(tmp_path: Path):
    for mapping in "et":
        out = tmp_path / f"{mapping}.json"
        assert call("draw", *TREES, "--mapping", mapping, "--preset", "collins", "-o", out).returncode == 0
        caption = json.loads(out.read_text("utf-8"))["caption"]
        assert caption.startswith(f"{mapping.upper()}-mapping: ")
        assert ": two trees. evaltools:" in caption
        assert caption.endswith("|preset:collins")


def test_figures_of_papers_have_the_caption_as_a_comment(tmp_path: Path):
    trees = ("--gold", "(S (N a) (V b))", "--test", "(S (V a) (V b))")
    out = tmp_path / "trees.svg"
    assert call("draw", *trees, "--no-caption", "-o", out).returncode == 0
    text = out.read_text("utf-8")
    assert re.search(r"<!-- T-mapping: tree-edit alignment: two trees\. evaltools:\S+ -->", text)
    assert 'class="caption"' not in text


def test_what_is_printed_has_no_caption():
    drawn = call("draw", *TREES, "--as", "svg").stdout
    assert ElementTree.fromstring(drawn).find("{http://www.w3.org/2000/svg}desc") is None
    text = call("draw", *TREES).stdout
    assert "parse" in text
    assert "evaltools:" not in text


def test_an_existing_file_stays_unless_forced(tmp_path: Path):
    out = tmp_path / "tree.svg"
    out.write_text("mine")
    check_refused("an existing file; expected --force to replace it", "draw", *TREES, "-o", out)
    assert out.read_text() == "mine"
    assert call("draw", *TREES, "-o", out, "--force").returncode == 0
    assert out.read_text("utf-8").startswith("<svg")


NO_WORDS = "a tree without words; expected at least one word"
OTHER_WORDS = ("--gold", "(S (N a))", "--test", "(S (N b))")


@pytest.mark.parametrize(
    ("message", "arguments"),
    [
        ("png is not text; give an output file with -o FILE", (*TREES, "--as", "png")),
        ("pdf is not text; give an output file with -o FILE", (*TREES, "--as", "pdf")),
        ("unknown end of a file's name '.gif'; valid: .svg, .png, .pdf", (*TREES, "-o", "tree.gif")),
        ("No such file or directory; expected a file that can be written", (*TREES, "-o", "no/folder/tree.svg")),
        ("unknown mapping 'x'; valid: e, t, marked", (*TREES, "--mapping", "x")),
        ("there is no marked sentence: the words differ", (*OTHER_WORDS, "--mapping", "marked")),
        (NO_WORDS, ("--gold", "(f (a) (b))", "--test", "(f (a) (b))")),
        (NO_WORDS, ("--gold", "(S (N a))", "--test", "(S (N))")),
    ],
)
def test_what_cannot_be_is_said(tmp_path: Path, message: str, arguments: tuple[str, ...]):
    check_refused(message, "draw", *arguments, cwd=tmp_path)
    assert list(tmp_path.iterdir()) == []

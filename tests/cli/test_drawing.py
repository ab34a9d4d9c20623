"""``evaltools draw`` writes files of every kind, and says clearly why it does not."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

from tests.cli.test_commands import Result, call  # noqa: F401 - a fixture
from tests.pages.dependency_corpus import score_dependencies
from tests.pages.semantic_corpus import score_graphs
from tests.pages.test_saving import frameworks
from tests.pages.tiny import HOSTILE_PARSER, score_tiny

if TYPE_CHECKING:
    pass

    import evaltools

Call = Callable[..., Result]
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
    makers = {"trees": score_tiny, "arcs": score_dependencies, "graphs": score_graphs, "frameworks": frameworks}
    return {name: make(tmp_path_factory.mktemp(name)) for name, make in makers.items()}


@pytest.mark.parametrize("kind", BEGINS)
@pytest.mark.parametrize("name", ["trees", "arcs", "graphs"])
def test_a_sentence_becomes_a_file(runs: dict[str, evaltools.Run], call: Call, tmp_path: Path, name: str, kind: str):  # noqa: F811
    run = runs[name]
    out = tmp_path / "drawn"
    mapping = "marked" if kind == "json" else "t"
    choice = ("draw", run.path, "--sentence", 1, "--parser", run.parsers[-1], "--mapping", mapping)
    drawn = call(*choice, "--as", kind, "-o", out)
    if (name, kind) == ("arcs", "dot"):
        assert "valid: svg, png, pdf, latex, text" in drawn.err
        return
    assert (drawn.status, drawn.out, drawn.err) == (0, "", "")
    content = out.read_bytes()
    assert content.startswith(BEGINS[kind])
    if kind not in ("png", "pdf"):
        assert run.signature[:24] in content.decode()
        assert "sentence 1, gold and" in content.decode()


@pytest.mark.parametrize("name", ["trees", "arcs", "graphs"])
def test_the_marked_sentence_becomes_a_file_with_its_errors_in_words(
    runs: dict[str, evaltools.Run],
    call: Call,  # noqa: F811
    tmp_path: Path,
    name: str,
):
    run = runs[name]
    choice = ("draw", run.path, "--sentence", 1, "--parser", run.parsers[0], "--mapping", "marked")
    assert call(*choice, "-o", tmp_path / "p.svg").status == 0
    drawn = ElementTree.parse(tmp_path / "p.svg").getroot()
    assert "marked" in drawn.attrib["class"].split()
    assert run.parsers[0] in " ".join(drawn.itertext())


def test_a_picture_of_graphs_is_no_json(runs: dict[str, evaltools.Run], call: Call):  # noqa: F811
    run = runs["graphs"]
    refused = call("draw", run.path, "--sentence", 1, "--parser", run.parsers[0], "--as", "json")
    assert refused.status == 2
    assert "valid: svg, png, pdf, latex, dot, text" in refused.err


def test_text_names_the_parser(runs: dict[str, evaltools.Run], call: Call):  # noqa: F811
    run = runs["trees"]
    text = call("draw", run.path, "--sentence", 1, "--parser", run.parsers[0]).out
    assert run.parsers[0] in text
    assert "only in test" not in text


def test_without_a_marked_sentence_there_is_an_error(call: Call):  # noqa: F811
    refused = call("draw", "--gold", "(S (N a))", "--test", "(S (N b))", "--mapping", "marked")
    assert refused.status == 2
    assert "there is no marked sentence: the words differ" in refused.err
    unknown = call("draw", *TREES, "--mapping", "x")
    assert "valid: e, t, marked" in unknown.err


def test_steps_across_frameworks_become_files(runs: dict[str, evaltools.Run], call: Call, tmp_path: Path):  # noqa: F811
    run = runs["frameworks"]
    choice = ("draw", run.path, "--sentence", 1, "--parser", "wrong")
    assert call(*choice, "-o", tmp_path / "steps.pdf").status == 0
    assert (tmp_path / "steps.pdf").read_bytes().startswith(b"%PDF")
    refused = call(*choice, "--as", "dot")
    assert refused.status == 2
    assert "unknown drawing of such a sentence 'dot'; valid: svg, png, pdf" in refused.err


@pytest.mark.parametrize(("suffix", "kind"), [("svg", "svg"), ("PNG", "png"), ("tex", "latex"), ("txt", "text")])
def test_the_name_of_the_file_says_its_kind(call: Call, tmp_path: Path, suffix: str, kind: str):  # noqa: F811
    out = tmp_path / f"two trees.{suffix}"
    assert call("draw", *TREES, "-o", out).status == 0
    assert out.read_bytes().startswith(BEGINS[kind])


def test_two_trees_have_a_caption_with_the_preset(call: Call, tmp_path: Path):  # noqa: F811
    for mapping in "et":
        out = tmp_path / f"{mapping}.json"
        assert call("draw", *TREES, "--mapping", mapping, "--preset", "collins", "-o", out).status == 0
        caption = json.loads(out.read_text("utf-8"))["caption"]
        assert caption.startswith(f"{mapping.upper()}-mapping: ")
        assert ": two trees. evaltools:" in caption
        assert caption.endswith("|preset:collins")


def test_figures_of_papers_have_the_caption_as_a_comment(call: Call, tmp_path: Path):  # noqa: F811
    trees = ("--gold", "(S (N a) (V b))", "--test", "(S (V a) (V b))")
    out = tmp_path / "trees.svg"
    assert call("draw", *trees, "--no-caption", "-o", out).status == 0
    text = out.read_text("utf-8")
    assert re.search(r"<!-- T-mapping: tree-edit alignment: two trees\. evaltools:\S+ -->", text)
    assert 'class="caption"' not in text


def test_what_is_printed_has_no_caption(call: Call):  # noqa: F811
    drawn = call("draw", *TREES, "--as", "svg").out
    assert ElementTree.fromstring(drawn).find("{http://www.w3.org/2000/svg}desc") is None
    text = call("draw", *TREES).out
    assert "parse" in text
    assert "evaltools:" not in text


def test_an_existing_file_stays_unless_forced(call: Call, tmp_path: Path):  # noqa: F811
    out = tmp_path / "tree.svg"
    out.write_text("mine")
    refused = call("draw", *TREES, "-o", out)
    assert refused.status == 2
    assert "an existing file; expected --force to replace it" in refused.err
    assert out.read_text() == "mine"
    assert call("draw", *TREES, "-o", out, "--force").status == 0
    assert out.read_text("utf-8").startswith("<svg")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--as", "png"), "png is not text; give an output file with -o FILE"),
        (("--as", "pdf"), "pdf is not text; give an output file with -o FILE"),
        (("-o", "tree.gif"), "unknown end of a file's name '.gif'; valid: .svg, .png, .pdf"),
        (("-o", "no/such/folder/tree.svg"), "No such file or directory; expected a file that can be written"),
    ],
)
def test_what_cannot_be_is_said(call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments, says: str):  # noqa: F811
    monkeypatch.chdir(tmp_path)
    refused = call("draw", *TREES, *arguments)
    assert refused.status == 2
    assert refused.err.startswith("evaltools: ")
    assert says in refused.err
    assert list(tmp_path.iterdir()) == []


def test_a_hostile_parser_has_a_picture(runs: dict[str, evaltools.Run], call: Call, tmp_path: Path):  # noqa: F811
    choice = ("--sentence", 2, "--parser", HOSTILE_PARSER)
    assert call("draw", runs["trees"].path, *choice, "-o", tmp_path / "p.svg").status == 0
    assert HOSTILE_PARSER in " ".join(ElementTree.parse(tmp_path / "p.svg").getroot().itertext())


@pytest.mark.parametrize("trees", [("(f (a) (b))", "(f (a) (b))"), ("(S (N a))", "(S (N))")])
def test_a_tree_without_words_is_refused(call: Call, trees: tuple[str, str]):  # noqa: F811
    drawn = call("draw", "--gold", trees[0], "--test", trees[1], "--as", "text")
    assert (drawn.status, drawn.out) == (2, "")
    assert "a tree without words; expected at least one word" in drawn.err

"""``evaltools draw`` writes files of every kind, and says clearly why it does not."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import evaltools
from evaltools.frameworks.constituency.chunks import TreeChunk
from tests.commands import call, check_refused
from tests.pages.dependency_corpus import score_dependencies
from tests.pages.semantic_corpus import score_graphs
from tests.pages.test_crossframework import score_frameworks
from tests.pages.tiny import HOSTILE_PARSER, score_tiny

TREES = ("(S (NP (N dogs)) (VP (V bark)))", "(S (NP (N dogs)) (NP (V bark)))")
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
    assert call(*choice, "--as", "dot").stdout.startswith(("digraph", "graph"))


SAMPLE = Path(__file__).resolve().parents[2] / "sample_data"
FILES = {
    "trees": ("gold.ptb", "parsers/pcfg-plain.ptb"),
    "discontinuous": ("formats/discontinuous.export", "formats/discontinuous.export"),
    "arcs": ("dependencies/lexical.conllu", "dependencies/transition-lexical.conllu"),
    "amr": ("amr/gold.amr", "amr/parser.amr"),
}
WORDS = {"trees": "NP", "discontinuous": "S", "arcs": "nsubj", "amr": "ARG"}


@pytest.mark.parametrize("name", FILES)
def test_one_tree_and_two_are_drawn_without_a_run(tmp_path: Path, name: str):
    gold, parse = (SAMPLE / file for file in FILES[name])
    assert f"{gold} has " in call("draw", gold).stderr
    one, two = (call("draw", *given, "--sentence", 2, "--as", "text").stdout for given in ((gold,), (gold, parse)))
    assert WORDS[name] in one
    assert one != two
    for kind in ("svg", "pdf", "png", "tex", *([] if name == "arcs" else ["dot"]), "txt"):
        out = tmp_path / f"one.{kind}"
        assert call("draw", gold, "--sentence", 2, "-o", out).returncode == 0
        assert out.read_bytes().startswith(BEGINS["latex" if kind == "tex" else "text" if kind == "txt" else kind])
    assert f"sentence 2 of {gold}" in (tmp_path / "one.svg").read_text("utf-8")


def test_two_files_are_drawn_as_their_run_would_be(tmp_path: Path):
    gold, parse = (SAMPLE / file for file in FILES["trees"])
    assert call("score", gold, parse, "-q", "-o", tmp_path / "run").returncode == 0
    of_run = call("draw", tmp_path / "run", "--sentence", 7, "--as", "json").stdout
    named = of_run.replace("pcfg-plain", "parse")
    assert call("draw", gold, parse, "--sentence", 7, "--as", "json").stdout == named


def test_only_the_sentence_that_is_drawn_is_scored(monkeypatch: pytest.MonkeyPatch):
    scored: list[int] = []

    def score(chunk: Any, *arguments: Any, **options: Any) -> Any:
        scored.append(len(chunk.gold))
        return own(chunk, *arguments, **options)

    own = TreeChunk.score
    monkeypatch.setattr(TreeChunk, "score", score)
    gold, parse = (SAMPLE / file for file in FILES["trees"])
    assert "T-mapping" in call("draw", gold, parse, "--sentence", 295).stdout
    assert scored == [1]
    for number in ("297", "0", "-1"):
        done = call("draw", gold, parse, "--sentence", number)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == f"evaltools: no sentence {number}; there are 296, counted from 1\n"


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("(S (N dogs) (V bark))", "S\n├─ N  dogs\n└─ V  bark\n"),
        ("[S two [N1 tax bills ] passed ]", "S\n├─ two\n├─ N1\n│  ├─ tax\n│  └─ bills\n└─ passed\n"),
        (
            "1\tDogs\t_\tN\t_\t_\t2\tsubj\t_\t_\n2\tbark\t_\tV\t_\t_\t0\troot\t_\t_",
            "   word  tag  relation\n1  Dogs  N    subj ← 2 bark\n2  bark  V    root ← 0\n",
        ),
        ("(b / bark :ARG0 (d / dog))", "Relations: 1\n  b / bark  ARG0  → d / dog\n"),
    ],
)
def test_a_tree_or_graph_given_as_text_is_drawn(text: str, drawn: str):
    assert drawn in call("draw", text).stdout


def test_graphs_given_as_text_are_aligned():
    text = call("draw", "(b / bark :ARG0 (d / dog))", "(b / bark :ARG1 (d / dog))").stdout
    assert "Relations: 0 right, 1 missing, 1 spurious" in text


@pytest.mark.parametrize(
    ("options", "number", "about"),
    [
        (("q", "--worst"), 3, "one repair mends 1 of 2 wrong brackets in 8 words, rank 1 of 3 sentences with errors: "),
        (("q", "--worst", 2), 2, "those with most wrong brackets that one repair mends; by score: --metric f1"),
        (("q", "--worst", "--metric", "f1"), 2, "Bracketing F1 0.00, rank 1 of 4 sentences with a score, the worst "),
        (("q", "--worst", 2, "--metric", "f1"), 1, "first; 2 have this score, the longest first"),
        (("q", "--worst", "--metric", "ted"), 1, "Tree-edit similarity (Dice) "),
        (("--worst", 2), 2, "Bracketing F1 100.00, rank 2 of 4"),
    ],
)
def test_the_worst_parse_is_that_of_the_page_or_by_a_metric_that_of_reports(
    tmp_path: Path, options: tuple[Any, ...], number: int, about: str
):
    tail = "(N d) (N e) (N f) (N g) (N h)"
    gold = ["(S (N a) (V b))", "(S (N a) (N b) (V c))", f"(S (N a) (NP (V b) (V c)) {tail})", "(S (V a))"]
    wrong = ["(X (N a) (V b))", "(X (N a) (N b) (V c))", f"(S (NP (N a) (V b)) (V c) {tail})", "(S (V a))"]
    run = evaltools.score(gold, {"p": gold, "q": wrong}, out=tmp_path / "run")
    done = call("draw", run.path, *options)
    parser = options[0] if options[0] == "q" else "p"
    assert done.stderr.startswith(f"evaltools: sentence {number} of {parser}: ")
    assert about in done.stderr
    assert done.stdout == call("draw", run.path, parser, "--sentence", number).stdout
    if parser == "q":
        check_refused(
            "no rank 9: ", "draw", run.path, "q", "--worst", 9, *options[-2:] if "--metric" in options else ()
        )


def test_two_trees_have_a_caption_with_the_preset(tmp_path: Path):
    for mapping in "et":
        out = tmp_path / f"{mapping}.json"
        assert call("draw", *TREES, "--mapping", mapping, "--preset", "collins", "-o", out).returncode == 0
        caption = json.loads(out.read_text("utf-8"))["caption"]
        assert caption.startswith(f"{mapping.upper()}-mapping: ")
        assert ": sentence 1, gold and parse. evaltools:" in caption
        assert "|preset:collins" in caption


def test_figures_of_papers_have_the_caption_as_a_comment(tmp_path: Path):
    trees = ("(S (N a) (V b))", "(S (V a) (V b))")
    out = tmp_path / "trees.svg"
    assert call("draw", *trees, "--no-caption", "-o", out).returncode == 0
    text = out.read_text("utf-8")
    assert re.search(r"<!-- T-mapping: tree-edit alignment: sentence 1, gold and parse\. evaltools:\S+ -->", text)
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


NO_WORDS = "a tree without words"
OTHER_WORDS = ("(S (N a))", "(S (N b))")


@pytest.mark.parametrize(
    ("message", "arguments"),
    [
        ("png is not text; give an output file with -o FILE", (*TREES, "--as", "png")),
        ("pdf is not text; give an output file with -o FILE", (*TREES, "--as", "pdf")),
        ("unknown end of a file's name '.gif'; valid: .svg, .png, .pdf", (*TREES, "-o", "tree.gif")),
        ("No such file or directory; expected a file that can be written", (*TREES, "-o", "no/folder/tree.svg")),
        ("unknown mapping 'x'; valid: e, t, marked", (*TREES, "--mapping", "x")),
        ("there is no marked sentence: the words differ", (*OTHER_WORDS, "--mapping", "marked")),
        (NO_WORDS, ("(f (a) (b))", "(f (a) (b))")),
        ("sentence 1 has no tree or graph in the parse: a tree without words", ("(S (N a))", "(S (N))")),
        ("sentence 1 has no tree or graph in the text: '(' that is never closed", ("(S (N a)",)),
        ("gold and parse are two files, or two trees or graphs as text", (TREES[0], "parse.ptb")),
        ("nowhere.ptb: no such file", ("nowhere.ptb",)),
        ("no sentence 2; there are 1, counted from 1", (TREES[0], "--sentence", "2")),
        ("no sentence 0; there are 1, counted from 1", (*TREES, "--sentence", "0")),
        ("--parser is for runs", (*TREES, "--parser", "a")),
        ("--worst is for runs, instead of --sentence", (*TREES, "--worst")),
        ("the number of a sentence is --sentence N", ("(S (N a))", "(S (N a))", "2")),
        ("--mapping and --preset are for two trees", (TREES[0], "--mapping", "e")),
        ("give a run; a file or a tree as text; or two", ()),
    ],
)
def test_what_cannot_be_is_said(tmp_path: Path, message: str, arguments: tuple[str, ...]):
    check_refused(message, "draw", *arguments, cwd=tmp_path)
    assert list(tmp_path.iterdir()) == []

"""What is written as LaTeX compiles, where there is a LaTeX to try it."""

from __future__ import annotations

import shutil
import subprocess
import unicodedata
from pathlib import Path

import pytest

import evaltools
from evaltools.corpus import DependencyTree
from evaltools.drawing import bracket_bars, draw
from evaltools.frameworks.constituency.marked import marked_sentence
from evaltools.frameworks.dependency.marked import marked_arcs
from evaltools.marks import Marks
from tests.drawing import graph_examples
from tests.drawing.examples import cannot


def _has_latex() -> bool:
    if shutil.which("pdflatex") is None or shutil.which("kpsewhich") is None:
        return False
    found = subprocess.run(["kpsewhich", "forest.sty", "tikz.sty", "standalone.cls"], capture_output=True, check=False)
    return found.stdout.count(b"\n") == 3


needs_latex = pytest.mark.skipif(not _has_latex(), reason="no pdflatex with forest, tikz and standalone here")

GOLD = "(S (CC But) (PP (IN in) (NP (DT the) (NN attic))) (NP ($ $) (#x 100%_&)) (VP (-LRB- -LRB-) (<s> {a}^~\\\\b)))"
TEST = (
    "(S (CC But) (NP (PP (IN in) (NP (DT the))) (ADVP (RB attic))) "
    "(NP ($ $) (#y 100%_&)) (-LRB- -LRB-) (<s> {a}^~\\\\b))"
)


WORDS = ("100%_&", "$x$", "{a}^~\\b", "#")
ALL = frozenset(range(4))
PARSE = evaltools.MultiFunctionTree(WORDS, {ALL: {"root"}, frozenset({0, 1}): {"s_bj"}, frozenset({3}): {"100%"}})
GENERAL = evaltools.MultiFunctionTree(WORDS, {ALL: {"root"}, frozenset({0, 2}): {"s_bj", "x&y"}})

CROSSING = evaltools.Tree.from_string("(S (X (A 0=a) (C 2=c)) (Y (B 1=b) (D 3=d)))", "discbracket")
FLAT = evaltools.Tree.from_string("(S (A a) (B b) (C c) (D d))")


def long_arcs() -> Marks:
    """Return a sentence of several lines with arcs that leave them."""
    forms, relations = tuple(f"word{number}" for number in range(60)), ("dep",) * 60
    gold, test = (
        evaltools.DependencyTree(forms, heads, relations) for heads in ((-1, *[0] * 59), (59, *range(58), -1))
    )
    marked = marked_arcs(evaltools.align_dependencies(gold, test))
    assert marked is not None
    return marked


@pytest.mark.slow
@needs_latex
@pytest.mark.parametrize(
    "what", ["e", "t", "tree", "words", "steps", "brackets", "crossing", "gaps", "arcs", "trees of arcs", "graphs"]
)
def test_it_compiles(what: str, tmp_path: Path):
    alignment = cannot() if what == "words" else evaltools.align(GOLD, TEST)
    if what == "steps":
        text = draw(evaltools.tedeval_protocol(PARSE, [GENERAL, PARSE], own=1), "latex", standalone=True)
    elif what == "brackets":
        text = draw(bracket_bars(alignment, part="whole"), "latex", standalone=True)
    elif what == "crossing":
        text = draw(evaltools.align(CROSSING, CROSSING), "latex", mapping="e", standalone=True)
    elif what == "gaps":
        text = draw(marked_sentence(evaltools.align(CROSSING, FLAT)), "latex", standalone=True, verdict=True)
    elif what == "arcs":
        text = draw(long_arcs(), "latex", standalone=True, verdict=True)
    elif what == "trees of arcs":
        words = DependencyTree(("<b>$x$</b>", "-LRB-", "c"), (-1, 0, 1), ("root", "a_{b}^~", "50%#$"))
        other = DependencyTree(words.forms, (1, -1, 1), ("x", "root", "50%#$"))
        text = draw(evaltools.align_dependencies(words, other, subtypes=True), "latex", standalone=True)
    elif what == "graphs":
        graphs = graph_examples.aligned((graph_examples.GOLD, graph_examples.TEST))
        text = draw(graphs, "latex", standalone=True, properties="all", parse_name="a_b & 50%")
    elif what == "tree":
        text = draw(alignment.gold, "latex", standalone=True)
    else:
        text = draw(alignment, "latex", mapping="t" if what == "t" else "e", standalone=True)
    (tmp_path / "drawing.tex").write_text(text, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "drawing.tex"]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace", check=False)
    assert ended.returncode == 0, ended.stdout[-2000:]
    assert (tmp_path / "drawing.pdf").stat().st_size > 1000


def test_symbols_of_marked_sentences_are_written_as_commands():
    brackets, arcs = marked_sentence(evaltools.align(GOLD, TEST)), long_arcs()
    legend = [("moved", "moves from × to ↑"), ("missing", "missing")]
    assert {"↑", "◂", "▸"} <= set(draw(brackets, "svg", legend=legend) + draw(arcs, "svg"))
    for marked in (brackets, arcs):
        text = draw(marked, "latex", standalone=True, verdict=True, legend=legend)
        assert not {
            character for character in text if not character.isascii() and unicodedata.category(character)[0] == "S"
        }


def test_the_legend_shows_marks_without_labels():
    text = draw(evaltools.align(GOLD, TEST), "latex", mapping="t")
    assert "emptyset" not in text
    assert "emptyset" in draw(evaltools.align("(S ( (X a)) (Y b))", "(S (X a) (Y b))"), "latex", mapping="t")

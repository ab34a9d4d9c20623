"""Multi-function trees as bars: every node and function is there, nothing overlaps, gaps are dotted."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given, strategies as st

import evaltools
from evaltools import MultiFunctionTree, tedeval_protocol
from evaltools.drawing import Bars, FunctionBar, bars_of, bracket_bars, draw, protocol_bars
from evaltools.errors import ParameterError
from evaltools.marks import Status

SVG = "{http://www.w3.org/2000/svg}"


@st.composite
def trees(draw: st.DrawFn) -> MultiFunctionTree:
    n = draw(st.integers(1, 7))
    nodes = draw(st.sets(st.frozensets(st.integers(0, n - 1), min_size=1), max_size=6))
    labels = st.frozensets(st.sampled_from(["sbj", "obj", "hd", "<b>&", ""]), max_size=2)
    return MultiFunctionTree(
        tuple(f"w{i}" for i in range(n)), {node: draw(labels) for node in sorted(nodes, key=sorted)}
    )


def groups(svg: str, name: str) -> list[ET.Element]:
    root = ET.fromstring(svg)
    return [one for one in root.iter(f"{SVG}g") if name in str(one.get("class")).split()]


@given(trees())
def test_every_word_and_every_function_is_drawn(tree: MultiFunctionTree):
    svg = draw(Bars(tree.words, bars_of(tree)))
    words = [one.text for one in ET.fromstring(svg).iter(f"{SVG}text") if one.get("class") == "word"]
    assert words == list(tree.words)
    assert len(groups(svg, "function")) == sum(max(len(labels), 1) for labels in tree.labels.values())


@given(trees())
def test_bars_that_share_words_stand_at_different_heights(tree: MultiFunctionTree):
    svg = draw(Bars(tree.words, bars_of(tree)))
    spans = [one.get("d") for one in ET.fromstring(svg).iter(f"{SVG}path") if one.get("class") == "span"]
    drawn = []
    for path in spans:
        left, y, right = (
            float(re.search(rf"{letter}(-?[\d.]+)( [\d.]+)?V?([\d.]+)?", path).group(1)) for letter in "MVH"
        )
        drawn.append((left, right, y))
    for place, (left, right, y) in enumerate(drawn):
        for other_left, other_right, other_y in drawn[:place]:
            assert y != other_y or right <= other_left or other_right <= left


def test_the_gap_of_a_discontinuous_node_is_dotted():
    svg = draw(Bars("abc", [FunctionBar(frozenset({0, 2}), (("x", Status.RIGHT, False),))]))
    classes = [one.get("class") for one in ET.fromstring(svg).iter(f"{SVG}path")]
    assert classes == ["span", "span", "over"]


def test_what_is_deleted_added_and_discarded_can_be_told_apart_without_colour():
    words = ("it", "rains")
    gold = MultiFunctionTree(words, {frozenset({0, 1}): {"root"}, frozenset({0}): {"sbj"}})
    other = MultiFunctionTree(words, {frozenset({0, 1}): {"root"}, frozenset({1}): {"hd"}})
    parse = MultiFunctionTree(words, {frozenset({0, 1}): {"s"}, frozenset({0}): {"sbj"}})
    svg = draw(Bars(words, protocol_bars(tedeval_protocol(parse, [gold, other]))))
    shown = {"".join(one.itertext()): str(one.get("class")) for one in groups(svg, "function")}
    assert shown == {"> s": "function spurious", "< root": "function missing", "sbj": "function discarded"}
    whole = protocol_bars(tedeval_protocol(parse, [gold, other], labelled=False))
    assert {bar.words: (bar.status, bar.discarded) for bar in whole} == {
        frozenset({0, 1}): (Status.RIGHT, False),
        frozenset({0}): (Status.SPURIOUS, True),
    }


@pytest.mark.parametrize("theme", ["light", "dark", "auto"])
def test_labels_from_data_are_text_and_every_theme_is_drawn(theme: str):
    bar = FunctionBar(frozenset({0}), (("<script>alert(1)</script>", Status.RIGHT, False),))
    svg = draw(Bars(["<b>"], [bar]), theme=theme)
    assert "<script>" not in svg
    assert f"evaltools {theme}" in svg
    assert ET.fromstring(draw(Bars((), ()), theme=theme)) is not None


def test_words_of_a_script_from_right_to_left_run_that_way():
    svg = draw(Bars(["كتاب", "الطالب"], [FunctionBar(frozenset({0}))]))
    words = {one.text: float(str(one.get("x"))) for one in ET.fromstring(svg).iter(f"{SVG}text")}
    assert words["كتاب"] > words["الطالب"]


@given(trees())
def test_latex_has_the_same_words_bars_and_functions(tree: MultiFunctionTree):
    svg, latex = draw(Bars(tree.words, bars_of(tree))), draw(Bars(tree.words, bars_of(tree)), "latex")
    functions = sum(max(len(labels), 1) for labels in tree.labels.values())
    assert latex.count(r"\draw[draw=black!65") == svg.count('class="span"')
    assert latex.count(", dotted") == svg.count('class="over"')
    assert latex.count(r" rectangle ") == svg.count('class="function') == functions
    assert latex.count(r"\node at") == len(tree.words) + functions
    assert latex.count("{") == latex.count("}") + latex.count(r"\{") - latex.count(r"\}")


def test_what_is_no_error_is_struck_through_in_latex():
    bars = [FunctionBar(frozenset({0}), (("a_b", Status.MISSING, True), ("c", Status.SPURIOUS, False)))]
    latex = draw(Bars("a", bars), "latex")
    assert latex.count("densely dotted") == 1
    assert latex.count("line width=.4pt] (") == 1
    assert r"a\_b" in latex
    assert r"\textless{}" not in latex
    assert r"\textgreater{} c" in latex
    assert "draw=evalspurious, double" in latex


def test_brackets_of_two_trees_in_latex():
    alignment = evaltools.align("(S (NP (N dogs)) (VP (V bark)))", "(S (NP (N dogs)) (NP (V bark)))")
    latex = draw(bracket_bars(alignment), "latex")
    assert latex.count(r" rectangle ") == 6
    assert latex.count("draw=evalmissing, dashed") == latex.count("draw=evalspurious, double") == 1
    with pytest.raises(ParameterError, match="words of the trees differ"):
        draw(bracket_bars(evaltools.align("(S (N dogs))", "(S (N cats))")), "latex")

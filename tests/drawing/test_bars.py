"""Nodes over words as bars: every node and function is there, nothing overlaps, gaps are dotted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from xml.etree import ElementTree

import pytest
from hypothesis import given, strategies as st

from evaltools import MultiFunctionTree, tedeval_protocol
from evaltools.drawing import Bars, FunctionBar, bracket_bars, draw, languages, protocol_bars
from evaltools.drawing.bars import bars_scene
from evaltools.drawing.scene import Group, Item, Line
from evaltools.errors import ParameterError
from evaltools.frameworks.constituency.alignment import align
from evaltools.marks import Status
from tests.drawing.examples import DOG

SVG = "{http://www.w3.org/2000/svg}"
WORDS = ("it", "rains")
ALL, IT, RAINS = frozenset({0, 1}), frozenset({0}), frozenset({1})
GOLDS = [MultiFunctionTree(WORDS, {ALL: {"root"}, word: {name}}) for word, name in ((IT, "sbj"), (RAINS, "hd"))]
PARSE = MultiFunctionTree(WORDS, {ALL: {"s"}, IT: {"sbj"}})


@st.composite
def trees(draw: st.DrawFn) -> MultiFunctionTree:
    n = draw(st.integers(1, 7))
    nodes = draw(st.sets(st.frozensets(st.integers(0, n - 1), min_size=1), max_size=6))
    labels = st.frozensets(st.sampled_from(["sbj", "obj", "hd", "<b>&", ""]), max_size=2)
    return MultiFunctionTree(
        tuple(f"w{i}" for i in range(n)), {node: draw(labels) for node in sorted(nodes, key=sorted)}
    )


def classes(svg: str, tag: str) -> list[str]:
    return [str(item.get("class")) for item in ElementTree.fromstring(svg).iter(f"{SVG}{tag}")]


def texts(svg: str) -> dict[str, ElementTree.Element]:
    return {str(item.text): item for item in ElementTree.fromstring(svg).iter(f"{SVG}text")}


@given(trees())
def test_every_language_has_the_same_words_nodes_and_functions(tree: MultiFunctionTree):
    svg, latex, dot = (draw(tree, language) for language in ("svg", "latex", "dot"))
    functions = sum(max(len(labels), 1) for labels in tree.labels.values())
    words = [item.text for item in ElementTree.fromstring(svg).iter(f"{SVG}text") if item.get("class") == "word"]
    assert words == list(tree.words)
    assert sum(name.split()[0] == "function" for name in classes(svg, "g") if name != "None") == functions
    assert latex.count(r"\draw[draw=black!65") == svg.count('class="span"')
    assert latex.count(", dotted") == svg.count('class="over"')
    assert latex.count(r" rectangle ") == functions
    assert latex.count(r"\node at") == len(words) + functions
    assert latex.count("{") == latex.count("}") + latex.count(r"\{") - latex.count(r"\}")
    assert len(re.findall(r"^\t[wg]\d+ \[", dot, re.MULTILINE)) == len(words) + len(tree.labels)


@given(trees())
def test_bars_that_share_words_are_at_different_heights(tree: MultiFunctionTree):
    bars = []
    for item in ElementTree.fromstring(draw(tree)).iter(f"{SVG}path"):
        if item.get("class") == "span":
            left, _, y, right, _ = map(float, re.findall(r"[\d.]+", str(item.get("d"))))
            bars.append((left, right, y))
    for at, (left, right, y) in enumerate(bars):
        assert all(y != other or right <= start or end <= left for start, end, other in bars[:at])


def test_the_gap_of_a_discontinuous_node_is_dotted():
    svg = draw(Bars("abc", [FunctionBar(frozenset({0, 2}), (("x", Status.RIGHT, False),))]))
    assert classes(svg, "path") == ["span", "span", "over"]


def test_what_is_deleted_added_and_discarded_differs_without_color():
    svg = draw(tedeval_protocol(PARSE, GOLDS))
    groups = (item for item in ElementTree.fromstring(svg).iter(f"{SVG}g") if item.get("class"))
    shown = {"".join(item.itertext()): item.get("class") for item in groups}
    assert shown == {"> s": "function spurious", "< root": "function missing", "sbj": "function discarded"}
    whole = protocol_bars(tedeval_protocol(PARSE, GOLDS, labeled=False))
    assert {bar.words: (bar.status, bar.discarded) for bar in whole} == {
        ALL: (Status.RIGHT, False),
        IT: (Status.SPURIOUS, True),
    }
    bars = [FunctionBar(IT, (("a_b", Status.MISSING, True), ("c", Status.SPURIOUS, False)))]
    latex = draw(Bars("a", bars), "latex")
    assert latex.count("densely dotted") == latex.count("line width=.4pt] (") == 1, "struck through"
    assert r"a\_b" in latex
    assert r"\textless{}" not in latex
    assert r"\textgreater{} c" in latex
    assert "draw=evalspurious, double" in latex


def test_labels_from_data_are_text_and_every_theme_is_drawn():
    bar = FunctionBar(IT, (("<script>alert(1)</script>", Status.RIGHT, False),))
    for theme in ("light", "dark", "auto"):
        svg = draw(Bars(["<b>"], [bar]), theme=theme)
        assert "<script>" not in svg
        assert f"evaltools {theme}" in svg
    ElementTree.fromstring(draw(Bars((), ())))


def test_words_of_a_script_from_right_to_left_run_that_way():
    x = {
        text: float(str(item.get("x")))
        for text, item in texts(draw(Bars(["كتاب", "الطالب"], [FunctionBar(IT)]))).items()
    }
    assert x["كتاب"] > x["الطالب"]


# ------------------------------------------------------------------------------------------------------------------ DOT


def edges(dot: str) -> set[tuple[str, str]]:
    """Return the edges of a picture in DOT, nodes by their labels, without those that keep words in a row."""
    names = dict(re.findall(r'^\t(\w+) \[label="?(.*?)"?(?: \w+=.*)?\]$', dot, re.MULTILINE))
    return {(names[one], names[other]) for one, other in re.findall(r"^\t(\w+) -> (\w+)$", dot, re.MULTILINE)}


def test_function_trees_in_dot():
    words = ("what", "did", "he", "see", "<&")
    tree = MultiFunctionTree(
        words, {frozenset(range(4)): {"root"}, frozenset({0, 3}): {"obj", "hd"}, frozenset({3}): set()}
    )
    assert languages(tree) == ("svg", "dot", "latex")
    dot = draw(tree, "dot")
    both = r"hd\nobj"
    assert edges(dot) == {
        *(("root", item) for item in ("did", "he", both)),
        *((both, item) for item in ("what", "∅")),
        ("∅", "see"),
    }
    assert 'label="<&amp;"' in dot


def test_steps_of_tedeval_and_brackets_in_dot():
    dot = draw(tedeval_protocol(PARSE, GOLDS), "dot")
    assert edges(dot) == {(r"< root\n> s", "(sbj)"), (r"< root\n> s", "rains"), ("(sbj)", "it")}
    dot = draw(bracket_bars(align(*DOG)), "dot")
    above = {("S", "< VP"), ("< VP", "< NP"), ("< VP", "barks"), ("< NP", "the"), ("< NP", "dog")}
    below = {("the", "> PP"), ("> PP", "> AP"), ("dog", "> AP"), ("> AP", "S"), ("barks", "S")}
    assert edges(dot) == above | below, "the parse is below the words"
    assert dot.count('color="#B85000" shape=box style=dashed') == dot.count("peripheries=2") == 2


# ------------------------------------------------------------------------------------------------------------- brackets


@pytest.mark.parametrize(("part", "counts"), [("roof", (2, 2, 2)), ("whole", (6, 3, 3))])
def test_every_bracket_is_a_bar_with_the_color_of_its_status(part: str, counts: tuple[int, ...]):
    alignment = align(*DOG)
    drawn = draw(bracket_bars(alignment, part=part))
    assert tuple(drawn.count(f'class="function {item}"') for item in ("right", "missing", "spurious")) == counts
    assert counts[0] == 2 * alignment.counts[f"e_matched_{part}"]
    assert sum(counts) == alignment.counts[f"e_gold_{part}"] + alignment.counts[f"e_test_{part}"]


def test_gold_is_above_the_words_and_test_below():
    y = {text: float(str(item.get("y"))) for text, item in texts(draw(bracket_bars(align(*DOG)))).items()}
    assert y["< VP"] < y["dog"] < y["> AP"]


def test_brackets_without_a_label_are_drawn_and_those_without_words_are_not():
    bars = bracket_bars(align("( (S (N dogs)))", "( (S (N dogs)))"))
    assert [bar.functions[0][0] for bar in bars.above] == ["S", "∅"]


def test_other_words_and_unknown_parts_are_refused():
    with pytest.raises(ParameterError, match="words of the trees differ"):
        draw(bracket_bars(align("(S (N dogs))", "(S (N cats))")))
    with pytest.raises(ParameterError, match="roof, whole"):
        draw(bracket_bars(align(*DOG), part="half"))


def test_a_long_sentence_has_several_lines_in_each_of_which_its_nodes_are_drawn():
    words = [f"word{number}" for number in range(12)]
    root = FunctionBar(frozenset(range(12)), (("root", Status.RIGHT, False),))
    bars = Bars(words, [root, FunctionBar(frozenset({11}))])
    whole, folded = bars_scene(bars, width=2000.0), bars_scene(bars, width=400.0)
    assert whole.width > 400.0 >= folded.width
    assert folded.height > whole.height
    svg = ElementTree.fromstring(draw(bars, width=400.0))
    shown = ["".join(item.itertext()) for item in svg.iter() if item.tag.endswith("text")]
    assert sorted(name for name in shown if name in words) == sorted(words)
    assert shown.count("root") == 2
    assert shown.count("∅") == 1


def test_a_node_that_goes_on_has_no_corner_at_the_end_of_a_line():
    def lines(items: Iterable[Item]) -> Iterator[Line]:
        for item in items:
            if isinstance(item, Group):
                yield from lines(item.items)
            elif isinstance(item, Line) and item.role == "span":
                yield item

    def corners(width: float) -> list[int]:
        scene = bars_scene(Bars(["long"] * 8, [FunctionBar(frozenset(range(8)))]), width=width)
        return [len(line.points) - 2 for line in lines(scene.items)]

    assert corners(900.0) == [2]
    assert corners(200.0) == [1, 1]

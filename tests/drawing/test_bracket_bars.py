"""The brackets of two trees as bars over one row of words."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from evaltools.drawing.bracket_bars import bracket_bars, bracket_bars_svg
from evaltools.errors import ParameterError
from evaltools.metrics.alignment import align
from evaltools.metrics.mapping import NodeStatus

GOLD = "(S (VP (NP (D the) (N dog)) (V barks)))"
TEST = "(S (AP (PP (A the)) (N dog)) (V barks))"


@pytest.mark.parametrize(("part", "counts"), [("roof", (2, 2, 2)), ("whole", (6, 3, 3))])
def test_every_bracket_is_a_bar_with_the_colour_of_its_status(part: str, counts: tuple[int, ...]):
    alignment = align(GOLD, TEST)
    drawn = bracket_bars_svg(alignment, part=part)
    ElementTree.fromstring(drawn)
    assert tuple(drawn.count(f'class="function {one}"') for one in ("matched", "deleted", "inserted")) == counts
    assert counts[0] == 2 * alignment.counts[f"e_matched_{part}"]
    assert counts[0] + counts[1] + counts[2] == alignment.counts[f"e_gold_{part}"] + alignment.counts[f"e_test_{part}"]


def test_gold_stands_above_the_words_and_test_below():
    drawn = bracket_bars_svg(align(GOLD, TEST))
    heights = {text: float(y) for y, text in re.findall(r'<text [^>]*y="([\d.]+)"[^>]*>([^<]*)</text>', drawn)}
    assert heights["&lt; VP"] < heights["dog"] < heights["&gt; AP"]


def test_brackets_without_a_label_are_drawn_and_those_without_words_are_not():
    tree = align("( (S (N dogs)))", "( (S (N dogs)))").gold
    bars = bracket_bars(tree, (NodeStatus.MATCHED,) * len(tree))
    assert [bar.functions[0][0] for bar in bars] == ["S", "∅"]


def test_other_words_and_unknown_parts_are_refused():
    with pytest.raises(ParameterError, match="words of the trees differ"):
        bracket_bars_svg(align("(S (N dogs))", "(S (N cats))"))
    with pytest.raises(ParameterError, match="roof, whole"):
        bracket_bars_svg(align(GOLD, TEST), part="half")

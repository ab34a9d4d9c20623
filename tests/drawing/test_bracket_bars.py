"""The brackets of two trees as bars over one row of words."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from evaltools.drawing import bracket_bars, draw
from evaltools.errors import ParameterError
from evaltools.frameworks.constituency.alignment import align

GOLD = "(S (VP (NP (D the) (N dog)) (V barks)))"
TEST = "(S (AP (PP (A the)) (N dog)) (V barks))"


@pytest.mark.parametrize(("part", "counts"), [("roof", (2, 2, 2)), ("whole", (6, 3, 3))])
def test_every_bracket_is_a_bar_with_the_colour_of_its_status(part: str, counts: tuple[int, ...]):
    alignment = align(GOLD, TEST)
    drawn = draw(bracket_bars(alignment, part=part))
    ElementTree.fromstring(drawn)
    assert tuple(drawn.count(f'class="function {one}"') for one in ("right", "missing", "spurious")) == counts
    assert counts[0] == 2 * alignment.counts[f"e_matched_{part}"]
    assert counts[0] + counts[1] + counts[2] == alignment.counts[f"e_gold_{part}"] + alignment.counts[f"e_test_{part}"]


def test_gold_stands_above_the_words_and_test_below():
    drawn = draw(bracket_bars(align(GOLD, TEST)))
    heights = {text: float(y) for y, text in re.findall(r'<text [^>]*y="([\d.]+)"[^>]*>([^<]*)</text>', drawn)}
    assert heights["&lt; VP"] < heights["dog"] < heights["&gt; AP"]


def test_brackets_without_a_label_are_drawn_and_those_without_words_are_not():
    bars = bracket_bars(align("( (S (N dogs)))", "( (S (N dogs)))"))
    assert [bar.functions[0][0] for bar in bars.above] == ["S", "∅"]


def test_other_words_and_unknown_parts_are_refused():
    with pytest.raises(ParameterError, match="words of the trees differ"):
        draw(bracket_bars(align("(S (N dogs))", "(S (N cats))")))
    with pytest.raises(ParameterError, match="roof, whole"):
        draw(bracket_bars(align(GOLD, TEST), part="half"))

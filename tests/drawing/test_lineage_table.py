"""The picture of the table of two lineages."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from evaltools.drawing import draw
from evaltools.frameworks.common.lineages import lineage_table

NAMES = {"svg": "http://www.w3.org/2000/svg"}


@pytest.mark.parametrize("theme", ["light", "dark", "auto"])
def test_every_number_and_the_path_are_drawn(theme: str):
    table = lineage_table(("N1", "]", "N1", "S"), ("NP", "S"), "la")
    root = ElementTree.fromstring(draw(table, theme=theme))
    numbers = [one.text for one in root.iterfind(".//svg:text", NAMES) if "number" in one.get("class", "")]
    assert sorted(map(float, filter(None, numbers))) == sorted(cost for row in table.costs for cost in row)
    cells = [one.get("class", "").split()[1:] for one in root.iterfind(".//svg:g[@role]", NAMES)]
    assert cells == [["right"], ["missing"], ["missing"], ["relabeled"], ["right", "result"]]


def test_symbols_are_text_whatever_they_are():
    table = lineage_table(("<b>&", "a\u202e"), ("x" * 99,))
    root = ElementTree.fromstring(draw(table))
    texts = [one.text or "" for one in root.iterfind(".//svg:text", NAMES)]
    assert "<b>&" in texts
    assert any(text.startswith("xxxxxx…") for text in texts)
    assert not any("\u202e" in text for text in texts)


def test_an_empty_table_has_one_cell():
    root = ElementTree.fromstring(draw(lineage_table((), ())))
    assert len(root.findall(".//svg:g[@role]", NAMES)) == 1

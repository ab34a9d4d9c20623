"""Every drawing of trees with labels and words of every kind."""

from __future__ import annotations

import json
import re
from random import Random
from xml.dom import minidom

import pytest

from evaltools import Tree, align
from evaltools.drawing import bracket_bars, draw

STRANGE = [
    *("", "S", "NP", "\x00", "\x1b[31m", "\ud800", "\u202e", "\u2028", "\ufffe", "\x9b", "\x7f", "e\u0301", "日本"),
    *(
        "<b>&\"'",
        "]]>",
        "</svg>",
        "\\end{x}$%#_{}^~",
        "[",
        "]",
        "|",
        "{",
        "\\N",
        "%s",
        "{0}",
        "-NONE-",
        "``",
        "a" * 3000,
    ),
]


def strange_tree(random: Random, depth: int) -> str:
    label = random.choice(STRANGE)
    if not depth or random.random() < 0.3:
        return f"({label} {random.choice(STRANGE) or 'w'})"
    return f"({label} {' '.join(strange_tree(random, depth - 1) for _ in range(random.randint(1, 3)))})"


@pytest.mark.slow
@pytest.mark.parametrize("language", ["text", "svg", "dot", "latex", "json"])
def test_strange_labels_in_every_language(language: str):
    random = Random(3)
    for number in range(60):
        gold, test = (Tree.from_string(strange_tree(random, 3)) for _ in range(2))
        alignment = align(gold, test, ("none", "standard", "collins", "new")[number % 4])
        for mapping in ("e", "t"):
            drawn = draw(alignment, language, mapping=mapping)
            if language == "svg":
                minidom.parseString(drawn.encode("utf-8"))
            elif language == "json":
                json.loads(drawn)
            else:
                assert drawn.encode("utf-8")
            if language == "text":
                assert re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", drawn) is None


def test_strange_labels_as_bars():
    random = Random(4)
    for _ in range(40):
        tree = Tree.from_string(strange_tree(random, 3))
        alignment = align(tree, tree)
        for part in ("roof", "whole"):
            minidom.parseString(draw(bracket_bars(alignment, part=part), theme="auto").encode("utf-8"))

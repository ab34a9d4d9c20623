"""Arrows and crosses of marked sentences: they end at the brackets that the words name, and cover nothing."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from evaltools import align
from evaltools.drawing.layouts.marked_sentence import bracket_scene
from evaltools.drawing.layouts.marked_setting import MAX_ARROWS
from evaltools.drawing.layouts.marked_strips import strips_scene
from evaltools.drawing.measure import text_width
from evaltools.drawing.scene import Group, Item, Line, Mark, Rectangle, Ring, Scene, Text, walk
from evaltools.formats import read_treebank
from evaltools.frameworks.constituency.marked import marked_sentence
from evaltools.marks import MarkedSentence, RepairStrips
from tests.drawing.test_marked_sentence import random_sentences, random_tree

SAMPLE = Path(__file__).parents[2] / "sample_data"

Extent = tuple[float, float, float, float]


@cache
def sentences() -> tuple[MarkedSentence, ...]:
    """Return random sentences, and some of the sample."""
    rng = random.Random(11)
    made = random_sentences()
    for length in (4, 7, 12, 20, 40):
        words = [rng.choice(["a", "of", "house", "run"]) for _ in range(length)]
        made.append(marked_sentence(align(random_tree(rng, words), random_tree(rng, words))))
    gold = read_treebank(SAMPLE / "gold.ptb")
    for path in sorted((SAMPLE / "parsers").glob("*.ptb"))[:3]:
        test = read_treebank(path)
        for index in range(0, len(gold), 37):
            if test.n_words[index] == gold.n_words[index]:
                made.append(marked_sentence(align(gold.tree(index), test.tree(index))))
    return tuple(sentence for sentence in made if any(item.moved is not None for item in sentence.repairs))


def texts_of(items: tuple[Item, ...]) -> Iterator[tuple[str, Extent]]:
    """Yield what must stay readable, with its box: words, and the labels, marks and numbers of brackets and tags."""
    for group in walk(items):
        if not isinstance(group, Group) or not {"cell", "bracket", "tag"} & set(group.role.split()):
            continue
        for item in group.items:
            if isinstance(item, Text) and item.anchor == "start":
                width, half = 0.9 * text_width(item.text, item.size), 0.36 * item.size
                yield item.text, (item.x, item.y - half, item.x + width, item.y + half)
            elif isinstance(item, Ring):
                yield "number", (item.x - item.radius, item.y - item.radius, item.x + item.radius, item.y + item.radius)
            elif isinstance(item, Mark):
                yield "mark", (item.x - 3, item.y - 3, item.x + 3, item.y + 3)


def marks_of(group: Group) -> Iterator[Extent]:
    """Yield the boxes of the arrow, the cross and the number of a phrase that moves."""
    for item in group.items:
        if isinstance(item, Line):
            for (x0, y0), (x1, y1) in pairwise(item.points):
                yield min(x0, x1) - 1, min(y0, y1), max(x0, x1) + 1, max(y0, y1)
            if item.arrow:
                x, y = item.points[-1]
                yield x - 3.5, y, x + 3.5, y + 7
        elif isinstance(item, Ring):
            yield item.x - item.radius, item.y - item.radius, item.x + item.radius, item.y + item.radius


def overlap(a: Extent, b: Extent) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def moves_of(scene: Scene) -> list[Group]:
    return [item for item in walk(scene.items) if isinstance(item, Group) and item.role == "move"]


@pytest.mark.parametrize("width", [330, 640, 1040])
@pytest.mark.parametrize("height", [None, 260])
def test_no_arrow_cross_or_number_covers_a_word_a_label_a_tag_or_another_number(width: int, height: int | None) -> None:
    for sentence in sentences():
        scene = bracket_scene(sentence, width=width, height=height)
        texts = list(texts_of(scene.items))
        for group in moves_of(scene):
            for extent in marks_of(group):
                assert not [text for text, other in texts if overlap(extent, other)]
                assert extent[0] >= 0
                assert extent[2] <= width
        rings = [item for group in moves_of(scene) for item in group.items if isinstance(item, Ring)]
        for at, ring in enumerate(rings):
            for other in rings[:at]:
                assert abs(ring.x - other.x) >= 2 * ring.radius - 0.1 or abs(ring.y - other.y) >= 2 * ring.radius - 0.1


def test_arrows_of_strips_cover_nothing_either() -> None:
    for sentence in sentences():
        for strip in strips_scene(RepairStrips(sentence)).items:
            if isinstance(strip, Group):
                texts = list(texts_of(strip.items))
                for group in walk(strip.items):
                    if isinstance(group, Group) and group.role == "move":
                        assert not [text for text, box in texts for mark in marks_of(group) if overlap(mark, box)]


def test_an_arrow_ends_at_the_bracket_where_the_phrase_belongs_and_the_cross_is_on_the_one_it_is_in() -> None:
    ends = 0
    for sentence in sentences():
        scene = bracket_scene(sentence, width=2000)
        hits = {}
        for group in walk(scene.items):
            if isinstance(group, Group) and "bracket" in group.role.split():
                (box,) = [item.box for item in group.items if isinstance(item, Rectangle) and item.role == "hit"]
                hits.setdefault(group.data["node"], []).append(box.y)
        for group in moves_of(scene):
            repair = sentence.repairs[int(str(group.data["repair"])) - 1]
            assert repair.gold_parent is not None
            assert repair.test_parent is not None
            for item in group.items:
                if isinstance(item, Line) and item.role == "arrow":
                    node = sentence.brackets[repair.gold_parent].node
                    assert any(abs(item.points[-1][1] - y) <= 1 for y in hits[f"g{node}"])
                    ends += 1
                elif isinstance(item, Line) and item.role == "cross":
                    node = sentence.brackets[repair.test_parent].node
                    assert any(
                        min(p[1] for p in item.points) < y < max(p[1] for p in item.points) for y in hits[f"t{node}"]
                    )
    assert ends > 20


def test_nearly_every_phrase_that_moves_has_an_arrow_from_its_words() -> None:
    wanted = drawn = whole = 0
    for sentence in sentences():
        scene = bracket_scene(sentence, width=1040)
        wanted += 2 * sum(item.moved is not None and item.number <= MAX_ARROWS for item in sentence.repairs)
        bands = [item.box for item in walk(scene.items) if isinstance(item, Rectangle) and item.role == "band"]
        edges = [edge for band in bands for edge in (band.top, band.bottom)]
        for group in moves_of(scene):
            lines = [item for item in group.items if isinstance(item, Line) and item.role.startswith("arrow")]
            drawn += len(lines)
            whole += sum(any(abs(line.points[0][1] - edge) < 0.1 for edge in edges) for line in lines)
    assert whole == drawn
    assert drawn >= 0.8 * wanted  # the others belong to, or are in, a bracket that has no part on the phrase's line

"""The strip of shaded words, and a word's lineages step by step."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from evaltools.drawing import draw, la_color
from evaltools.drawing.measure import text_width
from evaltools.drawing.palette import _luminance
from evaltools.frameworks.views import word_strip
from evaltools.text import excerpt, join_words
from tests.drawing.examples import ARABIC, HOSTILE, TELESCOPE, aligned, cannot

SVG = "{http://www.w3.org/2000/svg}"


def contrast(one: str, two: str) -> float:
    light = sorted(_luminance(tuple(int(c[i : i + 2], 16) for i in (1, 3, 5))) for c in (one, two))
    return (light[1] + 0.05) / (light[0] + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_scale_keeps_its_order_in_grey_and_its_text_readable(theme: str) -> None:
    colors = [la_color(step / 50, theme) for step in range(51)]
    gray = [_luminance(tuple(int(back[i : i + 2], 16) for i in (1, 3, 5))) for back, _ in colors]
    assert gray == sorted(gray, reverse=theme == "dark")
    assert len(set(gray)) == len(gray)
    assert min(contrast(back, text) for back, text in [*colors, la_color(None, theme)]) >= 4.5


def test_shaded_words_say_their_scores() -> None:
    alignment = aligned(TELESCOPE)
    root = ElementTree.fromstring(word_strip(alignment, "la_exact").drawing.draw(width=300))
    cells = [g for g in root.iter(f"{SVG}g") if g.get("data-word") is not None]
    assert [g.find(f"{SVG}text").text for g in cells] == list(alignment.gold.words)
    assert cells[0].find(f"{SVG}title").text == f"I: {100 * alignment.words[0].scores['la_exact']:.2f} %"


def test_words_without_a_partner_are_marked() -> None:
    root = ElementTree.fromstring(word_strip(cannot(), "la").drawing.draw())
    (mark,) = [g for g in root.iter(f"{SVG}g") if g.get("class", "").startswith("node tag")]
    assert mark.get("aria-label") == "no aligned word, there, only in gold"
    assert len([g for g in root.iter(f"{SVG}rect") if g.get("class") == "shade"]) == 21 + len(cannot().words) - 1


@pytest.mark.parametrize("pair", [ARABIC, HOSTILE])
def test_shaded_words_of_other_scripts_and_hostile_words(pair: tuple[str, str]) -> None:
    ElementTree.fromstring(word_strip(aligned(pair), "la").drawing.draw(theme="dark"))


@pytest.mark.parametrize("metric", ["la_exact", "la"])
def test_lineage_drawing_ends_in_the_score(metric: str) -> None:
    for word in aligned(TELESCOPE).words:
        source = draw(word, metric=metric)
        root = ElementTree.fromstring(source)
        (total,) = [text.text for text in root.iter(f"{SVG}text") if text.get("class") == "sum"]
        assert total is not None
        assert float(total.split(" = ")[1].removesuffix(" %")) == pytest.approx(100 * word.scores[metric], abs=0.005)


def test_long_texts_are_cut_in_the_middle() -> None:
    assert excerpt("abcdefghij", 5) == "ab…ij"
    assert join_words(["the", "dog"]) == "the dog"
    assert len(join_words(["x" * 50, "y", "z" * 50], 20)) <= 25
    assert text_width("", 12) == 0

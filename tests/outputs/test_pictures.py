"""Pictures as files of every kind, with their captions."""

from __future__ import annotations

import json
import re
import struct
from xml.etree import ElementTree

import pytest

import evaltools
from evaltools.corpus import MultiFunctionTree
from evaltools.drawing import Bars, Drawing, bars_of, draw
from evaltools.errors import ParameterError
from evaltools.frameworks.constituency.aligned_trees import Alignment
from evaltools.frameworks.crossframework.protocol import tedeval_protocol
from evaltools.frameworks.views import word_strip
from evaltools.outputs import pictures, raster
from evaltools.outputs.pictures import PICTURE_FILES, file_kinds, file_name, picture_file
from evaltools.outputs.raster import drawing_pdf, drawing_png
from tests.drawing import arc_examples, examples, graph_examples

CAPTION = (
    "Two trees & what <differs> in 50 % of them.\nevaltools:1|gold:abc_1|" + "parser-with-a-name:0123456789ab|" * 6
)
SIGNATURE = "evaltools:1|gold:abc_1|"


def _size(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", png[16:24])
    return int(width), int(height)


def _texts(svg: str) -> str:
    return " ".join(ElementTree.fromstring(svg).itertext())


def _bars() -> MultiFunctionTree:
    return MultiFunctionTree(("it", "rains"), {frozenset({0, 1}): {"root"}, frozenset({0}): {"s_bj"}})


def _strip(alignment: Alignment) -> Drawing:
    drawing = word_strip(alignment, "la").drawing
    assert drawing is not None
    return drawing


def _pictures() -> dict[str, Drawing]:
    tree = _bars()
    made: dict[str, Drawing] = {}
    for name, pair in examples.PAIRS.items():
        made[f"trees, {name}"] = Drawing(examples.aligned(pair), options={"mapping": "t"})
    for name, arcs in arc_examples.PAIRS.items():
        made[f"arcs, {name}"] = Drawing(arc_examples.aligned(arcs))
    for name, graphs in graph_examples.PAIRS.items():
        made[f"graphs, {name}"] = Drawing(graph_examples.aligned(graphs))
    dog = examples.aligned(examples.DOG)
    made["e"] = Drawing(dog, options={"mapping": "e", "gold_name": "one", "parse_name": "other"})
    made["steps"] = Drawing(tedeval_protocol(tree, [tree]))
    made["bars"] = Drawing(Bars(tree.words, bars_of(tree), label="Bars"))
    made["tree"] = Drawing(evaltools.Tree.from_string("(S (N dogs) (V bark))"))
    made["strip"] = _strip(dog)
    return made


PICTURES = _pictures()


@pytest.mark.parametrize("name", PICTURES)
@pytest.mark.slow
def test_every_file_can_be_opened_and_has_the_caption(name: str):
    picture = PICTURES[name]
    files = {kind: picture_file(picture, kind, CAPTION) for kind in file_kinds(picture)}
    assert {"svg", "png", "pdf"} <= set(files)
    root = ElementTree.fromstring(files["svg"])
    assert SIGNATURE in _texts(files["svg"].decode())
    width, height = (float(root.attrib[side]) for side in ("width", "height"))
    assert root.attrib["viewBox"].split()[2:] == [root.attrib["width"], root.attrib["height"]]
    assert _size(files["png"]) == pytest.approx((2 * width, 2 * height), abs=2)
    assert files["pdf"].startswith(b"%PDF-")
    box = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", files["pdf"])
    assert box is not None
    assert [float(side) for side in box.groups()] == pytest.approx([0.75 * width, 0.75 * height], abs=1)
    for kind in files.keys() & {"latex", "dot", "text"}:
        assert SIGNATURE in files[kind].decode()
    if "latex" in files:
        assert r"\begin{document}" in files["latex"].decode()
        assert r"\caption{Two trees \& what \textless{}differs" in files["latex"].decode()
    if "json" in files:
        assert SIGNATURE in json.loads(files["json"])["caption"]


@pytest.mark.parametrize("name", ["e", "arcs, stars", "steps"])
def test_without_a_caption_it_is_a_comment_inside_the_file(name: str):
    picture = PICTURES[name]
    for kind in file_kinds(picture):
        content, plain = picture_file(picture, kind, CAPTION, is_shown=False), picture_file(picture, kind, "")
        assert (SIGNATURE.encode() in content) == (kind != "png")
        if kind == "svg":
            assert SIGNATURE not in _texts(content.decode())
            assert ElementTree.fromstring(content).attrib == ElementTree.fromstring(plain).attrib
        elif kind in ("latex", "dot", "text"):
            assert content.endswith(plain)
            assert b"\\caption{" not in content


def test_trees_have_every_language_and_strips_have_none_but_pictures():
    assert file_kinds(PICTURES["e"]) == tuple(PICTURE_FILES)
    assert file_kinds(PICTURES["arcs, stars"]) == ("svg", "png", "pdf", "latex", "dot", "text")
    assert file_kinds(PICTURES["steps"]) == ("svg", "png", "pdf", "latex", "dot", "text")
    assert file_kinds(PICTURES["bars"]) == ("svg", "png", "pdf", "latex", "dot")
    assert file_kinds(PICTURES["strip"]) == ("svg", "png", "pdf")
    with pytest.raises(ParameterError, match="unknown kind of file 'dot'; valid: svg, png, pdf"):
        picture_file(PICTURES["strip"], "dot", CAPTION)


def test_the_names_of_the_trees_stand_in_the_files():
    for kind in ("svg", "text"):
        assert "other" in picture_file(PICTURES["e"], kind, CAPTION).decode()


def test_a_picture_without_a_caption_has_its_own_size():
    dog = examples.aligned(examples.DOG)
    picture = Drawing(dog, options={"mapping": "t"})
    assert picture_file(picture, "svg", "").decode() == evaltools.drawing.draw(dog, mapping="t")
    assert picture_file(picture, "json", "").decode() == evaltools.drawing.draw(dog, "json", mapping="t")


def test_a_caption_stays_within_the_paper():
    drawn = pictures._caption_svg(CAPTION, draw(examples.aligned(examples.DOG).gold))
    root = ElementTree.fromstring(drawn)
    height = float(root.attrib["height"])
    lines = [one for one in root.iter() if one.attrib.get("class") == "soft" and one.text]
    assert len(lines) > 4
    assert all(0 < float(one.attrib["y"]) < height - 4 for one in lines)
    assert max(len(one.text or "") for one in lines) < 70
    assert "".join(one.text or "" for one in lines).replace(" ", "") == CAPTION.replace(" ", "").replace("\n", "")
    paper = next(one for one in root.iter() if one.attrib.get("class") == "paper")
    assert (paper.attrib["width"], paper.attrib["height"]) == (root.attrib["width"], root.attrib["height"])


def test_words_of_other_scripts_and_rare_signs_ask_for_a_face_that_has_them():
    tree = evaltools.Tree.from_string("(S (∅ dogs) (A→B ≠×) (N café) (N العربية))")
    told = raster._with_faces(evaltools.drawing.draw(tree))
    faces = {text: "'DejaVu Sans'," in attributes for attributes, text in re.findall("<text([^>]*)>([^<]*)<", told)}
    assert {text for text, is_asked in faces.items() if is_asked} == {"∅", "العربية"}
    strip = raster._with_faces(_strip(examples.aligned(examples.ARABIC)).draw())
    assert re.search(r'style="fill:#[0-9a-f]{6};font-family:', strip)
    ElementTree.fromstring(strip)
    plain = evaltools.drawing.draw(examples.aligned(examples.DOG))
    assert raster._with_faces(plain) == plain


def test_texts_from_right_to_left_are_where_browsers_draw_them():
    told = raster._from_left(
        '<text x="1" direction="rtl">ا</text><text x="2" text-anchor="end" direction="rtl">ا</text>'
        '<text x="3" text-anchor="middle" direction="rtl">ا</text><text x="4" text-anchor="end">a</text>'
    )
    assert re.findall('x="(.)".*? text-anchor="(.*?)"', told) == [
        ("1", "end"),
        ("2", "start"),
        ("3", "middle"),
        ("4", "end"),
    ]

    def ink(anchor: str) -> bytes:
        text = f'<text x="60" y="20" font-size="20" {anchor}>{"ا" * 4}</text>'
        return drawing_png(f'<svg xmlns="http://www.w3.org/2000/svg" width="120" height="30">{text}</svg>')

    assert ink('direction="rtl"') == ink('text-anchor="end"') != ink("")


def test_other_scales_and_odd_names():
    drawn = evaltools.drawing.draw(examples.aligned(examples.DOG))
    small, large = _size(drawing_png(drawn, scale=1)), _size(drawing_png(drawn, scale=3))
    assert large == pytest.approx([3 * side for side in small], abs=3)
    assert drawing_pdf(drawn).startswith(b"%PDF")
    assert file_name("<b>x</b> *y* $z$") == "b-x-b-y-z"
    assert file_name("...") == "picture"

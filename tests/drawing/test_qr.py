"""QR codes: every module where the code has it, black on white."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
import segno

from evaltools.drawing.qr import qr_svg

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("link", ["http://192.168.1.5:8501/lessons?ballot=vote", 'http://a/?x=<b>&y="ü"' + "z" * 200])
def test_the_dark_squares_are_those_of_the_code(link: str):
    root = ET.fromstring(qr_svg(link, 5))
    path = root.find(f"{SVG}path")
    assert path is not None
    dark = {
        (x, int(y))
        for start, y, length in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\3z", path.get("d", ""))
        for x in range(int(start), int(start) + int(length))
    }
    rows = [list(row) for row in segno.make_qr(link, error="m").matrix_iter(border=3)]
    assert dark == {(x, y) for y, row in enumerate(rows) for x, one in enumerate(row) if one}
    assert root.get("viewBox") == f"0 0 {len(rows)} {len(rows)}"
    assert root.get("width") == root.get("height") == str(5 * len(rows))
    paper = root.find(f"{SVG}rect")
    assert paper is not None
    assert (paper.get("fill"), path.get("fill")) == ("#ffffff", "#000000")


def test_a_text_that_is_too_long_is_refused():
    with pytest.raises(ValueError, match="too large"):
        qr_svg("x" * 5000)

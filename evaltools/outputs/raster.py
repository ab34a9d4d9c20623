"""Drawings as PNG and PDF, rendered without a browser or a network.

The renderer uses the first face of a list that the machine has and, for a text with a letter or sign missing there, any
face that has it, bold or not, with serifs or not. So texts in other scripts and with rare signs get a list of faces of
their own.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from html import unescape

from evaltools.drawing.svg import FONT
from evaltools.errors import missing_package

try:
    import vl_convert
except ImportError:
    raise missing_package("PNG and PDF", "vl-convert-python", "charts") from None


_POINTS = 0.75  # of a CSS pixel
_LAST = "'DejaVu Sans'"
_CHINESE = "'Noto Sans CJK SC','Noto Sans SC','PingFang SC','Microsoft YaHei','WenQuanYi Micro Hei'"
_JAPANESE = "'Noto Sans CJK JP','Noto Sans JP','Hiragino Sans','Yu Gothic'"
_KOREAN = "'Noto Sans CJK KR','Noto Sans KR','Apple SD Gothic Neo','Malgun Gothic'"
_FACES = {
    "HIRAGANA": f"{_JAPANESE},{_CHINESE}",
    "KATAKANA": f"{_JAPANESE},{_CHINESE}",
    "HANGUL": f"{_KOREAN},{_CHINESE}",
    "CJK": f"{_CHINESE},{_JAPANESE},{_KOREAN}",
    "ARABIC": "'Noto Sans Arabic','Noto Naskh Arabic','Geeza Pro'",
    "HEBREW": "'Noto Sans Hebrew','Arial Hebrew'",
    "DEVANAGARI": "'Noto Sans Devanagari','Lohit Devanagari','Kohinoor Devanagari','Nirmala UI','Mangal'",
    "BENGALI": "'Noto Sans Bengali','Lohit Bengali','Nirmala UI'",
    "TAMIL": "'Noto Sans Tamil','Lohit Tamil','Nirmala UI'",
    "TELUGU": "'Noto Sans Telugu','Lohit Telugu','Nirmala UI'",
    "THAI": "'Noto Sans Thai','Leelawadee UI','Thonburi'",
    "GEORGIAN": "'Noto Sans Georgian'",
    "ARMENIAN": "'Noto Sans Armenian'",
    "ETHIOPIC": "'Noto Sans Ethiopic','Nyala'",
}
"""For each script, by the first word of its letters' names, faces that have it, in order of preference."""
_COMMON = frozenset("←↑→↓−≠≤≥")
"""Signs that usual faces have."""
_TEXT = re.compile(r"<text( [^>]*)>([^<]*)</text>")
_OPENING = re.compile(r"<text( [^>]*)>")
_ANCHOR = re.compile(r' text-anchor="([^"]*)"')
_SIZE = re.compile(r'(?<= )(width|height)="([\d.]+)"')
_STYLED = re.compile(r' style="([^"]*)"')


@lru_cache(maxsize=8192)
def _script(character: str) -> str:
    """Return the script of a letter, of a mark on one, or of nothing: empty for signs, digits and the Latin script."""
    if character.isascii() or unicodedata.category(character)[0] not in "LM":
        return ""
    word = unicodedata.name(character, "").partition(" ")[0]
    return "" if word in ("LATIN", "MODIFIER", "COMBINING") else word


def _scripts(text: str) -> set[str]:
    return {_script(character) for character in set(text)} - {""}


def _is_rare(character: str) -> bool:
    """Return whether a character is a sign that usual faces lack."""
    return ord(character) > 0x2000 and unicodedata.category(character)[0] == "S" and character not in _COMMON


def _with_faces(svg: str) -> str:
    """Add the faces of its letters to every text in another script, and those of signs to one with rare signs."""

    def with_faces(match: re.Match[str]) -> str:
        attributes, content = match.groups()
        scripts = _scripts(unescape(content))
        listed = [faces for script, faces in _FACES.items() if script in scripts]
        if not scripts and not any(map(_is_rare, unescape(content))):
            return match.group()
        style = f"font-family:{','.join([*listed, _LAST, FONT])}"
        if already := _STYLED.search(attributes):
            attributes = _STYLED.sub("", attributes)
            style = f"{already.group(1).rstrip(';')};{style}"
        return f'<text{attributes} style="{style}">{content}</text>'

    return svg if svg.isascii() else _TEXT.sub(with_faces, svg)


def _from_left(svg: str) -> str:
    """Return a drawing whose texts from right to left name the end that is at the left or right of a point.

    In SVG they start at their right end; the renderer takes the start of every text for its left end.
    """

    def turned(match: re.Match[str]) -> str:
        attributes = match.group(1)
        anchor = _ANCHOR.search(attributes)
        if 'direction="rtl"' not in attributes or (anchor and anchor.group(1) == "middle"):
            return match.group()
        rest = _ANCHOR.sub("", attributes)
        return f'<text{rest} text-anchor="{"start" if anchor and anchor.group(1) == "end" else "end"}">'

    return _OPENING.sub(turned, svg)


def drawing_png(svg: str, *, scale: float = 2.0) -> bytes:
    """Turn a drawing into PNG."""
    return bytes(vl_convert.svg_to_png(_with_faces(_from_left(svg)), scale=scale))


def drawing_pdf(svg: str) -> bytes:
    """Turn a drawing into a PDF of one page that is as large as the drawing."""

    def points(match: re.Match[str]) -> str:
        return f'{match.group(1)}="{float(match.group(2)) * _POINTS:.2f}"'

    head, bracket, rest = _with_faces(_from_left(svg)).partition(">")
    return bytes(vl_convert.svg_to_pdf(_SIZE.sub(points, head) + bracket + rest))


@lru_cache(maxsize=256)
def _has_face(letter: str) -> bool:
    def rendered(character: str) -> bytes:
        text = f'<text x="4" y="24" style="font:20px {_LAST},{FONT}">{character}</text>'
        shape = f'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="32">{text}</svg>'
        return bytes(vl_convert.svg_to_png(_with_faces(shape)))

    return rendered(letter) != rendered("\U000effff")  # which is no character, so that no face has it


def boxed_scripts(svg: str) -> list[str]:
    """Return the scripts of a drawing that this machine has no face for: PNG and PDF show boxes instead."""
    samples: dict[str, str] = {}
    for _, content in _TEXT.findall(svg):
        for character in unescape(content):
            if unicodedata.category(character)[0] == "L" and (script := _script(character)):
                samples.setdefault(script, character)
    without = [script for script, letter in samples.items() if not _has_face(letter)]
    return [script if script == "CJK" else script.capitalize() for script in without]

"""Writing SVG: escaping, elements, style sheet, whole documents."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from math import hypot
from xml.sax.saxutils import escape, quoteattr

from evaltools.drawing.measure import is_right_to_left, visible
from evaltools.drawing.palette import COLOURS, DARK_COLOURS, THEMES
from evaltools.drawing.shapes import Point
from evaltools.metrics.mapping import NodeStatus

__all__ = [
    "FONT",
    "arrow_head",
    "document",
    "elbow_path",
    "element",
    "in_light",
    "mark_element",
    "number",
    "rounded_path",
    "style_sheet",
    "text_element",
]

FONT = "'Source Sans 3', 'Source Sans Pro', 'Source Sans', 'Noto Sans', 'Helvetica Neue', Arial, sans-serif"
"""The faces that drawings ask for, in CSS."""


def number(value: float) -> str:
    """Return a coordinate with at most one decimal."""
    return f"{value:.1f}".removesuffix(".0")


def element(tag: str, *children: str, **attributes: object) -> str:
    r"""Return an element; ``class_`` means ``class``, ``data_node`` means ``data-node``, None leaves out.

    Attribute values are escaped; children are markup already.

    Examples
    --------
    >>> element("g", class_="node", data_label='a<"b"', x=1.0, y=None)
    '<g class="node" data-label=\'a&lt;"b"\' x="1"/>'
    """
    written = []
    for name, value in attributes.items():
        if value is None:
            continue
        shown = number(value) if isinstance(value, float) else str(value)
        written.append(f" {name.rstrip('_').replace('_', '-')}={quoteattr(visible(shown) if shown else '')}")
    if not children:
        return f"<{tag}{''.join(written)}/>"
    return f"<{tag}{''.join(written)}>{''.join(children)}</{tag}>"


def text_element(
    text: str, x: float, y: float, size: float, class_: str, *, anchor: str = "middle", is_name: bool = False
) -> str:
    """Return a text centred on a height, its own script running its own way, but names always from left to right."""
    return element(
        "text",
        escape(visible(text)),
        class_=class_,
        x=x,
        y=y + 0.35 * size,
        font_size=size,
        text_anchor=None if anchor == "start" else anchor,
        direction="rtl" if not is_name and is_right_to_left([text]) else None,
    )


_STROKES = {
    NodeStatus.DELETED: ("M3 -3.6L-3 0L3 3.6",),
    NodeStatus.INSERTED: ("M-3 -3.6L3 0L-3 3.6",),
    NodeStatus.SWAPPED: ("M-3.6 -1.6H3.6", "M-3.6 1.6H3.6", "M-2 4L2 -4"),
    NodeStatus.MOVED: ("M-3.8 -3.4L-.4 0L-3.8 3.4", "M.2 -3.4L3.6 0L.2 3.4"),
}


def mark_element(status: NodeStatus, x: float, y: float, scale: float = 1.0) -> str:
    """Return the mark of a status, drawn, so that no font can lack it; empty for matched nodes."""
    if status not in _STROKES:
        return ""
    moved = f"translate({number(x)} {number(y)})" + (f" scale({scale:.2f})" if scale != 1 else "")
    return element("path", class_="mark", d="".join(_STROKES[status]), transform=moved)


def rounded_path(points: Sequence[Point], radius: float = 5.0) -> str:
    """Return the path data of a line whose corners are rounded."""
    written = [f"M{number(points[0][0])} {number(points[0][1])}"]
    for before, (x, y), after in zip(points, points[1:], points[2:], strict=False):
        lengths = [hypot(other[0] - x, other[1] - y) for other in (before, after)]
        r = min(radius, *(length / 2 for length in lengths))
        if r < 0.5:
            written.append(f"L{number(x)} {number(y)}")
            continue
        near, far = (
            (x + (other[0] - x) * r / length, y + (other[1] - y) * r / length)
            for other, length in zip((before, after), lengths, strict=True)
        )
        written.append(
            f"L{number(near[0])} {number(near[1])}Q{number(x)} {number(y)} {number(far[0])} {number(far[1])}"
        )
    written.append(f"L{number(points[-1][0])} {number(points[-1][1])}")
    return "".join(written)


def elbow_path(points: Sequence[Point]) -> str:
    """Return the path data of an edge: square at the parent, rounded at the child."""
    if len(points) < 3:
        return rounded_path(points)
    return f"M{number(points[0][0])} {number(points[0][1])}V{number(points[1][1])}{rounded_path(points[1:], 4)}"


def arrow_head(points: Sequence[Point], size: float = 7.0) -> str:
    """Return the ``points`` of a small triangle at the end of a line."""
    (x0, y0), (x, y) = [pair for pair in pairwise(points) if pair[0] != pair[1]][-1]
    length = hypot(x - x0, y - y0)
    dx, dy = (x - x0) / length * size, (y - y0) / length * size
    corners = ((x, y), (x - dx - dy * 0.5, y - dy + dx * 0.5), (x - dx + dy * 0.5, y - dy - dx * 0.5))
    return " ".join(f"{number(a)},{number(b)}" for a, b in corners)


_RULES = """\
.evaltools text{font-family:FONT;fill:INK;white-space:pre}
.evaltools .paper{fill:PAPER}
.evaltools .edge{fill:none;stroke:LINE;stroke-width:1.1}
.evaltools .soft,.evaltools .preterminal text{fill:SOFT}
.evaltools .phrase text{font-weight:500}
.evaltools .box{fill:none;stroke:none}
.evaltools .ring{fill:none;stroke:none}
.evaltools .triangle{fill:FAINT;stroke:LINE;stroke-width:1;stroke-linejoin:round}
.evaltools .mark{fill:none;stroke:SOFT;stroke-width:1.7;stroke-linecap:round;stroke-linejoin:round}
.evaltools .link{fill:none;stroke-width:1.8}
.evaltools .halo{fill:none;stroke:PAPER;stroke-width:5}
.evaltools .link.swapped{stroke:SWAPPED;stroke-dasharray:.1 4.2;stroke-linecap:round;stroke-width:2.2}
.evaltools .link.moved{stroke:MOVED}
.evaltools .head{fill:MOVED}
.evaltools .thread,.evaltools .brace{fill:none;stroke:SOFT;stroke-width:1.2}
.evaltools .tie[data-how=folded] .thread{stroke-dasharray:1.3 2.7}
.evaltools .brace{stroke-width:1.6;stroke-linecap:round}
.evaltools .knot{fill:PAPER;stroke:SOFT;stroke-width:1.3}
.evaltools .handle,.evaltools .hit{fill:transparent}
.evaltools .node:focus{outline:none}
"""

_STATUS_RULES = """\
.evaltools .STATUS>.box{stroke:COLOUR;fill:COLOUR;fill-opacity:.1;stroke-width:1.5EXTRA}
.evaltools .STATUS>.ring{stroke:COLOUR;stroke-width:1}
.evaltools .STATUS>.bar{fill:none;stroke:COLOUR;stroke-width:1.6EXTRA}
.evaltools .STATUS>.mark{stroke:COLOUR}
.evaltools .STATUS>text{fill:INK}
"""


def style_sheet(theme: str, more: str = "") -> str:
    """Return the rules of a drawing.

    Parameters
    ----------
    theme : {"light", "dark", "auto"}
        ``"auto"`` takes the page's colours (``--st-text-color``, ``--st-background-color``) where they are
        defined and follows the reader's preference elsewhere; the other two name their colours outright,
        for programs that know no CSS variables.
    more : str
        Rules of one kind of drawing, with the names of colours and of statuses in capitals.
    """
    rules = (_RULES + more).replace("FONT", FONT)
    for status, okabe_ito in COLOURS.items():
        colour = (
            okabe_ito if theme == "light" else DARK_COLOURS[status] if theme == "dark" else f"var(--evaltools-{status})"
        )
        extra = ";stroke-dasharray:4 2.5" if status is NodeStatus.DELETED else ""
        rules += _STATUS_RULES.replace("STATUS", status.value).replace("COLOUR", colour).replace("EXTRA", extra)
        rules = rules.replace(status.name, colour)
    if theme != "auto":
        for name, colour in THEMES[theme].items():
            rules = rules.replace(name.upper(), colour)
        return rules.replace(".evaltools ", f".evaltools.{theme} ")
    for name in THEMES["light"]:
        rules = rules.replace(name.upper(), f"var(--evaltools-{name})")
    host = {
        "ink": "var(--st-text-color,{})",
        "paper": "var(--st-background-color,{})",
        "soft": "color-mix(in srgb,var(--evaltools-ink) 68%,var(--evaltools-paper))",
        "line": "color-mix(in srgb,var(--evaltools-ink) 42%,var(--evaltools-paper))",
        "faint": "color-mix(in srgb,var(--evaltools-ink) 9%,var(--evaltools-paper))",
    }

    def variables(name: str) -> str:
        colours = DARK_COLOURS if name == "dark" else COLOURS
        own = "".join(f"--evaltools-{status}:{colour};" for status, colour in colours.items())
        return own + "".join(f"--evaltools-{key}:{host[key].format(colour)};" for key, colour in THEMES[name].items())

    dark = f"@media (prefers-color-scheme:dark){{.evaltools.auto{{{variables('dark')}}}}}\n"
    return f".evaltools.auto{{{variables('light')}}}\n{dark}" + rules.replace(".evaltools ", ".evaltools.auto ")


_VARIABLES = re.compile(r"(@media \(prefers-color-scheme:dark\)\{)?\.evaltools\.auto\{--[^}]*\}(?(1)\})\n")


def in_light(svg: str) -> str:
    """Return a drawing that follows its page in the colours of the light theme, for programs that know no page.

    Parameters
    ----------
    svg : str
        A drawing in the theme ``"auto"``; others stay as they are.
    """
    colours = {status.value: colour for status, colour in COLOURS.items()} | THEMES["light"]
    svg = _VARIABLES.sub("", svg)
    for name, colour in colours.items():
        svg = svg.replace(f"var(--evaltools-{name})", colour)
    return svg.replace(".evaltools.auto ", ".evaltools.light ").replace(
        'class="evaltools auto', 'class="evaltools light', 1
    )


def document(
    width: float,
    height: float,
    content: Sequence[str],
    *,
    theme: str,
    label: str,
    class_: str = "",
    middle: float | None = None,
    more_rules: str = "",
) -> str:
    """Return a whole SVG document with its own styles."""
    return element(
        "svg",
        f"<title>{escape(visible(label))}</title>",
        f"<style>{escape(style_sheet(theme, more_rules))}</style>",
        element("rect", class_="paper", width=width, height=height),
        *content,
        xmlns="http://www.w3.org/2000/svg",
        class_=f"evaltools {theme} {class_}".strip(),
        width=width,
        height=height,
        viewBox=f"0 0 {number(width)} {number(height)}",
        role="graphics-document",
        aria_label=label,
        data_middle=middle,
    )

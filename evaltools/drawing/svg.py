"""Scenes as standalone SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache, singledispatch
from html import escape
from itertools import pairwise
from math import hypot

from evaltools.drawing.measure import is_right_to_left, visible
from evaltools.drawing.palette import COLORS, DARK_COLORS, INKS, THEMES, la_color
from evaltools.drawing.scene import Group, Item, Line, Mark, Point, Polygon, Rectangle, Ring, Scene, Text
from evaltools.marks import Status

FONT = "'Source Sans 3', 'Source Sans Pro', 'Source Sans', 'Noto Sans', 'Helvetica Neue', Arial, sans-serif"
"""The fonts of drawings, in CSS."""


def number(value: float) -> str:
    """Return a coordinate with at most one decimal."""
    return f"{value:.1f}".removesuffix(".0")


def element(tag: str, *children: str, **attributes: object) -> str:
    r"""Return an element; ``class_`` means ``class``, ``data_node`` means ``data-node``, None leaves out.

    Attribute values are escaped; children are markup already.

    Examples
    --------
    >>> element("g", class_="node", data_label='a<"b"', x=1.0, y=None)
    '<g class="node" data-label="a&lt;&quot;b&quot;" x="1"/>'
    """
    written = []
    for name, value in attributes.items():
        if isinstance(value, float):
            written.append(f' {_attribute(name)}="{number(value)}"')
        elif value is not None:
            written.append(f" {_attribute(name)}={_quoted(str(value))}")
    if not children:
        return f"<{tag}{''.join(written)}/>"
    return f"<{tag}{''.join(written)}>{''.join(children)}</{tag}>"


@cache
def _attribute(name: str) -> str:
    """Return the name of an attribute from that of an argument."""
    return name.rstrip("_").replace("_", "-")


@lru_cache(maxsize=4096)
def _quoted(value: str) -> str:
    return f'"{escape(visible(value) if value else "")}"'


def write_svg(scene: Scene, theme: str = "light") -> str:
    """Return a scene as an SVG document with its own styles."""
    return element(
        "svg",
        f"<style>{escape(_style_sheet(theme, _RULES_OF.get(scene.style or scene.kind, '')), quote=False)}</style>",
        element("rect", class_="paper", width=scene.width, height=scene.height),
        *(_markup(item, theme) for item in scene.items),
        xmlns="http://www.w3.org/2000/svg",
        class_=f"evaltools {theme} {scene.kind}",
        width=scene.width,
        height=scene.height,
        viewBox=f"0 0 {number(scene.width)} {number(scene.height)}",
        role="graphics-document",
        aria_label=scene.label,
        data_middle=scene.middle,
    )


@singledispatch
def _markup(item: Item, theme: str) -> str:
    raise TypeError(f"{type(item).__name__} is no item of a scene")


@_markup.register
def _(item: Group, theme: str) -> str:
    names = " ".join(filter(None, (item.role, item.side, item.status, item.more)))
    return element(
        "g",
        *([] if item.title is None else [f"<title>{escape(visible(item.title), quote=False)}</title>"]),
        *(_markup(inner, theme) for inner in item.items),
        class_=names or None,
        **_data(item.data),
        tabindex=0 if item.takes_focus else None,
        role="graphics-symbol" if item.is_symbol else None,
        aria_label=item.title if item.is_symbol else None,
        transform=None if item.offset is None else f"translate({number(item.offset[0])} {number(item.offset[1])})",
    )


def _data(data: Mapping[str, object]) -> dict[str, object]:
    return {f"data_{name}": value for name, value in data.items()}


_INNER = {"box": ("ring", 2.5), "chip": ("inner", 2.0)}
"""Class and distance of the inner line of inserted rectangles."""


@_markup.register
def _(item: Rectangle, theme: str) -> str:
    box = item.box
    fill = None if item.shade is None else la_color(item.shade, _shades(theme))[0]
    drawn = element(
        "rect",
        class_=item.role if item.role not in ("", "chip") else None,
        x=box.left,
        y=box.top,
        width=box.width,
        height=box.height,
        rx=item.radius or None,
        fill=fill,
    )
    if item.status != "spurious" or item.role not in _INNER:
        return drawn
    name, inset = _INNER[item.role]
    return drawn + element(
        "rect",
        class_=name,
        x=box.left + inset,
        y=box.top + inset,
        width=box.width - 2 * inset,
        height=box.height - 2 * inset,
        rx=2,
    )


@_markup.register
def _(item: Line, theme: str) -> str:
    path = _path(item)
    names = " ".join(filter(None, (item.role, item.side, item.status)))
    drawn = element("path", class_="halo", d=path) if item.halo else ""
    drawn += element("path", class_=names, d=path, **_data(item.data))
    if item.role == "edge" and item.status == "spurious":
        drawn += element("path", class_="core", d=path)
    if item.arrow:
        tip = "head" if item.role == "link" else f"tip {item.status}"
        drawn += element("polygon", class_=tip, points=_corners(_arrow_head(item.points, item.arrow)))
    if item.grip:
        drawn += element("path", class_="grip", d=path, **_data(item.data))
    return drawn


@_markup.register
def _(item: Polygon, theme: str) -> str:
    return element("polygon", class_=item.role, points=_corners(item.points))


@_markup.register
def _(item: Ring, theme: str) -> str:
    return element("circle", class_=item.role, cx=item.x, cy=item.y, r=item.radius)


_STROKES = {
    Status.MISSING: ("M3 -3.6L-3 0L3 3.6",),
    Status.SPURIOUS: ("M-3 -3.6L3 0L-3 3.6",),
    Status.RELABELED: ("M-3.6 -1.6H3.6", "M-3.6 1.6H3.6", "M-2 4L2 -4"),
    Status.MOVED: ("M-3.8 -3.4L-.4 0L-3.8 3.4", "M.2 -3.4L3.6 0L.2 3.4"),
}
"""Paths of the marks, which fonts may lack as characters."""


@_markup.register
def _(item: Mark, theme: str) -> str:
    moved = f"translate({number(item.x)} {number(item.y)})" + (f" scale({item.scale:.2f})" if item.scale != 1 else "")
    strokes = "".join(_STROKES[Status(item.status)])
    return element("path", class_=f"mark {item.status}", d=strokes, transform=moved)


@_markup.register
def _(item: Text, theme: str) -> str:
    ink = None if item.shade is None else f"fill:{la_color(item.shade, _shades(theme))[1]}"
    return text_element(
        item.text, item.x, item.y, item.size, item.role, item.anchor, is_name=item.is_name, style=ink, lead=item.lead
    )


def _shades(theme: str) -> str:
    """Return the theme whose shades a drawing has: light for one that follows its page."""
    return "dark" if theme == "dark" else "light"


def text_element(
    text: str,
    x: float,
    y: float,
    size: float,
    class_: str,
    anchor: str = "middle",
    *,
    is_name: bool = False,
    style: str | None = None,
    lead: str = "",
) -> str:
    """Return a text centered on a height, in the direction of its script, but names always from left to right."""
    first = element("tspan", escape(visible(lead), quote=False), class_="strong") + " " if lead else ""
    return element(
        "text",
        first + escape(visible(text), quote=False),
        style=style,
        class_=class_,
        x=x,
        y=y + 0.35 * size,
        font_size=size,
        text_anchor=None if anchor == "start" else anchor,
        direction="rtl" if not is_name and is_right_to_left([text]) else None,
    )


def _corners(points: Sequence[Point]) -> str:
    return " ".join(f"{number(x)},{number(y)}" for x, y in points)


def _path(line: Line) -> str:
    """Return the path data of a line: rounded, square, or square at its first corner only."""
    points = line.points
    if line.elbow and len(points) > 2:
        start = f"M{number(points[0][0])} {number(points[0][1])}V{number(points[1][1])}"
        return start + _rounded_path(points[1:], line.radius)
    if line.radius:
        return _rounded_path(points, line.radius)
    written = [f"M{number(points[0][0])} {number(points[0][1])}"]
    for (x0, y0), (x, y) in pairwise(points):
        written.append(f"V{number(y)}" if x == x0 else f"H{number(x)}" if y == y0 else f"L{number(x)} {number(y)}")
    return "".join(written)


def _rounded_path(points: Sequence[Point], radius: float) -> str:
    written = [f"M{number(points[0][0])} {number(points[0][1])}"]
    for before, (x, y), after in zip(points, points[1:], points[2:], strict=False):
        lengths = [hypot(end[0] - x, end[1] - y) for end in (before, after)]
        r = min(radius, *(length / 2 for length in lengths))
        if r < 0.5:
            written.append(f"L{number(x)} {number(y)}")
            continue
        near, far = (
            (x + (end[0] - x) * r / length, y + (end[1] - y) * r / length)
            for end, length in zip((before, after), lengths, strict=True)
        )
        written.append(
            f"L{number(near[0])} {number(near[1])}Q{number(x)} {number(y)} {number(far[0])} {number(far[1])}"
        )
    written.append(f"L{number(points[-1][0])} {number(points[-1][1])}")
    return "".join(written)


def _arrow_head(points: Sequence[Point], size: float) -> tuple[Point, ...]:
    """Return the corners of a small triangle at the end of a line."""
    (x0, y0), (x, y) = [pair for pair in pairwise(points) if pair[0] != pair[1]][-1]
    length = hypot(x - x0, y - y0)
    dx, dy = (x - x0) / length * size, (y - y0) / length * size
    return (x, y), (x - dx - dy * 0.5, y - dy + dx * 0.5), (x - dx + dy * 0.5, y - dy - dx * 0.5)


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
.evaltools .link.relabeled{stroke:RELABELED;stroke-dasharray:.1 4.2;stroke-linecap:round;stroke-width:2.2}
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
.evaltools .STATUS>.box{stroke:COLOR;fill:COLOR;fill-opacity:.1;stroke-width:1.5EXTRA}
.evaltools .STATUS>.ring{stroke:COLOR;stroke-width:1}
.evaltools .STATUS>.bar{fill:none;stroke:COLOR;stroke-width:1.6EXTRA}
.evaltools .STATUS>.mark{stroke:COLOR}
.evaltools .STATUS>text{fill:INK}
"""


_ARC_RULES = """\
.evaltools .edge.missing{stroke:MISSING;stroke-width:1.7;stroke-dasharray:5 3}
.evaltools .edge.spurious{stroke:SPURIOUS;stroke-width:3.8}
.evaltools .grip{fill:none;stroke:transparent;stroke-width:9}
.evaltools .core{fill:none;stroke:PAPER;stroke-width:1.4}
.evaltools .edge.relabeled{stroke:RELABELED;stroke-width:1.6}
.evaltools .edge.uncounted{stroke:FAINT}
.evaltools .tip{fill:LINE}
.evaltools .tip.missing{fill:MISSING}
.evaltools .tip.spurious{fill:SPURIOUS}
.evaltools .tip.relabeled{fill:RELABELED}
.evaltools .tip.uncounted{fill:FAINT}
.evaltools .arc>.ground{fill:PAPER}
.evaltools .arc.right>.label,.evaltools .arc.uncounted>.label{fill:SOFT}
.evaltools .arc>.label{font-weight:500}
.evaltools .arc>.mark.missing{stroke:MISSING}
.evaltools .arc>.mark.spurious{stroke:SPURIOUS}
.evaltools .arc>.mark.relabeled{stroke:RELABELED}
.evaltools .cell>.fold{fill:FAINT;stroke:LINE;stroke-width:1}
"""

_GRAPH_RULES = """\
.evaltools .pred>.ground{fill:PAPER}
.evaltools .pred.right>.box{fill:FAINT;stroke:LINE;stroke-width:.8}
.evaltools .pred.right.grammar>.box{fill:PAPER;stroke-dasharray:none}
.evaltools .pred .predicate{font-weight:500}
.evaltools .pred.grammar .right>.predicate{fill:SOFT;font-weight:400}
.evaltools .node .mark.missing{stroke:MISSING}
.evaltools .node .mark.spurious{stroke:SPURIOUS}
.evaltools .pred .right>.small{fill:SOFT}
.evaltools .role>.label{font-size:11px}
"""

_BAR_RULES = """\
.evaltools .span{fill:none;stroke:SOFT;stroke-width:1.4}
.evaltools .over{fill:none;stroke:LINE;stroke-width:1.2;stroke-dasharray:1.5 3}
.evaltools .function rect{fill:PAPER;stroke:LINE;stroke-width:1}
.evaltools .function.missing rect{stroke:MISSING;stroke-width:1.6;stroke-dasharray:4 2.5}
.evaltools .function.spurious rect{stroke:SPURIOUS;stroke-width:1.6}
.evaltools .function.spurious .inner{fill:none;stroke-width:1}
.evaltools .function.relabeled rect{stroke:RELABELED;stroke-width:1.6}
.evaltools .function.discarded rect{stroke:LINE;stroke-width:1;stroke-dasharray:2 2}
.evaltools .function.discarded text{fill:SOFT;text-decoration:line-through}
.evaltools .none text{fill:SOFT}
"""

_TABLE_RULES = """\
.evaltools .grid{fill:none;stroke:FAINT;stroke-width:1}
.evaltools .way{fill:none;stroke:LINE;stroke-width:2.4;stroke-linejoin:round;stroke-linecap:round}
.evaltools .number{font-variant-numeric:tabular-nums}
.evaltools .cell .field{fill:PAPER;stroke:LINE;stroke-width:1.2}
.evaltools .cell.right .field{fill:FAINT;stroke:LINE}
.evaltools .cell text{font-weight:600}
.evaltools .result .field{stroke:INK;stroke-width:2}
"""

_INK_RULES = """\
.evaltools .CLASS .stroke{stroke:COLOR}
.evaltools .CLASS .label{fill:COLOR}
.evaltools .CLASS .badge{fill:COLOR;stroke:COLOR}
.evaltools .tip.CLASS{fill:COLOR}
"""

_MARKED_RULES = """\
.evaltools .band{fill:FAINT}
.evaltools .strong{font-weight:600}
.evaltools .label{font-weight:600}
.evaltools .label.thin{font-weight:400}
.evaltools .stroke{fill:none;stroke-width:2}
.evaltools .thin .stroke{stroke-width:1.1}
.evaltools .node .badge-number,.evaltools .move .badge-number{fill:PAPER;font-weight:700}
.evaltools .sample .badge-number{fill:PAPER;font-weight:700}
.evaltools .pointer{fill:INK}
.evaltools .moved-box{fill:MOVED;fill-opacity:.13;stroke:MOVED;stroke-width:1.8}
.evaltools .moved-outline{fill:none;stroke:MOVED;stroke-width:1}
.evaltools .arrow,.evaltools .cross{fill:none;stroke:MOVED;stroke-width:2.4}
.evaltools .arrow.dotted{stroke-width:1.6;stroke-dasharray:2 2.5}
.evaltools .tip{fill:MOVED}
INKS.evaltools .missing .stroke{stroke-dasharray:5 3}
.evaltools .only-a .stroke{stroke-dasharray:6 3}
.evaltools .only-b .stroke{stroke-dasharray:2 2.5}
.evaltools .node .stroke.solid{stroke-dasharray:none}
.evaltools .node .stroke.gap{stroke-width:1.2;stroke-dasharray:1.2 3.2}
"""

_RULES_OF = {
    "arcs": _ARC_RULES,
    "graph": _ARC_RULES + _GRAPH_RULES,
    "bars": _BAR_RULES,
    "table": _TABLE_RULES,
    "marked": _MARKED_RULES.replace(
        "INKS", "".join(_INK_RULES.replace("CLASS", name).replace("COLOR", ink.upper()) for name, ink in INKS.items())
    ),
}
"""Further rules, by kind of scene."""


@cache
def _style_sheet(theme: str, more: str) -> str:
    """Return the rules of a drawing."""
    rules = (_RULES + more).replace("FONT", FONT)
    for status, okabe_ito in COLORS.items():
        color = (
            okabe_ito if theme == "light" else DARK_COLORS[status] if theme == "dark" else f"var(--evaltools-{status})"
        )
        extra = ";stroke-dasharray:4 2.5" if status is Status.MISSING else ""
        rules += _STATUS_RULES.replace("STATUS", status.value).replace("COLOR", color).replace("EXTRA", extra)
        rules = rules.replace(status.name, color)
    if theme != "auto":
        for name, color in THEMES[theme].items():
            rules = rules.replace(name.upper(), color)
        return rules.replace(".evaltools ", f".evaltools.{theme} ")
    for name in THEMES["light"]:
        rules = rules.replace(name.upper(), f"var(--evaltools-{name})")
    host = {
        "ink": "var(--st-text-color,{})",
        "paper": "var(--st-background-color,{})",
        "soft": "color-mix(in srgb,var(--evaltools-ink) 68%,var(--evaltools-paper))",
        "line": "color-mix(in srgb,var(--evaltools-ink) 42%,var(--evaltools-paper))",
        "faint": "color-mix(in srgb,var(--evaltools-ink) 9%,var(--evaltools-paper))",
        "ochre": "{}",
    }

    def variables(name: str) -> str:
        colors = DARK_COLORS if name == "dark" else COLORS
        own = "".join(f"--evaltools-{status}:{color};" for status, color in colors.items())
        return own + "".join(f"--evaltools-{key}:{host[key].format(color)};" for key, color in THEMES[name].items())

    dark = f"@media (prefers-color-scheme:dark){{.evaltools.auto{{{variables('dark')}}}}}\n"
    return f".evaltools.auto{{{variables('light')}}}\n{dark}" + rules.replace(".evaltools ", ".evaltools.auto ")

"""Scenes as TikZ pictures, with the colors and marks of the SVG; single trees for the package forest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evaltools.corpus import Tree
from evaltools.drawing.measure import visible
from evaltools.drawing.palette import COLORS, INKS, THEMES, la_color
from evaltools.drawing.scene import Group, Item, Line, Mark, Point, Polygon, Rectangle, Ring, Scene, Text

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}",
    "-": r"{-}",
    "…": r"\ldots{}",
    "∅": r"\ensuremath{\emptyset}",
    "→": r"\ensuremath{\rightarrow}",
    "↑": r"\ensuremath{\uparrow}",
    "↓": r"\ensuremath{\downarrow}",
    "↔": r"\ensuremath{\leftrightarrow}",
    "−": r"\ensuremath{-}",
    "×": r"\ensuremath{\times}",
    "≠": r"\ensuremath{\neq}",
    "◂": r"\ensuremath{\triangleleft}",
    "▸": r"\ensuremath{\triangleright}",
    "δ": r"\ensuremath{\delta}",
}

_MARKS = {
    "missing": r"\ensuremath{<}",
    "spurious": r"\ensuremath{>}",
    "relabeled": r"\ensuremath{\neq}",
    "moved": r"\ensuremath{\gg}",
}
_MARK_SIZE = 11.0

_OUTLINES = {
    "missing": "draw=evalmissing, dashed, line width=.9pt",
    "spurious": "draw=evalspurious, double, line width=.5pt",
    "relabeled": "draw=evalrelabeled, line width=.9pt",
    "moved": "draw=evalmoved, line width=.9pt",
}
"""Outline of a label, by status."""

_ARCS = {
    "right": "draw=black!45, line width=.5pt",
    "uncounted": "draw=black!15, line width=.5pt",
    "missing": "draw=evalmissing, dashed, line width=.9pt",
    "spurious": "draw=evalspurious, double, line width=.6pt",
    "relabeled": "draw=evalrelabeled, line width=.9pt",
}
"""Arcs of dependencies and roles, by status."""

_LINES = {
    "thread": "draw=black!65, line width=.7pt",
    "brace": "draw=black!65, line width=.9pt",
    "span": "draw=black!65, line width=.7pt",
    "over": "draw=black!45, dotted, line width=.7pt",
    "grid": "draw=black!12, line width=.5pt",
    "way": "draw=black!35, line width=1.6pt",
}
"""Other lines, by role."""

_RECTANGLES = {
    "ground": "fill=white",
    "fold": "draw=black!35, fill=black!8",
    "field": "draw=black!45, fill=white, line width=.6pt",
    "chip": "draw=black!45, fill=white, line width=.4pt",
    "band": "fill=black!7",
    "moved-box": "draw=evalmoved, fill=evalmoved!12, line width=.9pt",
    "moved-outline": "draw=evalmoved, line width=.5pt",
}
"""Rectangles without a status, by role."""

_INKS = {name: "black" if ink == "ink" else f"eval{ink}" for name, ink in INKS.items() if name != "right"}
"""Color of the marks of a marked sentence, by status; right ones are gray."""

_PREDICATES = {
    True: "draw=black!35, fill=white, line width=.4pt",
    False: "draw=black!35, fill=black!6, line width=.4pt",
}
"""Outline of a matched node of a semantic graph, by whether it comes from the grammar."""

_HALO = "draw=white, line width=3.75pt"
"""What interrupts the lines below a line that has a halo, which is drawn first."""

_SCREEN = ("hit", "handle")  # for the viewer only
_PT = 0.75  # a CSS pixel in points


def escape_latex(text: str) -> str:
    r"""Return text with LaTeX's special characters escaped.

    Examples
    --------
    >>> print(escape_latex("-LRB- 50% of $x_1"))
    {-}LRB{-} 50\% of \$x\_1
    """
    return "".join(_SPECIAL.get(char, char) for char in visible(text))


def table_row(cells: Sequence[str]) -> str:
    r"""Return a row of a table of escaped cells, the first of which LaTeX cannot take for an option of the row before.

    Examples
    --------
    >>> print(table_row(["[", "1"]), table_row(["NP", "2"]))
    {}[ & 1 \\ NP & 2 \\
    """
    line = " & ".join(cells)
    return ("{}" if line.startswith(("[", "*")) else "") + line + r" \\"


def write_tikz(scene: Scene, standalone: bool = False) -> str:
    """Return a scene as a TikZ picture."""
    colors = [rf"\definecolor{{eval{status}}}{{HTML}}{{{color.removeprefix('#')}}}" for status, color in COLORS.items()]
    picture = [
        r"\begin{tikzpicture}[x=.75pt, y=-.75pt, every node/.style={inner sep=0pt, font=\sffamily}]",
        *(line for item in scene.items for line in _written(item, Group(()), (0.0, 0.0))),
        r"\end{tikzpicture}",
    ]
    if any("evalochre" in line for line in picture):
        colors.append(rf"\definecolor{{evalochre}}{{HTML}}{{{THEMES['light']['ochre'].removeprefix('#')}}}")
    if not standalone:
        return "\n".join([*colors, *picture])
    return _document("tikz", [*colors, r"\begin{document}", *picture])


def write_forest(tree: Tree, standalone: bool = False) -> str:
    r"""Return one tree for the LaTeX package forest, which places its nodes itself.

    Parameters
    ----------
    tree : Tree
        The tree; a forest becomes several pictures beside one another.
    standalone : bool
        A whole document that compiles instead of the environment alone.

    Examples
    --------
    >>> print(write_forest(Tree.from_string("(S (N dogs) (V bark))")))
    \begin{forest}
    [{S} [{N} [{dogs}]] [{V} [{bark}]]]
    \end{forest}
    """
    written: list[str] = []
    for node, label in enumerate(tree.labels):
        inner = "".join(f" {written[child]}" for child in tree.children(node))
        written.append(f"[{{{escape_latex(label)}}}{inner}]")
    pictures = [line for root in tree.roots for line in (r"\begin{forest}", written[root], r"\end{forest}")]
    return _document("forest", [r"\begin{document}", *pictures]) if standalone else "\n".join(pictures)


def _document(package: str, lines: Sequence[str]) -> str:
    preamble = [
        r"\documentclass[border=4pt]{standalone}",
        "% Words in other scripts need XeLaTeX or LuaLaTeX and a \\setmainfont that has them.",
        r"\usepackage{iftex}",
        r"\iftutex\usepackage{fontspec}\else\usepackage[T1]{fontenc}\fi",
        r"\usepackage{textcomp}",
        r"\usepackage{xcolor}",
        rf"\usepackage{{{package}}}",
    ]
    return "\n".join([*preamble, *lines, r"\end{document}", ""])


def _written(item: Item, group: Group, moved: Point) -> Iterator[str]:
    """Yield the commands that draw an item of a group."""

    def at(x: float, y: float) -> str:
        return f"({x + moved[0]:.1f},{y + moved[1]:.1f})"

    if isinstance(item, Group):
        dx, dy = item.offset or (0.0, 0.0)
        for inner in item.items:
            yield from _written(inner, item, (moved[0] + dx, moved[1] + dy))
    elif isinstance(item, Rectangle):
        style = _rectangle_style(item, group)
        if style:
            corners = f", rounded corners={item.radius * _PT / 2:.1f}pt" if item.radius else ""
            box = item.box
            yield rf"\path[{style}{corners}] {at(box.left, box.top)} rectangle {at(box.right, box.bottom)};"
    elif isinstance(item, Line):
        path = " -- ".join(at(*point) for point in item.points)
        if item.halo:
            yield rf"\draw[{_HALO}{_rounding(item)}] {path};"
        yield rf"\draw[{_line_style(item, group)}{_rounding(item)}] {path};"
    elif isinstance(item, Polygon):
        if item.role not in _SCREEN:
            style = "fill=black" if item.role == "pointer" else "fill=black!8, draw=black!35"
            yield rf"\path[{style}] {' -- '.join(at(*point) for point in item.points)} -- cycle;"
    elif isinstance(item, Ring):
        style = f"{_LINES['thread']}, fill=white"
        if item.role.startswith("badge"):
            ink = _INKS.get(group.status, "black!65")
            style = f"draw={ink}, fill={ink}, line width=.6pt"
        yield rf"\draw[{style}] {at(item.x, item.y)} circle[radius={item.radius * _PT:.1f}pt];"
    elif isinstance(item, Mark):
        text = _font(_MARK_SIZE * item.scale) + _MARKS[item.status]
        yield rf"\node[text=eval{item.status}] at {at(item.x, item.y)} {{{text}}};"
    else:
        yield from _text(item, at(item.x, item.y), group)
        if item.is_struck:
            half = _struck_half(item, group)
            yield rf"\draw[draw=black!65, line width=.4pt] {at(item.x - half, item.y)} -- {at(item.x + half, item.y)};"


def _text(item: Text, position: str, group: Group) -> Iterator[str]:
    color = ""
    if item.shade is not None:
        color = rf"\color[HTML]{{{la_color(item.shade)[1].removeprefix('#').upper()}}}"
    elif item.role == "badge-number":
        color = r"\color{white}"
    elif item.role.startswith("label") and group.status in _INKS:
        color = rf"\color{{{_INKS[group.status]}}}"
    elif item.is_struck or "soft" in item.role.split() or group.more == "none":
        color = r"\color{black!65}"
    anchor = {"start": "[anchor=west]", "end": "[anchor=east]"}.get(item.anchor, "")
    lead = rf"\textbf{{{escape_latex(item.lead)}}} " if item.lead else ""
    yield rf"\node{anchor} at {position} {{{_font(item.size)}{color}\strut {lead}{escape_latex(item.text)}}};"


def _font(size: float) -> str:
    return rf"\fontsize{{{size * _PT:.1f}}}{{{size * _PT * 1.2:.1f}}}\selectfont"


def _struck_half(item: Text, group: Group) -> float:
    """Return half the length of the line through a text: nearly as long as the box around it."""
    boxes = [inner.box for inner in group.items if isinstance(inner, Rectangle)]
    return max((box.width / 2 - 4 for box in boxes), default=item.size)


def _rectangle_style(item: Rectangle, group: Group) -> str:
    if item.role in _SCREEN:
        return ""
    if item.shade is not None:
        red, green, blue = (int(la_color(item.shade)[0][at : at + 2], 16) for at in (1, 3, 5))
        return f"fill={{rgb,255:red,{red};green,{green};blue,{blue}}}"
    if item.role == "chip" and item.status == "discarded":
        return "draw=black!45, fill=white, densely dotted, line width=.4pt"
    if item.status in _OUTLINES:
        ground = "white" if item.role == "chip" else f"eval{item.status}!10"
        return f"fill={ground}, {_OUTLINES[item.status]}"
    if item.role == "badge":
        return f"fill={_INKS[group.status]}"
    if item.role == "box":
        role = group.role.split()
        return _PREDICATES["grammar" in role] if "pred" in role else ""
    return _RECTANGLES[item.role]


def _rounding(item: Line) -> str:
    """Return how the corners of a line are rounded."""
    if item.role == "link":
        return ", rounded corners=3pt"
    if item.role != "edge":
        return ""
    return ", rounded corners=1.5pt" if item.elbow else ", rounded corners=4pt" if item.radius else ""


def _line_style(item: Line, group: Group) -> str:
    if item.role == "edge":
        style = _ARCS[item.status or "right"]
    elif item.role == "link":
        style = f"draw=eval{item.status}, line width=1.1pt"
        style += ", dotted" if item.status == "relabeled" else ""
    elif item.role.startswith("stroke"):
        width = ".5pt" if group.more == "thin" else "1pt"
        if "gap" in item.role:
            return f"draw={_INKS.get(group.status, 'black!65')}, line width=.5pt, dotted"
        style = f"draw={_INKS.get(group.status, 'black!65')}, line width={width}"
        if "solid" not in item.role:
            style += {"missing": ", dashed", "only-a": ", dashed", "only-b": ", densely dotted"}.get(group.status, "")
    elif item.role.startswith(("arrow", "cross")):
        style = "draw=evalmoved, line width=1.2pt" + (", densely dotted" if "dotted" in item.role else "")
    elif item.role == "bar":
        style = f"draw=eval{group.status}, line width=.9pt" + (", dashed" if group.status == "missing" else "")
    else:
        style = _LINES[item.role] + (", dotted" if group.data.get("how") == "folded" else "")
    return f"->, >=stealth, {style}" if item.arrow else style

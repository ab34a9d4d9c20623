"""The small parts that labels of an SVG drawing are put together from."""

from __future__ import annotations

from xml.sax.saxutils import escape

from evaltools.drawing.grid import MARK_WIDTH
from evaltools.drawing.markup import element, mark_element, number, text_element
from evaltools.drawing.measure import text_width
from evaltools.drawing.palette import TIES
from evaltools.drawing.shapes import Box, Point, Tie
from evaltools.metrics.mapping import NodeStatus, WordMatch

__all__ = ["bar", "brace", "handle", "hit", "marked", "outline", "tie_element", "tie_line", "tie_says"]

_KNOT = 3.2  # radius of the ring on a line between words that share characters


def marked(text: str, box: Box, size: float, class_: str, status: NodeStatus) -> list[str]:
    """Return a text with the mark of its status before it, centred together."""
    if status is NodeStatus.MATCHED:
        return [text_element(text, box.x, box.y, size, class_)]
    return [
        mark_element(status, box.x - text_width(text, size) / 2 - 1.5, box.y),
        text_element(text, box.x + MARK_WIDTH / 2, box.y, size, class_),
    ]


def handle(box: Box, side: str) -> str:
    """Return the small triangle at a label by which the viewer folds it again."""
    x, y, tip = box.right + 1, box.y, -2.5 if side == "gold" else 2.5
    corners = ((x, y + tip), (x + 4, y - tip), (x - 4, y - tip))
    return element("polygon", class_="handle", points=" ".join(f"{number(a)},{number(b)}" for a, b in corners))


def hit(box: Box) -> str:
    """Return the invisible rectangle that takes the pointer."""
    return element("rect", class_="hit", x=box.left, y=box.top, width=box.width, height=box.height, rx=4)


def outline(box: Box, status: NodeStatus) -> list[str]:
    """Return the outline of a box: dashed, double or single by status."""
    drawn = [element("rect", class_="box", x=box.left, y=box.top, width=box.width, height=box.height, rx=4)]
    if status is NodeStatus.INSERTED:
        drawn.append(
            element(
                "rect",
                class_="ring",
                x=box.left + 2.5,
                y=box.top + 2.5,
                width=box.width - 5,
                height=box.height - 5,
                rx=2,
            )
        )
    return drawn


def bar(box: Box, side: str, status: NodeStatus) -> list[str]:
    """Return lines over a word for what the gold tree says of it, under it for the test tree."""
    if status is NodeStatus.MATCHED:
        return []
    y, step = (box.top + 0.5, 2.6) if side == "gold" else (box.bottom - 0.5, -2.6)
    lines = [y, y + step] if status is NodeStatus.INSERTED else [y]
    bars = [element("path", class_="bar", d=f"M{number(box.left)} {number(at)}H{number(box.right)}") for at in lines]
    return [*bars, mark_element(status, box.right + 4, y + (2 if side == "gold" else -2), 0.75)]


def tie_says(how: WordMatch, characters: int) -> str:
    """Say in words how two words are aligned.

    Examples
    --------
    >>> tie_says(WordMatch.CHARACTERS, 3), tie_says(WordMatch.EXACT, 3)
    ('3 characters in common', 'same word')
    """
    if how is not WordMatch.CHARACTERS:
        return TIES[how]
    return f"{characters} character{'' if characters == 1 else 's'} in common"


def tie_element(tie: Tie, words: tuple[str, str]) -> str:
    """Return the line between two aligned words: plain, dotted, or with a ring for characters in common."""
    (x, top), (_, bottom) = tie.points
    says = f"{words[0]} – {words[1]}: {tie_says(tie.how, tie.characters)}"
    return element(
        "g",
        f"<title>{escape(says)}</title>",
        *tie_line(tie.how, x, top, bottom),
        class_="tie",
        data_how=tie.how,
        data_gold=tie.gold,
        data_test=tie.test,
    )


def tie_line(how: WordMatch, x: float, top: float, bottom: float) -> list[str]:
    """Return an upright line as it joins words, with its mark."""
    drawn = [element("path", class_="thread", d=f"M{number(x)} {number(top)}V{number(bottom)}")]
    if how is WordMatch.CHARACTERS:
        drawn.append(element("circle", class_="knot", cx=x, cy=(top + bottom) / 2, r=_KNOT))
    return drawn


def brace(ends: tuple[Point, Point]) -> str:
    """Return the line along all columns of a word that is joined to several."""
    (left, y), (right, _) = ends
    return element("path", class_="brace", d=f"M{number(left)} {number(y)}H{number(right)}")

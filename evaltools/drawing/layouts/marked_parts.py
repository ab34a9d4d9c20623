"""Parts of a marked sentence: numbers of repairs, letters of two parsers, and what a bracket is in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from evaltools.alignments.marked import MarkedBracket, MarkedSentence, MarkedWord, Repair
from evaltools.drawing.layouts.marked_setting import LETTERS, MAX_ARROWS, Bar, LineOfWords, Sizes
from evaltools.drawing.measure import join_words, text_width, visible
from evaltools.drawing.scene import Box, Group, Item, Line, Polygon, Rectangle, Ring, Scene, Text

__all__ = [
    "WRONG",
    "badge",
    "band",
    "box_around",
    "cell",
    "described",
    "letters",
    "mirrored",
    "parsers_key",
    "verdict_items",
    "where_of",
]

WRONG = {"only-a": "wrong only in A", "only-b": "wrong only in B", "alike": "wrong alike in both"}
"""What the statuses of brackets of two parsers mean."""


def described(bar: Bar, sentence: MarkedSentence) -> str:
    """Return what a bracket is, in words."""
    words = [word.form for word in sentence.words if word.position is not None]
    bracket = bar.bracket
    over = join_words(words[bracket.span.start : bracket.span.end], 40)
    if sentence.parsers:
        return f"{visible(bracket.label)}, {over}, {where_of(bracket, sentence, 'gold', 'the parse')}"
    what = {
        "deleted": "only in gold",
        "inserted": "only in the parse",
        "relabeled": "another label in gold" if bracket.side == "test" else "another label in the parse",
        "matched": "right",
    }[bracket.status]
    text = f"{visible(bracket.label)}, {over}, {what}"
    if bracket.repairs:
        text += f", {'follows from' if bracket.follows else 'settled by'} repair {bracket.repairs[0]}"
    return text


def badge(text: str, x: float, y: float, sizes: Sizes, *, hollow: bool) -> list[Item]:
    """Return the number of a repair in a circle."""
    role = "badge hollow" if hollow else "badge"
    radius = sizes.badge if len(text) == 1 else sizes.badge + 2
    return [Ring(x, y, radius, role), Text(text, x, y, sizes.label * 0.86, f"{role}-number", is_name=True)]


def where_of(bracket: MarkedBracket, sentence: MarkedSentence, gold_name: str, test_name: str) -> str:
    """Return which trees have a bracket, and of two parsers which one is wrong."""
    if not sentence.parsers:
        return f"only in {gold_name if bracket.side == 'gold' else test_name}"
    if bracket.status == "matched":
        return "right in both"
    names = [name for number, name in enumerate(sentence.parsers, start=1) if number in bracket.repairs]
    return f"{'missing from' if bracket.side == 'gold' else 'spurious in'} {' and '.join(map(visible, names))}"


def band(line: LineOfWords, middle: float, gold_name: str, test_name: str, whose: str, sizes: Sizes) -> Iterator[Item]:
    """Yield the ground of a line of words, and the names of the two sides before it."""
    width = line.rights[-1] - line.lefts[0] + 10
    yield Rectangle(Box((line.lefts[0] + line.rights[-1]) / 2, middle, width, sizes.band), "band", "", 4)
    small = min(sizes.label, 11.5)
    for name, short, y, arrow in (
        (gold_name, "gold", middle - 0.62 * small, "▴"),
        (test_name, whose, middle + 0.62 * small, "▾"),
    ):
        text = f"{name if text_width(name, small) < sizes.gutter - 22 else short} {arrow}"
        yield Text(text, line.lefts[0] - 12, y, small * 0.92, "soft gutter", "end", is_name=True)


def cell(word: MarkedWord, form: str, x: float, middle: float, sizes: Sizes, *, shade: bool) -> Group:
    """Return a word that begins at `x`."""
    role = "soft word" if word.position is None else "word"
    width = text_width(form, sizes.word) * 0.94
    score = word.score if shade else None
    own: list[Item] = []
    if score is not None:
        own.append(Rectangle(Box(x + width / 2, middle, width + 2, sizes.band - 4), "shade", "", 2, shade=score))
    own.append(Text(form, x, middle, sizes.word, role, "start", shade=score))
    data = {} if word.position is None else {"word": word.position}
    paths = " ".join(word.gold_path), " ".join(word.test_path)
    title = f"{form}: {paths[0]}"
    if paths[0] != paths[1]:
        title = f"{form}: gold {paths[0]}; parse {paths[1]}"
    return Group(tuple(own), "cell", data=data, title=title if word.gold_path else None)


def box_around(repair: Repair, start: int, end: int, line: LineOfWords, middle: float, sizes: Sizes) -> Group:
    """Return the box around the words that move, on one line."""
    x0, x1 = line.left(start) - 3, line.right(end - 1) + 3
    outlined = repair.number > MAX_ARROWS
    box = Rectangle(
        Box((x0 + x1) / 2, middle, x1 - x0, sizes.band - 1), "moved-outline" if outlined else "moved-box", "", 4
    )
    title = f"repair {repair.number}: {repair.phrase} {repair.verdict}"
    return Group((box,), "node phrase", status="moved", title=title, data={"repair": repair.number}, is_symbol=True)


def letters(text: str, x: float, y: float, width: float, sizes: Sizes) -> list[Item]:
    """Return the letters of the parsers that are wrong, in a box that begins at `x`."""
    middle = x + (width - 4) / 2
    box = Rectangle(Box(middle, y, width - 4, 2 * sizes.badge), "badge", "", 3)
    return [box, Text(text, middle, y, sizes.label * 0.86, "badge-number", is_name=True)]


def parsers_key(parsers: Sequence[str], width: float, top: float) -> tuple[list[Item], float]:
    """Return the lines that tell the parsers of the letters, and their height."""
    sizes = Sizes()
    items: list[Item] = []
    x, y = 10.0, top + 9
    for status, name in zip(("only-a", "only-b"), map(visible, parsers), strict=True):
        length = 26 + text_width(name, 12.0) + 18
        if x > 10 and x + length > width:
            x, y = 10.0, y + 18
        items.append(Group(tuple(letters(LETTERS[status], x, y, 19.0, sizes)), "node", status=status))
        items.append(Text(name, x + 21, y, 12.0, "word strong", "start", is_name=True))
        x += length
    return items, y - top + 16


def verdict_items(
    repairs: Sequence[Repair], share: str, empty: str, width: float, top: float
) -> tuple[list[Item], float]:
    """Return up to three repairs in words, and the height they take; `share` is what each number is a part of."""
    items: list[Item] = []
    sizes = Sizes()
    y = top + 9
    for repair in repairs[:3]:
        items += _cause_badge(repair, 18.0, y, sizes)
        phrase = visible(repair.phrase)
        items.append(Text(phrase, 32.0, y, 13.0, "word strong", "start", is_name=True))
        text = f"{visible(repair.verdict)} – {repair.repaired} {share}"
        for x, part in _wrapped(text, 32.0 + text_width(phrase, 13.0) + 5, 32.0, width - 12):
            y += 17 if x == 32.0 else 0
            items.append(Text(part, x, y, 13.0, "word", "start", is_name=True))
        y += 19
    more = len(repairs) - 3
    if more > 0:
        items.append(Text(f"and {more} more", 32.0, y, 11.0, "soft", "start", is_name=True))
        y += 17
    if not repairs:
        items.append(Text(empty, 12.0, y, 13.0, "soft", "start", is_name=True))
        y += 19
    return items, y - top


def _wrapped(text: str, x: float, indent: float, right: float) -> Iterator[tuple[float, str]]:
    """Yield the lines of a text that begins at `x`, further ones at an indent."""
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if line and x + text_width(longer, 13.0) > right:
            yield x, line
            x, line = indent, word
        else:
            line = longer
    yield x, line


def _cause_badge(repair: Repair, x: float, y: float, sizes: Sizes) -> list[Item]:
    return [Group(tuple(badge(str(repair.number), x, y, sizes, hollow=False)), "node", status=repair.cause.value)]


def mirrored(scene: Scene) -> Scene:
    """Return a scene for text that runs from right to left."""
    width = scene.width

    def flip(item: Item) -> Item:
        if isinstance(item, Group):
            return replace(item, items=tuple(flip(inner) for inner in item.items))
        if isinstance(item, Rectangle):
            return replace(item, box=replace(item.box, x=width - item.box.x))
        if isinstance(item, (Line, Polygon)):
            return replace(item, points=tuple((width - x, y) for x, y in item.points))
        if isinstance(item, Text):
            anchor = {"start": "end", "end": "start"}.get(item.anchor, item.anchor)
            if item.role.endswith("word") and anchor == "end":
                anchor = "start"  # of the text's own direction
            return replace(item, x=width - item.x, anchor=anchor)
        return replace(item, x=width - item.x)

    return replace(scene, items=tuple(flip(item) for item in scene.items))

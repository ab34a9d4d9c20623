"""Parts of a marked sentence: numbers of repairs, letters of two parsers, and what a bracket is in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from evaltools.drawing.layouts.marked_setting import LETTERS, MAX_ARROWS, Bar, LineOfWords, Sizes
from evaltools.drawing.measure import text_width, visible
from evaltools.drawing.scene import Box, Group, Item, Line, Polygon, Rectangle, Ring, Scene, Text
from evaltools.marks import BracketRepair, MarkedBracket, MarkedSentence, MarkedWord
from evaltools.text import join_stretches, noun_of

WORDS_KEPT = 2
"""Words kept on both sides of a mark in a shortened sentence."""
TOLD = 3
"""Number of repairs that are described in full."""
_MAX_TAGS = 4
"""More wrong tags are counted, not listed."""
_GUTTER_TYPE = 12.0
"""Size of the names of the two sides."""

WRONG = {"only-a": "wrong only in A", "only-b": "wrong only in B", "alike": "wrong alike in both"}
"""What the statuses of brackets of two parsers mean."""


def described(bar: Bar, sentence: MarkedSentence) -> str:
    """Return what a bracket is, in words."""
    words = [word.form for word in sentence.words if word.position is not None]
    bracket = bar.bracket
    over = join_stretches(words, bracket.stretches, 40)
    if sentence.parsers:
        return f"{visible(bracket.label)}, {over}, {where_of(bracket, sentence, 'gold', 'the parse')}"
    what = {
        "missing": "only in gold",
        "spurious": "only in the parse",
        "relabeled": "another label in gold" if bracket.side == "test" else "another label in the parse",
        "right": "right",
    }[bracket.status]
    text = f"{visible(bracket.label)}, {over}, {what}"
    if bracket.repairs:
        text += f", {'follows from' if bracket.follows else 'settled by'} repair {bracket.repairs[0]}"
    return text


def tags_text(sentence: MarkedSentence, told: int = TOLD) -> str:
    """Return the wrong tags in words, without those that the repairs up to a number tell.

    Examples
    --------
    >>> from evaltools.marks import MarkedTag
    >>> tags_text(MarkedSentence((MarkedWord("out", 0),), tags=(MarkedTag(0, "IN", "RP"),)))
    '1 wrong tag: “out” RP, should be IN'
    """
    forms = {word.position: visible(word.form) for word in sentence.words}
    tags = [tag for tag in sentence.tags if not 0 < tag.told_by <= told]
    listed = [f"“{forms[tag.position]}” {tag.test or '∅'}, should be {tag.gold or '∅'}" for tag in tags[:_MAX_TAGS]]
    if len(tags) > _MAX_TAGS:
        listed.append(f"and {len(tags) - _MAX_TAGS} more")
    number, more = len(tags), "" if len(tags) == len(sentence.tags) else " more"
    return f"{number}{more} {noun_of(number, 'wrong tag')}: {'; '.join(listed)}" if tags else ""


def remark_on_tags(sentence: MarkedSentence, told: int = TOLD) -> str:
    """Return what is below the errors of a sentence: the wrong tags, unless they are the errors, or told with them."""
    if not sentence.tags:
        return ""
    return tags_text(sentence, told) if sentence.errors == sentence.repairs else "All brackets are right."


def badge(text: str, x: float, y: float, sizes: Sizes, *, hollow: bool) -> list[Item]:
    """Return the number of a repair in a circle."""
    role = "badge hollow" if hollow else "badge"
    radius = sizes.badge if len(text) == 1 else min(sizes.badge + 2, sizes.row / 2 - 0.2)
    size = min(sizes.label, max(sizes.label * 0.86, radius * (1.7 if len(text) == 1 else 1.42)))  # inside the circle
    return [Ring(x, y, radius, role), Text(text, x, y, size, f"{role}-number", is_name=True)]


def where_of(bracket: MarkedBracket, sentence: MarkedSentence, gold_name: str, test_name: str) -> str:
    """Return which trees have a bracket, and of two parsers which one is wrong."""
    if not sentence.parsers:
        return f"only in {gold_name if bracket.side == 'gold' else test_name}"
    if bracket.status == "right":
        return "right in both"
    names = [name for number, name in enumerate(sentence.parsers, start=1) if number in bracket.repairs]
    return f"{'missing from' if bracket.side == 'gold' else 'spurious in'} {' and '.join(map(visible, names))}"


def band(line: LineOfWords, middle: float, gold_name: str, test_name: str, whose: str, sizes: Sizes) -> Iterator[Item]:
    """Yield the ground of a line of words, and the names of the two sides before it."""
    left = sizes.gutter
    width = line.rights[-1] - left + 10
    yield Rectangle(Box((left + line.rights[-1]) / 2, middle, width, sizes.band), "band", "", 4)
    for name, short, y, up in (
        (gold_name, "gold", middle - 0.6 * _GUTTER_TYPE, 3.0),
        (test_name, whose, middle + 0.6 * _GUTTER_TYPE, -3.0),
    ):
        if name:
            text = name if text_width(name, _GUTTER_TYPE) < sizes.gutter - 28 else short
            yield Text(text, left - 22, y, _GUTTER_TYPE, "gutter", "end", is_name=True)
            # no character, for which programs would take another face for the whole text
            yield Polygon(((left - 15, y - up), (left - 11.5, y + up), (left - 18.5, y + up)), "pointer")


def cell(
    word: MarkedWord, form: str, x: float, middle: float, sizes: Sizes, *, shade: bool, is_of_two: bool = False
) -> Group:
    """Return a word that begins at `x`; the scores of two parsers are strips above and below it."""
    role = "soft word" if word.position is None else "word"
    width = text_width(form, sizes.word) * 0.94
    score = word.score if shade and not is_of_two else None
    own: list[Item] = []
    if score is not None:
        own.append(Rectangle(Box(x + width / 2, middle, width + 2, sizes.band - 4), "shade", "", 2, shade=score))
    for share, edge in ((word.score, -1), (word.score_b, 1)) if shade and is_of_two else ():
        if share is not None and share < 1:
            strip = Box(x + width / 2, middle + edge * (sizes.band / 2 - 1.5), width + 2, 3.0)
            own.append(Rectangle(strip, "shade", "", 0, shade=share))
    own.append(Text(form, x, middle, sizes.word, role, "start", shade=score))
    data = {} if word.position is None else {"word": word.position}
    paths = " ".join(word.gold_path), " ".join(word.test_path)
    title = f"{form}: {paths[0]}"
    if paths[0] != paths[1]:
        title = f"{form}: gold {paths[0]}; parse {paths[1]}"
    return Group(tuple(own), "cell", data=data, title=title if word.gold_path else None)


def box_around(
    repair: BracketRepair, start: int, end: int, line: LineOfWords, middle: float, sizes: Sizes, inset: float = 0.0
) -> Group:
    """Return the box around the words that move, on one line; its number stands before them if there is an inset."""
    x0, x1 = line.left(start) - inset - 3, line.right(end - 1) + 3
    outlined = repair.number > MAX_ARROWS
    role = "moved-outline" if outlined else "moved-box"
    items: list[Item] = [Rectangle(Box((x0 + x1) / 2, middle, x1 - x0, sizes.band - 1), role, "", 4)]
    if inset:
        items += badge(str(repair.number), x0 + sizes.badge + 3, middle, sizes, hollow=outlined)
    title = f"repair {repair.number}: {repair.phrase} {repair.verdict}"
    return Group(
        tuple(items), "node phrase", status="moved", title=title, data={"repair": repair.number}, is_symbol=True
    )


def letters(text: str, x: float, y: float, width: float, sizes: Sizes) -> list[Item]:
    """Return the letters of the parsers that are wrong, in a box that begins at `x`."""
    middle = x + (width - 4) / 2
    box = Rectangle(Box(middle, y, width - 4, 2 * sizes.badge), "badge", "", 3)
    return [box, Text(text, middle, y, sizes.label, "badge-number", is_name=True)]


def _parsers_key(parsers: Sequence[str], width: float, top: float) -> tuple[list[Item], float]:
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


def _verdict_items(
    repairs: Sequence[BracketRepair], share: str, empty: str, width: float, top: float, remark: str, tie: str
) -> tuple[list[Item], float]:
    """Return the repairs in words, and the height they take; `share` is what each number is a part of.

    The three largest have lines of their own, the others are in small type.
    """
    items: list[Item] = []
    y = top + 9
    if tie:
        for x, part in _wrapped(visible(tie), 12.0, 12.0, width - 12):
            items.append(Text(part, x, y, 13.0, "soft", "start", is_name=True))
            y += 17
        y += 2
    for repair in repairs[:TOLD]:
        lines, used = told_lines(repair, share, 10.0, y, width - 12)
        items += lines
        y += used
    if repairs[TOLD:]:
        lines, used = _smaller_lines(repairs[TOLD:], 10.0, y, width - 12)
        items += lines
        y += used
    for text in filter(None, ("" if repairs else empty, remark)):
        for x, part in _wrapped(text, 12.0, 12.0, width - 12):
            items.append(Text(part, x, y, 13.0, "soft", "start", is_name=True))
            y += 17
        y += 2
    return items, y - top


def told_lines(repair: BracketRepair, share: str, x: float, y: float, right: float) -> tuple[list[Item], float]:
    """Return a repair in words with its number, the first line at a height, and the height of the lines."""
    number = badge(str(repair.number), x + 8, y, Sizes(), hollow=False)
    items: list[Item] = [Group(tuple(number), "node", status=repair.cause.value)]
    left, used = x + 22, 19.0
    phrase = visible(repair.phrase)
    text = f"{visible(repair.told)} – {repair.repaired} {share}"
    for at, part in _wrapped(text, left + text_width(phrase, 13.0) + 5, left, right):
        used += 17 if at == left else 0
        lead = "" if at == left else phrase
        items.append(Text(part, left, y + used - 19, 13.0, "word", "start", is_name=True, lead=lead))
    return items, used


def _smaller_lines(repairs: Sequence[BracketRepair], x: float, y: float, right: float) -> tuple[list[Item], float]:
    """Return repairs in words in small type, beside one another where they have room, and the height of the lines."""
    sizes, size, row = Sizes(), 11.0, 18.0
    items: list[Item] = []
    at, middle = x, y
    for repair in repairs:
        text = visible(f"{repair.phrase} {repair.verdict}")
        text += f" (with {', '.join(map(str, repair.together))})" if repair.together else ""
        radius = sizes.badge + (2 if repair.number > 9 else 0)
        indent = 2 * radius + 5
        if at > x and at + indent + text_width(text, size) > right:
            at, middle = x, middle + row
        number = badge(str(repair.number), at + radius, middle, sizes, hollow=False)
        items.append(Group(tuple(number), "node", status=repair.cause.value))
        lines = [line for _, line in _wrapped(text, at + indent, at + indent, right, size)]
        for index, line in enumerate(lines):
            items.append(Text(line, at + indent, middle + 15 * index, size, "soft", "start", is_name=True))
        middle += 15 * (len(lines) - 1)
        at = right if lines[1:] else at + indent + text_width(text, size) + 14
    return items, middle - y + row


def _wrapped(text: str, x: float, indent: float, right: float, size: float = 13.0) -> Iterator[tuple[float, str]]:
    """Yield the lines of a text that begins at `x`, further ones at an indent."""
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if line and x + text_width(longer, size) > right:
            yield x, line
            x, line = indent, word
        else:
            line = longer
    yield x, line


def heading_items(
    width: float,
    *,
    title: str | None,
    repairs: Sequence[BracketRepair] | None,
    share: str,
    empty: str,
    remark: str = "",
    tie: str = "",
    parsers: Sequence[str] = (),
) -> tuple[list[Item], float]:
    """Return what stands above the lines of words: title, repairs in words, key; and where the lines begin."""
    items: list[Item] = []
    top = 4.0
    if title:
        items.append(Text(title, 12.0, top + 10, 14.0, "heading", "start"))
        top += 26
    if repairs is not None:
        lines, used = _verdict_items(repairs, share, empty, width, top, remark, tie)
        items += lines
        top += used
    if parsers:
        lines, used = _parsers_key(parsers, width, top)
        items += lines
        top += used
    return items, top


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

"""Parts of a marked sentence: numbers of repairs, letters of two parsers, and what a bracket is in words."""

from __future__ import annotations

from collections.abc import Iterator

from evaltools.alignments.marked import MarkedBracket, MarkedSentence, Repair
from evaltools.drawing.layouts.marked_setting import LETTERS, Bar, Sizes
from evaltools.drawing.measure import join_words, text_width, visible
from evaltools.drawing.scene import Box, Group, Item, Rectangle, Ring, Text

__all__ = [
    "WRONG",
    "badge",
    "described",
    "letters",
    "parsers_key",
    "tags_text",
    "told_lines",
    "verdict_items",
    "where_of",
]

_MAX_TAGS = 4
"""More wrong tags are counted, not listed."""

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


def tags_text(sentence: MarkedSentence) -> str:
    """Return the wrong tags in words.

    Examples
    --------
    >>> from evaltools.alignments.marked import MarkedTag, MarkedWord
    >>> tags_text(MarkedSentence((MarkedWord("out", 0),), tags=(MarkedTag(0, "IN", "RP"),)))
    '1 wrong tag: “out” RP, should be IN'
    """
    forms = {word.position: visible(word.form) for word in sentence.words}
    listed = [
        f"“{forms[tag.position]}” {tag.test or '∅'}, should be {tag.gold or '∅'}" for tag in sentence.tags[:_MAX_TAGS]
    ]
    if len(sentence.tags) > _MAX_TAGS:
        listed.append(f"and {len(sentence.tags) - _MAX_TAGS} more")
    number = len(sentence.tags)
    return f"{number} wrong tag{'' if number == 1 else 's'}: {'; '.join(listed)}"


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


def letters(text: str, x: float, y: float, width: float, sizes: Sizes) -> list[Item]:
    """Return the letters of the parsers that are wrong, in a box that begins at `x`."""
    middle = x + (width - 4) / 2
    box = Rectangle(Box(middle, y, width - 4, 2 * sizes.badge), "badge", "", 3)
    return [box, Text(text, middle, y, sizes.label * 0.86, "badge-number", is_name=True)]


def parsers_key(sentence: MarkedSentence, width: float, top: float) -> tuple[list[Item], float]:
    """Return the lines that tell the parsers of the letters, and their height."""
    sizes = Sizes()
    items: list[Item] = []
    x, y = 10.0, top + 9
    for status, name in zip(("only-a", "only-b"), map(visible, sentence.parsers), strict=True):
        length = 26 + text_width(name, 12.0) + 18
        if x > 10 and x + length > width:
            x, y = 10.0, y + 18
        items.append(Group(tuple(letters(LETTERS[status], x, y, 19.0, sizes)), "node", status=status))
        items.append(Text(name, x + 21, y, 12.0, "word strong", "start", is_name=True))
        x += length
    return items, y - top + 16


def verdict_items(sentence: MarkedSentence, width: float, top: float) -> tuple[list[Item], float]:
    """Return up to three repairs in words, and the height they take."""
    items: list[Item] = []
    y = top + 9
    for repair in sentence.repairs[:3]:
        lines, used = told_lines(repair, sentence.wrong, 10.0, y, width - 12)
        items += lines
        y += used
    more = len(sentence.repairs) - 3
    if more > 0:
        items.append(Text(f"and {more} more", 32.0, y, 11.0, "soft", "start", is_name=True))
        y += 17
    remarks = [] if sentence.repairs else ["Nothing to repair: all brackets are right."]
    for text in (*remarks, *([tags_text(sentence)] if sentence.tags else [])):
        for x, part in _wrapped(text, 12.0, 12.0, width - 12):
            items.append(Text(part, x, y, 13.0, "soft", "start", is_name=True))
            y += 17
        y += 2
    return items, y - top


def told_lines(repair: Repair, wrong: int, x: float, y: float, right: float) -> tuple[list[Item], float]:
    """Return a repair in words with its number, the first line at a height, and the height of the lines."""
    items: list[Item] = [
        Group(tuple(badge(str(repair.number), x + 8, y, Sizes(), hollow=False)), "node", status=repair.cause.value)
    ]
    left, used = x + 22, 19.0
    phrase = visible(repair.phrase)
    items.append(Text(phrase, left, y, 13.0, "word strong", "start", is_name=True))
    text = f"{visible(repair.verdict)} – {repair.repaired} of {wrong} brackets"
    for at, part in _wrapped(text, left + text_width(phrase, 13.0) + 5, left, right):
        used += 17 if at == left else 0
        items.append(Text(part, at, y + used - 19, 13.0, "word", "start", is_name=True))
    return items, used


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

"""Brackets as text: notations, and a reader of single trees."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from evaltools.errors import InputError, ParameterError, Problem
from evaltools.text import excerpt

BLANKS = " \t\n\r\v\f"
"""Characters that separate tokens, as in the readers of files; a no-break space does not."""

_BRACKETS_IN_WORDS = {
    "()": tuple(
        map(re.compile, (rb"\([^\s()]*\s+\\?\(\)", rb"\((?:\)|[^\s()]+)\s+\\?\)\)", rb"\s[^\s()]+\([^\s()]*\)"))
    ),
    "[]": tuple(
        map(re.compile, (rb"\[[^\s\[\]]*\s+\[\]", rb"\[(?:\]|[^\s\[\]]+)\s+\]\]", rb"\s[^\s\[\]]+\[[^\s\[\]]*\]"))
    ),
}
"""Words that are an opening bracket, as in ``(-LRB- ()`` and ``(( ()``, a closing one, as in ``(-RRB- ))`` and
``() ))``, and those that have both in them, as in ``(NN f(x))``."""
_NUMBERED_WORD = re.compile("(0|[1-9][0-9]{0,17})=(.+)", re.DOTALL)
_NO_BREAK = dict.fromkeys(map(ord, BLANKS), "\u00a0")


@dataclass(frozen=True, slots=True)
class Notation:
    """How trees are written in brackets."""

    name: str  # Accepted by Tree.to_string
    opening: str = "("
    closing: str = ")"
    # Replacements of the two brackets in labels and words
    escapes: tuple[str, str] = ("-LRB-", "-RRB-")
    is_tagged: bool = False  # Whether a node whose only child is a word is a preterminal
    before_closing: str = ""  # Text before the closing bracket of a node with children
    # Whether words have their positions before them: always, never, or (None) where the tree needs it. Only those that
    # always have them hide brackets in words.
    is_numbered: bool | None = False

    @property
    def escape(self) -> dict[int, str]:
        """Replacements of characters that a label or a word cannot contain, for ``str.translate``."""
        return {ord(self.opening): self.escapes[0], ord(self.closing): self.escapes[1], **_NO_BREAK}

    def __str__(self) -> str:
        return self.name


NOTATIONS: dict[str, Notation] = {
    notation.name: notation
    for notation in (
        Notation("ptb", is_tagged=True),
        Notation("sampson", "[", "]", ("-LSB-", "-RSB-"), before_closing=" "),
        Notation("functions", is_numbered=None),
        Notation("discbracket", escapes=("#LRB#", "#RRB#"), is_tagged=True, is_numbered=True),
    )
}
"""The built-in notations by name; a format may define another one."""


def notation_of(notation: str | Notation) -> Notation:
    """Return a notation by its name."""
    if isinstance(notation, Notation):
        return notation
    if notation not in NOTATIONS:
        raise ParameterError.unknown("notation", notation, NOTATIONS)
    return NOTATIONS[notation]


def written_notation(text: str) -> str:
    """Return ``"sampson"`` for a tree in square brackets, ``"ptb"`` for others."""
    return "sampson" if text.lstrip().startswith("[") else "ptb"


class Kind(IntEnum):
    """Kind of a node: a phrase (roof node), a preterminal (part-of-speech tag), or a word."""

    PHRASE = 0
    PRETERMINAL = 1
    WORD = 2


def read_nodes(text: str, notation: Notation) -> tuple[list[str], list[int], list[int], list[int], list[Kind]]:
    """Return label, parent, first and last word, and kind of each node of a text, in postorder."""
    labels: list[str] = []
    parents: list[int] = []
    starts: list[int] = []
    ends: list[int] = []
    kinds: list[Kind] = []
    stack: list[tuple[str, list[int], int, int]] = []  # label, children, first word, position in the text
    n_words = 0

    def error(at: int, found: str, expected: str) -> InputError:
        line = text.count("\n", 0, at) + 1
        column = at - text.rfind("\n", 0, at)
        return InputError(Problem("unbalanced", "<text>", line, column, found, expected))

    def add(label: str, kind: Kind, start: int, children: Sequence[int]) -> None:
        node = len(labels)
        labels.append(label)
        parents.append(-1)
        starts.append(start)
        ends.append(n_words)
        kinds.append(kind)
        for child in children:
            parents[child] = node
        if stack:
            stack[-1][1].append(node)

    opening, closing = re.escape(notation.opening), re.escape(notation.closing)
    string = f"[^{BLANKS}{opening}{closing}]"
    for token in re.finditer(f"{opening}[{BLANKS}]*({string}*)|{closing}|{string}+", text):
        at = token.start()
        if text[at] == notation.opening:
            stack.append((token[1], [], n_words, at))
        elif not stack:
            if text[at] == notation.closing:
                raise error(at, f"{notation.closing!r} without its opening bracket", f"{notation.opening!r}")
            raise error(at, "text outside any bracket", f"{notation.opening!r}")
        elif text[at] == notation.closing:
            label, children, start, _ = stack.pop()
            is_tag = notation.is_tagged and len(children) == 1 and kinds[children[0]] is Kind.WORD
            add(label, Kind.PRETERMINAL if is_tag else Kind.PHRASE, start, children)
        else:
            n_words += 1
            add(token[0], Kind.WORD, n_words - 1, ())
    if stack:
        raise error(stack[-1][3], f"{notation.opening!r} that is never closed", f"{notation.closing!r}")
    return labels, parents, starts, ends, kinds


def bracket_in_word(text: bytes, brackets: str) -> re.Match[bytes] | None:
    """Find the first word of a sentence that has a bracket in it; which one is seen from the numbers of brackets.

    Examples
    --------
    >>> bracket_in_word(b"(S (NN f(x)))", "()")[0], bracket_in_word(b"(S (NN x))", "()")
    (b' f(x)', None)
    """
    opened, closed, both = (pattern.search(text) for pattern in _BRACKETS_IN_WORDS[brackets])
    opening, closing = brackets.encode()
    surplus = text.count(opening) - text.count(closing)
    return opened if surplus > 0 else closed if surplus < 0 else (opened and closed) or both


def is_numbered(words: Sequence[str]) -> bool:
    """Return whether all words look as if their positions stood before them; False if there are no words.

    Examples
    --------
    >>> is_numbered(["1=rains", "0=it"]), is_numbered(["1=2", "is", "wrong"])
    (True, False)
    """
    return bool(words) and all(_NUMBERED_WORD.fullmatch(word) for word in words)


def split_positions(
    labels: Sequence[str], kinds: Sequence[Kind], *, unescape: bool = True
) -> tuple[list[str], list[int]]:
    """Separate the positions from the words of a tree, and undo the escapes of discbracket.

    Examples
    --------
    >>> split_positions(["0=dogs", "N"], [Kind.WORD, Kind.PRETERMINAL])
    (['dogs', 'N'], [0, -1])
    """
    forms, positions = [], []
    used: set[int] = set()

    def error(kind: str, found: str, expected: str) -> InputError:
        return InputError(Problem(kind, "<text>", None, None, found, expected))

    n_words = sum(kind is Kind.WORD for kind in kinds)
    for label, kind in zip(labels, kinds, strict=True):
        position, text = -1, label
        if kind is Kind.WORD:
            match = _NUMBERED_WORD.fullmatch(label)
            if match is None:
                raise error("index", f"the word {excerpt(label)!r}", "a word with its position, such as 0=the")
            position, text = int(match[1]), match[2]
            if position in used:
                raise error("index", f"position {position} a second time, at {excerpt(text)!r}", "each position once")
            if position >= n_words:
                found = f"position {position}, at {excerpt(text)!r}"
                raise error("index", found, f"the positions 0 to {n_words - 1} of {n_words} words, each once")
            used.add(position)
        forms.append(text.replace("#LRB#", "(").replace("#RRB#", ")") if unescape else text)
        positions.append(position)
    return forms, positions

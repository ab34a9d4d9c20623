"""Brackets as text, one tree at a time: what they look like, and reading them node by node."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from evaltools.errors import InputError, Problem

__all__ = ["BLANKS", "BRACKETS", "ESCAPES", "TAGGED", "BracketText", "Kind"]

BRACKETS = {"ptb": ("(", ")"), "sampson": ("[", "]"), "functions": ("(", ")"), "discbracket": ("(", ")")}
"""The opening and the closing bracket of each notation."""

TAGGED = frozenset({"ptb", "discbracket"})
"""Notations in which a node whose only child is a word is a preterminal."""

BLANKS = " \t\n\r\v\f"
"""What separates tokens, as in the readers of files; a no-break space does not."""

_NO_BREAK = dict.fromkeys(map(ord, BLANKS), "\u00a0")

ESCAPES = {
    "ptb": {ord("("): "-LRB-", ord(")"): "-RRB-", **_NO_BREAK},
    "sampson": {ord("["): "-LSB-", ord("]"): "-RSB-", **_NO_BREAK},
    "functions": {ord("("): "-LRB-", ord(")"): "-RRB-", **_NO_BREAK},
    "discbracket": {ord("("): "#LRB#", ord(")"): "#RRB#", **_NO_BREAK},
}
"""What stands in each notation for characters that a label or a word cannot have in it."""


class Kind(IntEnum):
    """What a node is: a phrase (roof node), a preterminal (part-of-speech tag), or a word."""

    PHRASE = 0
    PRETERMINAL = 1
    WORD = 2


class BracketText:
    """Reads brackets into postorder columns with an explicit stack, so depth is no limit.

    Parameters
    ----------
    text : str
        The brackets.
    notation : str
        A key of :data:`BRACKETS`.

    Raises
    ------
    InputError
        If the notation is unknown.
    """

    def __init__(self, text: str, notation: str) -> None:
        if notation not in BRACKETS:
            raise InputError(Problem("notation", "<text>", None, None, notation, " or ".join(BRACKETS)))
        self.text = text
        self.notation = notation
        self.opening, self.closing = BRACKETS[notation]

    def _error(self, at: int, found: str, expected: str) -> InputError:
        line = self.text.count("\n", 0, at) + 1
        column = at - (self.text.rfind("\n", 0, at) + 1) + 1
        return InputError(Problem("unbalanced", "<text>", line, column, found, expected))

    def columns(self) -> tuple[list[str], list[int], list[int], list[int], list[Kind]]:
        """Return label, parent, first and last word, and kind of each node.

        Raises
        ------
        InputError
            If brackets do not balance, or text stands outside them.
        """
        labels: list[str] = []
        parents: list[int] = []
        starts: list[int] = []
        ends: list[int] = []
        kinds: list[Kind] = []
        stack: list[tuple[str, list[int], int, int]] = []  # label, children, first word, place in the text
        n_words = 0

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

        text, at = self.text, 0
        while at < len(text):
            char = text[at]
            if char in BLANKS:
                at += 1
            elif char == self.opening:
                begin = at
                at += 1
                while at < len(text) and text[at] in BLANKS:  # "( S" is "(S"
                    at += 1
                label, at = self._token(at)
                stack.append((label, [], n_words, begin))
            elif char == self.closing:
                if not stack:
                    raise self._error(at, f"{char!r} without its opening bracket", f"{self.opening!r}")
                label, children, start, _ = stack.pop()
                tag = self.notation in TAGGED and len(children) == 1 and kinds[children[0]] is Kind.WORD
                add(label, Kind.PRETERMINAL if tag else Kind.PHRASE, start, children)
                at += 1
            else:
                if not stack:
                    raise self._error(at, "text outside any bracket", f"{self.opening!r}")
                word, at = self._token(at)
                n_words += 1
                add(word, Kind.WORD, n_words - 1, ())
        if stack:
            raise self._error(stack[-1][3], f"{self.opening!r} that is never closed", f"{self.closing!r}")
        return labels, parents, starts, ends, kinds

    def _token(self, at: int) -> tuple[str, int]:
        end = at
        separators = f"{BLANKS}{self.opening}{self.closing}"
        while end < len(self.text) and self.text[end] not in separators:
            end += 1
        return self.text[at:end], end

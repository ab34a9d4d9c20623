"""Alignments in PENMAN notation: the tokens of a sentence that are counted, and the markers that name them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from evaltools.corpus.semantic_graph import Anchors
from evaltools.formats.semantics.pydelphin import Remark
from evaltools.text import excerpt

__all__ = ["Tokens", "without_marker", "without_stray_markers"]

_MARKER = re.compile(r"~(?:[a-z]\.?)?([0-9]{1,9}(?:,[0-9]{1,9})*)$")
_LEXEMES = re.compile(r'(?P<string>"[^"\\\n]*(?:\\.[^"\\\n]*)*")|(?P<marker>~[^\s"()/:~]*)|[()/]|[^\s"()/~]+|"')
_EXPECTED_MARKER = "an alignment such as ~e.1 or ~e.1,2 after a concept, a role or a value"


@dataclass(slots=True)
class Tokens:
    """The tokens of a sentence that alignments count, from 0.

    >>> tokens = Tokens.of("Kim can't.", "Kim ca n't .")
    >>> tokens.spans
    [(0, 3), (4, 6), (6, 9), (9, 10)]
    >>> tokens.anchors([2, 7]), [flaw.found for flaw in tokens.flaws()]
    (((6, 9),), ['alignment with token 7'])
    """

    spans: list[tuple[int, int] | None]  # Their characters, None for one that is not in the sentence
    unknown: set[int] = field(default_factory=set)  # Numbers that alignments name and that have no characters

    @classmethod
    def of(cls, text: str, tokens: str) -> Tokens:
        """Find tokens, which have spaces between them, in a text."""
        spans: list[tuple[int, int] | None] = []
        end = 0
        for token in tokens.split():
            start = text.find(token, end)
            if start < 0:
                spans.append(None)
            else:
                end = start + len(token)
                spans.append((start, end))
        return cls(spans)

    def anchors(self, numbers: Iterable[int]) -> Anchors:
        """Return the characters of tokens."""
        anchors = []
        for number in sorted(set(numbers)):
            span = self.spans[number] if number < len(self.spans) else None
            if span is None:
                self.unknown.add(number)
            else:
                anchors.append(span)
        return tuple(anchors)

    def flaws(self) -> Iterator[Remark]:
        """Yield that there are alignments with tokens that are not in the sentence."""
        if self.unknown:
            listed = sorted(self.unknown)
            more = f" and {len(listed) - 5} more" if len(listed) > 5 else ""
            found = f"alignment with token {', '.join(map(str, listed[:5]))}{more}"
            yield Remark("alignment", found, f"the number of one of the {len(self.spans)} tokens, from 0, in the text")


def without_marker(text: str) -> tuple[str, list[int]]:
    """Return a symbol without its alignment, and the tokens of the alignment.

    >>> without_marker("boy~e.2,3")
    ('boy', [2, 3])
    """
    marker = _MARKER.search(text)
    if marker is None:
        return text, []
    return text[: marker.start()], [int(number) for number in marker[1].split(",")]


def without_stray_markers(body: str) -> tuple[str, list[Remark]]:
    """Return a graph's text without markers of alignment that cannot be read, and these as flaws.

    >>> without_stray_markers("(b / boy~e.1 :mod~x t)")[0]
    '(b / boy~e.1 :mod   t)'
    """
    if "~" not in body:
        return body, []
    remarks, parts, end = [], [], 0
    before, is_aligned = "", False  # The text before a marker, and whether it can have one
    for match in _LEXEMES.finditer(body):
        if match.lastgroup != "marker":
            is_aligned = match[0] not in ("(", ")", "/", '"') and before != "("
            before = match[0]
        elif is_aligned and _MARKER.fullmatch(match[0]):
            is_aligned = False
        else:
            found = f"{excerpt(match[0])} after {excerpt(before)}"
            remarks.append(Remark("alignment", found, _EXPECTED_MARKER, body.count("\n", 0, match.start())))
            parts += [body[end : match.start()], " " * len(match[0])]
            end = match.end()
    return "".join([*parts, body[end:]]), remarks

"""The notation of ``handwritten/semantics.txt``: a sentence, and below it its predications, a line each.

    She watched the whales.
    She         pron
    watched     _watch_v_1|_watch_v_over past *  ARG1=She ARG2=whales
    the         _the_q
    whales      _whale_n_1 pl

First comes what the predication stands for: a word, the second of its kind (``and#2``) or all from one to another
(``olive..oil``), where the starts of the lines follow one another in the sentence. Then its predicate, with its constant
in parentheses; words for its properties; ``*`` at the top of the graph; and its roles, whose targets are named by their
words, or by word and predicate (``her:pron``) where several stand for one word. A bar parts the readings of anything; the
first is right, and ``-`` is nothing at all. A quantifier without BV binds the next noun.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

NOTHING = "-"
NOUNS = (
    "named", "pron", "thing", "person", "place_n", "time_n", "season", "dofw", "yofc", "part_of", "generic_entity",
    "abstr_deg",
)  # fmt: skip  # predicates without _n_ that have the variable of a noun all the same
ROLE = re.compile(r"([A-Z][A-Z0-9-]*)=(\S+)")
PREDICATE = re.compile(r"([^()]+)(?:\(([^()]*)\))?")


@dataclass(frozen=True, slots=True)
class Line:
    """A predication with its readings."""

    start: int
    end: int
    predicates: tuple[str, ...]
    constant: str | None
    features: tuple[tuple[str, ...], ...]
    roles: tuple[tuple[str, tuple[int | None, ...]], ...]  # targets by the numbers of their lines
    top: bool

    def noun(self, predicate: str) -> bool:
        """Return whether the predication has a noun's variable under one of its predicates."""
        return predicate in NOUNS or "_n_" in predicate or predicate.endswith("_n") or ("x",) in self.features


@dataclass(frozen=True, slots=True)
class Point:
    """A place where the readings part: a line, and its predicate, feature or role by number."""

    line: int
    kind: str  # "predicate", "feature" or "role"
    number: int
    size: int


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with all its readings."""

    text: str
    lines: tuple[Line, ...]

    def points(self) -> Iterator[Point]:
        """Yield the places where the readings part."""
        for place, line in enumerate(self.lines):
            kinds = {"predicate": [line.predicates], "feature": line.features, "role": [role[1] for role in line.roles]}
            for kind, options in kinds.items():
                for number, option in enumerate(options):
                    if len(option) > 1:
                        yield Point(place, kind, number, len(option))


def quantifier(predicate: str) -> bool:
    """Return whether a predicate is a quantifier's."""
    return predicate.endswith("_q") or "_q_" in predicate


def read_sentences(text: str) -> list[Sentence]:
    """Read sentences; blank lines lie between them, and ``#`` begins a comment."""
    blocks = [[line for line in block.splitlines() if line and line[0] != "#"] for block in text.split("\n\n")]
    return [_sentence(block[0], block[1:]) for block in blocks if block]


def _sentence(text: str, rows: Sequence[str]) -> Sentence:
    fields = [row.split() for row in rows]
    spans = _spans(text, [field[0] for field in fields])
    names = [(field[0], PREDICATE.findall(field[1].split("|")[0])[0][0]) for field in fields]
    lines: list[Line] = []
    for (start, end), (_, reading, *rest) in zip(spans, fields, strict=True):
        constant = None
        if found := PREDICATE.fullmatch(reading):
            reading, constant = found.groups()
        features = tuple(tuple(word.split("|")) for word in rest if "=" not in word and word != "*")
        roles = tuple(
            (role, tuple(_target(text, names, option) for option in targets.split("|")))
            for role, targets in ROLE.findall(" ".join(rest))
        )
        if constant is None and reading == "named":
            constant = text[start:end]
        lines.append(Line(start, end, tuple(reading.split("|")), constant, features, roles, "*" in rest))
    if sum(line.top for line in lines) != 1:
        raise ValueError(f"one predication must be the top of: {text}")
    return Sentence(text, tuple(_bound(text, lines)))


def _bound(text: str, lines: Sequence[Line]) -> Iterator[Line]:
    """Let quantifiers that do not say what they bind bind the next noun."""
    for place, line in enumerate(lines):
        if line.roles or not quantifier(line.predicates[0]):
            yield line
            continue
        following = [other for other in range(place, len(lines)) if lines[other].noun(lines[other].predicates[0])]
        if not following:
            raise ValueError(f"{line.predicates[0]} binds nothing in: {text}")
        yield Line(line.start, line.end, line.predicates, None, line.features, (("BV", (following[0],)),), line.top)


def _spans(text: str, references: Sequence[str]) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    start = 0
    for reference in references:
        first, _, last = reference.partition("..")
        start, end = _find(text, first, start)
        if last:
            end = _find(text, last, end)[1]
        spans.append((start, end))
    return spans


def _find(text: str, word: str, since: int) -> tuple[int, int]:
    """Return where a word stands, at the place given or later."""
    word, _, nth = word.partition("#")
    before = r"(?<!\w)" if word[0].isalnum() else ""
    places = [found.span() for found in re.finditer(before + re.escape(word) + r"(?!\w)", text)]
    later = [place for place in places[int(nth or 1) - 1 :] if place[0] >= since]
    if not later:
        raise ValueError(f"no {word!r} at {since} or later in: {text}")
    return later[0]


def _target(text: str, names: Sequence[tuple[str, str]], target: str) -> int | None:
    """Return the line that a target names."""
    if target == NOTHING:
        return None
    word, _, predicate = target.partition(":")
    found = [
        place
        for place, (reference, name) in enumerate(names)
        if reference == word and not quantifier(name) and predicate in ("", name)
    ]
    if len(found) != 1:
        raise ValueError(f"{len(found)} predications are called {target} in: {text}")
    return found[0]

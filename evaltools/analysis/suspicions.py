"""What is probably wrong with the files or the rules of a figure, each with its size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from evaltools.text import listing, printable

_MIN_WORDS = 100
"""Fewer words may have the tags of gold by chance."""
_ONE_SIDED = {
    "functions": ("function tags", "brackets", 1),
    "empty": ("empty elements", "words", 1),
    "top": ("tops", "graphs", 1),
    "property": ("properties", "graphs", 10),
    "constant": ("constants", "graphs", 10),
}
"""What one side may lack although it counts: its name, what it is one of, and the least number that shows it."""
_COLUMNS = ("UPOS", "XPOS", "LEMMA", "FEATS", "DEPS")
_TEXTS = {
    "tags": "tags of {parsers} are those of gold in all {n:,} words: gold tags given?",
    "punctuation": "punctuation counts in {parsers}: {n:,} of {total:,} words; other tags?",
    "empty": "empty elements count as words in {parsers}: {n:,} of {total:,}",
    "root": "the root label counts as a bracket in {parsers}: {n:,} of {total:,}",
    "only gold": "{what} count, with none in {parsers}: gold has {n:,} in {total:,} {unit}",
    "only parse": "{what} count, with none in gold: {n:,} in {total:,} {unit} of {parsers}",
    "case": "{n:,} of {total:,} {unit} of {parsers} equal gold but for case",
    "writing": "{n:,} of {total:,} {unit} of {parsers} equal gold but for escapes or Unicode form",
    "columns": "{what}: no value in any of the {n:,} words of gold, nor in {parsers}",
}
"""What is said of parsers, by kind."""
_WITHOUT = {"root": "no-root", "functions": "no-functions", "empty": "no-empty", "top": "no-top", "case": "folded"}
"""The conventions under which a figure is without what is probably wrong."""


@dataclass(frozen=True, slots=True)
class Suspicion:
    """Something that is probably wrong."""

    kind: str  # A key of the texts
    parsers: tuple[str, ...]
    n: int  # Number of words, brackets or graphs that it concerns, of the parser with most
    total: int  # Of so many
    what: str = ""  # What only one side has, or which columns
    unit: str = "words"

    @property
    def text(self) -> str:
        """A line without a stop."""
        what, unit = (_ONE_SIDED[self.what][0] if self.what in _ONE_SIDED else self.what), self.unit
        parsers = listing([*map(printable, self.parsers)])
        return _TEXTS[self.kind].format(parsers=parsers, n=self.n, total=self.total, what=what, unit=unit)

    @property
    def without(self) -> str:
        """The id of the convention under which the figure is without it; empty if there is none."""
        return _WITHOUT.get(self.what or self.kind, "")


def suspicions(entries: Iterable[Mapping[str, Any]]) -> list[Suspicion]:
    """Return what is probably wrong with files or rules, what concerns the largest share first, empty columns last.

    Parameters
    ----------
    entries : iterable of mapping
        The name and the signs of each parser, as in ``meta.json`` of a run, with the keys ``name`` and ``signs``.

    Returns
    -------
    list of Suspicion
        Tags of a parse that are those of gold in every word; words or labels that are those of gold but for case,
        escapes or Unicode; punctuation that should be left out and is not; root labels and empty elements that count;
        what counts and only one side has; columns that are empty on both sides.
    """
    found = [item for entry in entries for item in _of_parser(entry["name"], entry.get("signs", {}))]
    found.sort(key=lambda item: (item.kind, item.what, -item.n / item.total))  # sorting keeps the order of parsers
    joined = []
    for _, items in groupby(found, key=lambda item: (item.kind, item.what)):
        largest, *others = items
        named = largest.parsers + tuple(name for item in others for name in item.parsers)
        joined.append(replace(largest, parsers=named))
    return sorted(joined, key=lambda item: (item.kind == "columns", -item.n / item.total))


def _of_parser(parser: str, signs: Mapping[str, int]) -> Iterator[Suspicion]:
    names, number = (parser,), signs.get
    words = number("gold_words", 0)
    if number("tagged", 0) >= _MIN_WORDS and not number("wrongly_tagged"):
        yield Suspicion("tags", names, signs["tagged"], signs["tagged"])
    if (marks := number("punctuation", 0)) and marks == number("counted_punctuation"):
        yield Suspicion("punctuation", names, marks, words)
    for kind in ("case", "writing"):
        if n := number(kind, 0):
            yield Suspicion(kind, names, n, words or signs["gold_name"], unit="words" if words else "labels")
    if roots := number("gold_roots", 0):
        yield Suspicion("root", names, roots, signs["gold_brackets"])
    for what, (_, unit, minimum) in _ONE_SIDED.items():
        gold, parse = number(f"gold_{what}", 0), number(what, 0)
        if gold >= minimum and not parse and number(unit):
            yield Suspicion("only gold", names, gold, signs[f"gold_{unit}"], what, unit)
        elif parse >= minimum and not gold:
            yield Suspicion("only parse", names, parse, signs[unit], what, unit)
        elif gold and what == "empty":
            yield Suspicion("empty", names, gold, words)
    if empty := [column for column in _COLUMNS if number(column) == number(f"gold_{column}") == 0]:
        yield Suspicion("columns", names, words, words, listing(empty, len(empty)))


__all__ = ["Suspicion", "suspicions"]

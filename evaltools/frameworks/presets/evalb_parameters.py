"""The parameter language of evalb.

A line is a keyword, white space, and a value; ``#`` in the first column begins a comment; lines of fewer than three
characters are ignored. Keywords that only other programs know are accepted; any other is listed as a problem.
``MULTIWORD_ONLY 1`` is a keyword of evaltools: only brackets of two words or more count.

References
----------
Satoshi Sekine and Michael Collins (1997). evalb, the bracket scoring program.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from evaltools.errors import Problem
from evaltools.text import excerpt

__all__ = ["EvalbParameters", "equality_classes", "parse_parameters"]

_NUMBER = re.compile("[+-]?[0-9]{1,9}")
_FOREIGN = ("DELETE_ROOT_PRETERMS", "DISC_ONLY", "DELETE_WORD")
_KEYWORDS = (
    "DEBUG",
    "MAX_ERROR",
    "CUTOFF_LEN",
    "LABELED",
    "DELETE_LABEL",
    "DELETE_LABEL_FOR_LENGTH",
    "QUOTE_LABEL",
    "EQ_LABEL",
    "EQ_WORD",
    "MULTIWORD_ONLY",
)


@dataclass(frozen=True, slots=True)
class EvalbParameters:
    """The contents of a parameter file."""

    # ``DELETE_LABEL``: words with such a tag, and brackets with such a label, are deleted.
    delete_labels: tuple[str, ...] = ()
    # ``DELETE_LABEL_FOR_LENGTH``: tags of words that do not count in the sentence's length.
    delete_for_length: tuple[str, ...] = ()
    quote_labels: tuple[str, ...] = ()  # ``QUOTE_LABEL``: tags of quotes that may be put back when lengths differ
    # ``EQ_LABEL`` and ``EQ_WORD``: pairs that count as the same, in either order, not transitively.
    equal_labels: tuple[tuple[str, str], ...] = ()
    equal_words: tuple[tuple[str, str], ...] = ()
    labelled: bool = True  # ``LABELED``: False to ignore the labels of brackets
    cutoff_length: int = 40  # ``CUTOFF_LEN``: the second summary is over sentences of at most this length
    multiword_only: bool = False  # ``MULTIWORD_ONLY``: True to count only brackets of two words or more
    max_error: int = 10  # ``MAX_ERROR``: evalb stops after this many errors; used in a remark only
    problems: tuple[Problem, ...] = ()  # Lines that were not understood

    def deletable(self) -> set[str]:
        """Return the labels of brackets to delete: those listed, and those that ``EQ_LABEL`` makes equal to one."""
        pairs = {*self.equal_labels, *((second, first) for first, second in self.equal_labels)}
        return {*self.delete_labels, *(second for first, second in pairs if first in self.delete_labels)}

    def describe(self) -> list[str]:
        """Return the parameters that a preset does not describe by itself, one a line."""
        lines = [f"labels {a} and {b} count as equal" for a, b in self.equal_labels]
        lines += [f"words {a} and {b} count as equal" for a, b in self.equal_words]
        if self.quote_labels:
            lines.append(f"quotes put back where lengths differ, with tags: {' '.join(self.quote_labels)}")
        if self.delete_for_length:
            lines.append(f"words left out of the length, with tags: {' '.join(self.delete_for_length)}")
        if not self.labelled:
            lines.append("labels of brackets are ignored (LABELED 0)")
        lines.append(f"second summary: sentences of at most {self.cutoff_length} words")
        return lines


def equality_classes(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return one of the strings of its class for each string in some pairs of equal ones.

    Examples
    --------
    >>> equality_classes([("A", "B"), ("D", "E"), ("B", "C")])
    {'A': 'A', 'B': 'A', 'D': 'D', 'E': 'D', 'C': 'A'}
    """
    classes: dict[str, list[str]] = {}
    for first, second in pairs:
        larger, smaller = sorted((classes.setdefault(item, [item]) for item in (first, second)), key=len, reverse=True)
        if larger is not smaller:
            larger += smaller
            classes.update(dict.fromkeys(smaller, larger))
    return {string: members[0] for string, members in classes.items()}


def parse_parameters(text: str, name: str) -> EvalbParameters:
    """Read the text of a parameter file."""
    lists: dict[str, list[str]] = {"DELETE_LABEL": [], "DELETE_LABEL_FOR_LENGTH": [], "QUOTE_LABEL": []}
    pairs: dict[str, list[tuple[str, str]]] = {"EQ_LABEL": [], "EQ_WORD": []}
    numbers = {"LABELED": 1, "CUTOFF_LEN": 40, "MAX_ERROR": 10, "DEBUG": 0, "MULTIWORD_ONLY": 0}
    problems: list[Problem] = []

    for number, raw in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        line = raw.rstrip()
        if line.startswith("#") or len(line) < 3:
            continue
        keyword, *rest = ("", line.lstrip()) if line[0].isspace() else line.split(maxsplit=1)
        value = rest[0] if rest else ""

        def problem(found: str, expected: str, line_number: int = number) -> None:
            problems.append(Problem("parameters", name, line_number, 1, found, expected))

        if keyword in _FOREIGN:
            problem(f"{keyword}, which is not an evalb keyword", "an evalb keyword; the line has no effect")
        elif not keyword:
            problem("a line that begins with white space", "a keyword in the first column; the line has no effect")
        elif keyword not in _KEYWORDS:
            problem(f"unknown keyword {excerpt(keyword)!r}", " ".join(_KEYWORDS))
        elif not value:
            problem(f"{keyword} without a value", "a value after it")
        elif keyword in lists:
            lists[keyword].append(value)
        elif keyword in pairs:
            values = value.split()
            if len(values) == 2:
                pairs[keyword].append((values[0], values[1]))
            else:
                problem(f"{keyword} with {len(values)} values", "two values")
        else:
            digits = _NUMBER.match(value)
            if digits is None or digits.end() < len(value):
                problem(f"{keyword} {excerpt(value)}", "a whole number; its leading digits are used, or 0, as in evalb")
            numbers[keyword] = int(digits[0]) if digits is not None else 0
    return EvalbParameters(
        delete_labels=tuple(lists["DELETE_LABEL"]),
        delete_for_length=tuple(lists["DELETE_LABEL_FOR_LENGTH"]),
        quote_labels=tuple(lists["QUOTE_LABEL"]),
        equal_labels=tuple(pairs["EQ_LABEL"]),
        equal_words=tuple(pairs["EQ_WORD"]),
        labelled=numbers["LABELED"] != 0,
        cutoff_length=numbers["CUTOFF_LEN"],
        max_error=numbers["MAX_ERROR"],
        multiword_only=numbers["MULTIWORD_ONLY"] != 0,
        problems=tuple(problems),
    )

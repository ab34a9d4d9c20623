"""Lines that evalb reads although they are no tree: what it makes of a bracket that is never closed.

Such a line is in error (status 1), and its row has numbers all the same: an open bracket begins where it stands and
ends before the first word. No other program counts so; it is of use for evalb's own report only. Text outside of
brackets, more closing brackets than opening ones, and a line that ends within a bracket's beginning have no result in
evalb either, which never comes to an end, or reads what is not there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import product

from evaltools.normalize.evalb_parameters import EvalbParameters

__all__ = ["EvalbLine", "EvalbRow", "compare_lines", "pieces", "read_line"]

_BLANK = " \t\n\v\f\r"
_PIECE = re.compile(rf"\(([^{_BLANK}()]*)(?:[{_BLANK}]+([^{_BLANK}()]*)\))?|(\))|([^{_BLANK}()]+)")
_QUOTES = frozenset({"'", '"', "/"})


def pieces(text: str) -> Iterator[tuple[str, str, str]]:
    """Take a line apart as evalb does.

    Parameters
    ----------
    text : str
        The line.

    Yields
    ------
    (str, str, str)
        ``("word", tag, form)`` for what is closed after a word, which may be empty as in ``(NP )``; ``("(", label,
        "")``; ``(")", "", "")``; ``("text", text, "")`` for what stands outside of all that.
    """
    for found in _PIECE.finditer(text):
        label, form, closing, other = found.groups()
        if form is not None:
            yield "word", label, form
        elif label is not None:
            yield "(", label, ""
        else:
            yield (")", "", "") if closing else ("text", other, "")


@dataclass(slots=True)
class _Quote:
    form: str
    tag: str
    place: int  # among the words, as they are now
    later: int  # number of the first bracket that opens after it
    around: tuple[int, ...]  # the brackets that are open where it stands


@dataclass(slots=True)
class EvalbLine:
    """A line as evalb keeps it.

    Parameters
    ----------
    length : int
        Words, but for those of ``DELETE_LABEL_FOR_LENGTH``.
    closed : bool
        Whether all brackets are closed.
    words : list of (str, str)
        Form and tag of the words that are left.
    labels, starts, ends : list
        The brackets, in the order in which they open.
    """

    length: int = 0
    closed: bool = True
    words: list[tuple[str, str]] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    _quotes: list[_Quote] = field(default_factory=list)

    def put_back(self, number: int) -> None:
        """Put a deleted quote among the words."""
        quote = self._quotes[number]
        self.words.insert(quote.place, (quote.form, quote.tag))
        for bracket in range(quote.later, len(self.labels)):
            self.starts[bracket] += 1
            self.ends[bracket] += 1
        for bracket in quote.around:
            self.ends[bracket] += 1
        for later in self._quotes[number:]:
            later.place += 1


def read_line(text: str, parameters: EvalbParameters) -> EvalbLine | None:
    """Read a line as evalb does.

    Parameters
    ----------
    text : str
        The line.
    parameters : EvalbParameters
        What is deleted.

    Returns
    -------
    EvalbLine or None
        None where evalb has no result.
    """
    line = EvalbLine()
    waiting: list[int] = []
    if text.strip(_BLANK)[-1:] not in ("", ")"):
        return None
    for what, label, form in pieces(text):
        if what == "word":
            if form in _QUOTES and label in parameters.quote_labels:
                line._quotes.append(_Quote(form, label, len(line.words), len(line.labels), tuple(waiting)))
            line.length += label not in parameters.delete_for_length
            if label not in parameters.delete_labels:
                line.words.append((form, label))
        elif what == "(":
            waiting.append(len(line.labels))
            line.labels.append(label)
            line.starts.append(len(line.words))
            line.ends.append(-1)
        elif what == ")" and waiting:
            line.ends[waiting.pop()] = len(line.words)
        else:
            return None
    line.closed = not waiting
    return line


@dataclass(frozen=True, slots=True)
class EvalbRow:
    """The numbers of one row of evalb's report."""

    status: int
    matched: int = 0
    gold: int = 0
    test: int = 0
    crossing: int = 0
    words: int = 0
    tags: int = 0


def compare_lines(gold: EvalbLine, test: EvalbLine, parameters: EvalbParameters) -> EvalbRow:
    """Compare two lines as evalb does; quotes that are put back stay in them.

    Parameters
    ----------
    gold, test : EvalbLine
        The lines.
    parameters : EvalbParameters
        The rules.
    """
    same_word, same_label = _equality(parameters.equal_words), _equality(parameters.equal_labels)
    if not test.words:
        return EvalbRow(2)
    if len(gold.words) != len(test.words):
        _repair_quotes(gold, test, frozenset(parameters.delete_labels))
    if len(gold.words) != len(test.words):
        return EvalbRow(1)
    if not all(same_word(ours[0], its[0]) for ours, its in zip(gold.words, test.words, strict=True)):
        return EvalbRow(1)
    sides = [_counted(line, parameters.deletable()) for line in (gold, test)]
    free = dict(enumerate(sides[1]))
    matched = 0
    for label, *span in sides[0]:
        for number, (other, *its) in free.items():
            if span == its and (not parameters.labelled or same_label(label, other)):
                del free[number]
                matched += 1
                break
    crossing = {
        number
        for (_, a, b), (number, (_, c, d)) in product(sides[0], enumerate(sides[1]))
        if a < c < b < d or c < a < d < b
    }
    tags = sum(same_label(ours[1], its[1]) for ours, its in zip(gold.words, test.words, strict=True))
    status = 0 if gold.closed and test.closed else 1
    return EvalbRow(status, matched, len(sides[0]), len(sides[1]), len(crossing), len(gold.words), tags)


def _equality(pairs: tuple[tuple[str, str], ...]) -> Callable[[str, str], bool]:
    both = {*pairs, *((b, a) for a, b in pairs)}
    return lambda one, other: one == other or (one, other) in both


def _counted(line: EvalbLine, deletable: set[str]) -> list[tuple[str, int, int]]:
    """Return the brackets that are not deleted, their labels cut."""
    cut = [re.split("[-=]", label, maxsplit=1)[0] for label in line.labels]
    brackets = zip(cut, line.starts, line.ends, strict=True)
    return [one for one in brackets if one[1] != one[2] and one[0] not in deletable]


def _repair_quotes(gold: EvalbLine, test: EvalbLine, deletable: frozenset[str]) -> None:
    for its, quote in enumerate(test._quotes):
        place = quote.place
        for ours, other in enumerate(gold._quotes):
            if other.place != place or other.tag == quote.tag:
                continue
            if other.tag in deletable and quote.tag not in deletable:
                gold.put_back(ours)
            elif quote.tag in deletable and other.tag not in deletable:
                test.put_back(its)

"""Lines as evalb reads them: brackets that it takes for words, and brackets that are never closed.

``(NP )`` is an empty word to evalb, and ``( dog)`` a word with an empty tag. Other readers, including the one of this
package, read the first as a bracket without words, and the second as one with the label *dog*. The presets that follow
evalb read such a sentence again.

A line with a bracket that is never closed is in error (status 1), but its row in evalb's report has numbers: an open
bracket begins where it stands and ends before the first word. No other program counts so; the numbers are used in
evalb's own report only. Text outside of brackets and more closing brackets than opening ones have no result in evalb
either: it does not terminate, or reads beyond its input.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from evaltools.corpus import Kind, Treebank
from evaltools.corpus.treebank import SentenceNodes, replace_sentences
from evaltools.frameworks.common.columns import number_column
from evaltools.frameworks.constituency.normalization import QUOTE_FORMS, Quote, quotes_put_back
from evaltools.frameworks.presets import Preset
from evaltools.frameworks.presets.preset import EvalbParameters

if TYPE_CHECKING:
    from evaltools.frameworks.common.columns import Rows
_BLANK = " \t\n\v\f\r"
_TOKEN = re.compile(rf"\(([^{_BLANK}()]*)(?:[{_BLANK}]+([^{_BLANK}()]*)\))?|(\))|([^{_BLANK}()]+)")
_ODD = re.compile(rf"\([^{_BLANK}()]*[{_BLANK}]+\)|\([{_BLANK}]+[^{_BLANK}()]+\)".encode())


def _text(treebank: Treebank, sentence: int) -> str:
    raw = treebank.text[treebank.text_start[sentence] : treebank.text_end[sentence]]
    return raw.decode("utf-8", "backslashreplace")


def _tokens(text: str) -> Iterator[tuple[str, str, str]]:
    """Split a line as evalb does: yield the kind of each token, a label or text, and the form of a word."""
    for match in _TOKEN.finditer(text):
        label, form, closing, outside = match.groups()
        if form is not None:
            yield "word", label, form
        elif label is not None:
            yield "(", label, ""
        else:
            yield (")", "", "") if closing else ("text", outside, "")


def with_empty_words(treebank: Treebank) -> Treebank:
    """Return a treebank with the words that evalb reads."""
    new = {}
    for sentence in _odd_sentences(treebank):
        nodes = _nodes(_text(treebank, sentence), treebank)
        if nodes is not None:
            new[sentence] = nodes
    return replace_sentences(treebank, new) if new else treebank


def _odd_sentences(treebank: Treebank) -> Iterator[int]:
    last = -1
    for match in _ODD.finditer(treebank.text):
        sentence = int(np.searchsorted(treebank.text_end, match.start(), side="right"))
        if sentence > last and sentence < len(treebank) and treebank.text_start[sentence] <= match.start():
            yield sentence
            last = sentence


def _nodes(text: str, treebank: Treebank) -> SentenceNodes | None:
    """Read a sentence; None if its brackets do not balance, or there is text outside of them."""
    labels, words = treebank.vocabulary.labels, treebank.vocabulary.words
    nodes = SentenceNodes()
    open_brackets: list[tuple[str, int, list[int]]] = []
    siblings: list[int] = []
    n_words = 0
    for kind, label, form in _tokens(text):
        if kind == "word":
            leaf = nodes.add(words.add(form), Kind.WORD, n_words, n_words + 1, [])
            n_words += 1
            siblings.append(nodes.add(labels.add(label), Kind.PRETERMINAL, n_words - 1, n_words, [leaf]))
        elif kind == "(":
            open_brackets.append((label, n_words, siblings))
            siblings = []
        elif kind == ")" and open_brackets:
            label, start, before = open_brackets.pop()
            siblings = [*before, nodes.add(labels.add(label), Kind.PHRASE, start, n_words, siblings)]
        else:
            return None
    return nodes if n_words and not open_brackets else None


@dataclass(slots=True)
class _LineQuote(Quote):
    form: str
    next_bracket: int  # Number of the first bracket that opens after it
    open_brackets: tuple[int, ...]  # The brackets around it


@dataclass(slots=True)
class _Line:
    """A line as evalb keeps it."""

    length: int = 0  # Words, without those of ``DELETE_LABEL_FOR_LENGTH``
    closed: bool = True  # Whether all brackets are closed
    words: list[tuple[str, str]] = field(default_factory=list)  # Form and tag of the words that are not deleted
    labels: list[str] = field(default_factory=list)  # The brackets, in the order in which they open
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    quotes: list[_LineQuote] = field(default_factory=list)

    def put_back(self, quote: _LineQuote) -> None:
        """Put a deleted quote among the words."""
        self.words.insert(quote.index, (quote.form, quote.tag))
        for bracket in range(quote.next_bracket, len(self.labels)):
            self.starts[bracket] += 1
            self.ends[bracket] += 1
        for bracket in quote.open_brackets:
            self.ends[bracket] += 1


def _read_line(text: str, parameters: EvalbParameters) -> _Line | None:
    """Read a line as evalb does; None where evalb has no result."""
    line = _Line()
    open_brackets: list[int] = []
    for kind, label, form in _tokens(text):
        if kind == "word":
            if form in QUOTE_FORMS and label in parameters.quote_labels:
                line.quotes.append(_LineQuote(label, len(line.words), form, len(line.labels), tuple(open_brackets)))
            line.length += label not in parameters.delete_for_length
            if label not in parameters.delete_labels:
                line.words.append((form, label))
        elif kind == "(":
            open_brackets.append(len(line.labels))
            line.labels.append(label)
            line.starts.append(len(line.words))
            line.ends.append(-1)
        elif kind == ")" and open_brackets:
            line.ends[open_brackets.pop()] = len(line.words)
        else:
            return None
    line.closed = not open_brackets
    return line


@dataclass(frozen=True, slots=True)
class _Row:
    """The numbers of one row of evalb's report."""

    status: int
    matched: int = 0
    gold: int = 0
    test: int = 0
    crossing: int = 0
    words: int = 0
    tags: int = 0


def _compare_lines(gold: _Line, test: _Line, preset: Preset) -> _Row:
    """Compare two lines as evalb does; quotes that are put back stay in them."""
    parameters = _parameters(preset)
    same_word, same_label = _equality(parameters.equal_words), _equality(parameters.equal_labels)
    if not test.words:
        return _Row(2)
    if len(gold.words) != len(test.words):
        lines = (gold, test)
        for side, index in quotes_put_back(gold.quotes, test.quotes, parameters):
            lines[side].put_back(lines[side].quotes[index])
    if len(gold.words) != len(test.words):
        return _Row(1)
    words = list(zip(gold.words, test.words, strict=True))
    if not all(same_word(gold_form, test_form) for (gold_form, _), (test_form, _) in words):
        return _Row(1)
    gold_brackets, test_brackets = (_brackets(line, preset) for line in (gold, test))
    unmatched = dict(enumerate(test_brackets))
    matched = 0
    for label, *span in gold_brackets:
        for number, (test_label, *test_span) in unmatched.items():
            if span == test_span and (not parameters.labeled or same_label(label, test_label)):
                del unmatched[number]
                matched += 1
                break
    crossing = {
        number
        for (_, a, b), (number, (_, c, d)) in product(gold_brackets, enumerate(test_brackets))
        if a < c < b < d or c < a < d < b
    }
    tags = sum(same_label(gold_tag, test_tag) for (_, gold_tag), (_, test_tag) in words)
    status = 0 if gold.closed and test.closed else 1
    return _Row(status, matched, len(gold_brackets), len(test_brackets), len(crossing), len(words), tags)


def _parameters(preset: Preset) -> EvalbParameters:
    assert preset.evalb is not None
    return preset.evalb


def _equality(pairs: tuple[tuple[str, str], ...]) -> Callable[[str, str], bool]:
    equal = {*pairs, *((b, a) for a, b in pairs)}
    return lambda a, b: a == b or (a, b) in equal


def _brackets(line: _Line, preset: Preset) -> list[tuple[str, int, int]]:
    """Return the brackets that are not deleted, their labels cut."""
    deletable, too_short = _parameters(preset).deletable(), {0, 1} if preset.multiword_only else {0}
    labels = [re.split("[-=]", label, maxsplit=1)[0] for label in line.labels]
    brackets = zip(labels, line.starts, line.ends, strict=True)
    return [
        (label, start, end) for label, start, end in brackets if end - start not in too_short and label not in deletable
    ]


EVALB_ROW = tuple(f"evalb_{item.name}" for item in fields(_Row))
"""Columns of the table of sentences under an evalb preset; null for rows that follow from the other columns."""


def with_evalb_rows(rows: Rows, gold: Treebank, test: Treebank, preset: Preset) -> Rows:
    """Add evalb's rows for the sentences where a bracket of either line is never closed."""
    parameters = _parameters(preset)
    evalb_rows: dict[int, _Row] = {}
    lengths = rows["evalb_length"].copy()
    for sentence in sorted({*_unread(gold), *_unread(test)}):
        gold_line, test_line = (_read_line(_text(treebank, sentence), parameters) for treebank in (gold, test))
        if gold_line is not None:
            lengths[sentence] = gold_line.length
            if test_line is not None and not (gold_line.closed and test_line.closed):
                evalb_rows[sentence] = _compare_lines(gold_line, test_line, preset)
    indices = np.fromiter(evalb_rows, dtype=np.int64, count=len(evalb_rows))
    empty = np.ones(len(lengths), dtype=np.bool_)
    empty[indices] = False
    more: Rows = {"evalb_length": lengths}
    for item, column in zip(fields(_Row), EVALB_ROW, strict=True):
        values = np.zeros(len(lengths), dtype=np.int32)
        values[indices] = [getattr(row, item.name) for row in evalb_rows.values()]
        more[column] = number_column(values, empty)
    return rows | more


def _unread(treebank: Treebank) -> list[int]:
    """List the sentences that have text and no tree."""
    is_unread = (np.diff(treebank.offsets) == 0) & (treebank.text_end > treebank.text_start)
    sentences: list[int] = np.flatnonzero(is_unread).tolist()
    return sentences

"""What evalb does to a pair of lines, told again from its rules.

It works on the text of the lines, as evalb does, and shares nothing with the package.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field


@dataclass
class Rules:
    """A parameter file."""

    delete: list[str] = field(default_factory=list)
    not_in_length: list[str] = field(default_factory=list)
    quotes: list[str] = field(default_factory=list)
    equal_labels: list[tuple[str, str]] = field(default_factory=list)
    equal_words: list[tuple[str, str]] = field(default_factory=list)
    labelled: bool = True
    cutoff: int = 40

    def same_label(self, a: str, b: str) -> bool:
        return a == b or (a, b) in self.equal_labels or (b, a) in self.equal_labels

    def same_word(self, a: str, b: str) -> bool:
        return a == b or (a, b) in self.equal_words or (b, a) in self.equal_words

    def text(self) -> str:
        """Write the parameter file."""
        lines = ["# made up", f"LABELED {int(self.labelled)}", f"CUTOFF_LEN {self.cutoff}"]
        lines += [f"DELETE_LABEL {label}" for label in self.delete]
        lines += [f"DELETE_LABEL_FOR_LENGTH {label}" for label in self.not_in_length]
        lines += [f"QUOTE_LABEL {label}" for label in self.quotes]
        lines += [f"EQ_LABEL {a} {b}" for a, b in self.equal_labels]
        lines += [f"EQ_WORD {a} {b}" for a, b in self.equal_words]
        return "\n".join(lines) + "\n"


@dataclass
class _Line:
    words: list[tuple[str, str, bool]]  # form, tag, deleted
    spans: list[tuple[str, int, int]]  # label, first and last word among all words, in the order they open

    def kept(self) -> list[tuple[str, str]]:
        return [(form, tag) for form, tag, deleted in self.words if not deleted]


def _read(line: str, rules: Rules) -> _Line:
    words: list[tuple[str, str, bool]] = []
    spans: list[tuple[str, int, int]] = []
    waiting: list[int] = []
    for opened, word, closed in re.findall(r"\(([^\s()]*)(?:\s+([^\s()]+)\s*\))?|(\))", line):
        if closed:
            at = waiting.pop()
            spans[at] = (spans[at][0], spans[at][1], len(words))
        elif word:
            words.append((word, opened, opened in rules.delete))
        else:
            waiting.append(len(spans))
            spans.append((opened, len(words), -1))
    return _Line(words, spans)


def _brackets(line: _Line, rules: Rules) -> list[tuple[str, int, int]]:
    left = []
    for label, first, last in line.spans:
        start, end = (sum(not deleted for *_, deleted in line.words[:at]) for at in (first, last))
        label = re.split("[-=]", label)[0]
        if start < end and not any(rules.same_label(label, one) for one in rules.delete):
            left.append((label, start, end))
    return left


def _put_quotes_back(gold: _Line, test: _Line, rules: Rules) -> None:
    """Put back a deleted quote where the other side has one that is kept, at the same place among what is left."""

    def quotes(line: _Line) -> list[int]:
        found = [i for i, (form, tag, _) in enumerate(line.words) if form in "'\"/" and tag in rules.quotes]
        return found

    def place(line: _Line, i: int) -> int:
        return sum(not deleted for *_, deleted in line.words[:i])

    for i in quotes(test):
        for j in quotes(gold):
            if place(gold, j) != place(test, i):
                continue
            (form, tag, gone), (other, other_tag, other_gone) = gold.words[j], test.words[i]
            if gone and other_tag not in rules.delete:
                gold.words[j] = (form, tag, False)
            elif other_gone and tag not in rules.delete:
                test.words[i] = (other, other_tag, False)


@dataclass
class Row:
    """A row of evalb's report."""

    length: int
    status: int
    matched: int = 0
    gold: int = 0
    test: int = 0
    crossing: int = 0
    words: int = 0
    tags: int = 0


def compare(gold_line: str, test_line: str, rules: Rules) -> Row:
    """Compare two lines."""
    gold, test = _read(gold_line, rules), _read(test_line, rules)
    row = Row(sum(tag not in rules.not_in_length for _, tag, _ in gold.words), 0)
    if not test.kept():
        row.status = 2
        return row
    if len(gold.kept()) != len(test.kept()):
        _put_quotes_back(gold, test, rules)
    pairs = list(zip(gold.kept(), test.kept(), strict=False))
    if len(gold.kept()) != len(test.kept()) or not all(rules.same_word(g[0], t[0]) for g, t in pairs):
        row.status = 1
        return row
    golds, tests = _brackets(gold, rules), _brackets(test, rules)
    row.gold, row.test, row.words = len(golds), len(tests), len(pairs)
    row.tags = sum(rules.same_label(g[1], t[1]) for g, t in pairs)
    row.crossing = sum(any(g[1] < t[1] < g[2] < t[2] or t[1] < g[1] < t[2] < g[2] for g in golds) for t in tests)
    free = list(tests)
    for label, start, end in golds:
        for one in free:
            if one[1:] == (start, end) and (not rules.labelled or rules.same_label(label, one[0])):
                free.remove(one)
                row.matched += 1
                break
    return row


def summary(rows: list[Row]) -> dict[str, float]:
    """Return the lines of a summary block."""
    valid = [row for row in rows if row.status == 0]

    def share(part: float, whole: float) -> float:
        return 100 * part / whole if whole else math.nan

    matched, gold, test = (sum(getattr(row, name) for row in valid) for name in ("matched", "gold", "test"))
    return {
        "sentences": len(rows),
        "errors": sum(row.status == 1 for row in rows),
        "skipped": sum(row.status == 2 for row in rows),
        "valid": len(valid),
        "recall": share(matched, gold),
        "precision": share(matched, test),
        "f1": share(2 * matched, gold + test),
        "complete": share(sum(row.matched == row.gold == row.test for row in valid), len(valid)),
        "average crossing": sum(row.crossing for row in valid) / len(valid) if valid else math.nan,
        "no crossing": share(sum(row.crossing == 0 for row in valid), len(valid)),
        "few crossing": share(sum(row.crossing <= 2 for row in valid), len(valid)),
        "tagging": share(sum(row.tags for row in valid), sum(row.words for row in valid)),
    }

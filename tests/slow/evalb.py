"""What evalb does to a pair of lines, told again from its rules.

It works on the text of the lines, as evalb does, and shares nothing with the package.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field


@dataclass
class Rules:
    delete: list[str] = field(default_factory=list)
    not_in_length: list[str] = field(default_factory=list)
    quotes: list[str] = field(default_factory=list)
    equal_labels: list[tuple[str, str]] = field(default_factory=list)
    equal_words: list[tuple[str, str]] = field(default_factory=list)
    labeled: bool = True
    cutoff: int = 40

    def same_label(self, a: str, b: str) -> bool:
        return a == b or (a, b) in self.equal_labels or (b, a) in self.equal_labels

    def same_word(self, a: str, b: str) -> bool:
        return a == b or (a, b) in self.equal_words or (b, a) in self.equal_words

    def text(self) -> str:
        lines = ["# made up", f"LABELED {int(self.labeled)}", f"CUTOFF_LEN {self.cutoff}"]
        lines += [f"DELETE_LABEL {label}" for label in self.delete]
        lines += [f"DELETE_LABEL_FOR_LENGTH {label}" for label in self.not_in_length]
        lines += [f"QUOTE_LABEL {label}" for label in self.quotes]
        lines += [f"EQ_LABEL {a} {b}" for a, b in self.equal_labels]
        lines += [f"EQ_WORD {a} {b}" for a, b in self.equal_words]
        return "\n".join(lines) + "\n"


@dataclass
class _Word:
    form: str
    tag: str
    deleted: bool
    copies: int  # 0 for a deleted word, more than 1 for a quote that was put back again and again


@dataclass
class _Line:
    words: list[_Word]
    spans: list[tuple[str, int, int | None]]  # label, first and last word, None if never closed; in the order they open

    def kept(self) -> list[_Word]:
        return [word for word in self.words for _ in range(word.copies)]

    def put_back(self) -> int:
        return sum(word.copies for word in self.words if word.deleted)


_SPACE = " \t\n\v\f\r"
_PIECE = re.compile(rf"\(([^{_SPACE}()]*)(?:[{_SPACE}]+([^{_SPACE}()]*)\))?|(\))")


def _read(line: str, rules: Rules) -> _Line:
    """Read a line; a word may be empty, as in ``(NP )``, and a bracket may be left open."""
    words: list[_Word] = []
    spans: list[tuple[str, int, int | None]] = []
    waiting: list[int] = []
    for found in _PIECE.finditer(line):
        opened, word, closed = found.groups()
        if closed:
            at = waiting.pop()
            spans[at] = (spans[at][0], spans[at][1], len(words))
        elif word is not None:
            gone = opened in rules.delete
            words.append(_Word(word, opened, gone, int(not gone)))
        else:
            waiting.append(len(spans))
            spans.append((opened, len(words), None))
    return _Line(words, spans)


def _brackets(line: _Line, rules: Rules) -> list[tuple[str, int, int]]:
    """Return the brackets that count; one that is never closed ends before the first word, and goes on with quotes."""
    left = []
    for label, first, last in line.spans:
        start = sum(word.copies for word in line.words[:first])
        end = line.put_back() - 1 if last is None else sum(word.copies for word in line.words[:last])
        label = re.split("[-=]", label)[0] if start != end else label
        if start != end and not any(rules.same_label(label, one) for one in rules.delete):
            left.append((label, start, end))
    return left


def _put_quotes_back(gold: _Line, test: _Line, rules: Rules) -> None:
    """Put a deleted quote back where the other side has a kept one at the same place; the same one again if it fits."""

    def quotes(line: _Line) -> list[int]:
        return [i for i, word in enumerate(line.words) if word.form in list("'\"/") and word.tag in rules.quotes]

    def place(line: _Line, i: int) -> int:
        own = line.words[i].copies if line.words[i].deleted else 0
        return sum(word.copies for word in line.words[:i]) + own

    for i in quotes(test):
        there = place(test, i)
        for j in quotes(gold):
            one, other = gold.words[j], test.words[i]
            if place(gold, j) != there or one.tag == other.tag:
                continue
            if one.deleted and not other.deleted:
                one.copies += 1
            elif other.deleted and not one.deleted:
                other.copies += 1


@dataclass
class Row:
    length: int
    status: int
    matched: int = 0
    gold: int = 0
    test: int = 0
    crossing: int = 0
    words: int = 0
    tags: int = 0


def compare(gold_line: str, test_line: str, rules: Rules) -> Row:
    """Compare two lines; one with a bracket left open is in error, and its row has numbers all the same."""
    gold, test = _read(gold_line, rules), _read(test_line, rules)
    row = Row(sum(word.tag not in rules.not_in_length for word in gold.words), 0)
    if not test.kept():
        row.status = 2
        return row
    if len(gold.kept()) != len(test.kept()):
        _put_quotes_back(gold, test, rules)
    pairs = list(zip(gold.kept(), test.kept(), strict=False))
    same_length = len(gold.kept()) == len(test.kept())
    if not same_length or not all(rules.same_word(g.form, t.form) for g, t in pairs):
        row.status = 1
        return row
    if any(last is None for *_, last in gold.spans + test.spans):
        row.status = 1
    golds, tests = _brackets(gold, rules), _brackets(test, rules)
    row.gold, row.test, row.words = len(golds), len(tests), len(pairs)
    row.tags = sum(rules.same_label(g.tag, t.tag) for g, t in pairs)
    row.crossing = sum(any(g[1] < t[1] < g[2] < t[2] or t[1] < g[1] < t[2] < g[2] for g in golds) for t in tests)
    free = list(tests)
    for label, start, end in golds:
        for one in free:
            if one[1:] == (start, end) and (not rules.labeled or rules.same_label(label, one[0])):
                free.remove(one)
                row.matched += 1
                break
    return row


def printed(gold_lines: list[str], test_lines: list[str], rules: Rules) -> str:
    """Print what evalb prints: a row for each pair of lines, and two summaries."""
    rows = [compare(g, t, rules) for g, t in zip(gold_lines, test_lines, strict=False)]  # it stops with the shorter
    text = "  Sent.                        Matched  Bracket   Cross        Correct Tag\n"
    text += " ID  Len.  Stat. Recal  Prec.  Bracket gold test Bracket Words  Tags Accracy\n"
    text += "=" * 76 + "\n"
    for number, row in enumerate(rows, start=1):
        recall = 100 * row.matched / row.gold if row.gold else 0
        precision = 100 * row.matched / row.test if row.test else 0
        tagging = 100 * row.tags / row.words if row.words else 0
        text += f"{number:4d}  {row.length:3d}    {row.status:d}  {recall:6.2f} {precision:6.2f}   {row.matched:3d}    "
        text += f"{row.gold:3d}  {row.test:3d}    {row.crossing:3d}   {row.words:4d}  {row.tags:4d}   {tagging:6.2f}\n"
    text += "=" * 76 + "\n"
    valid = [row for row in rows if row.status == 0]
    total = {name: sum(getattr(row, name) for row in valid) for name in vars(Row(0, 0))}
    all_rows = summary(rows)
    if total["gold"] and total["test"]:
        text += f"{'':16}{all_rows['recall']:6.2f} {all_rows['precision']:6.2f}"
        text += f" {total['matched']:6d} {total['gold']:5d} {total['test']:5d}  {total['crossing']:5d}"
    tagging = 100 * total["tags"] / total["words"] if total["words"] else 0
    text += f"  {total['words']:5d} {total['tags']:5d}   {tagging:6.2f}\n=== Summary ===\n"
    text += "\n-- All --\n" + _block(all_rows)
    return text + f"\n-- len<={rules.cutoff} --\n" + _block(summary([r for r in rows if r.length <= rules.cutoff]))


_NAMES = {
    "Number of sentence": "sentences",
    "Number of Error sentence": "errors",
    "Number of Skip  sentence": "skipped",
    "Number of Valid sentence": "valid",
    "Bracketing Recall": "recall",
    "Bracketing Precision": "precision",
    "Bracketing FMeasure": "f1",
    "Complete match": "complete",
    "Average crossing": "average crossing",
    "No crossing": "no crossing",
    "2 or less crossing": "few crossing",
    "Tagging accuracy": "tagging",
}


def _block(figures: dict[str, float]) -> str:
    lines = []
    for name, key in _NAMES.items():
        value = figures[key]
        if key == "f1":  # from the two figures above; only this one is not 0 where there is nothing
            above = [figures[one] if not math.isnan(figures[one]) else 0.0 for one in ("precision", "recall")]
            value = 2 * above[0] * above[1] / sum(above) if sum(above) else math.nan
        elif math.isnan(value):
            value = 0.0
        lines.append(f"{name:<25} = {value:6d}\n" if isinstance(value, int) else f"{name:<25} = {value:6.2f}\n")
    return "".join(lines)


def summary(rows: list[Row]) -> dict[str, float]:
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

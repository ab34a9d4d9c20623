"""Figures of two files under conventions of papers and programs, from the definition of each convention.

Conventions go by the ids that ``evaltools why`` gives them; nothing else is shared with the package.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean

from tests.slow import evalb

PUNCTUATION = {",", ".", ":", "``", "''"}
COLLINS = evalb.Rules(delete=["TOP", "-NONE-", *PUNCTUATION], not_in_length=["-NONE-"], equal_labels=[("ADVP", "PRT")])


@dataclass(frozen=True)
class Counts:
    """What a sentence adds to a figure."""

    matched: int
    gold: int
    test: int
    length: int  # Number of words of the gold sentence, also those that do not count
    is_parsed: bool = True
    is_same: bool = True  # Whether the words are those of gold

    @property
    def score(self) -> float:
        return 2 * self.matched / (self.gold + self.test)


def figure(sentences: Sequence[Counts], conventions: set[str]) -> float:
    """Return the F1 of some sentences, as a percentage."""
    for name, counts in (
        ("parsed", lambda sentence: sentence.is_parsed),
        ("same-words", lambda sentence: sentence.is_parsed and sentence.is_same),
        ("preset-collins", lambda sentence: sentence.is_parsed and sentence.is_same),
        ("max-40", lambda sentence: sentence.length <= 40),
        ("max-10", lambda sentence: sentence.length <= 10),
    ):
        if name in conventions:
            sentences = [sentence for sentence in sentences if counts(sentence)]
    sentences = [sentence for sentence in sentences if sentence.gold + sentence.test]
    if "macro" in conventions:
        return 100 * fmean(sentence.score for sentence in sentences)
    matched, brackets = (sum(column) for column in zip(*((s.matched, s.gold + s.test) for s in sentences), strict=True))
    return 100 * 2 * matched / brackets


# ------------------------------------------------------------------------------------------------------------ brackets


def constituency(gold: Path, parse: Path, conventions: set[str]) -> list[Counts]:
    """Count the brackets of trees, one a line, whose words are equal."""
    lines = list(zip(*(path.read_text("utf-8").splitlines() for path in (gold, parse)), strict=True))
    if "preset-collins" in conventions:
        deleted = ["ROOT"] if "no-root" in conventions else []
        rules = replace(COLLINS, delete=[*COLLINS.delete, *deleted])
        rows = [evalb.compare(*pair, rules) for pair in lines]
        return [Counts(row.matched, row.gold, row.test, row.length, True, row.status == 0) for row in rows]
    return [_bracket_counts(*pair, conventions) for pair in lines]


def _bracket_counts(gold_line: str, parse_line: str, conventions: set[str]) -> Counts:
    (gold_words, gold_spans), (words, spans) = _read(gold_line), _read(parse_line)
    assert not words or [word for _, word in words] == [word for _, word in gold_words]
    keeps_punctuation = "punctuation" in conventions
    kept = [keeps_punctuation or tag not in PUNCTUATION for tag, _ in gold_words]
    gold = _brackets(gold_words, gold_spans, kept, conventions)
    test = _brackets(words, spans, kept, conventions)
    return Counts((gold & test).total(), gold.total(), test.total(), len(gold_words), bool(words), bool(words))


def _read(line: str) -> tuple[list[tuple[str, str]], list[tuple[str, int, int]]]:
    """Return the words of a tree with their tags, and its phrases: label, first word, end."""
    words, spans, opened = list[tuple[str, str]](), list[tuple[str, int, int]](), list[tuple[str, int]]()
    for label, word, _ in re.findall(r"\(([^\s()]*)(?:\s+([^\s()]+)\))?|(\))", line.replace("(())", "")):
        if word:
            words.append((label, word))
        elif label:
            opened.append((label, len(words)))
        else:
            spans.append((*opened.pop(), len(words)))
    return words, spans


def _brackets(
    words: Sequence[tuple[str, str]], spans: Sequence[tuple[str, int, int]], kept: Sequence[bool], conventions: set[str]
) -> Counter[tuple[str, int, int]]:
    found = Counter[tuple[str, int, int]]()
    for label, first, end in spans:
        start, stop = sum(kept[:first]), sum(kept[:end])
        is_root = label == "ROOT" and "root" not in conventions
        if is_root or start == stop or ("multiword" in conventions and stop - start == 1):
            continue
        if "functions" not in conventions:
            label = re.split("[-=]", label)[0]
        label = "ADVP" if label == "PRT" and "prt" not in conventions else label
        found["" if "unlabeled" in conventions else label, start, stop] += 1
    if "tags" in conventions:
        found.update((tag, sum(kept[:i]), sum(kept[:i]) + 1) for i, (tag, _) in enumerate(words) if kept[i])
    return found


# -------------------------------------------------------------------------------------------------------- dependencies


def dependency(gold: Path, parse: Path, conventions: set[str]) -> list[Counts]:
    """Count the words of CoNLL-U sentences whose words are equal."""
    pairs = zip(_sentences(gold), _sentences(parse), strict=True)
    return [_word_counts(gold_rows, rows, conventions) for gold_rows, rows in pairs]


def _sentences(path: Path) -> list[list[list[str]]]:
    blocks = path.read_text("utf-8").strip().split("\n\n")
    rows = [[line.split("\t") for line in block.splitlines() if line[0] != "#"] for block in blocks]
    return [[row for row in block if row[0].isdecimal()] for block in rows]


def _word_counts(gold: Sequence[list[str]], parse: Sequence[list[str]], conventions: set[str]) -> Counts:
    assert [row[1] for row in gold] == [row[1] for row in parse]
    pairs = [(row, other) for row, other in zip(gold, parse, strict=True) if _counts(row, conventions)]
    right = sum(
        row[6] == other[6]
        and ("unlabeled" in conventions or _relation(row[7], conventions) == _relation(other[7], conventions))
        for row, other in pairs
    )
    return Counts(right, len(pairs), len(pairs), len(gold))


def _counts(row: Sequence[str], conventions: set[str]) -> bool:
    """Return whether a gold word counts."""
    if "no-punct" in conventions and row[3] == "PUNCT":
        return False
    if "no-punctuation" in conventions and all(unicodedata.category(sign)[0] == "P" for sign in row[1]):
        return False
    return not ("no-root" in conventions and row[6] == "0")


def _relation(relation: str, conventions: set[str]) -> str:
    return relation if "subtypes" in conventions else relation.split(":")[0]

"""Figures of two files under conventions of papers and programs, from the definition of each convention.

Conventions go by the ids that ``evaltools why`` gives them; nothing else is shared with the package, except the reader
of elementary dependency structures.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, permutations
from pathlib import Path
from statistics import fmean

import penman

from evaltools.formats import read_semantics
from evaltools.frameworks.semantics.edm_rules import load_edm_rules
from tests.slow import edm, evalb

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


@dataclass(frozen=True)
class _Word:
    place: tuple[int, int]  # Its characters in the text of the sentence, without spaces
    head: tuple[int, int] | None  # Those of its head
    row: Sequence[str]


def _word_counts(gold_rows: Sequence[Sequence[str]], rows: Sequence[Sequence[str]], conventions: set[str]) -> Counts:
    gold, test = (_words(side) for side in (gold_rows, rows))
    is_same = gold.keys() == test.keys()
    pairs = [(word, test[place]) for place, word in gold.items() if place in test and _counts(word.row, conventions)]
    right = sum(
        word.head == other.head
        and ("unlabeled" in conventions or _relation(word.row[7], conventions) == _relation(other.row[7], conventions))
        for word, other in pairs
    )
    if is_same or "aligned" in conventions:
        return Counts(right, len(pairs), len(pairs), len(gold), True, is_same)
    return Counts(right, len(gold), len(test), len(gold), True, is_same)


def _words(rows: Sequence[Sequence[str]]) -> dict[tuple[int, int], _Word]:
    ends = list(accumulate(len(row[1]) for row in rows))
    places = [(end - len(row[1]), end) for row, end in zip(rows, ends, strict=True)]
    heads = [places[int(row[6]) - 1] if row[6] != "0" else None for row in rows]
    return {place: _Word(place, head, row) for place, head, row in zip(places, heads, rows, strict=True)}


def _counts(row: Sequence[str], conventions: set[str]) -> bool:
    """Return whether a gold word counts."""
    if "no-punct" in conventions and row[3] == "PUNCT":
        return False
    if "no-ptb" in conventions and row[4] in PUNCTUATION:
        return False
    if "no-punctuation" in conventions and all(unicodedata.category(sign)[0] == "P" for sign in row[1]):
        return False
    return not ("no-root" in conventions and row[6] == "0")


def _relation(relation: str, conventions: set[str]) -> str:
    return relation if "subtypes" in conventions else relation.split(":")[0]


# -------------------------------------------------------------------------------------------------------------- graphs


def amr(gold: Path, parse: Path, conventions: set[str]) -> list[Counts]:
    """Count the triples of AMRs, and those that are equal under the best mapping of all."""
    golds, parses = (
        {graph.metadata.get("id", index): graph for index, graph in enumerate(penman.load(path))}
        for path in (gold, parse)
    )
    return [_triple_counts(graph, parses.get(name), conventions) for name, graph in golds.items()]


def _triple_counts(gold: penman.Graph, parse: penman.Graph | None, conventions: set[str]) -> Counts:
    ours = _triples(gold, conventions)
    if parse is None:
        return Counts(0, ours.total(), 0, 0, False, False)
    theirs = _triples(parse, conventions)
    nodes, partners = sorted(gold.variables()), sorted(parse.variables())
    mappings = permutations([*partners, *[""] * len(nodes)], len(nodes)) if len(nodes) > len(partners) else None
    best = 0
    for chosen in mappings or permutations(partners, len(nodes)):
        names = dict(zip(nodes, chosen, strict=True))
        matched = 0
        for (source, role, target), n in ours.items():
            m = theirs[names[source], role, names[target] if isinstance(target, str) else target]
            matched += n * m if "repeats-multiply" in conventions else min(n, m)
        best = max(best, matched)
    return Counts(best, ours.total(), theirs.total(), 0)


def _triples(graph: penman.Graph, conventions: set[str]) -> Counter[tuple[str, str, str | tuple[str]]]:
    """Return the triples of a graph; a target that is no node stands in brackets."""
    nodes = graph.variables()
    found = Counter((a, role, b if b in nodes and role != ":instance" else (b,)) for a, role, b in graph.triples)
    if "once" in conventions:
        found = Counter(set(found))
    concept = next(target for source, _, target in graph.instances() if source == graph.top)
    if "no-top" not in conventions:
        found[graph.top, "top", (concept if "top-concept" in conventions else "top",)] += 1
    return found


def eds(gold: Path, parse: Path, conventions: set[str]) -> list[Counts]:
    """Count the triples of elementary dependency structures that the paper counts."""
    golds, parses = ({item.id: item.graph for item in read_semantics(path).items} for path in (gold, parse))
    rules = replace(load_edm_rules("dridan-oepen-2011"), spans="trimmed" if "trimmed" in conventions else "exact")
    found = []
    for name, graph in golds.items():
        counts = edm.counts(graph, parses.get(name), rules)
        sums = [int(sum(counts[f"edm_{letter}_{what}"] for letter in "napct")) for what in ("matched", "gold", "test")]
        found.append(Counts(*sums, 0))
    return found

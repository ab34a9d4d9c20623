"""Columns of the words of two trees: equal words by position, others as they are aligned."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import pairwise

from evaltools.corpus import Kind, Tree
from evaltools.frameworks.common.lineages import WordComparison
from evaltools.frameworks.constituency.aligned_trees import Alignment, Mapping, WordLink
from evaltools.marks import Status

SCOPES = {"roof": "brackets", "whole": "brackets and tags", "t": "nodes (brackets, tags and words)"}
"""Names of what E counts over the roof and over the whole tree, and of what T counts."""


def aligns_words(alignment: Alignment) -> bool:
    """Return whether the words of the two trees differ and were aligned; presets like evalb's do not align them."""
    return alignment.status == "words_differ" and bool(alignment.words)


def placed_links(alignment: Alignment) -> tuple[WordLink, ...]:
    """Return the links between words that the preset keeps in both trees, by their positions there, in order."""
    links = []
    for link in alignment.links:
        gold, test = alignment.gold_words[link.gold].position, alignment.test_words[link.test].position
        if gold is not None and test is not None:
            links.append(replace(link, gold=gold, test=test))
    return tuple(sorted(links, key=lambda link: (link.gold, link.test)))


def link_of(alignment: Alignment, word: WordComparison) -> WordLink | None:
    """Return the link of a gold word to its partner; None if the words are equal or it has no partner."""
    for link in alignment.links:
        ends = alignment.gold_words[link.gold].position, alignment.test_words[link.test].position
        if word.test_position is not None and ends == (word.position, word.test_position):
            return link
    return None


def word_columns(alignment: Alignment) -> tuple[tuple[int, int], ...]:
    """Return the shared columns as positions in the gold tree and in the test tree, from first to last."""
    # Equal sentences are paired position by position. Otherwise aligned words share columns; the words between them are
    # paired by the T-mapping, and the remaining ones in order.
    gold, test = alignment.gold, alignment.test
    if gold.words == test.words and not aligns_words(alignment):
        return tuple((position, position) for position in range(len(gold.words)))
    links = placed_links(alignment)
    mapped = sorted(
        (gold.first(g), test.first(t))
        for g, t in alignment.t.pairs
        if gold.kinds[g] is Kind.WORD and test.kinds[t] is Kind.WORD
    )
    ends = [(-1, -1), *((link.gold, link.test) for link in links), (len(gold.words), len(test.words))]
    columns = [(link.gold, link.test) for link in links]
    for (g0, t0), (g1, t1) in pairwise(ends):
        near = mapped[bisect_right(mapped, (g0, len(test.words))) : bisect_left(mapped, (g1, -1))]
        inside = [(g, t) for g, t in near if t0 < t < t1]
        columns += _between(gold, test, range(g0 + 1, g1), range(t0 + 1, t1), inside)
    return tuple(sorted(columns))


def _between(
    gold: Tree, test: Tree, upper: range, lower: range, mapped: Iterable[tuple[int, int]]
) -> Iterable[tuple[int, int]]:
    """Pair words of two spans without links: mapped ones, then equal ones and those that replace each other."""
    after = (upper.start, lower.start)
    for here in [*mapped, (upper.stop, lower.stop)]:
        if here[0] < after[0] or here[1] < after[1]:
            continue
        matcher = SequenceMatcher(a=gold.words[after[0] : here[0]], b=test.words[after[1] : here[1]], autojunk=False)
        for operation, *borders in matcher.get_opcodes():
            if operation in ("equal", "replace"):
                gold_words = range(after[0] + borders[0], after[0] + borders[1])
                test_words = range(after[1] + borders[2], after[1] + borders[3])
                yield from zip(gold_words, test_words, strict=False)
        if here[0] < upper.stop and here[1] < lower.stop:
            yield here
        after = (here[0] + 1, here[1] + 1)


def one_to_one(columns: Sequence[tuple[int, int]]) -> dict[int, int]:
    """Return the gold word and the test word of the columns whose words have no further column."""
    golds, tests = (Counter(column[side] for column in columns) for side in (0, 1))
    return {gold: test for gold, test in columns if golds[gold] == tests[test] == 1}


def drawn_mapping(alignment: Alignment, kind: str) -> Mapping:
    """Return a mapping as it is drawn."""
    # If words were aligned, a linked word is right in the E-mapping and needs no step, any other is missing or
    # spurious. The T-mapping has its own pairs of words.
    mapping = alignment.mapping(kind)
    if kind != "e" or not aligns_words(alignment):
        return mapping
    links = placed_links(alignment)
    statuses = []
    for tree, before, linked, unlinked in (
        (alignment.gold, mapping.gold_status, {link.gold for link in links}, Status.MISSING),
        (alignment.test, mapping.test_status, {link.test for link in links}, Status.SPURIOUS),
    ):
        after = list(before)
        for position, node in enumerate(tree.word_nodes):
            after[node] = Status.RIGHT if position in linked else unlinked
        statuses.append(tuple(after))
    words = {
        alignment.gold.word_nodes[g]: alignment.test.word_nodes[t]
        for g, t in one_to_one([(link.gold, link.test) for link in links]).items()
    }
    pairs = {g: t for g, t in mapping.pairs if alignment.gold.kinds[g] is not Kind.WORD} | words
    steps = tuple(
        step
        for step in mapping.steps
        if (step.gold is None or statuses[0][step.gold] is not Status.RIGHT)
        and (step.test is None or statuses[1][step.test] is not Status.RIGHT)
    )
    return replace(
        mapping,
        gold_status=statuses[0],
        test_status=statuses[1],
        pairs=tuple(sorted(pairs.items())),
        steps=steps,
    )


def mapping_counts(alignment: Alignment, kind: str, part: str = "roof") -> tuple[str, dict[Status, int]]:
    """Count the statuses of a mapping."""
    if kind == "e":
        gold, test, matched = (int(alignment.counts[f"e_{name}_{part}"]) for name in ("gold", "test", "matched"))
        losses = {Status.MISSING: gold - matched, Status.SPURIOUS: test - matched}
        return SCOPES[part], losses | {Status.RIGHT: matched}
    mapping = alignment.t
    lost, extra = (
        sum(partner is None and status is not Status.RIGHT for status, partner in zip(*side, strict=True))
        for side in ((mapping.gold_status, mapping.gold_partner), (mapping.test_status, mapping.test_partner))
    )
    return SCOPES["t"], {
        Status.MISSING: lost,
        Status.SPURIOUS: extra,
        Status.RELABELED: mapping.number(Status.RELABELED),
        Status.RIGHT: mapping.number(Status.RIGHT),
    }


def differing_tags(alignment: Alignment) -> tuple[int, int]:
    """Return how many tags of the gold tree, and how many of the test tree, the E-mapping does not match."""
    mapping = alignment.mapping("e")
    lost, extra = (
        sum(
            kind is Kind.PRETERMINAL and status is not Status.RIGHT
            for kind, status in zip(tree.kinds, statuses, strict=True)
        )
        for tree, statuses in ((alignment.gold, mapping.gold_status), (alignment.test, mapping.test_status))
    )
    return lost, extra

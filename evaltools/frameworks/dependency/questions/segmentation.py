"""Errors of tokens and sentences: what a parser merged and split, and the words that it cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from evaltools.corpus import Dependencies
from evaltools.corpus.resegmented import BEGINS, ELSEWHERE, Resegmented, segmented_tree
from evaltools.frameworks.common.word_groups import FIGURES
from evaltools.frameworks.dependency.aligned_arcs import DependencyAlignment
from evaltools.frameworks.dependency.hotspot_words import gold_of_part, in_order
from evaltools.frameworks.groups import Column, GroupBy, Line, Options, Part
from evaltools.frameworks.stored import alignments_of

__all__ = ["Segmentations", "segmentation_errors"]

MERGED, SPLIT, ELSEWHERE_DIVIDED, OTHER_WORDS = "words merged", "word split", "divided elsewhere", "other words"
SENTENCE_SPLIT, SENTENCES_MERGED = "sentence split", "sentences merged"
_NO_WORD = "(none)"


class _Error(NamedTuple):
    kind: str
    gold: str
    test: str
    start: int  # The gold words that are marked
    end: int
    cost: int  # Gold words that cannot be right in LAS because of it


def segmentation_errors(alignment: DependencyAlignment) -> list[_Error]:
    """Return what differs in the words and in the bounds of a sentence."""
    if not len(alignment.test):
        return []
    return [*_word_errors(alignment), *_sentence_errors(alignment)]


def _word_errors(alignment: DependencyAlignment) -> Iterator[_Error]:
    """Yield the stretches of gold words and test words without an aligned word, between two that have one."""
    gold, test, partner = alignment.gold, alignment.test, alignment.partner
    aligned = [(word, at) for word, at in enumerate(partner) if at is not None]
    anchors = [(-1, -1), *aligned, (len(gold), len(test))]
    for (word, at), (next_word, next_at) in pairwise(anchors):
        own = range(word + 1, next_word)
        others = [index for index in range(at + 1, next_at) if alignment.test_status[index] is not None]
        for words, test_words in _blocks(alignment, list(own), others):
            texts = [gold.forms[index] for index in words], [test.forms[index] for index in test_words]
            kind = OTHER_WORDS
            if "".join(texts[0]) == "".join(texts[1]):
                kind = MERGED if len(test_words) == 1 else SPLIT if len(words) == 1 else ELSEWHERE_DIVIDED
            below = sum(gold.heads[index] in words for index, _ in aligned)
            start = min(words[0] if words else next_word, len(gold) - 1)
            gold_text, test_text = (" ".join(forms) or _NO_WORD for forms in texts)
            yield _Error(kind, gold_text, test_text, start, start + max(len(words), 1), len(words) + below)


def _blocks(alignment: DependencyAlignment, own: list[int], others: list[int]) -> Iterator[tuple[list[int], list[int]]]:
    """Yield stretches of words without an aligned word: those with the same characters, or all if there are others."""
    forms, test_forms = alignment.gold.forms, alignment.test.forms
    if "".join(forms[index] for index in own) != "".join(test_forms[index] for index in others):
        yield own, others
        return
    words: list[int] = []
    test_words: list[int] = []
    ahead = 0  # How many characters the gold words have more
    for _ in range(len(own) + len(others)):
        if ahead <= 0 and len(own):
            words.append(own.pop(0))
            ahead += len(forms[words[-1]])
        else:
            test_words.append(others.pop(0))
            ahead -= len(test_forms[test_words[-1]])
        if not ahead:
            yield words, test_words
            words, test_words = [], []


def _sentence_errors(alignment: DependencyAlignment) -> Iterator[_Error]:
    """Yield that the parser divides the sentence, or has words of another one in it."""
    gold, test, partner = alignment.gold, alignment.test, alignment.partner
    corpus = segmented_tree(test, Dependencies.from_trees([test]))
    if not isinstance(corpus, Resegmented):
        return
    flags, gold_word = corpus.segmentation.flags, corpus.segmentation.gold_word
    piece = np.cumsum((flags & BEGINS) > 0).tolist()
    elsewhere = (gold_word == ELSEWHERE).tolist()
    pieces = {piece[at] for at in range(len(test)) if not elsewhere[at]}
    pairs = [(word, at) for word, at in enumerate(partner) if at is not None]
    # words whose gold head has no aligned word are lost already
    heads = {word: partner[gold.heads[word]] if gold.heads[word] >= 0 else -1 for word, _ in pairs}
    apart = {word for word, at in pairs if (head := heads[word]) is not None and head >= 0 and piece[head] != piece[at]}
    if len(pieces) > 1:
        starts = [word for (_, before), (word, at) in pairwise(pairs) if piece[before] != piece[at]]
        start = starts[0] if starts else 0
        yield _Error(SENTENCE_SPLIT, "1 sentence", f"{len(pieces)} sentences", start, start + 1, len(apart))
    if any(elsewhere):
        kept = [(word, test.heads[at]) for word, at in pairs if word not in apart and heads[word] is not None]
        outside = sum(head >= 0 and elsewhere[head] for _, head in kept)
        first = elsewhere[0]
        start = 0 if first else max(len(gold) - 1, 0)
        sides = "the sentence before" if first else "the next sentence"
        if first and elsewhere[-1]:
            sides = "both neighboring sentences"
        yield _Error(SENTENCES_MERGED, "1 sentence", f"with words of {sides}", start, start + 1, outside)


def _part_errors(part: Part, parser: str) -> pd.DataFrame:
    # a sentence that is divided elsewhere has a comment that says how
    query = (
        "select sentence from sentences where parser = ? and sentence <= ? and status = 'words_differ' "
        "union select sentence from trees where parser = ? and sentence <= ? and contains(tree, '# aligned = ') "
        "order by 1"
    )
    numbers = part.run.query(query, [parser, part.size] * 2)["sentence"].tolist()
    found = [
        (number, *error)
        for number, alignment in alignments_of(part.run, parser, tuple(numbers)).items()
        for error in segmentation_errors(alignment)
    ]
    return pd.DataFrame(found, columns=["sentence", *_Error._fields])


class Segmentations(GroupBy):
    """Tokens and sentences that are divided elsewhere."""

    id = "segmentation"
    title = "Tokens and sentences"
    description = (
        "Words and sentences that the parser merged or split. Lost words cannot be right in LAS: those without an "
        "aligned word and those attached to them; of sentences, words whose gold head is in another sentence of the "
        "parser, or that the parser attaches to a word of another gold sentence."
    )
    keys = ("kind", "gold", "test")
    main = "cost"
    unit = "lost words"
    whole = "lost words"
    marks_words = True

    def rows(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return what was merged and split, the costliest first."""
        errors = part.cached(_part_errors, parser)
        groups = errors.groupby(list(self.keys), sort=False)
        figures = groups.agg(count=("cost", "size"), cost=("cost", "sum"), sentences=("sentence", "nunique"))
        rows = figures.reset_index().sort_values(
            ["cost", "count", *self.keys], ascending=[False, False, True, True, True], ignore_index=True
        )
        return rows.assign(share=rows["cost"] / max(int(rows["cost"].sum()), 1))

    def errors(
        self, part: Part, parser: str, options: Options, row: Mapping[str, Any], other: str = ""
    ) -> pd.DataFrame:
        """Return the places."""
        errors = part.cached(_part_errors, parser)
        chosen = errors[np.logical_and.reduce([errors[key] == row[key] for key in self.keys])]
        remarks = [f"{kind}: {gold} → {test}" for kind, gold, test in chosen[list(self.keys)].itertuples(index=False)]
        return in_order(chosen[["sentence", "start", "end", "cost"]].assign(remark=remarks))

    def lines(self, part: Part, sentences: Sequence[int], errors: pd.DataFrame) -> list[Line]:
        """Return sentences with the words that are marked in them."""
        return part.cached(gold_of_part)[2].lines(sentences, errors)

    def by_sentence(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return the lost words of each error."""
        errors = part.cached(_part_errors, parser)
        return errors[[*self.keys, "sentence"]].assign(value=errors["cost"])

    def columns(self, options: Options) -> tuple[Column, ...]:
        """Return what was merged and split, and its figures."""
        return (
            Column("kind", "What", "text", width=140),
            Column("gold", "Gold", "text", width=110),
            Column("test", "Parser", "text", width=110),
            Column("cost", "Lost words", help="gold words that cannot be right in LAS because of it"),
            Column("share", "Share", "percent", help="of all lost words", width=62),
            Column("count", "Errors"),
            FIGURES["sentences"],
        )

    def describe(self, row: pd.Series[Any]) -> str:
        """Return what a row is called in a sentence."""
        return f"{row['kind']}: {row['gold']} → {row['test']}"

    def heading(self, row: pd.Series[Any]) -> str:
        """Return what a row is called above its sentences."""
        return self.describe(row)

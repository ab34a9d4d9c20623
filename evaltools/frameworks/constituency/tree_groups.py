"""What the questions about constituency trees share: the gold words, and errors as spans of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from evaltools.corpus import Kind
from evaltools.frameworks.common.gold_words import GoldWords
from evaltools.frameworks.constituency.errors.features import word_features
from evaltools.frameworks.constituency.errors.run_trees import gold_trees
from evaltools.frameworks.groups import GroupBy, Line, Part

__all__ = ["TreeGroups", "gold_words"]


def gold_words(part: Part) -> tuple[pd.DataFrame, GoldWords]:
    """Return the gold words of the first sentences: their features, and their forms."""
    normalized = gold_trees(part.run, part.size)
    gold = normalized.read
    forms = np.array(gold.vocabulary.words.strings(), dtype=object)[gold.label[gold.kind == Kind.WORD]]
    return word_features(normalized), GoldWords.of(forms, gold.n_words, normalized.dropped)


def _bracket_errors(part: Part, parser: str) -> dict[int, int]:
    rows = part.run.query(
        "select sentence, count(*) as n from brackets where parser = ? and sentence <= ? "
        "and e_status in ('deleted', 'inserted') and 'phrase' in (gold_kind, test_kind) group by sentence",
        [parser, part.size],
    )
    return dict(zip(rows["sentence"].tolist(), rows["n"].tolist(), strict=True))


class TreeGroups(GroupBy):
    """Groups whose errors are spans of the words that the preset leaves."""

    def lines(self, part: Part, sentences: Sequence[int], places: pd.DataFrame) -> list[Line]:
        """Return sentences with the words of their errors."""
        return part.cached(gold_words)[1].lines(sentences, places)

    def errors_of_sentences(self, part: Part, parser: str) -> Mapping[int, int]:
        """Return the number of missing and spurious brackets of a parser in each sentence."""
        return part.cached(_bracket_errors, parser)

"""What the questions about constituency trees share: the gold words, and errors as spans of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from evaltools.alignments.marked import MarkedBracket, MarkedSentence, Repair
from evaltools.corpus import Kind, Span
from evaltools.drawing.blocks import Drawing
from evaltools.frameworks.common.gold_words import GoldWords
from evaltools.frameworks.constituency.errors.error_types import RULES, bundled_rules
from evaltools.frameworks.constituency.errors.features import word_features
from evaltools.frameworks.constituency.errors.marked import marked_sentence
from evaltools.frameworks.constituency.errors.run_trees import gold_trees
from evaltools.frameworks.groups import Example, GroupBy, Line, Options, Part
from evaltools.frameworks.stored import trees_of

__all__ = ["TreeGroups", "gold_words", "repair_of"]


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


def _marked_sentences(part: Part, parser: str, sentences: tuple[int, ...], rules: str) -> dict[int, MarkedSentence]:
    """Return the marked sentences of a parser; their trees are read together."""
    run, stored = part.run, part.run.framework.stored
    sides = [
        {number: stored.read_tree(text, notation) for number, text in trees.items() if text is not None}
        for trees, notation in (trees_of(run, name, sentences) for name in (None, parser))
    ]
    alignments: dict[int, Any] = {
        number: stored.align(run, sides[0].get(number), sides[1].get(number)) for number in sentences
    }
    return {number: marked_sentence(item, bundled_rules(rules)) for number, item in alignments.items()}


def repair_of(sentence: MarkedSentence, error: Mapping[str, Any], *, is_within: bool = False) -> Repair | None:
    """Return the repair of an error: that of its step, else that of the nearest bracket that differs.

    Parameters
    ----------
    sentence
        The sentence with its repairs.
    error
        ``start`` and ``end`` of its words; if known, ``step`` of the repair, or ``label``, ``gold`` or ``test``, labels
        of its brackets.
    is_within
        Whether the cause is within the words, not around them, if no bracket over these words differs.
    """
    if "step" in error:
        return next((repair for repair in sentence.repairs if repair.step == error["step"]), None)
    span = Span(int(error["start"]), int(error["end"]))
    differing = [bracket for bracket in sentence.brackets if bracket.repairs]
    over = [bracket for bracket in differing if bracket.span == span]
    labels = {error.get(name) for name in ("label", "gold", "test")}
    named = [bracket for bracket in over if bracket.label in labels]
    moved = [repair.number for repair in sentence.repairs if repair.moved == span]
    inner = [item for item in differing if span.start <= item.span.start and item.span.end <= span.end]
    outer = [item for item in differing if item.span.start <= span.start and span.end <= item.span.end]

    def length(bracket: MarkedBracket) -> int:
        return bracket.span.end - bracket.span.start

    near = sorted(inner, key=length, reverse=True) if is_within else sorted(outer, key=length)
    numbers = [*(item.repairs[0] for item in named), *moved, *(item.repairs[0] for item in (*over, *near))]
    return sentence.repairs[numbers[0] - 1] if numbers else None


class TreeGroups(GroupBy):
    """Groups whose errors are spans of the words that the preset leaves."""

    errors_within: ClassVar[bool] = False
    """Whether an error is caused by brackets within its words, not around them."""

    def lines(self, part: Part, sentences: Sequence[int], places: pd.DataFrame) -> list[Line]:
        """Return sentences with the words of their errors."""
        return part.cached(gold_words)[1].lines(sentences, places)

    def errors_of_sentences(self, part: Part, parser: str) -> Mapping[int, int]:
        """Return the number of missing and spurious brackets of a parser in each sentence."""
        return part.cached(_bracket_errors, parser)

    def pictured(
        self, part: Part, parser: str, options: Options, sentences: Sequence[int], errors: pd.DataFrame
    ) -> Mapping[int, Example]:
        """Return the first error of some sentences: the repair in words, and the words around it with its brackets."""
        rules = str(options.get(RULES.name, RULES.default))
        marked = part.cached(_marked_sentences, parser, tuple(sentences), rules)
        first = errors[errors["sentence"].isin(sentences)].drop_duplicates("sentence")
        examples = {}
        for row in first.to_dict("records"):
            error = {str(name): value for name, value in row.items()}
            sentence = marked[error["sentence"]]
            repair = repair_of(sentence, error, is_within=self.errors_within)
            if repair is None:
                continue
            remark = "" if "step" in error else error["remark"]  # of a step the same in other words
            text = f"{remark}: " if remark else ""
            shape = {"focus": repair.number, "shorten": True, "height": 0, "test_name": parser}
            drawing = Drawing(sentence, options=shape)
            examples[int(error["sentence"])] = Example(f"{text}{repair.phrase} {repair.verdict}", drawing)
        return examples

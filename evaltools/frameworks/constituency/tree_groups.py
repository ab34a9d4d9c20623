"""What the questions about constituency trees share: the gold words, and errors as spans of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from evaltools.corpus import Span
from evaltools.corpus.stretches import gap_spans
from evaltools.drawing.blocks import Drawing
from evaltools.frameworks.common.gold_words import GoldWords
from evaltools.frameworks.constituency.errors.bracket_errors import BRACKET_STATUS
from evaltools.frameworks.constituency.errors.error_types import RULES, bundled_rules
from evaltools.frameworks.constituency.errors.features import word_features
from evaltools.frameworks.constituency.errors.marked import marked_sentence
from evaltools.frameworks.constituency.errors.run_trees import gold_trees
from evaltools.frameworks.constituency.rules import Normalized
from evaltools.frameworks.groups import Column, Example, GroupBy, Line, Options, Part
from evaltools.frameworks.stored import alignments_of
from evaltools.marks import MarkedBracket, MarkedSentence, Repair
from evaltools.text import join_stretches

__all__ = [
    "BRACKETS",
    "SHARE",
    "TreeGroups",
    "gold_features",
    "gold_words",
    "is_over",
    "marked_sentences",
    "n_wrong_brackets",
    "repair_of",
]

BRACKETS = Column("brackets", "Brackets", help="missing and spurious brackets", width=68)
SHARE = Column("share", "Share", "percent", help="of all missing and spurious brackets of the parser", width=58)
"""The unit of cost of all questions about constituency trees."""

_MAX_QUOTED = 30
"""Maximum number of characters of a quoted bracket."""


def _gold(part: Part) -> Normalized:
    return gold_trees(part.run, part.size)


def gold_features(part: Part) -> pd.DataFrame:
    """Return the features of the gold words of the first sentences."""
    return word_features(part.cached(_gold))


def gold_words(part: Part) -> GoldWords:
    """Return the gold words of the first sentences."""
    normalized = part.cached(_gold)
    gold = normalized.read
    forms = np.array(gold.vocabulary.words.strings(), dtype=object)[gold.label[gold.word_nodes]]
    return GoldWords.of(forms, gold.n_words, normalized.dropped)


def _bracket_errors(part: Part, parser: str) -> dict[int, int]:
    rows = part.run.query(
        "select sentence, count(*) as n from brackets b join sentences s using (parser, sentence) "
        "where parser = ? and sentence <= ? and s.status = 'ok' "
        f"and {BRACKET_STATUS} is not null group by sentence",
        [parser, part.size],
    )
    return dict(zip(rows["sentence"].tolist(), rows["n"].tolist(), strict=True))


def n_wrong_brackets(part: Part, parser: str) -> int:
    """Return the number of missing and spurious brackets of a parser."""
    return sum(part.cached(_bracket_errors, parser).values())


def marked_sentences(part: Part, parser: str, sentences: tuple[int, ...], rules: str) -> dict[int, MarkedSentence]:
    """Return the marked sentences of a parser."""
    alignments = alignments_of(part.run, parser, sentences)
    return {number: marked_sentence(item, bundled_rules(rules)) for number, item in alignments.items()}


def is_over(bracket: MarkedBracket, error: Mapping[Any, Any]) -> bool:
    """Return whether a bracket is over the words of an error."""
    return _words_of(error) == (bracket.span, bracket.gaps)


def _words_of(error: Mapping[Any, Any]) -> tuple[Span, tuple[Span, ...]]:
    return Span(int(error["start"]), int(error["end"])), gap_spans(str(error.get("gaps") or ""))


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
    if _has_step(error):
        return next((repair for repair in sentence.repairs if repair.step == error["step"]), None)
    span, gaps = _words_of(error)
    differing = [bracket for bracket in sentence.brackets if bracket.repairs]
    over = [bracket for bracket in differing if is_over(bracket, error)]
    labels = {error.get(name) for name in ("label", "gold", "test")}
    named = [bracket for bracket in over if bracket.label in labels]
    moved = [repair.number for repair in sentence.repairs if (repair.moved, repair.moved_gaps) == (span, gaps)]
    inner = [item for item in differing if span.start <= item.span.start and item.span.end <= span.end]
    outer = [item for item in differing if item.span.start <= span.start and span.end <= item.span.end]

    def length(bracket: MarkedBracket) -> int:
        return bracket.span.end - bracket.span.start

    near = sorted(inner, key=length, reverse=True) if is_within else sorted(outer, key=length)
    numbers = [*(item.repairs[0] for item in named), *moved, *(item.repairs[0] for item in (*over, *near))]
    return sentence.repairs[numbers[0] - 1] if numbers else None


class TreeGroups(GroupBy):
    """Groups whose errors are spans of the words that the preset leaves, counted in wrong brackets."""

    main = "brackets"
    unit = "brackets"
    whole = "wrong brackets"
    verb = "loses most"
    legend: ClassVar[tuple[tuple[str, str], ...]] = (
        ("moved", "moved: the phrase, ↑ where it belongs, × where it is"),
        ("missing", "missing bracket"),
        ("spurious", "spurious bracket"),
        ("relabeled", "label"),
    )
    errors_within: ClassVar[bool] = False
    """Whether an error is caused by brackets within its words, not around them."""

    def lines(self, part: Part, sentences: Sequence[int], places: pd.DataFrame) -> list[Line]:
        """Return sentences with the words of their errors."""
        return part.cached(gold_words).lines(sentences, places)

    def errors_of_sentences(self, part: Part, parser: str) -> Mapping[int, int]:
        """Return the number of missing and spurious brackets of a parser in each sentence."""
        return part.cached(_bracket_errors, parser)

    def pictured(
        self, part: Part, parser: str, options: Options, sentences: Sequence[int], errors: pd.DataFrame
    ) -> Mapping[int, Example]:
        """Return the first error of some sentences: the repair in words, and the words around it with its brackets."""
        rules = str(options.get(RULES.name, RULES.default))
        marked = part.cached(marked_sentences, parser, tuple(sentences), rules)
        first = errors[errors["sentence"].isin(sentences)].drop_duplicates("sentence")
        examples = {}
        for row in first.to_dict("records"):
            error = {str(name): value for name, value in row.items()}
            sentence = marked.get(error["sentence"])
            repair = None if sentence is None else repair_of(sentence, error, is_within=self.errors_within)
            if sentence is not None and sentence.unrepaired:
                if (own := _own_bracket(sentence, error)) is not None:
                    examples[int(error["sentence"])] = _unrepaired_example(sentence, own, parser)
                continue
            if sentence is None or repair is None:
                continue
            text = f"{repair.phrase} {repair.verdict}"
            if "type" in error and repair.reason:
                text += f" ({repair.type}: {repair.reason})"
            own = None if _has_step(error) else _own_bracket(sentence, error)
            if own is not None:
                sentence = replace(sentence, brackets=tuple(_stressed(item, own) for item in sentence.brackets))
                text = _with_own(text, own, sentence, repair)
            shape = {"focus": repair.number, "shorten": True, "numbered": False, "height": 0, "test_name": parser}
            examples[int(error["sentence"])] = Example(text, Drawing(sentence, options=shape))
        return examples


def _has_step(error: Mapping[str, Any]) -> bool:
    step = error.get("step")
    return step is not None and step == step


def _own_bracket(sentence: MarkedSentence, error: Mapping[str, Any]) -> MarkedBracket | None:
    """Return the wrong bracket that is the error, if it is one."""
    labels = [error.get(name) for name in ("label", "gold", "test")]
    wrong = (item for item in sentence.brackets if item.status != "right")
    return next((item for item in wrong if is_over(item, error) and item.label in labels), None)


def _stressed(bracket: MarkedBracket, own: MarkedBracket) -> MarkedBracket:
    return replace(bracket, follows=False) if bracket == own else bracket


def _with_own(text: str, own: MarkedBracket, sentence: MarkedSentence, repair: Repair) -> str:
    """Name the bracket of an error before its repair, if the repair does not tell it already."""
    return text if repair.moved is None else f"{_told_bracket(own, sentence)}: {text}"


def _told_bracket(bracket: MarkedBracket, sentence: MarkedSentence) -> str:
    forms = [word.form for word in sentence.words if word.position is not None]
    words = join_stretches(forms, bracket.stretches, _MAX_QUOTED)
    return f"{'missing' if bracket.side == 'gold' else 'spurious'} {bracket.label} “{words}”"


def _unrepaired_example(sentence: MarkedSentence, own: MarkedBracket, parser: str) -> Example:
    """Return a wrong bracket of a sentence without repairs."""
    drawn = replace(sentence, brackets=(own,), tags=(), right=())
    shape = {"shorten": True, "numbered": False, "height": 0, "test_name": parser}
    return Example(_told_bracket(own, sentence), Drawing(drawn, options=shape))

"""The errors of a parser's trees: a row each step of the repair of a sentence, made when it is scored."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import numpy as np

from evaltools.corpus import Span
from evaltools.corpus.stretches import gap_text, stretches_without
from evaltools.frameworks.common.columns import Rows, text_column
from evaltools.frameworks.common.tables import errors_table
from evaltools.frameworks.constituency.aligned_trees import Edit, Edits, Operation
from evaltools.frameworks.constituency.bracketing import n_wrong_phrases
from evaltools.frameworks.constituency.error_types import WIDE, RuleSet, TypedStep, bundled_rules
from evaltools.frameworks.constituency.normalization import Pair, TreeComparison, word_offsets
from evaltools.frameworks.constituency.repair import RepairCounts, RepairStep, in_sentence
from evaltools.frameworks.passes import Passes

if TYPE_CHECKING:
    from evaltools.runs.store import Run

REPAIR = "repair"
"""The kind of the errors: steps of repairs. A sentence with wrong brackets and no repair is one error without type."""

UNORDERED = "in no order of their words are the constituents of both trees continuous"
TOO_LONG = "they are too long and too different to search a repair"
"""Why sentences have no repairs."""


class Error(NamedTuple):
    """A step of a repair."""

    sentence: int  # Counted from 0
    typed: TypedStep
    span: Span  # The words that it is about: those that are attached elsewhere, or those of the bracket
    gaps: tuple[Span, ...]
    text: str


def typed_errors(pair: Pair, repairs: Iterable[tuple[int, Sequence[RepairStep]]], rules: RuleSet) -> Iterator[Error]:
    """Yield the steps of some sentences with their types."""
    gold = pair.gold.treebank
    strings = gold.vocabulary.words.strings()
    forms = tuple(strings[label] for label in gold.label[gold.word_nodes].tolist())
    offsets = word_offsets(gold).tolist()
    for sentence, steps in repairs:
        words = forms[offsets[sentence] : offsets[sentence + 1]]
        for step in steps:
            typed = rules.typed(step)
            nodes = typed.attached
            span = Span(nodes[0].span.start, nodes[-1].span.end) if nodes else step.bracket.span
            yield Error(sentence, typed, *in_sentence(span, step.order), typed.fault(words))


def tree_errors(parser: str, passes: Passes[TreeComparison]) -> Rows:
    """Build one row a step of the repairs.

    It is named by the default rules of error types; ``wide_type`` is its type by those for more labels.
    """
    comparison = passes.comparison
    pair, repairs = comparison.pair, passes.get(RepairCounts)
    if repairs is None:
        repairs = RepairCounts.prepare(comparison)
        repairs.run(0, len(pair.status))
    wide = bundled_rules(WIDE)
    errors = typed_errors(pair, repairs.steps(), bundled_rules())
    offsets, places = word_offsets(pair.gold.treebank).tolist(), (pair.gold.places_as_read - 1).tolist()
    cuts = (np.flatnonzero(np.diff(pair.gold.places_as_read) != 1) + 1).tolist()
    edits = (edit for _, own in sorted(repairs.edits.items()) for edit in own)
    rows: list[tuple[Any, ...]] = [
        (
            error.sentence,
            str(step.operation.status),
            step.repaired,
            *error.span,
            gap_text(error.gaps),
            _as_read(places, cuts, offsets[error.sentence], error),
            *_labels(step),
            error.typed.is_typical,
            error.text,
            error.typed.type.title,
            error.typed.labels,
            wide.choose(step)[0].title,
            bool(error.typed.attached),
            msgspec.json.encode(edit).decode(),
        )
        for error, edit in zip(errors, edits, strict=True)
        for step in (error.typed.step,)
    ]
    rows += _without_repair(comparison, repairs)
    rows.sort(key=lambda row: row[0])  # each sentence is repaired, or is not
    columns = dict(zip(_COLUMNS, zip(*rows, strict=True) if rows else [()] * len(_COLUMNS), strict=True))
    numbers = {name: np.array(columns[name], dtype=np.int32) for name in ("sentence", "cost", "start", "end")}
    return errors_table(
        parser,
        REPAIR,
        numbers["sentence"] + np.int32(1 + pair.gold.read.first_sentence),
        text_column(columns["status"]),
        numbers["cost"],
        (numbers["start"], numbers["end"], columns["gaps"]),
        columns["words"],
        (text_column(columns["gold"]), text_column(columns["test"])),
        columns["text"],
        typical=np.array(columns["typical"], dtype=np.bool_),
        more={
            **{name: text_column(columns[name]) for name in ("type", "construction", "wide_type", "edit")},
            "attached": np.array(columns["attached"], dtype=np.bool_),
        },
    )


_COLUMNS = (
    *("sentence", "status", "cost", "start", "end", "gaps", "words", "gold", "test", "typical", "text"),
    *("type", "construction", "wide_type", "attached", "edit"),
)


def stored_edits(run: Run, parser: str, sentences: Sequence[int]) -> dict[int, Edits | None]:
    """Return the repairs of the sentences of a run that have errors; None for one that has none."""
    rows = run.columns(
        "select sentence, edit from errors where parser = ? and kind = ? "
        "and sentence in (select unnest(?::integer[])) order by sentence, number",
        [parser, REPAIR, list(sentences)],
    )
    edits: dict[int, Edits | None] = {}
    for sentence, text in zip(rows["sentence"].tolist(), rows["edit"].tolist(), strict=True):
        own = edits.get(sentence, ())
        edits[sentence] = None if text is None or own is None else (*own, msgspec.json.decode(text, type=Edit))
    return edits


def _as_read(places: Sequence[int], cuts: Sequence[int], first: int, error: Error) -> str:
    """Return the stretches of words as read that an error is about.

    `places` has the place of each word of all sentences, `cuts` the words that do not follow the one before as read,
    and `first` is the first word of the sentence.
    """
    stretches = []
    for start, end in stretches_without(error.span, error.gaps):
        if start < end:
            inside = cuts[bisect_right(cuts, first + start) : bisect_left(cuts, first + end)]
            edges = [first + start, *inside, first + end]
            stretches += [f"{places[left]}-{places[right - 1] + 1}" for left, right in pairwise(edges)]
    return " ".join(stretches)


def _labels(step: RepairStep) -> tuple[str | None, str | None]:
    """Return the label of gold and of the parser, if the step is about one bracket."""
    label = step.bracket.label
    if step.operation is Operation.RELABEL:
        return step.new_label, label
    if step.operation is Operation.MOVE:
        return None, None
    return (label, None) if step.operation is Operation.ADD else (None, label)


def _without_repair(comparison: TreeComparison, repairs: RepairCounts) -> list[tuple[Any, ...]]:
    """Return a row each sentence that has wrong brackets and no repair."""
    reasons = {UNORDERED: repairs.unordered, TOO_LONG: repairs.too_large}
    if not any(sentences.any() for sentences in reasons.values()):
        return []
    wrong = n_wrong_phrases(comparison.pair, comparison.preset)
    nothing = (0, 0, "", "", None, None, False)
    return [
        (sentence, None, int(wrong[sentence]), *nothing, reason, None, None, None, False, None)
        for reason, sentences in reasons.items()
        for sentence in np.flatnonzero(sentences).tolist()
    ]

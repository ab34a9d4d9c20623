"""Tables of a run that compares parsers of different theories."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evaltools.corpus import Dependencies, Treebank
from evaltools.errors import Problem
from evaltools.formats import FORMATS
from evaltools.formats.treebank_stream import CorpusStream
from evaltools.frameworks.common.arrow_columns import constant, number_column
from evaltools.frameworks.common.sentence_status import SentenceStatus
from evaltools.frameworks.common.tables import sentences_table, stored_trees
from evaltools.frameworks.common.word_differences import first_difference
from evaltools.frameworks.crossframework.function_columns import FunctionColumns, FunctionComparison
from evaltools.frameworks.crossframework.memberships import Segmentation
from evaltools.frameworks.crossframework.tedeval import TedEval
from evaltools.frameworks.crossframework.tedeval2011 import Refusal
from evaltools.frameworks.passes import Passes

__all__ = [
    "golds_table",
    "parser_tables",
    "refusal_problems",
    "refused_trees",
    "status_of",
    "tree_rows",
    "word_problems",
]

_STATUS = {
    Segmentation.WORDS: SentenceStatus.OK,
    Segmentation.CHARACTERS: SentenceStatus.WORDS_DIFFER,
    Segmentation.DIFFERENT: SentenceStatus.WORDS_DIFFER,
    Segmentation.MISSING: SentenceStatus.MISSING,
    Segmentation.NO_GOLD: SentenceStatus.MISSING,
}


def parser_tables(
    parser: str,
    trees: Treebank | Dependencies,
    gold: FunctionColumns,
    passes: Passes[FunctionComparison],
    *,
    details: bool = True,
) -> dict[str, pa.Table]:
    """Build the tables of one parser; without `details`, only that of sentences."""
    segmentation = passes[TedEval].status
    words = gold.n_words.astype(np.int32)
    sentences = sentences_table(
        parser,
        passes,
        first=trees.first_sentence,
        line=trees.line,
        words=words,
        words_scored=words,
        status=status_of(segmentation),
        counted=segmentation != Segmentation.NO_GOLD,
        words_aligned=number_column(words, segmentation != Segmentation.CHARACTERS),
    )
    return {"sentences": sentences} | ({"trees": tree_rows(parser, trees)} if details else {})


def status_of(segmentation: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return the status of sentences from how their words compare with those of the gold trees."""
    statuses = np.array([_STATUS[item] for item in Segmentation], dtype=np.int64)
    return statuses[segmentation]


def word_problems(
    parser: str,
    trees: Treebank | Dependencies,
    sides: tuple[FunctionColumns, FunctionColumns],
    segmentation: NDArray[np.uint8],
    gold_name: str,
) -> list[Problem]:
    """List sentences whose characters differ from those of the gold tree, given the function trees of both sides."""
    problems = []
    for sentence in np.flatnonzero(segmentation == Segmentation.DIFFERENT).tolist():
        if not trees.has_whole_words(sentence):  # this is listed
            continue
        line, number = int(trees.line[sentence]) or None, sentence + 1 + trees.first_sentence
        gold, test = (side.forms(sentence) for side in sides)
        found, expected = first_difference(test, gold)
        expected = f"{expected}, as in {gold_name}"
        problems.append(Problem("words_differ", trees.name, line, None, found, expected, number, parser))
    return problems


_REFUSED: Mapping[Refusal, tuple[str, str]] = {
    Refusal.NOT_PROJECTIVE: ("{} with discontinuous constituents", "continuous constituents"),
    Refusal.TWO_LABELS: ("{} with two functions over the same words", "one function for the same words"),
    Refusal.TOO_LARGE: ("{} too large for an edit distance", "shorter sentences"),
}
_REFUSED_DEPENDENCIES = {
    **_REFUSED,
    Refusal.NOT_PROJECTIVE: ("{} that {verb} not projective", "projective trees, or projectivization"),
}


Refused = Mapping[str, Sequence[Any]]
"""For each reason (a number of :class:`Refusal`, as text) how many trees are refused, and the line of the first."""


def refused_trees(trees: Treebank | Dependencies, refused: NDArray[np.uint8]) -> dict[str, list[int | None]]:
    """Count the trees that TedEval of 2011 refuses."""
    counts: dict[str, list[int | None]] = {}
    for reason in _REFUSED:
        chosen = np.flatnonzero(refused == reason)
        if len(chosen):
            counts[str(int(reason))] = [len(chosen), int(trees.line[chosen[0]]) or None]
    return counts


def refusal_problems(stream: CorpusStream, parser: str | None, refused: Iterable[Refused]) -> list[Problem]:
    """Return one problem for each reason for which trees of a file are refused, with the line of the first tree."""
    counts: dict[Refusal, int] = {}
    lines: dict[Refusal, int | None] = {}
    for chunk in refused:
        for number, (count, line) in chunk.items():
            reason = Refusal(int(number))
            counts[reason] = counts.get(reason, 0) + count
            lines.setdefault(reason, line)
    descriptions = _REFUSED_DEPENDENCIES if FORMATS[stream.format].HOLDS is Dependencies else _REFUSED
    problems = []
    for reason, count in sorted(counts.items()):
        description, fulfilled = descriptions[reason]
        trees, verb = ("1 tree", "is") if count == 1 else (f"{count:,} trees", "are")
        found = description.format(trees, verb=verb) + ("" if count == 1 else ", the first of them here")
        expected = f"{fulfilled}; TedEval 2011 is undefined for these sentences, TedEval 2012 is not"
        problems.append(Problem("tedeval2011", stream.name, lines[reason], None, found, expected, parser=parser))
    return problems


def tree_rows(parser: str | None, trees: Treebank | Dependencies) -> pa.Table:
    """Build one row a tree, in the notation of its format; a missing tree is null."""
    # The gold trees, with `parser` None, have their words as ``text``, separated by blanks.
    filled = (np.diff(trees.offsets) > 0).tolist()
    blocks = [_text(trees, index) if is_tree else None for index, is_tree in enumerate(filled)]
    words = None
    if parser is None:
        words = [" ".join(trees.tree(index).words) if is_tree else None for index, is_tree in enumerate(filled)]
    return stored_trees(parser, trees.first_sentence, trees.line, _notation(trees), blocks, words)


def _notation(trees: Treebank | Dependencies) -> str:
    """Return the format in which single trees are stored."""
    # tables at the head of an export file belong to every sentence; a sentence of XML alone is no file
    return "export" if trees.format in ("export", "tigerxml") else trees.format


def _text(trees: Treebank | Dependencies, index: int) -> str:
    if _notation(trees) == "export":
        return str(FORMATS["export"].write([trees.tree(index)]))
    return trees.source(index)


def golds_table(golds: Mapping[str, Treebank | Dependencies]) -> pa.Table:
    """Build one row a gold tree of every theory."""
    parts = []
    for theory, trees in golds.items():
        rows = tree_rows("", trees).select(["sentence", "line", "notation", "tree"])
        parts.append(rows.add_column(0, "theory", constant(theory, rows.num_rows)))
    return pa.concat_tables(parts).unify_dictionaries()

"""From the arrays of the passes over dependency trees to the tables of a run."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Dependencies
from evaltools.corpus.dependency_text import NO_HEAD
from evaltools.frameworks.common.columns import Rows, coded, constant, joined, number_column
from evaltools.frameworks.common.sentence_status import SentenceStatus
from evaltools.frameworks.common.tables import sentences_table, stored_trees
from evaltools.frameworks.dependency.attachment import Attachment
from evaltools.frameworks.dependency.lineages import DependencyLineages
from evaltools.frameworks.dependency.pair import DependencyComparison
from evaltools.frameworks.passes import Passes

__all__ = ["dependency_sentences", "dependency_trees", "dependency_words"]


def dependency_sentences(parser: str, passes: Passes[DependencyComparison]) -> Rows:
    """Build one row a sentence: status and counts."""
    pair = passes.comparison.pair
    counts = passes[Attachment].counts
    scored, aligned = counts[:, 0], counts[:, 2]
    return sentences_table(
        parser,
        passes,
        first=pair.test.first_sentence,
        line=pair.test.line,
        words=pair.gold.n_words,
        words_scored=scored,
        status=pair.status,
        counted=scored > 0,
        words_aligned=number_column(aligned.astype(np.int32), pair.status != SentenceStatus.WORDS_DIFFER),
    )


def dependency_words(parser: str, passes: Passes[DependencyComparison]) -> Rows:
    """Build one row a gold word that counts: tags, heads, relations, which are right, and LA similarities."""
    # Heads are numbered from 1, 0 for the root, as in the files; those of the test tree by the words of that tree, and
    # null for a word without a head.
    pair = passes.comparison.pair
    gold, test = pair.gold, pair.test
    attachment, la = passes[Attachment], passes.get(DependencyLineages)
    vocabulary = gold.vocabulary
    words = np.flatnonzero(pair.counted)
    sentence = np.repeat(np.arange(len(gold), dtype=np.int64), gold.n_words)[words]
    partner = pair.partner[words].astype(np.int64)
    aligned = partner >= 0
    test_words = (test.offsets[sentence] + partner)[aligned]

    def of_test(column: NDArray[Any]) -> NDArray[np.int64]:
        values = np.full(len(words), -1, dtype=np.int64)
        values[aligned] = column[test_words]
        return values

    test_head = of_test(test.head)
    relations = vocabulary.labels.strings()
    columns: Rows = {
        "parser": constant(parser, len(words)),
        "sentence": (sentence + 1 + gold.first_sentence).astype(np.int32),
        "word": (words - gold.offsets[sentence] + 1).astype(np.int32),
        "position": (words - gold.offsets[sentence]).astype(np.int32),
        "form": coded(gold.form[words].astype(np.int64), vocabulary.words.strings()),
        "tag": coded(gold.tag[words].astype(np.int64), relations),
        "test_tag": coded(of_test(test.tag), relations),
        "head": gold.head[words] + np.int32(1),
        "relation": coded(gold.relation[words].astype(np.int64), relations),
        "test_word": number_column((partner + 1).astype(np.int32), ~aligned),
        "test_head": number_column((test_head + 1).astype(np.int32), ~aligned | (test_head == NO_HEAD)),
        "test_relation": coded(of_test(test.relation), relations),
        "head_right": attachment.head_right[words],
        "relation_right": attachment.relation_right[words],
    }
    for index, scheme in enumerate(("strict", "partial", "table")):
        values = np.full(len(words), np.nan)
        if la is not None:
            values = np.ascontiguousarray(la.similarity[words, index])
        columns[f"la_{scheme}"] = number_column(values, np.isnan(values))
    lengths = np.zeros((len(words), 2), dtype=np.int32) if la is None else la.length[words]
    columns["gold_lineage_length"] = np.ascontiguousarray(lengths[:, 0])
    columns["test_lineage_length"] = np.ascontiguousarray(lengths[:, 1])
    return columns


def dependency_trees(parser: str | None, trees: Dependencies) -> Rows:
    """Build one row a tree as it was read; `parser` is None for the gold trees, a missing tree is null."""
    # The gold trees have their words as ``text``, separated by blanks.
    filled = np.diff(trees.offsets) > 0
    blocks = [trees.source(index) if is_tree else None for index, is_tree in enumerate(filled.tolist())]
    text = None
    if parser is None:
        text = joined(coded(trees.form, trees.vocabulary.words.strings()), trees.offsets, filled)
    return stored_trees(parser, trees.first_sentence, trees.line, trees.notation, blocks, text)

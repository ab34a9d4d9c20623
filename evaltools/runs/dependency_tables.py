"""From the arrays of the passes over dependency trees to the tables of a run."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evaltools.metrics import FAMILIES
from evaltools.normalize import Status
from evaltools.runs.arrow_columns import coded, constant
from evaltools.runs.dependency_passes import DependencyPasses
from evaltools.treebank import Dependencies

__all__ = ["dependency_sentences", "dependency_trees", "dependency_words"]


def dependency_sentences(parser: str, passes: DependencyPasses) -> pa.Table:
    """Build one row a sentence: status and counts.

    Parameters
    ----------
    parser : str
        The parser's name.
    passes : DependencyPasses
        The results.
    """
    pair, test = passes.pair, passes.pair.test
    n = len(pair.gold)
    attachment = passes.attachment.counts
    lineages = np.zeros((n, len(FAMILIES["la"]))) if passes.la is None else passes.la.counts
    scored, aligned = attachment[:, 0], attachment[:, 2]
    columns: dict[str, Any] = {
        "parser": constant(parser, n),
        "sentence": np.arange(1, n + 1, dtype=np.int32) + np.int32(test.first_sentence),
        "line": pa.array(test.line, mask=test.line == 0),
        "words": pair.gold.n_words,
        "words_scored": scored.astype(np.int32),
        "words_aligned": pa.array(aligned.astype(np.int32), mask=pair.status != Status.WORDS_DIFFER),
        "status": coded(pair.status.astype(np.int64), [status.label for status in Status]),
        "sentences": (scored > 0).astype(np.int32),
    }
    for place, name in enumerate(FAMILIES["attachment"]):
        columns[name] = attachment[:, place]
    for place, name in enumerate(FAMILIES["la"]):
        columns[name] = pa.array(np.ascontiguousarray(lineages[:, place]), mask=np.full(n, passes.la is None))
    return pa.table(columns)


def dependency_words(parser: str, passes: DependencyPasses) -> pa.Table:
    """Build one row a gold word that counts: tags, heads, relations, what is right, and LA similarities.

    Heads are numbered from 1, 0 for the root, as in the files; those of the test tree by its own words.
    """
    pair, gold, test = passes.pair, passes.pair.gold, passes.pair.test
    vocabulary = gold.vocabulary
    words = np.flatnonzero(pair.counted)
    sentence = np.repeat(np.arange(len(gold), dtype=np.int64), gold.n_words)[words]
    partner = pair.partner[words].astype(np.int64)
    known = partner >= 0
    other = np.where(known, test.offsets[sentence] + partner, 0)

    def of_test(column: Any) -> Any:
        values = np.full(len(words), -1, dtype=np.int64)
        values[known] = column[other[known]]
        return values

    relations = vocabulary.labels.strings()
    columns: dict[str, Any] = {
        "parser": constant(parser, len(words)),
        "sentence": (sentence + 1 + gold.first_sentence).astype(np.int32),
        "word": (words - gold.offsets[sentence] + 1).astype(np.int32),
        "position": (words - gold.offsets[sentence]).astype(np.int32),
        "form": coded(gold.form[words].astype(np.int64), vocabulary.words.strings()),
        "tag": coded(gold.tag[words].astype(np.int64), relations),
        "test_tag": coded(of_test(test.tag), relations),
        "head": gold.head[words] + np.int32(1),
        "relation": coded(gold.relation[words].astype(np.int64), relations),
        "test_word": pa.array((partner + 1).astype(np.int32), mask=~known),
        "test_head": pa.array((of_test(test.head) + 1).astype(np.int32), mask=~known),
        "test_relation": coded(of_test(test.relation), relations),
        "head_right": passes.attachment.head_right[words],
        "relation_right": passes.attachment.relation_right[words],
    }
    for place, scheme in enumerate(("strict", "partial", "table")):
        values = np.full(len(words), np.nan)
        if passes.la is not None:
            values = np.ascontiguousarray(passes.la.similarity[words, place])
        columns[f"la_{scheme}"] = pa.array(values, mask=np.isnan(values))
    lengths = np.zeros((len(words), 2), dtype=np.int32) if passes.la is None else passes.la.length[words]
    columns["gold_lineage_length"] = np.ascontiguousarray(lengths[:, 0])
    columns["test_lineage_length"] = np.ascontiguousarray(lengths[:, 1])
    return pa.table(columns)


def dependency_trees(parser: str | None, trees: Dependencies) -> pa.Table:
    """Build one row a tree as it was read; `parser` is None for the gold trees, a missing tree is null.

    The gold trees have their words as ``text``, separated by blanks.
    """
    n = len(trees)
    filled = np.diff(trees.offsets) > 0
    blocks = [trees.source(i) if there else None for i, there in enumerate(filled.tolist())]
    text = pa.nulls(n, pa.string())
    if parser is None:
        words = pa.array(trees.vocabulary.words.strings(), pa.string()).take(pa.array(trees.form))
        joined = pc.binary_join(pa.ListArray.from_arrays(pa.array(trees.offsets.astype(np.int32)), words), " ")
        text = pc.if_else(pa.array(filled), joined, pa.scalar(None, pa.string()))
    return pa.table(
        {
            "parser": constant(parser, n),
            "sentence": np.arange(1, n + 1, dtype=np.int32) + np.int32(trees.first_sentence),
            "line": pa.array(trees.line, mask=trees.line == 0),
            "notation": constant(trees.notation, n),
            "tree": pa.array(blocks, pa.string()),
            "text": text,
        }
    )

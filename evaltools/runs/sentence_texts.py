"""What readers look for in sentences: their words as text, the labels of their phrases."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evaltools.treebank import Kind, Treebank

__all__ = ["phrase_labels", "words_joined"]


def words_joined(treebank: Treebank) -> pa.Array:
    """Join the words of every sentence with blanks; null where the tree is missing."""
    nodes = np.flatnonzero(treebank.kind == Kind.WORD)
    ends = np.concatenate(([0], np.cumsum(treebank.n_words, dtype=np.int64))).astype(np.int32)
    sentence = np.searchsorted(treebank.offsets, nodes, side="right") - 1
    place = treebank.start if treebank.position is None else treebank.position
    in_order = np.empty(len(nodes), dtype=np.int32)
    in_order[ends[sentence] + place[nodes]] = treebank.label[nodes]
    words = pa.array(treebank.vocabulary.words.strings(), pa.string()).take(pa.array(in_order))
    joined = pc.binary_join(pa.ListArray.from_arrays(pa.array(ends), words), " ")
    return pc.if_else(pa.array(np.diff(treebank.offsets) > 0), joined, pa.scalar(None, pa.string()))


def phrase_labels(brackets: pa.Table) -> list[str]:
    """Return the labels of the phrases in a table of brackets."""
    phrase = pa.scalar("phrase")
    sides = [pc.fill_null(pc.equal(brackets[side], phrase), False) for side in ("gold_kind", "test_kind")]
    labels = brackets["label"].filter(pc.or_(*sides)).cast(pa.string())
    return sorted(label for label in pc.unique(labels).to_pylist() if label is not None)

"""What readers look for in sentences: their words as text, the labels of their phrases."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evaltools.treebank import Kind, Treebank

__all__ = ["labels_in", "labels_joined", "words_joined"]


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


def labels_joined(brackets: pa.Table, first: int, n: int) -> pa.Array:
    """Join the labels of the phrases that either tree of each sentence has, between blanks.

    Parameters
    ----------
    brackets : Table
        Brackets of one parser.
    first : int
        Number of the first sentence.
    n : int
        How many sentences there are.

    Returns
    -------
    Array of str, shape (n,)
        Such as ``" NP S VP "``, each label once, so that ``" NP "`` finds a whole label; null where there is none.
    """
    phrases = brackets.filter(_of_phrases(brackets)).select(["sentence", "label"])
    labels = pc.dictionary_encode(phrases["label"].cast(pa.string())).combine_chunks()
    names = labels.dictionary.to_pylist()
    ranks = np.empty(len(names), dtype=np.int64)
    ranks[sorted(range(len(names)), key=names.__getitem__)] = np.arange(len(names))
    sentences = phrases["sentence"].to_numpy().astype(np.int64) - first
    pairs = np.unique(sentences * max(len(names), 1) + ranks[labels.indices.to_numpy()])
    of, label = np.divmod(pairs, max(len(names), 1))
    ends = np.searchsorted(of, np.arange(n + 1))
    lists = pa.ListArray.from_arrays(
        pa.array(ends.astype(np.int32)), pa.array(sorted(names), pa.string()).take(pa.array(label))
    )
    joined = pc.binary_join_element_wise("", pc.binary_join(lists, " "), "", " ")
    return pc.if_else(pa.array(np.diff(ends) > 0), joined, pa.scalar(None, pa.string()))


def labels_in(joined: pa.ChunkedArray) -> list[str]:
    """Return the labels in what :func:`labels_joined` has joined, sorted."""
    return sorted({label for labels in pc.unique(joined).to_pylist() if labels for label in labels.split(" ") if label})


def _of_phrases(brackets: pa.Table) -> pa.ChunkedArray:
    phrase = pa.scalar("phrase")
    sides = [pc.fill_null(pc.equal(brackets[side], phrase), False) for side in ("gold_kind", "test_kind")]
    return pc.or_(*sides)

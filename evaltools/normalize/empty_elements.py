"""Removing empty elements: traces and other words that were never said, and the phrases that hold nothing else."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from evaltools.treebank import Kind, Treebank

__all__ = ["tagged_words", "without_empty_elements", "without_words"]


def tagged_words(treebank: Treebank, tags: Collection[str]) -> NDArray[np.bool_]:
    """Return for each word whether it has one of some tags.

    Parameters
    ----------
    treebank : Treebank
        The trees.
    tags : collection of str
        Labels of preterminals.

    Returns
    -------
    ndarray of bool, shape (words,)
        False for a word without a preterminal.
    """
    is_word = treebank.kind == Kind.WORD
    tagged = np.zeros(int(np.count_nonzero(is_word)), dtype=np.bool_)
    numbers = [number for tag in tags if (number := treebank.vocabulary.labels.find(tag)) >= 0]
    if not numbers or not len(tagged):
        return tagged
    chosen = np.zeros(len(treebank.vocabulary.labels), dtype=np.bool_)
    chosen[numbers] = True
    # a preterminal stands right after its word
    word_nodes = np.flatnonzero(is_word)
    after = np.minimum(word_nodes + 1, len(treebank.kind) - 1)
    has_tag = treebank.kind[after] == Kind.PRETERMINAL
    tagged[has_tag] = chosen[treebank.label[after[has_tag]]]
    return tagged


def without_empty_elements(treebank: Treebank, tags: Collection[str]) -> Treebank:
    """Return a treebank without its empty elements, as if it had been written without them.

    Parameters
    ----------
    treebank : Treebank
        The trees as read.
    tags : collection of str
        Tags of empty elements, such as ``-NONE-``.

    Returns
    -------
    Treebank
        The same object if there are none. The texts of the sentences and the problems stay.
    """
    return without_words(treebank, tagged_words(treebank, tags))


def without_words(treebank: Treebank, dropped: NDArray[np.bool_]) -> Treebank:
    """Return a treebank without some of its words, and without the phrases that are empty then.

    In the notation of the Penn Treebank a bracket whose only child is a word is a tag, and so is a phrase of which only
    a word is left.

    Parameters
    ----------
    treebank : Treebank
        The trees, all continuous.
    dropped : ndarray of bool, shape (words,)
        The words to leave out.
    """
    from evaltools.kernels.filtering import filter_nodes

    if not dropped.any():
        return treebank
    n_labels = len(treebank.vocabulary.labels)
    same, keep = np.arange(n_labels, dtype=np.int32), np.zeros(n_labels, dtype=np.uint8)
    columns = (treebank.label, treebank.parent, treebank.start, treebank.end, treebank.kind, treebank.offsets)
    label, parent, leftmost, start, end, kind, offsets, origin = filter_nodes(*columns, dropped, keep, same, True)
    if treebank.notation == "ptb":
        before = np.repeat(treebank.offsets[:-1], np.diff(offsets)) + origin
        fewer = _children(parent, offsets) < _children(treebank.parent, treebank.offsets)[before]
        over_word = np.zeros(len(kind), dtype=np.bool_)
        over_word[1:] = (kind[:-1] == Kind.WORD) & (leftmost[1:] + 1 == _places(offsets)[1:])
        kind[fewer & over_word & (kind == Kind.PHRASE)] = Kind.PRETERMINAL
    return replace(
        treebank,
        label=label,
        parent=parent,
        leftmost=leftmost,
        start=start,
        end=end,
        kind=kind,
        offsets=offsets,
        position=None,
        function=None,
    )


def _places(offsets: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the place of each node in its sentence."""
    return np.arange(int(offsets[-1])) - np.repeat(offsets[:-1], np.diff(offsets))


def _children(parent: NDArray[np.int32], offsets: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the number of children of each node."""
    above = (parent + np.repeat(offsets[:-1], np.diff(offsets)))[parent >= 0]
    return np.bincount(above, minlength=len(parent))

"""Deleting words and brackets from postorder columns, and renaming labels."""

from __future__ import annotations

import numpy as np
from numba import njit

from evaltools.kernels import CACHE


@njit(cache=CACHE, nogil=True)
def filter_nodes(label, parent, start, end, kind, offsets, drop_word, delete_label, relabel, keep_empty):
    """Delete nodes and close the gaps.

    Parameters
    ----------
    label, parent, start, end, kind, offsets : ndarray
        Columns of a treebank.
    drop_word : ndarray of bool, shape (words,)
        The words of the treebank, in order: True deletes the word and its preterminal.
    delete_label : ndarray of uint8, shape (labels,)
        For phrases: 0 keep, 1 delete everywhere, 2 delete at the top, where no node above it is left.
        A deleted phrase leaves its children to its parent.
    relabel : ndarray of int32, shape (labels,)
        New number of each phrase label.
    keep_empty : bool
        Whether to keep phrases without words.

    Returns
    -------
    label, parent, leftmost, start, end, kind, offsets : ndarray
        Columns of the remaining nodes.
    origin : ndarray of int32
        For each node its position in the sentence before.
    """
    n_nodes = label.shape[0]
    n_sentences = offsets.shape[0] - 1
    new_label = np.empty(n_nodes, np.int32)
    new_parent = np.empty(n_nodes, np.int32)
    new_leftmost = np.empty(n_nodes, np.int32)
    new_start = np.empty(n_nodes, np.int32)
    new_end = np.empty(n_nodes, np.int32)
    new_kind = np.empty(n_nodes, np.uint8)
    new_offsets = np.zeros(n_sentences + 1, np.int64)
    origin = np.empty(n_nodes, np.int32)
    longest = 0
    for s in range(n_sentences):
        longest = max(longest, offsets[s + 1] - offsets[s])
    before = np.empty(longest + 1, np.int32)
    keep = np.empty(longest, np.uint8)
    top = np.empty(longest, np.uint8)
    place = np.empty(longest, np.int32)
    above = np.empty(longest, np.int32)
    out = 0
    word = 0
    for s in range(n_sentences):
        first = offsets[s]
        size = offsets[s + 1] - first
        before[0] = 0
        n_words = 0
        for i in range(size):
            if kind[first + i] == 2:
                before[n_words + 1] = before[n_words] + (0 if drop_word[word] else 1)
                n_words += 1
                word += 1
        for i in range(size - 1, -1, -1):
            node = first + i
            p = parent[node]
            words = before[end[node]] - before[start[node]]
            top[i] = 0
            if kind[node] != 0:
                keep[i] = 1 if words > 0 else 0
            elif words == 0 and (start[node] != end[node] or not keep_empty):
                keep[i] = 0
                top[i] = 1 if p < 0 or top[p] else 0
            else:
                action = delete_label[label[node]]
                keep[i] = 1
                if action == 1:
                    keep[i] = 0
                    top[i] = 1 if p < 0 or top[p] else 0
                elif action == 2 and (p < 0 or top[p]):
                    keep[i] = 0
                    top[i] = 1
        kept = 0
        for i in range(size):
            if keep[i]:
                place[i] = kept
                kept += 1
        for i in range(size - 1, -1, -1):
            p = parent[first + i]
            if p < 0:
                above[i] = -1
            elif keep[p]:
                above[i] = place[p]
            else:
                above[i] = above[p]
        for i in range(size):
            if not keep[i]:
                continue
            node = first + i
            target = out + place[i]
            new_label[target] = relabel[label[node]] if kind[node] == 0 else label[node]
            new_parent[target] = above[i]
            new_leftmost[target] = place[i]
            new_start[target] = before[start[node]]
            new_end[target] = before[end[node]]
            new_kind[target] = kind[node]
            origin[target] = i
        for i in range(kept):
            p = new_parent[out + i]
            if p >= 0 and new_leftmost[out + i] < new_leftmost[out + p]:
                new_leftmost[out + p] = new_leftmost[out + i]
        out += kept
        new_offsets[s + 1] = out
    return (
        new_label[:out].copy(),
        new_parent[:out].copy(),
        new_leftmost[:out].copy(),
        new_start[:out].copy(),
        new_end[:out].copy(),
        new_kind[:out].copy(),
        new_offsets,
        origin[:out].copy(),
    )

"""Projectivization of dependency trees by lifting arcs.

References
----------
J. Nivre and J. Nilsson (2005). Pseudo-projective dependency parsing. ACL 2005, section 3.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numba.extending import register_jitable

from evaltools.kernels import CACHE

MAX_WORDS = 4096
"""Longer sentences keep their arcs: their trees are too large for an edit distance anyway."""


@register_jitable
def _check_arcs(head, h, below, outside, crossed):
    """Mark which of the arcs from `h` have a word between their ends that is not below `h`."""
    n = head.shape[0]
    below[:] = 0  # 0: unknown, 1: below h or h itself, 2: not below h
    below[h] = 1
    outside[0] = 0
    for word in range(n):
        node = np.int64(word)
        while node >= 0 and below[node] == 0:
            node = head[node]
        mark = 1 if node >= 0 and below[node] == 1 else 2
        node = np.int64(word)
        while node >= 0 and below[node] == 0:
            below[node] = mark
            node = head[node]
        outside[word + 1] = outside[word] + (below[word] == 2)
    for word in range(n):
        if head[word] == h:
            left, right = min(h, word), max(h, word)
            crossed[word] = outside[right] - outside[left + 1] > 0


@njit(cache=CACHE, nogil=True)
def lift_arcs(head, offsets, lifts):
    """Make every tree projective: while there are non-projective arcs, lift the shortest of them to the head's head.

    An arc is projective if all words between its ends are below its head. Of arcs of one length the leftmost is
    lifted first. Arcs from the root are always projective.

    Parameters
    ----------
    head : ndarray of int32, shape (words,), changed
        The head's position in the sentence, -1 for a root; without cycles.
    offsets : ndarray of int64, shape (sentences + 1,)
        Sentence s has the words ``offsets[s]:offsets[s + 1]``.
    lifts : ndarray of int32, shape (sentences,), output
        Number of lifts of arcs; 0 in projective trees, -1 in sentences of more than :data:`MAX_WORDS` words,
        which stay as they are.
    """
    for s in range(offsets.shape[0] - 1):
        heads = head[offsets[s] : offsets[s + 1]]
        n = heads.shape[0]
        lifts[s] = 0
        if n > MAX_WORDS:
            lifts[s] = -1
            continue
        below = np.empty(n, np.uint8)
        outside = np.empty(n + 1, np.int32)
        crossed = np.zeros(n, np.uint8)
        has_dependents = np.zeros(n, np.uint8)
        for word in range(n):
            if heads[word] >= 0:
                has_dependents[heads[word]] = 1
        for word in range(n):
            if has_dependents[word]:
                _check_arcs(heads, word, below, outside, crossed)
        while True:
            shortest = -1
            for word in range(n):
                if not crossed[word]:
                    continue
                length = abs(heads[word] - word)
                if shortest >= 0:
                    smallest = abs(heads[shortest] - shortest)
                    if length > smallest:
                        continue
                    if length == smallest and min(heads[word], word) > min(heads[shortest], shortest):
                        continue
                shortest = word
            if shortest < 0:
                break
            old = np.int64(heads[shortest])
            new = np.int64(heads[old])
            heads[shortest] = new
            crossed[shortest] = 0
            lifts[s] += 1
            # only the old head has fewer words below it, and only the new one has an arc more
            _check_arcs(heads, old, below, outside, crossed)
            if new >= 0:
                _check_arcs(heads, new, below, outside, crossed)

"""Aligning the words of two versions of a sentence, and spans in the positions that are aligned.

Every step is monotone and deterministic. Words are aligned so that as many as possible are equal, and then as many as
possible equal when folded; characters at least cost, where one that is left out costs 1 and so does one that is
replaced. Equal beginnings and ends of both sides are aligned first. Among equally good ways, from left to right:
symbols are aligned if possible, else characters are replaced, else a gold symbol is left out, else a test symbol.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numba.extending import register_jitable

from evaltools.kernels import CACHE

_MAX_CELLS = 1 << 22
_WINDOW = 1024


@register_jitable
def _follow(step, partner):
    """Walk through a table: 0 aligns two symbols, 1 skips both, 2 skips one of the first side, 3 one of the second."""
    n, m = step.shape
    partner[:] = -1
    i = 0
    j = 0
    while i < n and j < m:
        way = step[i, j]
        if way == 0:
            partner[i] = j
        if way != 3:
            i += 1
        if way != 2:
            j += 1


@register_jitable
def _align_characters(a, b, partner):
    """Align equal symbols at least cost, by the table of all suffixes; one byte a cell."""
    n, m = a.shape[0], b.shape[0]
    step = np.empty((n, m), np.uint8)
    row = np.empty(m + 1, np.int32)
    for j in range(m + 1):
        row[j] = m - j
    for i in range(n - 1, -1, -1):
        corner = row[m]
        row[m] = n - i
        for j in range(m - 1, -1, -1):
            below = row[j]
            if a[i] == b[j]:
                # equal symbols can always be aligned at least cost
                row[j] = corner
                step[i, j] = 0
            else:
                # cost(i, j) = 1 + min(cost(i + 1, j + 1), cost(i + 1, j), cost(i, j + 1))
                best = min(corner, below, row[j + 1])
                step[i, j] = 1 if best == corner else 2 if best == below else 3
                row[j] = best + 1
            corner = below
    _follow(step, partner)


@register_jitable
def _align_forms(a, b, folded_a, folded_b, partner):
    """Align as many equal words as possible, then as many that are equal when folded."""
    n, m = a.shape[0], b.shape[0]
    equal = min(n, m) + 1  # one equal word is worth more than any number of folded ones
    step = np.empty((n, m), np.uint8)
    row = np.zeros(m + 1, np.int32)
    for i in range(n - 1, -1, -1):
        corner = np.int32(0)
        for j in range(m - 1, -1, -1):
            below = row[j]
            # worth(i, j) = max(worth of the pair + worth(i + 1, j + 1), worth(i + 1, j), worth(i, j + 1))
            best = max(below, row[j + 1])
            step[i, j] = 2 if best == below else 3
            if folded_a[i] == folded_b[j]:
                worth = corner + (equal if a[i] == b[j] else 1)
                if worth >= best:
                    best = worth
                    step[i, j] = 0
            corner = below
            row[j] = best
    _follow(step, partner)


@njit(cache=CACHE, nogil=True)
def align_symbols(a, b, folded_a, folded_b, words, partner):
    """Align the symbols of two strings.

    Where the table would have more than four million cells, the strings are aligned window by window of 1,024 symbols:
    alignments in the first half of a window stay, and the next window begins after them.

    Parameters
    ----------
    a, b : ndarray of int32
        The symbols.
    folded_a, folded_b : ndarray of int32
        The same, folded; looked at for words only.
    words : bool
        Whether the symbols are words, of which those that are only equal when folded are aligned too; else they are
        characters, which may be replaced.
    partner : ndarray of int32, shape (len a,), output
        For each symbol of `a` the place of the one in `b` that it is aligned with, or -1.
    """
    n, m = a.shape[0], b.shape[0]
    partner[:] = -1
    first = 0
    while first < n and first < m and a[first] == b[first]:
        partner[first] = first
        first += 1
    while n > first and m > first and a[n - 1] == b[m - 1]:
        n -= 1
        m -= 1
        partner[n] = m
    i = first
    j = first
    while i < n and j < m:
        is_small = (n - i) * (m - j) <= _MAX_CELLS
        i_end = n if is_small else min(i + _WINDOW, n)
        j_end = m if is_small else min(j + _WINDOW, m)
        window_partner = partner[i:i_end]
        if words:
            _align_forms(a[i:i_end], b[j:j_end], folded_a[i:i_end], folded_b[j:j_end], window_partner)
        else:
            _align_characters(a[i:i_end], b[j:j_end], window_partner)
        # what stays, and where the next window begins if nothing does
        i_stay = i_end if i_end == n else i + _WINDOW // 2
        j_stay = j_end if j_end == m else j + _WINDOW // 2
        next_i = i if i_end == n else i_stay
        next_j = j if j_end == m else j_stay
        for k in range(i, i_end):
            if partner[k] >= 0:
                if k < i_stay and partner[k] + j < j_stay:
                    partner[k] += j
                    next_i = k + 1
                    next_j = partner[k] + 1
                else:
                    partner[k] = -1
        if i_end == n and j_end == m:
            break
        i = next_i
        j = next_j


@register_jitable
def _copy_link(links, source, target):
    """Copy a link; assigning a row to a row takes seconds to compile."""
    for column in range(3):
        links[target, column] = links[source, column]


@register_jitable
def _link_by_characters(gold, test, characters, at, links):
    """Align the characters of two gaps, given as folded words; return the number of links between words.

    A link is a pair of words that share aligned characters: more than half of those of the shorter of the two. Then
    links are dropped where less than half of one of the words is aligned by what is left, so that no letter is taken
    out of the midst of an unrelated word.
    """
    n, m = gold.shape[0], test.shape[0]
    n_gold = 0
    for i in range(n):
        n_gold += at[gold[i] + 1] - at[gold[i]]
    n_test = 0
    for j in range(m):
        n_test += at[test[j] + 1] - at[test[j]]
    a = np.empty(n_gold, np.int32)
    b = np.empty(n_test, np.int32)
    word_a = np.empty(n_gold, np.int32)
    word_b = np.empty(n_test, np.int32)
    k = 0
    for i in range(n):
        for c in range(at[gold[i]], at[gold[i] + 1]):
            a[k] = characters[c]
            word_a[k] = i
            k += 1
    k = 0
    for j in range(m):
        for c in range(at[test[j]], at[test[j] + 1]):
            b[k] = characters[c]
            word_b[k] = j
            k += 1
    partner = np.empty(n_gold, np.int32)
    align_symbols(a, b, a, b, np.bool_(False), partner)
    n_links = 0
    for k in range(n_gold):
        if partner[k] < 0:
            continue
        i, j = word_a[k], word_b[partner[k]]
        if n_links == 0 or links[n_links - 1, 0] != i or links[n_links - 1, 1] != j:
            links[n_links, 0] = i
            links[n_links, 1] = j
            links[n_links, 2] = 0
            n_links += 1
        links[n_links - 1, 2] += 1
    kept = 0
    for k in range(n_links):
        i, j = links[k, 0], links[k, 1]
        shorter = min(at[gold[i] + 1] - at[gold[i]], at[test[j] + 1] - at[test[j]])
        if 2 * links[k, 2] > shorter:
            _copy_link(links, k, kept)
            kept += 1
    n_links = kept
    aligned_gold = np.zeros(n, np.int64)
    aligned_test = np.zeros(m, np.int64)
    for k in range(n_links):
        aligned_gold[links[k, 0]] += links[k, 2]
        aligned_test[links[k, 1]] += links[k, 2]
    kept = 0
    for k in range(n_links):
        i, j = links[k, 0], links[k, 1]
        length_i, length_j = at[gold[i] + 1] - at[gold[i]], at[test[j] + 1] - at[test[j]]
        if 2 * aligned_gold[i] >= length_i and 2 * aligned_test[j] >= length_j:
            _copy_link(links, k, kept)
            kept += 1
    return kept


@njit(cache=CACHE, nogil=True)
def align_words(gold, gold_offsets, test, test_offsets, chosen, folded, characters, character_offsets):
    """Align the words of some sentences: equal ones, then equal folded ones, then in the gaps by characters.

    Parameters
    ----------
    gold, test : ndarray of int32
        Numbers of the forms of all words.
    gold_offsets, test_offsets : ndarray of int64, shape (sentences + 1,)
        First word of each sentence.
    chosen : ndarray of bool, shape (sentences,)
        The sentences to align; the others get no links.
    folded : ndarray of int32, shape (forms,)
        Number of each form as folded, so that forms that are the same but for case and escapes are equal.
    characters : ndarray of int32
        The characters of all folded forms, one after the other.
    character_offsets : ndarray of int64, shape (folded forms + 1,)
        First character of each.

    Returns
    -------
    links : ndarray of int32, shape (links, 4)
        Gold word and test word by position in the sentence; 0 if they are equal, 1 if they are equal when folded, 2 if
        they are aligned by characters; number of characters they share in the alignment. Sentence after sentence, from
        left to right.
    offsets : ndarray of int64, shape (sentences + 1,)
        First link of each sentence.
    """
    n_sentences = chosen.shape[0]
    max_links = 0
    for s in range(n_sentences):
        if chosen[s]:
            max_links += gold_offsets[s + 1] - gold_offsets[s] + test_offsets[s + 1] - test_offsets[s]
    links = np.empty((max_links, 4), np.int32)
    offsets = np.zeros(n_sentences + 1, np.int64)
    out = 0
    for s in range(n_sentences):
        if chosen[s]:
            a = gold[gold_offsets[s] : gold_offsets[s + 1]]
            b = test[test_offsets[s] : test_offsets[s + 1]]
            n, m = a.shape[0], b.shape[0]
            fa = np.empty(n, np.int32)
            fb = np.empty(m, np.int32)
            for i in range(n):
                fa[i] = folded[a[i]]
            for j in range(m):
                fb[j] = folded[b[j]]
            partner = np.empty(n, np.int32)
            align_symbols(a, b, fa, fb, np.bool_(True), partner)
            i0 = 0
            j0 = 0
            for i in range(n + 1):
                if i < n and partner[i] < 0:
                    continue
                j = m if i == n else partner[i]
                if i > i0 and j > j0:
                    shared = np.empty((i - i0 + j - j0, 3), np.int32)
                    n_shared = _link_by_characters(fa[i0:i], fb[j0:j], characters, character_offsets, shared)
                    for k in range(n_shared):
                        links[out, 0] = shared[k, 0] + i0
                        links[out, 1] = shared[k, 1] + j0
                        links[out, 2] = 2
                        links[out, 3] = shared[k, 2]
                        out += 1
                if i < n:
                    links[out, 0] = i
                    links[out, 1] = j
                    links[out, 2] = 0 if a[i] == b[j] else 1
                    links[out, 3] = character_offsets[fa[i] + 1] - character_offsets[fa[i]]
                    out += 1
                i0 = i + 1
                j0 = j + 1
        offsets[s + 1] = out
    return links[:out].copy(), offsets


@njit(cache=CACHE, nogil=True)
def place_words(
    links, link_offsets, chosen,
    g_dropped, g_read, g_start, g_end, g_offsets,
    t_dropped, t_read, t_start, t_end, t_offsets,
    partner, match, single,
):  # fmt: skip
    """Find each word's partner, and turn the spans of nodes into spans of aligned positions.

    A character position is aligned if its character has a partner and both their words are left after deletion. Only
    the order of positions counts, so borders of words are numbered among all different borders of both sides.

    Parameters
    ----------
    links, link_offsets : ndarray
        As :func:`align_words` returns them, by positions among the words as read.
    chosen : ndarray of bool, shape (sentences,)
        The sentences to place; the others are left alone.
    g_dropped, t_dropped : ndarray of bool
        Whether each word as read is deleted.
    g_read, t_read : ndarray of int64, shape (sentences + 1,)
        First word as read of each sentence.
    g_start, g_end, t_start, t_end : ndarray of int32, shape (nodes,), input and output
        Spans in words that are left; then in aligned positions, from 0, empty where a node covers none.
    g_offsets, t_offsets : ndarray of int64, shape (sentences + 1,)
        First node of each sentence.
    partner : ndarray of int32, shape (gold words left,), output
        Position, among the test words left, of the linked word that shares most characters, the first of those; -1
        where there is none.
    match : ndarray of uint8, shape (gold words left,), output
        Why the two are aligned.
    single : ndarray of bool, shape (gold words left,), output
        Whether neither the word nor its partner is linked with any other word that is left.
    """
    word = 0
    for s in range(chosen.shape[0]):
        n_read = g_read[s + 1] - g_read[s]
        m_read = t_read[s + 1] - t_read[s]
        place_g = np.empty(n_read, np.int32)
        n = 0
        for i in range(n_read):
            place_g[i] = -1 if g_dropped[g_read[s] + i] else n
            n += 0 if g_dropped[g_read[s] + i] else 1
        if not chosen[s]:
            word += n
            continue
        place_t = np.empty(m_read, np.int32)
        m = 0
        for j in range(m_read):
            place_t[j] = -1 if t_dropped[t_read[s] + j] else m
            m += 0 if t_dropped[t_read[s] + j] else 1
        # characters aligned before each word, and number of links
        before_g = np.zeros(n + 1, np.int64)
        before_t = np.zeros(m + 1, np.int64)
        degree_g = np.zeros(n, np.int32)
        degree_t = np.zeros(m, np.int32)
        max_shared = np.zeros(n, np.int32)
        for i in range(n):
            partner[word + i] = -1
        for k in range(link_offsets[s], link_offsets[s + 1]):
            i = place_g[links[k, 0]]
            j = place_t[links[k, 1]]
            if i < 0 or j < 0:
                continue
            before_g[i + 1] += links[k, 3]
            before_t[j + 1] += links[k, 3]
            degree_g[i] += 1
            degree_t[j] += 1
            if links[k, 3] > max_shared[i]:
                max_shared[i] = links[k, 3]
                partner[word + i] = j
                match[word + i] = links[k, 2]
        for i in range(n):
            before_g[i + 1] += before_g[i]
            j = partner[word + i]
            single[word + i] = j >= 0 and degree_g[i] == 1 and degree_t[j] == 1
        for j in range(m):
            before_t[j + 1] += before_t[j]
        rank_g = np.empty(n + 1, np.int32)
        rank_t = np.empty(m + 1, np.int32)
        i = 0
        j = 0
        rank = -1
        last = np.int64(-1)
        while i <= n or j <= m:
            if j > m or (i <= n and before_g[i] <= before_t[j]):
                if before_g[i] > last:
                    rank += 1
                    last = before_g[i]
                rank_g[i] = rank
                i += 1
            else:
                if before_t[j] > last:
                    rank += 1
                    last = before_t[j]
                rank_t[j] = rank
                j += 1
        for node in range(g_offsets[s], g_offsets[s + 1]):
            g_start[node] = rank_g[g_start[node]]
            g_end[node] = rank_g[g_end[node]]
        for node in range(t_offsets[s], t_offsets[s + 1]):
            t_start[node] = rank_t[t_start[node]]
            t_end[node] = rank_t[t_end[node]]
        word += n

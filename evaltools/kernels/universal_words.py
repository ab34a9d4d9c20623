"""Aligning the words of two tokenizations of a text, as the evaluation of the CoNLL 2018 shared task does."""

from __future__ import annotations

import numpy as np
from numba import njit
from numba.extending import register_jitable

from evaltools.kernels import CACHE

_MAX_CELLS = 1 << 22


@register_jitable
def _is_beyond(start, end, multiword, word, span_end):
    """Return whether a word lies beyond the end of a span."""
    if word >= start.shape[0]:
        return True
    if multiword[word]:
        return start[word] >= span_end
    return end[word] > span_end


@register_jitable
def _align_inside(g_form, t_form, gold_first, test_first, partner):
    """Align the words of a span by a longest common subsequence of their forms, the leftmost words first."""
    n, m = g_form.shape[0], t_form.shape[0]
    longest = np.zeros((n + 1, m + 1), np.int32)
    for i in range(n - 1, -1, -1):
        for j in range(m - 1, -1, -1):
            best = max(longest[i + 1, j], longest[i, j + 1])
            if g_form[i] == t_form[j]:
                best = max(best, longest[i + 1, j + 1] + 1)
            longest[i, j] = best
    i = 0
    j = 0
    while i < n and j < m:
        if g_form[i] == t_form[j]:
            partner[gold_first + i] = test_first + j
            i += 1
            j += 1
        elif longest[i, j] == longest[i + 1, j]:
            i += 1
        else:
            j += 1


@njit(cache=CACHE, nogil=True)
def align_universal_words(g_start, g_end, g_multi, g_form, t_start, t_end, t_multi, t_form):
    """Align words over the same characters.

    Words that are tokens are aligned if they are the same characters. Multiword tokens that overlap, with the words
    between them, make a span, in which words are aligned by a longest common subsequence of their forms. A word that
    begins before a span is left out of it if it is the next one; further ones before it are let in, as there.

    Parameters
    ----------
    g_start, g_end, t_start, t_end : ndarray of int64
        First character and end of the token of each gold word and of each test word, in ascending order.
    g_multi, t_multi : ndarray of bool
        Whether the token is a multiword token.
    g_form, t_form : ndarray of int32
        Number of the lower-cased form.

    Returns
    -------
    ndarray of int64
        For each gold word the index of the test word aligned with it, or -1.
    """
    n, m = g_start.shape[0], t_start.shape[0]
    partner = np.full(n, -1, np.int64)
    i = 0
    j = 0
    while i < n and j < m:
        if not (g_multi[i] or t_multi[j]):
            if g_start[i] == t_start[j] and g_end[i] == t_end[j]:
                partner[i] = j
                i += 1
                j += 1
            elif g_start[i] <= t_start[j]:
                i += 1
            else:
                j += 1
            continue
        if g_multi[i]:
            end = g_end[i]
            if not t_multi[j] and t_start[j] < g_start[i]:
                j += 1
        else:
            end = t_end[j]
            if g_start[i] < t_start[j]:
                i += 1
        first = i
        test_first = j
        while not (_is_beyond(g_start, g_end, g_multi, i, end) and _is_beyond(t_start, t_end, t_multi, j, end)):
            if i < n and (j >= m or g_start[i] <= t_start[j]):
                if g_multi[i]:
                    end = max(end, g_end[i])
                i += 1
            else:
                if t_multi[j]:
                    end = max(end, t_end[j])
                j += 1
        if i > first and j > test_first:
            _align_inside(g_form[first:i], t_form[test_first:j], first, test_first, partner)
    return partner


@njit(cache=CACHE, nogil=True)
def align_left_words(g_offsets, g_form, words, bounds, t_form, gold_of):
    """Align the words between aligned ones by a longest common subsequence of their forms.

    Parameters
    ----------
    g_offsets : ndarray of int64, shape (sentences + 1,)
        First gold word of each sentence.
    g_form, t_form : ndarray of int32
        Number of the form of each word.
    words : ndarray of int64
        Test words, sentence after sentence.
    bounds : ndarray of int64, shape (sentences + 1,)
        First of `words` of each sentence.
    gold_of : ndarray of int64, shape (test words,), input and output
        The gold word aligned with each test word, or -1. Gaps of more than four million pairs of words stay.
    """
    taken = np.zeros(g_form.shape[0], np.bool_)
    for j in range(gold_of.shape[0]):
        if gold_of[j] >= 0:
            taken[gold_of[j]] = True
    for s in range(bounds.shape[0] - 1):
        low = g_offsets[s]
        first = bounds[s]
        for k in range(bounds[s], bounds[s + 1] + 1):
            is_end = k == bounds[s + 1]
            if not is_end and gold_of[words[k]] < 0:
                continue
            high = g_offsets[s + 1] if is_end else gold_of[words[k]]
            if high > low and k > first and (high - low) * (k - first) <= _MAX_CELLS:
                g_left = np.empty(high - low, np.int64)
                g_gap = np.empty(high - low, np.int32)
                n = 0
                for i in range(low, high):
                    if not taken[i]:
                        g_left[n] = i
                        g_gap[n] = g_form[i]
                        n += 1
                t_gap = np.empty(k - first, np.int32)
                for j in range(first, k):
                    t_gap[j - first] = t_form[words[j]]
                partner = np.full(n, -1, np.int64)
                _align_inside(g_gap[:n], t_gap, 0, 0, partner)
                for i in range(n):
                    if partner[i] >= 0:
                        gold_of[words[first + partner[i]]] = g_left[i]
                        taken[g_left[i]] = True
            low = max(low, high + 1)
            first = k + 1

"""Sentences of ten columns without faults: bytes in, columns out."""

from __future__ import annotations

import numpy as np

from evaltools.kernels.compiling import kernel

__all__ = ["read_dependencies"]

_BYTES = "Array(uint8, 1, 'C', readonly=True)"
_TAB, _LINE_FEED, _RETURN, _HASH, _DASH, _ZERO = 9, 10, 13, 35, 45, 48
_MAX_DIGITS = 9


@kernel(f"int64({_BYTES}, int64, int64)", inner=True)
def _number(text, begin, end):
    """Return a decimal number of up to nine digits without leading zeros; -1 if it is none."""
    if end == begin or end - begin > _MAX_DIGITS or (text[begin] == _ZERO and end - begin > 1):
        return np.int64(-1)
    value = np.int64(0)
    for k in range(begin, end):
        digit = np.int64(text[k]) - _ZERO
        if digit < 0 or digit > 9:
            return np.int64(-1)
        value = 10 * value + digit
    return value


@kernel("boolean(int32[::1], int64, int64, boolean, int64[::1])", inner=True)
def _is_tree(head, first, n, one_root, seen):
    """Return whether the heads of the `n` words from the one with this index on lead to a root, the only one or not."""
    roots = 0
    for word in range(n):
        roots += head[first + word] < 0
        seen[word] = 0
    if roots == 0 or (one_root and roots > 1):
        return False
    for start in range(n):
        word = start
        while word >= 0 and seen[word] == 0:
            seen[word] = start + 1
            word = head[first + word]
        if word >= 0 and seen[word] == start + 1:
            return False
    return True


@kernel(f"({_BYTES}, int64[::1], int64[::1], boolean, boolean, int64)")
def read_dependencies(text, block_start, block_end, conllu, strip_returns, n_lines):
    """Read the sentences without faults and empty nodes; the others get no words.

    Parameters
    ----------
    text : ndarray of uint8
        The file.
    block_start, block_end : ndarray of int64
        Bounds of each sentence.
    conllu : bool
        Whether there are multiword tokens and enhanced dependencies, and one root.
    strip_returns : bool
        Whether carriage returns at the end of a line belong to the end of the line.
    n_lines : int64
        Number of lines, or more.

    Returns
    -------
    is_read : ndarray of bool, shape (sentences,)
        Which sentences were read.
    begin, end : ndarray of int64, shape (8, words)
        Bounds of FORM, LEMMA, UPOS, XPOS, FEATS, DEPREL and DEPS of each word, and of the form of its token.
    head : ndarray of int32, shape (words,)
        Position of the head in its sentence, -1 for a root.
    part : ndarray of uint8, shape (words,)
        0 for a word that is a token, 1 for the first word of a multiword token, 2 for its other words.
    offsets : ndarray of int64, shape (sentences + 1,)
        First word of each sentence, and the number of words.
    """
    n = block_start.shape[0]
    begin = np.empty((8, n_lines), np.int64)
    end = np.empty((8, n_lines), np.int64)
    head = np.empty(n_lines, np.int32)
    part = np.zeros(n_lines, np.uint8)
    offsets = np.zeros(n + 1, np.int64)
    is_read = np.zeros(n, np.bool_)
    cell = np.empty(11, np.int64)  # where each column begins, and behind the last one
    seen = np.empty(n_lines, np.int64)
    first = np.int64(0)
    for sentence in range(n):
        at = block_start[sentence]
        block = block_end[sentence]
        n_words = np.int64(0)
        range_end = np.int64(0)
        token = np.int64(0)
        token_end = np.int64(0)
        has_row = False
        good = True
        while at < block and good:
            if text[at] == _HASH:
                if has_row:
                    good = False
                while at < block and text[at] != _LINE_FEED:
                    at += 1
                at += 1
                continue
            has_row = True
            cell[0] = at
            column = 1
            while at < block:
                byte = text[at]
                if byte <= _LINE_FEED:
                    if byte == _LINE_FEED:
                        break
                    if byte == _TAB:
                        if column < 10:
                            cell[column] = at + 1
                        column += 1
                at += 1
            line_end = at
            at += 1
            if strip_returns:
                while line_end > cell[0] and text[line_end - 1] == _RETURN:
                    line_end -= 1
            cell[10] = line_end + 1
            if column != 10:
                good = False
                break
            for k in range(10):
                if cell[k + 1] - 1 <= cell[k]:
                    good = False
            if not good:
                break
            id_end = cell[1] - 1
            number = _number(text, cell[0], id_end)
            if number < 0:
                dash = cell[0]
                while dash < id_end and text[dash] != _DASH:
                    dash += 1
                last = _number(text, min(dash + 1, id_end), id_end)
                begins_here = _number(text, cell[0], dash) == n_words + 1
                if not conllu or not begins_here or n_words < range_end or last <= n_words:
                    good = False
                    break
                range_end = last
                token = cell[1]
                token_end = cell[2] - 1
                part[first + n_words] = 1
                continue
            if number != n_words + 1:
                good = False
                break
            word = first + n_words
            value = _number(text, cell[6], cell[7] - 1)
            if value < 0:
                good = False
                break
            head[word] = value - 1
            for field in range(7):
                column = field + 1 if field < 5 else field + 2
                begin[field, word] = cell[column]
                end[field, word] = cell[column + 1] - 1
            if n_words < range_end:
                begin[7, word] = token
                end[7, word] = token_end
                if part[word] == 0:
                    part[word] = 2
            else:
                begin[7, word] = begin[0, word]
                end[7, word] = end[0, word]
            n_words += 1
        good = good and n_words > 0 and n_words >= range_end
        if good:
            for word in range(first, first + n_words):
                if head[word] >= n_words:
                    good = False
        if good and _is_tree(head, first, n_words, conllu, seen):
            is_read[sentence] = True
            first += n_words
        else:
            part[first : first + n_words + 1] = 0
        offsets[sentence + 1] = first
    return is_read, begin[:, :first].copy(), end[:, :first].copy(), head[:first], part[:first], offsets

"""Labeled brackets: bytes in, postorder columns out."""

from __future__ import annotations

import numpy as np

from evaltools.kernels.compiling import kernel
from evaltools.kernels.string_table import slot_of

__all__ = ["BAD_CLOSE", "BAD_DEPTH", "BAD_OPEN", "BAD_TEXT", "MAX_DEPTH", "read_brackets"]

BAD_OPEN = 1
"""A bracket that is never closed."""
BAD_CLOSE = 2
"""A closing bracket without its opening one."""
BAD_TEXT = 3
"""Text outside any bracket."""
BAD_DEPTH = 4
"""A bracket inside too many others."""
MAX_DEPTH = 1 << 20
"""Maximum number of open brackets, which bounds the memory for any file."""

_BYTES = "Array(uint8, 1, 'C', readonly=True)"
_EIGHT = np.uint64(8)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@kernel("int64(int64[:, ::1], int64, int64, int64, int64, int64)", inner=True)
def _note(bad, n_bad, code, sentence, line, column):
    """List text that cannot be read; return the new length of the list."""
    bad[n_bad, 0] = code
    bad[n_bad, 1] = sentence
    bad[n_bad, 2] = line
    bad[n_bad, 3] = column
    return n_bad + 1


_TOKEN, _BLANK, _NEWLINE, _OPEN, _CLOSE = range(5)


@kernel(
    f"({_BYTES}, uint8, uint8, boolean, boolean, boolean, int64, int64, int64, int64,"
    " int64[::1], uint64[::1], int64[::1], int64[::1], uint8[::1], uint8[::1], int64, int64)"
)
def read_brackets(
    text, opening, closing, by_line, resync, preterminals, n_open, n_tokens, n_lines, n_close,
    table, keys, string_start, string_length, string_is_word, pool, n_strings, pool_used,
):  # fmt: skip
    """Read every tree of a file.

    Parameters
    ----------
    text : ndarray of uint8
        The file.
    opening, closing : uint8
        The two brackets.
    by_line : bool
        True if each line is one sentence; else a sentence ends where its brackets balance.
    resync : bool
        When a sentence may run over lines: an opening bracket without indentation starts a new one
        even if brackets are still open.
    preterminals : bool
        True if a node whose only child is a word is a preterminal.
    n_open, n_tokens, n_lines, n_close : int64
        Upper bounds: of brackets, words, lines.
    table : ndarray of int64, shape (a power of two,)
        Hash table from strings to their numbers, -1 where empty; kept from file to file.
    keys, string_start, string_length, string_is_word : ndarray, shape (capacity,)
        The distinct strings: key, place in `pool`, length in bytes, 1 for a form and 0 for a label. Up to eight
        bytes are their own key; a longer string's key is a hash of it.
    pool : ndarray of uint8
        The strings' bytes, with room for this file.
    n_strings, pool_used : int64
        Used lengths of these arrays.

    Returns
    -------
    symbol : ndarray of int32
        Number of the label or form among the distinct strings.
    parent, leftmost, start, end : ndarray of int32
        As in the treebank.
    kind : ndarray of uint8
        0 phrase, 1 preterminal, 2 word.
    offsets : ndarray of int64
        First node of each sentence, and the number of nodes.
    line : ndarray of int32
        Line of each sentence.
    text_start, text_end : ndarray of int64
        Bytes of each sentence.
    bad : ndarray of int64, shape (problems, 4)
        Kind, sentence (from 0), line and column (from 1) of what could not be read.
    n_strings : int64
        Distinct strings now; -1 if the arrays are full; everything else is undefined then.
    pool_used : int64
        Bytes of the pool in use now.
    """
    n = text.shape[0]
    max_nodes = n_close + n_tokens + 1  # a bracket becomes a node when it is closed
    symbol = np.empty(max_nodes, np.int32)
    parent = np.empty(max_nodes, np.int32)
    leftmost = np.empty(max_nodes, np.int32)
    start = np.empty(max_nodes, np.int32)
    end = np.empty(max_nodes, np.int32)
    kind = np.empty(max_nodes, np.uint8)
    max_sentences = (n_lines if by_line else min(n_open, n_close + n_lines)) + 2
    offsets = np.zeros(max_sentences, np.int64)
    line = np.zeros(max_sentences, np.int32)
    text_start = np.zeros(max_sentences, np.int64)
    text_end = np.zeros(max_sentences, np.int64)
    bad = np.empty((3 * n_lines + n_close + 3, 4), np.int64)
    mask = table.shape[0] - 1
    max_strings = min(keys.shape[0], table.shape[0] // 2)
    class_of = np.zeros(256, np.uint8)
    class_of[9:14] = _BLANK
    class_of[32] = _BLANK
    class_of[10] = _NEWLINE
    class_of[opening] = _OPEN
    class_of[closing] = _CLOSE

    # open brackets: symbol, first word, first pending child, line, column; and the pending roots below them
    stack = np.empty((min(n_open, MAX_DEPTH) + 1, 5), np.int64)
    pending = np.empty(max_nodes, np.int32)
    n_nodes = n_sentences = n_bad = depth = n_pending = n_words = first_node = 0
    current_line = 1
    line_begin = 0
    unreadable = False
    open_sentence = False
    at = 0

    while at <= n:
        at_end = at == n
        if at_end and by_line and line_begin == n:
            break
        token = _NEWLINE if at_end else class_of[text[at]]
        if token == _BLANK:
            at += 1
            continue
        starts_tree = resync and depth > 0 and token == _OPEN and at == line_begin
        if starts_tree or (token == _NEWLINE and (by_line or (at_end and open_sentence))):
            if depth > 0:
                n_bad = _note(bad, n_bad, BAD_OPEN, n_sentences, stack[depth - 1, 3], stack[depth - 1, 4])
                unreadable = True
            if not open_sentence:
                text_start[n_sentences] = line_begin
                line[n_sentences] = current_line
            if unreadable or n_words == 0:
                n_nodes = first_node
            text_end[n_sentences] = at
            n_sentences += 1
            first_node = n_nodes
            offsets[n_sentences] = n_nodes
            depth = n_pending = n_words = 0
            unreadable = open_sentence = False
        if token == _NEWLINE:
            at += 1
            current_line += 1
            line_begin = at
            continue

        if not open_sentence and (by_line or token == _OPEN):
            open_sentence = True
            text_start[n_sentences] = at
            line[n_sentences] = current_line

        if depth == 0 and token != _OPEN:
            code = BAD_CLOSE if token == _CLOSE else BAD_TEXT
            n_bad = _note(bad, n_bad, code, n_sentences, current_line, at - line_begin + 1)
            unreadable = by_line
            at += 1
            if by_line or token == _TOKEN:
                while at < n and text[at] != 10:
                    at += 1
            continue

        if token == _CLOSE:
            depth -= 1
            node = n_nodes - first_node
            begin = stack[depth, 2]
            symbol[n_nodes] = stack[depth, 0]
            parent[n_nodes] = -1
            start[n_nodes] = stack[depth, 1]
            end[n_nodes] = n_words
            kind[n_nodes] = 0
            leftmost[n_nodes] = node
            if n_pending > begin:
                child = first_node + pending[begin]
                leftmost[n_nodes] = leftmost[child]
                if preterminals and n_pending == begin + 1 and kind[child] == 2:
                    kind[n_nodes] = 1
            for k in range(begin, n_pending):
                parent[first_node + pending[k]] = node
            pending[begin] = node
            n_pending = begin + 1
            n_nodes += 1
            at += 1
            if depth == 0 and not by_line:
                if unreadable or n_words == 0:
                    n_nodes = first_node
                text_end[n_sentences] = at
                n_sentences += 1
                first_node = n_nodes
                offsets[n_sentences] = n_nodes
                n_pending = n_words = 0
                unreadable = open_sentence = False
            continue

        if token == _OPEN and depth == MAX_DEPTH:
            if not unreadable:
                n_bad = _note(bad, n_bad, BAD_DEPTH, n_sentences, current_line, at - line_begin + 1)
            unreadable = True
            level = 0
            while at < n:  # the text inside is skipped
                if text[at] == 10:
                    if by_line:
                        depth = 0
                        break
                    current_line += 1
                    line_begin = at + 1
                elif text[at] == opening:
                    if resync and at == line_begin:
                        break
                    level += 1
                elif text[at] == closing:
                    level -= 1
                at += 1
                if level == 0:
                    break
            continue

        # a bracket with its label and the word right after it, if one is there; or a word alone
        column = at - line_begin + 1
        opened_on = current_line
        label = np.int64(-1)
        is_word = np.uint8(1)
        if token == _OPEN:
            is_word = np.uint8(0)
            at += 1
            while at < n and (class_of[text[at]] == _BLANK or (class_of[text[at]] == _NEWLINE and not by_line)):
                if text[at] == 10:
                    current_line += 1
                    line_begin = at + 1
                at += 1
        number = np.int64(-1)
        while True:
            begin = at
            key = np.uint64(0)
            while at < n and class_of[text[at]] == _TOKEN:
                key = (key << _EIGHT) | np.uint64(text[at])
                at += 1
            length = at - begin
            if length > 8:
                for k in range(begin, at):
                    key = (key ^ np.uint64(text[k])) * _GOLDEN
                    key ^= key >> np.uint64(29)
            slot = slot_of(key, length, is_word, mask)
            number = np.int64(-1)
            while table[slot] >= 0:
                entry = table[slot]
                if keys[entry] == key and string_length[entry] == length and string_is_word[entry] == is_word:
                    same = True
                    if length > 8:
                        string_at = string_start[entry]
                        for k in range(length):
                            if text[begin + k] != pool[string_at + k]:
                                same = False
                                break
                    if same:
                        number = entry
                        break
                slot = (slot + 1) & mask
            if number < 0:
                if n_strings == max_strings:
                    break
                number = n_strings
                table[slot] = number
                keys[number] = key
                string_start[number] = pool_used
                string_length[number] = length
                string_is_word[number] = is_word
                for k in range(length):
                    pool[pool_used + k] = text[begin + k]
                pool_used += length
                n_strings += 1
            if is_word == 1:
                break
            label = number
            while at < n and class_of[text[at]] == _BLANK:
                at += 1
            if at == n or class_of[text[at]] != _TOKEN:
                break
            is_word = np.uint8(1)
        if number < 0:  # the arrays of strings are full
            n_strings = -1
            break
        if is_word == 0:
            stack[depth, 0] = label
            stack[depth, 1] = n_words
            stack[depth, 2] = n_pending
            stack[depth, 3] = opened_on
            stack[depth, 4] = column
            depth += 1
            continue
        node = n_nodes - first_node
        symbol[n_nodes] = number
        parent[n_nodes] = -1
        leftmost[n_nodes] = node
        start[n_nodes] = n_words
        end[n_nodes] = n_words + 1
        kind[n_nodes] = 2
        n_nodes += 1
        n_words += 1
        if label >= 0 and depth > 0 and at < n and class_of[text[at]] == _CLOSE:  # the usual (TAG word)
            parent[n_nodes - 1] = node + 1
            symbol[n_nodes] = label
            parent[n_nodes] = -1
            leftmost[n_nodes] = node
            start[n_nodes] = n_words - 1
            end[n_nodes] = n_words
            kind[n_nodes] = 1 if preterminals else 0
            n_nodes += 1
            node += 1
            at += 1
        elif label >= 0:
            stack[depth, 0] = label
            stack[depth, 1] = n_words - 1
            stack[depth, 2] = n_pending
            stack[depth, 3] = opened_on
            stack[depth, 4] = column
            depth += 1
        pending[n_pending] = node
        n_pending += 1

    return (
        symbol[:n_nodes],
        parent[:n_nodes],
        leftmost[:n_nodes],
        start[:n_nodes],
        end[:n_nodes],
        kind[:n_nodes],
        offsets[: n_sentences + 1],
        line[:n_sentences],
        text_start[:n_sentences],
        text_end[:n_sentences],
        bad[:n_bad],
        n_strings,
        pool_used,
    )

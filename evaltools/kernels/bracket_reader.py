"""Labelled brackets: bytes in, postorder columns out."""

from __future__ import annotations

import numpy as np
from numba import njit

__all__ = [
    "BAD_CLOSE",
    "BAD_OPEN",
    "BAD_TEXT",
    "measure",
    "read_brackets",
]

BAD_OPEN = 1
"""A bracket that is never closed."""
BAD_CLOSE = 2
"""A closing bracket without its opening one."""
BAD_TEXT = 3
"""Text outside any bracket."""

_BYTES = "Array(uint8, 1, 'C', readonly=True)"


@njit(f"({_BYTES}, uint8, uint8)", nogil=True, cache=True)
def measure(text, opening, closing):
    """Measure a file before it is read.

    Parameters
    ----------
    text : ndarray of uint8
        The file.
    opening, closing : uint8
        The two brackets.

    Returns
    -------
    ndarray of int64, shape (10,)
        Opening brackets; tokens; lines; lines that are not blank; of those, lines whose brackets balance
        and that begin without indentation; lines that do not balance; lines that begin with an opening bracket,
        without indentation, inside an open tree; depth at the end; lowest depth; closing brackets.
    """
    result = np.zeros(10, dtype=np.int64)
    depth = 0
    lowest = 0
    at = 0
    n = text.shape[0]
    while at < n:
        blank = True
        line_depth = 0
        line_lowest = 0
        first = at
        begins_bare = False
        in_token = False
        while at < n and text[at] != 10:
            c = text[at]
            if c == 32 or (9 <= c <= 13):
                in_token = False
            else:
                if blank and at == first and c == opening:
                    begins_bare = True
                    if depth > 0:
                        result[6] += 1
                blank = False
                if c == opening:
                    in_token = False
                    result[0] += 1
                    line_depth += 1
                elif c == closing:
                    in_token = False
                    result[9] += 1
                    line_depth -= 1
                    line_lowest = min(line_lowest, line_depth)
                elif not in_token:
                    in_token = True
                    result[1] += 1
            at += 1
        at += 1
        result[2] += 1
        lowest = min(lowest, depth + line_lowest)
        depth = max(depth + line_depth, 0)
        if not blank:
            result[3] += 1
            if line_depth == 0 and line_lowest >= 0:
                if begins_bare:
                    result[4] += 1
            else:
                result[5] += 1
    result[7] = depth
    result[8] = lowest
    return result


@njit(f"({_BYTES}, uint8, uint8, boolean, boolean, boolean, int64, int64, int64, int64, int64)", nogil=True, cache=True)
def read_brackets(text, opening, closing, by_line, resync, preterminals, n_open, n_tokens, n_lines, n_close, table_size):
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
        Bounds from :func:`measure`.
    table_size : int64
        Size of the hash table of distinct strings, a power of two. Where more than half of it would be
        filled, every array comes back empty and the caller tries again with a larger table.

    Returns
    -------
    symbol : ndarray of int64
        Number of the label or form among the file's distinct strings.
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
    string_start, string_length : ndarray of int64
        The distinct strings, as places in `text`.
    string_is_word : ndarray of uint8
        1 for a form, 0 for a label.
    bad : ndarray of int64, shape (problems, 4)
        Kind, sentence (from 0), line and column (from 1) of what could not be read.
    """
    n = text.shape[0]
    most = n_open + n_tokens + 1
    symbol = np.empty(most, np.int64)
    parent = np.empty(most, np.int32)
    leftmost = np.empty(most, np.int32)
    start = np.empty(most, np.int32)
    end = np.empty(most, np.int32)
    kind = np.empty(most, np.uint8)
    most_sentences = (n_lines if by_line else n_open) + 2
    offsets = np.zeros(most_sentences, np.int64)
    line = np.zeros(most_sentences, np.int32)
    text_start = np.zeros(most_sentences, np.int64)
    text_end = np.zeros(most_sentences, np.int64)
    bad = np.empty((2 * n_lines + n_close + 2, 4), np.int64)
    n_bad = 0

    table = np.full(table_size, -1, np.int64)
    most_strings = min(table_size // 2, most)
    hashes = np.empty(most_strings, np.int64)
    string_start = np.empty(most_strings, np.int64)
    string_length = np.empty(most_strings, np.int64)
    string_is_word = np.empty(most_strings, np.uint8)
    mask = table_size - 1
    n_strings = 0

    open_symbol = np.empty(n_open + 1, np.int64)
    open_start = np.empty(n_open + 1, np.int32)
    open_pending = np.empty(n_open + 1, np.int64)
    open_line = np.empty(n_open + 1, np.int64)
    open_column = np.empty(n_open + 1, np.int64)
    pending = np.empty(most, np.int32)

    n_nodes = 0
    n_sentences = 0
    depth = 0
    n_pending = 0
    n_words = 0
    first_node = 0
    current_line = 1
    line_begin = 0
    unreadable = False
    open_sentence = False
    at = 0

    while at <= n:
        at_end = at == n
        c = text[at] if not at_end else np.uint8(10)
        if at_end and by_line and n > 0 and line_begin == n:
            break

        new_line = c == 10
        starts_tree = resync and depth > 0 and c == opening and at == line_begin
        finish = False
        if new_line and (by_line or at_end):
            finish = by_line or open_sentence
        elif starts_tree:
            finish = True

        if finish:
            if depth > 0:
                bad[n_bad, 0] = BAD_OPEN
                bad[n_bad, 1] = n_sentences
                bad[n_bad, 2] = open_line[depth - 1]
                bad[n_bad, 3] = open_column[depth - 1]
                n_bad += 1
                unreadable = True
            if by_line and not open_sentence:
                text_start[n_sentences] = line_begin
                line[n_sentences] = current_line
            if unreadable or n_words == 0:
                n_nodes = first_node
            text_end[n_sentences] = at
            n_sentences += 1
            first_node = n_nodes
            offsets[n_sentences] = n_nodes
            depth = 0
            n_pending = 0
            n_words = 0
            unreadable = False
            open_sentence = False

        if new_line:
            at += 1
            current_line += 1
            line_begin = at
            continue
        if c == 32 or (9 <= c <= 13):
            at += 1
            continue

        if not open_sentence and (by_line or c == opening):
            open_sentence = True
            text_start[n_sentences] = at
            line[n_sentences] = current_line

        if c == closing:
            if depth == 0:
                bad[n_bad, 0] = BAD_CLOSE
                bad[n_bad, 1] = n_sentences
                bad[n_bad, 2] = current_line
                bad[n_bad, 3] = at - line_begin + 1
                n_bad += 1
                unreadable = by_line
                at += 1
                if by_line:
                    while at < n and text[at] != 10:
                        at += 1
                continue
            depth -= 1
            node = n_nodes
            begin = open_pending[depth]
            symbol[node] = open_symbol[depth]
            parent[node] = -1
            start[node] = open_start[depth]
            end[node] = n_words
            kind[node] = 0
            if n_pending > begin:
                leftmost[node] = leftmost[first_node + pending[begin]]
                if preterminals and n_pending == begin + 1 and kind[first_node + pending[begin]] == 2:
                    kind[node] = 1
            else:
                leftmost[node] = node - first_node
            for k in range(begin, n_pending):
                parent[first_node + pending[k]] = node - first_node
            pending[begin] = node - first_node
            n_pending = begin + 1
            n_nodes += 1
            at += 1
            if depth == 0 and not by_line:
                if n_words == 0:
                    n_nodes = first_node
                text_end[n_sentences] = at
                n_sentences += 1
                first_node = n_nodes
                offsets[n_sentences] = n_nodes
                n_pending = 0
                n_words = 0
                open_sentence = False
            continue

        # an opening bracket with its label, or a word
        is_label = c == opening
        column = at - line_begin + 1
        opened_on = current_line
        if is_label:
            at += 1
            while at < n and (text[at] == 32 or (9 <= text[at] <= 13 and text[at] != 10)):
                at += 1
        elif depth == 0:
            bad[n_bad, 0] = BAD_TEXT
            bad[n_bad, 1] = n_sentences
            bad[n_bad, 2] = current_line
            bad[n_bad, 3] = column
            n_bad += 1
            unreadable = by_line
            while at < n and text[at] != 10:
                at += 1
            continue
        token = at
        h = np.int64(1469598103 if is_label else 40503)
        while at < n:
            b = text[at]
            if b == 32 or (9 <= b <= 13) or b == opening or b == closing:
                break
            h = (h ^ np.int64(b)) * np.int64(1099511627)
            h ^= h >> np.int64(29)
            at += 1
        length = at - token
        h &= np.int64(0x7FFFFFFFFFFFFFFF)
        is_word = np.uint8(0 if is_label else 1)
        slot = h & mask
        found = np.int64(-1)
        while table[slot] >= 0:
            candidate = table[slot]
            if (
                hashes[candidate] == h
                and string_length[candidate] == length
                and string_is_word[candidate] == is_word
            ):
                other = string_start[candidate]
                same = True
                for k in range(length):
                    if text[token + k] != text[other + k]:
                        same = False
                        break
                if same:
                    found = candidate
                    break
            slot = (slot + 1) & mask
        if found < 0:
            found = n_strings
            if n_strings == most_strings:
                n_nodes = 0
                n_sentences = 0
                n_strings = 0
                n_bad = 0
                break
            table[slot] = found
            hashes[found] = h
            string_start[found] = token
            string_length[found] = length
            string_is_word[found] = is_word
            n_strings += 1

        if is_label:
            open_symbol[depth] = found
            open_start[depth] = n_words
            open_pending[depth] = n_pending
            open_line[depth] = opened_on
            open_column[depth] = column
            depth += 1
        else:
            node = n_nodes
            symbol[node] = found
            parent[node] = -1
            leftmost[node] = node - first_node
            start[node] = n_words
            n_words += 1
            end[node] = n_words
            kind[node] = 2
            pending[n_pending] = node - first_node
            n_pending += 1
            n_nodes += 1

    return (
        symbol[:n_nodes].copy(),
        parent[:n_nodes].copy(),
        leftmost[:n_nodes].copy(),
        start[:n_nodes].copy(),
        end[:n_nodes].copy(),
        kind[:n_nodes].copy(),
        offsets[: n_sentences + 1].copy(),
        line[:n_sentences].copy(),
        text_start[:n_sentences].copy(),
        text_end[:n_sentences].copy(),
        string_start[:n_strings].copy(),
        string_length[:n_strings].copy(),
        string_is_word[:n_strings].copy(),
        bad[:n_bad].copy(),
    )

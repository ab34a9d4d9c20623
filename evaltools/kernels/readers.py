"""Reading of trees: bytes in, columns out.

Labeled brackets become postorder columns, sentences of ten columns the columns of a dependency treebank. Strings have
numbers: a hash table from their bytes to the numbers is kept from file to file.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numba.extending import register_jitable

from evaltools.kernels import CACHE

_EIGHT = np.uint64(8)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@register_jitable
def slot_of(key, length, kind, mask):
    """Return the first slot of a string in the hash table."""
    h = (key ^ np.uint64(length * 2 + kind)) * _GOLDEN
    h = (h ^ (h >> np.uint64(32))) * _GOLDEN
    return np.int64(h >> np.uint64(32)) & mask


@njit(cache=CACHE, nogil=True)
def rehash(table, keys, string_length, string_kind, count):
    """Enter the first `count` strings into an empty hash table."""
    mask = table.shape[0] - 1
    for i in range(count):
        slot = slot_of(keys[i], string_length[i], string_kind[i], mask)
        while table[slot] >= 0:
            slot = (slot + 1) & mask
        table[slot] = i


@njit(cache=CACHE, nogil=True)
def number_strings(
    text, begin, end, kinds, table, keys, string_start, string_length, string_kind, pool, n_strings, pool_used
):
    """Return the numbers of the strings of some columns; new ones are entered.

    Parameters
    ----------
    text : ndarray of uint8
        Where the strings are.
    begin, end : ndarray of int64, shape (columns, rows)
        Their bounds.
    kinds : ndarray of uint8, shape (columns,)
        What the strings of a column are; equal strings of two kinds are two strings.
    table : ndarray of int64, shape (a power of two,)
        Hash table from strings to their numbers, -1 where empty.
    keys, string_start, string_length, string_kind : ndarray, shape (capacity,)
        The distinct strings: key, place in `pool`, length in bytes, kind. Up to eight bytes are their own key; a
        longer string's key is a hash of it.
    pool : ndarray of uint8
        The strings' bytes, with room for the new ones.
    n_strings, pool_used : int64
        Used lengths of these arrays.

    Returns
    -------
    numbers : ndarray of int64, shape (columns, rows)
        The numbers.
    n_strings : int64
        Distinct strings now; -1 if the arrays are full; everything else is undefined then.
    pool_used : int64
        Bytes of the pool in use now.
    """
    mask = table.shape[0] - 1
    max_strings = min(keys.shape[0], table.shape[0] // 2)
    numbers = np.empty(begin.shape, np.int64)
    for column in range(begin.shape[0]):
        kind = kinds[column]
        for row in range(begin.shape[1]):
            first = begin[column, row]
            length = end[column, row] - first
            key = np.uint64(0)
            if length <= 8:
                for k in range(length):
                    key = (key << _EIGHT) | np.uint64(text[first + k])
            else:
                for k in range(length):
                    key = (key ^ np.uint64(text[first + k])) * _GOLDEN
                    key ^= key >> np.uint64(29)
            slot = slot_of(key, length, kind, mask)
            number = np.int64(-1)
            while table[slot] >= 0:
                entry = table[slot]
                if keys[entry] == key and string_length[entry] == length and string_kind[entry] == kind:
                    same = True
                    if length > 8:
                        at = string_start[entry]
                        for k in range(length):
                            if text[first + k] != pool[at + k]:
                                same = False
                                break
                    if same:
                        number = entry
                        break
                slot = (slot + 1) & mask
            if number < 0:
                if n_strings >= max_strings:
                    return numbers, np.int64(-1), pool_used
                number = n_strings
                table[slot] = number
                keys[number] = key
                string_start[number] = pool_used
                string_length[number] = length
                string_kind[number] = kind
                for k in range(length):
                    pool[pool_used + k] = text[first + k]
                pool_used += length
                n_strings += 1
            numbers[column, row] = number
    return numbers, n_strings, pool_used


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


@register_jitable
def _note(bad, n_bad, code, sentence, line, column):
    """List text that cannot be read; return the new length of the list."""
    bad[n_bad, 0] = code
    bad[n_bad, 1] = sentence
    bad[n_bad, 2] = line
    bad[n_bad, 3] = column
    return n_bad + 1


_TOKEN, _BLANK, _NEWLINE, _OPEN, _CLOSE = range(5)


@njit(cache=CACHE, nogil=True)
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


@njit(cache=CACHE, nogil=True)
def measure_lines(text, opening, closing):
    """Measure how the lines of a file balance.

    Parameters
    ----------
    text : ndarray of uint8
        The file.
    opening, closing : uint8
        The two brackets.

    Returns
    -------
    ndarray of int64, shape (5,)
        Lines whose brackets balance and that begin with an opening bracket without indentation; lines that do not
        balance; lines that begin so inside an open tree; depth at the end; lowest depth.
    """
    result = np.zeros(5, dtype=np.int64)
    depth = 0
    n = text.shape[0]
    at = 0
    while at < n:
        bare = text[at] == opening
        if bare and depth > 0:
            result[2] += 1
        line_depth = 0
        line_lowest = 0
        while at < n and text[at] != 10:
            if text[at] == opening:
                line_depth += 1
            elif text[at] == closing:
                line_depth -= 1
                line_lowest = min(line_lowest, line_depth)
            at += 1
        at += 1
        result[4] = min(result[4], depth + line_lowest)
        depth = max(depth + line_depth, 0)
        if line_depth != 0 or line_lowest < 0:
            result[1] += 1
        elif bare:
            result[0] += 1
    result[3] = depth
    return result


@njit(cache=CACHE, nogil=True)
def cut_sentences(text, opening, closing, resync, max_sentences):
    """Find where the first sentences of a text end whose trees run over lines.

    Parameters
    ----------
    text : ndarray of uint8
        The text; it begins outside any tree.
    opening, closing : uint8
        The two brackets.
    resync : bool
        An opening bracket without indentation begins a new tree even if brackets are still open.
    max_sentences : int64
        Maximum number of sentences.

    Returns
    -------
    ndarray of int64, shape (2,)
        Number of complete sentences, and the position where the next one begins; text between two sentences belongs
        to the first.
    """
    result = np.zeros(2, dtype=np.int64)
    depth = 0
    line_begin = 0
    stray = False
    for at in range(text.shape[0]):
        c = text[at]
        if c == 10:
            line_begin = at + 1
            stray = False
        elif stray or c == 32 or 9 <= c <= 13:
            continue
        elif c == opening:
            if resync and depth > 0 and at == line_begin:
                depth = 0
                result[0] += 1
            if depth == 0:
                result[1] = at
                if result[0] == max_sentences:
                    return result
            depth += 1
        elif c == closing and depth > 0:
            depth -= 1
            if depth == 0:
                result[0] += 1
        elif depth == 0 and c != closing:
            stray = True  # text outside any bracket: the reader skips the rest of the line
    if depth == 0:
        result[1] = text.shape[0]
    return result


_TAB, _LINE_FEED, _RETURN, _HASH, _DASH, _ZERO, _COLON, _UNDERSCORE, _BAR = 9, 10, 13, 35, 45, 48, 58, 95, 124
_MAX_DIGITS = 9


@register_jitable
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


@register_jitable
def _last_head(text, begin, end):
    """Return the highest number of a head in a column DEPS; more than any number if an entry is no edge from a word."""
    highest = np.int64(0)
    if end - begin == 1 and text[begin] == _UNDERSCORE:
        return highest
    at = begin
    while at <= end:
        colon = at
        while colon < end and text[colon] != _COLON:
            colon += 1
        number = _number(text, at, colon)
        at = colon + 1
        while at < end and text[at] != _BAR:
            at += 1
        if number < 0 or at <= colon + 1:
            return np.int64(10**_MAX_DIGITS)
        highest = max(highest, number)
        at += 1
    return highest


@register_jitable
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


@njit(cache=CACHE, nogil=True)
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
        last_head = np.int64(0)
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
            last_head = max(last_head, value)
            if conllu:
                last_head = max(last_head, _last_head(text, cell[8], cell[9] - 1))
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
        good = good and n_words > 0 and n_words >= range_end and n_words >= last_head
        if good and _is_tree(head, first, n_words, conllu, seen):
            is_read[sentence] = True
            first += n_words
        else:
            part[first : first + n_words + 1] = 0
        offsets[sentence + 1] = first
    return is_read, begin[:, :first].copy(), end[:, :first].copy(), head[:first], part[:first], offsets

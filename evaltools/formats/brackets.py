"""What the bracket formats share: columns from the reader kernel, and writing one tree a line."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from evaltools.errors import Problem
from evaltools.formats.source import Source
from evaltools.treebank import Tree, Treebank, Vocabulary

__all__ = ["read_bracketed", "write_bracketed"]

_TABLE_SIZE = 1 << 16


def read_bracketed(
    source: Source, vocabulary: Vocabulary, brackets: str, *, format_name: str, preterminals: bool
) -> Treebank:
    """Read labelled brackets, one sentence a line or spread over lines.

    Which of the two it is follows from the file: where lines balance, each line is a sentence and
    a blank line a missing one, as for evalb; else a sentence ends where its brackets balance.

    Parameters
    ----------
    source : Source
        The bytes.
    vocabulary : Vocabulary
        Where labels and words get their numbers.
    brackets : str
        The opening and the closing bracket.
    format_name : str
        Name of the format, kept in the treebank.
    preterminals : bool
        Whether a node whose only child is a word is a preterminal.
    """
    from evaltools.kernels import bracket_reader as kernel

    opening, closing = brackets.encode()
    text = np.frombuffer(source.data, dtype=np.uint8)
    measures = kernel.measure(text, opening, closing)
    n_open, n_tokens, n_lines, _, bare, unbalanced, bare_inside, depth, lowest, n_close = measures.tolist()
    by_line = _one_tree_a_line(bare, unbalanced, bare_inside, balanced=depth == 0 and lowest >= 0)
    resync = not by_line and _has_indentation(source.data, brackets[0])
    table_size = _TABLE_SIZE
    while True:
        columns = kernel.read_brackets(
            text, opening, closing, by_line, resync, preterminals, n_open, n_tokens, n_lines, n_close, table_size
        )
        if len(columns[0]) or len(columns[13]) or not n_open or len(columns[6]) > 1:
            break
        table_size *= 8
    symbol, parent, leftmost, start, end, kind, offsets, line, text_start, text_end = columns[:10]
    string_start, string_length, string_is_word, bad = columns[10:]

    strings = [
        source.data[begin : begin + length].decode("utf-8", "backslashreplace")
        for begin, length in zip(string_start.tolist(), string_length.tolist(), strict=True)
    ]
    numbers = np.empty(len(strings), dtype=np.int32)
    for table, is_word in ((vocabulary.labels, 0), (vocabulary.words, 1)):
        chosen = np.flatnonzero(string_is_word == is_word)
        numbers[chosen] = table.add_all(strings[i] for i in chosen.tolist())
    problems = source.problems + _problems(bad, source, brackets)
    return Treebank(
        vocabulary=vocabulary,
        label=numbers[symbol],
        parent=parent,
        leftmost=leftmost,
        start=start,
        end=end,
        kind=kind,
        offsets=offsets,
        line=line,
        text_start=text_start,
        text_end=text_end,
        text=source.data,
        name=source.name,
        format=format_name,
        notation=format_name,
        digest=source.digest,
        problems=problems,
    )


def _one_tree_a_line(bare: int, unbalanced: int, bare_inside: int, *, balanced: bool) -> bool:
    """Decide from the measures of a file whether each of its lines is a sentence."""
    if unbalanced == 0:
        return True
    if balanced and (bare_inside == 0 or unbalanced * 2 >= bare):
        return False
    return bare >= unbalanced


def _has_indentation(data: bytes, opening: str) -> bool:
    return b"\n " in data or b"\n\t" in data


_FOUND = {
    1: ("unbalanced", "{open!r} that is never closed", "{close!r}"),
    2: ("unbalanced", "{close!r} without its opening bracket", "{open!r} before it"),
    3: ("text", "text outside any bracket: {text!r}", "{open!r}"),
}


def _problems(bad: np.ndarray, source: Source, brackets: str) -> list[Problem]:
    if not len(bad):
        return []
    lines = source.data.split(b"\n")
    problems = []
    for code, sentence, line, column in bad.tolist():
        kind, found, expected = _FOUND[code]
        text = lines[line - 1][column - 1 :].decode("utf-8", "backslashreplace").strip()
        text = text if len(text) <= 40 else text[:39] + "…"
        names = {"open": brackets[0], "close": brackets[1], "text": text}
        problems.append(
            Problem(kind, source.name, line, column, found.format(**names), expected.format(**names), sentence + 1)
        )
    return problems


def write_bracketed(trees: Iterable[Tree | None], notation: str, missing: str) -> str:
    """Write trees, one a line; None, a missing parse, as `missing`."""
    return "".join(f"{missing if tree is None or not tree.words else tree.to_string(notation)}\n" for tree in trees)

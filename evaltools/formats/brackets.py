"""What the bracket formats share: columns from the reader kernel, and writing one tree a line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaltools.errors import Problem, excerpt
from evaltools.formats.source import Source
from evaltools.formats.strings import KnownStrings
from evaltools.treebank import Kind, Tree, Treebank, Vocabulary

__all__ = ["INDENTED", "LINES", "SPREAD", "bracket_layout", "cut_bracketed", "read_bracketed", "write_bracketed"]

LINES, SPREAD, INDENTED = "lines", "spread", "indented"


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
    known = vocabulary.reader_state
    if not isinstance(known, KnownStrings):
        known = vocabulary.reader_state = KnownStrings()
    bounds = _bounds(text, opening, closing)

    def read(*, by_line: bool, resync: bool) -> tuple[Any, ...]:
        known.make_room(len(source.data), more_strings=False)
        while True:
            state = (known.count, known.used)
            columns: tuple[Any, ...] = kernel.read_brackets(
                text, opening, closing, by_line, resync, preterminals, *bounds, *known.arrays, *state
            )
            if columns[-2] >= 0:
                return columns
            known.make_room(len(source.data), more_strings=True)

    layout = source.layout
    if layout is None or layout == LINES:
        columns = read(by_line=True, resync=False)
        if layout is None and len(columns[10]):  # some lines cannot be read: perhaps trees run over lines
            layout = bracket_layout(source.data, brackets)
            if layout != LINES:
                known.learn(vocabulary, *columns[-2:])
    if layout in (SPREAD, INDENTED):
        columns = read(by_line=False, resync=layout == INDENTED)
    symbol, parent, leftmost, start, end, kind, offsets, line, text_start, text_end, bad = columns[:11]
    numbers = known.learn(vocabulary, *columns[-2:])
    treebank = Treebank(
        vocabulary=vocabulary,
        label=numbers[symbol],
        parent=parent,
        leftmost=leftmost,
        start=start,
        end=end,
        kind=kind,
        offsets=offsets,
        line=np.where(line > 0, line + np.int32(source.first_line - 1), 0).astype(np.int32),
        text_start=text_start,
        text_end=text_end,
        text=source.data,
        name=source.name,
        format=format_name,
        notation=format_name,
        digest=source.digest,
        first_sentence=source.first_sentence,
    )
    unreadable = _problems(bad, source, brackets)
    # between sentences that run over lines, what cannot be read is no part of one, unless never closed or too deep
    lost = bad[:, 1] if layout in (None, LINES) else bad[np.isin(bad[:, 0], (kernel.BAD_OPEN, kernel.BAD_DEPTH)), 1]
    treebank.problems = [
        *source.problems,
        *unreadable,
        *_without_words(treebank, lost, source.first_column),
        *_odd_brackets(treebank, brackets[0], source.first_line, source.first_column),
    ]
    return treebank


def bracket_layout(data: bytes, brackets: str) -> str:
    """Find out how the sentences of a file are told apart.

    Returns
    -------
    str
        :data:`LINES`: each line is a sentence. :data:`SPREAD`: a sentence ends where its brackets balance.
        :data:`INDENTED`: the same, and an opening bracket without indentation begins a new one in any case.
    """
    from evaltools.kernels.bracket_lines import measure_lines

    text = np.frombuffer(data, dtype=np.uint8)
    bare, unbalanced, bare_inside, depth, lowest = measure_lines(text, *brackets.encode()).tolist()
    if _one_tree_a_line(bare, unbalanced, bare_inside, balanced=depth == 0 and lowest >= 0):
        return LINES
    return INDENTED if b"\n " in data or b"\n\t" in data else SPREAD


def cut_bracketed(data: bytes, brackets: str, layout: str, most: int, *, last: bool) -> tuple[int, int]:
    """Find where the first sentences of a text end.

    Parameters
    ----------
    data : bytes
        The text, which begins where a sentence does.
    brackets : str
        The opening and the closing bracket.
    layout : str
        As :func:`bracket_layout` returns it.
    most : int
        How many sentences to find at most.
    last : bool
        Whether the text ends where the file does; what is left over then belongs to the last sentence.

    Returns
    -------
    (int, int)
        The number of sentences and the place where they end; fewer than `most` if the text holds no more.
    """
    text = np.frombuffer(data, dtype=np.uint8)
    if layout == LINES:
        ends = np.flatnonzero(text == ord("\n"))
        found = min(most, len(ends))
        place = int(ends[found - 1]) + 1 if found else 0
        if last and found < most and place < len(data):
            return found + 1, len(data)
        return found, place
    from evaltools.kernels.bracket_lines import cut_sentences

    found, place = cut_sentences(text, *brackets.encode(), layout == INDENTED, most).tolist()
    if last and found < most and data[place:].strip():
        return found + 1, len(data)
    if last and data.find(brackets[0].encode(), place) < 0:  # no sentence follows; what else does is read and listed
        return found, len(data)
    return found, place


def _one_tree_a_line(bare: int, unbalanced: int, bare_inside: int, *, balanced: bool) -> bool:
    """Decide from the measures of a file whether each of its lines is a sentence."""
    if unbalanced == 0:
        return True
    if balanced and (bare_inside == 0 or bare <= bare_inside):
        return False
    return bare >= unbalanced


def _bounds(text: NDArray[np.uint8], opening: int, closing: int) -> tuple[int, int, int, int]:
    """Bound the opening brackets, words, lines and closing brackets of a file from above."""
    n_open, n_close = int(np.count_nonzero(text == opening)), int(np.count_nonzero(text == closing))
    n_blank = int(np.count_nonzero((text == ord(" ")) | ((text >= 9) & (text <= 13))))
    n_lines = int(np.count_nonzero(text == ord("\n"))) + 1
    n_words = min(n_open + n_close + n_blank + 1, len(text) - n_open - n_close - n_blank)
    return n_open, n_words, n_lines, n_close


_FOUND = {
    1: ("unbalanced", "{open!r} that is never closed", "{close!r}"),
    2: ("unbalanced", "{close!r} without its opening bracket", "{open!r} before it"),
    3: ("text", "text outside any bracket: {text!r}", "{open!r}"),
    4: ("too_deep", "more than a million brackets open at one time", "a tree that is less deep"),
}


def _problems(bad: np.ndarray, source: Source, brackets: str) -> list[Problem]:
    if not len(bad):
        return []
    lines = source.data.split(b"\n")
    problems = []
    for code, sentence, line, column in bad.tolist():
        kind, found, expected = _FOUND[code]
        text = lines[line - 1][column - 1 : column + 160].decode("utf-8", "backslashreplace").strip()
        text = text if len(text) <= 40 else text[:39] + "…"
        names = {"open": brackets[0], "close": brackets[1], "text": text}
        problems.append(
            Problem(
                kind,
                source.name,
                line + source.first_line - 1,
                column + (source.first_column - 1 if line == 1 else 0),
                found.format(**names),
                expected.format(**names),
                sentence + source.first_sentence + 1,
            )
        )
    return problems


def _without_words(treebank: Treebank, lost: NDArray[np.int64], first_column: int) -> list[Problem]:
    """List trees that have labels and no words; they count as missing, as do ``(())`` and a blank line."""
    shortest = len("(S)")
    empty = (np.diff(treebank.offsets) == 0) & (treebank.text_end - treebank.text_start >= shortest)
    empty[lost[lost < len(empty)]] = False
    problems = []
    for sentence in np.flatnonzero(empty).tolist():
        start = int(treebank.text_start[sentence])
        text = treebank.text[start : treebank.text_end[sentence]]
        if text.translate(None, b"()[] \t\n\r\v\f"):
            line, number = int(treebank.line[sentence]), treebank.first_sentence + sentence + 1
            expected = "words, or (()) or a blank line for a missing parse"
            before = treebank.text.rfind(b"\n", 0, start)
            column = start - before + (first_column - 1 if before < 0 else 0)
            found = "a tree without words"
            problems.append(Problem("empty_bracket", treebank.name, line, column, found, expected, number))
    return problems


def _odd_brackets(treebank: Treebank, opening: str, first_line: int, first_column: int) -> list[Problem]:
    """List brackets without words, and those without a label that are not the outermost; they are kept as they are."""
    is_label = treebank.kind != Kind.WORD
    unlabelled = is_label & (treebank.label == treebank.vocabulary.labels.find("")) & (treebank.parent >= 0)
    empty = is_label & (treebank.start == treebank.end)
    if not (unlabelled | empty).any():
        return []
    text = np.frombuffer(treebank.text, dtype=np.uint8)
    opens, ends = np.flatnonzero(text == ord(opening)), np.flatnonzero(text == ord("\n"))
    places: dict[int, NDArray[np.int64]] = {}
    first = treebank.first_sentence
    problems = []
    for nodes, kind, found, expected in (
        (np.flatnonzero(unlabelled), "unlabelled", "a bracket without a label", "a label after the bracket"),
        (np.flatnonzero(empty), "empty_bracket", "a bracket without words", "at least one word in it"),
    ):
        sentences = np.searchsorted(treebank.offsets, nodes, side="right") - 1
        for node, sentence in zip(nodes.tolist(), sentences.tolist(), strict=True):
            start = int(treebank.start[node])
            what = f" {excerpt(treebank.vocabulary.labels[treebank.label[node]])} before word {start + 1}"
            if sentence not in places:
                places[sentence] = _opened_at(treebank, sentence, opens)
            line, column = int(treebank.line[sentence]), None
            at = int(places[sentence][node - treebank.offsets[sentence]])
            if at >= 0:
                before = int(np.searchsorted(ends, at))
                line, column = before + first_line, at - (int(ends[before - 1]) if before else -1)
                column += 0 if before else first_column - 1
            problem = found + what.replace("  ", " ")
            problems.append(Problem(kind, treebank.name, line, column, problem, expected, first + sentence + 1))
    return problems


def _opened_at(treebank: Treebank, sentence: int, opens: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return where in the text each node of a sentence opens; -1 for words, for all where brackets were left out."""
    nodes = slice(int(treebank.offsets[sentence]), int(treebank.offsets[sentence + 1]))
    labels = np.flatnonzero(treebank.kind[nodes] != Kind.WORD)
    own = opens[slice(*np.searchsorted(opens, (treebank.text_start[sentence], treebank.text_end[sentence])))]
    places = np.full(nodes.stop - nodes.start, -1, dtype=np.int64)
    if len(own) == len(labels):
        # of nodes in post-order, the one with the first descendant opens first, and of these the highest
        places[labels[np.lexsort((-labels, treebank.leftmost[nodes][labels]))]] = own
    return places


def write_bracketed(trees: Iterable[Tree | None], notation: str, missing: str) -> str:
    """Write trees, one a line; None, a missing parse, as `missing`."""
    return "".join(f"{missing if tree is None or not tree.words else tree.to_string(notation)}\n" for tree in trees)

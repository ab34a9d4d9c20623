"""What the bracket formats share: columns from the reader kernel, and writing one tree a line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Kind, Tree, Treebank, Vocabulary
from evaltools.corpus.bracket_text import NOTATIONS, Notation, bracket_in_word, is_numbered, split_positions
from evaltools.errors import InputError, ParameterError, Problem
from evaltools.formats.edges import IN_BRACKETS, after_comments, is_between, lines_between
from evaltools.formats.format import Format, each_written
from evaltools.formats.reader_strings import ReaderStrings
from evaltools.formats.source import Source
from evaltools.text import beginning, excerpt

_BEGINNING = 1 << 16
_MEASURED = 1 << 18
_MIN_BYTES = 20  # A shorter file is not refused for what stands outside its brackets
_MAX_OUTSIDE = 0.5
_BRACKET = re.compile(rb"[()]")
_LABEL = re.compile(rb"\([ \t\n\r\v\f]*([^() \t\n\r\v\f]*)")
_NOTATION = {"()": NOTATIONS["ptb"], "[]": NOTATIONS["sampson"]}
_AMR = re.compile(rb"\(\s*[^\s()]+\s*/\s")
_WORD = re.compile(rb"(?<![(])[ \t\n\r\v\f]([^() \t\n\r\v\f]+)")


LINES, SPREAD, INDENTED, EVALB_LINES = "lines", "spread", "indented", "evalb"
"""Layouts: one sentence a line, sentences over several lines with or without indentation, and lines as evalb reads
them, every one a sentence and a backslash part of a word."""


def read_bracketed(
    source: Source, vocabulary: Vocabulary, *, brackets: str, format_name: str, preterminals: bool
) -> Treebank:
    """Read labeled brackets, one sentence a line or spread over lines."""
    # Which of the two it is follows from the file: where lines balance, each line is a sentence and a blank line a
    # missing one, as for evalb; else a sentence ends where its brackets balance.
    from evaltools.kernels import readers as kernel

    opening, closing = brackets.encode()
    if source.layout != EVALB_LINES:
        source = replace(source, data=without_escapes(source.data, brackets))
    text = np.frombuffer(source.data, dtype=np.uint8)
    strings = ReaderStrings.of(vocabulary)
    bounds = _bounds(text, opening, closing)

    def read(*, by_line: bool, resync: bool) -> tuple[Any, ...]:
        strings.grow(len(source.data), more_strings=False)
        while True:
            state = (strings.count, strings.used)
            columns: tuple[Any, ...] = kernel.read_brackets(
                text, opening, closing, by_line, resync, preterminals, *bounds, *strings.arrays, *state
            )
            if columns[-2] >= 0:
                return columns
            strings.grow(len(source.data), more_strings=True)

    layout = source.layout
    if layout in (None, LINES, EVALB_LINES):
        columns = read(by_line=True, resync=False)
        if layout is None and len(columns[10]):  # some lines cannot be read: perhaps trees run over lines
            layout = bracket_layout(source.data, brackets)
            if layout != LINES:
                strings.add_to_vocabulary(vocabulary, *columns[-2:])
    if layout in (SPREAD, INDENTED):
        columns = read(by_line=False, resync=layout == INDENTED)
    symbol, parent, leftmost, start, end, kind, offsets, line, text_start, text_end, bad = columns[:11]
    noting = _Noting(source, brackets)
    if layout in (None, LINES):
        of_sentences = offsets[1:], line, text_start, text_end
        (ends, line, text_start, text_end), bad = noting.without_lines_between(of_sentences, bad)
        offsets = np.concatenate((offsets[:1], ends))
    elif layout != EVALB_LINES:
        bad = noting.without_comments(bad)
    numbers = strings.add_to_vocabulary(vocabulary, *columns[-2:])
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
    source.log.has_trees |= bool(len(symbol))
    return replace(treebank, problems=noting.problems(treebank, bad, over_lines=layout in (SPREAD, INDENTED)))


def without_escapes(data: bytes, brackets: str, *, keep_length: bool = False) -> bytes:
    r"""Write the brackets in words that have a backslash before them as the Penn Treebank does.

    A word may end in a backslash. ``\)`` in a line without ``\(`` is an escape only if a line with a whole tree has
    more closing than opening brackets, or if another closing bracket follows in a tree over several lines.

    Parameters
    ----------
    data : bytes
        Text in brackets.
    brackets : str
        The opening and the closing bracket.
    keep_length : bool
        True to overwrite the brackets, for their positions.

    Returns
    -------
    bytes
        The text.

    Examples
    --------
    >>> without_escapes(b"(S (-LRB- \\() (N a) (-RRB- \\)))", "()")
    b'(S (-LRB- -LRB-) (N a) (-RRB- -RRB-))'
    >>> without_escapes(b"(S (SYM \\) (N a))", "()")
    b'(S (SYM \\) (N a))'
    """
    opening, closing = (bracket.encode() for bracket in brackets)
    escaped_opening, escaped_closing = b"\\" + opening, b"\\" + closing
    if b"\\" not in data or (escaped_opening not in data and escaped_closing not in data):
        return data
    escapes = [b"__", b"__"] if keep_length else [text.encode() for text in _NOTATION[brackets].escapes]

    def written(match: re.Match[bytes]) -> bytes:
        line = match[0]
        if escaped_opening not in line:
            is_whole = line.startswith(opening) and data[match.end() : match.end() + 2] not in (b"\n ", b"\n\t")
            surplus = line.count(closing) > line.count(opening)
            if not (surplus if is_whole else escaped_closing + closing in line):
                return line
        return line.replace(escaped_opening, escapes[0]).replace(escaped_closing, escapes[1])

    return re.sub(rb"^[^\n]*\\[()\[\]][^\n]*", written, data, flags=re.MULTILINE)


def bracket_layout(data: bytes, brackets: str) -> str:
    """Detect the layout of the sentences of a file."""
    from evaltools.kernels.readers import measure_lines

    text = np.frombuffer(without_escapes(data, brackets, keep_length=True), dtype=np.uint8)
    bare, unbalanced, bare_inside, depth, lowest = measure_lines(text, *brackets.encode()).tolist()
    if _one_tree_a_line(bare, unbalanced, bare_inside, balanced=depth == 0 and lowest >= 0):
        return LINES
    return INDENTED if b"\n " in data or b"\n\t" in data else SPREAD


def outside_brackets(data: bytes, brackets: str) -> tuple[int, int, float]:
    r"""Measure the lines that begin outside any bracket, and with something else than a bracket or NUL bytes.

    Comments, markup and headings do not count.

    Parameters
    ----------
    data : bytes
        The file; its first 256 KiB are measured.
    brackets : str
        The opening and the closing bracket.

    Returns
    -------
    tuple of (int, int, float)
        Number of such lines, number of lines that are not blank, and share of the characters that are in such lines,
        from 0 to 1.

    Examples
    --------
    >>> outside_brackets(b"Trees (a list)\n(S (N dogs))\n\n(S\n dogs)\n", "()")[:2]
    (1, 4)
    """
    opening, closing = (bracket.encode() for bracket in brackets)
    n_outside = n_lines = characters = outside = depth = 0
    for line in data[:_MEASURED].split(b"\n"):
        text = line.strip(b" \t\r\f\v\0")
        if not text:  # a bracket that is never closed ends here, and where a line begins with the next one
            depth = 0
            continue
        if line.startswith(opening):
            depth = 0
        if depth == 0 and is_between(line, 0):
            continue
        n_lines += 1
        characters += len(text)
        if depth == 0 and not text.startswith((opening, closing)):
            n_outside += 1
            outside += len(text)
        depth = max(depth + line.count(opening) - line.count(closing), 0)
    return n_outside, n_lines, outside / characters if characters else 0.0


def has_phrases(data: bytes) -> bool:
    """Return whether a line begins with a bracket and another one in it, which is rare in prose."""
    return re.search(rb"^[ \t]*[(\[]\s*[^\s()\[\]]*\s*[(\[]", data[:_MEASURED], re.MULTILINE) is not None


def is_mostly_text(data: bytes, brackets: str) -> bool:
    """Return whether more than half of a file is text outside brackets, as in prose or a table."""
    return len(data) >= _MIN_BYTES and outside_brackets(data, brackets)[2] > _MAX_OUTSIDE


def cut_bracketed(data: bytes, layout: str, max_sentences: int, *, brackets: str, last: bool) -> tuple[int, int]:
    """Find where the first sentences of a text end."""
    if layout in (LINES, EVALB_LINES):
        ends = np.flatnonzero(np.frombuffer(data, dtype=np.uint8) == ord("\n")) + 1
        if last and data and not data.endswith(b"\n"):
            ends = np.append(ends, len(data))
        if layout == LINES:
            return _cut_lines(data, ends, max_sentences, brackets[0], last=last)
        count = min(max_sentences, len(ends))
        return count, int(ends[count - 1]) if count else 0
    from evaltools.kernels.readers import cut_sentences

    text = np.frombuffer(without_escapes(data, brackets, keep_length=True), dtype=np.uint8)
    count, end = cut_sentences(text, *brackets.encode(), layout == INDENTED, max_sentences).tolist()
    if last and count < max_sentences and data[end:].strip():
        return count + 1, len(data)
    if last and data.find(brackets[0].encode(), end) < 0:  # no sentence follows; what else does is read and listed
        return count, len(data)
    return count, end


def _cut_lines(
    data: bytes, ends: NDArray[np.int64], max_sentences: int, opening: str, *, last: bool
) -> tuple[int, int]:
    """Find where the first sentences of a text of one tree a line end, whose lines end at `ends`."""
    n_lines = len(ends) - (not last)  # whether a blank line is a sentence depends on the next line
    n = max_sentences
    while n_lines > 0 and n > 0:
        n = min(n, n_lines)
        between = lines_between(data[: ends[min(n, len(ends) - 1)]], opening)[:n]
        lines = np.flatnonzero(~between)
        if len(lines) >= max_sentences:
            return max_sentences, int(ends[lines[max_sentences - 1]])
        if n == n_lines:
            return len(lines), len(data) if last else int(ends[lines[-1]]) if len(lines) else 0
        n *= 2
    return 0, 0


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


_MESSAGES = {
    1: ("unbalanced", "{opening!r} that is never closed", "{closing!r}"),
    2: ("unbalanced", "{closing!r} without its opening bracket", "{opening!r} before it"),
    3: ("text", "text outside any bracket: {text!r}", "{opening!r}"),
    4: ("too_deep", "more than a million brackets open at one time", "a tree that is less deep"),
}
"""What is said of what the kernel could not read, by its code: kind of the problem, what was found and expected."""


class _Noting:
    """Notes what is wrong with a text in brackets: of each kind the first, with their line and column."""

    # `bad` are the rows of what the kernel could not read: code, sentence, line and column.

    def __init__(self, source: Source, brackets: str) -> None:
        self._source, self._brackets = source, brackets
        self._data, self._opening = source.data, brackets[0]
        self._noted: list[Problem] = []

    @cached_property
    def _line_starts(self) -> NDArray[np.int64]:
        text = np.frombuffer(self._data, dtype=np.uint8)
        return np.concatenate(([0], np.flatnonzero(text == ord("\n")) + 1))

    def without_lines_between(
        self, of_sentences: tuple[NDArray[Any], ...], bad: NDArray[np.int64]
    ) -> tuple[tuple[NDArray[Any], ...], NDArray[np.int64]]:
        """Take comments and markup from the sentences and the bad rows of a file of one tree a line."""
        between = lines_between(self._data, self._opening)
        if not between.any():
            return of_sentences, bad
        is_comment = between[bad[:, 1]]
        self._count_comments(np.unique(bad[is_comment, 1]))
        bad = bad[~is_comment]
        bad[:, 1] -= np.cumsum(between)[bad[:, 1]]
        return tuple(column[~between] for column in of_sentences), bad

    def without_comments(self, bad: NDArray[np.int64]) -> NDArray[np.int64]:
        """Take comments and markup from the bad rows of a file of trees over several lines."""
        from evaltools.kernels.readers import BAD_TEXT

        is_comment = bad[:, 0] == BAD_TEXT
        for row in np.flatnonzero(is_comment).tolist():
            is_comment[row] = is_between(self._data, self._start(bad[row]))
        self._count_comments(bad[is_comment, 2] - 1)
        kept: NDArray[np.int64] = bad[~is_comment]
        return kept

    def problems(self, treebank: Treebank, bad: NDArray[np.int64], *, over_lines: bool) -> list[Problem]:
        """Return the problems of the source and of the trees that were read from it."""
        from evaltools.kernels.readers import BAD_DEPTH, BAD_OPEN

        is_label = treebank.kind != Kind.WORD
        nameless = is_label & (treebank.label == treebank.vocabulary.labels.find("")) & (treebank.parent >= 0)
        odd = {"unlabeled": np.flatnonzero(nameless)}
        odd["empty_bracket"] = np.flatnonzero(is_label & (treebank.start == treebank.end))
        of_nodes = [np.searchsorted(treebank.offsets, nodes, side="right") - 1 for nodes in odd.values()]
        in_words = self._count_parentheses(treebank, np.concatenate((bad[:, 1], *of_nodes)))
        bad = bad[~in_words[bad[:, 1]]]
        # between sentences that run over lines, what cannot be read is no part of one, unless never closed or too deep
        lost = bad[np.isin(bad[:, 0], (BAD_OPEN, BAD_DEPTH))] if over_lines else bad
        self._note_bad(bad)
        self._note_empty_trees(treebank, np.concatenate((lost[:, 1], np.flatnonzero(in_words))))
        for (kind, nodes), sentences in zip(odd.items(), of_nodes, strict=True):
            is_noted = ~in_words[sentences]
            self._note_nodes(treebank, kind, nodes[is_noted], sentences[is_noted])
        return [*self._source.problems, *self._noted]

    def _note(self, kind: str, at: int, sentence: int, found: str, expected: str) -> None:
        """Note a problem of a sentence at a byte."""
        line = int(np.searchsorted(self._line_starts, at, side="right"))
        column = at - int(self._line_starts[line - 1]) + (self._source.first_column if line == 1 else 1)
        position = self._source.name, line + self._source.first_line - 1, column
        self._noted.append(Problem(kind, *position, found, expected, sentence + self._source.first_sentence + 1))

    def _start(self, row: NDArray[np.int64]) -> int:
        """Return the byte at which the text of a bad row begins."""
        return int(self._line_starts[row[2] - 1] + row[3] - 1)

    def _line_from(self, at: int) -> str:
        """Return the beginning of the text of a line from a byte on."""
        return self._data[at : at + 161].split(b"\n")[0].strip(b" \t\r\v\f").decode("utf-8", "backslashreplace")

    def _count_comments(self, lines: NDArray[np.int64]) -> None:
        if len(lines):
            text = excerpt(self._line_from(int(self._line_starts[lines[0]])))
            found = f"comments, markup or headings between the trees (lines: {{n}}), the first one {text!r}"
            line = int(lines[0]) + self._source.first_line
            problem = Problem("comments", self._source.name, line, None, found, "trees; these lines are skipped")
            self._source.log.count(problem, len(lines))

    def _count_parentheses(self, treebank: Treebank, suspects: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Count the suspects whose words have brackets in them; return which they are of all, and of what is behind."""
        first: Problem | None = None
        in_words = np.zeros(len(treebank) + 1, dtype=np.bool_)
        for sentence in np.unique(suspects[suspects < len(treebank)]).tolist():
            start, end = int(treebank.text_start[sentence]), int(treebank.text_end[sentence])
            match = bracket_in_word(self._data[start:end], self._brackets)
            if match is None:
                continue
            in_words[sentence] = True
            if first is None:
                names = "parentheses" if self._brackets == "()" else "brackets"
                text = excerpt(match[0].decode("utf-8", "backslashreplace"))
                found = f"{names} in words (sentences: {{n}}), such as {text!r}"
                expected = f"no {names} in words; write {' and '.join(_NOTATION[self._brackets].escapes)}"
                line = int(treebank.line[sentence]) + self._data.count(b"\n", start, start + match.start())
                first = Problem("parentheses", self._source.name, line, None, found, expected)
        if first is not None:
            self._source.log.count(first, int(in_words.sum()))
        return in_words

    def _note_bad(self, bad: NDArray[np.int64]) -> None:
        is_noted = np.zeros(len(bad), dtype=np.bool_)
        for kind in dict.fromkeys(_MESSAGES[code][0] for code in np.unique(bad[:, 0]).tolist()):
            codes = [code for code, (of_code, _, _) in _MESSAGES.items() if of_code == kind]
            rows = np.flatnonzero(np.isin(bad[:, 0], codes))
            is_noted[rows[: self._source.log.room(kind, len(rows))]] = True
        for row in bad[is_noted]:
            kind, found, expected = _MESSAGES[int(row[0])]
            at = self._start(row)
            names = {"opening": self._opening, "closing": self._brackets[1], "text": beginning(self._line_from(at), 40)}
            self._note(kind, at, int(row[1]), found.format(**names), expected.format(**names))

    def _note_empty_trees(self, treebank: Treebank, lost: NDArray[np.int64]) -> None:
        """Note trees that have labels and no words; they count as missing, as do ``(())`` and a blank line."""
        shortest, missing = len("(S)"), f"{2 * self._brackets[0]}{2 * self._brackets[1]}"
        empty = (np.diff(treebank.offsets) == 0) & (treebank.text_end - treebank.text_start >= shortest)
        empty[lost[lost < len(empty)]] = False
        expected = f"words, or {missing} or a blank line for a missing parse"
        for sentence in np.flatnonzero(empty).tolist():
            start = int(treebank.text_start[sentence])
            text = self._data[start : treebank.text_end[sentence]]
            has_labels = text.translate(None, f"()[]{self._brackets} \t\n\r\v\f".encode())
            if has_labels and self._source.log.room("empty_bracket", 1):
                self._note("empty_bracket", start, sentence, "a tree without words", expected)

    def _note_nodes(
        self, treebank: Treebank, kind: str, nodes: NDArray[np.int64], sentences: NDArray[np.int64]
    ) -> None:
        """Note brackets without a label or without words; they are kept as they are."""
        n_noted = self._source.log.room(kind, len(nodes))
        for node, sentence in zip(nodes[:n_noted].tolist(), sentences[:n_noted].tolist(), strict=True):
            where = f"before word {int(treebank.start[node]) + 1}"
            found, expected = f"a bracket without a label {where}", "a label after the bracket"
            if kind == "empty_bracket":
                label = excerpt(treebank.vocabulary.labels[treebank.label[node]])
                found = f"a bracket without words {f'{label} ' if label else ''}{where}"
                expected = "at least one word in it"
            at = self._opening_of(treebank, sentence, node)
            self._note(kind, int(treebank.text_start[sentence]) if at is None else at, sentence, found, expected)
            if at is None:
                line = int(treebank.line[sentence])
                self._noted[-1] = replace(self._noted[-1], line=line, column=None)

    def _opening_of(self, treebank: Treebank, sentence: int, node: int) -> int | None:
        """Return the byte at which a node opens; None where brackets of the sentence were left out."""
        nodes = slice(int(treebank.offsets[sentence]), int(treebank.offsets[sentence + 1]))
        start, end = int(treebank.text_start[sentence]), int(treebank.text_end[sentence])
        openings = np.flatnonzero(np.frombuffer(self._data[start:end], dtype=np.uint8) == ord(self._opening))
        labels = np.flatnonzero(treebank.kind[nodes] != Kind.WORD)
        if len(openings) != len(labels):
            return None
        # of nodes in post-order, the one with the first descendant opens first, and of these the highest
        in_order = labels[np.lexsort((-labels, treebank.leftmost[nodes][labels]))]
        return start + int(openings[np.flatnonzero(in_order == node - nodes.start)[0]])


def with_positions(raw: Treebank, vocabulary: Vocabulary, *, always: bool, unescape: bool) -> Treebank:
    """Remove the positions from the words and order the nodes; list trees with wrong positions as missing."""
    missing = Tree((), (), (), (), ())
    trees, problems = [], []
    for sentence in range(len(raw)):
        tree = raw.tree(sentence)
        if always or is_numbered(tree.words):
            try:
                forms, positions = split_positions(tree.labels, tree.kinds, unescape=unescape)
            except InputError as error:
                number, line = raw.first_sentence + sentence + 1, int(raw.line[sentence])
                problem = error.problem
                problems.append(Problem(problem.kind, raw.name, line, None, problem.found, problem.expected, number))
                tree = missing
            else:
                tree = _numbered(tree, forms, positions)
        trees.append(tree)
    ordered = raw.with_words(Treebank.from_trees(trees, vocabulary))
    return replace(ordered, vocabulary=vocabulary, problems=[*raw.problems, *problems])


def _numbered(tree: Tree, forms: list[str], positions: list[int]) -> Tree:
    """Put the nodes in order, unless they are, as in most sentences."""
    in_order = [position for position in positions if position >= 0] == list(range(len(tree.words)))
    if in_order and all(map(int.__lt__, tree.starts, tree.ends)):
        return replace(tree, labels=tuple(forms))
    return Tree.from_nodes(forms, positions, tree.parents, tree.kinds)


def begins_tree(data: bytes, brackets: str) -> bool:
    """Return whether a text begins with a bracket around a word or another bracket that is not empty.

    Examples
    --------
    >>> begins_tree(b"(()) ( (S (N dogs)))", "()"), begins_tree(b"(a)", "()"), begins_tree(b"(b / boy)", "()")
    (True, False, False)
    """
    opening, closing = (re.escape(bracket.encode()) for bracket in brackets)
    openings, text = rb"(?:%b\s*)+" % opening, rb"[^\s%b%b]" % (opening, closing)
    empty = rb"\s*(?:%b(?:%b\s*)+)*" % (openings, closing)
    tree = empty + openings + rb"%b+\s*(?:%b|(?<=\s)%b)" % (text, opening, text)
    return re.match(tree, data) is not None and _AMR.match(data) is None


def first_tree(data: bytes) -> bytes:
    """Return the text of the first tree with labels; nothing if the file does not begin with a round bracket."""
    text = after_comments(data[:_BEGINNING])
    if not text.startswith(b"("):
        return b""
    depth = start = 0
    for bracket in _BRACKET.finditer(text):
        depth += 1 if bracket[0] == b"(" else -1
        if depth <= 0:
            tree = text[start : bracket.end()]
            if tree.translate(None, b"() \t\n\r\v\f"):
                return tree
            start, depth = bracket.end(), 0
    return text[start:]


def first_labels(data: bytes) -> list[bytes]:
    """Return the labels of the first tree of a file in round brackets; none if it does not begin with one.

    Examples
    --------
    >>> first_labels(b"(()) (S ( NP dogs)) (VP bark)")
    [b'S', b'NP']
    """
    return [label for label in _LABEL.findall(first_tree(data)) if label]


def first_words(data: bytes) -> list[bytes]:
    """Return the words of the first tree of a file in round brackets; none if it does not begin with one.

    Examples
    --------
    >>> first_words(b"(()) (S (NP 0=dogs))")
    [b'0=dogs']
    """
    return _WORD.findall(first_tree(data))


def write_bracketed(trees: Iterable[Tree | None], *, notation: str | Notation, missing: str) -> str:
    """Write trees, one a line; None, a missing parse, as `missing`."""

    def line(tree: Tree | None, _: int) -> str:
        if tree is None or not tree.words:
            return f"{missing}\n"
        if notation == "discbracket" and any(start == end for start, end in zip(tree.starts, tree.ends, strict=True)):
            raise ParameterError("discbracket cannot hold a bracket without words")
        return f"{tree.to_string(notation)}\n"

    return "".join(each_written(trees, line))


def bracket_format(
    name: str,
    title: str,
    looks_like: Callable[[bytes], object],
    *,
    brackets: str = "()",
    holds: type = Treebank,
    **members: Any,
) -> Format:
    """Return a format of brackets; what it does otherwise than the Penn Treebank is given as members of Format."""
    missing = 2 * brackets[0] + 2 * brackets[1]
    usual = {
        "layout": partial(bracket_layout, brackets=brackets),
        "cut": partial(cut_bracketed, brackets=brackets),
        "read": partial(read_bracketed, brackets=brackets, format_name=name, preterminals=True),
        "write": partial(write_bracketed, notation=members.get("notation", name), missing=missing),
    }
    known: dict[str, Any] = usual | members
    return Format(
        name=name, title=title, holds=holds, looks_like=looks_like, edges=IN_BRACKETS, brackets=brackets, **known
    )

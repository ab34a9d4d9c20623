"""Formats whose sentences are blocks of lines with an empty line after each."""

from __future__ import annotations

import re
import tempfile
import weakref
from collections.abc import Callable, Iterator
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus.dependency_text import all_without_spaces
from evaltools.corpus.sentence_ids import SentenceIds, sentence_ids
from evaltools.errors import InputError, Problem

SMALL = 1 << 16
"""Bytes; no kernel is loaded to read less."""
_IN_MEMORY = 1 << 26
_READ_BLOCK = 1 << 22
_IS_TEXT = np.ones(256, dtype=bool)
_IS_TEXT[list(b" \t\n\r\v\f")] = False

# the row of a form that is a line break goes over several lines
_TOKEN = re.compile(rb"^([0-9]+)(?:-([0-9]+))?\t([^\t\r\n]*)(?:\r?\n[ \r\n]*)?\t", re.MULTILINE)
_NUMBER = re.compile(rb"([0-9]{1,9})(?:-[0-9]+)?[\t ]")
_BROKEN_OFF = re.compile(rb"[0-9]+\t\s*")

_NAMES_A_SENTENCE = re.compile(rb"^#\s*(?:(?:sent_id|text)\s*=|no parse\s*$)", re.MULTILINE)


class Blocks(NamedTuple):
    """The blocks of a text."""

    start: NDArray[np.int64]  # Bounds of each block in bytes; the end includes the line feed
    end: NDArray[np.int64]
    first: NDArray[np.int64]  # Numbers of its first and last line, from 0
    last: NDArray[np.int64]
    is_sentence: NDArray[np.bool_]  # False for a block of comments that names no sentence
    n_lines: int  # Number of lines, including a last one without line feed


def find_blocks(data: bytes) -> Blocks:
    """Find the blocks of a text: lines that are not blank, between those that are.

    A block that goes on with the last row or the numbers of the one before belongs to it.
    """
    text = np.frombuffer(data, dtype=np.uint8)
    starts = np.concatenate(([0], np.flatnonzero(text == ord("\n")) + 1))
    if starts[-1] == len(text):
        starts = starts[:-1]
    if not len(starts):
        none = np.zeros(0, dtype=np.int64)
        return Blocks(none, none, none, none, none.astype(bool), 0)
    ends = np.concatenate((starts[1:], [len(text)]))
    filled = _IS_TEXT[text[starts]]
    for line in np.flatnonzero(~filled & (ends - starts > 1)).tolist():  # those that begin with white space
        filled[line] = bool(data[starts[line] : ends[line]].strip())
    is_row = filled & (text[starts] != ord("#"))
    before = np.concatenate(([False], filled[:-1]))
    after = np.concatenate((filled[1:], [False]))
    first, last = np.flatnonzero(filled & ~before), np.flatnonzero(filled & ~after)
    begins = _begins_with_comment_or_word_1(text, starts[first])
    for block in np.flatnonzero(~begins).tolist():
        row = data[starts[first[block]] : ends[first[block]]]
        begins[block] = not block or not _goes_on(data[starts[last[block - 1]] : ends[last[block - 1]]], row)
    first, last = first[begins], last[np.append(begins[1:], True)[: len(begins)]]
    n_rows = np.concatenate(([0], np.cumsum(is_row)))
    is_sentence = n_rows[last + 1] > n_rows[first]
    start, end = starts[first], ends[last]
    for block in np.flatnonzero(~is_sentence).tolist():
        is_sentence[block] = names_a_sentence(data[start[block] : end[block]])
    return Blocks(start, end, first, last, is_sentence, len(starts))


def _begins_with_comment_or_word_1(text: NDArray[np.uint8], start: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which blocks do, so that they begin a sentence."""
    second = text[np.minimum(start + 1, len(text) - 1)]
    is_word_1 = (text[start] == ord("1")) & ((second == ord("\t")) | (second == ord("-")))
    begins: NDArray[np.bool_] = (text[start] == ord("#")) | is_word_1
    return begins


def _goes_on(before: bytes, row: bytes) -> bool:
    """Return whether a row after blank lines belongs to the sentence whose last row is the one before.

    It has the next number, or is the rest of a row whose form is a line break.
    """
    number, last = _NUMBER.match(row), _NUMBER.match(before)
    if number is None:
        return row[:1].isspace() and _BROKEN_OFF.fullmatch(before) is not None
    return last is not None and int(number[1]) == int(last[1]) + 1


def beginning(before: bytes, sentence: bytes) -> bytes:
    r"""Return what is to stand before a sentence so that it is not joined to the text before it.

    Examples
    --------
    >>> beginning(b"1\tGo\n\n", b"1\tHome\n"), beginning(b"1\tGo\n\n", b"2\tHome\n")
    (b'', b'#\n')
    """
    last = before.rstrip(b"\r\n").rpartition(b"\n")[2]
    return b"#\n" if _goes_on(last, sentence.lstrip(b"\r\n").partition(b"\n")[0]) else b""


def names_a_sentence(comments: bytes) -> bool:
    """Return whether a block of comments stands for a sentence."""
    return _NAMES_A_SENTENCE.search(comments) is not None


def layout(data: bytes) -> str:
    """Return the layout of sentences: the only one there is."""
    return "blocks"


def cut(data: bytes, layout: str, max_sentences: int, *, last: bool) -> tuple[int, int]:
    """Find where the first sentences of a text end; return their number and the end.

    The last block may go on after the text, also behind blank lines.
    """
    if not last:
        data = data[: data.rfind(b"\n") + 1]
    blocks = find_blocks(data)
    is_whole = np.arange(len(blocks.end)) < len(blocks.end) - (not last)
    ends = blocks.end[blocks.is_sentence & is_whole]
    count = min(max_sentences, len(ends))
    if last and count == len(ends):
        return count, len(data)
    return count, int(ends[count - 1]) if count else 0


def token_texts(data: bytes, blocks: Blocks) -> list[str]:
    """Return the tokens of each sentence of CoNLL-U or CoNLL-X without space separators, each with a tab after it."""
    chosen = np.flatnonzero(blocks.is_sentence)
    starts, ends = blocks.start[chosen], blocks.end[chosen]
    is_read = np.zeros(len(chosen), dtype=np.bool_)
    if len(data) >= SMALL:
        is_read, tokens, bounds = _faultless_tokens(data, starts, ends, blocks.n_lines)
    texts = []
    for sentence, (start, end) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
        if is_read[sentence]:
            joined = tokens[bounds[sentence] : bounds[sentence + 1]]
        else:
            covered, forms = 0, []
            for first, last, form in found_rows(data, start, end):
                if last:
                    covered = int(last[:9])
                elif int(first[:9]) <= covered:
                    continue
                forms.append(form + b"\t")
            joined = b"".join(forms)
        texts.append(joined.decode("utf-8", "backslashreplace"))
    return all_without_spaces(texts)


def found_rows(data: bytes, start: int, end: int) -> list[tuple[bytes, bytes, bytes]]:
    """Return the numbers, also those of the end of a range, and the forms in the rows of a sentence with faults."""
    word = covered = 0
    rows = []
    for first, last, form in _TOKEN.findall(data, start, end):
        if not last:
            word += 1
        elif int(first[:9]) != word + 1 or word < covered or int(last[:9]) < int(first[:9]):
            continue  # a range that is left out when the sentence is read
        else:
            covered = int(last[:9])
        rows.append((first, last, form))
    return rows


def _faultless_tokens(
    data: bytes, starts: NDArray[np.int64], ends: NDArray[np.int64], n_lines: int
) -> tuple[NDArray[np.bool_], bytes, list[int]]:
    """Return which sentences have no faults, their tokens with a tab after each, and the bounds of each sentence."""
    from evaltools.kernels.readers import read_dependencies

    text = np.frombuffer(data, dtype=np.uint8)
    is_read, begin, end, _, part, offsets = read_dependencies(text, starts, ends, True, b"\r" in data, n_lines + 1)
    first = begin[-1]
    sizes = np.where(part != 2, end[-1] + 1 - first, 0)
    at = np.concatenate(([0], np.cumsum(sizes)))
    characters = text[np.repeat(first - at[:-1], sizes) + np.arange(int(at[-1]))]
    return is_read, characters.tobytes(), at[offsets].tolist()


class Sentences(NamedTuple):
    """What is kept of the sentences of a text, to pair them and to read them in any order."""

    ids: list[str | None]
    tokens: list[str]  # With a tab after each token
    line: NDArray[np.int64]  # Where each begins, from 0
    end: NDArray[np.int64]  # In bytes


def block_sentences(data: bytes) -> Sentences:
    """Return what is kept of the sentences of CoNLL-U or CoNLL-X."""
    blocks = find_blocks(data)
    chosen = np.flatnonzero(blocks.is_sentence)
    ids = sentence_ids(data, blocks.start[chosen], blocks.end[chosen])
    return Sentences(ids, token_texts(data, blocks), blocks.first[chosen], blocks.end[chosen])


class Excerpt(NamedTuple):
    """Some sentences of a file."""

    data: bytes  # Their text, in the order of the file
    line: NDArray[np.int64]  # Line of `data` on which each stretch of the file begins, from 1
    file_line: NDArray[np.int64]  # Line of the file on which it begins

    def in_file(self, line: NDArray[Any]) -> NDArray[np.int64]:
        """Return the lines of the file that lines of the text are."""
        stretch = np.searchsorted(self.line, line, side="right") - 1
        result: NDArray[np.int64] = self.file_line[stretch] + line - self.line[stretch]
        return result


class BlockIndex:
    """Where the sentences of a file are, their ids, and the characters of their tokens."""

    # Up to 64 MB of the text are held in memory, more in a temporary file; the index takes some 30 bytes a sentence
    # beside its id.

    def __init__(self, name: str, first_line: int, sentences: Callable[[bytes], Sentences] = block_sentences) -> None:
        self.ids = SentenceIds()
        self._sentences = sentences
        self.tokens: list[str] = []  # Of each sentence, with a tab after each token
        self.line = first_line
        self._name = name
        self._file: IO[bytes] = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - closed at the end
        weakref.finalize(self, self._file.close)  # also where reading stops half way
        self._size = 0
        # the end of each sentence's text, and the line after it; text before a sentence belongs to the sentence
        self._ends = [np.zeros(1, np.int64)]
        self._lines_after = [np.full(1, first_line, np.int64)]

    def __len__(self) -> int:
        return len(self.ids)

    def add(self, data: bytes) -> None:
        """Append text that begins where a sentence ends, and ends so."""
        sentences = self._sentences(data)
        self.ids.add(sentences.ids, (sentences.line + self.line).astype(np.int32))
        self.tokens += sentences.tokens
        self._ends.append(sentences.end + self._size)
        line_ends = np.flatnonzero(np.frombuffer(data, dtype=np.uint8) == ord("\n"))
        self._lines_after.append(np.searchsorted(line_ends, sentences.end) + self.line)
        try:
            self._file.write(data)
        except OSError as error:
            found = f"{error.strerror or error} while it was copied to {tempfile.gettempdir()}"
            expected = "room for a temporary copy, because its sentences are in another order than the gold file's"
            raise InputError(Problem("file", self._name, None, None, found, expected)) from None
        self._size += len(data)
        if len(self):
            next(item for item in reversed(self._ends) if len(item))[-1] = self._size  # comments at the end of the file
        self.line += data.count(b"\n")

    def text(self) -> Iterator[bytes]:
        """Yield the text from its beginning to its end; nothing can be read after it."""
        with self._file:
            self._file.seek(0)
            while data := self._file.read(_READ_BLOCK):
                yield data

    def close(self) -> None:
        """Remove the copy."""
        self._file.close()

    def read(self, wanted: NDArray[np.int64]) -> Excerpt:
        """Return the text of some sentences."""
        self._ends, self._lines_after = [np.concatenate(self._ends)], [np.concatenate(self._lines_after)]
        ends, lines = self._ends[0], self._lines_after[0]
        firsts = np.flatnonzero(np.diff(wanted, prepend=-2) != 1)
        lasts = np.append(firsts[1:], len(wanted))[: len(firsts)] - 1
        parts: list[bytes] = []
        line, line_in_data = 1, []
        for first, last in zip(wanted[firsts].tolist(), wanted[lasts].tolist(), strict=True):
            self._file.seek(int(ends[first]))
            data = self._file.read(int(ends[last + 1] - ends[first]))
            data += b"\n" if data.endswith(b"\n") else b"\n\n"  # so that the next stretch begins another block
            if parts and (apart := beginning(parts[-1], data)):
                parts[-1] += apart
                line += 1
            parts.append(data)
            line_in_data.append(line)
            line += data.count(b"\n")
        return Excerpt(b"".join(parts), np.array(line_in_data, np.int64), lines[wanted[firsts]])

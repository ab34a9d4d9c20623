"""The ids of sentences, in comments ``# sent_id = …``, after ``#BOS``, in TIGER-XML; and what other comments say."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_COMMENT = re.compile(rb"(?:#[^\n]*\n)*?#[ \t\r\v\f]*sent_id[ \t\r\v\f]*=([^\n]*)")
_AT_BEGINNING = {
    "conllu": _COMMENT,
    "conllx": _COMMENT,
    "export": re.compile(rb"#BOS[ \t]+((?!%%)[^ \t\r\n]+)"),
    "tigerxml": re.compile(rb"""<s\s(?:[^<>]*?\s)?id\s*=\s*["']([^"'<>]*)["']"""),
}
_NUMBERED = re.compile("s?([0-9]+)")
ID_NAMES = {"conllu": "sent_id", "conllx": "sent_id", "export": "#BOS", "tigerxml": "<s id>"}
"""How the ids of sentences are called, for each format that has some."""


def sentence_ids(format_name: str, text: bytes, start: NDArray[np.int64], end: NDArray[np.int64]) -> list[str | None]:
    r"""Return the id of each sentence of a format: in CoNLL-U the first comment ``# sent_id = …`` before its words.

    Parameters
    ----------
    format_name : str
        The format.
    text : bytes
        A text in this format.
    start, end : ndarray of int64, shape (sentences,)
        Bounds of each sentence in `text`, in bytes.

    Returns
    -------
    list of str or None
        None for a sentence without an id, or with an empty one.

    Examples
    --------
    >>> text = b"#BOS 7 0 1\n#EOS 7\n#BOS\n#EOS\n"
    >>> sentence_ids("export", text, np.array([0, 18]), np.array([18, 29]))
    ['7', None]
    >>> text = b"# sent_id = a\n1\tGo\n\n# text = sent_id = b\n1\tHome\n"
    >>> sentence_ids("conllu", text, np.array([0, 20]), np.array([19, len(text)]))
    ['a', None]
    """
    pattern = _AT_BEGINNING.get(format_name)
    if pattern is None:
        return [None] * len(start)
    found = (pattern.match(text, *bounds) for bounds in zip(start.tolist(), end.tolist(), strict=True))
    ids = ("" if match is None else match[1].decode("utf-8", "backslashreplace").strip() for match in found)
    return [(html.unescape(name) if format_name == "tigerxml" else name) or None for name in ids]


def number_in(name: str) -> str | None:
    """Return the number of a sentence whose id is one: ``17`` in NEGRA export, ``s17`` in TIGER-XML; else None.

    Examples
    --------
    >>> number_in("17"), number_in("s17"), number_in("wsj_0017")
    ('17', '17', None)
    """
    match = _NUMBERED.fullmatch(name)
    return None if match is None else match[1]


class Repeated(NamedTuple):
    """A sentence with the id of an earlier sentence."""

    sentence: int  # Index of the sentence
    first: int  # Index of the first sentence with the id
    id: str


class SentenceIds:
    """The ids of the sentences of a file and the lines where they begin; some 5 bytes a sentence beside the id."""

    def __init__(self, name: str = "sent_id") -> None:
        self.name = name  # How the ids are called in the file
        self._texts: list[str] = []  # the ids of some thousand sentences, one a line; an empty line for none
        self._lines: list[NDArray[np.int32]] = []
        self._n = 0
        self.n_without = 0
        self.first_without: int | None = None

    def __len__(self) -> int:
        return self._n

    def __iter__(self) -> Iterator[str | None]:
        for text in self._texts:
            for name in text.split("\n"):
                yield name or None

    @property
    def complete(self) -> bool:
        """Whether there is a sentence, and every sentence has an id."""
        return self._n > 0 and not self.n_without

    @property
    def any(self) -> bool:
        """Whether a sentence has an id."""
        return self._n > self.n_without

    @property
    def lines(self) -> NDArray[np.int32]:
        """Line on which each sentence begins, from 1, shape (sentences,)."""
        return np.concatenate([np.zeros(0, np.int32), *self._lines])

    def chosen(self, sentences: Sequence[int]) -> list[str]:
        """Return the ids of some sentences, given in ascending order; an empty string for a sentence without an id."""
        indices = set(sentences)
        return [name or "" for sentence, name in enumerate(self) if sentence in indices] if indices else []

    def add(self, ids: Sequence[str | None], lines: NDArray[np.int32]) -> None:
        """Append the next sentences of the file."""
        if not ids:
            return
        if None in ids:
            if self.first_without is None:
                self.first_without = self._n + ids.index(None)
            self.n_without += sum(name is None for name in ids)
        self._texts.append("\n".join(name or "" for name in ids))
        self._lines.append(lines)
        self._n += len(ids)

    def first(self, n: int) -> SentenceIds:
        """Return the ids of the first `n` sentences."""
        result = SentenceIds(self.name)
        result.add([name for _, name in zip(range(n), self, strict=False)], self.lines[:n])
        return result

    def extend(self, part: SentenceIds) -> None:
        """Append the sentences of a further part of the file."""
        if part.first_without is not None and self.first_without is None:
            self.first_without = self._n + part.first_without
        self._texts += part._texts
        self._lines += part._lines
        self._n += part._n
        self.n_without += part.n_without

    def repeated(self) -> list[Repeated]:
        """Return the sentences with the id of an earlier sentence, in the order of the file."""
        first: dict[str, int] = {}
        repetitions = []
        for sentence, name in enumerate(self):
            if name is not None and first.setdefault(name, sentence) != sentence:
                repetitions.append(Repeated(sentence, first[name], name))
        return repetitions


# ------------------------------------------------------------------------------------------- all comments of CoNLL-U

DOCUMENT, PARAGRAPH, SENTENCE_ID = "document", "paragraph", "sent_id"
"""Keys of the document (``newdoc id``), of the paragraph (``newpar id``) and of the id of a sentence."""

_OF_DOCUMENT = "meta::"
"""Begins keys that hold for the whole document wherever they stand, as in GUM."""


class CommentReader:
    """Reads the comments of a file, sentence after sentence: documents and paragraphs go on until the next one.

    Comments between ``# newdoc`` and the ``# newpar`` or ``# sent_id`` after it hold for the document, those between
    ``# newpar`` and ``# sent_id`` for the paragraph, others for their sentence. A document or paragraph without an id
    has its number.
    """

    def __init__(self) -> None:
        self._document: dict[str, str] = {}
        self._paragraph: dict[str, str] = {}
        self._n_documents = self._n_paragraphs = 0

    def read(self, text: bytes, start: NDArray[np.int64], end: NDArray[np.int64]) -> list[dict[str, str]]:
        r"""Return the values of the next sentences by key, without their texts.

        Parameters
        ----------
        text : bytes
            CoNLL-U.
        start, end : ndarray of int64, shape (sentences,)
            Bounds of each sentence in `text`, in bytes.

        Returns
        -------
        list of dict of str to str
            For each sentence, the values of its document, of its paragraph, and its own.

        Examples
        --------
        >>> text = b"# newdoc id = d1\n# genre = news\n# sent_id = a\n1\tGo\n\n# sent_id = b\n1\tHome\n"
        >>> CommentReader().read(text, np.array([0, 52]), np.array([51, len(text)]))
        [{'document': 'd1', 'genre': 'news', 'sent_id': 'a'}, {'document': 'd1', 'genre': 'news', 'sent_id': 'b'}]
        """
        return [self._sentence(text, first, last) for first, last in zip(start.tolist(), end.tolist(), strict=True)]

    def _sentence(self, text: bytes, first: int, last: int) -> dict[str, str]:
        own: dict[str, str] = {}
        values = own
        while text[first : first + 1] == b"#" and first < last:
            stop = text.find(b"\n", first, last)
            stop = last if stop < 0 else stop
            line = text[first + 1 : stop].decode("utf-8", "backslashreplace")
            first = stop + 1
            key, equals, value = (part.strip() for part in line.partition("="))
            if key in ("newdoc", "newdoc id"):
                values = self._begin_document(value)
            elif key in ("newpar", "newpar id"):
                values = self._begin_paragraph(value)
            elif key == SENTENCE_ID:
                values = own
                own[key] = value
            elif key.startswith(_OF_DOCUMENT):
                self._document[key.removeprefix(_OF_DOCUMENT)] = value
            elif equals and key and key != "text" and not key.startswith("global."):  # those describe the file
                values[key] = value
        return {key: value for key, value in (self._document | self._paragraph | own).items() if key and value}

    def _begin_document(self, name: str) -> dict[str, str]:
        self._n_documents += 1
        self._n_paragraphs = 0
        self._paragraph = {}
        self._document = {DOCUMENT: name or str(self._n_documents)}
        return self._document

    def _begin_paragraph(self, name: str) -> dict[str, str]:
        self._n_paragraphs += 1
        document = self._document.get(DOCUMENT)
        number = str(self._n_paragraphs)
        self._paragraph = {PARAGRAPH: name or (f"{document}, {number}" if document else number)}
        return self._paragraph

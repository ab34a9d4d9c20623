"""What the comments of CoNLL-U say about sentences: document, paragraph, id, and any ``# key = value``."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

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

"""What all corpora in columns share: sentences of a file, and the columns of their nodes or words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus.vocabulary import Vocabulary
from evaltools.errors import Problem


@dataclass(slots=True, kw_only=True)
class Columns:
    """Sentences of a file; subclasses add the columns of their elements, which are nodes or words."""

    _ELEMENT_COLUMNS: ClassVar[tuple[str, ...]]

    vocabulary: Vocabulary
    offsets: NDArray[np.int64]
    line: NDArray[np.int32]
    text_start: NDArray[np.int64]
    text_end: NDArray[np.int64]
    text: bytes = b""
    name: str = ""
    format: str
    notation: str
    digest: str = ""
    problems: list[Problem] = field(default_factory=list)
    first_sentence: int = 0

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def resized(self, count: int) -> Self:
        """Return the first `count` sentences, with missing ones added at the end where there are fewer.

        Parameters
        ----------
        count : int
            Number of sentences of the result.
        """
        if count == len(self):
            return self
        sentences = np.arange(count, dtype=np.int64)
        sentences[len(self) :] = -1
        return self.select(sentences)

    def select(self, sentences: NDArray[np.int64]) -> Self:
        """Return some sentences in a given order.

        Parameters
        ----------
        sentences : ndarray of int64
            Indices of the sentences, -1 for a missing one.
        """
        exists = sentences >= 0
        sizes = np.zeros(len(sentences), dtype=np.int64)
        sizes[exists] = np.diff(self.offsets)[sentences[exists]]
        offsets = np.concatenate(([0], np.cumsum(sizes)))
        first = np.zeros(len(sentences), dtype=np.int64)
        first[exists] = self.offsets[sentences[exists]]
        elements = np.repeat(first - offsets[:-1], sizes) + np.arange(int(offsets[-1]))

        def by_sentence(column: NDArray[Any], missing: int) -> NDArray[Any]:
            values = np.full(len(sentences), missing, dtype=column.dtype)
            values[exists] = column[sentences[exists]]
            return values

        columns: dict[str, Any] = {}
        for name in self._ELEMENT_COLUMNS:
            column = getattr(self, name)
            columns[name] = None if column is None else column[elements]
        return replace(
            self,
            **columns,
            offsets=offsets,
            line=by_sentence(self.line, 0),
            text_start=by_sentence(self.text_start, len(self.text)),
            text_end=by_sentence(self.text_end, len(self.text)),
        )

    def with_words(self, other: Self) -> Self:
        """Return the same sentences of the file with the elements that another corpus has for them.

        Parameters
        ----------
        other : Columns
            A corpus of as many sentences.
        """
        columns = {name: getattr(other, name) for name in self._ELEMENT_COLUMNS}
        return replace(self, **columns, offsets=other.offsets)

    def has_whole_words(self, sentence: int) -> bool:
        """Return whether all words of a sentence could be read; where not, that is listed once for its file or line."""
        try:
            self.text[self.text_start[sentence] : self.text_end[sentence]].decode("utf-8")
        except UnicodeDecodeError:
            return False
        return True

    def _default_column(self, name: str) -> NDArray[Any]:
        """Return the values of an element column that is None."""
        raise NotImplementedError(name)


Corpus = TypeVar("Corpus", bound=Columns)


def concatenate(parts: Sequence[Corpus]) -> Corpus:
    """Return one corpus of parts of a file that were read one after the other with one vocabulary."""
    if len(parts) == 1:
        return parts[0]
    elements = np.cumsum([0, *(int(part.offsets[-1]) for part in parts)]).tolist()
    texts = np.cumsum([0, *(len(part.text) for part in parts)]).tolist()

    def shifted(name: str) -> NDArray[Any]:
        return np.concatenate([getattr(part, name) + shift for part, shift in zip(parts, texts, strict=False)])

    columns: dict[str, Any] = {}
    for name in parts[0]._ELEMENT_COLUMNS:
        arrays = [getattr(part, name) for part in parts]
        if any(array is not None for array in arrays):
            pairs = zip(arrays, parts, strict=True)
            columns[name] = np.concatenate(
                [part._default_column(name) if array is None else array for array, part in pairs]
            )
    ends = [part.offsets[1:] + shift for part, shift in zip(parts, elements, strict=False)]
    return replace(
        parts[0],
        **columns,
        offsets=np.concatenate(([0], *ends)).astype(np.int64),
        line=np.concatenate([part.line for part in parts]),
        text_start=shifted("text_start"),
        text_end=shifted("text_end"),
        text=b"".join(part.text for part in parts),
        problems=[problem for part in parts for problem in part.problems],
    )

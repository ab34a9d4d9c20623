"""Search: sentences with a text, a word or a label."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from evaltools.errors import ParameterError
from evaltools.runs.sentence_columns import by_sentence
from evaltools.runs.store import Run

__all__ = ["GoldTexts", "with_label"]

_OPEN, _CLOSE = "\x02", "\x03"
"""Characters around a match; words do not contain control characters."""
_SPACE = "\\x{20}"


@dataclass(frozen=True, slots=True)
class GoldTexts:
    """The gold words of every sentence, separated by spaces, in memory for fast searches."""

    texts: pa.ChunkedArray  # One per sentence; null if the gold tree is missing

    @classmethod
    def of(cls, run: Run) -> GoldTexts:
        """Read the gold words of a run."""
        rows = run.arrow("select sentence, text from trees where parser is null")
        sentences = rows["sentence"].to_numpy()
        texts = rows["text"]
        if not np.array_equal(sentences, np.arange(1, run.n_sentences + 1)):
            row = by_sentence(run.n_sentences, sentences, np.arange(len(sentences)), np.int64(-1))
            texts = texts.take(pa.array(row, mask=row < 0))
        return cls(texts)

    def at(self, indices: NDArray[np.int32]) -> list[str]:
        """Return some sentences by index; an empty text if the gold tree is missing."""
        texts = np.full(len(indices), "", dtype=object)
        order = np.argsort(indices)
        ordered = indices[order]
        first = 0  # chunk by chunk, because taking from all chunks together copies all texts
        for chunk in self.texts.chunks:
            inside = order[slice(*np.searchsorted(ordered, (first, first + len(chunk))))]
            if len(inside):
                chosen = pc.fill_null(chunk.take(pa.array(indices[inside] - first)), "")
                texts[inside] = chosen.to_numpy(zero_copy_only=False)
            first += len(chunk)
        return texts.tolist()

    def with_text(self, text: str, *, regex: bool = False) -> NDArray[np.bool_]:
        """Find sentences by their words, ignoring case."""
        return self._matching(text) if regex else self._matching(_escaped(text)) & self._has_gold()

    def with_word(self, word: str) -> NDArray[np.bool_]:
        """Find sentences that contain a word."""
        return self._matching(f"(^| ){_escaped(word)}( |$)") & self._has_gold()

    def around(
        self, indices: NDArray[np.int32], text: str, *, regex: bool = False, word: bool = False
    ) -> list[tuple[str, str, str]]:
        """Return some sentences cut at the first match: the text before it, the match, and the text after it."""
        escaped = text if regex else _escaped(text)
        pattern = f"(?i)(?:^|{_SPACE}){escaped}(?:{_SPACE}|$)" if word else f"(?i)(?:{escaped})"
        try:
            marked = pc.replace_substring_regex(
                pa.array(self.at(indices), pa.string()), pattern, f"{_OPEN}\\0{_CLOSE}", max_replacements=1
            )
        except pa.ArrowInvalid as error:
            raise _invalid(error) from None
        parts = []
        for item in marked.to_pylist():
            before, opened, rest = item.partition(_OPEN)
            match, _, after = rest.partition(_CLOSE)
            parts.append((before, match, after) if opened else ("", "", before))
        return parts

    def _has_gold(self) -> NDArray[np.bool_]:
        valid: NDArray[np.bool_] = self.texts.is_valid().to_numpy().astype(np.bool_)
        return valid

    def _matching(self, pattern: str) -> NDArray[np.bool_]:
        def match(texts: pa.Array) -> pa.Array:
            return pc.match_substring_regex(pc.fill_null(texts, ""), pattern, ignore_case=True)

        try:
            match(pa.array([""]))
            with ThreadPoolExecutor() as threads:
                matched = pa.chunked_array(threads.map(match, self.texts.chunks), pa.bool_())
        except pa.ArrowInvalid as error:
            raise _invalid(error) from None
        matches: NDArray[np.bool_] = matched.to_numpy().astype(np.bool_)
        return matches


def _invalid(error: pa.ArrowInvalid) -> ParameterError:
    return ParameterError(str(error).removeprefix("Invalid regular expression: "))


def _escaped(text: str) -> str:
    """Return a regular expression of RE2 that matches a text literally."""
    return "".join(item if item.isalnum() else f"\\x{{{ord(item):x}}}" for item in text)


def with_label(run: Run, parser: str, label: str) -> NDArray[np.bool_]:
    """Find sentences with a label, relation or predicate in the gold tree or graph, or in a parser's."""
    query = run.framework.stored.label_query(parser, label)
    if query is None:
        return np.zeros(run.n_sentences, dtype=np.bool_)
    return by_sentence(run.n_sentences, run.query(*query)["sentence"].to_numpy(), True, np.False_)

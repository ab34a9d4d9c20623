"""Which sentences hold what is looked for: text, a word, a label."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from evaltools.errors import ParameterError
from evaltools.runs.store import Run

__all__ = ["GoldTexts", "with_label"]


@dataclass(frozen=True, slots=True)
class GoldTexts:
    """The gold words of every sentence, separated by blanks, in memory: there they are searched in no time.

    Parameters
    ----------
    texts : ChunkedArray of str
        One a sentence, in their order; null where the gold tree is missing.
    """

    texts: pa.ChunkedArray

    @classmethod
    def of(cls, run: Run) -> GoldTexts:
        """Read those of a run.

        Parameters
        ----------
        run : Run
            The run.
        """
        rows = run.arrow("select sentence, text from trees where parser is null")
        sentences = rows["sentence"].to_numpy()
        texts = rows["text"]
        if not np.array_equal(sentences, np.arange(1, run.n_sentences + 1)):
            inside = np.flatnonzero((sentences >= 1) & (sentences <= run.n_sentences))
            row = np.full(run.n_sentences, -1, dtype=np.int64)
            row[sentences[inside] - 1] = inside
            texts = texts.take(pa.array(row, mask=row < 0))
        return cls(texts)

    def at(self, places: NDArray[np.int32]) -> list[str]:
        """Return some sentences, by their places from 0; empty ones where the gold tree is missing."""
        found = np.full(len(places), "", dtype=object)
        order = np.argsort(places)
        ordered = places[order]
        first = 0  # pieces one by one: taking from all at once would copy every text there is
        for chunk in self.texts.chunks:
            inside = order[slice(*np.searchsorted(ordered, (first, first + len(chunk))))]
            if len(inside):
                texts = pc.fill_null(chunk.take(pa.array(places[inside] - first)), "")
                found[inside] = texts.to_numpy(zero_copy_only=False)
            first += len(chunk)
        return found.tolist()

    def with_text(self, text: str, *, regex: bool = False) -> NDArray[np.bool_]:
        """Find sentences by their words; capitals or not is all the same.

        Parameters
        ----------
        text : str
            Part of the sentence, or a regular expression.
        regex : bool
            Whether it is one, in the syntax of RE2, which takes time linear in the text whatever the pattern.

        Returns
        -------
        ndarray of bool, shape (sentences,)

        Raises
        ------
        ParameterError
            If the regular expression cannot be read.
        """
        return self._matching(text) if regex else self._matching(_literally(text)) & self._there()

    def with_word(self, word: str) -> NDArray[np.bool_]:
        """Find sentences that have a whole word.

        Parameters
        ----------
        word : str
            The word; capitals or not is all the same.

        Returns
        -------
        ndarray of bool, shape (sentences,)
        """
        return self._matching(f"(^| ){_literally(word)}( |$)") & self._there()

    def _there(self) -> NDArray[np.bool_]:
        there: NDArray[np.bool_] = self.texts.is_valid().to_numpy().astype(np.bool_)
        return there

    def _matching(self, pattern: str) -> NDArray[np.bool_]:
        def match(texts: pa.Array) -> pa.Array:
            return pc.match_substring_regex(pc.fill_null(texts, ""), pattern, ignore_case=True)

        try:
            match(pa.array([""]))
            with ThreadPoolExecutor() as threads:
                found = pa.chunked_array(threads.map(match, self.texts.chunks), pa.bool_())
        except pa.ArrowInvalid as error:
            raise ParameterError(str(error).removeprefix("Invalid regular expression: ")) from None
        matches: NDArray[np.bool_] = found.to_numpy().astype(np.bool_)
        return matches


def _literally(text: str) -> str:
    """Write a text as a regular expression of RE2."""
    return "".join(one if one.isalnum() else f"\\x{{{ord(one):x}}}" for one in text)


def with_label(run: Run, parser: str, label: str) -> NDArray[np.bool_]:
    """Find sentences with a label, relation or predicate in the gold tree or graph, or in a parser's.

    Parameters
    ----------
    run : Run
        The run.
    parser : str
        The parser.
    label : str
        The label, the relation or the predicate; words of a parser that stand for no gold word are not looked at.

    Returns
    -------
    ndarray of bool, shape (sentences,)
    """
    if run.kind == "dependency":
        sql = "select sentence from words where parser = ? and ? in (relation, test_relation)"
        return _found(run, sql, [parser, label])
    if run.kind == "semantics":
        sql = "select sentence from triples where parser = ? and kind = 'name' and value = ?"
        return _found(run, sql, [parser, label])
    if " " in label:  # no label has one: blanks stand between them
        return np.zeros(run.n_sentences, dtype=np.bool_)
    sql = "select sentence from sentences where parser = ? and contains(labels, ' ' || ? || ' ')"
    return _found(run, sql, [parser, label])


def _found(run: Run, sql: str, parameters: list[Any]) -> NDArray[np.bool_]:
    sentences = run.query(sql, parameters)["sentence"].to_numpy()
    found = np.zeros(run.n_sentences, dtype=np.bool_)
    found[sentences[(sentences >= 1) & (sentences <= run.n_sentences)] - 1] = True
    return found

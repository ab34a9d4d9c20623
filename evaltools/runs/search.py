"""Which sentences hold what is looked for: text, a word, a label."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from evaltools.errors import ParameterError
from evaltools.runs.store import Run

__all__ = ["with_label", "with_text", "with_word"]


def with_text(run: Run, text: str, *, regex: bool = False) -> NDArray[np.bool_]:
    """Find sentences by their gold words, which are separated by blanks; capitals or not is all the same.

    Parameters
    ----------
    run : Run
        The run.
    text : str
        Part of the sentence, or a regular expression.
    regex : bool
        Whether it is one, in the syntax of RE2.

    Returns
    -------
    ndarray of bool, shape (sentences,)

    Raises
    ------
    ParameterError
        If the regular expression cannot be read.
    """
    if not regex:
        return _found(run, _TEXT.format("contains(lower(text), lower(?))"), [text])
    try:  # RE2, as DuckDB's: linear in the text whatever the pattern
        pc.match_substring_regex(pa.array([""]), text, ignore_case=True)
    except pa.ArrowInvalid as error:
        raise ParameterError(str(error).removeprefix("Invalid regular expression: ")) from None
    return _found(run, _TEXT.format("regexp_matches(coalesce(text, ''), ?, 'i')"), [text])


def with_word(run: Run, word: str) -> NDArray[np.bool_]:
    """Find sentences that have a whole word.

    Parameters
    ----------
    run : Run
        The run.
    word : str
        The word; capitals or not is all the same.

    Returns
    -------
    ndarray of bool, shape (sentences,)
    """
    return _found(run, _TEXT.format("contains(lower(' ' || text || ' '), lower(' ' || ? || ' '))"), [word])


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


_TEXT = "select sentence from trees where parser is null and {}"


def _found(run: Run, sql: str, parameters: list[Any]) -> NDArray[np.bool_]:
    sentences = run.query(sql, parameters)["sentence"].to_numpy()
    found = np.zeros(run.n_sentences, dtype=np.bool_)
    found[sentences[(sentences >= 1) & (sentences <= run.n_sentences)] - 1] = True
    return found

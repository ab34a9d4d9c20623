"""Search: sentences with a text, a word or a label."""

from __future__ import annotations

import duckdb
import numpy as np
from numpy.typing import NDArray

from evaltools.errors import ParameterError
from evaltools.runs.sentence_columns import by_sentence
from evaltools.runs.store import Run
from evaltools.text import first_line

__all__ = ["matches", "texts_of", "with_label", "with_text", "with_word"]

_OPEN, _CLOSE = "\x02", "\x03"
"""Characters around a match; words do not contain control characters."""
_SPACE = "\\x{20}"
_GOLD = "from trees where parser is null"


def texts_of(run: Run, sentences: NDArray[np.int32], text: str = "text", pattern: str | None = None) -> list[str]:
    """Return the gold words of some sentences, separated by spaces; an empty text if the gold tree is missing."""
    values = [] if pattern is None else [pattern]
    sql = f"select sentence, {text} as text {_GOLD} and sentence in (select unnest(?::integer[]))"
    rows = run.columns(sql, [*values, sentences.tolist()])
    texts = dict(zip(rows["sentence"].tolist(), rows["text"].tolist(), strict=True))
    return [texts.get(number) or "" for number in sentences.tolist()]


def with_text(run: Run, text: str, *, regex: bool = False) -> NDArray[np.bool_]:
    """Find sentences by their gold words, ignoring case."""
    return _matching(run, text) if regex else _matching(run, _escaped(text), "text is not null")


def with_word(run: Run, word: str) -> NDArray[np.bool_]:
    """Find sentences that contain a word."""
    return _matching(run, f"(^| ){_escaped(word)}( |$)", "text is not null")


def matches(
    run: Run, sentences: NDArray[np.int32], text: str, *, regex: bool = False, word: bool = False
) -> list[tuple[str, str, str]]:
    """Return some sentences cut at the first match: the text before it, the match, and the text after it."""
    escaped = text if regex else _escaped(text)
    pattern = _checked(f"(?i)(?:^|{_SPACE}){escaped}(?:{_SPACE}|$)" if word else f"(?i)(?:{escaped})")
    marked = texts_of(run, sentences, f"regexp_replace(text, ?, '{_OPEN}\\0{_CLOSE}')", pattern)
    parts = []
    for item in marked:
        before, opened, rest = item.partition(_OPEN)
        match, _, after = rest.partition(_CLOSE)
        parts.append((before, match, after) if opened else ("", "", before))
    return parts


def _matching(run: Run, pattern: str, condition: str = "true") -> NDArray[np.bool_]:
    sql = f"select sentence {_GOLD} and {condition} and regexp_matches(coalesce(text, ''), ?, 'i')"
    return by_sentence(run.n_sentences, run.columns(sql, [_checked(pattern)])["sentence"], True, np.False_)


def _checked(pattern: str) -> str:
    """Return a regular expression; raise ParameterError if it cannot be read."""
    try:
        duckdb.execute("select regexp_matches('', ?)", [pattern])
    except duckdb.Error as error:
        raise ParameterError(first_line(error).removeprefix("Invalid Input Error: ")) from None
    return pattern


def _escaped(text: str) -> str:
    """Return a regular expression of RE2 that matches a text literally."""
    return "".join(item if item.isalnum() else f"\\x{{{ord(item):x}}}" for item in text)


def with_label(run: Run, parser: str, label: str) -> NDArray[np.bool_]:
    """Find sentences with a label, relation or predicate in the gold tree or graph, or in a parser's."""
    query = run.framework.stored.label_query(parser, label)
    if query is None:
        return np.zeros(run.n_sentences, dtype=np.bool_)
    return by_sentence(run.n_sentences, run.query(*query)["sentence"].to_numpy(), True, np.False_)

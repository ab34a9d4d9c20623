"""The columns of words, gold beside a parser's, as text, JSON or CSV."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import pandas as pd

from evaltools.blocks import Block, Column, Table, Text, text_columns
from evaltools.errors import ParameterError
from evaltools.frameworks.dependency.aligned_arcs import DependencyAlignment
from evaltools.frameworks.dependency.views import ComparedWord, compare_words
from evaltools.outputs.tables import console_text, csv_text, json_text, plain_table
from evaltools.runs.store import Run
from evaltools.text import count_of, listing, printable

_NOTHING = ("", "_")
_WIDTH = 160


class SentenceWords(NamedTuple):
    """The words of a sentence."""

    sentence: int
    words: Sequence[ComparedWord]
    n_words: int  # Number of words, those that are not listed among them
    n_different: int
    has_parse: bool


class Words(NamedTuple):
    """The words of some sentences."""

    parser: str
    sentences: Sequence[SentenceWords]
    empty: frozenset[str]  # Columns that gold fills and the parser leaves empty in all these sentences


def words_of(run: Run, parser: str, numbers: Sequence[int], *, differing: bool = False) -> Words:
    """Return the words of some sentences: all, or those that differ in a column that the parser does not leave empty.

    Raises ParameterError if words have no columns.
    """
    rows: dict[int, Sequence[ComparedWord]] = {}
    for number in {min(numbers), max(numbers)}:
        run.tree(number, parser)  # an error if there is no such sentence
    for number, alignment in run.framework.align(run, parser, None, numbers).items():
        if not isinstance(alignment, DependencyAlignment):
            raise ParameterError(f"words have columns in runs of dependency trees; the run has {run.framework.title}")
        rows[number] = compare_words(alignment)
    filled: dict[str, set[str]] = {"gold": set(), "test": set()}
    for row in (row for found in rows.values() for row in found):
        for side, columns in _sides(row):
            filled[side].update(name for name, value in columns.items() if value not in _NOTHING)
    empty = frozenset(filled["gold"] - filled["test"]) if filled["test"] else frozenset()
    sentences = []
    for number, found in rows.items():
        different = [row for row in found if set(row.different) - empty]
        has_parse = any(row.test_position is not None for row in found)
        listed = different if differing else found
        sentences.append(SentenceWords(number, listed, len(found), len(different), has_parse))
    return Words(parser, sentences, empty)


def _names(sentences: Sequence[SentenceWords]) -> list[str]:
    return list(dict.fromkeys(name for item in sentences for row in item.words for name in (*row.gold, *row.test)))


def words_report(run: Run, words: Words, n_asked: int, kind: str) -> str:
    """Return the words as text, a table a sentence; as JSON by sentence; or as CSV, a row a word.

    `n_asked`: the number of sentences, those beyond a limit among them.
    """
    if kind == "text":
        is_cut = len(words.sentences) < n_asked
        more = [f"The first {len(words.sentences):,} of {n_asked:,} sentences\n"] if is_cut else []
        return console_text([*_text_blocks(words), *more], run.signature, _WIDTH)
    if kind == "csv":
        return csv_text(_rows(words))
    sentences = [
        {
            "sentence": item.sentence,
            "words": [
                {
                    **_numbers(row),
                    **{side: dict(columns) or None for side, columns in _sides(row)},
                    "differs": list(row.different),
                }
                for row in item.words
            ],
        }
        for item in words.sentences
    ]
    content = {"signature": run.signature, "parser": words.parser, "empty_columns": sorted(words.empty)}
    return json_text(content | {"sentences": sentences})


def _rows(words: Words) -> pd.DataFrame:
    """Return the columns of gold and parse beside one another, and the names of those that differ."""
    names = _names(words.sentences)
    rows = [
        {"sentence": item.sentence}
        | _numbers(row)
        | {f"{side}_{name}": columns.get(name) for name in names for side, columns in _sides(row)}
        | {"differs": " ".join(row.different)}
        for item in words.sentences
        for row in item.words
    ]
    columns = ["sentence", "word", "test_word", *(f"{side}_{name}" for name in names for side in ("gold", "test"))]
    frame = pd.DataFrame(rows, columns=[*columns, "differs"])
    return frame.astype({"word": "Int64", "test_word": "Int64"})


def _numbers(row: ComparedWord) -> dict[str, int | None]:
    """Return the numbers of a word in both trees, from 1; None where it is not there."""
    places = {"word": row.position, "test_word": row.test_position}
    return {name: None if at is None else at + 1 for name, at in places.items()}


def _sides(row: ComparedWord) -> tuple[tuple[str, Any], ...]:
    return ("gold", row.gold), ("test", row.test)


def _text_blocks(words: Words) -> list[Block | str]:
    """Return a table for every sentence; where a column differs, the gold value and that of the parse below it."""
    lines = [f"Words of gold and {words.parser}; where they differ, {words.parser} below, after ≠"]
    if words.empty:
        names = [name for name in _names(words.sentences) if name in words.empty]
        lines.append(f"{words.parser} leaves {listing(names, len(names))} empty; shown: gold, not compared")
    parts: list[Block | str] = [Text(line, "line") for line in lines]
    for item in words.sentences:
        what = (
            f"{item.n_different:,} of {count_of(item.n_words, 'word')} differ"
            if item.n_different
            else "no word differs"
        )
        parts.append(Text(f"Sentence {item.sentence:,}: {what if item.has_parse else 'no parse'}", "line"))
        names = [name for name in _names([item]) if any(_has(row, name) for row in item.words)]
        rows = []
        for row in item.words:
            numbers = dict.fromkeys(str(at) for at in _numbers(row).values() if at is not None)
            sign = "< " if row.test_position is None else "> " if row.position is None else ""
            rows.append([sign + " ≠ ".join(numbers), *(_cell(row, name, words.empty) for name in names)])
        if rows:
            columns = [Column("word", "word", "interval"), *text_columns(*names)]
            parts.append(plain_table(["word", *names], rows, _WIDTH) or Table(columns, rows))
    return [*parts, "<  only in gold   >  only in the parse   ≠  different\n"]


def _has(row: ComparedWord, name: str) -> bool:
    return any(columns.get(name, "_") != "_" for columns in (row.gold, row.test))


def _cell(row: ComparedWord, name: str, empty: frozenset[str]) -> str:
    gold, test = (printable(columns.get(name, "")) for columns in (row.gold, row.test))
    return (
        f"{gold}\n≠ {test}" if name in row.different and name not in empty and row.gold and row.test else gold or test
    )

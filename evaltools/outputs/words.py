"""The columns of words, or their lineages and leaf-ancestor scores, gold beside a parser's: text, JSON or CSV."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from evaltools.blocks import Block, Column, Table, Text, text_columns
from evaltools.errors import ParameterError
from evaltools.frameworks.common.lineages import SCHEMES, WordComparison
from evaltools.frameworks.constituency.aligned_trees import Alignment
from evaltools.frameworks.dependency.aligned_arcs import DependencyAlignment
from evaltools.frameworks.dependency.views import ComparedWord, compare_words
from evaltools.frameworks.views import lineage_rows
from evaltools.outputs.tables import console_text, csv_text, json_text
from evaltools.runs.store import Run
from evaltools.text import UNDEFINED, count_of, listing, printable

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


def words_report(
    run: Run,
    parser: str,
    numbers: Sequence[int],
    n_asked: int,
    kind: str,
    *,
    differing: bool = False,
    lineages: bool = False,
) -> str:
    """Return the words of some sentences: all, or those that differ; `lineages`: not the columns that words may have.

    As text it is a table a sentence, as JSON by sentence, as CSV a row a word. `n_asked`: the number of sentences,
    those beyond a limit among them. Raises ParameterError if words have neither columns nor lineages.
    """
    for number in {min(numbers), max(numbers)}:
        run.tree(number, parser)  # an error if there is no such sentence
    alignments = run.framework.align(run, parser, None, numbers)
    of_columns = {number: item for number, item in alignments.items() if isinstance(item, DependencyAlignment)}
    if of_columns and not lineages:
        return _columns_report(run, _words_of(parser, of_columns, differing=differing), n_asked, kind)
    if not all(isinstance(item, Alignment | DependencyAlignment) for item in alignments.values()):
        raise ParameterError(f"words have columns or lineages in runs of trees; the run has {run.framework.title}")
    return _lineages_report(run, parser, alignments, n_asked, kind, differing=differing)


def _words_of(parser: str, alignments: Mapping[int, DependencyAlignment], *, differing: bool) -> Words:
    """Return the words of some sentences: all, or those with another value than gold in a column the parser fills."""
    rows = {number: compare_words(alignment) for number, alignment in alignments.items()}
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


def _columns_report(run: Run, words: Words, n_asked: int, kind: str) -> str:
    if kind == "text":
        return console_text([*_text_blocks(words), *_cut(len(words.sentences), n_asked)], run.signature, _WIDTH)
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
        title = _title(item.sentence, item.n_different, item.n_words, has_parse=item.has_parse)
        parts.append(Text(title, "line"))
        names = [name for name in _names([item]) if any(_has(row, name) for row in item.words)]
        rows = []
        for row in item.words:
            numbers = dict.fromkeys(str(at) for at in _numbers(row).values() if at is not None)
            sign = "< " if row.test_position is None else "> " if row.position is None else ""
            rows.append([sign + " ≠ ".join(numbers), *(_cell(row, name, words.empty) for name in names)])
        if rows:
            columns = [Column("word", "word", "interval"), *text_columns(*names)]
            parts.append(Table(columns, rows))
    return [*parts, "<  only in gold   >  only in the parse   ≠  different\n"]


def _title(sentence: int, n_different: int, n_words: int, *, has_parse: bool) -> str:
    """Return the line above the words of a sentence."""
    what = f"{n_different:,} of {count_of(n_words, 'word')} differ" if n_different else "no word differs"
    return f"Sentence {sentence:,}: {what if has_parse else 'no parse'}"


def _has(row: ComparedWord, name: str) -> bool:
    return any(columns.get(name, "_") != "_" for columns in (row.gold, row.test))


def _cell(row: ComparedWord, name: str, empty: frozenset[str]) -> str:
    gold, test = (printable(columns.get(name, "")) for columns in (row.gold, row.test))
    return (
        f"{gold}\n≠ {test}" if name in row.different and name not in empty and row.gold and row.test else gold or test
    )


def _lineages_report(
    run: Run,
    parser: str,
    alignments: Mapping[int, Alignment | DependencyAlignment],
    n_asked: int,
    kind: str,
    *,
    differing: bool,
) -> str:
    """Return the scores and both lineages of words, as section 7 of Sampson and Babarczy (2003) does."""
    parts: list[Block | str] = [Text(f"Leaf-ancestor: scores and lineages of the words of gold and {parser}", "line")]
    by_sentence: list[dict[str, Any]] = []
    for number, alignment in alignments.items():
        different = [word for word in alignment.words if word.gold != word.test]
        listed = different if differing else alignment.words
        n_words = len(alignment.words)
        parts.append(Text(_title(number, len(different), n_words, has_parse=alignment.status != "missing"), "line"))
        rows = lineage_rows(listed, ("gold", parser))
        parts += [rows] if rows.rows else []
        read = {word.position: at for at, word in enumerate(alignment.gold_words, start=1)}
        words = [{"word": read[word.position], **_scored(run, word)} for word in listed]
        by_sentence.append({"sentence": number, "words": words})
    if kind == "text":
        parts += [f"{UNDEFINED}  no aligned word in the parse\n", *_cut(len(alignments), n_asked)]
        return console_text(parts, run.signature, _WIDTH)
    if kind == "json":
        return json_text({"signature": run.signature, "parser": parser, "sentences": by_sentence})
    frame = [{"sentence": item["sentence"]} | word for item in by_sentence for word in item["words"]]
    return csv_text(pd.DataFrame(frame))


def _cut(n_shown: int, n_asked: int) -> list[str]:
    """Return how many sentences are printed, if not all are."""
    return [f"The first {n_shown:,} of {n_asked:,} sentences\n"] if n_shown < n_asked else []


def _scored(run: Run, word: WordComparison) -> dict[str, str | float | None]:
    """Return a word, its leaf-ancestor scores and its lineages."""
    return {
        "form": word.form,
        **{scheme: word.scores.get(scheme) for scheme in SCHEMES if scheme in run.metrics},
        "gold_lineage": " ".join(word.gold),
        "test_lineage": None if word.test is None else " ".join(word.test),
    }

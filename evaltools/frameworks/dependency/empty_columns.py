"""Columns of CoNLL-U that a gold file fills and a parser leaves empty: figures count every such word as wrong."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from evaltools.corpus import Dependencies
from evaltools.errors import Problem
from evaltools.frameworks.dependency.universal import FIGURES
from evaltools.text import listing

if TYPE_CHECKING:
    from evaltools.frameworks.stored import StoredRun

__all__ = ["FilledColumns", "incomplete_metrics"]

_COLUMNS = {
    "LEMMA": ("lemma", ("Lemmas", "BLEX")),
    "UPOS": ("tag", ("UPOS", "AllTags", "MLAS")),
    "XPOS": ("xtag", ("XPOS", "AllTags")),
    "FEATS": ("feats", ("UFeats", "AllTags", "MLAS", "MSLAS")),
    "DEPS": ("deps", ("ELAS", "EULAS")),
}
"""For each column that a file may leave empty its array, and the figures that compare it."""
_INDICES = {"LEMMA": 2, "FEATS": 5}
"""The columns that gold files leave empty most often, with the number of columns before them."""
_EMPTY = ("", "_")
_WITHOUT_VALUE = " without a value in every word"


class FilledColumns:
    """The columns in which the sentences seen so far have a value, of every file."""

    def __init__(self) -> None:
        self._filled: dict[str, set[str]] = defaultdict(set)

    def see(self, file: str, trees: Dependencies) -> None:
        """Note the filled columns of some sentences of a file."""
        for column, (name, _) in _COLUMNS.items():
            if column not in self._filled[file]:
                strings = trees.vocabulary.labels if name in ("tag", "xtag") else trees.vocabulary.annotations
                numbers = np.unique(getattr(trees, name)).tolist()
                if any(strings[number] not in _EMPTY for number in numbers):
                    self._filled[file].add(column)

    def problems(self, gold: str, files: dict[str, str]) -> Iterator[Problem]:
        """Yield a problem for each parser whose file has no value in columns that the gold file fills."""
        for parser, file in files.items():
            lacking = [column for column in _COLUMNS if column in self._filled[gold] - self._filled[parser]]
            if lacking:
                figures = list(dict.fromkeys(figure for column in lacking for figure in _COLUMNS[column][1]))
                found = f"{listing(lacking, len(lacking))}{_WITHOUT_VALUE}"
                expected = f"values as in the gold file; {listing(figures, len(figures))} count the empty ones as wrong"
                yield Problem("empty_column", file, None, None, found, expected, None, parser)


def _is_empty_in_gold(run: StoredRun, column: str) -> bool:
    """Return whether no gold word has a value in a column of CoNLL-U."""
    value = f"(?m)^(?:[^\\t\\n]*\\t){{{_INDICES[column]}}}(?:[^_\\t\\n]|_[^\\t\\n])"
    has_value = "notation <> 'conllu' or regexp_matches(tree, ?)"
    sql = f"select 1 as found from trees where parser is null and ({has_value}) limit 1"
    return not len(run.columns(sql, [value])["found"])


def incomplete_metrics(run: StoredRun) -> dict[str, dict[str, list[str]]]:
    """Return the ids of the metrics that compare columns without values, each with these columns by parser.

    Where gold has no values, these are the columns of all parsers.
    """
    ids = {figure.name: figure.metric for figure in FIGURES}
    rows = run.columns("select parser, found from problems where kind = 'empty_column'")
    metrics: dict[str, dict[str, list[str]]] = {}
    for parser, found in zip(rows["parser"], rows["found"], strict=True):
        named = set(found.removesuffix(_WITHOUT_VALUE).replace(",", "").split())
        for column, (_, figures) in _COLUMNS.items():
            for figure in figures if column in named else ():
                metrics.setdefault(ids[figure], {}).setdefault(str(parser), []).append(column)
    for column in filter(lambda name: _is_empty_in_gold(run, name), _INDICES):
        for figure in _COLUMNS[column][1]:
            for parser in run.parsers:
                metrics.setdefault(ids[figure], {}).setdefault(parser, []).append(column)
    return metrics

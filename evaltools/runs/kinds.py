"""The kinds of runs: which tables a run has, and which of their columns are relied upon."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evaltools.metrics import METRICS, metrics_of
from evaltools.runs.tables import TABLES

__all__ = ["ADDED_COLUMNS", "COLUMNS_OF", "COMPARED", "READABLE", "SCHEMA", "TABLES_OF", "kind_of", "tables_of"]

SCHEMA = 5
"""Version of the tables of runs that are written."""

READABLE = (4, SCHEMA)
"""Versions of the tables of runs that can be read."""

_TREES = ("parser", "sentence", "notation", "tree", "text")
_PROBLEMS = ("kind", "parser", "sentence", "file", "line", "column", "found", "expected")


def _counts(kind: str, without: tuple[str, ...] = ()) -> list[str]:
    names = dict.fromkeys(column for name in metrics_of(kind) for column in METRICS[name].columns)
    return [name for name in names if name not in without]


def _sentences(kind: str, *more: str) -> tuple[str, ...]:
    return ("parser", "sentence", "line", "words", "words_scored", *more, "status", *_counts(kind))


COLUMNS_OF: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "constituency": {
        "sentences": _sentences("constituency", "evalb_length", "words_aligned", "labels"),
        "words": (
            *("parser", "sentence", "word", "position", "form", "tag", "test_tag", "test_word", "test_form", "match"),
            *("la_strict", "la_partial"),
        ),
        "brackets": (
            *("parser", "sentence", "label", "gold_kind", "test_kind", "start", "end", "e_status"),
            *("t_gold_status", "t_test_status", "t_label"),
        ),
        "trees": _TREES,
        "problems": _PROBLEMS,
    },
    "dependency": {
        "sentences": _sentences("dependency", "sentences", "words_aligned"),
        "words": (
            *("parser", "sentence", "word", "position", "form", "tag", "test_tag", "head", "relation", "test_word"),
            *("test_head", "test_relation", "head_right", "relation_right", "la_strict", "la_partial"),
        ),
        "trees": _TREES,
        "problems": _PROBLEMS,
    },
    "crossframework": {
        "sentences": _sentences("crossframework", "words_aligned"),
        "trees": _TREES,
        "golds": ("theory", "sentence", "line", "notation", "tree"),
        "problems": _PROBLEMS,
    },
    "semantics": {
        "sentences": _sentences("semantics", "item", "words_aligned"),
        "trees": _TREES,
        "triples": (
            *("parser", "sentence", "kind", "label", "value", "start", "end", "target_start", "target_end", "status"),
            *("gold_predicate", "test_predicate", "weight"),
        ),
        "confusions": ("parser", "sentence", "start", "end", "gold_predicate", "test_predicate"),
        "ranks": ("parser", "sentence", "rank", *_counts("semantics", without=("sentences",))),
        "problems": _PROBLEMS,
    },
}
"""For each kind of run its tables, with the columns that are relied upon; there may be more."""

TABLES_OF: Mapping[str, tuple[str, ...]] = {
    kind: tuple(table for table in TABLES if table in columns) for kind, columns in COLUMNS_OF.items()
}
"""The tables of each kind of run, in their order."""


ADDED_COLUMNS: Mapping[str, Mapping[str, str]] = {
    "sentences": {added: column for metric in METRICS.values() for column, added in metric.over_all.items()},
}
"""Columns that tables of older schemas may lack, with those whose values they have there."""


COMPARED: Mapping[str, str] = {
    "constituency": "constituency trees",
    "dependency": "dependency trees",
    "crossframework": "trees of several frameworks",
    "semantics": "semantic graphs",
}
"""What runs of each kind compare, in words."""


def kind_of(meta: Mapping[str, Any]) -> str:
    """Return what kind of trees a run compares, as its ``meta.json`` says; the first runs did not say."""
    return str(meta.get("kind", "constituency"))


def tables_of(meta: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the tables of a run, as its ``meta.json`` says; none of a kind that is not known."""
    return TABLES_OF.get(kind_of(meta), ())

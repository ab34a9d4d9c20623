"""From the arrays of the passes to the tables of a run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evaltools.errors import Problem
from evaltools.metrics import FAMILIES
from evaltools.metrics.base import Symbols
from evaltools.metrics.tree_distance import TreeDistance
from evaltools.normalize import Pair, Status
from evaltools.runs.arrow_columns import coded, constant, sentence_of
from evaltools.runs.passes import Passes
from evaltools.runs.sentence_texts import labels_joined, words_joined
from evaltools.runs.word_rows import words_aligned, words_table
from evaltools.treebank import Kind, Treebank

__all__ = [
    "TABLES",
    "brackets_table",
    "parser_tables",
    "problems_table",
    "sentences_table",
    "trees_table",
    "words_table",
]

TABLES = ("sentences", "words", "brackets", "trees", "golds", "triples", "confusions", "ranks", "problems")
"""The tables of all kinds of runs."""
_KINDS = ("phrase", "preterminal")
_STATUS = ("matched", "deleted", "inserted", "swapped", "moved")
_MATCHED, _DELETED, _INSERTED, _SWAPPED, _MOVED = range(5)


def parser_tables(
    parser: str,
    test: Treebank,
    passes: Passes,
    words: NDArray[np.int32],
    evalb_length: NDArray[np.int32],
) -> dict[str, pa.Table]:
    """Build all the tables of one parser; the parameters are those of the single tables.

    The table of sentences has the labels of their phrases as ``labels``.
    """
    brackets = brackets_table(parser, passes)
    labels = labels_joined(brackets, 1 + passes.pair.gold.read.first_sentence, len(words))
    return {
        "sentences": sentences_table(parser, test, passes, words, evalb_length).append_column("labels", labels),
        "words": words_table(parser, passes),
        "brackets": brackets,
        "trees": trees_table(parser, test),
    }


def sentences_table(
    parser: str, test: Treebank, passes: Passes, words: NDArray[np.int32], evalb_length: NDArray[np.int32]
) -> pa.Table:
    """Build one row a sentence: status and counts.

    Parameters
    ----------
    parser : str
        The parser's name.
    test : Treebank
        Its output as read.
    passes : Passes
        The results.
    words, evalb_length : ndarray of int32, shape (sentences,)
        Length of the gold sentences as read but for empty elements, and without the words that a parameter file leaves
        out of the length.
    """
    pair = passes.pair
    n = len(words)
    kept = pair.gold.treebank.n_words
    columns: dict[str, Any] = {
        "parser": constant(parser, n),
        "sentence": np.arange(1, n + 1, dtype=np.int32) + np.int32(test.first_sentence),
        "line": pa.array(test.line, mask=test.line == 0),
        "words": words,
        "words_scored": kept,
        "evalb_length": evalb_length,
        "status": coded(pair.status.astype(np.int64), [status.label for status in Status]),
        "sentences": (kept > 0).astype(np.int32),
        "words_aligned": words_aligned(pair),
    }
    for family, one in (("e", passes.e), ("t", passes.t), ("la", passes.la)):
        counts = np.zeros((n, len(FAMILIES[family]))) if one is None else one.counts
        unknown = np.full(n, one is None)
        if family == "t" and passes.t is not None:
            unknown = passes.t.too_large
        for place, name in enumerate(FAMILIES[family]):
            columns[name] = pa.array(np.ascontiguousarray(counts[:, place]), mask=unknown)
    return pa.table(columns)


def brackets_table(parser: str, passes: Passes) -> pa.Table:
    """Build one row a bracket of either tree, with what the E- and the T-mapping say of it.

    A bracket that the E-mapping pairs is one row; `gold_kind` and `test_kind` are null on the side where there is none.
    Preterminals of which nothing is wrong are left out. `start` and `end` count words of the gold tree, in rows that
    are of the test tree only words of the test tree.
    """
    pair, e, t = passes.pair, passes.e, passes.t
    if e is None:
        return _brackets(parser, pair, *([np.zeros(0, dtype=np.int64)] * 10))
    gold, test = pair.gold.treebank, pair.test.treebank
    t_gold, t_test, partner_label = _t_codes(pair, passes.symbols, t)

    g_nodes = np.flatnonzero(gold.kind != Kind.WORD)
    g_sentence = sentence_of(gold.offsets)[g_nodes]
    paired = e.partner_gold[g_nodes] >= 0
    t_nodes_of_g = np.where(paired, test.offsets[g_sentence] + e.partner_gold[g_nodes], -1)
    t_of_pair = np.full(len(g_nodes), -1, dtype=np.int64)
    t_of_pair[paired] = t_test[t_nodes_of_g[paired]]
    test_kind = np.full(len(g_nodes), -1, dtype=np.int64)
    test_kind[paired] = test.kind[t_nodes_of_g[paired]]
    dull = (
        (gold.kind[g_nodes] == Kind.PRETERMINAL)
        & (test_kind == Kind.PRETERMINAL)
        & np.isin(t_gold[g_nodes], (_MATCHED, -1))
        & np.isin(t_of_pair, (_MATCHED, -1))
    )
    g_nodes, g_sentence, paired = g_nodes[~dull], g_sentence[~dull], paired[~dull]
    t_of_pair, t_nodes_of_g, test_kind = t_of_pair[~dull], t_nodes_of_g[~dull], test_kind[~dull]

    t_nodes = np.flatnonzero((test.kind != Kind.WORD) & (e.partner_test < 0))
    t_sentence = sentence_of(test.offsets)[t_nodes]
    sentence = np.concatenate((g_sentence, t_sentence))
    order = np.argsort(sentence, kind="stable")
    n_test = len(t_nodes)

    def both(gold_values: NDArray[Any], test_values: NDArray[Any]) -> NDArray[np.int64]:
        return np.concatenate((gold_values, test_values)).astype(np.int64)[order]

    crossing = np.zeros(len(g_nodes), dtype=np.uint8)
    crossing[paired] = e.crossing[t_nodes_of_g[paired]]
    return _brackets(
        parser,
        pair,
        sentence[order].astype(np.int64),
        both(gold.label[g_nodes], test.label[t_nodes]),
        both(gold.kind[g_nodes], np.full(n_test, -1)),
        both(test_kind, test.kind[t_nodes]),
        both(gold.start[g_nodes], test.start[t_nodes]),
        both(gold.end[g_nodes], test.end[t_nodes]),
        both(np.where(paired, _MATCHED, _DELETED), np.full(n_test, _INSERTED)),
        both(t_gold[g_nodes], np.full(n_test, -1)),
        both(t_of_pair, t_test[t_nodes]),
        both(np.full(len(g_nodes), -1), np.full(n_test, -1))
        if t is None
        else both(partner_label[g_nodes], np.full(n_test, -1)),
        both(crossing, e.crossing[t_nodes]),
    )


def _t_codes(
    pair: Pair, symbols: Symbols, t: TreeDistance | None
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Status of every gold and test node under the T-mapping, and for swapped gold nodes the new label."""
    gold, test = pair.gold.treebank, pair.test.treebank
    t_gold = np.full(len(gold.label), -1, dtype=np.int64)
    t_test = np.full(len(test.label), -1, dtype=np.int64)
    new_label = np.full(len(gold.label), -1, dtype=np.int64)
    if t is None:
        return t_gold, t_test, new_label
    t_gold[:] = np.where(t.moved_gold >= 0, _MOVED, _DELETED)
    t_test[:] = np.where(t.moved_test >= 0, _MOVED, _INSERTED)
    mapped = np.flatnonzero(t.partner_gold >= 0)
    partners = test.offsets[sentence_of(gold.offsets)[mapped]] + t.partner_gold[mapped]
    same = symbols.gold[mapped] == symbols.test[partners]
    t_gold[mapped] = t_test[partners] = np.where(same, _MATCHED, _SWAPPED)
    swapped = ~same & (test.kind[partners] != Kind.WORD)
    new_label[mapped[swapped]] = test.label[partners[swapped]]
    return t_gold, t_test, new_label


def _brackets(
    parser: str,
    pair: Pair,
    sentence: NDArray[np.int64],
    label: NDArray[np.int64],
    gold_kind: NDArray[np.int64],
    test_kind: NDArray[np.int64],
    start: NDArray[np.int64],
    end: NDArray[np.int64],
    e_status: NDArray[np.int64],
    t_gold: NDArray[np.int64],
    t_test: NDArray[np.int64],
    t_label: NDArray[np.int64],
    crossing: NDArray[np.int64] | None = None,
) -> pa.Table:
    labels = pair.gold.treebank.vocabulary.labels.strings()
    crosses = np.zeros(len(sentence), dtype=np.int64) if crossing is None else crossing
    return pa.table(
        {
            "parser": constant(parser, len(sentence)),
            "sentence": (sentence + 1 + pair.gold.treebank.first_sentence).astype(np.int32),
            "label": coded(label, labels),
            "gold_kind": coded(gold_kind, _KINDS),
            "test_kind": coded(test_kind, _KINDS),
            "start": start.astype(np.int32),
            "end": end.astype(np.int32),
            "e_status": coded(e_status, _STATUS),
            "t_gold_status": coded(t_gold, _STATUS),
            "t_test_status": coded(t_test, _STATUS),
            "t_label": coded(t_label, labels),
            "crossing": crosses.astype(np.bool_),
        }
    )


def trees_table(parser: str | None, treebank: Treebank, compared: Treebank | None = None) -> pa.Table:
    """Build one row a tree as it was read; a missing tree is null.

    Parameters
    ----------
    parser : str or None
        The parser's name; None for the gold trees.
    treebank : Treebank
        The trees as read.
    compared : Treebank, optional
        The same trees with the words that are compared: these, separated by blanks, are the ``text``.
    """
    n = len(treebank)
    filled = np.diff(treebank.offsets) > 0
    texts = [treebank.source(i) if there else None for i, there in enumerate(filled.tolist())]
    return pa.table(
        {
            "parser": constant(parser, n),
            "sentence": np.arange(1, n + 1, dtype=np.int32) + np.int32(treebank.first_sentence),
            "line": pa.array(treebank.line, mask=treebank.line == 0),
            "notation": constant(treebank.notation, n),
            "tree": pa.array(texts, pa.string()),
            "text": pa.nulls(n, pa.string()) if compared is None else words_joined(compared),
        }
    )


def problems_table(problems: Iterable[Problem]) -> pa.Table:
    """Build one row a problem."""
    rows = list(problems)
    return pa.table(
        {
            "kind": pa.array([p.kind for p in rows], pa.string()),
            "parser": pa.array([p.parser for p in rows], pa.string()),
            "sentence": pa.array([p.sentence for p in rows], pa.int32()),
            "file": pa.array([p.file for p in rows], pa.string()),
            "line": pa.array([p.line for p in rows], pa.int32()),
            "column": pa.array([p.column for p in rows], pa.int32()),
            "found": pa.array([p.found for p in rows], pa.string()),
            "expected": pa.array([p.expected for p in rows], pa.string()),
        }
    )

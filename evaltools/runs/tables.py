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
from evaltools.metrics.mapping import WordMatch
from evaltools.metrics.tree_distance import TreeDistance
from evaltools.normalize import Pair, Status
from evaltools.normalize.word_alignment import word_offsets
from evaltools.runs.arrow_columns import coded as _coded
from evaltools.runs.arrow_columns import constant as _constant
from evaltools.runs.passes import Passes
from evaltools.runs.sentence_texts import words_joined
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

TABLES = ("sentences", "words", "brackets", "trees", "problems")
_KINDS = ("phrase", "preterminal")
_STATUS = ("matched", "deleted", "inserted", "swapped", "moved")
_MATCHED, _DELETED, _INSERTED, _SWAPPED, _MOVED = range(5)


def _sentence_of(offsets: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return the number of every element's sentence, from 0."""
    return np.repeat(np.arange(len(offsets) - 1, dtype=np.int32), np.diff(offsets))


def parser_tables(
    parser: str,
    gold: Treebank,
    test: Treebank,
    passes: Passes,
    words: NDArray[np.int32],
    evalb_length: NDArray[np.int32],
) -> dict[str, pa.Table]:
    """Build all the tables of one parser; the parameters are those of the single tables."""
    return {
        "sentences": sentences_table(parser, test, passes, words, evalb_length),
        "words": words_table(parser, gold, test, passes),
        "brackets": brackets_table(parser, passes),
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
        Length of the gold sentences as read, and without the words that a parameter file leaves out of the length.
    """
    pair = passes.pair
    n = len(words)
    kept = pair.gold.treebank.n_words
    columns: dict[str, Any] = {
        "parser": _constant(parser, n),
        "sentence": np.arange(1, n + 1, dtype=np.int32) + np.int32(test.first_sentence),
        "line": pa.array(test.line, mask=test.line == 0),
        "words": words,
        "words_scored": kept,
        "evalb_length": evalb_length,
        "status": _coded(pair.status.astype(np.int64), [status.label for status in Status]),
        "sentences": (kept > 0).astype(np.int32),
        "words_aligned": _words_aligned(pair),
    }
    for family, one in (("e", passes.e), ("t", passes.t), ("la", passes.la)):
        counts = np.zeros((n, len(FAMILIES[family]))) if one is None else one.counts
        unknown = np.full(n, one is None)
        if family == "t" and passes.t is not None:
            unknown = passes.t.too_large
        for place, name in enumerate(FAMILIES[family]):
            columns[name] = pa.array(np.ascontiguousarray(counts[:, place]), mask=unknown)
    return pa.table(columns)


def _words_aligned(pair: Pair) -> pa.Array:
    """Return how many gold words have a partner; null where words need not, or cannot, be aligned."""
    n = len(pair.status)
    words = pair.alignment
    if words is None:
        return pa.nulls(n, pa.int32())
    sentence = np.repeat(np.arange(n), pair.gold.treebank.n_words)
    partners = np.bincount(sentence[words.partner >= 0], minlength=n)
    return pa.array(partners.astype(np.int32), mask=~words.aligned)


def words_table(parser: str, gold: Treebank, test: Treebank, passes: Passes) -> pa.Table:
    """Build one row a gold word that was not deleted: tags and LA similarities.

    ``test_word``, ``test_form`` and ``match`` say what the word is aligned with where the words of the trees differ;
    they are null elsewhere.
    """
    side = passes.pair.gold
    treebank = side.treebank
    vocabulary = treebank.vocabulary
    nodes = np.flatnonzero(treebank.kind == Kind.WORD)
    sentence = _sentence_of(treebank.offsets)[nodes]
    before = gold.start[gold.offsets[sentence] + side.origin[nodes]]
    tag = _tags(treebank, nodes)
    test_tag = np.full(len(nodes), -1, dtype=np.int64)
    test_word = np.full(len(nodes), -1, dtype=np.int32)
    test_form = np.full(len(nodes), -1, dtype=np.int64)
    match = np.full(len(nodes), -1, dtype=np.int64)
    partner = np.where((passes.pair.status == Status.OK)[sentence], treebank.start[nodes], -1)
    other = passes.pair.test.treebank
    other_nodes = np.flatnonzero(other.kind == Kind.WORD)
    first_word = word_offsets(other)
    words = passes.pair.alignment
    if words is not None:
        partner = np.where(words.aligned[sentence], words.partner, partner)
        aligned = np.flatnonzero(words.aligned[sentence] & (words.partner >= 0))
        partners = other_nodes[first_word[sentence[aligned]] + partner[aligned]]
        test_word[aligned] = test.start[test.offsets[sentence[aligned]] + passes.pair.test.origin[partners]] + 1
        test_form[aligned] = other.label[partners]
        match[aligned] = words.match[aligned]
    has_partner = np.flatnonzero(partner >= 0)
    test_tag[has_partner] = _tags(other, other_nodes[first_word[sentence[has_partner]] + partner[has_partner]])
    columns: dict[str, Any] = {
        "parser": _constant(parser, len(nodes)),
        "sentence": sentence + np.int32(1 + gold.first_sentence),
        "word": before + 1,
        "position": treebank.start[nodes],
        "form": _coded(treebank.label[nodes].astype(np.int64), vocabulary.words.strings()),
        "tag": _coded(tag, vocabulary.labels.strings()),
        "test_tag": _coded(test_tag, vocabulary.labels.strings()),
        "test_word": pa.array(test_word, mask=test_word < 0),
        "test_form": _coded(test_form, vocabulary.words.strings()),
        "match": _coded(match, [str(how) for how in WordMatch]),
    }
    nothing = np.full((len(nodes), 3), np.nan)
    similarity = nothing if passes.la is None else passes.la.similarity
    for place, scheme in enumerate(("strict", "partial", "table")):
        values = np.ascontiguousarray(similarity[:, place])
        columns[f"la_{scheme}"] = pa.array(values, mask=np.isnan(values))
    length = np.zeros((len(nodes), 2), dtype=np.int32) if passes.la is None else passes.la.length
    columns["gold_lineage_length"] = np.ascontiguousarray(length[:, 0])
    columns["test_lineage_length"] = np.ascontiguousarray(length[:, 1])
    return pa.table(columns)


def _tags(treebank: Treebank, word_nodes: NDArray[np.intp]) -> NDArray[np.int64]:
    """Label number of each word's preterminal, which stands right after it; -1 where it has none."""
    if not len(word_nodes):
        return np.zeros(0, dtype=np.int64)
    after = np.minimum(word_nodes + 1, len(treebank.kind) - 1)
    return np.where(treebank.kind[after] == Kind.PRETERMINAL, treebank.label[after], -1).astype(np.int64)


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
    g_sentence = _sentence_of(gold.offsets)[g_nodes]
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
    t_sentence = _sentence_of(test.offsets)[t_nodes]
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
    partners = test.offsets[_sentence_of(gold.offsets)[mapped]] + t.partner_gold[mapped]
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
            "parser": _constant(parser, len(sentence)),
            "sentence": (sentence + 1 + pair.gold.treebank.first_sentence).astype(np.int32),
            "label": _coded(label, labels),
            "gold_kind": _coded(gold_kind, _KINDS),
            "test_kind": _coded(test_kind, _KINDS),
            "start": start.astype(np.int32),
            "end": end.astype(np.int32),
            "e_status": _coded(e_status, _STATUS),
            "t_gold_status": _coded(t_gold, _STATUS),
            "t_test_status": _coded(t_test, _STATUS),
            "t_label": _coded(t_label, labels),
            "crossing": crosses.astype(np.bool_),
        }
    )


def trees_table(parser: str | None, treebank: Treebank) -> pa.Table:
    """Build one row a tree as it was read; `parser` is None for the gold trees, a missing tree is null.

    The gold trees have their words as ``text``, separated by blanks.
    """
    n = len(treebank)
    filled = np.diff(treebank.offsets) > 0
    texts = [treebank.source(i) if there else None for i, there in enumerate(filled.tolist())]
    return pa.table(
        {
            "parser": _constant(parser, n),
            "sentence": np.arange(1, n + 1, dtype=np.int32) + np.int32(treebank.first_sentence),
            "line": pa.array(treebank.line, mask=treebank.line == 0),
            "notation": _constant(treebank.notation, n),
            "tree": pa.array(texts, pa.string()),
            "text": words_joined(treebank) if parser is None else pa.nulls(n, pa.string()),
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

"""The table of words: each gold word, its tags, its partner, its similarity."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evaltools.metrics.mapping import WordMatch
from evaltools.normalize import Pair, Status
from evaltools.normalize.word_alignment import word_offsets
from evaltools.runs.arrow_columns import coded, constant, sentence_of
from evaltools.runs.passes import Passes
from evaltools.treebank import Kind, Treebank

__all__ = ["words_aligned", "words_table"]


def words_aligned(pair: Pair) -> pa.Array:
    """Return how many gold words have a partner; null where words need not, or cannot, be aligned."""
    n = len(pair.status)
    words = pair.alignment
    if words is None:
        return pa.nulls(n, pa.int32())
    sentence = np.repeat(np.arange(n), pair.gold.treebank.n_words)
    partners = np.bincount(sentence[words.partner >= 0], minlength=n)
    return pa.array(partners.astype(np.int32), mask=~words.aligned)


def words_table(parser: str, passes: Passes) -> pa.Table:
    """Build one row a gold word that was not deleted: tags and LA similarities.

    ``test_word``, ``test_form`` and ``match`` say what the word is aligned with where the words of the trees differ;
    they are null elsewhere.
    """
    side = passes.pair.gold
    gold, test = side.read, passes.pair.test.read
    treebank = side.treebank
    vocabulary = treebank.vocabulary
    nodes = np.flatnonzero(treebank.kind == Kind.WORD)
    sentence = sentence_of(treebank.offsets)[nodes]
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
        "parser": constant(parser, len(nodes)),
        "sentence": sentence + np.int32(1 + gold.first_sentence),
        "word": before + 1,
        "position": treebank.start[nodes],
        "form": coded(treebank.label[nodes].astype(np.int64), vocabulary.words.strings()),
        "tag": coded(tag, vocabulary.labels.strings()),
        "test_tag": coded(test_tag, vocabulary.labels.strings()),
        "test_word": pa.array(test_word, mask=test_word < 0),
        "test_form": coded(test_form, vocabulary.words.strings()),
        "match": coded(match, [str(how) for how in WordMatch]),
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

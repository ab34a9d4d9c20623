"""From the arrays of the passes to the tables of a run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Kind, Treebank
from evaltools.frameworks.common.columns import (
    Rows,
    SentenceStatus,
    coded,
    constant,
    joined,
    nothing,
    number_column,
    sentence_of,
    text_column,
)
from evaltools.frameworks.common.leaf_ancestor import lineage_columns
from evaltools.frameworks.common.tables import sentences_table, stored_trees
from evaltools.frameworks.constituency.aligned_trees import WordMatch
from evaltools.frameworks.constituency.bracketing import Bracketing
from evaltools.frameworks.constituency.errors import tree_errors
from evaltools.frameworks.constituency.leaf_ancestor import LeafAncestor
from evaltools.frameworks.constituency.normalization import (
    UNCOUNTED,
    Pair,
    TreeComparison,
    gaps_of,
    hulls,
    word_offsets,
)
from evaltools.frameworks.constituency.tree_distance import TreeDistance
from evaltools.frameworks.passes import Passes
from evaltools.marks import Status

_KINDS = ("phrase", "preterminal")
_STATUSES = tuple(Status)
_RIGHT, _MISSING, _SPURIOUS, _RELABELED, _MOVED = map(_STATUSES.index, Status)
_NO_CODE = -1


def parser_tables(
    parser: str,
    test: Treebank,
    passes: Passes[TreeComparison],
    words: NDArray[np.int32],
    evalb_length: NDArray[np.int32],
) -> dict[str, Rows]:
    """Build all the tables of one parser."""
    brackets = _brackets_table(parser, passes)
    sentences = sentence_counts(parser, test, passes, words, evalb_length)
    labels = _labels_joined(brackets, 1 + passes.comparison.pair.gold.read.first_sentence, len(words))
    return {
        "sentences": sentences | {"labels": labels},
        "words": _words_table(parser, passes),
        "brackets": brackets,
        "errors": tree_errors(parser, passes),
        "trees": trees_table(parser, test),
    }


def sentence_counts(
    parser: str,
    test: Treebank,
    passes: Passes[TreeComparison],
    words: NDArray[np.int32],
    evalb_length: NDArray[np.int32],
) -> Rows:
    """Build one row a sentence: status and counts."""
    pair = passes.comparison.pair
    words_scored = pair.gold.treebank.n_words
    return sentences_table(
        parser,
        passes,
        first=test.first_sentence,
        line=test.line,
        words=words,
        words_scored=words_scored,
        status=pair.status,
        counted=words_scored > 0,
        words_aligned=_words_aligned(pair),
        more={"evalb_length": evalb_length},
    )


def _brackets_table(parser: str, passes: Passes[TreeComparison]) -> Rows:
    """Build one row a bracket of either tree, with its status in the E- and the T-mapping."""
    # Brackets that the E-mapping pairs share a row; `gold_kind` and `test_kind` are null on the side where there is
    # none. Pairs of preterminals that both mappings match are left out. `start` and `end` count words of the gold
    # tree, in rows of the test tree alone words of the test tree; words between them that are not in the bracket are in
    # `gaps`. `e_status` is null for brackets that do not count.
    pair, e = passes.comparison.pair, passes.get(Bracketing)
    gold, test = pair.gold.treebank, pair.test.treebank
    t_gold, t_test, new_label = _t_codes(passes.comparison, passes.get(TreeDistance))
    gold_nodes = test_nodes = partner = np.zeros(0, dtype=np.int64)
    crossing = np.zeros(len(test.label), dtype=np.uint8)
    if e is not None:
        gold_nodes = np.flatnonzero(gold.kind != Kind.WORD)
        test_nodes = np.flatnonzero((test.kind != Kind.WORD) & (e.partner_test < 0))
        partner = e.partner_gold[gold_nodes].astype(np.int64)
        crossing = e.crossing
    gold_sentence = sentence_of(gold.offsets)
    partner = np.where(partner >= 0, test.offsets[gold_sentence[gold_nodes]] + partner, -1)
    is_tag_pair = (gold.kind[gold_nodes] == Kind.PRETERMINAL) & (_of_partner(test.kind, partner) == Kind.PRETERMINAL)
    is_t_matched = [np.isin(codes, (_RIGHT, _NO_CODE)) for codes in (t_gold[gold_nodes], _of_partner(t_test, partner))]
    has_row = ~(is_tag_pair & is_t_matched[0] & is_t_matched[1])
    gold_nodes, partner = gold_nodes[has_row], partner[has_row]

    sentence = np.concatenate((gold_sentence[gold_nodes], sentence_of(test.offsets)[test_nodes]))
    order = np.argsort(sentence, kind="stable")
    labels = gold.vocabulary.labels.strings()
    no_code = np.full(len(test_nodes), _NO_CODE)

    gold_spans, test_spans = hulls(gold), hulls(test)
    gaps = np.concatenate((gaps_of(gold)[gold_nodes], gaps_of(test)[test_nodes]))[order]
    gaps[gaps == ""] = None

    def rows(gold_values: NDArray[Any], test_values: NDArray[Any]) -> NDArray[np.int64]:
        return np.concatenate((gold_values, test_values)).astype(np.int64)[order]

    e_gold = np.where(partner >= 0, _RIGHT, _MISSING)
    e_gold[pair.gold.kinds[gold_nodes] == UNCOUNTED] = _NO_CODE
    e_test = np.where(pair.test.kinds[test_nodes] == UNCOUNTED, _NO_CODE, _SPURIOUS)
    return {
        "parser": constant(parser, len(order)),
        "sentence": sentence[order] + np.int32(1 + gold.first_sentence),
        "label": coded(rows(gold.label[gold_nodes], test.label[test_nodes]), labels),
        "gold_kind": coded(rows(gold.kind[gold_nodes], no_code), _KINDS),
        "test_kind": coded(rows(_of_partner(test.kind, partner), test.kind[test_nodes]), _KINDS),
        "start": rows(gold_spans[0][gold_nodes], test_spans[0][test_nodes]).astype(np.int32),
        "end": rows(gold_spans[1][gold_nodes], test_spans[1][test_nodes]).astype(np.int32),
        "gaps": gaps,
        "e_status": coded(rows(e_gold, e_test), _STATUSES),
        "t_gold_status": coded(rows(t_gold[gold_nodes], no_code), _STATUSES),
        "t_test_status": coded(rows(_of_partner(t_test, partner), t_test[test_nodes]), _STATUSES),
        "t_label": coded(rows(new_label[gold_nodes], no_code), labels),
        "crossing": rows(_of_partner(crossing, partner), crossing[test_nodes]) > 0,
    }


def _of_partner(values: NDArray[Any], partner: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the values of the test nodes that gold nodes are paired with, -1 for those without a partner."""
    result = np.full(len(partner), _NO_CODE, dtype=np.int64)
    paired = partner >= 0
    result[paired] = values[partner[paired]]
    return result


def _t_codes(
    comparison: TreeComparison, t: TreeDistance | None
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the T-status of every gold and test node, and the new label of relabeled gold nodes; -1 without T."""
    gold, test = comparison.pair.gold.treebank, comparison.pair.test.treebank
    t_gold = np.full(len(gold.label), _NO_CODE, dtype=np.int64)
    t_test = np.full(len(test.label), _NO_CODE, dtype=np.int64)
    new_label = np.full(len(gold.label), _NO_CODE, dtype=np.int64)
    if t is None:
        return t_gold, t_test, new_label
    t_gold[:] = np.where(t.moved_gold >= 0, _MOVED, _MISSING)
    t_test[:] = np.where(t.moved_test >= 0, _MOVED, _SPURIOUS)
    mapped = np.flatnonzero(t.partner_gold >= 0)
    partners = test.offsets[sentence_of(gold.offsets)[mapped]] + t.partner_gold[mapped]
    same = comparison.symbols.gold[mapped] == comparison.symbols.test[partners]
    t_gold[mapped] = t_test[partners] = np.where(same, _RIGHT, _RELABELED)
    relabeled = ~same & (test.kind[partners] != Kind.WORD)
    new_label[mapped[relabeled]] = test.label[partners[relabeled]]
    return t_gold, t_test, new_label


def _words_aligned(pair: Pair) -> NDArray[Any]:
    """Return the number of gold words with a partner in each sentence; null in sentences without word alignment."""
    if pair.alignment is None:
        return nothing(len(pair.status))
    n_aligned = pair.alignment.n_aligned(pair.gold.treebank)
    return number_column(n_aligned, n_aligned < 0)


def _words_table(parser: str, passes: Passes[TreeComparison]) -> Rows:
    """Build one row a gold word that was not deleted: tags and LA similarities."""
    # `test_word`, `test_form` and `match` are of the aligned test word where the words of the trees differ, and null
    # elsewhere.
    pair, la = passes.comparison.pair, passes.get(LeafAncestor)
    gold, test = pair.gold.treebank, pair.test.treebank
    labels, forms = gold.vocabulary.labels.strings(), gold.vocabulary.words.strings()
    nodes, test_nodes = gold.word_nodes, test.word_nodes
    n = len(nodes)
    sentence = sentence_of(gold.offsets)[nodes]
    position = (np.arange(n) - word_offsets(gold)[sentence]).astype(np.int32)
    first_test_word = word_offsets(test)[sentence]
    test_tag, test_form, match = (np.full(n, -1, dtype=np.int64) for _ in range(3))
    test_word = np.full(n, -1, dtype=np.int32)
    partner = np.where((pair.status == SentenceStatus.OK)[sentence], position, -1)
    alignment = pair.alignment
    if alignment is not None:
        partner = np.where(alignment.aligned[sentence], alignment.partner, partner)
        aligned = np.flatnonzero(alignment.aligned[sentence] & (alignment.partner >= 0))
        partners = test_nodes[first_test_word[aligned] + partner[aligned]]
        test_word[aligned] = pair.test.numbers_as_read[first_test_word[aligned] + partner[aligned]]
        test_form[aligned] = test.label[partners]
        match[aligned] = alignment.match[aligned]
    has_partner = np.flatnonzero(partner >= 0)
    test_tag[has_partner] = test.word_tags[first_test_word[has_partner] + partner[has_partner]]
    read = pair.gold.read
    columns: Rows = {
        "parser": constant(parser, n),
        "sentence": sentence + np.int32(1 + read.first_sentence),
        "word": pair.gold.numbers_as_read,
        "position": position,
        "form": coded(gold.label[nodes].astype(np.int64), forms),
        "tag": coded(gold.word_tags, labels),
        "test_tag": coded(test_tag, labels),
        "test_word": number_column(test_word, test_word < 0),
        "test_form": coded(test_form, forms),
        "match": coded(match, [str(how) for how in WordMatch]),
    }
    return columns | lineage_columns(n, None if la is None else (la.similarity, la.length))


def words_joined(treebank: Treebank) -> list[str | None]:
    """Join the words of every sentence with blanks; None where the tree is missing."""
    nodes = np.flatnonzero(treebank.kind == Kind.WORD)
    ends = np.concatenate(([0], np.cumsum(treebank.n_words, dtype=np.int64)))
    sentence = np.searchsorted(treebank.offsets, nodes, side="right") - 1
    index = treebank.start if treebank.position is None else treebank.position
    in_order = np.empty(len(nodes), dtype=np.int32)
    in_order[ends[sentence] + index[nodes]] = treebank.label[nodes]
    return joined(coded(in_order, treebank.vocabulary.words.strings()), ends, np.diff(treebank.offsets) > 0)


def _labels_joined(brackets: Rows, first: int, n: int) -> NDArray[Any]:
    """Join the labels of the phrases of both trees of each sentence, with a blank before and after each."""
    is_phrase = (brackets["gold_kind"] == _KINDS[0]) | (brackets["test_kind"] == _KINDS[0])
    labels: list[set[str]] = [set() for _ in range(n)]
    sentences = brackets["sentence"][is_phrase] - first
    for sentence, label in zip(sentences.tolist(), brackets["label"][is_phrase].tolist(), strict=True):
        labels[sentence].add(label)
    return text_column([f" {' '.join(sorted(own))} " if own else None for own in labels])


def labels_in(labels: Iterable[str | None]) -> list[str]:
    """Return the labels in the column ``labels`` of the table of sentences, sorted."""
    return sorted({label for own in set(labels) if own for label in own.split(" ") if label})


def trees_table(parser: str | None, treebank: Treebank, compared: Treebank | None = None) -> Rows:
    """Build one row a tree as it was read, with the words that are compared if given; a missing tree is null."""
    filled = np.diff(treebank.offsets) > 0
    trees = [treebank.source(i) if is_filled else None for i, is_filled in enumerate(filled.tolist())]
    texts = None if compared is None else words_joined(compared)
    notation = treebank.format if treebank.format == "rr" else treebank.notation  # its functions do not count
    return stored_trees(parser, treebank.first_sentence, treebank.line, notation, trees, texts)

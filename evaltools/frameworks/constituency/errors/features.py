"""Features of gold words and gold brackets: labels around them, positions, lengths.

Features come from the gold trees after normalization, so they are the same for all parsers.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pandas.api.types import union_categoricals

from evaltools.corpus import Kind, Treebank
from evaltools.frameworks.common.categories import categories, classes, coded
from evaltools.frameworks.common.sentence_status import SentenceStatus
from evaltools.frameworks.common.tree_columns import node_positions
from evaltools.frameworks.constituency.bracketing import Bracketing
from evaltools.frameworks.constituency.comparison import TreeComparison
from evaltools.frameworks.constituency.rules import Normalized, Pair
from evaltools.frameworks.constituency.rules.word_sets import Spans, gap_texts, hulls
from evaltools.frameworks.options import Options
from evaltools.frameworks.presets import Preset

__all__ = [
    "BRACKET_FEATURES",
    "FEATURES",
    "all_bracket_features",
    "bracket_features",
    "gaps_of",
    "n_wrong_phrases",
    "partners",
    "phrases",
    "rules",
    "word_features",
]

FEATURES: dict[str, str] = {
    "form": "word form",
    "tag": "tag",
    "parent": "phrase",
    "grandparent": "parent of the phrase",
    "rule": "rule",
    "lineage": "lineage",
    "first_child": "first child of the phrase",
    "phrase_length": "words in the phrase",
    "depth": "depth",
    "place": "position in the phrase",
    "position": "position in the sentence",
    "length": "sentence length",
}
"""The features of words, with their titles."""

BRACKET_FEATURES: dict[str, str] = {
    "label": "label",
    "parent": "parent",
    "grandparent": "parent’s parent",
    "first_child": "first child",
    "first_words": "words in the first child",
    "last_child": "last child",
    "children": "children",
    "words": "words",
    "edge": "position in the parent",
    "depth": "depth",
    "length": "sentence length",
}
"""The features of brackets, with their titles."""

_NONE = "–"
_WORDS = (1, 2, 3, 4, 6, 9, 13, 19)
_CHILDREN = (1, 2, 3, 4, 6)
_DEPTHS = (1, 2, 3, 4, 5, 6, 8, 10, 13)
_SENTENCES = (1, 5, 10, 15, 20, 25, 30, 40, 60)


def word_features(normalized: Normalized) -> pd.DataFrame:
    """Describe every gold word that is left after normalization."""
    gold, left = normalized.read, normalized.treebank
    labels = np.array([*left.vocabulary.labels.strings(), _NONE], dtype=object)
    none = len(labels) - 1
    sentence_of, parent = node_positions(left)
    label = np.where(left.kind == Kind.WORD, none, left.label)

    words = left.word_nodes
    sentence = sentence_of[words]
    tagged = (parent[words] >= 0) & (left.kind[parent[words]] == Kind.PRETERMINAL)
    tag = np.where(tagged, parent[words], -1)
    phrase = parent[np.where(tagged, tag, words)]
    in_phrase = phrase >= 0
    n_words = left.n_words[sentence]
    first, last = hulls(left)
    start = np.where(in_phrase, first[phrase], 0)
    end = np.where(in_phrase, last[phrase], n_words)
    at = first[words]
    begins, ends = at == start, at + 1 == end
    length = np.where(in_phrase, (left.end - left.start)[phrase], n_words)

    def named(nodes: NDArray[np.int64]) -> Any:
        return coded(np.where(nodes >= 0, label[nodes], none), labels.tolist())

    def of_phrase(texts: NDArray[np.object_]) -> Any:
        return pd.Categorical(pd.Series(np.where(in_phrase, texts[phrase], _NONE), dtype=object).fillna(_NONE))

    columns: dict[str, Any] = {
        "sentence": sentence + 1 + gold.first_sentence,
        "word": normalized.places_as_read,
        "form": coded(left.label[words], left.vocabulary.words.strings()),
        "tag": named(tag),
        "parent": named(phrase),
        "grandparent": named(np.where(in_phrase, parent[phrase], -1)),
        "rule": of_phrase(rules(left)),
        "lineage": of_phrase(_lineages(left, parent, labels[label])),
        "first_child": of_phrase(labels[label[_first_children(parent)]]),
        "phrase_length": classes(length, _WORDS),
        "depth": classes(np.where(in_phrase, _depths(parent)[phrase], 0), _DEPTHS),
        "place": categories(
            np.select([begins & ends, begins, ends], [3, 0, 2], 1), ["first", "inside", "last", "alone"]
        ),
        "position": categories(np.select([at == 0, at + 1 == n_words], [0, 2], 1), ["first", "inside", "last"]),
        "length": classes(n_words, _SENTENCES),
    }
    return pd.DataFrame(columns)


def bracket_features(pair: Pair, preset: Preset) -> pd.DataFrame:
    """Describe every gold bracket of the sentences whose words are equal; ``found`` is 1 if the test tree has it."""
    return _described(pair.gold, pair.status == SentenceStatus.OK, pair.spans[0], partners(pair, preset)[0])


def all_bracket_features(pair: Pair, preset: Preset) -> pd.DataFrame:
    """Describe every gold bracket, as above, and every spurious one in its own tree, where ``found`` is undefined.

    ``cost`` is 1 for missing and spurious brackets, ``status`` says which.
    """
    is_equal, (of_gold, of_test) = pair.status == SentenceStatus.OK, partners(pair, preset)
    gold = _described(pair.gold, is_equal, pair.spans[0], of_gold)
    gold = gold.assign(status=np.where(gold["found"] == 1, "", "missing"))
    test = _described(pair.test, is_equal, pair.spans[1], of_test)
    test = test[test["found"] == 0].assign(found=np.nan, status="spurious")
    columns = {
        name: union_categoricals([gold[name], test[name]])
        if isinstance(gold[name].dtype, pd.CategoricalDtype)
        else np.concatenate([gold[name], test[name]])
        for name in gold
    }
    rows = pd.DataFrame(columns)
    return rows.assign(cost=(rows["status"] != "").astype(np.int64))


def _described(side: Normalized, is_equal: NDArray[np.bool_], spans: Spans, partner: NDArray[np.int64]) -> pd.DataFrame:
    """Describe every bracket of one side; ``found`` is 1 if it has a partner in the other tree."""
    gold = side.treebank
    sentence_of, parent = node_positions(gold)
    labels = np.array([*gold.vocabulary.labels.strings(), "word", _NONE], dtype=object)
    word, none = len(labels) - 2, len(labels) - 1
    label = np.where(gold.kind == Kind.WORD, word, gold.label).astype(np.int64)
    first_child = _first_children(parent)
    below = np.flatnonzero(parent >= 0)
    last_child = np.full(len(parent), -1)
    last_child[parent[below]] = below  # postorder: the last assignment is the last child
    n_children = np.bincount(parent[below], minlength=len(parent))

    nodes, _ = phrases(side, is_equal, spans)
    above, first, last = parent[nodes], first_child[nodes], last_child[nodes]
    has_parent = above >= 0
    left, right = hulls(gold)
    size = gold.end - gold.start
    has_gap = np.append(right - left > size, False)  # the last for children that are not there
    start, end = left[nodes], right[nodes]
    begins, ends = has_parent & (left[above] == start), has_parent & (right[above] == end)

    def named(nodes: NDArray[np.int64]) -> Any:
        return coded(np.where(nodes >= 0, label[nodes], none), labels.tolist())

    columns: dict[str, Any] = {
        "sentence": sentence_of[nodes] + 1 + gold.first_sentence,
        "start": start.astype(np.int64),
        "end": end.astype(np.int64),
        "gaps": gaps_of(gold, nodes),
        "is_plain": ~(has_gap[nodes] | has_gap[first] | has_gap[last]),
        "first_end": np.where(first >= 0, right[first], start).astype(np.int64),
        "last_start": np.where(last >= 0, left[last], end).astype(np.int64),
        "label": named(nodes),
        "parent": named(above),
        "grandparent": named(np.where(has_parent, parent[above], -1)),
        "first_child": named(first),
        "first_words": classes(np.where(first >= 0, size[first], 0), _WORDS),
        "last_child": named(last),
        "children": classes(n_children[nodes], _CHILDREN),
        "words": classes(size[nodes], _WORDS),
        "edge": coded(
            np.select([~has_parent, begins & ends, begins, ends], [4, 3, 0, 2], 1),
            ["first", "inside", "last", "alone", "top"],
        ),
        "depth": classes(_depths(parent)[nodes], _DEPTHS),
        "length": classes(gold.n_words[sentence_of[nodes]], _SENTENCES),
        "found": (partner[nodes] >= 0).astype(np.float64),
    }
    return pd.DataFrame(columns)


def phrases(side: Normalized, chosen: NDArray[np.bool_], spans: Spans) -> tuple[NDArray[np.intp], pd.DataFrame]:
    """Return the phrases that count in some sentences, and a row with sentence, label number and span for each."""
    treebank = side.treebank
    sentence_of, _ = node_positions(treebank)
    nodes = np.flatnonzero((side.kinds == Kind.PHRASE) & chosen[sentence_of])
    rows = {
        "sentence": sentence_of[nodes] + 1,
        "label": treebank.label[nodes],
        "start": spans[0][nodes],
        "end": spans[1][nodes],
    }
    return nodes, pd.DataFrame(rows)


def gaps_of(treebank: Treebank, nodes: NDArray[np.intp]) -> NDArray[np.object_]:
    """Return the gaps of each of some nodes, as in the table of brackets; an empty text where there is none."""
    texts = np.full(len(treebank.kind), "", dtype=object)
    for node, text in gap_texts(treebank).items():
        texts[node] = text
    return texts[nodes]


def partners(pair: Pair, preset: Preset) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return for every node of either side the phrase that the E-mapping pairs it with; -1 where it is no phrase."""
    gold, test = pair.gold.treebank, pair.test.treebank
    mapping = Bracketing.prepare(TreeComparison.of(pair, preset, Options()))
    mapping.run(0, len(gold))
    own = np.flatnonzero((gold.kind == Kind.PHRASE) & (mapping.partner_gold >= 0))
    others = test.offsets[node_positions(gold)[0][own]] + mapping.partner_gold[own]
    are_phrases = test.kind[others] == Kind.PHRASE
    own, others = own[are_phrases], others[are_phrases]
    of_gold, of_test = np.full(len(gold.kind), -1, dtype=np.int64), np.full(len(test.kind), -1, dtype=np.int64)
    of_gold[own], of_test[others] = others, own
    return of_gold, of_test


def n_wrong_phrases(pair: Pair, preset: Preset) -> NDArray[np.int64]:
    """Return by sentence how many phrases of either tree have no partner, also of those that do not count."""
    gold, test = (replace(side, kinds=side.treebank.kind) for side in (pair.gold, pair.test))
    number = np.zeros(len(pair.status), dtype=np.int64)
    for side, partner in zip((gold, test), partners(replace(pair, gold=gold, test=test), preset), strict=True):
        sentence_of, _ = node_positions(side.treebank)
        number += np.bincount(sentence_of[(side.kinds == Kind.PHRASE) & (partner < 0)], minlength=len(number))
    return number


def rules(treebank: Treebank) -> NDArray[np.object_]:
    """Return the rule of each phrase, ``NP → DT NN``; None for tags and words."""
    _, parent = node_positions(treebank)
    strings = treebank.vocabulary.labels.strings()
    kinds = treebank.kind.tolist()
    names = [
        "word" if kind == Kind.WORD else strings[number]
        for number, kind in zip(treebank.label.tolist(), kinds, strict=True)
    ]
    children: dict[int, list[str]] = {}
    for node, above in enumerate(parent.tolist()):  # postorder: children come from left to right
        if above >= 0 and kinds[above] == Kind.PHRASE:
            children.setdefault(above, []).append(names[node])
    result = np.full(len(names), None, dtype=object)
    for node, right in children.items():
        result[node] = f"{names[node]} → {' '.join(right)}"
    return result


def _lineages(treebank: Treebank, parent: NDArray[np.int64], names: NDArray[np.object_]) -> NDArray[np.object_]:
    """Return the labels from each phrase up to the root; None for tags and words."""
    result = np.full(len(parent), None, dtype=object)
    for node in np.flatnonzero(treebank.kind == Kind.PHRASE)[::-1].tolist():  # parents before children
        result[node] = names[node] if parent[node] < 0 else f"{names[node]} {result[parent[node]]}"
    return result


def _first_children(parent: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the first child of every node, -1 where it has none."""
    result = np.full(len(parent), -1, dtype=np.int64)
    below = np.flatnonzero(parent >= 0)[::-1]
    result[parent[below]] = below  # against postorder: the last assignment is the first child
    return result


def _depths(parent: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return 1 for roots, 2 for their children, and so on."""
    depth = np.ones(len(parent), dtype=np.int64)
    up = parent.copy()
    while (inside := up >= 0).any():
        depth[inside] += 1
        up[inside] = parent[up[inside]]
    return depth

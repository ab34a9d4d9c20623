"""The errors in the columns of aligned words, made when they are scored: tags, features, enhanced dependencies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Dependencies
from evaltools.corpus.enhanced import numbered_edges, without_subtypes
from evaltools.frameworks.common.columns import SentenceStatus
from evaltools.frameworks.dependency.pair import DependencyPair
from evaltools.frameworks.dependency.universal import feature_values
from evaltools.frameworks.questions import NONE

COLUMNS = {
    "tag": "UPOS",
    "xtag": "XPOS",
    "feats": "features",
    "deps": "enhanced dependencies",
    "universal_deps": "enhanced dependencies without subtypes",
}
"""The columns that are compared, with their titles."""

ColumnError = tuple[int, str, str, str]
"""Index of a gold word, the column, and the values of gold and parser; `NONE` for a value that one side lacks."""


def column_errors(pair: DependencyPair) -> list[ColumnError]:
    """Return the wrong values of the aligned words that count, in the order of the words.

    A column without values on one side is left out.
    """
    gold, test = pair.gold, pair.test
    words = np.flatnonzero(pair.counted & (pair.partner >= 0))
    sentence = np.repeat(np.arange(len(gold)), gold.n_words)
    partner = test.offsets[sentence[words]] + pair.partner[words]
    labels, annotations = gold.vocabulary.labels.strings(), gold.vocabulary.annotations.strings()
    errors: list[ColumnError] = []
    for column in ("tag", "xtag"):
        own, given = getattr(gold, column)[words], getattr(test, column)[partner]
        if _has_values(own, labels) and _has_values(given, labels):
            differ = np.flatnonzero(own != given)
            values = (side[differ].tolist() for side in (words, own, given))
            errors += [
                (word, column, labels[gold_value], labels[test_value])
                for word, gold_value, test_value in zip(*values, strict=True)
            ]
    own, given = gold.feats[words], test.feats[partner]
    if _has_values(own, annotations) and _has_values(given, annotations):
        differ = np.flatnonzero(own != given)
        for word, gold_value, test_value in zip(*(side[differ].tolist() for side in (words, own, given)), strict=True):
            pairs = compared_features(annotations[gold_value], annotations[test_value])
            errors += [(word, "feats", *values) for values in pairs if values[0] != values[1]]
    if _has_values(gold.deps[words], annotations) and _has_values(test.deps[partner], annotations):
        errors += _edge_errors(pair, words, sentence, partner, annotations)
    order = {column: number for number, column in enumerate(COLUMNS)}
    return sorted(errors, key=lambda error: (error[0], order[error[1]]))


def _has_values(numbers: NDArray[np.int32], strings: Sequence[str]) -> bool:
    return any(strings[number] not in ("", "_") for number in np.unique(numbers).tolist())


def compared_features(gold: str, test: str) -> list[tuple[str, str]]:
    """Return the pairs of values of two columns FEATS, by feature.

    Examples
    --------
    >>> compared_features("Case=Nom|Number=Sing", "Number=Plur|Person=3")
    [('Case=Nom', '(none)'), ('Number=Sing', 'Number=Plur'), ('(none)', 'Person=3')]
    """
    sides = feature_values(gold), feature_values(test)
    names = sorted({*sides[0], *sides[1]})
    gold_values, test_values = ([f"{name}={side[name]}" if name in side else NONE for name in names] for side in sides)
    return list(zip(gold_values, test_values, strict=True))


def _edge_errors(
    pair: DependencyPair,
    words: NDArray[np.intp],
    sentence: NDArray[np.intp],
    partner: NDArray[np.int64],
    annotations: Sequence[str],
) -> Iterator[ColumnError]:
    """Yield the wrong enhanced dependencies, with subtypes and without."""
    gold, test = pair.gold, pair.test
    is_same = pair.status[sentence[words]] == SentenceStatus.OK  # there, words have the same numbers on both sides
    differ = np.flatnonzero(~is_same | (gold.deps[words] != test.deps[partner]))
    gold_word = _gold_words(pair, sentence)
    chosen = words[differ]
    values = (chosen, gold.deps[chosen], test.deps[partner[differ]], test.offsets[sentence[chosen]])
    for word, own, given, first in zip(*(column.tolist() for column in values), strict=True):
        edges = [numbered_edges(annotations[number]) for number in (own, given)]
        mapped = [(gold_word.get(first + head - 1, -head) if head else 0, name) for head, name in edges[1]]
        for gold_edge, test_edge in paired_edges(edges[0], mapped):
            if gold_edge != test_edge:
                yield word, "deps", gold_edge, test_edge
        plain = ([(head, without_subtypes(name)) for head, name in side] for side in (edges[0], mapped))
        for gold_edge, test_edge in paired_edges(*plain):
            if gold_edge != test_edge:
                yield word, "universal_deps", gold_edge, test_edge


def _gold_words(pair: DependencyPair, sentence: NDArray[np.intp]) -> dict[int, int]:
    """Return the number in its sentence, from 1, of the gold word that each test word is aligned with."""
    gold, test = pair.gold, pair.test
    aligned = np.flatnonzero(pair.partner >= 0)
    of_test = test.offsets[sentence[aligned]] + pair.partner[aligned]
    numbers = aligned - gold.offsets[sentence[aligned]] + 1
    return dict(zip(of_test.tolist(), numbers.tolist(), strict=True))


def paired_edges(gold: list[tuple[int, str]], test: list[tuple[int, str]]) -> list[tuple[str, str]]:
    """Return the relations of the edges to the same heads: equal ones first, then others in their order.

    Examples
    --------
    >>> paired_edges([(0, "root"), (3, "nsubj")], [(0, "root"), (3, "obj"), (4, "conj")])
    [('root', 'root'), ('nsubj', 'obj'), ('(none)', 'conj')]
    """
    pairs: list[tuple[str, str]] = []
    for head in dict.fromkeys(at for at, _ in (*gold, *test)):
        own = [[relation for at, relation in side if at == head] for side in (gold, test)]
        for relation in list(own[0]):
            if relation in own[1]:
                own[0].remove(relation)
                own[1].remove(relation)
                pairs.append((relation, relation))
        pairs += zip_longest(own[0], own[1], fillvalue=NONE)
    return pairs


def stored_values(corpus: Dependencies, words: NDArray[np.intp]) -> dict[str, NDArray[np.object_]]:
    """Return the columns of words in which errors are looked for, as texts: values of one word separated by ``|``."""
    annotations = corpus.vocabulary.annotations.strings()

    def written(numbers: NDArray[np.int32], values_of: dict[int, str]) -> NDArray[np.object_]:
        return np.array([values_of[number] for number in numbers.tolist()], dtype=object)

    feats, deps = corpus.feats[words], corpus.deps[words]
    of_feats = {
        number: "|".join(f"{name}={value}" for name, value in feature_values(annotations[number]).items())
        for number in np.unique(feats).tolist()
    }
    of_deps = {
        number: "|".join(relation for _, relation in numbered_edges(annotations[number]))
        for number in np.unique(deps).tolist()
    }
    labels = np.array(corpus.vocabulary.labels.strings(), dtype=object)
    return {"xtag": labels[corpus.xtag[words]], "feats": written(feats, of_feats), "deps": written(deps, of_deps)}

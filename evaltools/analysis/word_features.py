"""What can be said of each gold word: its tag, the phrase it stands in, the rule that made it, where it stands.

Features come from the gold trees after normalisation, so that they are known before any parser is looked at, and are
the same for all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evaltools.normalize import Normalized
from evaltools.treebank import Kind, Treebank

__all__ = ["FEATURES", "classes", "coded", "rules", "word_features"]

FEATURES: dict[str, str] = {
    "form": "word form",
    "tag": "tag",
    "parent": "phrase",
    "grandparent": "phrase above",
    "rule": "rule",
    "lineage": "lineage",
    "first_child": "first child of the phrase",
    "phrase_length": "words in the phrase",
    "depth": "depth",
    "place": "place in the phrase",
    "position": "place in the sentence",
    "length": "sentence length",
}
"""The features and what people call them."""

_NONE = "–"
_DEPTHS = (1, 2, 3, 4, 5, 6, 8, 10, 13)
_LENGTHS = (1, 2, 3, 4, 6, 9, 13, 19)
_SENTENCES = (1, 5, 10, 15, 20, 25, 30, 40, 60)


def word_features(normalized: Normalized) -> pd.DataFrame:
    """Describe every gold word that is left after normalisation.

    Parameters
    ----------
    normalized : Normalized
        The gold trees, and what the preset leaves of them.

    Returns
    -------
    DataFrame
        ``sentence`` and ``word``, both from 1, the latter among the words as read; and a categorical column for each of
        :data:`FEATURES`; numbers are put into classes, such as ``5–9``, whose categories are in their order.
    """
    gold, left = normalized.read, normalized.treebank
    labels = np.array([*left.vocabulary.labels.strings(), _NONE], dtype=object)
    forms = left.vocabulary.words.strings()
    sentence_of = np.repeat(np.arange(len(left), dtype=np.int64), np.diff(left.offsets))
    parent = np.where(left.parent >= 0, left.parent + left.offsets[sentence_of], -1)
    label = np.where(left.kind == Kind.WORD, len(labels) - 1, left.label)

    words = np.flatnonzero(left.kind == Kind.WORD)
    sentence = sentence_of[words]
    tagged = (parent[words] >= 0) & (left.kind[parent[words]] == Kind.PRETERMINAL)
    child = np.where(tagged, parent[words], words)  # what stands in the phrase: the tag, or the bare word
    phrase = parent[child]
    above = np.where(phrase >= 0, parent[phrase], -1)
    made, lineage, depth, first = _phrases(left, parent, label, labels)
    width = np.where(phrase >= 0, left.end[phrase] - left.start[phrase], left.n_words[sentence])
    at = left.start[words]
    begins = np.where(phrase >= 0, left.start[phrase] == at, at == 0)
    ends = np.where(phrase >= 0, left.end[phrase] == at + 1, at + 1 == left.n_words[sentence])
    columns: dict[str, Any] = {
        "sentence": sentence + 1 + gold.first_sentence,
        "word": gold.start[gold.offsets[sentence] + normalized.origin[words]] + 1,
        "form": coded(left.label[words], forms),
        "tag": _named(labels, label, np.where(tagged, parent[words], -1)),
        "parent": _named(labels, label, phrase),
        "grandparent": _named(labels, label, above),
        "rule": _picked(made, phrase),
        "lineage": _picked(lineage, phrase),
        "first_child": _picked(first, phrase),
        "phrase_length": classes(width, _LENGTHS),
        "depth": classes(np.where(phrase >= 0, depth[phrase], 0), _DEPTHS),
        "place": _categories(
            np.where(begins & ends, 3, np.where(begins, 0, np.where(ends, 2, 1))),
            ["first", "inside", "last", "alone"],
        ),
        "position": _categories(
            np.where(at == 0, 0, np.where(at + 1 == left.n_words[sentence], 2, 1)), ["first", "inside", "last"]
        ),
        "length": classes(left.n_words[sentence], _SENTENCES),
    }
    return pd.DataFrame(columns)


def rules(treebank: Treebank) -> NDArray[np.object_]:
    """Return the rule that made each node, ``NP → DT NN``; None for tags and words.

    Parameters
    ----------
    treebank : Treebank
        Any trees.

    Returns
    -------
    ndarray of object, shape (nodes,)
        A word without a tag stands as ``word`` on the right-hand side.
    """
    sentence_of = np.repeat(np.arange(len(treebank), dtype=np.int64), np.diff(treebank.offsets))
    parent = np.where(treebank.parent >= 0, treebank.parent + treebank.offsets[sentence_of], -1)
    strings = treebank.vocabulary.labels.strings()
    kinds = treebank.kind.tolist()
    names = [
        "word" if kind == Kind.WORD else strings[number] for number, kind in zip(treebank.label, kinds, strict=True)
    ]
    right: dict[int, list[str]] = {}
    for node, above in enumerate(parent.tolist()):  # postorder: children come from left to right
        if above >= 0 and kinds[above] == Kind.PHRASE:
            right.setdefault(above, []).append(names[node])
    made = np.full(len(names), None, dtype=object)
    for node, children in right.items():
        made[node] = f"{names[node]} → {' '.join(children)}"
    return made


def _phrases(
    treebank: Treebank, parent: NDArray[np.int64], label: NDArray[np.int64], labels: NDArray[np.object_]
) -> tuple[NDArray[np.object_], NDArray[np.object_], NDArray[np.int64], NDArray[np.object_]]:
    """Return for each node its rule, its lineage, its depth, and the label of its first child."""
    n = len(parent)
    lineage = np.full(n, None, dtype=object)
    depth = np.zeros(n, dtype=np.int64)
    first = np.full(n, None, dtype=object)
    above, phrase = parent.tolist(), (treebank.kind == Kind.PHRASE).tolist()
    numbers = label.tolist()
    for node in range(n - 1, -1, -1):  # parents before children; the first child is seen last
        up = above[node]
        if phrase[node]:
            name = labels[numbers[node]]
            lineage[node] = name if up < 0 else f"{name} {lineage[up]}"
            depth[node] = 1 if up < 0 else depth[up] + 1
        if up >= 0:
            first[up] = labels[numbers[node]]
    return rules(treebank), lineage, depth, first


def _named(labels: NDArray[np.object_], label: NDArray[np.int64], nodes: NDArray[np.int64]) -> Any:
    return coded(np.where(nodes >= 0, label[nodes], len(labels) - 1), labels.tolist())


def _categories(codes: NDArray[Any], names: Sequence[str], *, ordered: bool = False) -> Any:
    return pd.Categorical.from_codes(codes.astype(np.intp), dtype=pd.CategoricalDtype(list(names), ordered=ordered))


def coded(codes: NDArray[Any], names: Sequence[str]) -> Any:
    """Return a categorical of the names that numbers stand for; categories are in the order of their first occurrence.

    So they depend on the values alone, and not on how the strings are numbered.
    """
    used, first, places = np.unique(codes, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), dtype=np.intp)
    rank[order] = np.arange(len(order))
    return _categories(rank[places.reshape(-1)], [names[code] for code in used[order].tolist()])


def _picked(texts: NDArray[np.object_], nodes: NDArray[np.int64]) -> Any:
    picked = np.where(nodes >= 0, texts[nodes], _NONE)
    return pd.Categorical(pd.Series(picked, dtype=object).fillna(_NONE))


def classes(values: NDArray[Any], begins: tuple[int, ...]) -> Any:
    """Put numbers into classes that begin at some of them; those below the first join it."""
    names = [str(low) if high == low + 1 else f"{low}–{high - 1}" for low, high in pairwise(begins)]
    names.append(f"{begins[-1]} and more")
    codes = np.clip(np.searchsorted(begins, values, side="right") - 1, 0, len(begins) - 1)
    return _categories(codes, names, ordered=True)

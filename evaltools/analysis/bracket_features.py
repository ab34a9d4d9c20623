"""What can be said of each gold bracket, and whether a parser found it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evaltools.analysis.word_features import classes, coded
from evaltools.normalize import Pair, Status
from evaltools.treebank import Kind, Treebank

__all__ = ["BRACKET_FEATURES", "bracket_features"]

BRACKET_FEATURES: dict[str, str] = {
    "label": "label",
    "parent": "parent",
    "grandparent": "parent’s parent",
    "first_child": "first child",
    "first_words": "words in the first child",
    "last_child": "last child",
    "children": "children",
    "words": "words",
    "edge": "place in the parent",
    "depth": "depth",
    "length": "sentence length",
}
"""The features and what people call them."""

_NONE = "–"
_WORDS = (1, 2, 3, 4, 6, 9, 13, 19)
_CHILDREN = (1, 2, 3, 4, 6)
_DEPTHS = (1, 2, 3, 4, 5, 6, 8, 10, 13)
_SENTENCES = (1, 5, 10, 15, 20, 25, 30, 40, 60)


def bracket_features(pair: Pair) -> pd.DataFrame:
    """Describe every gold bracket of the sentences whose words are equal.

    Parameters
    ----------
    pair : Pair
        The trees of a run's gold file and of a parser, normalised.

    Returns
    -------
    DataFrame
        ``sentence`` (from 1), ``start``, ``end``; a categorical column for each of :data:`BRACKET_FEATURES`; and
        ``found``: 1.0 if the test tree has the bracket, label included, else 0.0.
    """
    gold, test = pair.gold.treebank, pair.test.treebank
    ok = pair.status == Status.OK
    sentence_of, parent = _places(gold)
    labels = np.array([*gold.vocabulary.labels.strings(), "word", _NONE], dtype=object)
    word, none = len(labels) - 2, len(labels) - 1
    label = np.where(gold.kind == Kind.WORD, word, gold.label).astype(np.int64)
    n = len(label)
    first, last, children = np.full(n, -1), np.full(n, -1), np.zeros(n, dtype=np.int64)
    below = np.flatnonzero(parent >= 0)
    last[parent[below]] = below  # postorder: the last assignment is the last child
    first[parent[below[::-1]]] = below[::-1]
    np.add.at(children, parent[below], 1)
    depth = _depths(parent)

    chosen = np.flatnonzero((gold.kind == Kind.PHRASE) & ok[sentence_of])
    above = parent[chosen]
    higher = np.where(above >= 0, parent[above], -1)

    def named(nodes: NDArray[np.int64]) -> Any:
        return coded(np.where(nodes >= 0, label[nodes], none), labels.tolist())

    start, end = gold.start[chosen].astype(np.int64), gold.end[chosen].astype(np.int64)
    begins = (above >= 0) & (gold.start[above] == start)
    ends = (above >= 0) & (gold.end[above] == end)
    first_words = np.where(first[chosen] >= 0, gold.end[first[chosen]] - gold.start[first[chosen]], 0)
    places = np.select([above < 0, begins & ends, begins, ends], [4, 3, 0, 2], 1)
    columns: dict[str, Any] = {
        "sentence": sentence_of[chosen] + 1 + gold.first_sentence,
        "start": start,
        "end": end,
        "label": named(chosen),
        "parent": named(above),
        "grandparent": named(higher),
        "first_child": named(first[chosen]),
        "first_words": classes(first_words, _WORDS),
        "last_child": named(last[chosen]),
        "children": classes(children[chosen], _CHILDREN),
        "words": classes(end - start, _WORDS),
        "edge": coded(places, ["first", "inside", "last", "alone", "top"]),
        "depth": classes(depth[chosen], _DEPTHS),
        "length": classes(gold.n_words[sentence_of[chosen]], _SENTENCES),
        "found": _found(gold, test, chosen, ok),
    }
    return pd.DataFrame(columns)


def _places(treebank: Treebank) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the sentence and the parent of every node, the latter among all nodes."""
    sentence_of = np.repeat(np.arange(len(treebank), dtype=np.int64), np.diff(treebank.offsets))
    parent = np.where(treebank.parent >= 0, treebank.parent + treebank.offsets[sentence_of], -1)
    return sentence_of, parent.astype(np.int64)


def _depths(parent: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return 1 for roots, 2 for their children, and so on."""
    depth = np.ones(len(parent), dtype=np.int64)
    up = parent.copy()
    while (inside := up >= 0).any():
        depth[inside] += 1
        up[inside] = parent[up[inside]]
    return depth


def _found(gold: Treebank, test: Treebank, chosen: NDArray[np.intp], ok: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Tell for each gold bracket whether the test tree has it; equal ones pair one to one, the outermost first."""
    sides = []
    for treebank in (gold, test):
        sentence_of, _ = _places(treebank)
        nodes = chosen if treebank is gold else np.flatnonzero((treebank.kind == Kind.PHRASE) & ok[sentence_of])
        rows = pd.DataFrame(
            {
                "sentence": sentence_of[nodes],
                "label": treebank.label[nodes],
                "start": treebank.start[nodes],
                "end": treebank.end[nodes],
            }
        )
        key = list(rows.columns)
        sides.append(rows.assign(place=rows.iloc[::-1].groupby(key, sort=False).cumcount()))
    merged = sides[0].merge(sides[1], how="left", indicator=True)
    return (merged["_merge"] == "both").to_numpy().astype(np.float64)

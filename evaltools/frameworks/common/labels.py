"""Labels and words that count as the same: label maps, and what is written in another way or left out."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Dependencies, DependencyTree
from evaltools.corpus.folding import folded, replacement, unescaped
from evaltools.corpus.vocabulary import StringTable

AFTER_CATEGORY = "-="
"""What separates a category from its functions: ``NP-SBJ``."""
AFTER_RELATION = ":"
"""What separates a relation from its subtype: ``nsubj:pass``."""

Corpus = TypeVar("Corpus", bound=Dependencies)


def mapped_label(label: str, replacements: Mapping[str, str], separators: str) -> str:
    """Return a label after replacement: of the whole label, or else of what is before the first separator.

    Examples
    --------
    >>> replacements = {"NX": "NP", "nsubj:pass": "nsubjpass"}
    >>> mapped_label("NX-SBJ", replacements, AFTER_CATEGORY), mapped_label("-LRB-", replacements, AFTER_CATEGORY)
    ('NP-SBJ', '-LRB-')
    >>> mapped_label("nsubj:pass", replacements, AFTER_RELATION)
    'nsubjpass'
    """
    if (whole := replacement(label, replacements)) is not None:
        return whole
    end = min((at for separator in separators if (at := label.find(separator)) > 0), default=len(label))
    first = replacement(label[:end], replacements)
    return label if first is None else first + label[end:]


def mapped_numbers(table: StringTable, replacements: Mapping[str, str], separators: str) -> NDArray[np.int32]:
    """Return for the number of each label in a table the number of what replaces it."""
    return table.add_all(mapped_label(label, replacements, separators) for label in table.strings())


def sign_label_map(replacements: Mapping[str, str]) -> str:
    """Return the map in the signature of a run."""
    return f"label_map:{hashlib.sha256(json.dumps(sorted(replacements.items())).encode()).hexdigest()[:8]}"


def relabeled(trees: Corpus, label_map: Mapping[str, str]) -> Corpus:
    """Return a corpus with other relations."""
    if not label_map or not len(trees.relation):
        return trees
    vocabulary = trees.vocabulary
    numbers = mapped_numbers(vocabulary.labels, label_map, AFTER_RELATION)
    used, index = np.unique(trees.deps, return_inverse=True)
    deps = vocabulary.annotations.add_all(_deps(vocabulary.annotations[number], label_map) for number in used.tolist())
    return replace(trees, relation=numbers[trees.relation], deps=deps[index])


def relabeled_tree(tree: DependencyTree, label_map: Mapping[str, str]) -> DependencyTree:
    """Return a tree with other relations.

    Examples
    --------
    >>> tree = DependencyTree(("it", "rains"), (1, -1), ("expl:subj", "root"), deps=("2:expl:subj", "0:root"))
    >>> changed = relabeled_tree(tree, {"expl": "sbj"})
    >>> changed.relations, changed.deps
    (('sbj:subj', 'root'), ('2:sbj:subj', '0:root'))
    """
    if not label_map:
        return tree
    nodes = tuple(node.with_deps(_deps(node.deps, label_map)) for node in tree.empty_nodes)
    relations = tuple(mapped_label(name, label_map, AFTER_RELATION) for name in tree.relations)
    return replace(
        tree, relations=relations, deps=tuple(_deps(item, label_map) for item in tree.deps), empty_nodes=nodes
    )


def _deps(deps: str, label_map: Mapping[str, str]) -> str:
    """Replace the relations in a column DEPS; those of a collapsed path one by one."""
    edges = []
    for edge in deps.split("|"):
        head, colon, path = edge.partition(":")
        steps = [mapped_label(step, label_map, AFTER_RELATION) for step in path.split(">")]
        edges.append(head + colon + ">".join(steps))
    return "|".join(edges)


_NOTES: dict[str, tuple[str, str]] = {
    "case": (
        "word differs from the gold word in upper and lower case only, and counts as the same word",
        "words differ from the gold words in upper and lower case only, and count as the same words",
    ),
    "writing": (
        "word is the gold word written in another way (-LRB- for a bracket, another form of Unicode), and counts as it",
        "words are the gold words written in another way (-LRB- for a bracket, another form of Unicode), and count as "
        "them",
    ),
    "root": (
        "word has the relation ROOT, which counts as root",
        "words have the relation ROOT, which counts as root",
    ),
    "root_function": (
        "node has the function ROOT, which counts as root",
        "nodes have the function ROOT, which counts as root",
    ),
    "features": (
        "label is compared without the features after it (##…##)",
        "labels are compared without the features after them (##…##)",
    ),
    "markup": (
        "node (ID …) or (CODE …) is left out: it is no word",
        "nodes (ID …) and (CODE …) are left out: they are no words",
    ),
}
"""What is said of one and of several, by the key of the counts."""


EQUATED = ("case", "writing")
"""How words differ that are the same."""


def count_words(table: StringTable, gold: NDArray[np.int32], test: NDArray[np.int32]) -> dict[str, int]:
    """Count the pairs of words, given by their numbers, that are the same word in another case, or written otherwise.

    Examples
    --------
    >>> words = StringTable(["(", "-LRB-", "Yes", "yes", "no"])
    >>> count_words(words, np.array([0, 2, 2, 4], np.int32), np.array([1, 3, 2, 2], np.int32))
    {'case': 1, 'writing': 1}
    """
    differ = np.flatnonzero(gold != test)
    pairs, times = np.unique(np.stack((gold[differ], test[differ])), axis=1, return_counts=True)
    counts = dict.fromkeys(EQUATED, 0)
    for (a, b), n in zip(pairs.T.tolist(), times.tolist(), strict=True):
        if folded(table[a]) == folded(table[b]):
            counts["writing" if unescaped(table[a]) == unescaped(table[b]) else "case"] += n
    return counts


def sums_of(parts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """Return the sums of counts by name.

    Examples
    --------
    >>> sums_of([{"case": 1, "writing": 0}, {"case": 2}])
    {'case': 3, 'writing': 0}
    """
    sums = Counter[str]()
    for part in parts:
        sums.update(part)
    return dict(sums)


def equated_entry(sums: Iterable[Mapping[str, Any]], key: str = "equated") -> dict[str, dict[str, int]]:
    """Return the sums of the counts of all chunks as an entry of ``meta.json``; nothing if all are 0.

    Examples
    --------
    >>> equated_entry([{"equated": {"case": 1, "writing": 0}}, {"equated": {"case": 2}}]), equated_entry([{}])
    ({'equated': {'case': 3}}, {})
    """
    counts = {name: n for name, n in sums_of(chunk.get(key, {}) for chunk in sums).items() if n}
    return {"equated": counts} if counts else {}


_SIGNED = ("root", "root_function", "features", "markup")


def signed(entries: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the part of the signature that names what some files have that is equated or left out by default.

    Examples
    --------
    >>> signed([{"equated": {"case": 3}}]), signed([{"equated": {"markup": 3}}, {"equated": {"root": 1}}])
    ([], ['equated:root+markup'])
    """
    found = {kind for entry in entries for kind in entry.get("equated", {})}
    kinds = [kind for kind in _SIGNED if kind in found]
    return [f"equated:{'+'.join(kinds)}"] if kinds else []


def equated_lines(entries: Iterable[tuple[str, Mapping[str, Any]]]) -> list[str]:
    """Return what is said of some files, given their names and their entries in ``meta.json``.

    Examples
    --------
    >>> equated_lines([("p", {"equated": {"case": 1}}), ("q", {})])
    ['p: 1 word differs from the gold word in upper and lower case only, and counts as the same word']
    """
    return [
        f"{name}: {n:,} {_NOTES[kind][n != 1]}"
        for name, entry in entries
        for kind, n in entry.get("equated", {}).items()
    ]

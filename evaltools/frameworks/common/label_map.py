"""Labels of one inventory replaced by those of another, before trees are compared."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Dependencies, DependencyTree
from evaltools.corpus.folding import replacement
from evaltools.corpus.vocabulary import StringTable

__all__ = [
    "AFTER_CATEGORY",
    "AFTER_RELATION",
    "mapped_label",
    "mapped_numbers",
    "relabeled",
    "relabeled_tree",
    "sign_label_map",
]

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

"""Relational-realizational trees as trees of phrases: without projections and functions.

References
----------
R. Tsarfaty, J. Nivre and E. Andersson (2012). Cross-framework evaluation for statistical parsing. EACL 2012, section
4.2: "Prior to evaluating RR trees using ParsEval we strip off the added function nodes."
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from evaltools.corpus import Kind, Tree, Treebank
from evaltools.corpus.constituent_functions import is_projection, realized_functions
from evaltools.frameworks.presets.filtering import filtered

__all__ = ["WITHOUT_FUNCTIONS", "phrases_of", "without_functions"]

WITHOUT_FUNCTIONS = "relational-realizational trees are compared without projections and function nodes"


def without_functions(treebank: Treebank) -> Treebank:
    """Return a relational-realizational treebank as one of phrases; any other as it is."""
    if treebank.format != "rr":
        return treebank
    labels = treebank.vocabulary.labels
    projections = np.array([is_projection(label) for label in labels.strings()] or [False])
    is_phrase = treebank.kind == Kind.PHRASE
    is_set = is_phrase & projections[np.where(is_phrase, treebank.label, 0)]
    sentence = np.repeat(np.arange(len(treebank)), np.diff(treebank.offsets))
    parent = np.where(treebank.parent < 0, -1, treebank.parent + treebank.offsets[sentence])
    is_function = is_phrase & realized_functions(parent, is_set, sentence)
    marked = np.where(is_set | is_function, labels.add("{}"), treebank.label).astype(np.int32)
    delete = np.zeros(len(labels), dtype=np.uint8)
    delete[labels.find("{}")] = 1
    n_words = int(treebank.n_words.sum())
    left, _ = filtered(
        replace(treebank, label=marked),
        np.zeros(n_words, dtype=np.bool_),
        delete,
        np.arange(len(labels), dtype=np.int32),
        keep_empty=True,
    )
    return replace(left, format="ptb")


def phrases_of(tree: Tree) -> Tree:
    """Return a relational-realizational tree as a tree of phrases.

    Examples
    --------
    >>> text = "(S ({sbj,prd} (sbj (NP ({hd} (hd (NN John))))) (prd (V sleeps))))"
    >>> print(phrases_of(Tree.from_string(text)).to_string())
    (S (NP (NN John)) (V sleeps))
    """
    return without_functions(replace(Treebank.from_trees([tree]), format="rr")).tree(0)

"""Real treebanks and parser outputs, read for the golden tests."""

from __future__ import annotations

from pathlib import Path

from evaltools import Dependencies, DependencyTree
from evaltools.treebank import Vocabulary

CONSTITUENCY_PARSERS = ("pcfg-parent-markov", "pcfg-plain", "seqlab-bilstm", "span-bilstm", "span-bilstm-epoch1")
DEPENDENCY_PARSERS = ("spacy-cnn", "udpipe-projective", "udpipe-swap")


def read_dependencies(path: Path, vocabulary: Vocabulary | None = None) -> Dependencies:
    """Read the words of CoNLL-U, without what stands beside them."""
    trees = []
    for block in path.read_text(encoding="utf-8").strip().split("\n\n"):
        rows = [line.split("\t") for line in block.split("\n") if not line.startswith("#")]
        words = [row for row in rows if row[0].isdigit()]
        forms, tags, heads, relations = (tuple(row[column] for row in words) for column in (1, 3, 6, 7))
        trees.append(DependencyTree(forms, tuple(int(head) - 1 for head in heads), relations, tags=tags))
    return Dependencies.from_trees(trees, vocabulary)

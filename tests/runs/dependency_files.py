"""Small files of dependency trees that the tests of runs share."""

from __future__ import annotations

import io

from evaltools.corpus import DependencyTree
from evaltools.formats import FORMATS

TREE = DependencyTree(
    ("I", "saw", "the", "stars", "."),
    (1, -1, 3, 1, 1),
    ("nsubj", "root", "det", "obj", "punct"),
    tags=("PRON", "VERB", "DET", "NOUN", "PUNCT"),
)
NEAR = DependencyTree(
    TREE.forms,
    (1, -1, 3, 1, 3),
    ("nsubj:pass", "root", "det", "obl", "punct"),
    tags=("PRON", "VERB", "DET", "NOUN", "X"),
)
OTHER = DependencyTree(("I", "see", "the", "stars", "."), TREE.heads, TREE.relations, tags=TREE.tags)
PASSIVE = DependencyTree(("it", "was", "seen"), (2, 2, -1), ("nsubj:pass", "aux:pass", "root"))


def conllu(*trees: DependencyTree | None) -> str:
    return str(FORMATS["conllu"].write(trees))


def data(*trees: DependencyTree | None) -> io.BytesIO:
    return io.BytesIO(conllu(*trees).encode())

"""Pairs of dependency trees that the tests of the drawings share."""

from __future__ import annotations

from evaltools.corpus import DependencyTree
from evaltools.frameworks.dependency.aligned_arcs import DependencyAlignment
from evaltools.frameworks.dependency.alignment import align_dependencies

STARS = (
    DependencyTree(
        ("I", "saw", "the", "stars", "with", "telescopes"),
        (1, -1, 3, 1, 5, 1),
        ("nsubj", "root", "det", "obj", "case", "obl"),
        tags=("PRON", "VERB", "DET", "NOUN", "ADP", "NOUN"),
    ),
    DependencyTree(
        ("I", "saw", "the", "stars", "with", "telescopes"),
        (1, -1, 3, 1, 5, 3),
        ("nsubj", "root", "amod", "obj", "case", "nmod"),
        tags=("PRON", "VERB", "ADJ", "NOUN", "ADP", "NOUN"),
    ),
)
CROSSING = (
    DependencyTree(
        ("what", "do", "you", "think", "it", "was"),
        (5, 3, 3, -1, 5, 3),
        ("nsubj", "aux", "nsubj", "root", "x", "ccomp"),
    ),
    DependencyTree(
        ("what", "do", "you", "think", "it", "was"), (3, 3, 3, -1, 5, 3), ("obj", "aux", "nsubj", "root", "x", "ccomp")
    ),
)
OTHER_WORDS = (
    DependencyTree(("I", "can", "not", "go"), (3, 3, 3, -1), ("nsubj", "aux", "advmod", "root")),
    DependencyTree(("I", "cannot", "go"), (2, 2, -1), ("nsubj", "aux", "root")),
)
ARABIC = (
    DependencyTree(("قرأ", "الطالب", "كتابا"), (-1, 0, 0), ("root", "nsubj", "obj")),
    DependencyTree(("قرأ", "الطالب", "كتابا"), (-1, 0, 1), ("root", "nsubj", "nmod")),
)
HOSTILE = (
    DependencyTree(("<b>$x$</b>", "-LRB-", "\x01\u202e"), (-1, 0, 0), ("root", "a&b|\"'", "<script>")),
    DependencyTree(("<b>$x$</b>", "-LRB-", "\x01\u202e"), (-1, 2, 0), ("root", "*x*", "_")),
)
NO_PARSE = (STARS[0], DependencyTree((), (), ()))
ONE_WORD = (DependencyTree(("Go",), (-1,), ("root",)), DependencyTree(("Go",), (-1,), ("dep",)))
PAIRS = {
    "stars": STARS,
    "crossing": CROSSING,
    "other words": OTHER_WORDS,
    "arabic": ARABIC,
    "hostile": HOSTILE,
    "no parse": NO_PARSE,
    "one word": ONE_WORD,
}


def aligned(pair: tuple[DependencyTree, DependencyTree], **options: object) -> DependencyAlignment:
    return align_dependencies(*pair, subtypes=True, **options)  # type: ignore[arg-type]

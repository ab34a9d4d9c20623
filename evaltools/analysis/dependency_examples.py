"""A worked example of dependency trees, small enough to check by hand."""

from __future__ import annotations

from dataclasses import dataclass

from evaltools.metrics.dependency_alignment import align_dependencies
from evaltools.metrics.dependency_mapping import DependencyAlignment
from evaltools.treebank import DependencyTree

__all__ = ["DEPENDENCY_EXAMPLES", "DependencyExample"]


@dataclass(frozen=True, slots=True)
class DependencyExample:
    """Two dependency trees that show what a metric does.

    Parameters
    ----------
    title : str
        What it is called.
    gold, test : DependencyTree
        The trees.
    says : str
        What to look at.
    metrics : tuple of str
        The metrics it is about.
    """

    title: str
    gold: DependencyTree
    test: DependencyTree
    says: str
    metrics: tuple[str, ...]

    def align(self) -> DependencyAlignment:
        """Align the two trees."""
        return align_dependencies(self.gold, self.test)


_FORMS = ("She", "saw", "the", "stars", "with", "telescopes")
_TAGS = ("PRON", "VERB", "DET", "NOUN", "ADP", "NOUN")

DEPENDENCY_EXAMPLES: tuple[DependencyExample, ...] = (
    DependencyExample(
        "A phrase at the wrong word, and a wrong relation",
        DependencyTree(_FORMS, (1, -1, 3, 1, 5, 1), ("nsubj", "root", "det", "obj", "case", "obl"), tags=_TAGS),
        DependencyTree(_FORMS, (1, -1, 3, 1, 5, 3), ("nsubj", "root", "det", "iobj", "case", "nmod"), tags=_TAGS),
        "“telescopes” hangs from “stars” instead of “saw”: its head and its relation are wrong. “stars” has the "
        "right head and another relation. “with” is right for UAS and LAS, but LA sees that its path to the root has "
        "changed.",
        ("uas", "las", "label_accuracy", "la_strict", "la_partial"),
    ),
)
"""The examples of *About the metrics*."""

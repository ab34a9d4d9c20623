"""Treebanks of several theories, read side by side and turned into function trees."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO

from evaltools.formats import Source
from evaltools.formats.byte_stream import ByteStream
from evaltools.formats.treebank_stream import CorpusStream
from evaltools.metrics.function_columns import FunctionColumns, FunctionVocabulary, tl_unified
from evaltools.metrics.function_conversion import corpus_functions
from evaltools.treebank import Dependencies, Treebank
from evaltools.treebank.function_trees import HEAD, WILDCARD

__all__ = ["Conversion", "TheoryStream", "convert", "enriched"]

AnySource = str | os.PathLike[str] | Source | ByteStream | IO[bytes]


@dataclass(frozen=True, slots=True)
class Conversion:
    """How trees become function trees.

    Parameters
    ----------
    label_map : dict
        Labels of one inventory to those of another.
    tl_unify : tuple of (str, str)
        Pairs of theories: gold trees of the first get the labels of gold trees of the second over the same words.
    count_root : bool
        Whether the node over the whole sentence counts.
    free_labels : tuple of (str, str)
        Pairs of labels that TedEval of 2011 takes for the same.
    projectivize : bool
        Whether dependency trees are made projective for TedEval of 2011.
    """

    label_map: Mapping[str, str] = field(default_factory=dict)
    tl_unify: tuple[tuple[str, str], ...] = ()
    count_root: bool = True
    free_labels: tuple[tuple[str, str], ...] = ()
    projectivize: bool = True


def convert(
    trees: Treebank | Dependencies, vocabulary: FunctionVocabulary, conversion: Conversion, *, wildcard: bool = False
) -> FunctionColumns:
    """Turn trees of any format into function trees.

    Parameters
    ----------
    trees : Treebank or Dependencies
        The trees.
    vocabulary : FunctionVocabulary
        Shared with what they are compared with.
    conversion : Conversion
        The label map.
    wildcard : bool
        Whether the head of a dependency is labelled ``*``, as in 2011, instead of ``hd``.
    """
    head = WILDCARD if wildcard else HEAD
    return corpus_functions(trees, vocabulary, label_map=conversion.label_map, head_label=head)


@dataclass
class TheoryStream:
    """A gold treebank or a parser's output, and the theory that its trees follow.

    Parameters
    ----------
    name : str
        The parser's name; for a gold treebank the theory's.
    theory : str
        The theory's name.
    stream : CorpusStream
        The file.
    """

    name: str
    theory: str
    stream: CorpusStream

    @classmethod
    def open(cls, name: str, theory: str, source: AnySource, format_name: str | None = None) -> TheoryStream:
        """Open a file of any format."""
        return cls(name, theory, CorpusStream(source, format_name))


def enriched(golds: Mapping[str, FunctionColumns], pairs: Sequence[tuple[str, str]]) -> dict[str, FunctionColumns]:
    """Add to gold trees the labels of others, as asked for.

    Parameters
    ----------
    golds : dict
        Gold trees by theory.
    pairs : sequence of (str, str)
        The theory whose nodes are kept, and the one whose labels are added.
    """
    made = dict(golds)
    for structure, labels in pairs:
        made[structure] = tl_unified(made[structure], golds[labels])
    return made

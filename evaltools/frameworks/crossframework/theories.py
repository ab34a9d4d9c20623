"""Treebanks of several theories: how they become function trees, and how these are unified."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import IO

import numpy as np

from evaltools.errors import ParameterError
from evaltools.formats import Source
from evaltools.formats.source import ByteStream
from evaltools.frameworks.crossframework.function_columns import FunctionColumns
from evaltools.frameworks.crossframework.memberships import Segmentation, compare_words

__all__ = ["AnySource", "Conversion", "enriched", "tl_unified"]

AnySource = str | os.PathLike[str] | Source | ByteStream | IO[bytes]


@dataclass(frozen=True, slots=True)
class Conversion:
    """How trees become function trees."""

    label_map: Mapping[str, str] = field(default_factory=dict)  # Labels of one inventory to those of another
    # Pairs of theories, or of parsers: trees of the first get the labels of trees of the second over the same words.
    tl_unify: tuple[tuple[str, str], ...] = ()
    count_root: bool = True  # Whether the node over the whole sentence counts
    free_labels: tuple[tuple[str, str], ...] = ()  # Pairs of labels that TedEval of 2011 treats as equal
    projectivize: bool = True  # Whether dependency trees are made projective for TedEval of 2011

    def unified(self, theories: Collection[str], *, parsers: bool = False) -> list[tuple[str, str]]:
        """Return the pairs of theories, or those of parsers; a pair of names that are both is one of theories."""
        return [pair for pair in self.tl_unify if set(pair).issubset(theories) != parsers]

    def check_unified(self, theories: Collection[str], parsers: Collection[str]) -> None:
        """Raise ParameterError if a pair is neither one of theories nor one of parsers."""
        for structure, labels in self.tl_unify:
            for name in (structure, labels):
                if name not in theories and name not in parsers:
                    raise ParameterError.unknown("theory or parser", name, [*theories, *parsers])
            if not any({structure, labels}.issubset(names) for names in (theories, parsers)):
                raise ParameterError(
                    f"{structure} and {labels} cannot be unified: expected two theories or two parsers"
                )
            if structure == labels:
                raise ParameterError(f"{structure} cannot be unified with itself")


def enriched(trees: Mapping[str, FunctionColumns], pairs: Sequence[tuple[str, str]]) -> dict[str, FunctionColumns]:
    """Add to the first trees of each pair the labels of the second."""
    result = dict(trees)
    for structure, labels in pairs:
        result[structure] = tl_unified(result[structure], trees[labels])
    return result


def tl_unified(structure: FunctionColumns, labels: FunctionColumns) -> FunctionColumns:
    """Add to trees the labels that other trees have over the same words; :func:`~evaltools.tl_unify` for corpora."""
    same = compare_words([structure, labels]) == Segmentation.WORDS
    spans = np.unique(np.concatenate((structure.span, labels.span)))
    nodes, labeled_nodes = (
        item.sentence * np.int64(len(spans)) + np.searchsorted(spans, item.span) for item in (structure, labels)
    )
    added = np.flatnonzero((labels.label >= 0) & same[labels.sentence] & np.isin(labeled_nodes, nodes))
    sentence = np.concatenate((structure.sentence, labels.sentence[added]))
    order = np.argsort(sentence, kind="stable")
    return replace(
        structure,
        sentence=sentence[order],
        span=np.concatenate((structure.span, labels.span[added]))[order],
        label=np.concatenate((structure.label, labels.label[added]))[order],
    )

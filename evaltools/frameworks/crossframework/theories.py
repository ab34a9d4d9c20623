"""Treebanks of several theories: how they become function trees, and how these are unified."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import IO

import numpy as np

from evaltools.formats import Source
from evaltools.formats.reading.byte_stream import ByteStream
from evaltools.frameworks.crossframework.function_columns import FunctionColumns
from evaltools.frameworks.crossframework.memberships import Segmentation, compare_words

__all__ = ["AnySource", "Conversion", "enriched", "tl_unified"]

AnySource = str | os.PathLike[str] | Source | ByteStream | IO[bytes]


@dataclass(frozen=True, slots=True)
class Conversion:
    """How trees become function trees."""

    label_map: Mapping[str, str] = field(default_factory=dict)  # Labels of one inventory to those of another
    # Pairs of theories: gold trees of the first get the labels of gold trees of the second over the same words.
    tl_unify: tuple[tuple[str, str], ...] = ()
    count_root: bool = True  # Whether the node over the whole sentence counts
    free_labels: tuple[tuple[str, str], ...] = ()  # Pairs of labels that TedEval of 2011 treats as equal
    projectivize: bool = True  # Whether dependency trees are made projective for TedEval of 2011


def enriched(golds: Mapping[str, FunctionColumns], pairs: Sequence[tuple[str, str]]) -> dict[str, FunctionColumns]:
    """Add to gold trees of the first theory of each pair the labels of gold trees of the second."""
    result = dict(golds)
    for structure, labels in pairs:
        result[structure] = tl_unified(result[structure], golds[labels])
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

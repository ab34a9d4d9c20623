"""Some sentences of a treebank, parts of one put together, and other nodes for a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from evaltools.treebank.columns import Treebank
from evaltools.treebank.dependency_columns import Dependencies
from evaltools.treebank.tree import Kind

__all__ = ["Corpus", "Nodes", "joined", "replaced", "taken"]

Corpus = TypeVar("Corpus", bound=Treebank | Dependencies)
_OF_WORDS = ("form", "tag", "xtag", "head", "relation")
_OF_NODES = ("label", "parent", "leftmost", "start", "end", "kind")


def taken(treebank: Corpus, chosen: NDArray[np.int64]) -> Corpus:
    """Return some of a treebank's sentences, in another order perhaps.

    Parameters
    ----------
    treebank : Treebank or Dependencies
        Where they are taken from.
    chosen : ndarray of int64
        Their places, from 0; -1 makes a missing sentence.
    """
    there = chosen >= 0
    sizes = np.zeros(len(chosen), dtype=np.int64)
    sizes[there] = np.diff(treebank.offsets)[chosen[there]]
    offsets = np.concatenate(([0], np.cumsum(sizes)))
    begin = np.zeros(len(chosen), dtype=np.int64)
    begin[there] = treebank.offsets[chosen[there]]
    nodes = np.repeat(begin - offsets[:-1], sizes) + np.arange(int(offsets[-1]))

    def sentences(column: NDArray[Any], fill: int) -> NDArray[Any]:
        values = np.full(len(chosen), fill, dtype=column.dtype)
        values[there] = column[chosen[there]]
        return values

    names = _OF_WORDS if isinstance(treebank, Dependencies) else (*_OF_NODES, "position", "function")
    whole = {name: getattr(treebank, name) for name in names}
    columns: dict[str, Any] = {name: None if column is None else column[nodes] for name, column in whole.items()}
    made: Corpus = replace(
        treebank,
        **columns,
        offsets=offsets,
        line=sentences(treebank.line, 0),
        text_start=sentences(treebank.text_start, len(treebank.text)),
        text_end=sentences(treebank.text_end, len(treebank.text)),
    )
    return made


def joined(parts: list[Corpus]) -> Corpus:
    """Put parts of one file together that were read one after the other with one vocabulary.

    Parameters
    ----------
    parts : list of Treebank, or of one Dependencies
        At least one; what is not in columns is taken from the first.
    """
    return parts[0] if len(parts) == 1 else cast("Corpus", _joined(cast("list[Treebank]", parts)))


def _joined(parts: list[Treebank]) -> Treebank:
    nodes = np.cumsum([0, *(len(part.label) for part in parts)]).tolist()
    texts = np.cumsum([0, *(len(part.text) for part in parts)]).tolist()

    def shifted(name: str, shifts: list[int]) -> NDArray[Any]:
        return np.concatenate([getattr(part, name) + shift for part, shift in zip(parts, shifts, strict=False)])

    columns: dict[str, Any] = {name: np.concatenate([getattr(part, name) for part in parts]) for name in _OF_NODES}
    ends = [part.offsets[1:] + shift for part, shift in zip(parts, nodes, strict=False)]
    return replace(
        parts[0],
        **columns,
        offsets=np.concatenate(([0], *ends)).astype(np.int64),
        line=np.concatenate([part.line for part in parts]),
        text_start=shifted("text_start", texts),
        text_end=shifted("text_end", texts),
        text=b"".join(part.text for part in parts),
        problems=[problem for part in parts for problem in part.problems],
        position=_positions(parts),
        function=_functions(parts),
    )


def _positions(parts: list[Treebank]) -> NDArray[np.int32] | None:
    """Join the words' positions, which a part has only where phrases are discontinuous."""
    if all(part.position is None for part in parts):
        return None
    usual = [np.where(part.kind == Kind.WORD, part.start, -1).astype(np.int32) for part in parts]
    return np.concatenate(
        [own if part.position is None else part.position for part, own in zip(parts, usual, strict=True)]
    )


def _functions(parts: list[Treebank]) -> NDArray[np.int32] | None:
    """Join the functions, which a part has only where a node has one."""
    if all(part.function is None for part in parts):
        return None
    none = parts[0].vocabulary.labels.add("")
    return np.concatenate(
        [np.full(len(part.label), none, np.int32) if part.function is None else part.function for part in parts]
    )


@dataclass
class Nodes:
    """The nodes of one sentence, in postorder, as a treebank has them."""

    label: list[int] = field(default_factory=list)
    parent: list[int] = field(default_factory=list)
    leftmost: list[int] = field(default_factory=list)
    start: list[int] = field(default_factory=list)
    end: list[int] = field(default_factory=list)
    kind: list[int] = field(default_factory=list)

    def add(self, label: int, kind: int, start: int, end: int, children: list[int]) -> int:
        """Add a node over children that are there already; return its place.

        Parameters
        ----------
        label, kind, start, end : int
            As in a treebank.
        children : list of int
            Places of the children.
        """
        place = len(self.label)
        self.label.append(label)
        self.parent.append(-1)
        self.leftmost.append(self.leftmost[children[0]] if children else place)
        self.start.append(start)
        self.end.append(end)
        self.kind.append(kind)
        for child in children:
            self.parent[child] = place
        return place


def replaced(treebank: Treebank, new: Mapping[int, Nodes]) -> Treebank:
    """Return a treebank with other nodes for some sentences; all phrases are continuous and without functions.

    Parameters
    ----------
    treebank : Treebank
        Whose sentences the others are.
    new : mapping of int to Nodes
        Nodes by sentence, from 0.
    """
    sizes = np.diff(treebank.offsets)
    for sentence, nodes in new.items():
        sizes[sentence] = len(nodes.label)
    columns: dict[str, Any] = {}
    for name in _OF_NODES:
        column = getattr(treebank, name)
        parts: list[NDArray[Any]] = []
        at = 0
        for sentence in sorted(new):
            parts += [column[at : treebank.offsets[sentence]], np.array(getattr(new[sentence], name), column.dtype)]
            at = int(treebank.offsets[sentence + 1])
        columns[name] = np.concatenate([*parts, column[at:]])
    offsets = np.concatenate(([0], np.cumsum(sizes)))
    return replace(treebank, **columns, offsets=offsets, position=None, function=None)

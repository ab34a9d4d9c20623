"""The passes over one parser's output, range by range, and how far they are."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from evaltools.errors import Cancelled
from evaltools.metrics.base import Symbols, symbols_of
from evaltools.metrics.bracketing import Bracketing
from evaltools.metrics.leaf_ancestor import CostTable, LeafAncestor
from evaltools.metrics.tree_distance import TreeDistance
from evaltools.normalize import Pair, Preset

__all__ = ["Options", "Passes", "Progress", "ranges"]

_MOST_PER_RANGE = 512
_RANGES = 32


@dataclass(frozen=True)
class Options:
    """What to compute, beside the preset.

    Parameters
    ----------
    families : tuple of str
        The passes to make: of ``"e"``, ``"t"``, ``"la"``; over dependency trees of ``"attachment"``, ``"la"``.
    la_preterminals : bool
        Whether lineages include the words' tags.
    la_table : CostTable or None
        Replacement costs for ``la_table``.
    engine : str
        What computes the T-mapping.
    align_sentences : bool
        Whether a parser's sentences are aligned with the gold sentences by their words, not by their place.
    punctuation : str or None
        What to do with punctuation of dependency trees; None for what is usual.
    subtypes : bool or None
        Whether relations of dependency trees are compared with their subtypes; None for what is usual.
    """

    families: tuple[str, ...] = ("e", "t", "la")
    la_preterminals: bool = False
    la_table: CostTable | None = None
    engine: str = "banded"
    align_sentences: bool = False
    punctuation: str | None = None
    subtypes: bool | None = None


@dataclass(frozen=True)
class Passes:
    """The passes of one parser; each fills arrays of its own."""

    pair: Pair
    symbols: Symbols
    e: Bracketing | None
    t: TreeDistance | None
    la: LeafAncestor | None

    @classmethod
    def prepare(cls, pair: Pair, preset: Preset, options: Options) -> Passes:
        """Make room for the results."""
        symbols = symbols_of(pair, preset)
        return cls(
            pair,
            symbols,
            Bracketing(pair, preset, symbols) if "e" in options.families else None,
            TreeDistance(pair, symbols, options.engine) if "t" in options.families else None,
            LeafAncestor(pair, symbols, preterminals=options.la_preterminals, table=options.la_table)
            if "la" in options.families
            else None,
        )

    def run(self, first: int, last: int) -> int:
        """Score a range of sentences; return how many."""
        for one in (self.e, self.t, self.la):
            if one is not None:
                one.run(first, last)
        return last - first


@dataclass
class Progress:
    """How far a computation is, told to whoever asks; and the way to stop it.

    Parameters
    ----------
    total : int
        Pairs of sentences to score; an estimate from the size of the gold file until its end is reached, 0 while
        nothing is known.
    tell : callable, optional
        Called with (stage, done, total) from the threads that score, one at a time.
    note : callable, optional
        Called with a line of text about what was found at the start.
    """

    total: int = 0
    tell: Callable[[str, int, int], None] | None = None
    done: int = 0
    stage: str = "reading"
    note: Callable[[str], None] | None = None
    cancelled: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def at(self, stage: str, more: int = 0) -> None:
        """Report progress; raise :class:`Cancelled` if someone asked to stop."""
        if self.cancelled.is_set():
            raise Cancelled("stopped on request")
        with self._lock:
            self.stage = stage
            self.done += more
            if self.tell is not None:
                self.tell(stage, self.done, self.total)


def ranges(n_sentences: int) -> Iterator[tuple[int, int]]:
    """Cut the sentences into ranges small enough to spread over threads and to stop between."""
    size = max(1, min(_MOST_PER_RANGE, -(-n_sentences // _RANGES)))
    for first in range(0, n_sentences, size):
        yield first, min(first + size, n_sentences)

"""Progress reporting and cancellation."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from evaltools.errors import Cancelled

_MAX_PER_RANGE = 512
_RANGES = 32
_WRITING = 0.1
"""How long writing takes, as a share of the time for all pairs."""


@dataclass
class Progress:
    """Number of sentence pairs done, and whether to stop."""

    # Number of sentence pairs; estimated from the size of the gold file until its end is reached, 0 if unknown
    total: int = 0
    # Called with (stage, done, total) from the scoring threads, by one at a time
    on_update: Callable[[str, int, int], None] | None = None
    done: int = 0
    written: float = 0.0  # Which share of the tables is written, when all pairs are done
    stage: str = "reading"
    note: Callable[[str], None] | None = None  # Called with a line of text about the inputs
    cancelled: threading.Event = field(default_factory=threading.Event)
    _noted: set[str] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def update(self, stage: str, n_done: int = 0) -> None:
        """Report `n_done` more sentence pairs; raise :class:`Cancelled` if cancellation was requested."""
        if self.cancelled.is_set():
            raise Cancelled("stopped on request")
        with self._lock:
            self.stage = stage
            self.done += n_done
            if self.on_update is not None:
                self.on_update(stage, self.done, self.total)

    def wrote(self, share: float) -> None:
        """Report that another share of the tables is written."""
        self.written += share
        self.update("writing")

    @property
    def steps(self) -> tuple[float, float]:
        """How many steps are done, and of how many: sentence pairs, and writing as so many more of them."""
        writing = _WRITING * self.total
        return self.done + self.written * writing, self.total + writing

    def add_notes(self, lines: Iterable[str]) -> None:
        """Pass lines of text about the inputs to :attr:`note`, each once."""
        with self._lock:
            for line in lines:
                if self.note is not None and line not in self._noted:
                    self._noted.add(line)
                    self.note(line)


def ranges(n_sentences: int) -> Iterator[tuple[int, int]]:
    """Yield ranges of sentences; work is cancelled between two of them."""
    size = max(1, min(_MAX_PER_RANGE, -(-n_sentences // _RANGES)))
    for first in range(0, n_sentences, size):
        yield first, min(first + size, n_sentences)

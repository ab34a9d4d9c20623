"""Workers score the chunks of a corpus: threads of this program, or programs of a cluster."""

from __future__ import annotations

from abc import ABC, abstractmethod
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType

from evaltools.frameworks.scoring import Chunk, ReadChunk, Scored
from evaltools.progress import Progress

Results = dict[str, Scored]
"""The results of parsers on a chunk."""
_CHUNKS_AHEAD = 2


class Workers(ABC):
    """Scores chunks; a context that ends when all is done, or at an error."""

    reports_progress: bool
    """Whether the workers report their progress themselves."""

    def __enter__(self) -> Workers:
        return self

    @abstractmethod
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Release the workers."""

    @abstractmethod
    def submit(self, chunk: ReadChunk) -> list[Future[Results]]:
        """Begin to score the parsers of a chunk, in their order."""

    def check(self) -> None:  # noqa: B027 - threads do not get lost
        """Raise RunError if the workers are lost."""

    @abstractmethod
    def max_pending(self, n_parsers: int) -> int:
        """Return how many results may be pending before more is read."""


class Threads(Workers):
    """Threads of this program, one parser of a chunk each."""

    reports_progress = True

    def __init__(self, jobs: int, progress: Progress) -> None:
        self._pool = ThreadPoolExecutor(jobs)
        self._progress = progress

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.shutdown()

    def submit(self, chunk: ReadChunk) -> list[Future[Results]]:
        """Score each parser in a thread of its own."""
        prepared = chunk.prepared()
        return [self._pool.submit(self._score, prepared, name) for name in prepared.parses]

    def max_pending(self, n_parsers: int) -> int:
        """Return as many results as keep all threads busy while files are read."""
        return _CHUNKS_AHEAD * n_parsers

    def _score(self, chunk: Chunk, name: str) -> Results:
        return {name: chunk.score(name, self._progress)}

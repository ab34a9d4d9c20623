"""Who scores the chunks: threads of this program, or others that follow the same rules."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Protocol

from evaltools.runs.chunks import Chunk, ReadChunk
from evaltools.runs.dependency_chunks import DependencyChunk
from evaltools.runs.parts import PartResult, Parts
from evaltools.runs.passes import Progress
from evaltools.runs.remote import UrlParts

__all__ = ["Results", "Threads", "Workers"]

Results = dict[str, PartResult]
_CHUNKS_AHEAD = 2


class Workers(Protocol):
    """What takes chunks to be scored; a context that ends when all is done, or at an error."""

    tells: bool
    """Whether the workers themselves say how far they are."""

    def __enter__(self) -> Workers:
        """Get ready."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let go."""

    def submit(self, chunk: ReadChunk, places: dict[str, int]) -> set[Future[Results]]:
        """Have a chunk scored for some parsers, given with their places; what comes of it, by parser, in any order."""

    def most_pending(self, n_parsers: int) -> int:
        """How many results may be awaited before more is read."""


class Threads:
    """Threads of this program, one parser of a chunk each.

    Parameters
    ----------
    jobs : int
        How many.
    parts : Parts or UrlParts
        Where parts are written.
    progress : Progress
        Is told how far they are, and can stop them.
    """

    tells = True

    def __init__(self, jobs: int, parts: Parts | UrlParts, progress: Progress) -> None:
        self._pool = ThreadPoolExecutor(jobs)
        self._parts = parts
        self._progress = progress

    def __enter__(self) -> Threads:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.shutdown()

    def submit(self, chunk: ReadChunk, places: dict[str, int]) -> set[Future[Results]]:
        """Score each parser in a thread of its own."""
        ready = chunk.normalized()
        return {self._pool.submit(self._score, ready, name, place) for name, place in places.items()}

    def most_pending(self, n_parsers: int) -> int:
        """Return how many results may be awaited: so many that no thread waits while files are read."""
        return _CHUNKS_AHEAD * n_parsers

    def _score(self, chunk: Chunk | DependencyChunk, name: str, place: int) -> Results:
        return {name: chunk.score(place, name, self._parts, self._progress)}

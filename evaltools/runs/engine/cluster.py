"""Scoring on a Dask cluster: chunks are sent as text; workers write the parts to a folder that all machines share."""

from __future__ import annotations

import dataclasses
import zlib
from concurrent.futures import CancelledError, Future
from types import TracebackType
from typing import Any

import evaltools
from evaltools.corpus import Dependencies, Treebank, Vocabulary
from evaltools.errors import ParameterError, RunError, missing_package
from evaltools.frameworks.pairing.source_chunks import Texts
from evaltools.frameworks.scoring import Chunk, ReadChunk
from evaltools.progress import Progress
from evaltools.runs.engine.parts import Parts
from evaltools.runs.engine.workers import Results, Workers

__all__ = ["Cluster"]

_SECONDS_TO_CONNECT = 10
_CHUNKS_PER_THREAD = 2
_MIN_PENDING = 4


@dataclasses.dataclass(frozen=True)
class _Task:
    """A chunk to be sent: the compressed text of every file."""

    version: str
    n: int
    gold: Texts
    tests: dict[str, Texts]
    kind: type[Chunk]
    rules: Any
    names: dict[str, str]
    parts: Parts


def _packed(text: Texts) -> Texts:
    return dataclasses.replace(
        text, sources=tuple(dataclasses.replace(item, data=zlib.compress(item.data, level=1)) for item in text.sources)
    )


def _read(packed: Texts, n: int, vocabulary: Vocabulary) -> Treebank | Dependencies:
    sources = tuple(dataclasses.replace(item, data=zlib.decompress(item.data)) for item in packed.sources)
    return dataclasses.replace(packed, sources=sources).read(n, vocabulary)


def _score(task: _Task) -> Results:
    """Score a chunk on a worker; Dask repeats this on another worker if the first is lost."""
    if task.version != evaltools.__version__:
        raise RunError(f"a worker has evaltools {evaltools.__version__}, not {task.version}")
    vocabulary = Vocabulary()
    gold = _read(task.gold, task.n, vocabulary)
    tests = {name: _read(text, task.n, vocabulary) for name, text in task.tests.items()}
    chunk = task.kind(gold, tests, task.rules)
    return {name: task.parts.write_scored(part, chunk.score(name, Progress())) for name, part in task.names.items()}


def _task(chunk: ReadChunk, names: dict[str, str], parts: Parts) -> _Task:
    """Pack a chunk, to be scored for some parsers, given with the names of their parts."""
    texts = {name: _packed(text) for name, text in chunk.texts.items()}
    gold, tests = texts.pop(None), {name: text for name, text in texts.items() if name is not None}
    return _Task(evaltools.__version__, chunk.n, gold, tests, chunk.kind, chunk.rules, names, parts)


class Cluster(Workers):
    """The workers of a Dask cluster, a chunk of the corpus each."""

    reports_progress = False

    def __init__(self, address: str, parts: Parts, progress: Progress) -> None:
        try:
            from distributed import Client
        except ImportError:
            raise missing_package("Dask clusters", "distributed", "dask") from None
        try:
            self._client: Any = Client(address, timeout=_SECONDS_TO_CONNECT, set_as_default=False)
        except (OSError, TimeoutError, ValueError, ImportError) as error:
            raise ParameterError(f"no Dask scheduler answers at {address} ({error})") from None
        self._executor = self._client.get_executor(pure=False)
        self._parts = parts.for_workers()
        if not self._n_threads():
            progress.add_notes([f"the cluster at {address} has no workers yet; waiting for them"])

    def _n_threads(self) -> int:
        return int(sum(self._client.nthreads().values()))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        from distributed import KilledWorker

        self._client.close()
        if isinstance(error, KilledWorker):
            raise RunError(f"workers of the cluster died again and again of the same chunk: {error}") from None
        if isinstance(error, CancelledError | OSError):
            raise RunError(f"the cluster was lost: its scheduler no longer answers ({error!r})") from None

    def submit(self, chunk: ReadChunk, parts: dict[str, str]) -> set[Future[Results]]:
        """Send a chunk; one worker scores all of its parsers."""
        return {self._executor.submit(_score, _task(chunk, parts, self._parts))}

    def max_pending(self, n_parsers: int) -> int:
        """Return how many chunks may be pending: some for each thread that the cluster has now."""
        return max(_MIN_PENDING, _CHUNKS_PER_THREAD * self._n_threads())

"""Scoring on a Dask cluster: chunks are sent as text, workers write the parts where all can see them."""

from __future__ import annotations

import dataclasses
from concurrent.futures import CancelledError, Future
from types import TracebackType
from typing import Any

import zstandard

import evaltools
from evaltools.errors import ParameterError, RunError
from evaltools.normalize import Preset
from evaltools.runs.chunks import ReadChunk, make_chunk
from evaltools.runs.parts import Parts
from evaltools.runs.passes import Options, Progress
from evaltools.runs.remote import UrlParts
from evaltools.runs.texts import Texts
from evaltools.runs.workers import Results
from evaltools.treebank import Dependencies, Treebank, Vocabulary

__all__ = ["Cluster"]

_SECONDS_TO_CONNECT = 10
_CHUNKS_A_THREAD = 2
_FEWEST_PENDING = 4


@dataclasses.dataclass(frozen=True)
class _Task:
    """A chunk as it is sent: compressed text of every file."""

    version: str
    number: int
    n: int
    gold: Texts
    tests: dict[str, Texts]
    places: dict[str, int]
    preset: Preset
    options: Options
    parts: Parts | UrlParts


def _packed(text: Texts) -> Texts:
    compress = zstandard.ZstdCompressor(level=3).compress
    return dataclasses.replace(
        text, sources=tuple(dataclasses.replace(one, data=compress(one.data)) for one in text.sources)
    )


def _read(packed: Texts, n: int, vocabulary: Vocabulary) -> Treebank | Dependencies:
    decompress = zstandard.ZstdDecompressor().decompress
    sources = tuple(dataclasses.replace(one, data=decompress(one.data)) for one in packed.sources)
    return dataclasses.replace(packed, sources=sources).read(n, vocabulary)


def _score(task: _Task) -> Results:
    """Score a chunk; this runs on a worker, and once more on another one if the first is lost."""
    if task.version != evaltools.__version__:
        raise RunError(f"a worker has evaltools {evaltools.__version__}, not {task.version}")
    vocabulary = Vocabulary()
    gold = _read(task.gold, task.n, vocabulary)
    tests = {name: _read(text, task.n, vocabulary) for name, text in task.tests.items()}
    chunk = make_chunk(task.number, gold, tests, task.preset, task.options)
    return {name: chunk.score(place, name, task.parts, Progress()) for name, place in task.places.items()}


class Cluster:
    """The workers of a Dask cluster, a chunk of the corpus each.

    Parameters
    ----------
    address : str
        The scheduler's, such as ``tcp://10.0.0.1:8786``.
    parts : Parts or UrlParts
        Where parts are written: a place that is the same for all workers.
    progress : Progress
        Is told what is odd about the cluster.

    Raises
    ------
    ParameterError
        If Dask is not installed, or no scheduler answers.
    """

    tells = False

    def __init__(self, address: str, parts: Parts | UrlParts, progress: Progress) -> None:
        try:
            from distributed import Client
        except ImportError:
            raise ParameterError("--dask needs Dask: install evaltools[dask]") from None
        try:
            self._client: Any = Client(address, timeout=_SECONDS_TO_CONNECT, set_as_default=False)
        except (OSError, TimeoutError, ValueError, ImportError) as error:
            raise ParameterError(f"no Dask scheduler answers at {address} ({error})") from None
        self._executor = self._client.get_executor(pure=False)
        self._parts = parts.shared()
        if not self._n_threads() and progress.note is not None:
            progress.note(f"the cluster at {address} has no workers yet; waiting for them")

    def _n_threads(self) -> int:
        return int(sum(self._client.nthreads().values()))

    def __enter__(self) -> Cluster:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        from distributed import KilledWorker

        self._client.close()
        if isinstance(error, KilledWorker):
            raise RunError(f"workers of the cluster died again and again of the same chunk: {error}") from None
        if isinstance(error, CancelledError | OSError):
            raise RunError(f"the cluster was lost: its scheduler no longer answers ({error!r})") from None

    def submit(self, chunk: ReadChunk, places: dict[str, int]) -> set[Future[Results]]:
        """Send a chunk; some worker scores all of its parsers."""
        texts = {name: _packed(text) for name, text in chunk.texts.items()}
        gold, tests = texts.pop(None), {name: text for name, text in texts.items() if name is not None}
        task = _Task(
            evaltools.__version__,
            chunk.number,
            len(chunk.gold),
            gold,
            tests,
            places,
            chunk.preset,
            chunk.options,
            self._parts,
        )
        return {self._executor.submit(_score, task)}

    def most_pending(self, n_parsers: int) -> int:
        """Return how many chunks may be awaited: some for each thread of the cluster as it is now."""
        return max(_FEWEST_PENDING, _CHUNKS_A_THREAD * self._n_threads())

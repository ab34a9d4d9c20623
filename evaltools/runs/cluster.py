"""Scoring on a Dask cluster: chunks are sent, and their results come back."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import logging
import threading
import time
import warnings
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from types import TracebackType
from typing import Any

import evaltools
from evaltools.errors import EvaltoolsError, ParameterError, RunError, missing_package
from evaltools.frameworks.framework import ReadChunk, Results
from evaltools.progress import Progress
from evaltools.text import first_line

_SECONDS_TO_ANSWER = 10
"""How long the scheduler may take to answer."""
_SECONDS_WITHOUT_WORKERS = 30
_CHUNKS_PER_THREAD = 2
_MIN_PENDING = 4
_SECONDS_BETWEEN_CHECKS = 0.5


def _version() -> str:
    """Return the version of evaltools that a worker has."""
    return evaltools.__version__


def _score(version: str, read: ReadChunk) -> Results:
    """Score a chunk on a worker; Dask repeats this on another worker if the first is lost or has another version."""
    if version != evaltools.__version__:
        from distributed import Reschedule

        raise Reschedule
    chunk = read.prepared()
    return {name: chunk.score(name, Progress()) for name in chunk.parses}


def _needed(chunk: ReadChunk) -> ReadChunk:
    """Return what a worker needs of a chunk."""
    return dataclasses.replace(chunk, tables={}, problems=[], metadata=[])


class Cluster:
    """Scores chunks on the workers of a Dask cluster that have this version of evaltools, each a chunk at a time."""

    reports_progress = False

    def __init__(self, address: str, progress: Progress) -> None:
        try:
            from distributed import Client
        except ImportError:
            raise missing_package("Dask clusters", "distributed", "dask") from None
        logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # what ends is said in one line
        self._address = address
        self._asking = ThreadPoolExecutor(1)
        self._versions: dict[str, str] = {}  # of the workers that have been asked
        self._last_worker = time.monotonic()
        try:
            self._asking.submit(asyncio.run, _connect(address)).result()  # a notebook has a loop of its own
            self._client: Any = Client(address, timeout=_SECONDS_TO_ANSWER, set_as_default=False)
        except Exception as error:  # each kind of address has errors of its own
            reason = first_line(error) or f"nothing in {_SECONDS_TO_ANSWER} seconds"
            raise ParameterError(f"no Dask scheduler answers at {address} ({reason})") from None
        if not self._usable():
            progress.add_notes([f"the cluster at {address} has no workers yet; waiting for them"])

    def _ask(self, question: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
        """Ask the scheduler; raise RunError if it does not answer."""
        try:
            return self._asking.submit(question, *arguments, **options).result(_SECONDS_TO_ANSWER)
        except Exception as error:  # of the connection, of any kind
            raise RunError(_lost(self._address, error)) from None

    def _usable(self) -> dict[str, int]:
        """Return the number of threads of each worker that has this version of evaltools, by its address."""
        workers = self._ask(self._client.scheduler_info)["workers"]
        unasked = [address for address in workers if address not in self._versions]
        if unasked:
            answers = self._ask(self._client.run, _version, workers=unasked, on_error="return")
            self._versions |= {address: _version_or_fault(answer) for address, answer in answers.items()}
        usable = {
            address: int(worker["nthreads"])
            for address, worker in workers.items()
            if self._versions.get(address) == evaltools.__version__
        }
        if usable:
            self._last_worker = time.monotonic()
        return usable

    def check(self) -> None:
        """Raise RunError if the cluster has had no workers for some time, or its scheduler is lost."""
        if self._usable() or time.monotonic() - self._last_worker < _SECONDS_WITHOUT_WORKERS:
            return
        others = sorted({version for version in self._versions.values() if version != evaltools.__version__})
        reason = f"; there were workers with {', '.join(others)}, not {evaltools.__version__}" if others else ""
        raise RunError(
            f"the cluster at {self._address} has had no workers for {_SECONDS_WITHOUT_WORKERS} seconds{reason}"
        )

    def __enter__(self) -> Cluster:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        from distributed import KilledWorker

        is_lost = self._client.status != "running"
        with contextlib.suppress(Exception):  # a lost scheduler does not answer here either
            self._client.close(timeout=_SECONDS_TO_ANSWER)
        self._asking.shutdown(wait=False)
        if isinstance(error, EvaltoolsError):
            return
        if isinstance(error, KilledWorker):
            raise RunError(f"workers of the cluster died again and again of the same chunk: {error}") from None
        if isinstance(error, CancelledError | OSError) or (isinstance(error, Exception) and is_lost):
            raise RunError(_lost(self._address, error)) from None

    def submit(self, chunk: ReadChunk) -> list[Future[Results]]:
        """Send a chunk; one worker scores all of its parsers."""
        while not (usable := self._usable()):
            self.check()
            threading.Event().wait(_SECONDS_BETWEEN_CHECKS)
        executor = self._client.get_executor(pure=False, workers=list(usable), allow_other_workers=True)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Sending large graph")  # chunks may be large
            return [executor.submit(_score, evaltools.__version__, _needed(chunk))]

    def max_pending(self, n_parsers: int) -> int:
        """Return how many chunks may be pending: some for each thread that the cluster has now."""
        return max(_MIN_PENDING, _CHUNKS_PER_THREAD * sum(self._usable().values()))


async def _connect(address: str) -> None:
    """Raise an error if no scheduler answers in time; a client would wait for ever for one that is silent."""
    from distributed import connect

    comm = await asyncio.wait_for(connect(address, timeout=_SECONDS_TO_ANSWER), _SECONDS_TO_ANSWER)
    comm.abort()


def _lost(address: str, error: BaseException) -> str:
    reason = f" ({first_line(error)})" if str(error) else ""
    return f"the cluster at {address} was lost: its scheduler no longer answers{reason}"


def _version_or_fault(answer: object) -> str:
    """Return the version of a worker, or why it has none."""
    if isinstance(answer, str):
        return answer if answer == evaltools.__version__ else f"evaltools {answer}"
    return "no evaltools" if isinstance(answer, ImportError) else f"an error ({first_line(answer)})"

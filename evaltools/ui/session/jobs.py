"""Scoring in the background: a thread for each job, its progress for everyone who asks, and a way to stop it."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

import streamlit as st

from evaltools.errors import Cancelled, EvaltoolsError
from evaltools.runs.passes import Progress
from evaltools.runs.store import Run

__all__ = ["JOB", "Job", "JobState", "job_by_id", "running_jobs", "start_job"]

JOB = "evaltools_job"
"""Where the session keeps the number of the job it waits for."""

_LOG = logging.getLogger(__name__)


class JobState(StrEnum):
    """What became of a job."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass
class Job:
    """One scoring in the background.

    Parameters
    ----------
    id : str
        How sessions name it.
    title : str
        What is scored, for people.
    work : callable
        Does it, and tells the progress it is given.

    Attributes
    ----------
    state : JobState
        Set last, when everything else is in place.
    path : Path or None
        The run's folder, once done.
    message : str
        Why it failed.
    """

    id: str
    title: str
    work: Callable[[Progress], Run]
    state: JobState = JobState.RUNNING
    path: Path | None = None
    message: str = ""
    progress: Progress = field(default_factory=Progress)
    finished: threading.Event = field(default_factory=threading.Event)
    _scoring_since: float | None = None

    def __post_init__(self) -> None:
        self.progress.tell = self._told

    def _told(self, stage: str, done: int, total: int) -> None:
        if stage == "scoring" and self._scoring_since is None:
            self._scoring_since = time.monotonic()

    def run(self) -> None:
        """Do the work and keep what came of it."""
        state = JobState.FAILED
        try:
            self.path = self.work(self.progress).path
            state = JobState.DONE
        except Cancelled:
            state = JobState.CANCELLED
        except EvaltoolsError as error:
            self.message = str(error)
        except Exception as error:  # a thread has nobody above it who would say so
            _LOG.exception("scoring failed")
            self.message = f"an error in evaltools itself: {type(error).__name__}: {error}"
        finally:
            self.state = state
            self.finished.set()

    def cancel(self) -> None:
        """Ask the work to stop; it does between two ranges of sentences."""
        self.progress.cancelled.set()

    @property
    def share(self) -> float:
        """How much is done, of 1."""
        return min(self.progress.done / self.progress.total, 1.0) if self.progress.total else 0.0

    def describe(self) -> str:
        """Say in one line how far it is: sentences, sentences per second, time left."""
        if self.progress.cancelled.is_set():
            return "stopping …"
        done, total = self.progress.done, self.progress.total
        if self.progress.stage == "reading" and not done:
            return "reading …"
        if self.progress.stage in ("aligning sentences", "writing"):
            return f"{self.progress.stage} …"
        text = f"{done:,} of {total:,} sentences"
        elapsed = time.monotonic() - self._scoring_since if self._scoring_since is not None else 0.0
        if elapsed > 0.2 and done:
            rate = done / elapsed
            text += f" · {rate:,.0f}/s · {_duration((total - done) / rate)} left"
        return text


def _duration(seconds: float) -> str:
    whole = max(1, round(seconds))
    return f"{whole} s" if whole < 90 else f"{whole // 60} min {whole % 60:02d} s"


@dataclass
class _Board:
    """The jobs of this server."""

    jobs: dict[str, Job] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)


@st.cache_resource(show_spinner=False)
def _board() -> _Board:
    return _Board()


def start_job(id: str, title: str, work: Callable[[Progress], Run]) -> Job:  # noqa: A002 - the job's own word
    """Start a job, or return the one of this id that is running already.

    Parameters
    ----------
    id : str
        How to find it again.
    title : str
        What is scored, for people.
    work : callable
        Does it; gets a progress to tell, and is stopped through it.
    """
    board = _board()
    with board.lock:
        job = board.jobs.get(id)
        if job is None or job.state is not JobState.RUNNING:
            job = board.jobs[id] = Job(id, title, work)
            threading.Thread(target=job.run, name=f"evaltools-{id}", daemon=True).start()
    return job


def running_jobs() -> list[Job]:
    """Return the jobs of this server that are at work."""
    return [job for job in list(_board().jobs.values()) if job.state is JobState.RUNNING]


def job_by_id(id: str | None) -> Job | None:  # noqa: A002 - the job's own word
    """Return a job of this server."""
    return _board().jobs.get(id or "")

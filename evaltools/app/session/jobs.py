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
from evaltools.progress import Progress
from evaltools.runs.store import Run
from evaltools.text import decimals

JOB = "evaltools_job"
"""Where the session keeps the number of the job it waits for."""

_PHASES = {
    "aligning sentences": "aligning sentences by their words …",
    "writing": "writing the run …",
    "comparing with every gold treebank": "comparing parsers with every gold treebank …",
}
"""Stages without a count of sentences, in words."""

_LOG = logging.getLogger(__name__)


class JobState(StrEnum):
    """What became of a job."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass
class Job:
    """One scoring in the background."""

    id: str  # How sessions name it
    title: str  # What is scored, for people
    work: Callable[[Progress], Run] | None  # Does it; None once it has ended, so that its inputs are freed
    state: JobState = JobState.RUNNING
    path: Path | None = None
    message: str = ""
    progress: Progress = field(default_factory=Progress)
    finished: threading.Event = field(default_factory=threading.Event)
    _since: float = field(default_factory=time.monotonic)  # When the first sentences were begun

    def __post_init__(self) -> None:
        self.progress.on_update = self._updated

    def _updated(self, stage: str, done: int, total: int) -> None:
        if not done:
            self._since = time.monotonic()

    def run(self) -> None:
        """Do the work and keep what came of it."""
        state, work = JobState.FAILED, self.work
        if work is None:
            return
        try:
            self.path = work(self.progress).path
            state = JobState.DONE
        except Cancelled:
            state = JobState.CANCELLED
        except EvaltoolsError as error:
            self.message = str(error)
        except Exception as error:  # a thread has nobody above it who would say so
            _LOG.exception("scoring failed")
            self.message = f"an error in evaltools itself: {type(error).__name__}: {error}"
        finally:
            self.work = None
            self.state = state
            self.finished.set()

    def cancel(self) -> None:
        """Request that the work stops; it does between two ranges of sentences, and leaves nothing behind."""
        self.progress.cancelled.set()

    @property
    def share(self) -> float:
        """How much is done, of 1."""
        steps, n_steps = self.progress.steps
        return min(steps / n_steps, 1.0) if n_steps else 0.0

    def describe(self) -> str:
        """Return in one line how far it is: the phase, or sentences, sentences per second and time left."""
        if self.progress.cancelled.is_set():
            return "stopping …"
        if self.progress.stage in _PHASES:
            return _PHASES[self.progress.stage]
        done, total = self.progress.done, self.progress.total
        if not total:
            return "reading the files …"
        text = f"{done:,} of {total:,} sentences"
        elapsed = time.monotonic() - self._since
        if not done or elapsed <= 0:
            return f"{text} · estimating the time left …"
        rate = done / elapsed
        steps, n_steps = self.progress.steps
        return f"{text} · {decimals(rate, 0)} sentences per second · {_duration((n_steps - steps) / rate)} left"


def _duration(seconds: float) -> str:
    whole = max(1, round(seconds))
    return f"{whole} s" if whole < 90 else f"{whole // 60} min {whole % 60:02d} s"


@st.cache_resource(show_spinner=False)
def _jobs() -> dict[str, Job]:
    """Return the jobs of this server."""
    return {}


def start_job(id: str, title: str, work: Callable[[Progress], Run]) -> Job:  # noqa: A002 - the job's own word
    """Start a job, or return the one of this id that is running already."""
    job = job_by_id(id)
    if job is None or job.state is not JobState.RUNNING:
        job = _jobs()[id] = Job(id, title, work)
        threading.Thread(target=job.run, name=f"evaltools-{id}", daemon=True).start()
    return job


def running_jobs() -> list[Job]:
    """Return the jobs of this server that are at work."""
    return [job for job in list(_jobs().values()) if job.state is JobState.RUNNING]


def job_by_id(id: str | None) -> Job | None:  # noqa: A002 - the job's own word
    """Return a job of this server."""
    return _jobs().get(id or "")

"""The runs this server knows: given on the command line, the sample, opened by hand, scored in the app.

A URL names a run by a short id made from its path. Only known runs have one: no path is ever taken from a URL.
"""

from __future__ import annotations

import datetime
import re
import shutil
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

import streamlit as st

from evaltools.app.session import state
from evaltools.app.session.jobs import JOB, Job, start_job
from evaltools.errors import Cancelled, EvaltoolsError, ResourceError, RunError
from evaltools.frameworks.registry import FRAMEWORKS
from evaltools.progress import Progress
from evaltools.runs.folder import META, is_run
from evaltools.runs.locations import user_data
from evaltools.runs.sample import sample_run, sample_run_path
from evaltools.runs.store import Run

SAMPLES = {framework.sample.name: framework for framework in FRAMEWORKS.values() if framework.sample is not None}
"""The framework of each run of the sample, by the name of the run."""

_VIEW = ("run", "parser", "other", "sentence", "at", "step", "repair", *state.FILTERS, *state.SELECTIONS)
"""What the URL says of one run and not of another."""
_METRICS = ("metric", "metric2")


@dataclass(frozen=True, slots=True)
class Known:
    """A run that may be shown."""

    id: str  # What the URL calls it
    path: Path
    origin: str  # How it came to be known

    @property
    def name(self) -> str:
        """What people call it: its folder's name."""
        return self.origin if self.origin in SAMPLES else self.path.name


@st.cache_resource(show_spinner=False)
def _shelf() -> dict[str, Known]:
    """Return the known runs by id: at first those scored in the app."""
    folder = scored_folder()
    found = sorted(folder.iterdir(), reverse=True) if folder.is_dir() else ()
    return {known.id: known for known in (_known(path, "scored") for path in found if is_run(path))}


def _known(path: Path, origin: str) -> Known:
    return Known(id_of(path), path.resolve(), origin)


def id_of(path: Path) -> str:
    """Return what URLs call a run, whether it is known or not."""
    return blake2b(str(path.resolve()).encode("utf-8", "surrogateescape"), digest_size=5).hexdigest()


def scored_folder() -> Path:
    """Return the folder of the runs scored in the app."""
    return user_data() / "runs"


def add(path: Path, origin: str) -> Known:
    """Make a folder known."""
    if not is_run(path):
        reason = f"it holds no {META}" if path.is_dir() else "there is no such folder"
        raise RunError(f"{path} is no run of evaltools: {reason}")
    return _put(path, origin)


def _put(path: Path, origin: str) -> Known:
    known = _known(path, origin)
    return _shelf().setdefault(known.id, known)


@st.cache_resource(show_spinner=False)
def remember_given(arguments: tuple[str, ...]) -> tuple[list[Known], list[str]]:
    """Make the runs of the command line known, once; return them, and what was wrong with the others."""
    found, faults = [], []
    for argument in arguments:
        try:
            found.append(add(Path(argument).expanduser(), "given"))
        except (RunError, ResourceError, OSError) as error:
            faults.append(str(error))
    return found, faults


def samples() -> list[Known]:
    """Return the runs of the sample, whether they are scored yet or not."""
    return [_put(sample_run_path(framework.id), name) for name, framework in SAMPLES.items()]


def sample_for(kind: str) -> Known:
    """Return the run of the sample of a framework."""
    return next(known for known in samples() if SAMPLES[known.origin].id == kind)


def sample_job(name: str) -> Job:
    """Score one of the runs of the sample in the background."""
    return start_job(name, f"the {name}", lambda progress: sample_run(progress, kind=SAMPLES[name].id))


def default(arguments: tuple[str, ...]) -> Known:
    """Return the run to show while the URL names none."""
    given, _ = remember_given(arguments)
    return given[0] if given else samples()[0]


def known_runs(arguments: tuple[str, ...]) -> list[Known]:
    """Return every known run: given ones first, then the samples, then those opened and scored."""
    given, _ = remember_given(arguments)
    first = [*given, *samples()]
    return [*first, *(known for known in list(_shelf().values()) if known not in first)]


def find(id: str) -> Known | None:  # noqa: A002 - the URL's word
    """Return the known run of an id."""
    return _shelf().get(id)


def open_run(known: Known) -> Run:
    """Open a run; a run scored again since is opened again."""
    try:
        stamp = (known.path / META).stat().st_mtime_ns
    except OSError:
        raise RunError(f"{known.path} holds no run any more") from None
    return _opened(str(known.path), stamp)


@st.cache_resource(max_entries=16, show_spinner=False)
def _opened(path: str, stamp: int) -> Run:
    run = Run(path)
    run.check()
    return run


def show(known: Known, **there: object) -> None:
    """Make a run the open one, at these values of it; what the URL said of the other run goes.

    So do metrics and questions of *Hotspots* that the new one does not have.
    """
    metrics: Sequence[str] = ()
    views: Sequence[str] = ()
    try:
        run = open_run(known)
        metrics, views = run.metrics, tuple(run.framework.questions().hotspots)
    except EvaltoolsError:  # the page says why
        pass
    gone = [name for name in _METRICS if state.get(name) not in metrics]
    gone += ["view"] if state.get("view") not in views else []
    state.put(**dict.fromkeys([*_VIEW, *gone]) | {"run": known.id} | there)


_MAX_NAME = 80
_MAX_BYTES = 160
"""Of the name of a run in UTF-8: names of files have at most 255, with the time and what a writer adds."""
_GIVEN: set[Path] = set()
"""Folders of runs that are begun."""


def begin(name: str, work: Callable[[Progress, Path], Run]) -> None:
    """Make a run in the background; every page shows how far it is, and the run is opened in the end."""
    folder = _new_folder(name)

    def begun(progress: Progress) -> Run:
        run = work(progress, folder)
        if progress.cancelled.is_set():  # while the run was being written
            shutil.rmtree(folder, ignore_errors=True)
            raise Cancelled("stopped on request")
        add(folder, "scored")
        return run

    job = start_job(uuid.uuid4().hex, name, begun)
    st.session_state[JOB] = job.id


def _new_folder(name: str) -> Path:
    """Return a folder for a run that is not there yet."""
    now = datetime.datetime.now().astimezone()
    slug = re.sub(r"[^\w.+,–\- ]+", "-", name.replace(": ", " – ")).strip("-. ")[:_MAX_NAME]
    slug = slug.encode()[:_MAX_BYTES].decode(errors="ignore") or "run"
    folder = scored_folder() / f"{slug} {now:%Y-%m-%d %H.%M.%S}"
    while folder.exists() or folder in _GIVEN:
        folder = folder.with_name(f"{folder.name}+")
    _GIVEN.add(folder)
    return folder

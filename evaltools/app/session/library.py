"""The runs this server knows: given on the command line, the sample, opened by hand, scored in the app.

A URL names a run by a short id made from its path. Only known runs have one: no path is ever taken from a URL.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

import streamlit as st

from evaltools.app.session import data, state
from evaltools.app.session.jobs import Job, start_job
from evaltools.errors import EvaltoolsError, ResourceError, RunError
from evaltools.frameworks.registry import FRAMEWORKS
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


@dataclass
class _Shelf:
    runs: dict[str, Known] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def put(self, path: Path, origin: str) -> Known:
        with self.lock:
            known = Known(id_of(path), path.resolve(), origin)
            return self.runs.setdefault(known.id, known)


@st.cache_resource(show_spinner=False)
def _shelf() -> _Shelf:
    shelf = _Shelf()
    folder = scored_folder()
    for path in sorted(folder.iterdir(), reverse=True) if folder.is_dir() else ():
        if is_run(path):
            shelf.put(path, "scored")
    return shelf


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
    return _shelf().put(path, origin)


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
    return [_shelf().put(sample_run_path(framework.id), name) for name, framework in SAMPLES.items()]


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
    return [*first, *(known for known in list(_shelf().runs.values()) if known not in first)]


def find(id: str) -> Known | None:  # noqa: A002 - the URL's word
    """Return the known run of an id."""
    return _shelf().runs.get(id)


def open_run(known: Known) -> Run:
    """Open a run; a run scored again since is opened again."""
    try:
        stamp = (known.path / META).stat().st_mtime_ns
        size = sum(file.stat().st_size for file in known.path.iterdir())
    except OSError:
        raise RunError(f"{known.path} holds no run any more") from None
    run = _opened(str(known.path), stamp)
    data.bound(run, size)
    return run


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

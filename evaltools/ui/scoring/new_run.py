"""Scoring in the app: what the reader gives becomes a run folder among the user's data."""

from __future__ import annotations

import datetime
import re
import threading
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from evaltools.formats import Source
from evaltools.metrics.edm_rules import EdmRules
from evaltools.normalize import Preset
from evaltools.runs.passes import Progress
from evaltools.runs.scoring import score
from evaltools.runs.store import Run
from evaltools.ui.session.jobs import JOB, start_job
from evaltools.ui.session.library import for_threads, scored_folder

__all__ = ["begin", "begin_scoring"]

_LOCK = threading.Lock()
_GIVEN: set[Path] = set()


def begin_scoring(
    name: str,
    gold: Source,
    parsers: Mapping[str, Source],
    preset: str | Preset | EdmRules,
    options: Mapping[str, Any] | None = None,
) -> None:
    """Score in the background; the sidebar shows how far it is and opens the run in the end.

    Parameters
    ----------
    name : str
        What to call the run.
    gold : Source
        The gold file.
    parsers : mapping of str to Source
        The parsers' outputs.
    preset : str, Preset or EdmRules
        What to delete and equate; for semantic graphs which triples count.
    options : mapping, optional
        More arguments of :func:`evaltools.score`.
    """

    def work(progress: Progress, folder: Path) -> Run:
        return score(gold, dict(parsers), preset=preset, out=folder, progress=progress, **(options or {}))

    begin(name, work)


def begin(name: str, work: Callable[[Progress, Path], Run]) -> None:
    """Make a run in the background; the sidebar shows how far it is and opens the run in the end.

    Parameters
    ----------
    name : str
        What to call the run.
    work : callable
        Writes it, from a progress to tell and its folder.
    """
    folder = _new_folder(name)
    make_known = for_threads()

    def begun(progress: Progress) -> Run:
        folder.parent.mkdir(parents=True, exist_ok=True)
        run = work(progress, folder)
        make_known(folder)
        return run

    job = start_job(uuid.uuid4().hex, name, begun)
    st.session_state[JOB] = job.id


def _new_folder(name: str) -> Path:
    """Return a folder for a run that nobody has, nor anybody else who scores at the same time."""
    now = datetime.datetime.now().astimezone()
    slug = re.sub(r"[^\w.+-]+", "-", name).strip("-.")[:60] or "run"
    folder = scored_folder() / f"{slug} {now:%Y-%m-%d %H.%M.%S}"
    with _LOCK:
        while folder.exists() or folder in _GIVEN:
            folder = folder.with_name(f"{folder.name}+")
        _GIVEN.add(folder)
    return folder

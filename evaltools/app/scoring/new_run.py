"""Scoring in the app: what the reader gives becomes a run folder among the user's data."""

from __future__ import annotations

import datetime
import re
import shutil
import threading
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from evaltools.app.session.jobs import JOB, start_job
from evaltools.app.session.kernels import start_warming
from evaltools.app.session.library import add, scored_folder
from evaltools.errors import Cancelled
from evaltools.formats import Source
from evaltools.frameworks.presets import Preset
from evaltools.frameworks.semantics.edm_rules import EdmRules
from evaltools.progress import Progress
from evaltools.runs.scoring import score
from evaltools.runs.store import Run

_SECONDS_BETWEEN_CHECKS = 0.1
_MAX_NAME = 80
_MAX_BYTES = 160
"""Of the name of a run in UTF-8: names of files have at most 255, with the time and what a writer adds."""
_LOCK = threading.Lock()
_GIVEN: set[Path] = set()


def begin_scoring(
    name: str,
    gold: Source,
    parsers: Mapping[str, Source],
    preset: str | Preset | EdmRules,
    options: Mapping[str, Any] | None = None,
) -> None:
    """Score in the background; every page shows how far it is, and the run is opened in the end."""

    def work(progress: Progress, folder: Path) -> Run:
        return score(gold, dict(parsers), preset=preset, out=folder, progress=progress, **(options or {}))

    begin(name, work)


def begin(name: str, work: Callable[[Progress, Path], Run]) -> None:
    """Make a run in the background; every page shows how far it is, and the run is opened in the end."""
    folder = _new_folder(name)
    kernels = start_warming()

    def begun(progress: Progress) -> Run:
        while kernels.is_alive():
            progress.update("compiling")  # raises Cancelled; the kernels themselves cannot be interrupted
            kernels.join(_SECONDS_BETWEEN_CHECKS)
        progress.update("reading")
        run = work(progress, folder)
        if progress.cancelled.is_set():  # while the run was being written
            shutil.rmtree(folder, ignore_errors=True)
            raise Cancelled("stopped on request")
        add(folder, "scored")
        return run

    job = start_job(uuid.uuid4().hex, name, begun)
    st.session_state[JOB] = job.id


def _new_folder(name: str) -> Path:
    """Return a folder for a run that nobody has, nor anybody else who scores at the same time."""
    now = datetime.datetime.now().astimezone()
    slug = re.sub(r"[^\w.+,–\- ]+", "-", name.replace(": ", " – ")).strip("-. ")[:_MAX_NAME]
    slug = slug.encode()[:_MAX_BYTES].decode(errors="ignore") or "run"
    folder = scored_folder() / f"{slug} {now:%Y-%m-%d %H.%M.%S}"
    with _LOCK:
        while folder.exists() or folder in _GIVEN:
            folder = folder.with_name(f"{folder.name}+")
        _GIVEN.add(folder)
    return folder

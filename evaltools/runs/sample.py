"""The bundled sample, and its run in the user's cache."""

from __future__ import annotations

import contextlib
import functools
import hashlib
from pathlib import Path

import platformdirs

import evaltools
from evaltools.errors import ParameterError, RunError
from evaltools.frameworks.framework import Sample
from evaltools.frameworks.registry import FRAMEWORKS
from evaltools.progress import Progress
from evaltools.runs.folder import is_run
from evaltools.runs.locations import sample_folder, user_cache, usual_folder
from evaltools.runs.meta import SCHEMA
from evaltools.runs.scoring import make_run
from evaltools.runs.store import Run

_DEFAULT = next(iter(FRAMEWORKS))


def _sample(kind: str) -> Sample:
    sample = FRAMEWORKS[kind].sample
    if sample is None:
        raise ParameterError(f"the sample has no {FRAMEWORKS[kind].title}")
    return sample.files(sample_folder())


def sample_run_path(kind: str = _DEFAULT) -> Path:
    """Return the path of a run of the sample in the user's cache, which depends on version and content.

    If the cache cannot be written and has no such run, the path is in a temporary folder.
    """
    path = Path("runs") / _run_name(kind)
    usual = Path(usual_folder(platformdirs.user_cache_dir)) / path
    return usual if is_run(usual) else user_cache() / path


@functools.cache
def _run_name(kind: str) -> str:
    """Return the name of a run's folder; the files of an installation do not change while it runs."""
    sample = _sample(kind)
    digest = hashlib.sha256(f"{evaltools.__version__} {SCHEMA}".encode())
    for path in (*sample.golds.values(), *(path for _, path in sample.parsers.values())):
        if not path.is_file():
            raise RunError(f"the installation is incomplete: no {path.name} in {path.parent}")
        digest.update(path.read_bytes())
    name = "sample" if kind == _DEFAULT else f"sample-{kind}"
    return f"{name}-{digest.hexdigest()[:12]}"


def sample_run(progress: Progress | None = None, *, kind: str = _DEFAULT) -> Run:
    """Return a scored run of the sample, scoring it on the first call."""
    path = sample_run_path(kind)
    if is_run(path):
        with contextlib.suppress(RunError):  # a damaged run in the cache is scored again
            return Run(path)
    return make_run(_sample(kind).plan(), out=path, force=True, progress=progress)

"""The sample that comes with the program: where it is, and its run."""

from __future__ import annotations

import hashlib
from pathlib import Path

import platformdirs

import evaltools
from evaltools.errors import RunError
from evaltools.runs.passes import Progress
from evaltools.runs.scoring import score
from evaltools.runs.store import Run
from evaltools.runs.writer import SCHEMA, is_run

__all__ = ["app_folder", "sample_folder", "sample_run", "sample_run_path"]

_FILES = {
    "constituency": ("gold.ptb", "parsers/*.ptb"),
    "dependency": ("dependencies/lexical.conllu", "dependencies/*-lexical.conllu"),
}
"""For each kind of trees the gold file, and the parsers' outputs."""


def app_folder() -> Path:
    """Return the folder that holds ``app.py``, ``pages/`` and ``sample_data/``: in the package, or the checkout."""
    package = Path(evaltools.__file__).parent
    for folder in (package / "_app", package.parent):
        if (folder / "app.py").is_file():
            return folder
    raise RunError(f"the installation is incomplete: no app.py in {package / '_app'}")


def sample_folder() -> Path:
    """Return the folder of the sample treebank."""
    return app_folder() / "sample_data"


def _sample_files(kind: str) -> tuple[Path, dict[str, Path]]:
    folder = sample_folder()
    gold, pattern = _FILES[kind]
    ending = Path(pattern).name.removeprefix("*")
    parsers = {path.name.removesuffix(ending): path for path in sorted(folder.glob(pattern))}
    if not parsers or not (folder / gold).is_file():
        raise RunError(f"the installation is incomplete: no sample treebank in {folder}")
    return folder / gold, parsers


def sample_run_path(kind: str = "constituency") -> Path:
    """Return where a run of the sample is kept: in the user's cache, by version and content.

    Parameters
    ----------
    kind : {"constituency", "dependency"}
        What kind of trees it compares.
    """
    gold, parsers = _sample_files(kind)
    digest = hashlib.sha256(f"{evaltools.__version__} {SCHEMA}".encode())
    for path in (gold, *parsers.values()):
        digest.update(path.read_bytes())
    name = "sample" if kind == "constituency" else f"sample-{kind}"
    return Path(platformdirs.user_cache_dir("evaltools")) / "runs" / f"{name}-{digest.hexdigest()[:12]}"


def sample_run(progress: Progress | None = None, *, kind: str = "constituency") -> Run:
    """Return the scored sample, scoring it on the first call.

    Parameters
    ----------
    progress : Progress, optional
        Is told how far the scoring is.
    kind : {"constituency", "dependency"}
        What kind of trees to compare.
    """
    path = sample_run_path(kind)
    if is_run(path):
        return Run(path)
    gold, parsers = _sample_files(kind)
    path.parent.mkdir(parents=True, exist_ok=True)
    return score(gold, parsers, out=path, force=True, progress=progress)

"""The sample that comes with the program: where it is, and its run."""

from __future__ import annotations

import contextlib
import hashlib
from pathlib import Path

import platformdirs

import evaltools
from evaltools.errors import RunError
from evaltools.formats.small_tables import read_label_map
from evaltools.runs.crossframework import crossframework
from evaltools.runs.kinds import SCHEMA
from evaltools.runs.passes import Progress
from evaltools.runs.scoring import score
from evaltools.runs.store import Run
from evaltools.runs.writer import is_run

__all__ = ["app_folder", "sample_folder", "sample_run", "sample_run_path"]

_FILES = {
    "constituency": ("gold.ptb", "parsers/*.ptb"),
    "dependency": ("dependencies/lexical.conllu", "dependencies/*-lexical.conllu"),
}
"""For each kind of trees the gold file, and the parsers' outputs."""
_GRAPHS = (".eds", ".mrp")


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


def _files(kind: str) -> tuple[dict[str, Path], dict[str, tuple[str, Path]]]:
    """Return the gold files by theory, and the parsers' files by name, each with its theory."""
    if kind == "crossframework":
        return _framework_files()
    folder = sample_folder()
    if kind == "semantics":
        files = {path.stem: path for path in (folder / "semantics").glob("*") if path.suffix in _GRAPHS}
        key = files.pop("gold", folder / "semantics" / "gold.eds")
        return {kind: key}, {name: (kind, files[name]) for name in sorted(files)}
    gold, pattern = _FILES[kind]
    ending = Path(pattern).name.removeprefix("*")
    return {kind: folder / gold}, {
        path.name.removesuffix(ending): (kind, path) for path in sorted(folder.glob(pattern))
    }


def _framework_files() -> tuple[dict[str, Path], dict[str, tuple[str, Path]]]:
    inside = sample_folder() / "dependencies"
    golds = {"phrases": sample_folder() / "gold-functions.ptb"}
    golds |= {theory: inside / f"{theory}.conllu" for theory in ("lexical", "functional")}
    parsers = {name: ("phrases", path) for name, (_, path) in _files("constituency")[1].items()}
    parsers |= {path.stem: (path.stem.rpartition("-")[2], path) for path in sorted(inside.glob("*-*.conllu"))}
    return golds, parsers


def sample_run_path(kind: str = "constituency") -> Path:
    """Return where a run of the sample is kept: in the user's cache, by version and content.

    Parameters
    ----------
    kind : {"constituency", "dependency", "crossframework", "semantics"}
        What kind of trees, or graphs, it compares.
    """
    golds, parsers = _files(kind)
    digest = hashlib.sha256(f"{evaltools.__version__} {SCHEMA}".encode())
    for path in (*golds.values(), *(path for _, path in parsers.values())):
        if not path.is_file():
            raise RunError(f"the installation is incomplete: no {path.name} in {path.parent}")
        digest.update(path.read_bytes())
    name = "sample" if kind == "constituency" else f"sample-{kind}"
    return Path(platformdirs.user_cache_dir("evaltools")) / "runs" / f"{name}-{digest.hexdigest()[:12]}"


def sample_run(progress: Progress | None = None, *, kind: str = "constituency") -> Run:
    """Return a scored run of the sample, scoring it on the first call.

    Parameters
    ----------
    progress : Progress, optional
        Is told how far the scoring is.
    kind : {"constituency", "dependency", "crossframework", "semantics"}
        What kind of trees, or graphs, to compare.
    """
    path = sample_run_path(kind)
    if is_run(path):
        with contextlib.suppress(RunError):  # a damaged one in the cache is scored again
            return Run(path)
    golds, parsers = _files(kind)
    path.parent.mkdir(parents=True, exist_ok=True)
    if kind == "crossframework":
        labels = read_label_map(sample_folder() / "dependencies" / "labels.tsv")
        return crossframework(golds, parsers, label_map=labels, out=path, force=True, progress=progress)
    outputs = {name: file for name, (_, file) in parsers.items()}
    return score(golds[kind], outputs, out=path, force=True, progress=progress)

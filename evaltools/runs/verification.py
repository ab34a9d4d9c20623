"""Verification: a run is recomputed from its sources and compared."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import evaltools
from evaltools.errors import RunError
from evaltools.formats.source import open_source
from evaltools.frameworks.framework import OwnFiles
from evaltools.progress import Progress
from evaltools.runs.comparison import Difference, Differences, compare_tables
from evaltools.runs.engine.metadata import MetadataJoin
from evaltools.runs.engine.scoring import make_run
from evaltools.runs.folders.integrity import damaged_tables
from evaltools.runs.nbest.oracle import oracle
from evaltools.runs.store import Run
from evaltools.runs.subset import original_numbers, subset, subset_of
from evaltools.text import and_more, printable, short_repr

__all__ = ["Verification", "verify"]

_MAY_DIFFER = ("created", "evaltools", "signature", "subset", "metrics_left_out", "tables")


@dataclass(frozen=True, slots=True)
class Verification:
    """Result of recomputing a run.

    Parameters
    ----------
    differences : tuple of Difference
        The first differences, in the order source files, ``meta.json``, tables.
    n_differences : int
        Total number of differences.
    obstacles : tuple of str
        Reasons why the run cannot be recomputed, such as missing sources.
    n_rows : int
        Number of recomputed rows; 0 if sources are missing or have changed.
    """

    differences: tuple[Difference, ...]
    n_differences: int
    obstacles: tuple[str, ...]
    n_rows: int

    def __repr__(self) -> str:
        return short_repr(
            self, f"{self.n_rows:,} rows, {self.n_differences:,} differences, {len(self.obstacles)} obstacles"
        )

    @property
    def equal(self) -> bool:
        """Whether everything was recomputed and nothing differs."""
        return not self.obstacles and not self.n_differences

    @property
    def exit_status(self) -> int:
        """0 if equal, 1 if something differs, 2 if the run cannot be recomputed."""
        return 2 if self.obstacles else int(bool(self.n_differences))

    def __str__(self) -> str:
        """Return one line for each difference, and a summary in the last line."""
        lines = [str(item) for item in self.differences]
        more = self.n_differences - len(lines)
        if more:
            lines.append(and_more(more))
        if self.obstacles:
            lines += [*self.obstacles, "cannot be verified"]
        elif self.equal:
            lines.append(f"equal: {self.n_rows} rows recomputed from the sources, no difference")
        else:
            total = "1 difference" if self.n_differences == 1 else f"{self.n_differences} differences"
            lines.append(total if self.n_rows else f"{total}; not recomputed, since the sources have changed")
        return "\n".join(lines)


def verify(run: Run, *, jobs: int | None = None, progress: Progress | None = None) -> Verification:
    """Compare the files of a run with their SHA-256, recompute it from its sources, and compare everything.

    Parameters
    ----------
    run : Run
        The run. Its ``meta.json`` has the paths of the sources; a file with another SHA-256 is not read as a treebank.
        The run of someone else may name any file of this machine: the names are passed to ``progress.note`` before the
        files are read to compare their SHA-256.
    jobs : int, optional
        Number of threads; by default one per processor.
    progress : Progress, optional
        Reports progress, and can cancel the work.

    Returns
    -------
    Verification
        The differences.

    Raises
    ------
    RunError
        If ``meta.json`` lacks what is needed to score again.
    """
    differences = Differences()
    for name, fault in damaged_tables(run.folder, run.meta):
        differences.add_table(name, fault)
    try:
        meta = run.meta
        sources = [*meta.get("golds", [meta["gold"]]), *meta["parsers"], *meta.get("metadata", {}).get("sources", ())]
        obstacles = tuple(text for entry in sources if (text := _obstacle(entry)))
        if meta["evaltools"] != evaltools.__version__:
            differences.add("meta.json", meta["evaltools"], evaltools.__version__, column="evaltools")
        if obstacles:
            return Verification(tuple(differences.listed), differences.total, obstacles, 0)
        before = differences.total
        if progress is not None and progress.note is not None:  # a run may come from anyone and name any file
            names = ", ".join(dict.fromkeys(str(entry["path"]) for entry in sources))
            progress.note(printable(f"reads the files that {run.path} names: {names}"))
            if (complete := subset_of(run)) is not None and "nbest" not in meta:
                progress.note(
                    f"a part: {run.n_sentences} of {complete['sentences']} sentences, which are all scored again"
                )
        for entry in sources:
            path = Path(entry["path"])
            digest = _digest(path, run.framework.own_files)
            if digest != entry["sha256"]:
                differences.add("source", str(entry["sha256"])[:12], digest[:12], column=f"SHA-256 of {entry['path']}")
        if differences.total > before:
            return Verification(tuple(differences.listed), differences.total, (), 0)
        again = _subset_again(run, _score_again(run, jobs, progress))
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise RunError(f"{run.path} is damaged: its meta.json does not say how it was made ({error!r})") from None
    for key, expected in again.meta.items():
        other_version = key == "signature" and meta["evaltools"] != evaltools.__version__
        if key in _MAY_DIFFER and (key != "signature" or other_version):
            continue
        if meta.get(key) != expected:
            differences.add("meta.json", meta.get(key), expected, column=key)
    compare_tables(run.folder, again.folder, run.meta, again.parsers, again.n_sentences, differences)
    n_rows = sum(table["rows"] for table in again.meta["tables"].values())
    return Verification(tuple(differences.listed), differences.total, (), n_rows)


def _subset_again(run: Run, complete: Run) -> Run:
    """Return the same subset of the recomputed run, if the run is a subset."""
    numbers = original_numbers(run)
    if numbers is None:
        return complete
    recomputed = original_numbers(complete)
    recomputed = np.arange(1, complete.n_sentences + 1) if recomputed is None else recomputed
    chosen = np.flatnonzero(np.isin(recomputed, numbers)) + 1
    if len(chosen) == complete.n_sentences and "nbest" in run.meta:
        return complete
    return subset(complete, chosen.tolist())


def _obstacle(entry: dict[str, Any]) -> str | None:
    """Return why a source cannot be read again; None if it can."""
    if entry["path"] is None:
        return f"{entry['file']}: was no file on this machine (an upload, a URL, or standard input)"
    path = Path(entry["path"])
    return None if os.path.isfile(path) or os.path.isdir(path) else f"{path}: no such file"


def _digest(path: Path, files: OwnFiles | None) -> str:
    """Return the SHA-256 of a file as stored, or of a folder; empty if it is a folder that cannot be read."""
    if path.is_dir():
        return "" if files is None else files.folder_digest(path)
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise RunError(f"{path} cannot be read: {error.strerror or error}") from None


def _score_again(run: Run, jobs: int | None, progress: Progress | None) -> Run:
    """Score the sources again by the options in ``meta.json``."""
    meta = run.meta
    encoding = meta["options"].get("encoding")
    if "nbest" not in meta:
        plan = run.framework.plan_again({**meta, "metrics": run.metrics})
        entries = meta.get("metadata", {}).get("sources", ())
        join = MetadataJoin(open_source(entry["path"], entry["file"]) for entry in entries)
        return make_run(plan, metadata=join, jobs=jobs, encoding=encoding, progress=progress)
    options = meta["options"]
    files = {entry["name"]: (entry["path"], entry["file"]) for entry in meta["parsers"]}
    return oracle(
        open_source(meta["gold"]["path"], meta["gold"]["file"], encoding=encoding),
        {item["parser"]: open_source(*files[item["parser"]], encoding=encoding) for item in meta["nbest"]["lists"]},
        metric=meta["nbest"]["metric"],
        preset=run.rules,
        format=meta["nbest"]["format"],
        punctuation=options.get("punctuation"),
        subtypes=options.get("subtypes"),
        encoding=encoding,
        jobs=jobs,
        progress=progress,
    )

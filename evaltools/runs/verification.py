"""Recomputing a run from its sources, to see whether its figures can be had again."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import evaltools
from evaltools.errors import RunError, printable
from evaltools.formats.byte_stream import open_bytes
from evaltools.formats.source import open_source
from evaltools.metrics.leaf_ancestor import CostTable
from evaltools.runs.answers import wrong_answers
from evaltools.runs.comparison import Difference, Findings, compare_tables
from evaltools.runs.crossframework import crossframework
from evaltools.runs.digests import has_digests
from evaltools.runs.integrity import damaged_parts
from evaltools.runs.kinds import tables_of
from evaltools.runs.nbest_trees import oracle
from evaltools.runs.passes import Progress
from evaltools.runs.protocols import conversion_of
from evaltools.runs.scoring import score
from evaltools.runs.semantic_inputs import bank_digest, bank_named
from evaltools.runs.semantics import score_semantics
from evaltools.runs.store import Run
from evaltools.runs.subset import original_numbers, subset, subset_of

__all__ = ["Verification", "verify"]

_MAY_DIFFER = ("created", "evaltools", "signature", "subset", "digests", "digest")
_NO_DIGESTS = "the parts of this run carry no digests; only their rows are compared"


@dataclass(frozen=True, slots=True)
class Verification:
    """What recomputing a run came to.

    Parameters
    ----------
    differences : tuple of Difference
        What differs: the first ones, in the order source files, ``meta.json``, tables.
    n_differences : int
        How many there are in all.
    obstacles : tuple of str
        Why the run cannot be recomputed: sources that are gone.
    n_rows : int
        Rows that were computed again; 0 where sources are gone or have changed.
    has_digests : bool
        Whether the run has digests of its parts, which were compared; runs of evaltools 0.2.0 have none.
    """

    differences: tuple[Difference, ...]
    n_differences: int
    obstacles: tuple[str, ...]
    n_rows: int
    has_digests: bool = True

    @property
    def equal(self) -> bool:
        """Whether everything was recomputed and nothing differs."""
        return not self.obstacles and not self.n_differences

    @property
    def exit_status(self) -> int:
        """0 if equal, 1 if something differs, 2 if the run cannot be recomputed."""
        return 2 if self.obstacles else int(bool(self.n_differences))

    def __str__(self) -> str:
        """Return one line for each difference, and what it comes to in the last."""
        lines = [str(one) for one in self.differences]
        more = self.n_differences - len(lines)
        if more:
            lines.append(f"… and {more} more")
        if not self.has_digests:
            lines.append(_NO_DIGESTS)
        if self.obstacles:
            lines += [*self.obstacles, "cannot be verified"]
        elif self.equal:
            lines.append(f"equal: {self.n_rows} rows recomputed from the sources, no difference")
        else:
            how_many = "1 difference" if self.n_differences == 1 else f"{self.n_differences} differences"
            lines.append(how_many if self.n_rows else f"{how_many}; not recomputed, since the sources are others")
        return "\n".join(lines)


def verify(run: Run, *, jobs: int | None = None, progress: Progress | None = None) -> Verification:
    """Compare all bytes of a run with its digests, recompute it from its sources, and compare everything.

    Parameters
    ----------
    run : Run
        The run. Its ``meta.json`` says where the sources are; a file whose SHA-256 is not that of the source is not
        read as a treebank. A run of someone else may name any file of this machine: it is read only to compare its
        SHA-256, and its name is told to `progress` before.
    jobs : int, optional
        Threads; as many as there are processors if not given.
    progress : Progress, optional
        Is told how far the work is, and can stop it.

    Returns
    -------
    Verification
        What differs.

    Raises
    ------
    RunError
        If ``meta.json`` does not say how the run was made.
    """
    findings = Findings()
    digested = has_digests(run.meta)
    is_whole = True
    if digested:
        for name, fault in damaged_parts(run.folder, run.meta, tables_of(run.meta)):
            is_whole = False
            findings.add_part(name, fault)
    try:
        meta, sources = run.meta, [*run.meta.get("golds", [run.meta["gold"]]), *run.meta["parsers"]]
        obstacles = tuple(text for entry in sources if (text := _gone(entry)))
        if meta["evaltools"] != evaltools.__version__:
            findings.add("meta.json", meta["evaltools"], evaltools.__version__, column="evaltools")
        if obstacles:
            return Verification(tuple(findings.kept), findings.total, obstacles, 0, digested)
        before = findings.total
        if progress is not None and progress.note is not None:  # a run may come from anyone and name any file
            names = ", ".join(dict.fromkeys(str(entry["path"]) for entry in sources))
            progress.note(printable(f"reads the files that {run.path} names: {names}"))
            if (whole := subset_of(run)) is not None and "nbest" not in meta:
                progress.note(
                    f"a part: {run.n_sentences} of {whole['sentences']} sentences, which are all scored again"
                )
        for entry in sources:
            digest = bank_digest(entry["path"]) if Path(entry["path"]).is_dir() else _digest(Path(entry["path"]))
            if digest != entry["sha256"]:
                findings.add("source", str(entry["sha256"])[:12], digest[:12], column=f"SHA-256 of {entry['path']}")
        if findings.total > before:
            return Verification(tuple(findings.kept), findings.total, (), 0, digested)
        again = _part_again(run, _again(run, jobs, progress))
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise RunError(f"{run.path} is damaged: its meta.json does not say how it was made ({error!r})") from None
    for key, expected in again.meta.items():
        other_version = key == "signature" and meta["evaltools"] != evaltools.__version__
        if key in _MAY_DIFFER and (key != "signature" or other_version):
            continue
        if meta.get(key) != expected:
            findings.add("meta.json", meta.get(key), expected, column=key)
    compare_tables(run.folder, again.folder, tables_of(again.meta), again.parsers, again.n_sentences, findings)
    for sql in wrong_answers(run.answer, run.query, run.meta) if is_whole else ():
        findings.add("answers", sql, "what the tables say")
    return Verification(tuple(findings.kept), findings.total, (), sum(again.meta["rows"].values()), digested)


def _part_again(run: Run, whole: Run) -> Run:
    """Take the same part of what was recomputed, if the run is a part of one."""
    numbers, known = original_numbers(run), original_numbers(whole)
    if numbers is None:
        return whole
    known = np.arange(1, whole.n_sentences + 1) if known is None else known
    wanted = np.flatnonzero(np.isin(known, numbers)) + 1
    return whole if len(wanted) == whole.n_sentences and "nbest" in run.meta else subset(whole, wanted.tolist())


def _gone(entry: dict[str, Any]) -> str | None:
    """Say so if a source is no longer there, or never was a file."""
    if entry["path"] is None:
        return f"{entry['file']}: was no file on this machine (an upload, a URL, or standard input)"
    path = Path(entry["path"])
    return None if path.is_file() or path.is_dir() else f"{path}: no such file"


def _digest(path: Path) -> str:
    """Return the SHA-256 of a file as stored."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise RunError(f"{path} cannot be read: {error.strerror or error}") from None


def _again(run: Run, jobs: int | None, progress: Progress | None) -> Run:
    """Score the sources once more, as ``meta.json`` says."""
    meta = run.meta
    options = meta["options"]
    if run.kind == "crossframework":
        conversion = conversion_of(meta)
        return crossframework(
            {gold["theory"]: open_bytes(gold["path"], gold["file"]) for gold in meta["golds"]},
            {one["name"]: (one["theory"], open_bytes(one["path"], one["file"])) for one in meta["parsers"]},
            label_map=conversion.label_map,
            tl_unify=conversion.tl_unify,
            count_root=conversion.count_root,
            free_labels=conversion.free_labels,
            projectivize=conversion.projectivize,
            progress=progress,
        )
    if run.kind == "semantics":
        return score_semantics(
            bank_named(meta["gold"]["path"], meta["gold"]["file"], options["format"]),
            {
                one["name"]: bank_named(one["path"], one["file"], options["format"], one["name"])
                for one in meta["parsers"]
            },
            rules=run.edm_rules,
            format=options["format"],
            metrics=meta["metrics"],
            progress=progress,
        )
    if "nbest" in meta:
        files = {entry["name"]: (entry["path"], entry["file"]) for entry in meta["parsers"]}
        return oracle(
            open_source(meta["gold"]["path"], meta["gold"]["file"]),
            {one["parser"]: open_source(*files[one["parser"]]) for one in meta["nbest"]["lists"]},
            metric=meta["nbest"]["metric"],
            preset=run.rules if run.kind == "constituency" else "standard",
            format=meta["nbest"]["format"],
            punctuation=options.get("punctuation"),
            subtypes=options.get("subtypes"),
            jobs=jobs,
            progress=progress,
        )
    table = options["la_table"]
    return score(
        open_bytes(meta["gold"]["path"], meta["gold"]["file"]),
        {entry["name"]: open_bytes(entry["path"], entry["file"]) for entry in meta["parsers"]},
        preset=run.rules,
        format=options["format"],
        metrics=meta["metrics"],
        la_preterminals=options["la_preterminals"],
        la_table=None if table is None else CostTable({(a, b): cost for a, b, cost in table}),
        engine=options["engine"],
        punctuation=options.get("punctuation"),
        subtypes=options.get("subtypes"),
        align_sentences=options.get("align_sentences", False),
        jobs=jobs,
        progress=progress,
    )

"""Verification: a run is recomputed from its sources, and the tables of both are compared cell by cell."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, groupby, islice
from pathlib import Path
from typing import Any

import duckdb
import numpy as np

import evaltools
from evaltools.errors import InputError, RunError
from evaltools.formats import profile_digest
from evaltools.formats.source import open_source
from evaltools.frameworks.options import changed, options_of
from evaltools.progress import Progress
from evaltools.runs.folder import Folder, damaged_tables
from evaltools.runs.meta import METADATA, tables_of
from evaltools.runs.metadata import MetadataJoin
from evaltools.runs.oracle import oracle
from evaltools.runs.scoring import make_run
from evaltools.runs.store import Run
from evaltools.runs.subset import original_numbers, subset, subset_of
from evaltools.text import and_more, beginning, count_of, first_line, printable, short_repr

_MAX_VALUE_LENGTH = 80
_MAX_LISTED = 20
_OWNERS = {"golds": "theory", METADATA: "key"}
"""The columns that, with the sentence, identify the rows of tables without a parser."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference between a run and the recomputed run."""

    table: str  # The table, ``"meta.json"``, ``"source"``, or a part such as ``"words/00000-0000.parquet"``
    found: str  # Value in the run, and recomputed value
    expected: str
    sentence: int | None = None  # From 1
    parser: str | None = None  # None for gold trees, and if the difference concerns no parser
    column: str | None = None  # Column, or key of ``meta.json``

    def __str__(self) -> str:
        """Return ``table, parser, sentence, column: found; expected …``."""
        parts = [self.table]
        if self.parser is not None:
            parts.append(f"parser {self.parser}")
        if self.sentence is not None:
            parts.append(f"sentence {self.sentence}")
        if self.column is not None:
            parts.append(self.column)
        return f"{', '.join(parts)}: {self.found}; expected {self.expected}"


def _value(value: Any) -> str:
    """Return a value in words."""
    return beginning("nothing" if value is None else repr(value), _MAX_VALUE_LENGTH)


def _differing_tables(found: Folder, expected: Folder, meta: Mapping[str, Any]) -> Iterator[Difference]:
    """Compare every table of two runs; `meta` is of the first one."""
    database = duckdb.connect()
    for table in tables_of(meta):
        try:
            types = [folder.attach(database, table, f"{table}_{at}") for at, folder in enumerate((found, expected))]
            differing = [name for name in {**types[1], **types[0]} if types[0].get(name) != types[1].get(name)]
            for name in differing:
                texts = [f"a column of {side[name]}" if name in side else "no such column" for side in types]
                yield Difference(table, texts[0], texts[1], column=name)
            if not differing:
                yield from _differing_rows(table, list(types[0]), database)
        except (duckdb.Error, RunError, OSError) as error:
            text = beginning(f"cannot be read ({first_line(error)})", _MAX_VALUE_LENGTH)
            yield Difference(table, text, "a readable table")


def _differing_rows(table: str, columns: list[str], database: duckdb.DuckDBPyConnection) -> Iterator[Difference]:
    """Compare the rows of two tables: of each parser and sentence those that the other side does not have."""
    owner, names = _OWNERS.get(table, "parser"), ", ".join(f'"{name}"' for name in columns)
    sides = (f"select {names} from {table}_{at} except all select {names} from {table}_{1 - at}" for at in (0, 1))
    rows = database.execute(
        " union all ".join(f"select sentence, {owner}, {at}, * from ({side})" for at, side in enumerate(sides))
        + " order by all nulls first"
    ).fetchall()
    for (sentence, parser), group in groupby(rows, lambda row: row[:2]):
        found, expected = list[tuple[Any, ...]](), list[tuple[Any, ...]]()
        for _, _, at, *cells in group:
            (expected if at else found).append(tuple(cells))
        if len(found) == len(expected) == 1:
            for name, *values in zip(columns, *found, *expected, strict=True):
                if values[0] != values[1]:
                    yield Difference(table, _value(values[0]), _value(values[1]), sentence, parser, name)
        else:
            texts = count_of(len(found), "row"), count_of(len(expected), "other row")
            yield Difference(table, *texts, sentence, parser)


_MAY_DIFFER = ("created", "evaltools", "subset", "metrics_left_out", "tables")


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
    differences = [
        Difference(name, beginning(fault, _MAX_VALUE_LENGTH), "the file that was written")
        for name, fault in damaged_tables(run.folder, run.meta)
    ]
    try:
        meta = run.meta
        sources = [*meta.get("golds", [meta["gold"]]), *meta["parsers"], *meta.get("metadata", {}).get("sources", ())]
        obstacles = tuple(text for entry in sources if (text := obstacle(entry)))
        if meta["evaltools"] != evaltools.__version__:
            versions = _value(meta["evaltools"]), _value(evaltools.__version__)
            differences.append(Difference("meta.json", versions[0], versions[1], column="evaltools"))
        if obstacles:
            return _verification(differences, obstacles)
        if progress is not None and progress.note is not None:  # a run may come from anyone and name any file
            names = ", ".join(dict.fromkeys(str(entry["path"]) for entry in sources))
            progress.note(printable(f"reads the files that {run.path} names: {names}"))
            if (complete := subset_of(run)) is not None and "nbest" not in meta:
                progress.note(
                    f"a part: {run.n_sentences} of {complete['sentences']} sentences, which are all scored again"
                )
        changed_sources = []
        for entry in sources:
            digest = digest_of(Path(entry["path"]))
            if digest != entry["sha256"]:
                column = f"SHA-256 of {entry['path']}"
                found, expected = str(entry["sha256"])[:12], digest[:12]
                changed_sources.append(Difference("source", _value(found), _value(expected), column=column))
        if changed_sources:
            return _verification([*differences, *changed_sources])
        again = _subset_again(run, _score_again(run, jobs, progress))
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise RunError(f"{run.path} is damaged: its meta.json does not say how it was made ({error!r})") from None
    for key, expected in again.meta.items():
        other_version = key == "signature" and meta["evaltools"] != evaltools.__version__
        if meta.get(key) != expected and key not in _MAY_DIFFER and not other_version:
            differences.append(Difference("meta.json", _value(meta.get(key)), _value(expected), column=key))
    n_rows = sum(table["rows"] for table in again.meta["tables"].values())
    return _verification(chain(differences, _differing_tables(run.folder, again.folder, run.meta)), n_rows=n_rows)


def _verification(
    differences: Iterable[Difference], obstacles: tuple[str, ...] = (), *, n_rows: int = 0
) -> Verification:
    """Count differences, and keep the first ones."""
    rest = iter(differences)
    listed = tuple(islice(rest, _MAX_LISTED))
    return Verification(listed, len(listed) + sum(1 for _ in rest), obstacles, n_rows)


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


def obstacle(entry: dict[str, Any]) -> str | None:
    """Return why a source cannot be read again; None if it can."""
    if entry["path"] is None:
        return f"{entry['file']}: was no file on this machine (an upload, a URL, or standard input)"
    path = Path(entry["path"])
    return None if os.path.isfile(path) or os.path.isdir(path) else f"{path}: no such file"


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file as stored, or of a profile; empty if it is another folder."""
    if path.is_dir():
        with suppress(InputError):
            return profile_digest(path, str(path))
        return ""
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
    files = {entry["name"]: (entry["path"], entry["file"]) for entry in meta["parsers"]}
    return oracle(
        open_source(meta["gold"]["path"], meta["gold"]["file"], encoding=encoding),
        {item["parser"]: open_source(*files[item["parser"]], encoding=encoding) for item in meta["nbest"]["lists"]},
        metric=meta["nbest"]["metric"],
        preset=run.rules,
        format=meta["nbest"]["format"],
        encoding=encoding,
        jobs=jobs,
        progress=progress,
        **changed(options_of(run.framework.options, meta)),
    )

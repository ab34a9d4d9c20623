"""Verification: a run is recomputed from its sources, and the tables of both are compared cell by cell."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
from numpy.typing import NDArray

import evaltools
from evaltools.errors import InputError, RunError
from evaltools.formats import profile_digest
from evaltools.formats.source import open_source
from evaltools.frameworks.common.columns import Rows
from evaltools.frameworks.options import changed, options_of
from evaltools.progress import Progress
from evaltools.runs.folder import Folder, damaged_tables
from evaltools.runs.meta import METADATA, tables_of
from evaltools.runs.metadata import MetadataJoin
from evaltools.runs.oracle import oracle
from evaltools.runs.scoring import make_run
from evaltools.runs.store import Run
from evaltools.runs.subset import original_numbers, subset, subset_of
from evaltools.text import and_more, beginning, first_line, printable, short_repr

_SENTENCES_PER_BLOCK = 4096
_MAX_VALUE_LENGTH = 80
_VIEWS = ("found", "expected")
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


@dataclass
class Differences:
    """Differences: their total number, and the first ones."""

    limit: int = 20  # How many are listed
    listed: list[Difference] = field(default_factory=list)
    total: int = 0

    def add(self, table: str, found: Any, expected: Any, **position: Any) -> None:
        """Count a difference, and list it if the limit is not reached."""
        self.total += 1
        if self.n_free:
            self.listed.append(Difference(table, _as_text(found), _as_text(expected), **position))

    def add_table(self, name: str, fault: str) -> None:
        """Count a table whose file is not what was written."""
        self.add(name, _Description(fault), _Description("the file that was written"))

    @property
    def n_free(self) -> int:
        """How many more can be listed."""
        return self.limit - len(self.listed)


class _Description(str):
    """A text about a value, which is printed without quotation marks."""


def _as_text(value: Any) -> str:
    text = str(value) if isinstance(value, _Description) else "nothing" if value is None else repr(value)
    return beginning(text, _MAX_VALUE_LENGTH)


def compare_tables(
    found: Folder,
    expected: Folder,
    meta: Mapping[str, Any],
    parsers: list[str],
    n_sentences: int,
    differences: Differences,
) -> None:
    """Compare every table of two runs, in blocks of sentences; `meta` is of the first run."""
    database = duckdb.connect()
    for table in tables_of(meta):
        try:
            for view in _VIEWS:
                database.execute(f"drop view if exists {view}")
            types = [found.attach(database, table, _VIEWS[0]), expected.attach(database, table, _VIEWS[1])]
            if not _same_columns(table, types[0], types[1], differences):
                continue
            if table == "problems":
                _compare_unordered(table, database, differences)
            else:
                _compare_in_order(table, database, parsers, n_sentences, differences)
        except (duckdb.Error, RunError, OSError) as error:
            text = f"cannot be read ({first_line(error)})"
            differences.add(table, _Description(text), _Description("a readable table"))


def _same_columns(table: str, found: Mapping[str, str], expected: Mapping[str, str], differences: Differences) -> bool:
    """Compare the columns."""
    types = [{name: _Description(f"a column of {kind}") for name, kind in side.items()} for side in (found, expected)]
    missing = _Description("no such column")
    differing = [name for name in {**types[1], **types[0]} if types[0].get(name) != types[1].get(name)]
    for name in differing:
        differences.add(table, types[0].get(name, missing), types[1].get(name, missing), column=name)
    return not differing


def _compare_unordered(table: str, database: duckdb.DuckDBPyConnection, differences: Differences) -> None:
    """Compare rows in any order."""
    item, none = _Description("a row"), _Description("no such row")
    for sides, texts in ((_VIEWS, (item, none)), (_VIEWS[::-1], (none, item))):
        rows = database.execute(f"from {sides[0]} except all from {sides[1]} order by all")
        names = [name for name, *_ in rows.description]
        for values in rows.fetchall():
            row = dict(zip(names, values, strict=True))
            position = {"sentence": row["sentence"], "parser": row["parser"]}
            differences.add(table, *texts, **position, column=f"{row['kind']} at {row['file']}:{row['line']}")


def _compare_in_order(
    table: str, database: duckdb.DuckDBPyConnection, parsers: list[str], n_sentences: int, differences: Differences
) -> None:
    """Compare cell by cell; each parser and sentence has its rows in a fixed order."""
    n_rows = 0
    owner = _OWNERS.get(table, "parser")
    owners: list[str | None] = [None, *parsers] if table == "trees" else [*parsers]
    if owner != "parser":
        owners = [name for (name,) in database.execute(f"select distinct {owner} from expected order by 1").fetchall()]
    for first in range(1, n_sentences + 1, _SENTENCES_PER_BLOCK):
        rows = [
            database.execute(
                f"select * from {view} where sentence between ? and ?", [first, first + _SENTENCES_PER_BLOCK - 1]
            ).fetchnumpy()
            for view in _VIEWS
        ]
        for parser in owners:
            found, expected = (_rows_of(item, owner, parser) for item in rows)
            n_rows += len(found["sentence"])
            _compare_parser(table, parser, found, expected, first, differences)
    ((n_found,),) = database.execute("select count(*) from found").fetchall()
    if n_found > n_rows:
        extra = _Description(f"{n_found - n_rows} rows of no parser or sentence of the run")
        differences.add(table, extra, _Description("none"))


def _rows_of(rows: Mapping[str, Any], owner: str, parser: str | None) -> Rows:
    """Return the rows of one owner, those of each sentence together."""
    column = rows[owner]
    is_null = np.ma.getmaskarray(column)
    chosen = np.flatnonzero(is_null if parser is None else ~is_null & (np.ma.getdata(column) == parser))
    chosen = chosen[np.argsort(np.ma.getdata(rows["sentence"])[chosen], kind="stable")]
    return {name: values[chosen] for name, values in rows.items()}


def _compare_parser(
    table: str, parser: str | None, found: Rows, expected: Rows, first: int, differences: Differences
) -> None:
    numbers = [np.ma.getdata(side["sentence"]) for side in (found, expected)]
    counts = [np.bincount(side - first, minlength=_SENTENCES_PER_BLOCK) for side in numbers]
    uneven = counts[0] != counts[1]
    for index in np.flatnonzero(uneven).tolist():
        texts = (_Description(f"{side[index]} rows") for side in counts)
        differences.add(table, *texts, sentence=first + index, parser=parser)
    if uneven.any():
        found, expected = (
            {name: values[~uneven[number - first]] for name, values in side.items()}
            for side, number in zip((found, expected), numbers, strict=True)
        )
    for name in found:
        columns = found[name], expected[name]
        rows = np.flatnonzero(_unequal(*columns))
        first_rows = rows[: differences.n_free].tolist()
        for row in first_rows:
            values = [column[row : row + 1].tolist()[0] for column in columns]
            sentence = int(expected["sentence"][row])
            differences.add(table, *values, sentence=sentence, parser=parser, column=name)
        differences.total += len(rows) - len(first_rows)


def _unequal(left: NDArray[Any], right: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which cells differ; null equals null."""
    is_null = [np.ma.getmaskarray(side) for side in (left, right)]
    differ: NDArray[np.bool_] = np.asarray(np.ma.getdata(left) != np.ma.getdata(right), dtype=np.bool_)
    return (differ & ~is_null[0] & ~is_null[1]) | (is_null[0] ^ is_null[1])


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
            digest = _digest(path)
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


def _digest(path: Path) -> str:
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

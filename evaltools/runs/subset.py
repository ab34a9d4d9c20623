"""A part of a run as a run of its own: only some sentences, of the gold trees and of all parsers.

Nothing is scored again: the rows of the chosen sentences are taken from every table, in the order of the run, and
numbered anew from 1; bookmarks and notes go with them. The table ``sentences`` keeps the numbers they had as
``original``, and ``meta.json`` says under ``subset`` whose they are; of a part of a part, both name the whole run.
"""

from __future__ import annotations

import datetime
import hashlib
import re
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq
from numpy.typing import NDArray

from evaltools.errors import ParameterError, RunError
from evaltools.formats.locations import is_url
from evaltools.runs.kinds import COMPARED, tables_of
from evaltools.runs.notes import Notes
from evaltools.runs.passes import Progress
from evaltools.runs.sentence_texts import labels_in
from evaltools.runs.store import Run
from evaltools.runs.subset_figures import MORE_FIGURES, coverage_of
from evaltools.runs.writer import RunWriter

__all__ = ["ORIGINAL", "original_numbers", "parse_numbers", "subset", "subset_of"]

ORIGINAL = "original"
"""Column of the table ``sentences`` with the numbers that the sentences have in the whole run."""

_ROWS = 200_000
"""So many rows are written into one file, and a little more."""
_NUMBERS = re.compile(r"(\d{1,10})(?:\s*[-–]\s*(\d{1,10}))?$")


def subset(
    run: Run,
    sentences: Iterable[int],
    out: str | Path | None = None,
    *,
    force: bool = False,
    progress: Progress | None = None,
) -> Run:
    """Write some sentences of a run as a run of their own.

    Parameters
    ----------
    run : Run
        The run.
    sentences : iterable of int
        Numbers of the sentences wanted, from 1; the part has them in the order of the run, each once.
    out : path, optional
        Folder of the new run; a temporary one if not given, which goes with the returned object.
    force : bool
        Whether to replace an older run there.
    progress : Progress, optional
        Is told how far the work is, and can stop it.

    Returns
    -------
    Run
        The new run.

    Raises
    ------
    ParameterError
        If there is no such sentence, or none at all is wanted.
    RunError
        If the folder cannot be written, or the run is damaged.
    """
    chosen = np.unique(np.fromiter(sentences, dtype=np.int64))
    if not len(chosen):
        raise ParameterError("no sentence is named; a run needs at least one")
    if chosen[0] < 1 or chosen[-1] > run.n_sentences:
        wrong = chosen[0] if chosen[0] < 1 else chosen[-1]
        raise ParameterError(f"no sentence {wrong}; there are {run.n_sentences}, counted from 1")
    if run.kind not in MORE_FIGURES:
        raise RunError(f"{run.path} compares {COMPARED[run.kind]}; of such runs no part can be taken")
    run.check()
    progress = progress or Progress()
    temporary = tempfile.TemporaryDirectory(prefix="evaltools-") if out is None else None
    place = Path(temporary.name) / "run" if temporary is not None else Path(str(out))
    writer = RunWriter(place, force=force)
    try:
        labels: set[str] = set()
        progress.total = len(chosen) * len(tables_of(run.meta))
        for table in tables_of(run.meta):
            labels.update(_copy(run, table, chosen, writer))
            progress.at("writing", len(chosen))
        writer.finish(_described(run, chosen, sorted(labels), writer))
    except BaseException:
        writer.abandon()
        raise
    part = Run(place, temporary)
    _take_notes(run, part, chosen)
    return part


def _take_notes(run: Run, part: Run, chosen: NDArray[np.int64]) -> None:
    """Take bookmarks and notes along; without them the part is a run all the same."""
    if is_url(run.path):
        return
    notes = Notes(part)
    with suppress(OSError):
        for number, kept in Notes(run).all().items():
            at = int(np.searchsorted(chosen, number))
            if at < len(chosen) and chosen[at] == number:
                notes.put(at + 1, kept)


def _copy(run: Run, table: str, chosen: NDArray[np.int64], writer: RunWriter) -> set[str]:
    """Copy the rows of a table, part by part; return the labels in it."""
    dataset = run.folder.dataset(table)
    wanted = pc.field("sentence").isin(pa.array(chosen))
    wanted &= (pc.field("sentence") >= int(chosen[0])) & (pc.field("sentence") <= int(chosen[-1]))
    if table == "problems":
        wanted |= pc.field("sentence").is_null()
    labels: set[str] = set()
    gathered: list[pa.Table] = [_renumbered(dataset.schema.empty_table(), table, chosen)]
    number = 0
    for fragment in dataset.get_fragments():
        if table != "problems" and not _may_hold(fragment, chosen):
            continue
        rows = _renumbered(fragment.to_table(schema=dataset.schema, filter=wanted), table, chosen)
        gathered.append(rows)
        if table == "sentences" and run.kind == "constituency":
            labels.update(labels_in(rows["labels"]))
        elif table == "words" and run.kind == "dependency":
            labels.update(_relations(rows))
        if sum(one.num_rows for one in gathered) >= _ROWS:  # a part of a long run has a little from each of its files
            writer.write(table, f"{number:05d}", pa.concat_tables(gathered))
            number, gathered = number + 1, []
    if gathered:
        writer.write(table, f"{number:05d}", pa.concat_tables(gathered))
    return labels


def _may_hold(fragment: ds.ParquetFileFragment, chosen: NDArray[np.int64]) -> bool:
    """Tell from a part's statistics whether it may have some of the sentences."""
    for group in fragment.row_groups:
        known = (group.statistics or {}).get("sentence")
        if known is None:
            return True
        if np.searchsorted(chosen, known["max"], "right") > np.searchsorted(chosen, known["min"]):
            return True
    return False


def _relations(rows: pa.Table) -> set[str]:
    names = [pc.unique(rows[side].cast(pa.string())).to_pylist() for side in ("relation", "test_relation")]
    return {name for side in names for name in side if name is not None}


def _renumbered(rows: pa.Table, table: str, chosen: NDArray[np.int64]) -> pa.Table:
    place = rows.schema.get_field_index("sentence")
    kind = rows.schema.field(place).type
    known = rows["sentence"].is_valid().to_numpy()
    before = rows["sentence"].fill_null(0).to_numpy()
    numbers = np.searchsorted(chosen, before) + 1
    if table == "sentences" and ORIGINAL not in rows.schema.names:
        rows = rows.append_column(ORIGINAL, pa.array(before.astype(np.int32)))
    return rows.set_column(place, "sentence", pa.array(numbers, kind, mask=~known))


def _described(run: Run, chosen: NDArray[np.int64], labels: list[str], writer: RunWriter) -> dict[str, Any]:
    """Return what ``meta.json`` says of the part."""
    meta = run.meta
    folder = writer.parts.folder
    rows = pa.concat_tables(
        [
            pq.read_table(part, columns=["parser", "status", "words_aligned", ORIGINAL])
            for part in sorted((folder / "sentences").glob("*.parquet"))
        ],
        promote_options="permissive",
    )
    first = rows.filter(pc.equal(rows["parser"].cast(pa.string()), run.parsers[0]))
    numbers = np.sort(first[ORIGINAL].to_numpy())
    digest = hashlib.sha256(numbers.astype("<i8").tobytes()).hexdigest()[:8]
    whole = meta.get("subset") or {
        "of": str(run.path.resolve()),
        "signature": run.signature,
        "created": meta.get("created"),
        "sentences": run.n_sentences,
    }
    n_problems = sum(pq.read_metadata(part).num_rows for part in (folder / "problems").glob("*.parquet"))
    parsers = [entry | coverage_of(rows, entry["name"]) for entry in meta["parsers"]]
    return (
        {name: value for name, value in meta.items() if name != "rows"}
        | {"created": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")}
        | {"signature": f"{run.signature.split('|subset:')[0]}|subset:{len(chosen)}#{digest}"}
        | {"sentences": len(chosen), "parsers": parsers, "problems": n_problems, "labels": labels, "subset": whole}
        | MORE_FIGURES[run.kind](run, chosen.tolist())
        | _without_curves(meta)
    )


def _without_curves(meta: dict[str, Any]) -> dict[str, Any]:
    """Return how the lists of a run of n-best lists were chosen from, without figures of sentences that are gone."""
    said = meta.get("nbest")
    if not isinstance(said, dict) or not isinstance(said.get("lists"), list):
        return {}
    lists = [{name: value for name, value in one.items() if name != "curve"} for one in said["lists"]]
    return {"nbest": said | {"lists": lists}}


def subset_of(run: Run) -> dict[str, Any] | None:
    """Return of which run this one is a part: ``of`` (its folder), ``signature``, ``created``, ``sentences``.

    Parameters
    ----------
    run : Run
        Any run.

    Returns
    -------
    dict or None
        None for a whole run, and for one whose ``meta.json`` does not say it in this way.
    """
    said = run.meta.get("subset")
    if not isinstance(said, dict) or not isinstance(said.get("sentences"), int):
        return None
    return said if all(isinstance(said.get(name), str) for name in ("of", "signature")) else None


def original_numbers(run: Run) -> NDArray[np.int64] | None:
    """Return the numbers that the sentences of a part have in the whole run; None for a whole run.

    Parameters
    ----------
    run : Run
        Any run.

    Returns
    -------
    ndarray of int64, shape (sentences,)
    """
    if subset_of(run) is None:
        return None
    columns = run.query("select * from sentences limit 0").columns
    if ORIGINAL not in columns:
        return None
    rows = run.query(
        f"select sentence, try_cast({ORIGINAL} as bigint) as number from sentences "
        "where parser = ? and number is not null",
        [run.parsers[0]],
    )
    numbers = np.arange(1, run.n_sentences + 1, dtype=np.int64)
    inside = rows["sentence"].between(1, run.n_sentences).to_numpy()
    numbers[rows["sentence"].to_numpy()[inside] - 1] = rows["number"].to_numpy(dtype=np.int64)[inside]
    return numbers


def parse_numbers(text: str, name: str = "the list") -> list[int]:
    """Read numbers of sentences: ``3, 7-10 12``, or the table of sentences that the app writes.

    Parameters
    ----------
    text : str
        Numbers and ranges with commas, blanks or line ends between them; or CSV with a column ``sentence``.
    name : str
        What messages call it.

    Raises
    ------
    ParameterError
        If something else is in it.

    Examples
    --------
    >>> parse_numbers("3, 7-9")
    [3, 7, 8, 9]
    """
    lines = text.lstrip("\ufeff").splitlines()
    if lines and "sentence" in (header := lines[0].split(",")):
        place = header.index("sentence")
        text = " ".join(cells[place] if place < len(cells := line.split(",", place + 1)) else "" for line in lines[1:])
    found: list[int] = []
    for item in re.sub(r"\s*([-–])\s*", r"\1", text).replace(",", " ").split():
        match = _NUMBERS.match(item)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
        if first > last:
            raise ParameterError(f"{name} has {item[:40]!r}; expected numbers of sentences, such as 3, 7-10")
        if last - first >= 10_000_000:
            raise ParameterError(f"{name} has {item[:40]!r}, more sentences than any run")
        found += range(first, last + 1)
    return found

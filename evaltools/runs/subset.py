"""Some sentences of a run as a run of its own, with the gold trees and all parsers.

Nothing is scored again: the rows of the chosen sentences are copied from every table, in the order of the run, and
renumbered from 1, together with bookmarks and notes. The table ``sentences`` keeps the former numbers in the column
``original``, and ``meta.json`` names the complete run under ``subset``, also for a subset of a subset.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaltools.errors import ParameterError
from evaltools.frameworks.common.columns import SentenceStatus
from evaltools.frameworks.stored import quoted
from evaltools.progress import Progress
from evaltools.runs.meta import ORIGINAL, coverage, derived_meta, tables_of
from evaltools.runs.notes import Notes
from evaltools.runs.store import Run
from evaltools.runs.writer import STORED, RunWriter

_MAX_SENTENCES = 10_000_000
"""More than any run has."""
_NUMBERS = re.compile(r"(\d{1,10})(?:\s*[-–]\s*(\d{1,10}))?$")


def subset(
    run: Run,
    sentences: Iterable[int],
    out: str | Path | None = None,
    *,
    force: bool = False,
    progress: Progress | None = None,
) -> Run:
    """Write some sentences of a run as a new run.

    Parameters
    ----------
    run : Run
        The run.
    sentences : iterable of int
        Numbers of the sentences, from 1, in any order.
    out : path, optional
        Folder of the new run; by default a temporary one, deleted with the returned object.
    force : bool
        Whether to replace an older run there.
    progress : Progress, optional
        Reports progress, and can cancel the work.

    Returns
    -------
    Run
        The new run.

    Raises
    ------
    ParameterError
        If a number is out of range, or there is none.
    RunError
        If the folder cannot be written, or the run is damaged.
    """
    chosen = np.unique(np.fromiter(sentences, dtype=np.int64))
    if not len(chosen):
        raise ParameterError("no sentence is named; a run needs at least one")
    if chosen[0] < 1 or chosen[-1] > run.n_sentences:
        wrong = chosen[0] if chosen[0] < 1 else chosen[-1]
        raise ParameterError(_outside(wrong, run.n_sentences))
    run.check()
    progress = progress or Progress()
    with RunWriter(out, force=force) as writer:
        progress.total = len(chosen) * len(tables_of(run.meta))
        for table in tables_of(run.meta):
            _copy(run, table, chosen, writer)
            progress.update("writing", len(chosen))
        part = Run(writer.path, writer.temporary, meta=writer.finish(_meta_of(run, chosen, writer), progress))
    _copy_notes(run, part, chosen)
    return part


def _outside(number: int, n_sentences: int) -> str:
    return f"no sentence {number}; there are {n_sentences}, counted from 1"


def _copy_notes(run: Run, part: Run, chosen: NDArray[np.int64]) -> None:
    """Copy bookmarks and notes; if that is impossible, the part has none."""
    notes = Notes(part)
    with suppress(OSError):
        for number, note in Notes(run).all().items():
            index = int(np.searchsorted(chosen, number))
            if index < len(chosen) and chosen[index] == number:
                notes.put(index + 1, note)


def _copy(run: Run, table: str, chosen: NDArray[np.int64], writer: RunWriter) -> None:
    """Copy the rows of a table."""
    columns = f"{STORED} replace (chosen.number as sentence)"
    if table == "sentences" and subset_of(run) is None:
        columns += f", stored.sentence as {ORIGINAL}"
    joined = "join chosen on stored.sentence = chosen.sentence"
    if table == "problems":
        joined = f"left {joined} where chosen.number is not null or stored.sentence is null"
    numbers = np.arange(1, len(chosen) + 1, dtype=np.int32)
    writer.select(table, run.folder, columns, joined, chosen={"sentence": chosen, "number": numbers})


def _meta_of(run: Run, chosen: NDArray[np.int64], writer: RunWriter) -> dict[str, Any]:
    """Return the content of ``meta.json`` of the part."""
    meta = run.meta
    own, labels = run.framework.runs.labels, list[tuple[str]]()
    if own is not None and own.listed is not None:
        table, sql = own.listed
        labels = writer.query(table, f"select distinct label from ({sql}) where label <> ''")
    ((n_problems,),) = writer.query("problems", "select count(*) from problems")
    original = original_numbers(run)
    numbers = chosen if original is None else np.sort(original[chosen - 1])
    digest = hashlib.sha256(numbers.astype("<i8").tobytes()).hexdigest()[:8]
    complete = meta.get("subset") or {
        "of": str(run.path.resolve()),
        "signature": run.signature,
        "created": meta.get("created"),
        "sentences": run.n_sentences,
    }
    return (
        derived_meta(
            meta,
            signature=f"{run.signature.split('|subset:')[0]}|subset:{len(chosen)}#{digest}",
            sentences=len(chosen),
            parsers=[entry | _coverage(writer, entry["name"]) for entry in meta["parsers"]],
            problems=n_problems,
            labels=sorted(label for (label,) in labels),
            subset=complete,
        )
        | run.framework.runs.part_figures(run, chosen.tolist())
        | _without_curves(meta)
    )


def _coverage(writer: RunWriter, parser: str) -> dict[str, int]:
    """Return a parser's numbers of sentences by status."""
    counted = f"from sentences where parser = {quoted(parser)} and sentences > 0"
    by_status = dict(writer.query("sentences", f"select status, count(*) {counted} group by status"))
    ((n_words_aligned,),) = writer.query("sentences", f"select count(words_aligned) {counted}")
    return coverage([by_status.get(item.label, 0) for item in SentenceStatus], n_words_aligned)


def _without_curves(meta: dict[str, Any]) -> dict[str, Any]:
    """Return the entry ``nbest`` without the figures by rank, which are over all sentences."""
    if (nbest := meta.get("nbest")) is None:
        return {}
    lists = [{name: value for name, value in item.items() if name != "curve"} for item in nbest["lists"]]
    return {"nbest": nbest | {"lists": lists}}


def subset_of(run: Run) -> dict[str, Any] | None:
    """Return the run that this one is a part of: ``of`` (its folder), ``signature``, ``created``, ``sentences``."""
    complete: dict[str, Any] | None = run.meta.get("subset")
    return complete


def original_numbers(run: Run) -> NDArray[np.int64] | None:
    """Return the numbers of a part's sentences in the complete run; None for a complete run."""
    if subset_of(run) is None:
        return None
    rows = run.columns(f"select {ORIGINAL} from sentences where parser = ? order by sentence", [run.parsers[0]])
    return np.asarray(rows[ORIGINAL], dtype=np.int64)


def parse_numbers(text: str, name: str = "the list", *, last_sentence: int = sys.maxsize) -> list[int]:
    """Read numbers of sentences: ``3, 7-10 12``, or a table of sentences saved in the app.

    Examples
    --------
    >>> parse_numbers("3, 7-9")
    [3, 7, 8, 9]
    """
    lines = text.lstrip("\ufeff").splitlines()
    if lines and "sentence" in (header := lines[0].split(",")):
        index = header.index("sentence")
        text = " ".join(cells[index] if index < len(cells := line.split(",", index + 1)) else "" for line in lines[1:])
    numbers: list[int] = []
    for item in re.sub(r"\s*([-–])\s*", r"\1", text).replace(",", " ").split():
        match = _NUMBERS.match(item)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
        if first > last:
            raise ParameterError(f"{name} has {item[:40]!r}; expected numbers of sentences, such as 3, 7-10")
        if last - first >= _MAX_SENTENCES:
            raise ParameterError(f"{name} has {item[:40]!r}, more sentences than any run")
        if last > last_sentence:
            raise ParameterError(_outside(last, last_sentence))
        numbers += range(first, last + 1)
    return numbers

"""Runs of n-best lists: a parser's first analysis beside the best of its list, the *oracle*.

The best analysis of a sentence is the one with the highest score by a metric, the first among equals. A pooled figure
of these analyses may be a little less than the highest that any choice could reach, because it weighs sentences by
their size. Only sentences that have a list are compared; the run keeps their numbers in the gold file.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path, PurePath
from typing import IO, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from evaltools.errors import InputError, ParameterError, Problem
from evaltools.formats import FORMATS, guess_format
from evaltools.formats.brackets import LINES
from evaltools.formats.nbest_lists import NBestList, read_nbest
from evaltools.formats.source import Source, open_source
from evaltools.metrics import MAIN_METRIC_OF, metrics_of
from evaltools.normalize import Preset
from evaltools.runs.id_pairing import repeated_ids
from evaltools.runs.kinds import tables_of
from evaltools.runs.nbest_choice import curve
from evaltools.runs.nbest_inputs import LISTED_AS, gold_texts, listed_problems, matched, ranked_texts
from evaltools.runs.passes import Progress
from evaltools.runs.scoring import score
from evaltools.runs.store import Run
from evaltools.runs.tables import problems_table
from evaltools.runs.writer import RunWriter
from evaltools.treebank import Dependencies, Vocabulary
from evaltools.treebank.sentence_ids import SentenceIds

__all__ = ["RANK", "oracle"]

RANK = "rank_of_best"
"""Column of the table ``sentences`` with the rank of the best analysis; missing where there is no list."""

AnySource = str | os.PathLike[str] | Source | IO[bytes]


def oracle(
    gold: AnySource,
    lists: Mapping[str, AnySource],
    *,
    metric: str | None = None,
    preset: str | Preset = "standard",
    format: str | None = None,  # noqa: A002 - the word users know
    punctuation: str | None = None,
    subtypes: bool | None = None,
    out: str | os.PathLike[str] | None = None,
    force: bool = False,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> Run:
    """Score the first analysis of n-best lists, and the best one.

    Parameters
    ----------
    gold : path or binary file
        The gold treebank.
    lists : mapping of str to path or binary file
        Each parser's lists by its name, as :mod:`evaltools.formats.nbest_lists` reads them. They are paired with gold
        sentences by name where the gold file has names (``# sent_id``), else by number, else in order.
    metric : str, optional
        By which the best analysis is chosen; E Dice, or LAS for dependency trees, if not given.
    preset : str or Preset
        What to delete and equate before scoring; see :data:`evaltools.PRESETS`.
    format : str, optional
        Format of the gold file; guessed from its content if not given.
    punctuation : {"keep", "upos", "unicode"}, optional
        For dependency trees: whether punctuation is left out, and how it is known; kept if not given.
    subtypes : bool, optional
        For dependency trees: whether ``nsubj:pass`` differs from ``nsubj``; it does not if not given.
    out : path, optional
        Folder of the run; a temporary one if not given, which goes with the returned object.
    force : bool
        Whether to replace an older run there.
    jobs : int, optional
        Threads; as many as there are processors if not given.
    progress : Progress, optional
        Is told how far the work is, and can stop it.

    Returns
    -------
    Run
        Over the sentences that have a list: two parsers for each file, ``name`` and ``best of n: name``.

    Raises
    ------
    InputError
        If a file cannot be read, or holds trees of another kind than the gold file.
    ParameterError
        If the metric is unknown or not of such trees, or there is no list.
    """
    if not lists:
        raise ParameterError("no list given; at least one is needed, as NAME=FILE")
    source = open_source(gold)
    name = format or guess_format(source)
    if name not in FORMATS:
        raise ParameterError.unknown("format", name, FORMATS)
    kind = str(FORMATS[name].HOLDS)
    if kind not in ("constituency", "dependency"):
        found = f"{FORMATS[name].TITLE}"
        raise InputError(Problem("kind", source.name, None, None, found, "constituency or dependency trees"))
    metric = metric or MAIN_METRIC_OF[kind]
    if metric not in metrics_of(kind) or metric == "la_table":
        raise ParameterError.unknown("metric", metric, [one for one in metrics_of(kind) if one != "la_table"])
    trees = FORMATS[name].read(source, Vocabulary())
    read = {parser: read_nbest(one) for parser, one in lists.items()}
    for one in read.values():
        if one.holds != kind:
            raise InputError(
                Problem("kind", one.name, None, None, f"{one.holds} trees", f"{kind} trees, as the gold file")
            )
    taken = {_oracle_of(parser, one) for parser, one in read.items()} & set(read)
    if taken:
        raise ParameterError(
            f"{min(taken)!r} is what the best analyses of another list are called; choose another name"
        )
    pairs = {parser: matched(trees, one) for parser, one in read.items()}
    places = sorted({place for items, _, _ in pairs.values() for place in items})
    if not places:
        raise ParameterError("no list belongs to a sentence of the gold file")
    work = _Work(
        LISTED_AS.get(name, LISTED_AS[kind]),
        metric,
        {"preset": preset, "punctuation": punctuation, "subtypes": subtypes, "jobs": jobs},
        progress,
    )
    gold_source = _source(gold_texts(trees, places, work.format), work.format, source.name)
    given: dict[str, Source] = {}
    figures: list[dict[str, Any]] = []
    ranks: dict[str, NDArray[np.int64]] = {}
    problems = [*trees.problems]
    if isinstance(trees, Dependencies):
        ids = SentenceIds()
        ids.add(trees.sent_ids(), trees.line)
        problems += repeated_ids(ids, source.name)
    for parser, one in read.items():
        items, how, unmatched = pairs[parser]
        ranked = ranked_texts(trees, places, items, one, parser)
        every_rank = work.every_rank(gold_source, ranked.texts)
        table, best = curve(every_rank.counts(), every_rank.parsers, metric)
        problems += [*one.problems, *unmatched, *ranked.problems]
        problems += listed_problems(every_rank.problems(), places, items, one, parser)
        listed = np.array([place in items for place in places])
        other = _oracle_of(parser, one)
        given[parser] = _source(ranked.texts[0], work.format, one.name)
        chosen = [ranked.texts[rank - 1][at] for at, rank in enumerate(best.tolist())]
        given[other] = _source(chosen, work.format, one.name)
        ranks |= {who: np.where(listed, best, 0) for who in (parser, other)}
        figures.append(
            {"parser": parser, "oracle": other, "most": one.most, "lists": len(items), "paired": how}
            | {"curve": table.to_dict("records")}
        )
    scored = work.score(gold_source, given)
    entries = {who: one for parser, one in read.items() for who in (parser, _oracle_of(parser, one))}
    meta = _described(scored, source, len(trees), entries, metric, figures, len(problems), name)
    return _written(scored, meta, problems, np.array(places) + 1, ranks, out, force)


def _oracle_of(parser: str, lists: NBestList) -> str:
    return f"best of {lists.most}: {parser}"


class _Work:
    """Scores what is made of the lists, always in the same way."""

    def __init__(self, format_name: str, metric: str, options: dict[str, Any], progress: Progress | None) -> None:
        self.format, self.metric, self.options = format_name, metric, options
        # how the files made of the lists are paired is of no interest
        self.progress = None if progress is None else replace(progress, note=None)

    def score(self, gold: Source, given: Mapping[str, Source], metrics: list[str] | None = None) -> Run:
        return score(gold, given, format=self.format, metrics=metrics, progress=self.progress, **self.options)

    def every_rank(self, gold: Source, texts: list[list[str | None]]) -> Run:
        """Score every rank as a parser of its own."""
        given = {str(rank): _source(one, self.format, f"rank {rank}") for rank, one in enumerate(texts, start=1)}
        return self.score(gold, given, [self.metric])


def _source(texts: list[str | None], format_name: str, name: str) -> Source:
    """Return trees as a file."""
    missing = str(FORMATS[format_name].write([None])).strip()
    if format_name == "conllu":
        data, layout = "".join(f"{missing if text is None else text}\n\n" for text in texts), None
    else:
        data, layout = "".join(f"{missing if text is None else ' '.join(text.split())}\n" for text in texts), LINES
    return Source(name, data.encode("utf-8", "backslashreplace"), "0" * 64, layout=layout)


def _described(
    scored: Run,
    gold: Source,
    n_gold: int,
    entries: Mapping[str, NBestList],
    metric: str,
    figures: list[dict[str, Any]],
    n_problems: int,
    format_name: str,
) -> dict[str, Any]:
    """Return what ``meta.json`` says: the sources are the gold file and the lists."""
    head = scored.signature.split("|gold:")[0]
    digests = "|".join(f"{item['parser']}:{entries[item['parser']].digest[:12]}" for item in figures)
    of_gold = {"file": gold.name, "path": gold.path, "format": format_name, "sentences": n_gold, "sha256": gold.digest}
    parsers = [
        {name: value for name, value in entry.items() if name not in ("paired", "pairing")}
        | {"file": one.name, "path": one.path, "format": "nbest", "sentences": len(one.items), "sha256": one.digest}
        for entry in scored.meta["parsers"]
        for one in (entries[entry["name"]],)
    ]
    signature = f"{head}|oracle:{metric}|gold:{gold.digest[:12]}|{digests}"
    whole = {"of": gold.path or gold.name, "signature": f"gold:{gold.digest[:12]}", "sentences": n_gold}
    return {name: value for name, value in scored.meta.items() if name != "rows"} | {
        "signature": signature,
        "gold": of_gold,
        "parsers": parsers,
        "problems": n_problems,
        "subset": whole,
        "nbest": {"metric": metric, "format": format_name, "lists": figures},
    }


def _written(
    scored: Run,
    meta: dict[str, Any],
    problems: list[Problem],
    originals: NDArray[np.int64],
    ranks: Mapping[str, NDArray[np.int64]],
    out: str | os.PathLike[str] | None,
    force: bool,
) -> Run:
    """Copy what was scored, with the sentences' numbers in the gold file and the ranks of their best analyses."""
    temporary = tempfile.TemporaryDirectory(prefix="evaltools-") if out is None else None
    place = Path(temporary.name) / "run" if temporary is not None else Path(os.fspath(out or ""))
    writer = RunWriter(place, force=force)
    try:
        for table in tables_of(scored.meta):
            if table == "problems":
                writer.write(table, "files", problems_table(problems))
                continue
            for part in scored.folder.parts(table):
                rows = pq.read_table(part)
                if table == "sentences":
                    rows = _with_ranks(rows, originals, ranks)
                writer.write(table, PurePath(part).stem, rows)
        writer.finish(meta)
    except BaseException:
        writer.abandon()
        raise
    return Run(place, temporary)


def _with_ranks(rows: pa.Table, originals: NDArray[np.int64], ranks: Mapping[str, NDArray[np.int64]]) -> pa.Table:
    at = rows["sentence"].to_numpy() - 1
    parsers = rows["parser"].cast(pa.string()).to_pylist()
    best = np.array([ranks[parser][place] for parser, place in zip(parsers, at.tolist(), strict=True)], dtype=np.int32)
    rows = rows.append_column("original", pa.array(originals[at].astype(np.int32)))
    return rows.append_column(RANK, pa.array(best, mask=best == 0))

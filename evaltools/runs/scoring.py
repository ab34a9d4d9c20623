"""Scoring: gold and parser files in, a run out."""

from __future__ import annotations

import io
import os
import tempfile
from collections.abc import Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaltools.errors import InputError, ParameterError, Problem
from evaltools.formats import Source, open_source, read_treebank
from evaltools.metrics import METRICS
from evaltools.metrics.leaf_ancestor import CostTable
from evaltools.metrics.tree_distance import ENGINES
from evaltools.normalize import Normalized, Preset, Status, load_preset, normalize_gold, normalize_pair
from evaltools.runs import tables
from evaltools.runs.checks import evalb_lengths, pair_problems
from evaltools.runs.passes import Options, Passes, Progress, run_passes
from evaltools.runs.provenance import describe, source_entry
from evaltools.runs.store import Run
from evaltools.runs.writer import RunWriter
from evaltools.treebank import Treebank, Vocabulary

__all__ = ["score", "select_metrics"]

AnySource = str | os.PathLike[str] | Source | io.IOBase


def score(
    gold: AnySource,
    parsers: Mapping[str, AnySource],
    *,
    preset: str | Preset = "standard",
    out: str | os.PathLike[str] | None = None,
    format: str | None = None,  # noqa: A002 - the word users know
    metrics: Iterable[str] | None = None,
    la_preterminals: bool = False,
    la_table: CostTable | None = None,
    engine: str = "banded",
    jobs: int | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> Run:
    """Score parser outputs against a gold treebank.

    Parameters
    ----------
    gold : path or binary file
        The gold treebank; ``"-"`` is standard input.
    parsers : mapping of str to path or binary file
        Each parser's output by name; sentence i belongs to gold sentence i.
    preset : str or Preset
        What to delete and equate before scoring; see :data:`evaltools.PRESETS`.
    out : path, optional
        Folder of the run; a temporary one if not given, which goes with the returned object.
    format : str, optional
        Format of all files; guessed from the content of each if not given.
    metrics : iterable of str, optional
        Ids of metrics, or families ``e``, ``t``, ``la``; all if not given.
    la_preterminals : bool
        Whether lineages include the words' tags.
    la_table : CostTable, optional
        Replacement costs for the metric ``la_table``.
    engine : {"banded", "apted"}
        What computes tree distance.
    jobs : int, optional
        Threads; as many as there are processors if not given.
    force : bool
        Whether to replace an older run at `out`.
    progress : Progress, optional
        Is told how far the work is, and can stop it.

    Returns
    -------
    Run
        The run, complete and readable by everything else.

    Raises
    ------
    InputError
        If a file cannot be read, or the gold file has no trees.
    ParameterError
        If a preset, format, metric or engine is unknown.
    RunError
        If the run cannot be written.
    """
    rules = load_preset(preset)
    chosen = select_metrics(metrics, has_table=la_table is not None)
    if engine not in ENGINES:
        raise ParameterError.unknown("engine", engine, ENGINES)
    if not parsers:
        raise ParameterError("no parser given; at least one output is needed, as NAME=FILE")
    if jobs is not None and jobs < 1:
        raise ParameterError(f"jobs must be at least 1, not {jobs}")
    options = Options(
        families=tuple(dict.fromkeys(METRICS[name].family for name in chosen)),
        la_preterminals=la_preterminals,
        la_table=la_table,
        engine=engine,
    )
    progress = progress or Progress()
    temporary = tempfile.TemporaryDirectory(prefix="evaltools-") if out is None else None
    path = Path(temporary.name) / "run" if temporary is not None else Path(out or "")
    writer = RunWriter(path, force=force)
    try:
        with ThreadPoolExecutor(jobs or os.cpu_count() or 1) as pool:
            job = _Job(gold, dict(parsers), rules, format, options, writer, pool, progress)
            meta = job.run()
        meta["metrics"] = chosen
        writer.finish(meta)
    except BaseException:
        writer.abandon()
        raise
    return Run(path, temporary)


def select_metrics(names: Iterable[str] | None, *, has_table: bool = False) -> list[str]:
    """Return metric ids for ids and families, in the table's order.

    Raises
    ------
    ParameterError
        If a name is neither.
    """
    available = [name for name in METRICS if name != "la_table" or has_table]
    if names is None:
        return available
    families = {METRICS[name].family for name in available}
    wanted: set[str] = set()
    for name in names:
        if name in families:
            wanted |= {metric for metric in available if METRICS[metric].family == name}
        elif name in available:
            wanted.add(name)
        else:
            raise ParameterError.unknown("metric", name, [*sorted(families), *available])
    return [name for name in available if name in wanted]


@dataclass
class _Job:
    gold: AnySource
    parsers: dict[str, AnySource]
    preset: Preset
    format: str | None
    options: Options
    writer: RunWriter
    pool: ThreadPoolExecutor
    progress: Progress

    def run(self) -> dict[str, Any]:
        """Read, score and write everything; return what ``meta.json`` says."""
        vocabulary = Vocabulary()
        self.progress.at("reading")
        gold = read_treebank(self.gold, self.format, vocabulary)
        if self.preset.evalb is None:
            gold = gold.resized(gold.n_filled)  # blank lines at the end of a file are no sentences
        n = len(gold)
        if not (gold.n_words > 0).any():
            first = str(gold.problems[0]) if gold.problems else "no tree"
            raise InputError(Problem("empty", gold.name, None, None, first, "a gold file with at least one tree"))
        self.progress.total = n * len(self.parsers)
        problems = [replace(problem, parser=None) for problem in gold.problems]
        if self.preset.evalb is not None:
            problems += self.preset.evalb.problems
        normalized = normalize_gold(gold, self.preset)
        lengths = gold.n_words, evalb_lengths(gold, self.preset)
        writes: list[Future[None]] = []
        entries = []
        for index, (name, source) in enumerate(self.parsers.items()):
            self.progress.at("reading")
            entry, found = self._score_parser(name, source, index, gold, normalized, lengths, writes)
            entries.append(entry)
            problems += found
        self.progress.at("writing")
        self.writer.write("trees", "gold", tables.trees_table(None, gold))
        self.writer.write("problems", "all", tables.problems_table(problems))
        for write in writes:
            write.result()
        return describe(self.preset, self.options, self.format, gold, entries, len(problems))

    def _score_parser(
        self,
        name: str,
        source: AnySource,
        index: int,
        gold: Treebank,
        normalized: Normalized,
        lengths: tuple[NDArray[np.int32], NDArray[np.int32]],
        writes: list[Future[None]],
    ) -> tuple[dict[str, Any], list[Problem]]:
        n = len(gold)
        test, problems = self._read_parser(name, source, gold)
        stored = len(test)
        test = test.resized(n)
        pair = normalize_pair(gold, test, self.preset, normalized)
        passes = Passes.prepare(pair, self.preset, self.options)
        run_passes(self.pool, passes, n, self.progress)
        problems += pair_problems(name, gold, test, passes)

        def write() -> None:
            for table, rows in tables.parser_tables(name, gold, test, passes, *lengths).items():
                self.writer.write(table, f"{index:04d}", rows)

        writes.append(self.pool.submit(write))
        counts = np.bincount(pair.status, minlength=3)
        entry = source_entry(test) | {
            "name": name,
            "sentences": stored,
            "scored": int(counts[Status.OK]),
            "missing": int(counts[Status.MISSING]),
            "words_differ": int(counts[Status.WORDS_DIFFER]),
        }
        return entry, problems

    def _read_parser(self, name: str, source: AnySource, gold: Treebank) -> tuple[Treebank, list[Problem]]:
        """Read a parser's output, and list what does not fit the gold file."""
        opened = open_source(source)
        if not opened.data.strip() and self.format is None:
            empty = Treebank.from_trees([], gold.vocabulary, opened.name)
            test = replace(empty, digest=opened.digest, format=gold.format, notation=gold.notation)
        else:
            test = read_treebank(opened, self.format, gold.vocabulary)
        problems = [replace(problem, parser=name) for problem in test.problems]
        expected = f"{len(gold)} sentences, as in {gold.name}"
        if test.n_filled > len(gold):
            line = int(test.line[len(gold)])
            found = f"{test.n_filled} sentences; those from this line on are not scored"
            problems.append(Problem("surplus", test.name, line, None, found, expected, parser=name))
        elif len(test) < len(gold):
            line = int(test.line[-1]) if len(test) else 1
            found = f"{len(test)} sentences; the others count as missing"
            problems.append(Problem("too_few", test.name, line, None, found, expected, parser=name))
        return test, problems

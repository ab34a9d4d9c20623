"""Scoring: gold and parser files in, a run out."""

from __future__ import annotations

import datetime
import hashlib
import io
import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import evaltools
from evaltools.errors import InputError, ParameterError, Problem
from evaltools.formats import Source, open_source, read_treebank
from evaltools.metrics import METRICS
from evaltools.metrics.leaf_ancestor import CostTable
from evaltools.metrics.tree_distance import ENGINES
from evaltools.normalize import Normalized, Pair, Preset, Status, load_preset, normalize_gold, normalize_pair
from evaltools.runs import tables
from evaltools.runs.passes import Options, Passes, Progress, run_passes
from evaltools.runs.store import Run
from evaltools.runs.writer import SCHEMA, RunWriter
from evaltools.treebank import Kind, Treebank, Vocabulary

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
        lengths = gold.n_words, _evalb_lengths(gold, self.preset)
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
        return self._meta(gold, entries, len(problems))

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
        problems += _pair_problems(name, gold, test, passes)

        def write() -> None:
            part = f"{index:04d}"
            self.writer.write("sentences", part, tables.sentences_table(name, test, passes, *lengths))
            self.writer.write("words", part, tables.words_table(name, gold, passes))
            self.writer.write("brackets", part, tables.brackets_table(name, passes))
            self.writer.write("trees", part, tables.trees_table(name, test))

        writes.append(self.pool.submit(write))
        counts = np.bincount(pair.status, minlength=3)
        entry = _source_entry(test) | {
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

    def _meta(self, gold: Treebank, parsers: list[dict[str, Any]], n_problems: int) -> dict[str, Any]:
        options = {
            "la_preterminals": self.options.la_preterminals,
            "la_table": [[*pair, cost] for pair, cost in self.options.la_table.costs.items()]
            if self.options.la_table is not None
            else None,
            "engine": self.options.engine,
            "format": self.format,
        }
        return {
            "schema": SCHEMA,
            "evaltools": evaltools.__version__,
            "created": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
            "signature": _signature(self.preset, options, gold, parsers),
            "preset": self.preset.name,
            "preset_rules": self.preset.describe(),
            "preset_source": self.preset.source,
            "options": options,
            "sentences": len(gold),
            "gold": _source_entry(gold) | {"sentences": len(gold)},
            "parsers": parsers,
            "problems": n_problems,
        }


def _source_entry(treebank: Treebank) -> dict[str, Any]:
    path = Path(treebank.name)
    return {
        "file": treebank.name,
        "path": str(path.resolve()) if path.exists() else None,
        "format": treebank.format,
        "sha256": treebank.digest,
    }


def _signature(preset: Preset, options: dict[str, Any], gold: Treebank, parsers: list[dict[str, Any]]) -> str:
    """Say in one line how the figures came about: version, preset, options, digests of the inputs."""
    parts = [f"evaltools:{evaltools.__version__}"]
    rules = f"#{hashlib.sha256(preset.source.encode()).hexdigest()[:8]}" if preset.source else ""
    parts.append(f"preset:{preset.name}{rules}")
    if options["la_preterminals"]:
        parts.append("la:preterminals")
    if options["la_table"] is not None:
        parts.append(f"la_table:{hashlib.sha256(json.dumps(options['la_table']).encode()).hexdigest()[:8]}")
    if options["engine"] != "banded":
        parts.append(f"engine:{options['engine']}")
    if options["format"]:
        parts.append(f"format:{options['format']}")
    parts.append(f"gold:{gold.digest[:12]}")
    parts += [f"{entry['name']}:{entry['sha256'][:12]}" for entry in parsers]
    return "|".join(parts)


def _evalb_lengths(gold: Treebank, preset: Preset) -> NDArray[np.int32]:
    """Length of the gold sentences as evalb prints it: without words of ``DELETE_LABEL_FOR_LENGTH``."""
    lengths = gold.n_words
    if preset.evalb is None or not preset.evalb.delete_for_length:
        return lengths
    left_out = np.zeros(len(gold.vocabulary.labels), dtype=np.bool_)
    for tag in preset.evalb.delete_for_length:
        number = gold.vocabulary.labels.find(tag)
        if number >= 0:
            left_out[number] = True
    nodes = (gold.kind == Kind.PRETERMINAL) & left_out[np.where(gold.kind == Kind.WORD, 0, gold.label)]
    cumulative = np.concatenate(([0], np.cumsum(nodes)))
    result: NDArray[np.int32] = (lengths - (cumulative[gold.offsets[1:]] - cumulative[gold.offsets[:-1]])).astype(
        np.int32
    )
    return result


def _pair_problems(name: str, gold: Treebank, test: Treebank, passes: Passes) -> list[Problem]:
    """List sentences whose words differ, gold sentences without a tree, and pairs too large to align."""
    pair = passes.pair
    problems = []
    for sentence in np.flatnonzero(pair.status == Status.WORDS_DIFFER).tolist():
        found, expected = _difference(gold, test, pair, sentence)
        line = int(test.line[sentence]) or None
        problems.append(Problem("words_differ", test.name, line, None, found, expected, sentence + 1, name))
    if passes.t is not None:
        for sentence in np.flatnonzero(passes.t.too_large).tolist():
            size = f"{gold.offsets[sentence + 1] - gold.offsets[sentence]} and more nodes"
            expected = "trees small enough for tree distance; the sentence has no T score"
            line = int(test.line[sentence]) or None
            problems.append(Problem("too_large", test.name, line, None, size, expected, sentence + 1, name))
    return problems


def _difference(gold: Treebank, test: Treebank, pair: Pair, sentence: int) -> tuple[str, str]:
    """Say how the words of a sentence differ: the first that does, or the numbers of words."""
    sides = []
    for treebank, normalized in ((gold, pair.gold), (test, pair.test)):
        # an evalb preset compares what is left after deletion, the others the words as read
        chosen = treebank if pair.compared_as_read else normalized.treebank
        nodes = slice(int(chosen.offsets[sentence]), int(chosen.offsets[sentence + 1]))
        forms = chosen.label[nodes][chosen.kind[nodes] == Kind.WORD].tolist()
        sides.append([treebank.vocabulary.words[form] for form in forms])
    gold_words, test_words = sides
    at = next((i for i, both in enumerate(zip(gold_words, test_words, strict=False)) if both[0] != both[1]), None)
    if len(gold_words) != len(test_words):
        where = "" if at is None else f", the first other one {test_words[at]!r}"
        instead = "" if at is None else f" with {gold_words[at]!r} there"
        return f"{len(test_words)} words{where}", f"{len(gold_words)} words{instead}"
    at = at or 0
    return f"word {at + 1} {test_words[at]!r}", f"{gold_words[at]!r}, as in {gold.name}"

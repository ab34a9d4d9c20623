"""Scoring: gold and parser files in, a run out."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from evaltools.errors import InputError, ParameterError, Problem
from evaltools.formats import Source
from evaltools.formats.byte_stream import ByteStream
from evaltools.formats.locations import is_url, without_file_scheme
from evaltools.formats.treebank_stream import CorpusStream
from evaltools.metrics.edm_rules import EdmRules
from evaltools.metrics.leaf_ancestor import CostTable
from evaltools.normalize import Preset, Status, without_empty_elements
from evaltools.runs.aligned_stream import AlignedStream, align_files
from evaltools.runs.choices import check_arguments, common_kind, rules_for, select_metrics, settled
from evaltools.runs.chunks import ReadChunk
from evaltools.runs.dependency_tables import dependency_trees
from evaltools.runs.paired_stream import GoldIds, PairedStream
from evaltools.runs.pairing_lines import pairing_lines
from evaltools.runs.parts import PartResult, part_name
from evaltools.runs.passes import Options, Progress
from evaltools.runs.provenance import describe, describe_options, source_entry
from evaltools.runs.remote import UrlWriter
from evaltools.runs.resumption import check_unchanged, identify
from evaltools.runs.semantic_choices import check_options, semantic_rules, tree_rules
from evaltools.runs.semantic_inputs import no_graphs, peeked
from evaltools.runs.semantics import score_semantics
from evaltools.runs.store import Run
from evaltools.runs.tables import problems_table, trees_table
from evaltools.runs.texts import Texts
from evaltools.runs.workers import Results, Threads, Workers
from evaltools.runs.writer import RunWriter
from evaltools.treebank import Dependencies, Treebank, Vocabulary

__all__ = ["score"]

_SENTENCES_PER_CHUNK = 4096
_SECONDS_TO_LOOK_UP = 0.5
AnySource = str | os.PathLike[str] | Source | ByteStream | IO[bytes]


def score(
    gold: AnySource,
    parsers: Mapping[str, AnySource],
    *,
    preset: str | Preset | EdmRules = "standard",
    out: str | os.PathLike[str] | None = None,
    format: str | None = None,  # noqa: A002 - the word users know
    metrics: Iterable[str] | None = None,
    la_preterminals: bool = False,
    la_table: CostTable | None = None,
    engine: str = "banded",
    align_sentences: bool = False,
    punctuation: str | None = None,
    subtypes: bool | None = None,
    weights: str | os.PathLike[str] | None = None,
    spans: str | None = None,
    jobs: int | None = None,
    force: bool = False,
    resume: bool = False,
    dask: str | None = None,
    progress: Progress | None = None,
) -> Run:
    """Score parser outputs against a gold file: constituency trees, dependency trees, or semantic graphs.

    Parameters
    ----------
    gold : path or binary file
        The gold treebank; ``"-"`` is standard input; a URL is opened through fsspec. Semantic graphs (EDS, DMRS, MRS,
        MRP) may also be a profile, which is a folder.
    parsers : mapping of str to path or binary file
        Each parser's output by name. Sentences of dependency trees are paired by their ids (``# sent_id`` of CoNLL-U)
        if every sentence of both files has one and the files share any, items of semantic graphs by theirs; else, and
        in other formats, sentence i belongs to gold sentence i, unless sentences are aligned.
    preset : str, Preset or EdmRules
        What to delete and equate before scoring; see :data:`evaltools.PRESETS`. Dependency trees have no brackets, so
        none but the default and ``"none"`` go with them. For semantic graphs one of :data:`evaltools.EDM_PRESETS`.
    out : path, optional
        Folder of the run, or a URL; a temporary one if not given, which goes with the returned object.
    format : str, optional
        Format of all files; guessed from the content of each if not given.
    metrics : iterable of str, optional
        Ids of metrics, or families ``e``, ``t``, ``la``, for dependency trees ``attachment``, ``la``, for semantic
        graphs ``edm``; all if not given.
    la_preterminals : bool
        Whether lineages include the words' tags.
    la_table : CostTable, optional
        Replacement costs for the metric ``la_table``.
    engine : {"banded", "apted"}
        What computes tree distance.
    align_sentences : bool
        Whether sentences are paired by their words, in order, for parsers that leave some out, add some or shift them:
        a parser's sentence without a gold one is left out, a gold sentence without one counts as missing, and each
        place where that happens is a problem of the run. Every file is read twice.
    punctuation : {"keep", "upos", "unicode"}, optional
        For dependency trees: whether punctuation is left out, and how it is known; kept if not given.
    subtypes : bool, optional
        For dependency trees: whether ``nsubj:pass`` differs from ``nsubj``; it does not if not given.
    weights : path, optional
        For semantic graphs: a TOML file with the weights of classes, roles, properties and predicates.
    spans : {"exact", "trimmed"}, optional
        For semantic graphs: whether spans are compared as they are, or without punctuation and blanks at their ends; as
        the preset says if not given.
    jobs : int, optional
        Threads; as many as there are processors if not given.
    force : bool
        Whether to replace an older run at `out`.
    resume : bool
        Whether to leave the finished parts beside `out` if the work is interrupted, and to continue where an earlier
        call with `resume` was interrupted. The result is the same as without an interruption. If an input, the preset,
        an option or the version has changed since, everything is scored anew.
    dask : str, optional
        Address of a Dask scheduler whose workers do the scoring. They must have the same version of evaltools, and see
        the folder of `out` at the same place. `jobs` is of no account then.
    progress : Progress, optional
        Is told how far the work is, and can stop it.

    Returns
    -------
    Run
        The run, complete and readable by everything else.

    Raises
    ------
    InputError
        If a file cannot be read, the gold file has no trees, or a parser's file holds trees of another kind.
    ParameterError
        If a preset, format, metric or engine is unknown or has no meaning for the trees, `resume` or `align_sentences`
        is asked for what cannot be read again, or no Dask scheduler answers.
    RunError
        If the run cannot be written.
    """
    wanted = None if metrics is None else list(metrics)
    select_metrics(wanted, has_table=la_table is not None)
    check_arguments(parsers, engine, jobs)
    options = Options(
        la_preterminals=la_preterminals,
        la_table=la_table,
        engine=engine,
        align_sentences=align_sentences,
        punctuation=punctuation,
        subtypes=subtypes,
    )
    progress = progress or Progress()
    gold, is_semantic = peeked(gold, format, again=align_sentences or resume)
    if is_semantic:
        check_options(options, resume=resume, dask=dask)
        edm = semantic_rules(preset, weights, spans)
        more: dict[str, Any] = {"metrics": wanted, "out": out, "force": force, "progress": progress}
        return score_semantics(gold, parsers, rules=edm, format=format, **more)
    rules = tree_rules(preset, weights, spans)
    job = None
    if out is None and (resume or dask is not None):
        raise ParameterError("to be resumed or scored on a cluster, a run needs a name: out=… (-o RUN)")
    if resume:
        if is_url(out):
            raise ParameterError(f"{out}: only a run in a folder of this machine can be resumed")
        asked = {"options": describe_options(options, format), "metrics": wanted}
        job = identify(gold, parsers, rules, **asked, chunk=_SENTENCES_PER_CHUNK)
    temporary = tempfile.TemporaryDirectory(prefix="evaltools-") if out is None else None
    place: str | Path = Path(temporary.name) / "run" if temporary is not None else str(without_file_scheme(out or ""))
    writer: RunWriter | UrlWriter
    if is_url(place):
        writer = UrlWriter(str(place), force=force)
    else:
        writer = RunWriter(Path(place), force=force, job=job, note=progress.note)
    try:
        partners = align_files(gold, parsers, format, rules, progress) if align_sentences else {}
        gold_stream = CorpusStream(gold, format)
        streams = {
            name: CorpusStream(no_graphs(source, format, name), format, gold_stream.format)
            for name, source in parsers.items()
        }
        kind = common_kind(gold_stream, streams)
        rules = rules_for(kind, rules)
        chosen = select_metrics(wanted, kind=kind, has_table=la_table is not None)
        options = settled(kind, options, chosen)
        workers: Workers
        if dask is not None:
            from evaltools.runs.cluster import Cluster

            workers = Cluster(dask, writer.parts, progress)
        else:
            workers = Threads(jobs or os.cpu_count() or 1, writer.parts, progress)
        gold_ids = GoldIds(gold_stream)
        readers: dict[str, AlignedStream | PairedStream] = {
            name: AlignedStream(stream, gold_stream, *partners[name])
            if name in partners
            else PairedStream(stream, gold_stream, gold_ids)
            for name, stream in streams.items()
        }
        work = _Work(kind, gold_stream, gold_ids, readers, rules, options, format, writer, progress)
        meta = work.run(workers)
        meta |= {"metrics": chosen, "labels": sorted(work.labels)}
        if job is not None:
            check_unchanged(job, gold_stream, streams)
        writer.finish(meta)
    except (InputError, ParameterError):  # what is there already would be of no use
        writer.abandon()
        raise
    except BaseException:
        writer.interrupt()
        raise
    return Run(place, temporary)


@dataclass
class _Work:
    kind: str
    gold: CorpusStream
    gold_ids: GoldIds
    parsers: dict[str, AlignedStream | PairedStream]
    preset: Preset
    options: Options
    format: str | None
    writer: RunWriter | UrlWriter
    progress: Progress
    statuses: dict[str, NDArray[np.int64]] = field(default_factory=dict)
    n_words_aligned: dict[str, int] = field(default_factory=dict)
    n_problems: int = 0
    first_problem: str = ""
    any_words: bool = False
    labels: set[str] = field(default_factory=set)

    def run(self, workers: Workers) -> dict[str, Any]:
        """Read, score and write chunk by chunk; return what ``meta.json`` says."""
        self.statuses = {name: np.zeros(len(Status), dtype=np.int64) for name in self.parsers}
        self.n_words_aligned = dict.fromkeys(self.parsers, 0)
        pending: set[Future[Results]] = set()
        with workers:
            try:
                for number in count():
                    self.progress.at("reading")
                    chunk = self._read(number)
                    if not len(chunk.gold):
                        break
                    places = self._unfinished(number, len(chunk.gold))
                    if places:
                        pending |= workers.submit(chunk, places)
                    pending = self._collect(pending, workers, workers.most_pending(len(self.parsers)))
                self._collect(pending, workers, 0)
            except BaseException:
                self.progress.cancelled.set()  # so that the threads stop soon
                for future in pending:
                    future.cancel()
                raise
        self.progress.at("writing")
        gold = self.gold
        if not self.any_words:
            found = self.first_problem or "no tree"
            raise InputError(Problem("empty", gold.name, None, None, found, "a gold file with at least one tree"))
        problems = list(self.preset.evalb.problems) if self.preset.evalb is not None else []
        entries = []
        by_parser = {name: reader.finish(name) for name, reader in self.parsers.items()}
        if any(reader.has_ids for reader in self.parsers.values()):
            problems += self.gold_ids.problems()
        for name, reader in self.parsers.items():
            problems += by_parser[name]
            as_it_is, missing, words_differ = self.statuses[name].tolist()
            coverage = {"missing": missing, "words_differ": words_differ, "words_aligned": self.n_words_aligned[name]}
            entry: dict[str, Any] = {"name": name, "scored": as_it_is + self.n_words_aligned[name]} | coverage
            entries.append(source_entry(reader.stream) | entry | reader.entry)
        self.writer.write("problems", "files", problems_table(problems))
        n_problems = self.n_problems + len(problems)
        meta = describe(self.kind, self.preset, self.options, self.format, gold, entries, n_problems)
        if self.progress.note is not None:
            for line in pairing_lines(meta):
                self.progress.note(line)
        return meta

    def _read(self, number: int) -> ReadChunk:
        """Read the sentences of a chunk from every file, and write the gold trees."""
        vocabulary = Vocabulary()
        # blank lines at the end of a file are sentences to evalb only
        gold = self.gold.read(_SENTENCES_PER_CHUNK, vocabulary, drop_blank_end=self.preset.evalb is None)
        n = len(gold)
        tests: dict[str, Treebank | Dependencies] = {}
        assert self.gold.text is not None
        texts: dict[str | None, Texts] = {None: Texts(self.gold.format, (self.gold.text,))}
        self.gold_ids.note(self.gold, gold)
        for name, reader in self.parsers.items():
            tests[name] = reader.read(n, vocabulary)
            texts[name] = reader.texts
        if isinstance(gold, Dependencies):
            trees, n_words = dependency_trees(None, gold), gold.n_words
        else:
            compared = without_empty_elements(gold, self.preset.empty_tags)
            trees, n_words = trees_table(None, gold, compared), compared.n_words
        self.any_words = self.any_words or bool((n_words > 0).any())
        if n:
            self.writer.write("trees", part_name(number), trees)
        if gold.problems:
            self.writer.write("problems", part_name(number), problems_table(gold.problems))
            self.n_problems += len(gold.problems)
            self.first_problem = self.first_problem or str(gold.problems[0])
        share = self.gold.share_read
        if share:
            self.progress.total = round(self.gold.n_read * len(self.parsers) / share)
        return ReadChunk(number, gold, tests, self.preset, self.options, texts)

    def _unfinished(self, number: int, n: int) -> dict[str, int]:
        """Return the parsers, and their places, that a chunk must be scored for; add up what was finished before."""
        unfinished = {}
        for place, name in enumerate(self.parsers):
            known = self.writer.parts.finished(part_name(number, place))
            if known is None:
                unfinished[name] = place
            else:
                self._add(name, known)
                self.progress.at("scoring", n)
        return unfinished

    def _add(self, name: str, result: PartResult) -> None:
        self.statuses[name] += np.array(result.statuses)
        self.n_words_aligned[name] += result.n_words_aligned
        self.n_problems += result.n_problems
        self.labels.update(result.labels)
        self.writer.add_part(result)

    def _collect(self, pending: set[Future[Results]], workers: Workers, at_most: int) -> set[Future[Results]]:
        """Wait until at most so many results are awaited, and add up those that are there."""
        while len(pending) > at_most:
            done, pending = wait(pending, _SECONDS_TO_LOOK_UP, FIRST_COMPLETED)
            if not workers.tells:
                self.progress.at("scoring")
            for future in done:
                for name, result in future.result().items():
                    self._add(name, result)
                    if not workers.tells:
                        self.writer.parts.check(result)
                        self.progress.at("scoring", sum(result.statuses))
        return pending

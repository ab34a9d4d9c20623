"""Scoring: reads gold and parser files and writes a run, or gives figures alone; the same for every framework."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from evaltools.errors import ParameterError, Problem
from evaltools.formats import FORMATS, Source
from evaltools.formats.objects import read_inputs, read_objects
from evaltools.formats.source import AnySource, file_stem
from evaltools.frameworks.common.columns import Rows, concatenated, n_rows, plain
from evaltools.frameworks.common.labels import sums_of
from evaltools.frameworks.common.tables import problems_table
from evaltools.frameworks.common.tree_inputs import plan_trees
from evaltools.frameworks.common.tree_options import TreeOptions
from evaltools.frameworks.crossframework.inputs import Conversion, plan_theories
from evaltools.frameworks.figures import FIGURES, parser_figures, size_column
from evaltools.frameworks.framework import Chunk, Inputs, Plan, ReadChunk, Request, Results, Scored
from evaltools.frameworks.options import given_options, options_for
from evaltools.frameworks.pairing.paired_stream import pairing_lines
from evaltools.frameworks.passes import select_metrics
from evaltools.frameworks.presets import Preset
from evaltools.frameworks.registry import FRAMEWORKS, METRICS
from evaltools.progress import Progress
from evaltools.runs.meta import METADATA, counted, coverage_of, new_meta
from evaltools.runs.metadata import MetadataJoin, as_files
from evaltools.runs.store import Run
from evaltools.runs.writer import RunWriter

if TYPE_CHECKING:
    from evaltools.frameworks.semantics.edm_rules import EdmRules
    from evaltools.runs.cluster import Cluster


_NOTE = "compiling the kernels, the first time that each is needed: up to a minute"
_NOT_KEPT = "the compiled kernels are not kept: no folder has room for them; NUMBA_CACHE_DIR names one"
_KEPT_ELSEWHERE = "the compiled kernels are kept in {}, as no usual folder can be written; NUMBA_CACHE_DIR names one"
_SENTENCES_PER_CHUNK = 4096
_SECONDS_BETWEEN_CHECKS = 0.5
_CHUNKS_AHEAD = 2
_PARSER = "test"
"""The parser of :func:`evaluate`."""
AnyInput = AnySource | Iterable[Any]
AnyMetadata = str | os.PathLike[str] | Source | Iterable[str | os.PathLike[str] | Source]


def score(
    gold: AnyInput,
    parsers: str | os.PathLike[str] | Mapping[str, AnyInput],
    *,
    preset: str | Preset | EdmRules = "standard",
    out: str | os.PathLike[str] | None = None,
    format: str | None = None,  # noqa: A002 - the word users know
    encoding: str | None = None,
    metrics: str | Iterable[str] | None = None,
    metadata: AnyMetadata = (),
    jobs: int | None = None,
    force: bool = False,
    dask: str | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Run:
    """Score parser outputs against a gold file: constituency trees, dependency trees, or semantic graphs.

    Parameters
    ----------
    gold : path, binary file, or list
        The gold treebank; ``"-"`` is standard input; a URL is opened through fsspec. Semantic graphs (EDS, DMRS, MRS,
        MRP) may also be a profile, which is a folder. A list has one object for each sentence, and None where there is
        no parse: strings (trees in brackets, sentences of CoNLL-U, or graphs, such as AMRs), trees and graphs of
        evaltools, ``nltk.Tree``, ``conllu.TokenList``, spaCy ``Doc``, Stanza ``Document`` or ``Sentence``,
        EDS, DMRS or MRS of PyDelphin. A ``Doc`` or ``Document`` that is not in a list stands for the list of its
        sentences.
    parsers : path, or mapping of str to path, binary file, or list
        Each parser's output by name; the file of one parser, which is named after it. Sentences of dependency trees are
        paired by their ids (``# sent_id`` of CoNLL-U) if all sentences of both files have ids and some are the same;
        items of semantic graphs are paired by id. Where the sentences of dependency trees are others than the gold
        sentences, words are paired by the characters of the text. Other sentences are paired by position, unless they
        are aligned.
    preset : str, Preset or EdmRules
        What to delete and equate before scoring; see :data:`evaltools.PRESETS`. Dependency trees have no brackets, so
        only the default and ``"none"`` apply to them. For semantic graphs one of :data:`evaltools.EDM_PRESETS`.
    out : path, optional
        Folder of the run; by default a temporary one, deleted with the returned object.
    format : str, optional
        Format of all files; by default detected from the content of each.
    encoding : str, optional
        Encoding of all files, such as ``"latin-1"``; by default UTF-8, UTF-16 with a byte order mark, or what
        XML declares.
    metrics : str or iterable of str, optional
        Ids of metrics, or families ``e``, ``t``, ``la``, ``r``, for dependency trees ``attachment``, ``la``,
        ``ud``, for semantic graphs ``edm``, ``sdp``, ``smatch``; by default all.
    metadata : path or iterable of path, optional
        Files that say more about the gold sentences than the comments of the gold file (CoNLL-U): tables with tabs and
        a heading, by the column ``sent_id``, ``sentence`` (the number) or ``document``, or CoNLL-U. See
        :meth:`evaltools.Run.metadata`.
    jobs : int, optional
        Number of threads; by default one per processor.
    force : bool
        Whether to replace an older run at `out`.
    dask : str, optional
        Address of a Dask scheduler whose workers score the chunks. They need the same version of evaltools. `jobs` is
        then ignored.
    progress : Progress, optional
        Reports progress, and can cancel the work.
    **options : Any
        Options of the framework, such as ``punctuation="upos"``; ``evaltools score --help`` lists them with the
        frameworks that they are for, and None stands for the default. What is a file there may also be what is in it:
        `label_map` a mapping, and `la_table` a CostTable; `subtypes` may also be True or False. Dependency trees:
        `punctuation`, `subtypes`, `skip_root`, `strict_conllu`; constituency trees: `la_preterminals`, `engine`,
        `multiword_only`, `align_sentences`; both: `la_table`, `label_map`; semantic graphs: `weights`, `spans`.

    Returns
    -------
    Run
        The run.

    Raises
    ------
    InputError
        If a file cannot be read, the gold file has no trees, or a parser's file has trees of another kind.
    ParameterError
        If a preset, format, metric or engine is unknown or does not apply to the trees, or if no Dask scheduler
        answers.
    RunError
        If the run cannot be written.
    """
    request = _request(preset, format, metrics, options, dask)
    if isinstance(parsers, str | os.PathLike):
        parsers = {file_stem(os.fspath(parsers)) or "parser": parsers}
    _check_arguments(parsers, jobs)
    progress = progress or Progress()
    with noting_compilation(progress):
        plan = plan_files(gold, parsers, request, encoding)
    join = MetadataJoin(as_files(metadata))
    return make_run(
        plan, out=out, metadata=join, force=force, jobs=jobs, dask=dask, progress=progress, encoding=encoding
    )


def score_sentence(
    gold: AnyInput,
    parsers: Mapping[str, AnyInput],
    number: int,
    *,
    preset: str = "standard",
    format: str | None = None,  # noqa: A002 - the word users know
    encoding: str | None = None,
) -> Run:
    """Score one sentence of files whose sentences are all read and paired, and write a run with its rows only.

    Parameters
    ----------
    gold, parsers, preset, format, encoding
        As for :func:`score`.
    number : int
        The number of the gold sentence, from 1.

    Returns
    -------
    Run
        A temporary run of all sentences, of which this one can be shown.

    Raises
    ------
    InputError, ParameterError
        As by :func:`score`.
    """
    return make_run(plan_files(gold, parsers, Request(preset=preset, format=format), encoding), only=number)


def plan_files(gold: AnyInput, parsers: Mapping[str, AnyInput], request: Request, encoding: str | None) -> Plan:
    """Return how to score files of the framework that the format of the gold file belongs to."""
    gold, parsers, gold_format = read_inputs(gold, parsers, request.format, encoding)
    held = FORMATS[gold_format].holds
    for framework in FRAMEWORKS.values():
        if (files := framework.own_files) is not None and files.reads is held:
            options = options_for(framework, request.options, FRAMEWORKS.values())
            return files.plan(gold, parsers, request, options)
    return plan_trees(gold, parsers, request, FRAMEWORKS.values())


def _request(
    preset: Any,
    format: str | None,  # noqa: A002 - the word users know
    metrics: str | Iterable[str] | None,
    options: Mapping[str, Any],
    dask: str | None = None,
) -> Request:
    """Return the arguments of scoring; raise ParameterError for options and metrics that no framework has."""
    names = metrics.split(",") if isinstance(metrics, str) else None if metrics is None else list(metrics)
    given = given_options(options, FRAMEWORKS.values())
    if names is not None:
        kinds = (kind for framework in FRAMEWORKS.values() for kind in framework.passes.values())
        select_metrics(names, kinds, TreeOptions(la_table=given.get("la_table")))
    return Request(preset, format, names, given, dask)


def _check_arguments(parsers: object, jobs: int | None) -> None:
    """Raise ParameterError for values that are wrong whatever the files contain."""
    if not isinstance(parsers, Mapping):
        raise ParameterError(
            "the outputs of parsers are needed by name, such as {'mine': output}, "
            f"not as {type(parsers).__name__}; evaltools.evaluate takes one output without a name"
        )
    if not parsers:
        raise ParameterError("no parser given; at least one output is needed")
    for name in parsers:
        if not name.isprintable():
            raise ParameterError(f"a parser's name must be printable text: {name!r}")
    if jobs is not None and jobs < 1:
        raise ParameterError(f"jobs must be at least 1, not {jobs}")


@contextmanager
def noting_compilation(progress: Progress) -> Iterator[None]:
    """Note it when a kernel is compiled in this block, in any thread."""
    from evaltools.kernels import CACHE, TEMPORARY_CACHE, at_compilation

    notes = [_NOTE] if CACHE else [_NOTE, _NOT_KEPT]
    if TEMPORARY_CACHE:
        notes.append(_KEPT_ELSEWHERE.format(TEMPORARY_CACHE))
    with at_compilation(lambda: progress.add_notes(notes)):
        yield


def make_run(
    plan: Plan,
    *,
    out: str | os.PathLike[str] | None = None,
    metadata: MetadataJoin | None = None,
    force: bool = False,
    jobs: int | None = None,
    dask: str | None = None,
    encoding: str | None = None,
    progress: Progress | None = None,
    only: int = 0,
) -> Run:
    """Score files as planned and write the run; `only`: the number of a sentence, if no other one is to be scored."""
    progress = progress or Progress()
    with RunWriter(out, force=force) as writer:
        with noting_compilation(progress):
            inputs = plan(progress)
            scoring = _Scoring(inputs, writer, progress, metadata or MetadataJoin(), only)
            meta = scoring.run(_workers(inputs, jobs, dask, progress))
        if encoding is not None:
            meta["options"]["encoding"] = encoding
        return Run(writer.path, writer.temporary, meta=writer.finish(meta, progress))


def _workers(inputs: Inputs, jobs: int | None, dask: str | None, progress: Progress) -> Threads | Cluster:
    """Return what scores the chunks."""
    if dask is not None:
        from evaltools.runs.cluster import Cluster

        return Cluster(dask, progress)
    return Threads((jobs or os.cpu_count() or 1) if inputs.parallel else 1, progress)


class Threads:
    """Scores chunks in threads of this program, one parser of a chunk each."""

    reports_progress = True

    def __init__(self, jobs: int, progress: Progress) -> None:
        self._pool = ThreadPoolExecutor(jobs)
        self._progress = progress

    def __enter__(self) -> Threads:
        return self

    def __exit__(self, *error: object) -> None:
        self._pool.shutdown()

    def submit(self, chunk: ReadChunk) -> list[Future[Results]]:
        """Begin to score the parsers of a chunk, in their order, each in a thread of its own."""
        prepared = chunk.prepared()
        return [self._pool.submit(self._score, prepared, name) for name in prepared.parses]

    def check(self) -> None:
        """Do nothing: threads do not get lost."""

    def max_pending(self, n_parsers: int) -> int:
        """Return as many results as keep all threads busy while files are read."""
        return _CHUNKS_AHEAD * n_parsers

    def _score(self, chunk: Chunk, name: str) -> Results:
        return {name: chunk.score(name, self._progress)}


Pending = deque[tuple[Future[Results], ReadChunk | None]]
"""Results to come, in the order of the chunks; the first of a chunk stands with the chunk."""


@dataclass
class _Scoring:
    inputs: Inputs
    writer: RunWriter
    progress: Progress
    metadata: MetadataJoin
    only: int  # The number of the only sentence that is scored; 0 for all
    n_read: int = 0
    results: dict[str, list[Scored]] = field(default_factory=dict)
    """The results of each parser, in the order of the chunks, without their tables, which are written by then."""
    n_problems: int = 0
    labels: set[str] = field(default_factory=set)

    def run(self, workers: Threads | Cluster) -> dict[str, Any]:
        """Read, score and write chunk by chunk; return the content of ``meta.json``."""
        inputs = self.inputs
        self.results = {name: [] for name in inputs.parsers}
        self.progress.add_notes(inputs.notes())
        pending: Pending = deque()
        with workers:
            try:
                while (chunk := self._read()).n:
                    if self.only not in (0, self.n_read):
                        continue
                    first, *others = workers.submit(chunk)
                    pending += [(first, chunk), *((other, None) for other in others)]
                    self._collect(pending, workers, workers.max_pending(len(inputs.parsers)))
                if not 0 <= self.only <= self.n_read:
                    raise ParameterError(f"no sentence {self.only}; there are {self.n_read:,}, counted from 1")
                self._collect(pending, workers, 0)
                self._add_problems(chunk.problems)  # those at the end of the files
            except BaseException:
                self.progress.cancelled.set()  # stops the threads
                for future, _ in pending:
                    future.cancel()
                raise
        self.progress.update("writing")
        description = inputs.describe({name: [part.sums for part in parts] for name, parts in self.results.items()})
        self._add_problems([*description.problems, *self.metadata.problems()])
        coverages = {
            name: coverage_of(parts) | {"signs": sums_of(part.signs for part in parts)}
            for name, parts in self.results.items()
        }
        meta = new_meta(inputs, description, coverages, self.labels, self.n_problems) | self.metadata.entry()
        self.progress.add_notes(pairing_lines(meta))
        return meta

    def _read(self) -> ReadChunk:
        """Read the sentences of a chunk from every file, and what is known of them."""
        self.progress.update("reading")
        before = self.only - 1 - self.n_read  # a sentence that is scored alone is a chunk
        size = _SENTENCES_PER_CHUNK if before < 0 else max(1, min(before, _SENTENCES_PER_CHUNK))
        chunk = self.inputs.read(size)
        self.n_read += chunk.n
        self.progress.total = self.inputs.total or self.progress.total
        if chunk.n:
            rows = self.metadata.add(chunk.n, chunk.metadata, chunk.tables["trees"]["line"].tolist())
            chunk.tables.update({} if rows is None else {METADATA: rows})
        return chunk

    def _collect(self, pending: Pending, workers: Threads | Cluster, max_pending: int) -> None:
        """Write results in the order of the chunks, until at most `max_pending` are left."""
        while len(pending) > max_pending:
            future, chunk = pending[0]
            if not wait([future], _SECONDS_BETWEEN_CHECKS).done:
                workers.check()
                self.progress.update("scoring")
                continue
            if chunk is not None:
                self._write(chunk.tables, chunk.problems)
            for name, scored in future.result().items():
                self._write(scored.tables, scored.problems)
                self.labels.update(scored.labels)
                self.results[name].append(replace(scored, tables={}, problems=[]))
                if not workers.reports_progress:
                    self.progress.update("scoring", n_rows(scored.tables["sentences"]))
            pending.popleft()

    def _write(self, tables: Mapping[str, Rows], problems: list[Problem]) -> None:
        for table, rows in tables.items():
            self.writer.write(table, rows)
        self._add_problems(problems)

    def _add_problems(self, problems: list[Problem]) -> None:
        self.n_problems += len(problems)
        self.writer.write("problems", problems_table(problems))


def evaluate(
    gold: AnyInput,
    test: AnyInput,
    *,
    preset: str | Preset | EdmRules = "standard",
    figure: str | None = None,
    metrics: str | Iterable[str] | None = None,
    format: str | None = None,  # noqa: A002 - the word users know
    encoding: str | None = None,
    **options: Any,
) -> dict[str, float | int | None]:
    """Return the headline figures of one parser as a plain dictionary, for training loops.

    The figures are those of :func:`evaltools.score` and :meth:`evaltools.Run.summary`; no run is written.

    Parameters
    ----------
    gold, test : path, binary file, or list
        The gold trees or graphs and the parser's, as for :func:`evaltools.score`: files, or lists with one object for
        each sentence and None for a missing parse.
    preset : str, Preset or EdmRules
        What to delete and equate before scoring, as for :func:`evaltools.score`.
    figure : {"pooled", "mean", "pooled_all", "mean_all"}, optional
        Micro (``pooled``) or macro (``mean``); over parsed sentences only, or over all (``_all``), with nothing matched
        if there is no parse. By default as in tables (:attr:`evaltools.Run.default_figure`): micro over all sentences,
        or over parsed ones under presets that follow evalb, such as ``collins``.
    metrics : str or iterable of str, optional
        Metrics, such as ``"f1"``, or families of metrics; by default the metrics of the table of *Overview*.
    format : str, optional
        Format of the files; by default detected from the content of each.
    encoding : str, optional
        Encoding of the files, such as ``"latin-1"``; by default UTF-8, UTF-16 with a byte order mark, or what
        XML declares.
    **options : Any
        Options of the framework, such as ``punctuation="upos"``, as for :func:`evaltools.score`.

    Returns
    -------
    dict of str to float, int or None
        The figure of each metric, a share from 0 to 1 or a number of errors; None if it is undefined. Then numbers:
        ``sentences``, the gold sentences; ``scored``, those with a parse that can be compared;
        ``missing``, those without a parse; ``words_differ``, those whose parse has other words; ``problems``, what
        :meth:`evaltools.Run.problems` of a run lists. Where a figure is over another number of sentences than the gold
        sentences that can be used (over parsed ones only: than ``scored``), ``n_METRIC`` is that number.

    Raises
    ------
    InputError
        If an input cannot be read, has no trees, or the two hold different kinds of trees.
    ParameterError
        If a preset, format, metric or figure is unknown or does not apply to the trees.

    Examples
    --------
    >>> gold = ["(S (NP (N dogs)) (VP (V bark)))", "(S (NP (N cats)) (VP (V sleep)))"]
    >>> test = ["(S (NP (N dogs)) (VP (V bark)))", None]
    >>> figures = evaluate(gold, test, metrics=["f1"])
    >>> figures
    {'f1': 0.6666666666666666, 'sentences': 2, 'scored': 1, 'missing': 1, 'words_differ': 0, 'problems': 0}
    >>> evaluate(gold, test, metrics="f1", figure="pooled")["f1"]
    1.0
    """
    if figure is not None and figure not in FIGURES:
        raise ParameterError.unknown("figure", figure, FIGURES)
    request = _request(preset, format, metrics, options)
    progress = Progress()
    inputs = plan_files(gold, {_PARSER: test}, request, encoding)(progress)
    parts, n_problems = list[Scored](), 0
    while (chunk := inputs.read(_SENTENCES_PER_CHUNK)).n:
        parts.append(chunk.prepared().score(_PARSER, progress, details=False))
        n_problems += len(chunk.problems) + len(parts[-1].problems)
    description = inputs.describe({_PARSER: [part.sums for part in parts]})
    if figure is None:
        figure = FRAMEWORKS[inputs.framework].runs.rules_of(description.rules).default_figure
    names = [name for name in inputs.metrics if metrics is not None or METRICS[name].place.overview]
    covered = coverage_of(parts)
    counts = {
        "sentences": description.n,
        **{name: covered[name] for name in ("scored", "missing", "words_differ")},
        "problems": n_problems + len(description.problems),
    }
    columns = plain(concatenated([part.tables["sentences"] for part in parts]))
    rows = parser_figures(columns, _PARSER, [METRICS[name] for name in names])
    if metrics is None:
        # without any parse, a metric applies if it is defined over all sentences
        over = figure if counts["scored"] else "pooled_all"
        rows = [row for row in rows if not METRICS[row["metric"]].place.if_defined or np.isfinite(row[over])]
    values = {row["metric"]: None if np.isnan(row[figure]) else row[figure] for row in rows}
    n_usual = counted(covered) if figure.endswith("_all") else counts["scored"]
    sizes = {f"n_{row['metric']}": row[size_column(figure)] for row in rows}
    return values | counts | {name: n for name, n in sizes.items() if n != n_usual}


def crossframework(
    golds: Mapping[str, AnyInput],
    parsers: Mapping[str, tuple[str, AnyInput]],
    *,
    out: str | os.PathLike[str] | None = None,
    label_map: Mapping[str, str] | None = None,
    tl_unify: Sequence[tuple[str, str]] = (),
    count_root: bool = True,
    free_labels: Iterable[tuple[str, str]] = (),
    projectivize: bool = True,
    metadata: AnyMetadata = (),
    encoding: str | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> Run:
    """Compare parsers of different theories and frameworks on the same sentences by TedEval.

    Parameters
    ----------
    golds : mapping of str to path, binary file, or list
        A gold treebank for each theory, of any format, or a list of trees as for :func:`evaltools.score`. Files whose
        sentences all have ids (``# sent_id``, ``#BOS``, ``<s id>``) are paired by them; else sentence i is the same in
        all.
    parsers : mapping of str to (str, path, binary file, or list)
        For each parser's name the theory it follows and its output, paired with the gold sentences in the same way, if
        possible by the ids of its own theory's gold file.
    out : path, optional
        Folder of the run; by default a temporary folder, which is deleted with the returned object.
    label_map : mapping of str to str, optional
        Replacements of labels, in all trees.
    tl_unify : sequence of (str, str)
        Pairs of theories: gold trees of the first get the labels of gold trees of the second over the same words. Or
        pairs of parsers: trees of the first get the labels of the second, such as the same parses as dependencies.
    count_root : bool
        Whether the node over the whole sentence counts (2012; in the figures of 2011 it never does).
    free_labels : iterable of (str, str)
        Pairs of labels that the figures of 2011 treat as equal, in either order.
    projectivize : bool
        Whether dependency trees are made projective for the figures of 2011 (Nivre and Nilsson 2005: the shortest
        non-projective arc is lifted until there is none). If not, these are undefined where a tree is not projective.
        The figures of 2012 take all trees as they are.
    metadata : path or iterable of path, optional
        Files that say more about the gold sentences, as for :func:`evaltools.score`.
    encoding : str, optional
        Encoding of all files, such as ``latin-1``; by default UTF-8, or what the file declares.
    force : bool
        Whether to replace an older run at `out`.
    progress : Progress, optional
        Receives the progress, and can cancel the work.

    Returns
    -------
    Run
        Of trees of several frameworks. Parsers whose trees carry no functions have no labeled figures.

    Raises
    ------
    InputError
        If a file cannot be read, or the first gold file has no trees.
    ParameterError
        If a parser follows a theory without gold, or `tl_unify` names what is neither a theory nor a parser.
    RunError
        If the run cannot be written.

    References
    ----------
    R. Tsarfaty, J. Nivre and E. Andersson (2012). Cross-framework evaluation for statistical parsing. EACL 2012.
    """
    free = tuple(sorted((first, second) for first, second in free_labels))
    conversion = Conversion(dict(label_map or {}), tuple(tl_unify), count_root, free, projectivize)
    sources = {theory: read_objects(source, f"<{theory}>", encoding=encoding) for theory, source in golds.items()}
    outputs = {
        name: (theory, read_objects(source, f"<{name}>", encoding=encoding))
        for name, (theory, source) in parsers.items()
    }
    plan, join = plan_theories(sources, outputs, conversion), MetadataJoin(as_files(metadata))
    return make_run(plan, out=out, metadata=join, force=force, progress=progress, encoding=encoding)

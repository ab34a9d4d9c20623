"""The experiments of a run across frameworks: every parser against every gold treebank, and what these share."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec
import pandas as pd

from evaltools.analysis.significance import Comparison
from evaltools.analysis.standing import standings
from evaltools.corpus import Dependencies
from evaltools.files import replace_file
from evaltools.formats import FORMATS
from evaltools.frameworks.common.tree_inputs import plan_trees
from evaltools.frameworks.crossframework.stored import METRICS_OF_KIND, TedEvalBlock, stored_sources, tedeval_blocks
from evaltools.frameworks.framework import Framework, Request
from evaltools.frameworks.registry import FRAMEWORKS
from evaltools.frameworks.stored import Figure, Sources, no_such_thing
from evaltools.progress import Progress
from evaltools.runs.database import FrameTables
from evaltools.runs.scoring import make_run
from evaltools.runs.store import Run
from evaltools.runs.sums import Sums, sum_sentences

_FILE = "experiments.msgpack"
"""The file in the folder of a run that has its experiments, once they are computed."""
_FIGURE = "pooled_all"
"""The figure that is shown, and tested."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """The figures of a parser against one gold treebank, or against what several have in common."""

    golds: tuple[str, ...]
    parser: str
    theory: str
    figures: dict[str, Figure]  # By column; each column is in every experiment


@dataclass(frozen=True, slots=True)
class Tested:
    """Every two parsers of the theories of an experiment by one column, over all sentences."""

    golds: tuple[str, ...]
    column: str
    best: str | None  # The parser that is significantly better than every other one
    pairs: tuple[Comparison, ...]  # The one with the better figure first; Holm's correction is over these pairs


@dataclass(frozen=True, slots=True)
class Experiments:
    """All experiments of a run: gold by gold, then pairs of golds, then all; parsers in the order of the run."""

    rows: tuple[Experiment, ...]
    columns: tuple[str, ...]  # ``tedeval_…``, ``tedeval2011_…``, or the id of a metric
    theories: tuple[str, ...]
    tests: tuple[Tested, ...] = ()  # Of those that have two parsers of their theories

    def title(self, golds: tuple[str, ...]) -> str:
        """Return what parsers are compared with."""
        return "all" if len(golds) == len(self.theories) > 2 else "+".join(golds)

    def is_best(self, golds: tuple[str, ...], parser: str, column: str) -> bool:
        """Return whether a parser is significantly better than every other one of these theories."""
        return any((item.golds, item.best, item.column) == (golds, parser, column) for item in self.tests)


def experiments(run: Run, progress: Progress | None = None, *, keep: bool = False) -> Experiments:
    """Compute the cross-experiment table of a run across frameworks, or read it if the run has it.

    Parameters
    ----------
    run : Run
        The run, of :func:`evaltools.crossframework`.
    progress : Progress, optional
        Receives the progress, and can cancel the work.
    keep : bool
        Whether to keep the table in the folder of the run, if that can be written, for reports and pages.

    Returns
    -------
    Experiments
        TedEval of 2012 and of 2011 against each gold treebank, the generalization of each pair and that of all;
        attachment scores and PARSEVAL, as :func:`evaltools.score` computes them by default, against each gold treebank
        of their kind, if there is a parser of that kind. Parsers of the theories of an experiment are compared pairwise
        by the paired permutation test.

    References
    ----------
    R. Tsarfaty, J. Nivre and E. Andersson (2011). Evaluating dependency parsing: robust and heuristics-free
    cross-annotation evaluation. EMNLP 2011. Table 1.
    R. Tsarfaty, J. Nivre and E. Andersson (2012). Cross-framework evaluation for statistical parsing. EACL 2012.
    Tables 1 to 4.
    """
    if not run.theories:
        raise no_such_thing(run, "runs across frameworks have several gold trees")
    kept = _Kept.of(run)
    if kept is None:
        kept = _Kept(_digest(run), _computed(run, progress or Progress()))
        if keep:
            kept.write(run)
    return kept.experiments


def are_kept(run: Run) -> bool:
    """Return whether the experiments of a run are computed already."""
    return bool(run.theories) and _Kept.of(run) is not None


class _Kept(msgspec.Struct):
    """The experiments of a run, as they are kept in its folder."""

    digest: str  # Of the tables that they were computed from
    experiments: Experiments

    @classmethod
    def of(cls, run: Run) -> _Kept | None:
        """Return what is kept of a run; None if there is nothing, or if it is of other tables or damaged."""
        file = run.path / _FILE
        try:
            kept = msgspec.msgpack.decode(b"" if file.is_symlink() else file.read_bytes(), type=cls)
        except (OSError, msgspec.MsgspecError):
            return None
        return kept if kept.digest == _digest(run) else None

    def write(self, run: Run) -> None:
        """Keep the experiments, if the folder of the run can be written."""
        if os.access(run.path, os.W_OK):
            with contextlib.suppress(OSError):
                replace_file(run.path / _FILE, msgspec.msgpack.encode(self))


def _digest(run: Run) -> str:
    """Return a digest of what the experiments are computed from."""
    return hashlib.sha256(json.dumps([run.signature, run.meta["tables"]], sort_keys=True).encode()).hexdigest()


def _computed(run: Run, progress: Progress) -> Experiments:
    progress.update("comparing with every gold treebank")
    within = Progress(cancelled=progress.cancelled)  # the sentences of the run are all scored
    sources = stored_sources(run)
    theories = {entry["name"]: entry["theory"] for entry in run.meta["parsers"]}
    table: dict[tuple[tuple[str, ...], str], dict[str, Figure]] = {}
    tests: list[Tested] = []
    for block in tedeval_blocks(run, sources, within):
        for figure in block.figures:
            table.setdefault((figure.golds, figure.parser), {})[figure.column] = figure
        columns = {column: metric.id for column, metric in block.metrics.items()}
        tests += _tested(_sums(run, block), block.golds, columns, block.figures, theories)
    label_map = dict(run.meta["options"]["label_map"])
    for kind, metrics in METRICS_OF_KIND.items():
        framework = FRAMEWORKS[kind]
        # the labels that are mapped are functions, which do not count in brackets
        options = {"label_map": label_map} if label_map and framework.reads is Dependencies else {}
        request = Request(metrics=[*metrics], options=options)
        own: dict[tuple[tuple[str, ...], str, str], Figure] = {}
        for theory, scored in _own(framework, request, sources, within):
            figures = [Figure.of((theory,), row) for row in scored.figures()]
            own |= {(figure.golds, figure.parser, figure.column): figure for figure in figures}
            sums = sum_sentences(scored, metrics)
            tests += _tested(sums, (theory,), dict(zip(metrics, metrics, strict=True)), figures, theories)
        if not own:
            continue
        titles = " and ".join(metric.short for metric in framework.metrics if metric.id in metrics)
        reason = f"{titles}: {framework.title} against one gold treebank of {framework.title}"
        for (golds, parser), row in table.items():
            lacking = [Figure(golds, parser, name, reason=reason) for name in metrics]
            computed = {item.column: own.get((golds, parser, item.column), item) for item in lacking}
            table[golds, parser] = computed | row
    rows = tuple(Experiment(golds, parser, theories[parser], row) for (golds, parser), row in table.items())
    return Experiments(rows, tuple(rows[0].figures), tuple(run.theories), tuple(tests))


def _own(framework: Framework, request: Request, sources: Sources, progress: Progress) -> Iterator[tuple[str, Run]]:
    """Score the parsers of a framework against each gold treebank of it."""
    golds, parsers = sources
    outputs = {name: file for name, (_, file) in parsers.items() if FORMATS[file.format or ""].holds is framework.reads}
    for theory, gold in golds.items():
        if outputs and FORMATS[gold.format or ""].holds is framework.reads:
            yield theory, make_run(plan_trees(gold, outputs, request, [framework]), progress=progress)


def _sums(run: Run, block: TedEvalBlock) -> Sums:
    """Return the sums of what was counted against some golds."""
    frames = [pd.DataFrame({**rows, "parser": parser}) for parser, rows in block.rows.items()]
    tables = FrameTables([*block.rows], run.n_sentences, pd.concat(frames))
    return sum_sentences(tables, [metric.id for metric in block.metrics.values()])


def _tested(
    sums: Sums,
    golds: tuple[str, ...],
    columns: Mapping[str, str],
    figures: Sequence[Figure],
    theories: Mapping[str, str],
) -> Iterator[Tested]:
    """Compare the parsers of the theories of some golds by several columns, given their metrics."""
    for column, metric in columns.items():
        own = (item for item in figures if item.column == column and theories[item.parser] in golds)
        parsers = [item.parser for item in own if not item.reason]
        if len(parsers) > 1:
            result = standings(sums, parsers, [metric], _FIGURE)[metric]
            yield Tested(golds, column, result.best, result.comparisons)

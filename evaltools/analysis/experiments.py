"""The experiments of a run across frameworks: every parser against every gold treebank, and what these share."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evaltools.corpus import Dependencies
from evaltools.formats import FORMATS
from evaltools.frameworks.common.tree_inputs import plan_trees
from evaltools.frameworks.crossframework.stored import METRICS_OF_KIND, stored_sources, tedeval_figures
from evaltools.frameworks.framework import Framework
from evaltools.frameworks.registry import FRAMEWORKS
from evaltools.frameworks.scoring import Request
from evaltools.frameworks.stored import Figure, Sources, no_such_thing
from evaltools.progress import Progress
from evaltools.runs.scoring import make_run
from evaltools.runs.store import Run


@dataclass(frozen=True, slots=True)
class Experiment:
    """The figures of a parser against one gold treebank, or against what several have in common."""

    golds: tuple[str, ...]
    parser: str
    theory: str
    figures: dict[str, Figure]  # By column; each column is in every experiment


@dataclass(frozen=True, slots=True)
class Experiments:
    """All experiments of a run: gold by gold, then pairs of golds, then all; parsers in the order of the run."""

    rows: tuple[Experiment, ...]
    columns: tuple[str, ...]  # ``tedeval_…``, ``tedeval2011_…``, or the id of a metric
    theories: tuple[str, ...]

    def title(self, golds: tuple[str, ...]) -> str:
        """Return what parsers are compared with."""
        return "all" if len(golds) == len(self.theories) > 2 else "+".join(golds)


def experiments(run: Run, progress: Progress | None = None) -> Experiments:
    """Compute the cross-experiment table of a run across frameworks.

    Parameters
    ----------
    run : Run
        The run, of :func:`evaltools.crossframework`.
    progress : Progress, optional
        Receives the progress, and can cancel the work.

    Returns
    -------
    Experiments
        TedEval of 2012 and of 2011 against each gold treebank, the generalization of each pair and that of all;
        attachment scores and PARSEVAL, as :func:`evaltools.score` computes them by default, against each gold treebank
        of their kind, if there is a parser of that kind.

    References
    ----------
    R. Tsarfaty, J. Nivre and E. Andersson (2011). Evaluating dependency parsing: robust and heuristics-free
    cross-annotation evaluation. EMNLP 2011. Table 1.
    R. Tsarfaty, J. Nivre and E. Andersson (2012). Cross-framework evaluation for statistical parsing. EACL 2012.
    Tables 1 to 4.
    """
    if not run.theories:
        raise no_such_thing(run, "runs across frameworks have several gold trees")
    sources = stored_sources(run)
    figures = list(tedeval_figures(run, sources, progress or Progress()))
    table: dict[tuple[tuple[str, ...], str], dict[str, Figure]] = {}
    for figure in figures:
        table.setdefault((figure.golds, figure.parser), {})[figure.column] = figure
    label_map = dict(run.meta["options"]["label_map"])
    for kind, metrics in METRICS_OF_KIND.items():
        framework = FRAMEWORKS[kind]
        # the labels that are mapped are functions, which do not count in brackets
        options = {"label_map": label_map} if label_map and framework.reads is Dependencies else {}
        request = Request(metrics=[*metrics], options=options)
        own = {(figure.golds, figure.parser, figure.column): figure for figure in _own(framework, request, sources)}
        if not own:
            continue
        titles = " and ".join(metric.short for metric in framework.metrics if metric.id in metrics)
        reason = f"{titles}: {framework.title} against one gold treebank of {framework.title}"
        for (golds, parser), row in table.items():
            lacking = [Figure(golds, parser, name, reason=reason) for name in metrics]
            computed = {item.column: own.get((golds, parser, item.column), item) for item in lacking}
            table[golds, parser] = computed | row
    theories = {entry["name"]: entry["theory"] for entry in run.meta["parsers"]}
    rows = tuple(Experiment(golds, parser, theories[parser], row) for (golds, parser), row in table.items())
    return Experiments(rows, tuple(rows[0].figures), tuple(run.theories))


def _own(framework: Framework, request: Request, sources: Sources) -> Iterator[Figure]:
    """Score the parsers of a framework against each gold treebank of it."""
    golds, parsers = sources
    outputs = {name: file for name, (_, file) in parsers.items() if FORMATS[file.format or ""].holds is framework.reads}
    for theory, gold in golds.items():
        if outputs and FORMATS[gold.format or ""].holds is framework.reads:
            run = make_run(plan_trees(gold, outputs, request, [framework]))
            for row in run.figures():
                yield Figure.of((theory,), row)

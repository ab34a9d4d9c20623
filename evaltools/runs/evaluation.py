"""Headline figures of one parser's output in memory, for training loops: no run is written."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from evaltools.errors import ParameterError
from evaltools.formats.objects import read_inputs
from evaltools.frameworks.common.columns import concatenated, plain
from evaltools.frameworks.figures import FIGURES, parser_figures, size_column
from evaltools.frameworks.options import given_options
from evaltools.frameworks.presets import Preset
from evaltools.frameworks.registry import FRAMEWORKS, METRICS, options_by_title
from evaltools.frameworks.scoring import Inputs, Request, Scored
from evaltools.progress import Progress
from evaltools.runs.meta import counted, coverage_of
from evaltools.runs.scoring import AnySource, check_metrics, metric_names, plan_files

if TYPE_CHECKING:
    from evaltools.frameworks.semantics.edm_rules import EdmRules


_PARSER = "test"
_SENTENCES_PER_CHUNK = 4096


def evaluate(
    gold: AnySource,
    test: AnySource,
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
    chosen = metric_names(metrics)
    given = given_options(options, options_by_title().values())
    request = Request(preset=preset, format=format, metrics=chosen, options=given)
    check_metrics(request)
    source, parsers = read_inputs(gold, {_PARSER: test}, format, encoding)
    progress = Progress()
    inputs = plan_files(source, parsers, request)(progress)
    parts, n_problems = _score(inputs, progress)
    description = inputs.describe({_PARSER: [part.sums for part in parts]})
    if figure is None:
        figure = FRAMEWORKS[inputs.framework].runs.rules_of(description.rules).default_figure
    names = [name for name in inputs.metrics if chosen is not None or METRICS[name].place.overview]
    covered = coverage_of(parts)
    counts = {
        "sentences": description.n,
        **{name: covered[name] for name in ("scored", "missing", "words_differ")},
        "problems": n_problems + len(description.problems),
    }
    columns = plain(concatenated([part.tables["sentences"] for part in parts]))
    rows = parser_figures(columns, _PARSER, [METRICS[name] for name in names])
    if chosen is None:
        # without any parse, a metric applies if it is defined over all sentences
        over = figure if counts["scored"] else "pooled_all"
        rows = [row for row in rows if not METRICS[row["metric"]].place.if_defined or np.isfinite(row[over])]
    values = {row["metric"]: None if np.isnan(row[figure]) else row[figure] for row in rows}
    n_usual = counted(covered) if figure.endswith("_all") else counts["scored"]
    sizes = {f"n_{row['metric']}": row[size_column(figure)] for row in rows}
    return values | counts | {name: n for name, n in sizes.items() if n != n_usual}


def _score(inputs: Inputs, progress: Progress) -> tuple[list[Scored], int]:
    """Read and score all chunks; return the scores and the number of problems listed with them."""
    parts: list[Scored] = []
    n_problems = 0
    while (chunk := inputs.read(_SENTENCES_PER_CHUNK)).n:
        scored = chunk.prepared().score(_PARSER, progress, details=False)
        n_problems += len(chunk.problems) + len(scored.problems)
        parts.append(scored)
    return parts, n_problems

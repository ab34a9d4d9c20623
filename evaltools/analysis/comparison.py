"""Comparison of two parsers of a run: significance, effect size, and contributions of classes of sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from evaltools.analysis.bootstrap import SEED
from evaltools.analysis.contributions import ClassFamily, class_families, difference_by_class, error_family
from evaltools.analysis.significance import (
    EQUAL,
    ITERATIONS,
    Comparison,
    EffectSize,
    effect_size,
)
from evaltools.analysis.standing import compare_pair
from evaltools.errors import ParameterError
from evaltools.frameworks.figures import figure_over
from evaltools.frameworks.registry import METRICS, metric_id
from evaltools.runs.sentences import shared_counts
from evaltools.runs.store import Run
from evaltools.runs.sums import sum_sentences, units_of


@dataclass(frozen=True, slots=True)
class PairFindings:
    """The results about the difference of two parsers."""

    comparison: Comparison  # The figures, the difference, its interval and p-value, which is not corrected
    effect: EffectSize  # Effect size, on sentence scores
    families: tuple[ClassFamily, ...]  # Classes of sentences
    classes: pd.DataFrame  # Contribution of each class, see difference_by_class
    n_own: tuple[int, int]  # Number of sentences of each parser
    over: str  # ``"all"`` sentences, or the ``"scored"`` ones of both
    second: Comparison | None = None  # By the metric that the framework compares with this one first


def compare_in_run(
    run: Run,
    metric: str,
    parser_a: str,
    parser_b: str,
    *,
    figure: str = "pooled",
    over: str | None = None,
    iterations: int = ITERATIONS,
    seed: int = SEED,
    errors: bool = False,
    rules: Any = None,
    cluster: str = "",
) -> PairFindings:
    """Compare two parsers of a run by one test, and compute the contributions of classes of sentences.

    `over`: ``"all"`` sentences, where no parse means that nothing matched, or ``"scored"``, those that both parsed; by
    default as in the tables of the run.

    With `cluster`, a column of the metadata, its values (documents) are swapped and drawn as a whole.
    """
    if parser_a == parser_b:
        raise ParameterError(f"two different parsers are compared, not {parser_a} with itself")
    metric = metric_id(metric, run.metrics)
    types = run.framework.figures.error_types
    if errors and types is None:
        raise ParameterError(f"error types exist for constituency trees only; the run compares {run.framework.title}")
    for name in (parser_a, parser_b):
        if name not in run.parsers:
            raise ParameterError.unknown("parser", name, run.parsers)
    over = over or run.default_over
    metrics = [metric, *_second(run, metric)]
    sums = sum_sentences(run, metrics, cluster=cluster, parsers=(parser_a, parser_b))
    name = figure_over(figure, over)
    comparison, *others = (
        compare_pair(sums, METRICS[item], parser_a, parser_b, name, iterations=iterations, seed=seed)
        for item in metrics
    )
    if comparison.n_different is None:  # the sums are of groups of sentences
        comparison = replace(comparison, n_different=_n_different(run, comparison, over))
    steps = []
    if errors and types is not None:
        named = types.rules.default if rules is None else rules
        steps = [types.steps(run, parser, named) for parser in (parser_a, parser_b)]
    findings = look_into(run, comparison, over=over, seed=seed, steps=steps)
    return replace(findings, second=others[0]) if others else findings


def _second(run: Run, metric: str) -> list[str]:
    """Return the metric that a metric is first compared with, if the run has it."""
    second = run.framework.figures.second
    other = run.main_metric if metric == second else second
    return [other] if other in run.metrics and other != metric else []


def _n_different(run: Run, comparison: Comparison, over: str) -> int:
    """Return on how many sentences the counts, or scores, of two parsers differ."""
    figure = figure_over(comparison.figure, over)
    sides = shared_counts(run, comparison.parser_a, comparison.parser_b, comparison.metric, figure)
    columns = ([side.score] if comparison.figure == "mean" else side.counts.values() for side in sides)
    differ = np.any([first != second for first, second in zip(*columns, strict=True)], axis=0)
    return int(np.count_nonzero(differ & sides[0].mask))


def look_into(
    run: Run,
    comparison: Comparison,
    *,
    over: str = "scored",
    seed: int = SEED,
    steps: Sequence[pd.DataFrame] = (),
) -> PairFindings:
    """Compute effect size and contributions for the difference of two parsers."""
    metric, parsers = METRICS[comparison.metric], (comparison.parser_a, comparison.parser_b)
    figure = figure_over(comparison.figure, over)
    sides = first, second = shared_counts(run, *parsers, metric.id, figure)
    families = class_families(run, metric, parsers, sides)
    errors = error_family(sides, steps) if steps else None
    if errors is not None:
        families.append(errors)
    units = units_of(run, comparison.cluster)
    classes = difference_by_class(metric, sides, families, figure=comparison.figure, seed=seed, units=units)
    effect = effect_size(first.score, second.score, higher_is_better=metric.higher_is_better)
    return PairFindings(comparison, effect, tuple(families), classes, (first.n_own, second.n_own), over)


def carriers(classes: pd.DataFrame) -> pd.DataFrame:
    """Return the classes of each family in the order of reports.

    The column ``excess`` is by how much a class contributes more to the difference than by its share of the counts;
    classes that overlap come by it, the most over-represented first.
    """
    difference = classes.loc[classes["family"] == "length", "contribution"].sum()
    classes = classes.assign(
        excess=np.sign(difference) * classes["contribution"] - classes["weight"] * abs(difference)
        if abs(difference) > EQUAL
        else 0.0
    )
    beyond = np.where(classes["overlap"], -classes["excess"], 0.0)
    family = pd.Categorical(classes["family"], categories=list(dict.fromkeys(classes["family"])))
    order = pd.DataFrame({"family": family.codes, "beyond": beyond, "place": classes["place"].to_numpy()})
    rows = order.sort_values(["family", "beyond", "place"], kind="stable").index
    return classes.iloc[rows].reset_index(drop=True)

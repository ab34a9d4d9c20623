"""Comparison of two parsers of a run: significance, effect size, and contributions of classes of sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from evaltools.analysis.comparison.bootstrap import SEED
from evaltools.analysis.comparison.difference_classes import difference_by_class
from evaltools.analysis.comparison.effect_size import EQUAL, EffectSize, effect_size
from evaltools.analysis.comparison.sentence_classes import ClassFamily, class_families, error_family
from evaltools.analysis.comparison.significance import ITERATIONS, Comparison, compare_pairs
from evaltools.errors import ParameterError
from evaltools.frameworks.groups import Part
from evaltools.frameworks.registry import METRICS
from evaltools.runs.metadata import units_of
from evaltools.runs.sentence_counts import SentenceCounts, common_counts
from evaltools.runs.store import Run

__all__ = ["PairFindings", "carriers", "compare_in_run", "look_into"]


@dataclass(frozen=True, slots=True)
class PairFindings:
    """The results about the difference of two parsers."""

    comparison: Comparison  # The figures, the difference, its interval and p-value, which is not corrected
    effect: EffectSize  # Effect size, on sentence scores
    families: tuple[ClassFamily, ...]  # Classes of sentences
    classes: pd.DataFrame  # Contribution of each class, see difference_by_class
    n_own: tuple[int, int]  # Number of sentences of each parser


def compare_in_run(
    run: Run,
    metric: str,
    parser_a: str,
    parser_b: str,
    *,
    figure: str = "pooled",
    over: str = "scored",
    iterations: int = ITERATIONS,
    seed: int = SEED,
    errors: bool = False,
    rules: Any = None,
    cluster: str = "",
) -> PairFindings:
    """Compare two parsers of a run, and compute the contributions of classes of sentences.

    With `cluster`, a column of the metadata, its values (documents) are swapped and drawn as a whole.
    """
    if parser_a == parser_b:
        raise ParameterError(f"two different parsers are compared, not {parser_a} with itself")
    types = run.framework.error_types
    if errors and types is None:
        raise ParameterError(f"error types exist for constituency trees only; the run compares {run.framework.title}")
    sides = dict(zip((parser_a, parser_b), _sides(run, metric, (parser_a, parser_b), figure, over), strict=True))
    (comparison,) = compare_pairs(
        METRICS[metric],
        {parser: side.counts for parser, side in sides.items()},
        pairs=[(parser_a, parser_b)],
        figure=figure,
        masks={parser: side.mask for parser, side in sides.items()},
        iterations=iterations,
        seed=seed,
        units=units_of(run, cluster).index,
        scores={parser: side.score for parser, side in sides.items()},
    )
    steps = []
    if errors and types is not None:
        named = types.rules.default if rules is None else rules
        steps = [types.steps(Part(run, run.n_sentences), parser, named) for parser in (parser_a, parser_b)]
    return look_into(run, replace(comparison, cluster=cluster), over=over, seed=seed, steps=steps)


def _sides(
    run: Run, metric: str, parsers: tuple[str, str], figure: str, over: str, among: Sequence[str] = ()
) -> tuple[SentenceCounts, SentenceCounts]:
    """Return the sentences of two parsers that both, and all of some parsers, have."""
    name = figure if over == "scored" else f"{figure}_all"
    first, second = common_counts(run, parsers, metric, name, among=among)
    return first, second


def look_into(
    run: Run,
    comparison: Comparison,
    *,
    over: str = "scored",
    seed: int = SEED,
    steps: Sequence[pd.DataFrame] = (),
    among: Sequence[str] = (),
) -> PairFindings:
    """Compute effect size and contributions for the difference of two parsers."""
    metric, parsers = METRICS[comparison.metric], (comparison.parser_a, comparison.parser_b)
    sides = first, second = _sides(run, metric.id, parsers, comparison.figure, over, among)
    families = class_families(run, metric, parsers, sides)
    errors = error_family(sides, steps) if steps else None
    if errors is not None:
        families.append(errors)
    units = units_of(run, comparison.cluster).index
    classes = difference_by_class(metric, sides, families, figure=comparison.figure, seed=seed, units=units)
    effect = effect_size(first.score, second.score, higher_is_better=metric.higher_is_better)
    return PairFindings(comparison, effect, tuple(families), classes, (first.n_own, second.n_own))


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

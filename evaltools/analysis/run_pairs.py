"""Two parsers of a run compared, with everything that is known about their difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from evaltools.analysis.bootstrap import SEED
from evaltools.analysis.difference_classes import difference_by_class
from evaltools.analysis.effect_size import EffectSize, effect_size
from evaltools.analysis.error_table import error_table
from evaltools.analysis.error_types import RuleSet
from evaltools.analysis.run_trees import tree_pair
from evaltools.analysis.sentence_classes import ClassFamily, class_families, error_family
from evaltools.analysis.significance import ITERATIONS, Comparison, compare_pairs
from evaltools.errors import ParameterError
from evaltools.metrics import METRICS
from evaltools.runs.sentence_counts import SentenceCounts, common_counts
from evaltools.runs.store import Run
from evaltools.runs.sums import GROUPS, MOST_SINGLE

__all__ = ["PairFindings", "carriers", "compare_in_run", "groups_of", "look_into"]


@dataclass(frozen=True, slots=True)
class PairFindings:
    """What is known about the difference of two parsers.

    Parameters
    ----------
    comparison : Comparison
        The figures, the difference, its interval and p-value, which is not corrected.
    effect : EffectSize
        How large the difference is, on sentence scores.
    families : tuple of ClassFamily
        Classes of sentences.
    classes : DataFrame
        What each contributes, see :func:`evaltools.analysis.difference_classes.difference_by_class`.
    n_own : (int, int)
        How many sentences each parser has.
    """

    comparison: Comparison
    effect: EffectSize
    families: tuple[ClassFamily, ...]
    classes: pd.DataFrame
    n_own: tuple[int, int]


def groups_of(run: Run) -> int:
    """Return how many groups of sentences are swapped and drawn instead of sentences, 0 for none."""
    return GROUPS if run.n_sentences > MOST_SINGLE else 0


def compare_in_run(
    run: Run,
    metric: str,
    one: str,
    other: str,
    *,
    figure: str = "pooled",
    over: str = "scored",
    iterations: int = ITERATIONS,
    seed: int = SEED,
    errors: bool = False,
    rules: RuleSet | None = None,
) -> PairFindings:
    """Compare two parsers of a run, and find the sentences that carry their difference.

    Parameters
    ----------
    run : Run
        The run.
    metric : str
        A metric id.
    one, other : str
        The parsers.
    figure : {"pooled", "mean"}
        The figure.
    over : {"scored", "all"}
        Sentences that have a score, or all.
    iterations, seed : int
        As for :func:`evaltools.analysis.significance.compare_two`.
    errors : bool
        Whether to repair both parsers' errors, of constituency trees, and put sentences into classes by their types.
    rules : RuleSet, optional
        The types; those of the Penn Treebank if not given.

    Raises
    ------
    ParameterError
        If errors are asked for of a run of other trees.
    """
    if errors and run.kind != "constituency":
        raise ParameterError(f"error types are those of constituency trees; the run compares {run.kind} trees")
    sides = dict(zip((one, other), _sides(run, metric, (one, other), figure, over), strict=True))
    (comparison,) = compare_pairs(
        METRICS[metric],
        {parser: side.counts for parser, side in sides.items()},
        pairs=[(one, other)],
        figure=figure,
        masks={parser: side.mask for parser, side in sides.items()},
        iterations=iterations,
        seed=seed,
        groups=groups_of(run),
        scores={parser: side.score for parser, side in sides.items()},
    )
    steps = [error_table(tree_pair(run, parser, run.n_sentences), rules) for parser in (one, other)] if errors else []
    return look_into(run, comparison, over=over, seed=seed, steps=steps)


def _sides(
    run: Run, metric: str, parsers: tuple[str, str], figure: str, over: str, among: Sequence[str] = ()
) -> tuple[SentenceCounts, SentenceCounts]:
    """Return the sentences of two parsers that both, and all of some parsers, have."""
    name = figure if over == "scored" else f"{figure}_all"
    one, other = common_counts(run, parsers, metric, name, among=among)
    return one, other


def look_into(
    run: Run,
    comparison: Comparison,
    *,
    over: str = "scored",
    seed: int = SEED,
    steps: Sequence[pd.DataFrame] = (),
    among: Sequence[str] = (),
) -> PairFindings:
    """Find how large the difference of two parsers is, and which sentences carry it.

    Parameters
    ----------
    run : Run
        The run.
    comparison : Comparison
        Two of its parsers.
    over : {"scored", "all"}
        Sentences that have a score, or all.
    seed : int
        For the intervals.
    steps : sequence of DataFrame
        The repairs of both parsers' errors, from :func:`evaltools.analysis.error_table.error_table`, if sentences are
        to be put into classes by them, too.
    among : sequence of str
        The parsers that were compared together: only sentences that all of them have count.
    """
    metric, parsers = METRICS[comparison.metric], (comparison.one, comparison.other)
    sides = first, second = _sides(run, metric.id, parsers, comparison.figure, over, among)
    families = class_families(run, metric, parsers, sides)
    errors = error_family(sides, steps) if steps else None
    if errors is not None:
        families.append(errors)
    classes = difference_by_class(metric, sides, families, figure=comparison.figure, seed=seed, groups=groups_of(run))
    effect = effect_size(first.score, second.score, higher_is_better=metric.higher_is_better)
    return PairFindings(comparison, effect, tuple(families), classes, (first.n_own, second.n_own))


def carriers(classes: pd.DataFrame) -> pd.DataFrame:
    """Put the classes of each family in the order in which they are shown.

    Parameters
    ----------
    classes : DataFrame
        From :func:`evaltools.analysis.difference_classes.difference_by_class`.

    Returns
    -------
    DataFrame
        Classes that share no sentence in their own order; others, such as labels, those first that carry most beyond
        their weight: a label that nearly every sentence has carries nearly everything, and says nothing.
    """
    whole = classes.loc[classes["family"] == "length", "contribution"].sum()
    beyond = np.where(classes["overlap"], -np.abs(classes["contribution"] - classes["weight"] * whole), 0.0)
    family = pd.Categorical(classes["family"], categories=list(dict.fromkeys(classes["family"])))
    order = pd.DataFrame({"family": family.codes, "beyond": beyond, "place": classes["place"].to_numpy()})
    rows = order.sort_values(["family", "beyond", "place"], kind="stable").index
    return classes.iloc[rows].reset_index(drop=True)

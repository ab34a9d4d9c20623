"""Cached comparisons of parsers, pair by pair."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaltools.analysis.comparison.run_pairs import PairFindings, look_into
from evaltools.analysis.comparison.significance import Comparison
from evaltools.charts.significance import matrix_rows, significance_chart
from evaltools.frameworks.figures import figure_over
from evaltools.runs.store import Run
from evaltools.ui.hotspots.parts import part_of, sizes
from evaltools.ui.session import data
from evaltools.ui.session.data import cached_by_run
from evaltools.ui.session.kernels import wait_for_kernels
from evaltools.ui.widgets.choice_table import choice_name
from evaltools.ui.widgets.controls import option_of

__all__ = [
    "class_mask",
    "comparisons",
    "findings",
    "has_errors",
    "matrix",
    "pair_named",
    "parsers_of",
]


@cached_by_run(32, "Analyzing the difference …")
def _findings(
    run: Run, parser_a: str, parser_b: str, metric: str, figure: str, over: str, cluster: str
) -> PairFindings:
    pairs = comparisons(run, metric, figure, over, cluster)
    return look_into(run, _pair(pairs, parser_a, parser_b), over=over)


@cached_by_run(8, "Computing error types …")
def _findings_with_errors(
    run: Run, parser_a: str, parser_b: str, metric: str, figure: str, over: str, cluster: str, rules: str
) -> PairFindings:
    pairs = comparisons(run, metric, figure, over, cluster)
    types = run.framework.error_types
    assert types is not None  # see has_errors
    part = part_of(run, run.n_sentences)
    wait_for_kernels()
    steps = [types.steps(part, parser, rules) for parser in (parser_a, parser_b)]
    return look_into(run, _pair(pairs, parser_a, parser_b), over=over, steps=steps)


def _pair(pairs: list[Comparison], parser_a: str, parser_b: str) -> Comparison:
    pair = next(pair for pair in pairs if {pair.parser_a, pair.parser_b} == {parser_a, parser_b})
    return pair if pair.parser_a == parser_a else pair.turned()


def comparisons(
    run: Run, metric: str, figure: str = "pooled", over: str = "scored", cluster: str = ""
) -> list[Comparison]:
    """Return every two parsers that have a figure, compared over the sentences that both have."""
    # In each pair, and among the pairs, better parsers come first.
    return list(data.standing(run, metric, figure_over(figure, over), cluster).comparisons)


def parsers_of(pairs: list[Comparison]) -> list[str]:
    """Return the parsers that were compared, the best first."""
    return list(dict.fromkeys(name for pair in pairs for name in (pair.parser_a, pair.parser_b)))


@cached_by_run(256)
def matrix(
    run: Run, metric: str, figure: str = "pooled", over: str = "scored", cluster: str = "", chosen: str = ""
) -> dict[str, Any]:
    """Return the Vega-Lite of the matrix of all pairs; `chosen`: the pair that is marked, the first one by default."""
    pairs = comparisons(run, metric, figure, over, cluster)
    pair = pair_named(pairs, chosen) or (pairs[0] if pairs else None)
    order = parsers_of(pairs)
    marked = None if pair is None else (pair.parser_a, pair.parser_b)
    return significance_chart(matrix_rows(pairs, order, marked), order)


def has_errors(run: Run) -> bool:
    """Return whether the error types of all sentences can be computed in reasonable time."""
    return run.framework.error_types is not None and len(sizes(run.n_sentences)[0]) == 1


def findings(run: Run, pair: Comparison, over: str = "scored", *, errors: bool = False) -> PairFindings:
    """Return the effect size of a difference, and the contributions of the sentences to it."""
    key = pair.parser_a, pair.parser_b, pair.metric, pair.figure, over, pair.cluster
    types = run.framework.error_types
    return _findings_with_errors(run, *key, option_of(types.rules)) if errors and types else _findings(run, *key)


def pair_named(pairs: list[Comparison], name: str) -> Comparison | None:
    """Return the pair that the URL names, in either order; None if there is none."""
    for pair in pairs:
        if name in (choice_name((pair.parser_a, pair.parser_b)), choice_name((pair.parser_b, pair.parser_a))):
            return pair
    return None


def class_mask(run: Run, pair: Comparison, over: str, name: str) -> tuple[str, NDArray[np.bool_]] | None:
    """Return the title of a class and a mask of its sentences; None for an unknown class."""
    errors = has_errors(run) and name.startswith(choice_name(("error", "")))
    for family in findings(run, pair, over, errors=errors).families:
        for index, class_name in enumerate(family.names):
            if name == choice_name((family.id, class_name)):
                return f"{family.title}: {class_name}", family.mask(index)
    return None

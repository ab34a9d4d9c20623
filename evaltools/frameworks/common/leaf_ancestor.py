"""Leaf-ancestor over trees of all frameworks: its counts, its metrics, and costs read from a table.

The passes over constituency trees and over dependency trees differ in what a lineage consists of.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from evaltools.frameworks.common.columns import Rows, number_column
from evaltools.frameworks.common.lineages import GRADED, OWN_COSTS, SCHEMES, CostTable, Lineage, lineage_table
from evaltools.frameworks.common.tree_options import CostRows, TreeOptions
from evaltools.frameworks.metric import Count, Counts, Family, Metric, Place, ratio

if TYPE_CHECKING:
    from evaltools.frameworks.options import Options


COLUMNS = ("la_words", "la_exact_sum", "la_sum", "la_costs_sum")
"""Count columns: words that are compared (where nothing is: all gold words), and the sums of their similarities."""

_REPLACEMENTS = {
    "la_exact": "a wrong label counts fully",
    "la": "a label that begins with the right letter counts half",
    "la_costs": "replacement costs from a table",
}

COUNTS: dict[str, Count] = {
    "la_words": Count("words compared", over_all="words_scored"),
    **{f"{scheme}_sum": Count(f"sum of similarities, {name}") for scheme, name in SCHEMES.items()},
}
"""What the columns count."""


FAMILY = Family(
    "la",
    "Leaf-ancestor: paths to the root",
    "la",
    COUNTS,
    words_differ="mean over the aligned words; in figures over all sentences the other gold words count as 0",
    papers=("sampson-babarczy-2003",),
)


def _metric(scheme: str) -> Metric:
    column = f"{scheme}_sum"
    name = SCHEMES[scheme]

    def score(counts: Counts) -> NDArray[np.float64]:
        return ratio(counts[column], counts["la_words"])

    return Metric(
        id=scheme,
        title=f"Leaf-ancestor, {name}",
        family=FAMILY,
        columns=(column, "la_words"),
        score=score,
        help="Similarity of a word’s path of labels to the root in gold tree and parse, 1 − their edit distance "
        f"/ (length in gold + length in test), averaged over words; {_REPLACEMENTS[scheme]}; in %.",
        short="Leaf-anc." if scheme == GRADED else f"Leaf-anc., {name}",
        place=Place(
            overview=scheme == GRADED,
            reports=True,
            lists=scheme == GRADED,
            mapping="Leaf-ancestor" if scheme != OWN_COSTS else "",
            norm=name,
        ),
    )


METRICS: tuple[Metric, ...] = tuple(_metric(scheme) for scheme in SCHEMES)


def available_schemes(options: Options) -> tuple[Metric, ...]:
    """Return the metrics that can be computed: the one with costs from a table only if there is one."""
    has_costs = isinstance(options, TreeOptions) and options.la_table is not None
    return METRICS if has_costs else tuple(metric for metric in METRICS if metric.id != OWN_COSTS)


def cost_table(rows: CostRows | None) -> CostTable | None:
    """Return the table of costs from its rows."""
    return None if rows is None else CostTable({(first, second): cost for first, second, cost in rows})


def lineage_columns(n: int, compared: tuple[NDArray[np.float64], NDArray[np.int32]] | None) -> Rows:
    """Make the columns of `n` words: similarities by scheme and the symbols of both lineages, if they are compared."""
    scores, sizes = compared or (np.full((n, len(SCHEMES)), np.nan), np.zeros((n, 2), dtype=np.int32))
    columns = [np.ascontiguousarray(values) for values in scores.T]
    return {
        **{scheme: number_column(values, np.isnan(values)) for scheme, values in zip(SCHEMES, columns, strict=True)},
        "gold_lineage_length": np.ascontiguousarray(sizes[:, 0]),
        "test_lineage_length": np.ascontiguousarray(sizes[:, 1]),
    }


def lineage_alignment(
    gold: Lineage, test: Lineage, scheme: str = "la_exact", table: CostTable | None = None
) -> list[tuple[str | None, str | None, float]]:
    """Align two lineages symbol by symbol at least cost.

    Parameters
    ----------
    gold, test : tuple of str
        The lineages; ``[`` and ``]`` are markers.
    scheme : {"la_exact", "la", "la_costs"}
        What replacements cost: as for the metric of this name.
    table : CostTable, optional
        For the scheme ``"la_costs"``.

    Returns
    -------
    list of (str or None, str or None, float)
        Gold symbol, test symbol, cost; None where a symbol is deleted or inserted.

    Examples
    --------
    The word *revision* of Sampson and Babarczy's first example:

    >>> steps = lineage_alignment(("N1", "]", "N1", "S"), ("NP", "S"), "la")
    >>> sum(cost for _, _, cost in steps)
    2.5
    """
    return lineage_table(gold, test, scheme, table).steps

"""A metric of constituency trees: how many nodes a parse has in common with the gold tree, by number alone."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from evaltools.frameworks.constituency.normalization import TreeComparison
from evaltools.frameworks.metric import Count, Family, Metric, Place, ratio
from evaltools.frameworks.passes import Pass

FAMILY = Family(
    "size",
    "Sizes of trees",
    counts={
        "size_gold": Count("gold nodes", "G"),
        "size_test": Count("test nodes", "T"),
        "size_common": Count("nodes of the smaller tree", "M"),
    },
)


class Size(Pass["TreeComparison"]):
    """Counts of nodes."""

    family = FAMILY
    columns = tuple(FAMILY.counts)
    metrics = (
        Metric(
            id="size_dice",
            title="Similarity of sizes",
            family=FAMILY,
            columns=columns,
            score=lambda counts: ratio(2 * counts["size_common"], counts["size_gold"] + counts["size_test"]),
            help="Nodes of the smaller tree, as a share of the mean of both trees, in %.",
            short="Sizes",
            place=Place(overview=True, reports=True, lists=True),
        ),
    )

    def __init__(self, comparison: TreeComparison) -> None:
        pair = comparison.pair  # of which only sentences that are scored count
        gold, test = (np.diff(side.treebank.offsets) * (pair.scored > 0) for side in (pair.gold, pair.test))
        self._counts = np.column_stack((gold, test, np.minimum(gold, test)))

    @property
    def counts(self) -> NDArray[np.int64]:
        """Nodes of both trees, and of the smaller one."""
        return self._counts

"""P-values of several tests, corrected for their number.

References
----------
S. Holm (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics 6, 65-70.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

__all__ = ["holm"]


def holm(values: Sequence[float]) -> list[float]:
    """Adjust p-values for having tested several pairs, by Holm's step-down procedure.

    Parameters
    ----------
    values : sequence of float
        The p-values; NaN for pairs that could not be tested, which count for nothing.

    Returns
    -------
    list of float
        In the same order; NaN where there was none.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03, 0.005])
    [0.03, 0.06, 0.06, 0.02]
    """
    adjusted = [float("nan")] * len(values)
    known = sorted((p, place) for place, p in enumerate(values) if not np.isnan(p))
    largest = 0.0
    for rank, (p, place) in enumerate(known):
        largest = max(largest, min(1.0, (len(known) - rank) * p))
        adjusted[place] = largest
    return adjusted

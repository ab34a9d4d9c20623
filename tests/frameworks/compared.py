"""Groups of members compared all at once."""

from __future__ import annotations

import pandas as pd

from evaltools.frameworks.common.differences import compared, group_sums


def compared_groups(members: pd.DataFrame, by: str, score: str, *, min_count: float = 1) -> pd.DataFrame:
    """Compare groups of members with the rest."""
    groups = members.groupby(by, sort=False, observed=True)
    return compared(group_sums(members, groups, score), min_count=min_count, are_weighed="count" in members)

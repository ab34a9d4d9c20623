"""Triples of semantic graphs by predicate, role and property."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from evaltools.metrics.base import ratio
from evaltools.metrics.edm_rules import KINDS_OF_TRIPLES

__all__ = ["TRIPLES", "triple_figures"]

TRIPLES = """
select triples.parser, kind, case when kind = 'name' then value else label end as label,
       count(*) filter (triples.status <> 'test') as gold, count(*) filter (triples.status <> 'gold') as test,
       count(*) filter (triples.status = 'matched') as matched
from triples join sentences using (parser, sentence)
where sentences.status = 'ok' and edm_exact_match is not null and triples.weight > 0
      and (? is null or triples.parser = ?)
group by all
"""
"""Numbers of triples that count, over scored sentences; the parser, or null, is given twice."""


def triple_figures(rows: pd.DataFrame, parsers: Sequence[str]) -> pd.DataFrame:
    """Add recall, precision and F1 to numbers of triples, and put them in order.

    Parameters
    ----------
    rows : DataFrame
        ``parser``, ``kind``, ``label``, ``gold``, ``test``, ``matched``.
    parsers : sequence of str
        Names, in the order wanted.

    Returns
    -------
    DataFrame
        With ``recall``, ``precision``, ``f1``; by parser and kind, the most frequent first.
    """
    gold, test, matched = (rows[name].to_numpy(dtype=np.float64) for name in ("gold", "test", "matched"))
    rows = rows.assign(recall=ratio(matched, gold), precision=ratio(matched, test), f1=ratio(2 * matched, gold + test))
    whose = {name: number for number, name in enumerate(parsers)}
    kinds = {name: number for number, name in enumerate(KINDS_OF_TRIPLES)}
    order = rows.assign(_place=rows["parser"].map(whose), _kind=rows["kind"].map(kinds)).sort_values(
        ["_place", "_kind", "gold", "test", "label"], ascending=[True, True, False, False, True], kind="stable"
    )
    return order.drop(columns=["_place", "_kind"]).reset_index(drop=True)

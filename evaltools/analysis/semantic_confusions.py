"""Predicates that a parser confuses: another one over the same characters."""

from __future__ import annotations

import pandas as pd

from evaltools.analysis.semantic_errors import Ask, scope_of

__all__ = ["confusion_places", "confusions"]


def confusions(ask: Ask, parser: str, *, other: str | None = None, every: bool = False) -> pd.DataFrame:
    """Count which predicate a parser has where gold has another over the same characters.

    Parameters
    ----------
    ask, parser, other, every
        As for :func:`~evaltools.analysis.semantic_errors.lost_triples`; the table ``confusions`` is asked too.

    Returns
    -------
    DataFrame
        ``gold``, ``test`` (the predicates), ``count``, ``sentences``, and ``share``, of the gold predicate's places;
        the most frequent first. With `other` also ``other``, its count, and ``more``, by which rows are then sorted.
    """
    rows = _confused(ask, parser, other, every)
    if other is None:
        return rows.sort_values(["count", "gold", "test"], ascending=[False, True, True], ignore_index=True)
    theirs = _confused(ask, other, parser, every)[["gold", "test", "count"]].rename(columns={"count": "other"})
    both = rows.merge(theirs, on=["gold", "test"], how="outer").fillna({"count": 0, "other": 0, "sentences": 0})
    both = both.assign(more=both["count"] - both["other"])
    return both.sort_values(["more", "gold", "test"], ascending=[False, True, True], ignore_index=True)


def _confused(ask: Ask, parser: str, other: str | None, every: bool) -> pd.DataFrame:
    scope, names = scope_of(parser, other, every)
    return ask(
        f"""
        with there as (
            select value as predicate, count(*) as places from triples
            where parser = ? and kind = 'name' and status in ('matched', 'gold') and {scope} group by value
        )
        select gold_predicate as gold, test_predicate as test, count(*) as count,
               count(distinct sentence) as sentences, count(*) / any_value(places) as share
        from confusions left join there on predicate = gold_predicate
        where parser = ? and {scope} group by gold_predicate, test_predicate
        """,
        [parser, *names, parser, *names],
    )


def confusion_places(
    ask: Ask, parser: str, gold: str, test: str, *, other: str | None = None, every: bool = False
) -> pd.DataFrame:
    """Return where a parser has one predicate instead of another: ``sentence``, ``start``, ``end`` (characters).

    Parameters
    ----------
    ask, parser, other, every
        As for :func:`confusions`.
    gold, test : str
        One of its rows.
    """
    scope, names = scope_of(parser, other, every)
    return ask(
        f'select sentence, start, "end" from confusions '
        f'where parser = ? and gold_predicate = ? and test_predicate = ? and {scope} order by sentence, start, "end"',
        [parser, gold, test, *names],
    )

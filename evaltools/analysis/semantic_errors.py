"""Where the triples of semantic graphs are lost: by predicate, role, property, and value.

A group of triples has two sides: what gold has of it, and what the parser has. Every triple of either side that the
other has not is lost, and 1 − lost / (gold + test) is the group's F1; so groups are compared with the rest of their
kind like groups of words, see :mod:`evaltools.analysis.hotspots`, and sentences are what is drawn by chance. Triples
count with their weights under the run's rules, and those of weight 0 do not count at all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from evaltools.analysis.hotspots import cell_difference, flags
from evaltools.errors import ParameterError
from evaltools.metrics.base import ratio

__all__ = ["ENOUGH", "GROUPS", "Ask", "Grouping", "confusion_places", "confusions", "lost_places", "lost_triples"]

ENOUGH = 10
"""A group in fewer sentences has no interval: what a few sentences say of chance is nothing."""

Ask = Callable[[str, list[Any]], pd.DataFrame]
"""What runs SQL with parameters over the tables of a run: :meth:`evaltools.Run.query`."""


@dataclass(frozen=True, slots=True)
class Grouping:
    """A way to put triples in groups.

    Parameters
    ----------
    title : str
        What a group is.
    kind : str
        The kind of its triples.
    gold, test : str
        SQL of the group's name for a triple of the gold graph, and of the test graph.
    """

    title: str
    kind: str
    gold: str
    test: str


GROUPS: dict[str, Grouping] = {
    "predicate": Grouping("Predicate", "name", "value", "value"),
    "role": Grouping("Role", "argument", "label", "label"),
    "frame": Grouping(
        "Role of a predicate", "argument", "gold_predicate || ' ' || label", "test_predicate || ' ' || label"
    ),
    "property": Grouping("Property", "property", "label", "label"),
    "value": Grouping("Value of a property", "property", "label || ' = ' || value", "label || ' = ' || value"),
}
"""The groupings by their names."""


def _scope(parser: str, other: str | None, every: bool) -> tuple[str, list[Any]]:
    """Return SQL that leaves out the sentences that one of the parsers has no analysis of, and its parameters."""
    if every:
        return "true", []
    names = [parser] if other is None or other == parser else [parser, other]
    marks = ", ".join("?" * len(names))
    has = f"select sentence from sentences where parser in ({marks}) and status <> 'missing' "
    return f"sentence in ({has} group by sentence having count(*) = {len(names)})", names


def lost_triples(
    ask: Ask, parser: str, by: str, *, other: str | None = None, every: bool = False, least: float = 0
) -> pd.DataFrame:
    """Count a parser's triples by group, and say where most are lost.

    Parameters
    ----------
    ask : callable
        Runs SQL over the tables ``triples`` and ``sentences``.
    parser : str
        The parser.
    by : str
        A name in :data:`GROUPS`.
    other : str, optional
        Another parser, to compare with: the columns ``other`` (what it has lost of the group), ``other_f1`` and
        ``more`` (how much more the first has lost) are added, over the sentences that both have analysed; groups that
        only the other has lost something of are listed too.
    every : bool
        Count sentences without analysis as nothing matched, instead of leaving them out.
    least : float
        Groups with fewer triples, of both sides together, are not listed; they count with the rest.

    Returns
    -------
    DataFrame
        ``group``; ``gold``, ``test``, ``matched`` (triples of either side, and those of gold that are found);
        ``recall``, ``precision``, ``f1``; ``lost`` (triples of either side that the other has not) and ``share``, of
        all lost triples of every kind; ``sentences``; ``excess``: how much more is lost than if the group did as well
        as the rest of its kind; ``difference`` of the F1 to that of the rest with ``low`` and ``high`` of its 95 %
        interval, and ``flagged``: whether it holds at a false discovery rate of 5 % among the groups listed. Intervals
        and flags are of groups in at least :data:`ENOUGH` sentences. The greatest excess comes first, or with `other`
        the greatest ``more``.
    """
    if by not in GROUPS:
        raise ParameterError.unknown("grouping", by, GROUPS)
    table = _figures(ask, parser, by, other, every)
    if other is None:
        table = table[table["gold"] + table["test"] >= least]
        table = table.assign(flagged=flags(table["p"].to_numpy(dtype=np.float64)))
        return _sorted(table.assign(_key=table["excess"].fillna(table["lost"])))
    theirs = _figures(ask, other, by, parser, every)[["group", "gold", "lost", "f1"]]
    both = table.merge(theirs, on="group", how="outer", suffixes=("", "_other"))
    both = both.rename(columns={"lost_other": "other", "f1_other": "other_f1"})
    none = ["test", "matched", "lost", "share", "sentences", "other"]
    both = both.assign(gold=both["gold"].fillna(both["gold_other"])).drop(columns="gold_other")
    both = both.fillna(dict.fromkeys(none, 0))
    both = both[both["gold"] + both["test"] >= least]
    both = both.assign(more=both["lost"] - both["other"], flagged=flags(both["p"].to_numpy(dtype=np.float64)))
    return _sorted(both.assign(_key=both["more"]))


def _sorted(table: pd.DataFrame) -> pd.DataFrame:
    rounded = table.assign(_key=table["_key"].round(9))
    order = rounded.sort_values(["_key", "lost", "group"], ascending=[False, False, True], kind="stable")
    return order.drop(columns=["_key", "p"]).reset_index(drop=True)


def _figures(ask: Ask, parser: str, by: str, other: str | None, every: bool) -> pd.DataFrame:
    grouping = GROUPS[by]
    scope, names = _scope(parser, other, every)
    cells = ask(
        f"""
        with sides as (
            select sentence, {grouping.gold} as "group", weight, status = 'matched' as found, true as is_gold
            from triples where parser = ? and kind = ? and weight > 0 and status in ('matched', 'gold') and {scope}
            union all
            select sentence, {grouping.test} as "group", weight, status = 'matched' as found, false as is_gold
            from triples where parser = ? and kind = ? and weight > 0 and status in ('matched', 'test') and {scope}
        )
        select "group", sentence,
               coalesce(sum(weight) filter (is_gold), 0)::double as gold,
               coalesce(sum(weight) filter (not is_gold), 0)::double as test,
               coalesce(sum(weight) filter (is_gold and found), 0)::double as matched,
               coalesce(sum(weight) filter (not is_gold and found), 0)::double as right
        from sides where "group" is not null group by all order by all
        """,
        [parser, grouping.kind, *names, parser, grouping.kind, *names],
    )
    total = ask(
        f"select coalesce(sum(weight), 0)::double as lost from triples "
        f"where parser = ? and weight > 0 and status <> 'matched' and {scope}",
        [parser, *names],
    )
    every_lost = float(total["lost"].iloc[0])
    number, groups = pd.factorize(cells["group"])
    place, _ = pd.factorize(cells["sentence"])
    count = {name: cells[name].to_numpy(dtype=np.float64) for name in ("gold", "test", "matched", "right")}
    sums = {name: np.bincount(number, values, len(groups)).astype(np.float64) for name, values in count.items()}
    found, both = count["matched"] + count["right"], count["gold"] + count["test"]
    figures = cell_difference(number.astype(np.int64), place.astype(np.int64), found, both, len(groups))
    lost = figures["loss"].to_numpy()
    few = (figures["sentences"] < ENOUGH).to_numpy()
    unknown = {name: figures[name].mask(few) for name in ("low", "high", "p")}
    return pd.DataFrame(
        {
            "group": np.asarray(groups, dtype=object),
            "gold": sums["gold"],
            "test": sums["test"],
            "matched": sums["matched"],
            "recall": ratio(sums["matched"], sums["gold"]),
            "precision": ratio(sums["right"], sums["test"]),
            "f1": figures["mean"],
            "lost": lost,
            "share": lost / every_lost if every_lost else np.zeros(len(lost)),
            "sentences": figures["sentences"],
            "excess": figures["excess"],
            "difference": figures["difference"],
            **unknown,
        }
    )


def lost_places(
    ask: Ask, parser: str, by: str, group: str, *, other: str | None = None, every: bool = False
) -> pd.DataFrame:
    """Return where triples of a group are lost.

    Parameters
    ----------
    ask, parser, by, other, every
        As for :func:`lost_triples`.
    group : str
        One of its groups.

    Returns
    -------
    DataFrame
        ``sentence``, ``start``, ``end``, ``target_start``, ``target_end`` (characters; missing where there are none),
        ``label``, ``value``, ``status``: ``gold`` where only gold has the triple, ``test`` where only the parser has.
    """
    grouping = GROUPS[by]
    scope, names = _scope(parser, other, every)
    return ask(
        f"""
        select sentence, start, "end", target_start, target_end, label, value, status from triples
        where parser = ? and kind = ? and weight > 0 and {scope}
          and ((status = 'gold' and {grouping.gold} = ?) or (status = 'test' and {grouping.test} = ?))
        order by sentence, start, "end", label, value, status, target_start, target_end
        """,
        [parser, grouping.kind, *names, group, group],
    )


def confusions(ask: Ask, parser: str, *, other: str | None = None, every: bool = False) -> pd.DataFrame:
    """Count which predicate a parser has where gold has another over the same characters.

    Parameters
    ----------
    ask, parser, other, every
        As for :func:`lost_triples`; the table ``confusions`` is asked too.

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
    scope, names = _scope(parser, other, every)
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
    scope, names = _scope(parser, other, every)
    return ask(
        f'select sentence, start, "end" from confusions '
        f'where parser = ? and gold_predicate = ? and test_predicate = ? and {scope} order by sentence, start, "end"',
        [parser, gold, test, *names],
    )

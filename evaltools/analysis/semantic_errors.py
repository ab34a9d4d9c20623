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
from evaltools.metrics.edm_rules import EdmRules

__all__ = ["ENOUGH", "GROUPS", "Ask", "Grouping", "lost_places", "lost_triples", "scope_of"]

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


def scope_of(parser: str, other: str | None, every: bool) -> tuple[str, list[Any]]:
    """Return SQL that leaves out the sentences that have no score for one of the parsers, and its parameters.

    Parameters
    ----------
    parser, other, every
        As for :func:`lost_triples`.
    """
    if every:  # all that has gold spans
        return "sentence in (select sentence from sentences where parser = ? and sentences > 0)", [parser]
    names = [parser] if other is None or other == parser else [parser, other]
    marks = ", ".join("?" * len(names))
    scored = "status <> 'missing' and edm_exact_match is not null"
    has = f"select sentence from sentences where parser in ({marks}) and {scored} "
    return f"sentence in ({has} group by sentence having count(*) = {len(names)})", names


_NAME = "case when kind = 'name' then value else label end"


def _triples(ask: Ask, rules: EdmRules | None) -> tuple[str, list[Any]]:
    """Return SQL of the triples with their weights under some rules, and its parameters."""
    if rules is None:
        return "triples", []
    names = ask(f"select distinct kind, {_NAME} as name from triples order by all", [])
    kinds, named = names["kind"].tolist(), names["name"].tolist()
    weights = [rules.weight(kind, name) for kind, name in zip(kinds, named, strict=True)]
    own = "select unnest(?::varchar[]) as kind, unnest(?::varchar[]) as name, unnest(?::double[]) as weight"
    named_triples = f"select * exclude (weight), {_NAME} as name from triples"
    return f"(select * from ({named_triples}) join ({own}) using (kind, name))", [kinds, named, weights]


def lost_triples(
    ask: Ask,
    parser: str,
    by: str,
    *,
    other: str | None = None,
    every: bool = False,
    least: float = 0,
    rules: EdmRules | None = None,
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
    rules : EdmRules, optional
        Weights other than those of the run; all else of them has to be as in the run.

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
    table = _figures(ask, parser, by, other, every, rules)
    if other is None:
        table = table[table["gold"] + table["test"] >= least]
        table = table.assign(flagged=flags(table["p"].to_numpy(dtype=np.float64)))
        return _sorted(table.assign(_key=table["excess"].fillna(table["lost"])))
    theirs = _figures(ask, other, by, parser, every, rules)[["group", "gold", "lost", "f1"]]
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


def _figures(ask: Ask, parser: str, by: str, other: str | None, every: bool, rules: EdmRules | None) -> pd.DataFrame:
    grouping = GROUPS[by]
    scope, names = scope_of(parser, other, every)
    triples, weights = _triples(ask, rules)
    cells = ask(
        f"""
        with weighed as (select * from {triples}), sides as (
            select sentence, {grouping.gold} as "group", weight, status = 'matched' as found, true as is_gold
            from weighed where parser = ? and kind = ? and weight > 0 and status in ('matched', 'gold') and {scope}
            union all
            select sentence, {grouping.test} as "group", weight, status = 'matched' as found, false as is_gold
            from weighed where parser = ? and kind = ? and weight > 0 and status in ('matched', 'test') and {scope}
        )
        select "group", sentence,
               coalesce(sum(weight) filter (is_gold), 0)::double as gold,
               coalesce(sum(weight) filter (not is_gold), 0)::double as test,
               coalesce(sum(weight) filter (is_gold and found), 0)::double as matched,
               coalesce(sum(weight) filter (not is_gold and found), 0)::double as right
        from sides where "group" is not null group by all order by all
        """,
        [*weights, parser, grouping.kind, *names, parser, grouping.kind, *names],
    )
    total = ask(
        f"select coalesce(sum(weight), 0)::double as lost from {triples} "
        f"where parser = ? and weight > 0 and status <> 'matched' and {scope}",
        [*weights, parser, *names],
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
    ask: Ask,
    parser: str,
    by: str,
    group: str,
    *,
    other: str | None = None,
    every: bool = False,
    rules: EdmRules | None = None,
) -> pd.DataFrame:
    """Return where triples of a group are lost.

    Parameters
    ----------
    ask, parser, by, other, every, rules
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
    scope, names = scope_of(parser, other, every)
    triples, weights = _triples(ask, rules)
    return ask(
        f"""
        select sentence, start, "end", target_start, target_end, label, value, status from {triples}
        where parser = ? and kind = ? and weight > 0 and {scope}
          and ((status = 'gold' and {grouping.gold} = ?) or (status = 'test' and {grouping.test} = ?))
        order by sentence, start, "end", label, value, status, target_start, target_end
        """,
        [*weights, parser, grouping.kind, *names, group, group],
    )

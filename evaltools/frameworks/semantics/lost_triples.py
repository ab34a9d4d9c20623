"""Where the triples of semantic graphs are lost: by predicate, role, property, and value.

A group of triples has two sides: the gold triples and the parser's triples. Every triple that is only on one side is
lost, and 1 − lost / (gold + test) is the F1 of the group; so groups are compared with the rest of their kind like
groups of words, see :mod:`evaltools.frameworks.common.differences`, by resampling sentences. Triples count with
their weights under the run's rules; those of weight 0 do not count.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from evaltools.errors import ParameterError
from evaltools.frameworks.common.differences import cell_difference, flags
from evaltools.frameworks.formulas import exact_sum, ratio
from evaltools.frameworks.semantics.edm_rules import EdmRules
from evaltools.frameworks.semantics.reweighting import NAME_OF_TRIPLE, WEIGHTS_TABLE, weights_of_triples

MIN_SENTENCES = 10
"""Groups in fewer sentences have no interval."""

Query = Callable[[str, list[Any]], pd.DataFrame]
"""A function that runs SQL with parameters on the tables of a run: :meth:`evaltools.Run.query`."""


@dataclass(frozen=True, slots=True)
class Grouping:
    """A way to group triples."""

    title: str
    kind: str  # The class of the triples; empty for all
    gold: str  # SQL of the group's name for a triple of the gold graph
    test: str  # The same for the test graph


_KIND = "coalesce(nullif(?, ''), kind)"
_FRAME = ("gold_predicate || ' ' || label", "test_predicate || ' ' || label")
_VALUE = "label || ' = ' || value"

GROUPS: dict[str, Grouping] = {
    "predicate": Grouping("Predicate", "name", "value", "value"),
    "role": Grouping("Role", "argument", "label", "label"),
    "frame": Grouping("Role of a predicate", "argument", *_FRAME),
    "property": Grouping("Property", "property", "label", "label"),
    "value": Grouping("Value of a property", "property", _VALUE, _VALUE),
    "construction": Grouping("Construction", "", "construction", "construction"),
    "concept": Grouping("Concept", "name", "value", "value"),
    "concept_role": Grouping("Role of a concept", "argument", *_FRAME),
    "attribute": Grouping("Attribute", "property", "label", "label"),
    "constant": Grouping("Value of an attribute", "property", _VALUE, _VALUE),
}
"""The groupings by name; the last five are those of AMRs."""


def _scope(parser: str, other: str | None, every: bool) -> tuple[str, list[Any]]:
    """Return SQL, with its parameters, that keeps the sentences that all given parsers have a score for."""
    mapped = "sentence in (select sentence from triples where construction is not null)"
    if every:  # all sentences whose gold graph can be compared
        counted = f"sentences > 0 and (edm_n_gold is not null or {mapped})"
        return f"sentence in (select sentence from sentences where parser = ? and {counted})", [parser]
    names = [parser] if other is None or other == parser else [parser, other]
    marks = ", ".join("?" * len(names))
    scored = f"status <> 'missing' and (edm_exact_match is not null or {mapped})"
    rows = f"select sentence from sentences where parser in ({marks}) and {scored} "
    return f"sentence in ({rows} group by sentence having count(*) = {len(names)})", names


def _triples(query: Query, rules: EdmRules | None) -> tuple[str, list[Any]]:
    """Return SQL of the triples with their weights under some rules, and its parameters."""
    if rules is None:
        return "triples", []
    named_triples = f"select * exclude (weight), {NAME_OF_TRIPLE} as name from triples"
    sql = f"(select * from ({named_triples}) join ({WEIGHTS_TABLE}) using (kind, name))"
    return sql, weights_of_triples(query, rules)


def lost_triples(
    query: Query,
    parser: str,
    by: str,
    *,
    other: str | None = None,
    every: bool = False,
    min_count: float = 0,
    rules: EdmRules | None = None,
) -> pd.DataFrame:
    """Count a parser's triples by group, most lost ones first."""
    if by not in GROUPS:
        raise ParameterError.unknown("grouping", by, GROUPS)
    table = _figures(query, parser, by, other, every, rules)
    if other is None:
        table = table[table["gold"] + table["test"] >= min_count]
        table = table.assign(flagged=flags(table["p"].to_numpy(dtype=np.float64)))
        return _sorted(table.assign(_key=table["lost"]))
    other_table = _figures(query, other, by, parser, every, rules)[["group", "gold", "lost", "f1"]]
    both = table.merge(other_table, on="group", how="outer", suffixes=("", "_other"))
    both = both.rename(columns={"lost_other": "other", "f1_other": "other_f1"})
    zero_if_absent = ["test", "matched", "lost", "share", "sentences", "other"]
    both = both.assign(gold=both["gold"].fillna(both["gold_other"])).drop(columns="gold_other")
    both = both.fillna(dict.fromkeys(zero_if_absent, 0))
    both = both[both["gold"] + both["test"] >= min_count]
    both = both.assign(more=both["lost"] - both["other"], flagged=flags(both["p"].to_numpy(dtype=np.float64)))
    return _sorted(both.assign(_key=both["more"]))


def _sorted(table: pd.DataFrame) -> pd.DataFrame:
    rounded = table.assign(_key=table["_key"].round(9))
    order = rounded.sort_values(["_key", "lost", "group"], ascending=[False, False, True], kind="stable")
    return order.drop(columns=["_key", "p"]).reset_index(drop=True)


def _figures(
    query: Query, parser: str, by: str, other: str | None, every: bool, rules: EdmRules | None
) -> pd.DataFrame:
    grouping = GROUPS[by]
    scope, names = _scope(parser, other, every)
    triples, weights = _triples(query, rules)
    cells = query(
        f"""
        with weighted as (select * from {triples}), sides as (
            select sentence, {grouping.gold} as "group", weight, status = 'right' as is_matched, true as is_gold
            from weighted
            where parser = ? and kind = {_KIND} and weight > 0 and status in ('right', 'missing') and {scope}
            union all
            select sentence, {grouping.test} as "group", weight, status = 'right' as is_matched, false as is_gold
            from weighted
            where parser = ? and kind = {_KIND} and weight > 0 and status in ('right', 'spurious') and {scope}
        )
        select "group", sentence,
               coalesce({exact_sum("weight", "is_gold")}, 0) as gold,
               coalesce({exact_sum("weight", "not is_gold")}, 0) as test,
               coalesce({exact_sum("weight", "is_gold and is_matched")}, 0) as matched,
               coalesce({exact_sum("weight", "not is_gold and is_matched")}, 0) as right
        from sides where "group" is not null group by all order by all
        """,
        [*weights, parser, grouping.kind, *names, parser, grouping.kind, *names],
    )
    all_lost = total_lost(query, parser, other=other, every=every, rules=rules)
    group, groups = pd.factorize(cells["group"])
    sentence, _ = pd.factorize(cells["sentence"])
    counts = {name: cells[name].to_numpy(dtype=np.float64) for name in ("gold", "test", "matched", "right")}
    sums = {name: np.bincount(group, values, len(groups)).astype(np.float64) for name, values in counts.items()}
    matched, both = counts["matched"] + counts["right"], counts["gold"] + counts["test"]
    figures = cell_difference(group.astype(np.int64), sentence.astype(np.int64), matched, both, len(groups))
    lost = figures["loss"].to_numpy()
    few = (figures["sentences"] < MIN_SENTENCES).to_numpy()
    defined = {name: figures[name].mask(few) for name in ("low", "high", "p")}
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
            "share": lost / all_lost if all_lost else np.zeros(len(lost)),
            "sentences": np.bincount(group[matched < both], minlength=len(groups)),
            "excess": figures["excess"],
            "difference": figures["difference"],
            **defined,
        }
    )


def total_lost(
    query: Query,
    parser: str,
    *,
    other: str | None = None,
    every: bool = False,
    rules: EdmRules | None = None,
) -> float:
    """Return the weight of all lost triples of a parser."""
    scope, names = _scope(parser, other, every)
    triples, weights = _triples(query, rules)
    loss = query(
        f"select coalesce({exact_sum('weight')}, 0) as lost from {triples} "
        f"where parser = ? and weight > 0 and status <> 'right' and {scope}",
        [*weights, parser, *names],
    )
    return float(loss["lost"].iloc[0])


def lost_by_sentence(
    query: Query,
    parser: str,
    by: str,
    *,
    other: str | None = None,
    every: bool = False,
    rules: EdmRules | None = None,
) -> pd.DataFrame:
    """Return the weight of a parser's lost triples by group and sentence: ``group``, ``sentence``, ``value``."""
    grouping = GROUPS[by]
    scope, names = _scope(parser, other, every)
    triples, weights = _triples(query, rules)
    return query(
        f"""
        with lost as (
            select sentence, weight,
                   case when status = 'missing' then {grouping.gold} else {grouping.test} end as "group"
            from {triples}
            where parser = ? and kind = {_KIND} and weight > 0 and status in ('missing', 'spurious') and {scope}
        )
        select "group", sentence, {exact_sum("weight")} as value from lost where "group" is not null
        group by all order by all
        """,
        [*weights, parser, grouping.kind, *names],
    )


def lost_places(
    query: Query,
    parser: str,
    by: str,
    group: str,
    *,
    other: str | None = None,
    every: bool = False,
    rules: EdmRules | None = None,
) -> pd.DataFrame:
    """Return the lost triples of a group, with their sentences and characters."""
    grouping = GROUPS[by]
    scope, names = _scope(parser, other, every)
    triples, weights = _triples(query, rules)
    return query(
        f"""
        select sentence, start, "end", target_start, target_end, kind, label, value, status,
               weight::double as lost from {triples}
        where parser = ? and kind = {_KIND} and weight > 0 and {scope}
          and ((status = 'missing' and {grouping.gold} = ?) or (status = 'spurious' and {grouping.test} = ?))
        order by sentence, start, "end", label, value, status, target_start, target_end
        """,
        [*weights, parser, grouping.kind, *names, group, group],
    )

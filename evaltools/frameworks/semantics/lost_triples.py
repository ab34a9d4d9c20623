"""The triples of semantic graphs as members of groups: by predicate, role, property, value, and construction.

A group of triples has two sides: the gold triples and the parser's triples. Every triple that is only on one side is
lost, and 1 − lost / (gold + test) is the F1 of the group; so groups are compared with the rest of their kind like
groups of words, see :mod:`evaltools.frameworks.common.differences`, by resampling sentences. Triples count with
their weights under the run's rules; those of weight 0 do not count.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd

from evaltools.frameworks.formulas import exact_sum
from evaltools.frameworks.questions import Options, Scope
from evaltools.frameworks.semantics.reweighting import NAME_OF_TRIPLE, WEIGHTS_TABLE, weights_of_triples

if TYPE_CHECKING:
    from evaltools.runs.store import Run


@dataclass(frozen=True, slots=True)
class Grouping:
    """A way to group triples."""

    title: str
    kind: str  # The class of the triples; empty for all
    gold: str  # SQL of the group's name for a triple of the gold graph
    test: str  # The same for the test graph

    def load(self, run: Run, parser: str, scope: Scope, options: Options) -> pd.DataFrame:
        """Return the sums of the triples of each group and sentence, those of each error by themselves.

        ``count`` is the weight of the triples of both sides, ``f1`` that of the right ones, ``cost`` that of the lost
        ones; ``recall`` and ``precision`` are the right ones of one side.
        """
        triples, parameters = _weighted(run, parser, scope, options)
        of_kind = f"kind = '{self.kind}'" if self.kind else "true"
        return run.query(
            f"""
            with weighted as {triples}, sides as (
                select sentence, {self.gold} as "group", weight, status = 'right' as is_right, true as is_gold, error
                from weighted where {of_kind} and status in ('right', 'missing')
                union all
                select sentence, {self.test}, weight, status = 'right', false, error
                from weighted where {of_kind} and status in ('right', 'spurious')
            )
            select "group", sentence, error as number, {exact_sum("weight")} as count,
                   coalesce({exact_sum("weight", "is_right")}, 0) as f1,
                   coalesce({exact_sum("weight", "not is_right")}, 0) as cost,
                   coalesce({exact_sum("weight", "is_gold")}, 0) as gold,
                   coalesce({exact_sum("weight", "not is_gold")}, 0) as test,
                   coalesce({exact_sum("weight", "is_gold and is_right")}, 0) as recall,
                   coalesce({exact_sum("weight", "not is_gold and is_right")}, 0) as precision
            from sides where "group" is not null group by all order by all
            """,
            parameters,
        ).astype({"group": "category"})


_FRAME = ("gold_predicate || ' ' || label", "test_predicate || ' ' || label")
_VALUE = "label || ' = ' || value"

GROUPINGS: dict[str, Grouping] = {
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

_COUNTED = "sentences > 0 and (edm_n_gold is not null or {mapped})"
_SCORED = "status <> 'missing' and (edm_exact_match is not null or {mapped})"
_MAPPED = "sentence in (select sentence from triples where construction is not null)"


def _weighted(run: Run, parser: str, scope: Scope, options: Options) -> tuple[str, list[Any]]:
    """Return SQL of a parser's triples in the sentences that count, and its parameters.

    ``weights`` of the options are rules by which they are weighed; by default those of the run.
    """
    counted = (_COUNTED if options["over"] == "all" else _SCORED).format(mapped=_MAPPED)
    where = (
        f"parser = ? and weight > 0 and {scope.condition} "
        f"and sentence in (select sentence from sentences where parser = ? and {counted})"
    )
    rules = options.get("weights")
    if rules is None:
        return f"(select * from triples where {where})", [parser, parser]
    named = f"(select * exclude (weight), {NAME_OF_TRIPLE} as name from triples)"
    sql = f"(select * from (select * from {named} join ({WEIGHTS_TABLE}) using (kind, name)) where {where})"
    return sql, [*weights_of_triples(run.query, rules), parser, parser]


def total_lost(run: Run, parser: str, scope: Scope, options: Options) -> float:
    """Return the weight of all lost triples of a parser."""
    triples, parameters = _weighted(run, parser, scope, options)
    loss = run.query(
        f"select coalesce({exact_sum('weight')}, 0) as lost from {triples} where status <> 'right'", parameters
    )
    return float(loss["lost"].iloc[0])

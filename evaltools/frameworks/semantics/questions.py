"""The questions about the errors of semantic graphs: lost triples by group, confused predicates and roles.

Triples are members of groups: by predicate, role, property, value, and construction. A group has two sides: the gold
triples and the parser's triples. Every triple that is only on one side is lost, and 1 − lost / (gold + test) is the F1
of the group; so groups are compared with the rest of their kind like groups of words, see
:mod:`evaltools.frameworks.common.differences`, by resampling sentences. Triples count with their weights under the
run's rules; those of weight 0 do not count.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pandas as pd

from evaltools.blocks import Choice, Column, Number
from evaltools.drawing import Drawing
from evaltools.frameworks.framework import Questions
from evaltools.frameworks.questions import NONE, Example, Kind, Members, Options, Question, Scope
from evaltools.frameworks.semantics.errors import TRIPLE, graph_errors
from evaltools.frameworks.semantics.marked import marked_with_triples
from evaltools.frameworks.semantics.reweighting import NAME_OF_TRIPLE, WEIGHTS_TABLE, weights_of_triples
from evaltools.frameworks.semantics.tables import CONSTRUCTIONS
from evaltools.frameworks.stored import exact_sum

if TYPE_CHECKING:
    from evaltools.runs.store import Run

# --------------------------------------------------------------------------------------------------------------- kinds


def _pictured(run: Run, parser: str, errors: pd.DataFrame, options: Options) -> Mapping[int, Example]:
    """Return errors as the repairs that mend them, with the words around and their marks."""
    examples = {}
    for at, number in zip(errors["sentence"].tolist(), errors["number"].tolist(), strict=True):
        alignment = run.graphs(at, parser)
        sentence, repairs = marked_with_triples(alignment) or (None, {})
        rows = graph_errors(alignment)[number - 1].rows
        shown = next((repairs[row] for row in rows if row in repairs), None)
        if sentence is None or shown is None:
            continue
        repair = sentence.repairs[shown - 1]
        shape = {"focus": shown, "shorten": True, "height": 0, "parse_name": parser}
        examples[int(at)] = Example(f"{repair.phrase} {repair.verdict}", Drawing(sentence, options=shape))
    return examples


TRIPLES = Kind(
    TRIPLE,
    unit="lost triples",
    whole="lost triples",
    legend=(
        ("missing", "missed: only in gold"),
        ("spurious", "spurious: only in the parse"),
        ("relabeled", "wrong name"),
        ("moved", "wrong argument or span"),
    ),
    pictured=_pictured,
)
"""Triples of one graph only."""

MAPPED_TRIPLES = replace(
    TRIPLES,
    legend=(
        ("missing", "missed: only in gold"),
        ("spurious", "spurious: only in the parse"),
        ("relabeled", "wrong concept, role or attribute"),
        ("moved", "wrong argument"),
    ),
)
"""Triples of graphs whose nodes are mapped to each other."""

# ---------------------------------------------------------------------------------------------------- groups of triples


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


# ----------------------------------------------------------------------------------------------------------- questions

_OVER = Choice(
    "over",
    "Sentences",
    {"all": "all, no parse counts as 0", "scored": "parsed sentences only"},
    "all",
    "Whether the triples of sentences without a score are lost, or do not count",
)
_MIN_COUNT = Number("least", "Minimum count", 1, help="triples of gold and parse together", width=180)
_SCOPE = "(select * from errors where scored or '{over}' = 'all')"
"""SQL of the errors in the sentences that count; all sentences have a gold graph."""
_FIGURES = (
    (Column("gold", "Gold"), ""),
    (Column("test", "Parse"), ""),
    (Column("recall", "Recall", "points"), "gold"),
    (Column("precision", "Precision", "points"), "test"),
)


def _lost(name: str, kind: Kind = TRIPLES, description: str = "") -> Question:
    """Return the question about the lost triples of a grouping."""
    grouping = GROUPINGS[name]
    members = Members(
        "triples",
        grouping.load,
        ("number",),
        {"f1": "F1"},
        {"group": grouping.title},
        figures=_FIGURES,
        cost_help="missed and spurious triples",
        are_weighed=True,
        total=total_lost,
    )
    return Question(
        name,
        grouping.title,
        description,
        kind,
        (Column("group", grouping.title, "text", width=190),),
        "{group}".format_map,
        source=_SCOPE,
        controls=(_OVER, _MIN_COUNT),
        members=members,
        row_name=grouping.title.lower(),
    )


def _right(kind: str, name: str) -> str:
    """Return SQL of how often each name of a class of triples is right."""
    return (
        f"select {name} as label, count(*) as n from triples where parser = {{parser}} and {{sentences}} "
        f"and kind = '{kind}' and status = 'right' group by all"
    )


def _role(row: Mapping[str, Any]) -> str:
    """Return a row of roles in words."""
    if row["gold"] == NONE:
        return f"spurious {row['test']}"
    return f"missed {row['gold']}" if row["test"] == NONE else f"{row['gold']} labeled as {row['test']}"


CONFUSIONS = Question(
    "confusion",
    "Predicate confusions",
    "Predicates of gold and parser over the same characters that differ: two lost triples each, one missed and one "
    "spurious, by their weights.",
    TRIPLES,
    (Column("gold", "Gold predicate", "text"), Column("test", "Parser’s predicate", "text")),
    "{gold} confused with {test}".format_map,
    where="type = 'name' and status = 'relabeled'",
    source=_SCOPE,
    controls=(_OVER,),
    right=_right("name", "value"),
    row_name="confusion",
)

ROLES = Question(
    "roles",
    "Role confusions",
    "Arguments of gold and parser between the same characters with different roles, two lost triples each, and missed "
    "or spurious ones, of which the other graph has none there, one lost triple each; by their weights.",
    TRIPLES,
    (Column("gold", "Gold role", "text"), Column("test", "Parser’s role", "text")),
    _role,
    where="type = 'argument'",
    source=_SCOPE,
    controls=(_OVER,),
    right=_right("argument", "label"),
    row_name="confusion",
)

MAPPED_CONFUSIONS = replace(
    CONFUSIONS,
    title="Concept confusions",
    description="Concepts of gold and parser that differ, of nodes that the best mapping pairs: two lost triples each, "
    "one missed and one spurious.",
    kind=MAPPED_TRIPLES,
    keys=(Column("gold", "Gold concept", "text"), Column("test", "Parser’s concept", "text")),
)

MAPPED_ROLES = replace(
    ROLES,
    description="Roles of gold and parser between the same two nodes of the best mapping, which differ: two lost "
    "triples each; and missed or spurious ones, of which the other graph has none there, one lost triple each. ARG0-of "
    "counts as ARG0 from the other node.",
    kind=MAPPED_TRIPLES,
)

_BY_CONSTRUCTION = (
    f"What the lost triples are part of; each counts for the first that fits: {', '.join(CONSTRUCTIONS)}."
)

QUESTIONS = {
    question.id: question
    for question in (*map(_lost, ("predicate", "role", "frame", "property", "value")), CONFUSIONS, ROLES)
}
"""The questions by their names in the URL."""

BILEXICAL_QUESTIONS = {"role": QUESTIONS["role"], **QUESTIONS}
"""The questions about graphs whose nodes are words, that for roles first."""

MAPPED_QUESTIONS = {
    question.id: question
    for question in (
        _lost("construction", MAPPED_TRIPLES, _BY_CONSTRUCTION),
        *(_lost(name, MAPPED_TRIPLES) for name in ("concept", "role", "concept_role", "attribute", "constant")),
        *(MAPPED_CONFUSIONS, MAPPED_ROLES),
    )
}
"""The questions about AMRs by their names in the URL."""

_BY_CLASS = ("predicate", "role", "property")
"""One question about each class of triples."""

QUESTIONS_OF = {
    "mrs": Questions(QUESTIONS, ("predicate", "frame", "value", "confusion"), costliest=_BY_CLASS),
    "sdp": Questions(BILEXICAL_QUESTIONS, ("role", "frame", "value", "confusion"), costliest=_BY_CLASS),
    "amr": Questions(
        MAPPED_QUESTIONS, ("construction", "concept", "concept_role", "confusion"), costliest=("construction",)
    ),
}
"""The questions by framework, with those whose first rows reports show."""

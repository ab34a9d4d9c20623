"""Runs of dependency trees as they are stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from evaltools.corpus import DependencyTree
from evaltools.frameworks.common.labels import relabeled_tree
from evaltools.frameworks.common.tables import label_figures
from evaltools.frameworks.dependency.alignment import align_by_options
from evaltools.frameworks.dependency.options import DependencyOptions
from evaltools.frameworks.metric import ratio
from evaltools.frameworks.options import options_of
from evaltools.frameworks.presets import Preset, load_preset
from evaltools.frameworks.stored import LabelClasses, Labels, Runs, mismatch, tree_pairs

if TYPE_CHECKING:
    import pandas as pd

    from evaltools.frameworks.dependency.aligned_arcs import DependencyAlignment
    from evaltools.runs.store import Run

# ---------------------------------------------------------------------- attachment by relation, distance and direction

RELATION_SQL = {True: "{0}", False: "coalesce(nullif(split_part({0}, ':', 1), ''), {0})"}
"""A relation in SQL: with its subtype, or without."""

_RELATIONS = """
with compared as (
    select words.parser, {gold} as gold, {test} as test, test_head, head_right, relation_right
    from words join sentences using (parser, sentence)
    where status = 'ok' and (? is null or words.parser = ?)
)
select parser, relation as label, sum(gold) as gold, sum(test) as test, sum(matched) as matched,
       sum(labeled) as labeled
from (
    select parser, gold as relation, 1 as gold, 0 as test, (head_right and relation_right)::int as matched,
           relation_right::int as labeled
    from compared
    union all
    select parser, test, 0, 1, 0, 0 from compared where test_head is not null
)
group by all
"""
"""Counts of words by relation, over sentences whose words are equal; the parser, or null, is given twice."""

DISTANCES = ("root", "1", "2", "3–6", "7–")
"""Distances to the head, as in the CoNLL-X evaluation; a root has none."""

DIRECTIONS = ("root", "left", "right")
"""Sides on which the head stands."""

DISTANCE_SQL = """
case when {0} = 0 then 'root' when abs({1} - {0}) = 1 then '1' when abs({1} - {0}) = 2 then '2'
     when abs({1} - {0}) <= 6 then '3–6' else '7–' end
"""
DIRECTION_SQL = "case when {0} = 0 then 'root' when {0} < {1} then 'left' else 'right' end"
_BY = {"distance": DISTANCE_SQL, "direction": DIRECTION_SQL}
_ORDER = {"distance": DISTANCES, "direction": DIRECTIONS}

_ATTACHMENTS = "\nunion all\n".join(
    f"""
    select words.parser, '{by}' as "by", {way.format(head, word)} as bin,
           {gold} as gold, {1 - gold} as test, head_right::int as head_matched,
           (head_right and relation_right)::int as matched
    from words join sentences using (parser, sentence)
    where status = 'ok' and {head} is not null and (? is null or words.parser = ?)
    """
    for by, way in _BY.items()
    for head, word, gold in (("head", "word", 1), ("test_head", "test_word", 0))
)
_ATTACHMENTS = f"""
select parser, "by", bin, sum(gold) as gold, sum(test) as test, sum(head_matched * gold) as head_right,
       sum(matched * gold) as "right", sum(head_matched * test) as head_right_test, sum(matched * test) as right_test
from ({_ATTACHMENTS}) group by all
"""
"""Counts of words by distance and direction of the head, over sentences whose words are equal; the parser, or null, is
given eight times."""


def attachments(run: Run, parser: str | None) -> pd.DataFrame:
    """Return attachment by distance to the head and by its direction."""
    rows = run.query(_ATTACHMENTS, [parser] * _ATTACHMENTS.count("?"))
    sums = rows.drop(columns=["parser", "by", "bin"]).astype(np.float64)
    shares = rows[["parser", "by", "bin"]].assign(
        gold=sums["gold"].astype(np.int64),
        test=sums["test"].astype(np.int64),
        uas_recall=ratio(sums["head_right"].to_numpy(), sums["gold"].to_numpy()),
        uas_precision=ratio(sums["head_right_test"].to_numpy(), sums["test"].to_numpy()),
        las_recall=ratio(sums["right"].to_numpy(), sums["gold"].to_numpy()),
        las_precision=ratio(sums["right_test"].to_numpy(), sums["test"].to_numpy()),
    )
    orders: dict[Any, list[str]] = {
        "parser": [*run.parsers],
        "by": [*_ORDER],
        "bin": [name for names in _ORDER.values() for name in names],
    }
    return shares.sort_values(
        [*orders], key=lambda column: column.map(orders[column.name].index), kind="stable", ignore_index=True
    )


# ---------------------------------------------------------------------------------------------------------------- runs


class _Rules(msgspec.Struct):
    label_map: dict[str, str] = {}  # only if set


class _Meta(msgspec.Struct):
    preset_fields: _Rules | None


def _meta_problem(meta: dict[str, Any]) -> str:
    """Return what is wrong with the map of relations."""
    return mismatch(meta, _Meta)


def _rules_of(meta: Mapping[str, Any]) -> Preset:
    """Return the preset that leaves trees as they are, with the map of relations."""
    return replace(load_preset("none"), label_map=(meta["preset_fields"] or {}).get("label_map", {}))


def _read_tree(text: str, notation: str) -> DependencyTree:
    """Return a tree from its text."""
    return DependencyTree.from_string(text, notation)


def _label_figures(run: Run, parser: str | None) -> pd.DataFrame:
    """Return figures of words by relation."""
    relation = RELATION_SQL[options_of(DependencyOptions, run.meta).subtypes]
    query = _RELATIONS.format(gold=relation.format("relation"), test=relation.format("test_relation"))
    rows = run.query(query, [parser, parser])
    counts = dict.fromkeys(("gold", "test", "matched", "labeled"), np.int64)
    return label_figures(rows.astype(counts), run.parsers)


def _with_label(parser: str, label: str) -> tuple[str, list[Any]] | None:
    """Return SQL of the sentences with a word of a relation."""
    return "select sentence from words where parser = ? and ? in (relation, test_relation)", [parser, label]


def align(run: Run, parser: str, other: str | None, sentences: Sequence[int]) -> dict[int, DependencyAlignment]:
    """Align trees of a run by its options."""
    options, label_map = options_of(DependencyOptions, run.meta), run.rules.label_map
    empty = DependencyTree((), (), ())
    return {
        number: align_by_options(
            relabeled_tree(gold or empty, label_map), relabeled_tree(test or empty, label_map), options
        )
        for number, (gold, test) in tree_pairs(run, parser, other, sentences).items()
    }


def _facts(meta: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the options."""
    options = options_of(DependencyOptions, meta)
    return [("punctuation", options.punctuation), ("subtypes", "keep" if options.subtypes else "drop")]


RUNS = Runs(
    read_tree=_read_tree,
    tables=("words", "errors"),
    meta_problem=_meta_problem,
    rules_of=_rules_of,
    facts=_facts,
    options_in_words=lambda meta: options_of(DependencyOptions, meta).describe().splitlines(),
    labels=Labels(
        _label_figures,
        _with_label,
        names={"relation": "label"},
        counts=("gold", "test", "matched", "labeled"),
        classes=LabelClasses("Relation in the gold tree", "words", "relation", "relation is not null"),
        listed=("words", "select unnest([relation, test_relation]) as label from words"),
    ),
    categories=(
        "select sentence, any_value(tag) filter (head = 0) || bool_or(starts_with(relation, 'nsubj')) as category "
        "from words where parser = ? group by sentence"
    ),
)
"""Runs of dependency trees."""

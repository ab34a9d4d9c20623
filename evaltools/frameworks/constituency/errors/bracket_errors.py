"""Errors of brackets: confused labels, changes of the T-mapping, rules, attachments, crossing brackets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evaltools.corpus import Kind, Tree
from evaltools.frameworks.common.sentence_status import SentenceStatus
from evaltools.frameworks.common.tree_columns import node_positions
from evaltools.frameworks.constituency.errors.features import gaps_of, partners, phrases, rules
from evaltools.frameworks.constituency.rules import Normalized, Pair
from evaltools.frameworks.constituency.rules.word_sets import Spans, hulls
from evaltools.frameworks.presets import Preset
from evaltools.frameworks.stored import StoredRun

__all__ = [
    "BRACKET_STATUS",
    "NO_BRACKET",
    "PhraseSides",
    "attachments",
    "confused_brackets",
    "crossing_pairs",
    "label_changes",
    "label_confusions",
    "parent_brackets",
    "phrase_sides",
    "rule_differences",
    "rule_places",
    "wrong_brackets",
    "wrong_rules",
]

NO_BRACKET = "(none)"
"""Label of a bracket that one of the two trees does not have."""

BRACKET_STATUS = """
case when e_status is null then null
     when gold_kind = 'phrase' and test_kind is distinct from 'phrase' then 'missing'
     when test_kind = 'phrase' and gold_kind is distinct from 'phrase' then 'spurious' end
"""
"""Whether a row of the table of brackets is a missing or a spurious one, null for others: a tag is no bracket, and
without a status in the E-mapping a phrase does not count."""

_CONFUSED = f"""
with wrong as (
    select b.* replace (coalesce(b.gaps, '') as gaps), {BRACKET_STATUS} as bracket_status, row_number() over (
        partition by b.parser, b.sentence, b.start, b."end", b.gaps, bracket_status order by b.label
    ) as rank
    from brackets b join sentences s using (parser, sentence)
    where b.parser = ? and b.sentence <= ? and s.status = 'ok' and bracket_status is not null
), pairs as (
    select coalesce(g.sentence, t.sentence) as sentence, coalesce(g.start, t.start) as start,
           coalesce(g."end", t."end") as "end", coalesce(g.gaps, t.gaps) as gaps,
           coalesce(g.label, '{NO_BRACKET}') as gold, coalesce(t.label, '{NO_BRACKET}') as test
    from (select * from wrong where bracket_status = 'missing') g
    full join (select * from wrong where bracket_status = 'spurious') t
    using (sentence, start, "end", gaps, rank)
)
"""


def label_confusions(run: StoredRun, parser: str, size: int) -> pd.DataFrame:
    """Count which label a parser gave to the words of each gold bracket in the first sentences."""
    wrong = run.query(_CONFUSED + " select gold, test, count(*) as count from pairs group by all", [parser, size])
    right = run.query(
        """
        select b.label as gold, b.label as test, count(*) as count
        from brackets b join sentences s using (parser, sentence)
        where b.parser = ? and b.sentence <= ? and s.status = 'ok' and b.e_status = 'right' and b.gold_kind = 'phrase'
          and b.test_kind = 'phrase'
        group by all
        """,
        [parser, size],
    )
    rows = pd.concat([right, wrong], ignore_index=True).astype({"gold": object, "test": object})
    return rows.sort_values(["count", "gold", "test"], ascending=[False, True, True], ignore_index=True)


def confused_brackets(run: StoredRun, parser: str, size: int) -> pd.DataFrame:
    """Return the brackets of the first sentences that a parser labels wrongly, misses or adds, with both labels."""
    return run.query(
        _CONFUSED + ' select sentence, start, "end", gaps, gold, test from pairs order by all', [parser, size]
    )


def wrong_brackets(run: StoredRun, parser: str, size: int) -> pd.DataFrame:
    """Return the missing and spurious brackets of a parser in the first sentences: ``sentence``, span, ``label``."""
    return run.query(
        f"""
        select b.sentence, b.start, b."end", coalesce(b.gaps, '') as gaps, b.label, {BRACKET_STATUS} as bracket_status
        from brackets b join sentences s using (parser, sentence)
        where b.parser = ? and b.sentence <= ? and s.status = 'ok' and bracket_status is not null
        order by all
        """,
        [parser, size],
    ).rename(columns={"bracket_status": "status"})


def label_changes(run: StoredRun, parser: str, size: int, *, by_sentence: bool = False) -> pd.DataFrame:
    """Count the changes of the T-mapping to the nodes of each label in the first sentences; the costliest first.

    ``brackets`` is the number of missing and spurious brackets among the nodes.
    """
    sentence = ", sentence" if by_sentence else ""
    figures = (
        "count(*) as count, count(distinct sentence) filter (is_wrong) as sentences, count_if(is_wrong) as brackets"
    )
    return run.query(
        f"""
        with scored as (
            select b.*, s.status = 'ok' and {BRACKET_STATUS} is not null as is_wrong
            from brackets b join sentences s using (parser, sentence)
            where b.parser = ? and b.sentence <= ? and s.sentences > 0 and s.status <> 'missing'
        )
        select label, t_gold_status as change, t_label as new_label{sentence}, {figures} from scored
        where gold_kind is not null and t_gold_status in ('missing', 'relabeled', 'moved') group by all
        union all
        select label, t_test_status as change, null as new_label{sentence}, {figures} from scored
        where test_kind is not null and t_test_status = 'spurious' group by all
        order by brackets desc, count desc, label, change, new_label{sentence}
        """,
        [parser, size],
    )


class PhraseSides(NamedTuple):
    """The phrases that count as brackets, of the sentences whose words are equal, of gold and of a parser.

    A row has ``sentence``, ``start``, ``end``, which are those of :class:`WordSets` where a constituent is
    discontinuous, ``last`` and ``gaps``, which are the end and the gaps of the table of brackets, ``label``, ``rule``,
    ``node``, its ``partner`` in the other tree, whether the bracket is ``wrong`` (missing or spurious), and of its
    parent ``parent`` (the label), ``parent_start``, ``parent_end``, ``parent_node``, ``parent_partner`` and
    ``parent_wrong``.
    """

    gold: pd.DataFrame
    test: pd.DataFrame


def phrase_sides(pair: Pair, preset: Preset) -> PhraseSides:
    """Return the phrases of both sides."""
    is_equal = pair.status == SentenceStatus.OK
    of_gold, of_test = partners(pair, preset)
    return PhraseSides(
        _phrases(pair.gold, is_equal, pair.spans[0], of_gold),
        _phrases(pair.test, is_equal, pair.spans[1], of_test),
    )


def _phrases(side: Normalized, is_equal: NDArray[np.bool_], spans: Spans, partner: NDArray[np.int64]) -> pd.DataFrame:
    treebank = side.treebank
    nodes, rows = phrases(side, is_equal, spans)
    wrong = partner[nodes] < 0
    _, parent = node_positions(treebank)
    names = np.array([*treebank.vocabulary.labels.strings(), NO_BRACKET], dtype=object)
    above = parent[nodes]
    has_parent = above >= 0
    is_wrong = np.zeros(len(parent), dtype=np.bool_)
    is_wrong[nodes] = wrong
    return rows.assign(
        last=hulls(treebank)[1][nodes],
        gaps=gaps_of(treebank, nodes),
        label=names[rows["label"]],
        rule=rules(treebank)[nodes],
        node=nodes,
        partner=partner[nodes],
        wrong=wrong,
        parent=names[np.where(has_parent, treebank.label[above], len(names) - 1)],
        parent_start=np.where(has_parent, spans[0][above], -1),
        parent_end=np.where(has_parent, spans[1][above], -1),
        parent_node=above,
        parent_partner=np.where(has_parent, partner[above], -1),
        parent_wrong=has_parent & is_wrong[above],
    )


def _numbered(rows: pd.DataFrame, key: list[str]) -> pd.DataFrame:
    """Give equal rows numbers, so that a join pairs them one to one."""
    return rows.assign(rank=rows.groupby(key, sort=False, observed=True).cumcount())


_RULE_KEY = ["sentence", "start", "end", "rule"]


def rule_differences(sides: PhraseSides) -> pd.DataFrame:
    """Count each rule in the gold trees, in the test trees, and over the same words in both; the costliest first.

    ``brackets`` is the number of missing and spurious brackets that have the rule, ``sentences`` the number of
    sentences with one.
    """
    gold, test = (rows.dropna(subset=["rule"]) for rows in sides)
    both = _numbered(gold[_RULE_KEY], _RULE_KEY).merge(_numbered(test[_RULE_KEY], _RULE_KEY), on=[*_RULE_KEY, "rank"])
    wrong = pd.concat([rows.loc[rows["wrong"], ["sentence", "rule"]] for rows in (gold, test)])
    counts = pd.DataFrame(
        {
            "gold": gold["rule"].value_counts(),
            "test": test["rule"].value_counts(),
            "matched": both["rule"].value_counts(),
            "brackets": wrong["rule"].value_counts(),
            "sentences": wrong.groupby("rule")["sentence"].nunique(),
        }
    )
    counts = counts.fillna(0).astype(np.int64).rename_axis("rule").reset_index()
    counts = counts.assign(under=counts["gold"] - counts["matched"], over=counts["test"] - counts["matched"])
    errors = counts["under"] + counts["over"]
    order = np.lexsort((counts["rule"].to_numpy(str), -errors.to_numpy(), -counts["brackets"].to_numpy()))
    return counts.iloc[order].reset_index(drop=True)


def rule_places(sides: PhraseSides, rule: str, *, spurious: bool) -> pd.DataFrame:
    """Return where a rule is spurious, or where it is missed, and whether the bracket itself is ``wrong``."""
    key = ["sentence", "start", "end"]
    more = ["last", "gaps", "wrong"]
    gold, test = (_numbered(rows.loc[rows["rule"] == rule, [*key, *more]], key) for rows in sides)
    left, right = (test, gold) if spurious else (gold, test)
    joined = left.merge(right.drop(columns=more), on=[*key, "rank"], how="left", indicator=True)
    return _with_ends(joined.loc[joined["_merge"] == "left_only", [*key, *more]]).reset_index(drop=True)


def _with_ends(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the end of the last word as the end, also of brackets with gaps."""
    return rows.assign(end=rows["last"]).drop(columns="last")


def wrong_rules(sides: PhraseSides) -> pd.DataFrame:
    """Return ``sentence`` and ``rule`` of every missing and spurious bracket."""
    rows = pd.concat([side.loc[side["wrong"], ["sentence", "rule"]] for side in sides], ignore_index=True)
    return rows.dropna(subset=["rule"])


def attachments(sides: PhraseSides) -> pd.DataFrame:
    """List the brackets that both trees have under different parents, with the spans of these and which are wrong."""
    parents = ("parent", "parent_start", "parent_end")
    more = ("parent_node", "parent_partner", "parent_wrong")
    gold = sides.gold[["sentence", "label", "start", "end", "last", "gaps", "partner", *parents, *more]]
    test = sides.test[["node", *parents, *more]].rename(columns={"node": "partner"})
    both = gold.merge(test, on="partner", suffixes=("_gold", "_test"))
    differs = np.logical_or.reduce([(both[f"{item}_gold"] != both[f"{item}_test"]).to_numpy() for item in parents])
    is_same = (both["parent_partner_gold"] >= 0) & (both["parent_partner_gold"] == both["parent_node_test"])
    rows = both[differs & ~is_same].rename(
        columns={"label": "child", "parent_gold": "gold_parent", "parent_test": "test_parent"}
    )
    names = [f"parent_{item}_{side}" for side in ("gold", "test") for item in ("start", "end", "node", "wrong")]
    shown = ["sentence", "start", "end", "last", "gaps", "child", "gold_parent", "test_parent", *names]
    return _with_ends(rows[shown]).reset_index(drop=True)


def parent_brackets(rows: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    """Return the wrong parents of attachments, each once in a group and sentence: the keys and ``sentence``."""
    sides = [
        rows.loc[rows[f"parent_wrong_{side}"], [*keys, "sentence", f"parent_node_{side}"]]
        .drop_duplicates()
        .drop(columns=f"parent_node_{side}")
        for side in ("gold", "test")
    ]
    return pd.concat(sides, ignore_index=True)


def crossing_pairs(gold: Tree, test: Tree) -> list[tuple[int, int]]:
    """Return the pairs of phrases that cross: they overlap, and neither contains the other.

    Examples
    --------
    >>> crossing_pairs(Tree.from_string("(S (A (X a) (X b)) (X c))"), Tree.from_string("(S (X a) (B (X b) (X c)))"))
    [(4, 6)]
    """
    sides = [
        [(node, tree.yield_(node)) for node in range(len(tree)) if tree.kinds[node] is Kind.PHRASE]
        for tree in (gold, test)
    ]
    return [
        (i, j)
        for j, words in sides[1]
        for i, others in sides[0]
        if words & others and words - others and others - words
    ]

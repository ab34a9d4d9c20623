"""Errors of brackets: confused labels, changes of the T-mapping, rules, attachments, crossing brackets."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evaltools.corpus import Kind, Tree, Treebank
from evaltools.frameworks.common.status import Status
from evaltools.frameworks.common.tree_columns import node_positions
from evaltools.frameworks.constituency.errors.features import phrases, rules
from evaltools.frameworks.constituency.rules import Pair
from evaltools.frameworks.stored import StoredRun

__all__ = [
    "NO_BRACKET",
    "attachments",
    "confused_brackets",
    "crossing_pairs",
    "label_changes",
    "label_confusions",
    "rule_differences",
    "rule_errors",
    "rule_places",
]

NO_BRACKET = "(none)"
"""Label of a bracket that one of the two trees does not have."""

_CONFUSED = f"""
with wrong as (
    select b.*, row_number() over (
        partition by b.parser, b.sentence, b.start, b."end", b.e_status order by b.label
    ) as rank
    from brackets b join sentences s using (parser, sentence)
    where b.parser = ? and b.sentence <= ? and s.status = 'ok' and b.e_status in ('deleted', 'inserted')
      and 'phrase' in (b.gold_kind, b.test_kind)
), pairs as (
    select coalesce(g.sentence, t.sentence) as sentence, coalesce(g.start, t.start) as start,
           coalesce(g."end", t."end") as "end",
           coalesce(g.label, '{NO_BRACKET}') as gold, coalesce(t.label, '{NO_BRACKET}') as test
    from (select * from wrong where e_status = 'deleted') g
    full join (select * from wrong where e_status = 'inserted') t
    using (sentence, start, "end", rank)
)
"""


def label_confusions(run: StoredRun, parser: str, size: int) -> pd.DataFrame:
    """Count which label a parser gave to the words of each gold bracket in the first sentences."""
    wrong = run.query(_CONFUSED + " select gold, test, count(*) as count from pairs group by all", [parser, size])
    right = run.query(
        """
        select b.label as gold, b.label as test, count(*) as count
        from brackets b join sentences s using (parser, sentence)
        where b.parser = ? and b.sentence <= ? and s.status = 'ok' and b.e_status = 'matched' and b.gold_kind = 'phrase'
          and b.test_kind = 'phrase'
        group by all
        """,
        [parser, size],
    )
    rows = pd.concat([right, wrong], ignore_index=True).astype({"gold": object, "test": object})
    return rows.sort_values(["count", "gold", "test"], ascending=[False, True, True], ignore_index=True)


def confused_brackets(run: StoredRun, parser: str, size: int) -> pd.DataFrame:
    """Return the brackets of the first sentences that a parser labels wrongly, misses or adds, with both labels."""
    return run.query(_CONFUSED + ' select sentence, start, "end", gold, test from pairs order by all', [parser, size])


def label_changes(run: StoredRun, parser: str, size: int, *, by_sentence: bool = False) -> pd.DataFrame:
    """Count the changes of the T-mapping to the nodes of each label in the first sentences."""
    sentence = ", sentence" if by_sentence else ""
    return run.query(
        f"""
        with scored as (
            select b.* from brackets b join sentences s using (parser, sentence)
            where b.parser = ? and b.sentence <= ? and s.status <> 'missing'
        )
        select label, t_gold_status as change, t_label as new_label{sentence}, count(*) as count from scored
        where gold_kind is not null and t_gold_status in ('deleted', 'swapped', 'moved') group by all
        union all
        select label, t_test_status as change, null as new_label{sentence}, count(*) as count from scored
        where test_kind is not null and t_test_status = 'inserted' group by all
        order by count desc, label, change, new_label{sentence}
        """,
        [parser, size],
    )


def _phrases(treebank: Treebank, chosen: NDArray[np.bool_]) -> pd.DataFrame:
    """Return one row a phrase of some sentences, with its rule and its parent."""
    nodes, rows = phrases(treebank, chosen)
    _, parent = node_positions(treebank)
    names = np.array([*treebank.vocabulary.labels.strings(), NO_BRACKET], dtype=object)
    above = parent[nodes]
    has_parent = above >= 0
    return rows.assign(
        label=names[rows["label"]],
        rule=rules(treebank)[nodes],
        parent=names[np.where(has_parent, treebank.label[above], len(names) - 1)],
        parent_start=np.where(has_parent, treebank.start[above], -1),
        parent_end=np.where(has_parent, treebank.end[above], -1),
    )


def _sides(pair: Pair) -> tuple[pd.DataFrame, pd.DataFrame]:
    is_equal = pair.status == Status.OK
    return _phrases(pair.gold.treebank, is_equal), _phrases(pair.test.treebank, is_equal)


def _numbered(rows: pd.DataFrame, key: list[str]) -> pd.DataFrame:
    """Give equal rows numbers, so that a join pairs them one to one."""
    return rows.assign(rank=rows.groupby(key, sort=False, observed=True).cumcount())


def rule_differences(pair: Pair) -> pd.DataFrame:
    """Count each rule in the gold trees, in the test trees, and over the same words in both."""
    gold, test = (rows.dropna(subset=["rule"]) for rows in _sides(pair))
    key = ["sentence", "start", "end", "rule"]
    both = _numbered(gold[key], key).merge(_numbered(test[key], key), on=[*key, "rank"])
    counts = pd.DataFrame(
        {
            "gold": gold["rule"].value_counts(),
            "test": test["rule"].value_counts(),
            "matched": both["rule"].value_counts(),
        }
    )
    counts = counts.fillna(0).astype(np.int64).rename_axis("rule").reset_index()
    counts = counts.assign(under=counts["gold"] - counts["matched"], over=counts["test"] - counts["matched"])
    errors = counts["under"] + counts["over"]
    return counts.iloc[np.lexsort((counts["rule"].to_numpy(str), -errors.to_numpy()))].reset_index(drop=True)


def rule_places(pair: Pair, rule: str, *, spurious: bool) -> pd.DataFrame:
    """Return where a rule is spurious, or where it is missed."""
    key = ["sentence", "start", "end"]
    gold, test = (_numbered(rows.loc[rows["rule"] == rule, key], key) for rows in _sides(pair))
    left, right = (test, gold) if spurious else (gold, test)
    joined = left.merge(right, on=[*key, "rank"], how="left", indicator=True)
    return joined.loc[joined["_merge"] == "left_only", key].reset_index(drop=True)


def rule_errors(pair: Pair) -> pd.DataFrame:
    """Return ``sentence`` and ``rule`` of every rule missed or spurious."""
    key = ["sentence", "start", "end", "rule"]
    gold, test = (_numbered(rows.dropna(subset=["rule"])[key], key) for rows in _sides(pair))
    joined = gold.merge(test, on=[*key, "rank"], how="outer", indicator=True)
    return joined.loc[joined["_merge"] != "both", ["sentence", "rule"]].reset_index(drop=True)


def attachments(pair: Pair) -> pd.DataFrame:
    """List the brackets that both trees have under different parents."""
    key = ["sentence", "label", "start", "end"]
    gold, test = (_numbered(rows, key) for rows in _sides(pair))
    both = gold.merge(test, on=[*key, "rank"], suffixes=("_gold", "_test"))
    parents = ("parent", "parent_start", "parent_end")
    differs = np.logical_or.reduce([(both[f"{item}_gold"] != both[f"{item}_test"]).to_numpy() for item in parents])
    rows = both[differs].rename(columns={"label": "child", "parent_gold": "gold_parent", "parent_test": "test_parent"})
    return rows[["sentence", "start", "end", "child", "gold_parent", "test_parent"]].reset_index(drop=True)


def crossing_pairs(gold: Tree, test: Tree) -> list[tuple[int, int]]:
    """Return the pairs of phrases that cross: they overlap, and neither contains the other.

    Examples
    --------
    >>> crossing_pairs(Tree.from_string("(S (A (X a) (X b)) (X c))"), Tree.from_string("(S (X a) (B (X b) (X c)))"))
    [(4, 6)]
    """
    spans = [
        [(node, *tree.span(node)) for node in range(len(tree)) if tree.kinds[node] is Kind.PHRASE]
        for tree in (gold, test)
    ]
    return [
        (i, j)
        for j, start, end in spans[1]
        for i, first, last in spans[0]
        if first < start < last < end or start < first < end < last
    ]

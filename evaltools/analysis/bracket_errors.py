"""What goes wrong with brackets: labels confused on equal spans, what the T-mapping changes, rules, attachments."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evaltools.analysis.word_features import rules
from evaltools.normalize import Pair, Status
from evaltools.runs.store import Run
from evaltools.treebank import Kind, Treebank

__all__ = [
    "NO_BRACKET",
    "attachments",
    "confusion_places",
    "label_changes",
    "label_confusions",
    "rule_differences",
    "rule_places",
]

NO_BRACKET = "(none)"
"""Stands where the other tree has no bracket over the same words."""

_CONFUSED = """
with one as (
    select b.*, row_number() over (
        partition by b.parser, b.sentence, b.start, b."end", b.e_status order by b.label
    ) as place
    from brackets b join sentences s using (parser, sentence)
    where b.parser = ? and b.sentence <= ? and s.status = 'ok' and b.e_status in ('deleted', 'inserted')
      and 'phrase' in (b.gold_kind, b.test_kind)
), pairs as (
    select coalesce(g.sentence, t.sentence) as sentence, coalesce(g.start, t.start) as start,
           coalesce(g."end", t."end") as "end",
           coalesce(g.label, $none) as gold, coalesce(t.label, $none) as test
    from (select * from one where e_status = 'deleted') g
    full join (select * from one where e_status = 'inserted') t
    using (sentence, start, "end", place)
)
"""


def label_confusions(run: Run, parser: str, most: int | None = None) -> pd.DataFrame:
    """Count which label a parser gave to the words of each gold bracket.

    Parameters
    ----------
    run : Run
        The run.
    parser : str
        The parser.
    most : int, optional
        At most so many sentences, from the first.

    Returns
    -------
    DataFrame
        ``gold``, ``test``, ``count``: phrase brackets over the same words, paired one to one; equal labels are right.
        Brackets without a partner stand against :data:`NO_BRACKET`. Only sentences whose words are equal count.
    """
    wrong = run.query(
        _sql(_CONFUSED + " select gold, test, count(*) as count from pairs group by all"), [parser, _last(run, most)]
    )
    right = run.query(
        """
        select b.label as gold, b.label as test, count(*) as count
        from brackets b join sentences s using (parser, sentence)
        where b.parser = ? and b.sentence <= ? and s.status = 'ok' and b.e_status = 'matched' and b.gold_kind = 'phrase'
          and b.test_kind = 'phrase'
        group by all
        """,
        [parser, _last(run, most)],
    )
    rows = pd.concat([right, wrong], ignore_index=True).astype({"gold": object, "test": object})
    return rows.sort_values(["count", "gold", "test"], ascending=[False, True, True], ignore_index=True)


def confusion_places(run: Run, parser: str, gold: str, test: str, most: int | None = None) -> pd.DataFrame:
    """Return where a parser took one label for another.

    Parameters
    ----------
    run : Run
        The run.
    parser : str
        The parser.
    gold, test : str
        A cell of :func:`label_confusions` off the diagonal.
    most : int, optional
        At most so many sentences, from the first.

    Returns
    -------
    DataFrame
        ``sentence``, ``start``, ``end``: words of the bracket, counted from 0 in the normalised tree.
    """
    return run.query(
        _sql(_CONFUSED + ' select sentence, start, "end" from pairs where gold = ? and test = ? order by all'),
        [parser, _last(run, most), gold, test],
    )


def _last(run: Run, most: int | None) -> int:
    return run.n_sentences if most is None else most


def _sql(text: str) -> str:
    return text.replace("$none", f"'{NO_BRACKET}'")


def label_changes(run: Run, parser: str, most: int | None = None) -> pd.DataFrame:
    """Count what the T-mapping does with the nodes of each label.

    Parameters
    ----------
    run : Run
        The run.
    parser : str
        The parser.
    most : int, optional
        At most so many sentences, from the first.

    Returns
    -------
    DataFrame
        ``label``, ``change`` (``deleted``, ``inserted``, ``swapped``, ``moved``), ``new_label`` (for swaps), ``count``;
        the most frequent first. A moved subtree counts once, where the gold tree has it. Sentences
        without a parse are left out.
    """
    return run.query(
        """
        with scored as (
            select b.* from brackets b join sentences s using (parser, sentence)
            where b.parser = ? and b.sentence <= ? and s.status <> 'missing'
        )
        select label, t_gold_status as change, t_label as new_label, count(*) as count from scored
        where gold_kind is not null and t_gold_status in ('deleted', 'swapped', 'moved') group by all
        union all
        select label, t_test_status as change, null as new_label, count(*) as count from scored
        where test_kind is not null and t_test_status = 'inserted' group by all
        order by count desc, label, change, new_label
        """,
        [parser, _last(run, most)],
    )


def _nodes(treebank: Treebank, ok: NDArray[np.bool_]) -> pd.DataFrame:
    """Return one row a phrase of the sentences wanted, with its rule and its parent."""
    sentence_of = np.repeat(np.arange(len(treebank), dtype=np.int64), np.diff(treebank.offsets))
    parent = np.where(treebank.parent >= 0, treebank.parent + treebank.offsets[sentence_of], -1)
    names = np.array([*treebank.vocabulary.labels.strings(), NO_BRACKET], dtype=object)
    chosen = np.flatnonzero((treebank.kind == Kind.PHRASE) & ok[sentence_of])
    above = parent[chosen]
    return pd.DataFrame(
        {
            "sentence": sentence_of[chosen] + 1,
            "label": names[treebank.label[chosen]],
            "start": treebank.start[chosen],
            "end": treebank.end[chosen],
            "rule": rules(treebank)[chosen],
            "parent": names[np.where(above >= 0, treebank.label[above], len(names) - 1)],
            "parent_start": np.where(above >= 0, treebank.start[above], -1),
            "parent_end": np.where(above >= 0, treebank.end[above], -1),
        }
    )


def _sides(pair: Pair) -> tuple[pd.DataFrame, pd.DataFrame]:
    ok = pair.status == Status.OK
    return _nodes(pair.gold.treebank, ok), _nodes(pair.test.treebank, ok)


def _numbered(rows: pd.DataFrame, key: list[str]) -> pd.DataFrame:
    """Give equal rows numbers, so that a join pairs them one to one."""
    return rows.assign(place=rows.groupby(key, sort=False, observed=True).cumcount())


def rule_differences(pair: Pair) -> pd.DataFrame:
    """Count how often each rule is proposed and how often it should have been.

    Parameters
    ----------
    pair : Pair
        The trees.

    Returns
    -------
    DataFrame
        ``rule``; ``gold``, ``test``: how often either side has it; ``matched``: over the same words in both;
        ``under`` = gold − matched, ``over`` = test − matched. The rules with most errors come first. Only
        sentences whose words are equal count.
    """
    gold, test = (rows.dropna(subset=["rule"]) for rows in _sides(pair))
    key = ["sentence", "start", "end", "rule"]
    both = _numbered(gold[key], key).merge(_numbered(test[key], key), on=[*key, "place"])
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


def rule_places(pair: Pair, rule: str, *, proposed: bool) -> pd.DataFrame:
    """Return where a rule was proposed wrongly, or was not proposed where it should have been.

    Parameters
    ----------
    pair : Pair
        The trees.
    rule : str
        As :func:`rule_differences` names it.
    proposed : bool
        True for brackets of the test trees that the gold trees do not have so, False for the opposite.

    Returns
    -------
    DataFrame
        ``sentence``, ``start``, ``end``.
    """
    key = ["sentence", "start", "end"]
    gold, test = (_numbered(rows.loc[rows["rule"] == rule, key], key) for rows in _sides(pair))
    mine, other = (test, gold) if proposed else (gold, test)
    joined = mine.merge(other, on=[*key, "place"], how="left", indicator=True)
    return joined.loc[joined["_merge"] == "left_only", key].reset_index(drop=True)


def attachments(pair: Pair) -> pd.DataFrame:
    """List the brackets that both trees have and that hang from different parents.

    Parameters
    ----------
    pair : Pair
        The trees.

    Returns
    -------
    DataFrame
        ``sentence``, ``start``, ``end``, ``child`` (label); ``gold_parent``, ``test_parent``: the label of the parent
        that is right, and of the one that was chosen, :data:`NO_BRACKET` at the top. A parent differs if its label or
        its span does. Only sentences whose words are equal count.
    """
    key = ["sentence", "label", "start", "end"]
    gold, test = (_numbered(rows, key) for rows in _sides(pair))
    both = gold.merge(test, on=[*key, "place"], suffixes=("_gold", "_test"))
    parents = ("parent", "parent_start", "parent_end")
    differs = np.logical_or.reduce([(both[f"{one}_gold"] != both[f"{one}_test"]).to_numpy() for one in parents])
    found = both[differs].rename(columns={"label": "child", "parent_gold": "gold_parent", "parent_test": "test_parent"})
    return found[["sentence", "start", "end", "child", "gold_parent", "test_parent"]].reset_index(drop=True)

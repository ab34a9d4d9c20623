"""Errors of brackets: confused labels, changes of the T-mapping, rules, attachments, crossing brackets.

Features of gold words and brackets come from the gold trees after normalization, so they are the same for all parsers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pandas.api.types import union_categoricals

from evaltools.corpus import Kind, Tree, Treebank
from evaltools.frameworks.common.columns import SentenceStatus, node_positions
from evaltools.frameworks.common.word_groups import categories, classes, coded
from evaltools.frameworks.constituency.bracketing import partners
from evaltools.frameworks.constituency.normalization import Normalized, Pair, Spans, gap_texts, hulls
from evaltools.frameworks.presets import Preset

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

if TYPE_CHECKING:
    from evaltools.runs.store import Run


def label_confusions(run: Run, parser: str, size: int) -> pd.DataFrame:
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


def confused_brackets(run: Run, parser: str, size: int) -> pd.DataFrame:
    """Return the brackets of the first sentences that a parser labels wrongly, misses or adds, with both labels."""
    return run.query(
        _CONFUSED + ' select sentence, start, "end", gaps, gold, test from pairs order by all', [parser, size]
    )


def wrong_brackets(run: Run, parser: str, size: int) -> pd.DataFrame:
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


def label_changes(run: Run, parser: str, size: int, *, by_sentence: bool = False) -> pd.DataFrame:
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


FEATURES: dict[str, str] = {
    "form": "word form",
    "tag": "tag",
    "parent": "phrase",
    "grandparent": "parent of the phrase",
    "rule": "rule",
    "lineage": "lineage",
    "first_child": "first child of the phrase",
    "phrase_length": "words in the phrase",
    "depth": "depth",
    "place": "position in the phrase",
    "position": "position in the sentence",
    "length": "sentence length",
}
"""The features of words, with their titles."""

BRACKET_FEATURES: dict[str, str] = {
    "label": "label",
    "parent": "parent",
    "grandparent": "parent’s parent",
    "first_child": "first child",
    "first_words": "words in the first child",
    "last_child": "last child",
    "children": "children",
    "words": "words",
    "edge": "position in the parent",
    "depth": "depth",
    "length": "sentence length",
}
"""The features of brackets, with their titles."""

_NONE = "–"
_WORDS = (1, 2, 3, 4, 6, 9, 13, 19)
_CHILDREN = (1, 2, 3, 4, 6)
_DEPTHS = (1, 2, 3, 4, 5, 6, 8, 10, 13)
_SENTENCES = (1, 5, 10, 15, 20, 25, 30, 40, 60)


def word_features(normalized: Normalized) -> pd.DataFrame:
    """Describe every gold word that is left after normalization."""
    gold, left = normalized.read, normalized.treebank
    labels = np.array([*left.vocabulary.labels.strings(), _NONE], dtype=object)
    none = len(labels) - 1
    sentence_of, parent = node_positions(left)
    label = np.where(left.kind == Kind.WORD, none, left.label)

    words = left.word_nodes
    sentence = sentence_of[words]
    tagged = (parent[words] >= 0) & (left.kind[parent[words]] == Kind.PRETERMINAL)
    tag = np.where(tagged, parent[words], -1)
    phrase = parent[np.where(tagged, tag, words)]
    in_phrase = phrase >= 0
    n_words = left.n_words[sentence]
    first, last = hulls(left)
    start = np.where(in_phrase, first[phrase], 0)
    end = np.where(in_phrase, last[phrase], n_words)
    at = first[words]
    begins, ends = at == start, at + 1 == end
    length = np.where(in_phrase, (left.end - left.start)[phrase], n_words)

    def named(nodes: NDArray[np.int64]) -> Any:
        return coded(np.where(nodes >= 0, label[nodes], none), labels.tolist())

    def of_phrase(texts: NDArray[np.object_]) -> Any:
        return pd.Categorical(pd.Series(np.where(in_phrase, texts[phrase], _NONE), dtype=object).fillna(_NONE))

    columns: dict[str, Any] = {
        "sentence": sentence + 1 + gold.first_sentence,
        "word": normalized.places_as_read,
        "form": coded(left.label[words], left.vocabulary.words.strings()),
        "tag": named(tag),
        "parent": named(phrase),
        "grandparent": named(np.where(in_phrase, parent[phrase], -1)),
        "rule": of_phrase(rules(left)),
        "lineage": of_phrase(_lineages(left, parent, labels[label])),
        "first_child": of_phrase(labels[label[_first_children(parent)]]),
        "phrase_length": classes(length, _WORDS),
        "depth": classes(np.where(in_phrase, _depths(parent)[phrase], 0), _DEPTHS),
        "place": categories(
            np.select([begins & ends, begins, ends], [3, 0, 2], 1), ["first", "inside", "last", "alone"]
        ),
        "position": categories(np.select([at == 0, at + 1 == n_words], [0, 2], 1), ["first", "inside", "last"]),
        "length": classes(n_words, _SENTENCES),
    }
    return pd.DataFrame(columns)


def bracket_features(pair: Pair, preset: Preset) -> pd.DataFrame:
    """Describe the brackets of the sentences whose words are equal: every gold bracket, and every spurious one.

    ``found`` is 1 for a gold bracket that the test tree has, 0 for another one, and undefined for a spurious one, which
    is described in its own tree. ``cost`` is 1 for missing and spurious brackets, ``status`` says which.
    """
    is_equal, (of_gold, of_test) = pair.status == SentenceStatus.OK, partners(pair, preset)
    gold = _described(pair.gold, is_equal, pair.spans[0], of_gold)
    gold = gold.assign(status=np.where(gold["found"] == 1, "", "missing"))
    test = _described(pair.test, is_equal, pair.spans[1], of_test)
    test = test[test["found"] == 0].assign(found=np.nan, status="spurious")
    sides = [side for side in (gold, test) if len(side)] or [gold]  # columns without rows have categories of no type
    columns = {
        name: union_categoricals([side[name] for side in sides])
        if isinstance(gold[name].dtype, pd.CategoricalDtype)
        else np.concatenate([side[name] for side in sides])
        for name in gold
    }
    rows = pd.DataFrame(columns)
    return rows.assign(cost=(rows["status"] != "").astype(np.int64))


def _described(side: Normalized, is_equal: NDArray[np.bool_], spans: Spans, partner: NDArray[np.int64]) -> pd.DataFrame:
    """Describe every bracket of one side; ``found`` is 1 if it has a partner in the other tree."""
    gold = side.treebank
    sentence_of, parent = node_positions(gold)
    labels = np.array([*gold.vocabulary.labels.strings(), "word", _NONE], dtype=object)
    word, none = len(labels) - 2, len(labels) - 1
    label = np.where(gold.kind == Kind.WORD, word, gold.label).astype(np.int64)
    first_child = _first_children(parent)
    below = np.flatnonzero(parent >= 0)
    last_child = np.full(len(parent), -1)
    last_child[parent[below]] = below  # postorder: the last assignment is the last child
    n_children = np.bincount(parent[below], minlength=len(parent))

    nodes, _ = phrases(side, is_equal, spans)
    above, first, last = parent[nodes], first_child[nodes], last_child[nodes]
    has_parent = above >= 0
    left, right = hulls(gold)
    size = gold.end - gold.start
    has_gap = np.append(right - left > size, False)  # the last for children that are not there
    start, end = left[nodes], right[nodes]
    begins, ends = has_parent & (left[above] == start), has_parent & (right[above] == end)

    def named(nodes: NDArray[np.int64]) -> Any:
        return coded(np.where(nodes >= 0, label[nodes], none), labels.tolist())

    columns: dict[str, Any] = {
        "sentence": sentence_of[nodes] + 1 + gold.first_sentence,
        "start": start.astype(np.int64),
        "end": end.astype(np.int64),
        "gaps": gaps_of(gold, nodes),
        "is_plain": ~(has_gap[nodes] | has_gap[first] | has_gap[last]),
        "first_end": np.where(first >= 0, right[first], start).astype(np.int64),
        "last_start": np.where(last >= 0, left[last], end).astype(np.int64),
        "label": named(nodes),
        "parent": named(above),
        "grandparent": named(np.where(has_parent, parent[above], -1)),
        "first_child": named(first),
        "first_words": classes(np.where(first >= 0, size[first], 0), _WORDS),
        "last_child": named(last),
        "children": classes(n_children[nodes], _CHILDREN),
        "words": classes(size[nodes], _WORDS),
        "edge": coded(
            np.select([~has_parent, begins & ends, begins, ends], [4, 3, 0, 2], 1),
            ["first", "inside", "last", "alone", "top"],
        ),
        "depth": classes(_depths(parent)[nodes], _DEPTHS),
        "length": classes(gold.n_words[sentence_of[nodes]], _SENTENCES),
        "found": (partner[nodes] >= 0).astype(np.float64),
    }
    return pd.DataFrame(columns)


def phrases(side: Normalized, chosen: NDArray[np.bool_], spans: Spans) -> tuple[NDArray[np.intp], pd.DataFrame]:
    """Return the phrases that count in some sentences, and a row with sentence, label number and span for each."""
    treebank = side.treebank
    sentence_of, _ = node_positions(treebank)
    nodes = np.flatnonzero((side.kinds == Kind.PHRASE) & chosen[sentence_of])
    rows = {
        "sentence": sentence_of[nodes] + 1,
        "label": treebank.label[nodes],
        "start": spans[0][nodes],
        "end": spans[1][nodes],
    }
    return nodes, pd.DataFrame(rows)


def gaps_of(treebank: Treebank, nodes: NDArray[np.intp]) -> NDArray[np.object_]:
    """Return the gaps of each of some nodes, as in the table of brackets; an empty text where there is none."""
    texts = np.full(len(treebank.kind), "", dtype=object)
    for node, text in gap_texts(treebank).items():
        texts[node] = text
    return texts[nodes]


def rules(treebank: Treebank) -> NDArray[np.object_]:
    """Return the rule of each phrase, ``NP → DT NN``; None for tags and words."""
    _, parent = node_positions(treebank)
    strings = treebank.vocabulary.labels.strings()
    kinds = treebank.kind.tolist()
    names = [
        "word" if kind == Kind.WORD else strings[number]
        for number, kind in zip(treebank.label.tolist(), kinds, strict=True)
    ]
    children: dict[int, list[str]] = {}
    for node, above in enumerate(parent.tolist()):  # postorder: children come from left to right
        if above >= 0 and kinds[above] == Kind.PHRASE:
            children.setdefault(above, []).append(names[node])
    result = np.full(len(names), None, dtype=object)
    for node, right in children.items():
        result[node] = f"{names[node]} → {' '.join(right)}"
    return result


def _lineages(treebank: Treebank, parent: NDArray[np.int64], names: NDArray[np.object_]) -> NDArray[np.object_]:
    """Return the labels from each phrase up to the root; None for tags and words."""
    result = np.full(len(parent), None, dtype=object)
    for node in np.flatnonzero(treebank.kind == Kind.PHRASE)[::-1].tolist():  # parents before children
        result[node] = names[node] if parent[node] < 0 else f"{names[node]} {result[parent[node]]}"
    return result


def _first_children(parent: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the first child of every node, -1 where it has none."""
    result = np.full(len(parent), -1, dtype=np.int64)
    below = np.flatnonzero(parent >= 0)[::-1]
    result[parent[below]] = below  # against postorder: the last assignment is the first child
    return result


def _depths(parent: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return 1 for roots, 2 for their children, and so on."""
    depth = np.ones(len(parent), dtype=np.int64)
    up = parent.copy()
    while (inside := up >= 0).any():
        depth[inside] += 1
        up[inside] = parent[up[inside]]
    return depth

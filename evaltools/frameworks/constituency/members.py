"""The gold words and brackets of constituency trees as members of groups: their features and scores.

Features are those of the gold trees after normalization, the same for all parsers.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pandas.api.types import union_categoricals

from evaltools.corpus import Kind, Treebank
from evaltools.frameworks.common.columns import SentenceStatus, node_positions
from evaltools.frameworks.common.configurations import categories, classes, coded
from evaltools.frameworks.constituency.bracketing import partners
from evaltools.frameworks.constituency.errors import BRACKET, Children, gold_trees, tree_pair
from evaltools.frameworks.constituency.normalization import Normalized, Pair, gaps_of, hulls
from evaltools.frameworks.presets import Preset
from evaltools.frameworks.questions import Configured, Members, Options, Scope

if TYPE_CHECKING:
    from evaltools.runs.store import Run


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

    rules = np.full(len(parent), None, dtype=object)
    phrases = np.flatnonzero(left.kind == Kind.PHRASE)
    rules[phrases] = Children.of(left).rules(phrases)

    def named(nodes: NDArray[np.int64]) -> Any:
        return coded(np.where(nodes >= 0, label[nodes], none), labels.tolist())

    def of_phrase(texts: NDArray[np.object_]) -> Any:
        return pd.Categorical(pd.Series(np.where(in_phrase, texts[phrase], _NONE), dtype=object).fillna(_NONE))

    columns: dict[str, Any] = {
        "sentence": sentence + 1 + gold.first_sentence,
        "word": normalized.numbers_as_read,
        "form": coded(left.label[words], left.vocabulary.words.strings()),
        "tag": named(tag),
        "parent": named(phrase),
        "grandparent": named(np.where(in_phrase, parent[phrase], -1)),
        "rule": of_phrase(rules),
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
    gold = _described(pair.gold, is_equal, of_gold)
    gold = gold.assign(status=np.where(gold["found"] == 1, "", "missing"))
    test = _described(pair.test, is_equal, of_test)
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


def _described(side: Normalized, is_equal: NDArray[np.bool_], partner: NDArray[np.int64]) -> pd.DataFrame:
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

    nodes = np.flatnonzero((side.kinds == Kind.PHRASE) & is_equal[sentence_of])
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
        "gaps": gaps_of(gold)[nodes],
        "is_plain": ~(has_gap[nodes] | has_gap[first] | has_gap[last]),
        "first_end": np.where(first >= 0, right[first], start).astype(np.int64),
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


_MIN_WORDS = 3
_MAX_TYPICAL = 7
"""Maximum number of words of a typical bracket."""

_CONDITIONS = {
    "tag": "tag {}",
    "form": "“{}”",
    "parent": "in {}",
    "grandparent": "under {}",
    "first_child": "that begins with {}",
    "last_child": "that ends with {}",
    "phrase_length": "phrase of {} words",
    "first_words": "first child of {} words",
    "children": "{} children",
    "words": "{} words",
    "depth": "depth {}",
    "length": "sentence of {} words",
    "position": "{} in the sentence",
    "place": "{} in its phrase",
    "edge": "{} in its parent",
    "label": "{}",
}
_NAMED = {
    ("place", "inside"): "phrase-internal",
    ("place", "alone"): "only word of its phrase",
    ("edge", "inside"): "middle child",
    ("edge", "alone"): "only child",
    ("edge", "first"): "first child of its parent",
    ("edge", "last"): "last child of its parent",
    ("edge", "top"): "top bracket",
    ("position", "inside"): "inside the sentence",
    ("parent", "–"): "without a parent",
    ("grandparent", "–"): "under the root",
}
_SINGULAR = {
    "phrase_length": "phrase of one word",
    "first_words": "first child of one word",
    "children": "one child",
    "words": "one word",
    "length": "sentence of one word",
}


def condition(feature: str, value: str) -> str:
    """Return a condition of a configuration in words.

    Examples
    --------
    >>> ", ".join(condition(*pair) for pair in [("label", "S"), ("first_child", "NP"), ("first_words", "1")])
    'S, that begins with NP, first child of one word'
    """
    if (feature, value) in _NAMED:
        return _NAMED[feature, value]
    return _SINGULAR[feature] if value == "1" and feature in _SINGULAR else _CONDITIONS[feature].format(value)


# ------------------------------------------------------------------------------------------------------------- members


def _numbers(run: Run, scope: Scope) -> list[int]:
    sql = f"select sentence from sentences where parser = ? and {scope.condition} order by sentence"
    numbers: list[int] = run.columns(sql, [run.parsers[0]])["sentence"].tolist()
    return numbers


def gold_words(run: Run, parser: str, scope: Scope, options: Options) -> pd.DataFrame:
    """Return the gold words with their features, similarities, and the wrong brackets that begin at each."""
    numbers = np.array(_numbers(run, scope), dtype=np.int64)
    features = word_features(gold_trees(run, numbers.tolist()))
    features = features.assign(sentence=numbers[features["sentence"].to_numpy(dtype=np.int64) - 1])
    scores = run.query(
        f"""
        with wrong as (
            select sentence, start, sum(cost)::bigint as cost from errors
            where parser = ? and kind = '{BRACKET}' and {scope.condition} group by all
        )
        select own.sentence, word, position as start, la_exact, la, coalesce(cost, 0) as cost
        from (select * from words where parser = ? and {scope.condition}) own
        left join wrong on own.sentence = wrong.sentence and own.position = wrong.start
        """,
        [parser, parser],
    )
    return features.merge(scores, on=["sentence", "word"], how="inner")


def brackets(run: Run, parser: str, scope: Scope, options: Options) -> pd.DataFrame:
    """Return the gold brackets, and the spurious ones, with their features."""
    numbers = np.array(_numbers(run, scope), dtype=np.int64)
    rows = bracket_features(tree_pair(run, parser, numbers.tolist()), run.rules)
    return rows.assign(sentence=numbers[rows["sentence"].to_numpy(dtype=np.int64) - 1])


def typical_words(run: Run, members: pd.DataFrame) -> str:
    """Return the words of the shortest of the brackets whose first child has the most frequent words.

    Brackets of which a child or the whole has gaps are not typical: their words do not follow one another. Brackets of
    fewer than three words come last: they show little of a construction.
    """
    members = members[members["is_plain"]]
    words = run.query(
        "select sentence, list(form order by position) as forms from words where parser = ? "
        "and sentence in (select unnest(?::integer[])) group by sentence",
        [run.parsers[0], members["sentence"].unique().tolist()],
    )
    of_sentence = dict(zip(words["sentence"].tolist(), words["forms"].tolist(), strict=True))
    columns = (members[name].tolist() for name in ("sentence", "start", "end", "first_end"))
    brackets = [
        (tuple(of_sentence[sentence][start:end]), tuple(of_sentence[sentence][start:first_end]))
        for sentence, start, end, first_end in zip(*columns, strict=True)
    ]
    counts = Counter(first for _, first in brackets)

    def rank(bracket: tuple[tuple[str, ...], tuple[str, ...]]) -> tuple[bool, int, int]:
        forms, first = bracket
        return len(forms) < _MIN_WORDS, -counts[first], len(forms)

    forms, _ = min(brackets, key=rank, default=((), ()))
    return " ".join((*forms[:_MAX_TYPICAL], "…") if len(forms) > _MAX_TYPICAL else forms)


WORDS = Members(
    "words",
    gold_words,
    ("start",),
    {"la": "Mean LA", "la_exact": "Mean LA"},
    FEATURES,
    cost_help="missing and spurious brackets that begin at these words",
)
"""Gold words."""

CONFIGURED_WORDS = Configured(
    tuple(name for name in FEATURES if name not in ("rule", "lineage")),  # too specific
    condition,
)

BRACKETS = Members(
    "gold brackets",
    brackets,
    ("start", "end", "gaps", "label", "status"),
    {"found": "Found"},
    BRACKET_FEATURES,
    cost_help="missing and spurious brackets that meet the conditions",
    conditions=Configured(tuple(BRACKET_FEATURES), condition, typical_words),
)
"""Gold brackets, and spurious ones."""

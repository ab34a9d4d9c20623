"""The gold words and brackets of constituency trees as members of groups: features, scores, and groups as fragments.

A configuration is shown as a fragment of a tree: what its conditions say of a node and those around it, with typical
words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

from evaltools.drawing import Drawing
from evaltools.drawing.fragments import ELIDED, Fragment, FragmentChild
from evaltools.frameworks.constituency.error_table import gold_trees, tree_pair
from evaltools.frameworks.constituency.errors import BRACKET
from evaltools.frameworks.constituency.features import BRACKET_FEATURES, FEATURES, bracket_features, word_features
from evaltools.frameworks.questions import Configured, Example, Members, Options, Scope, commonest_forms

if TYPE_CHECKING:
    from evaltools.runs.store import Run

ANY = "any"
"""Stands for a node of which the conditions do not say the label."""

BRACKET_LEGEND = (
    f"Fragment of the gold tree: dashed, with <: the bracket that is often missing or spurious; {ANY}: any label; "
    f"{ELIDED}: more constituents; lower-case: typical words."
)
WORD_LEGEND = (
    f"Fragment of the gold tree: the phrase of the words and what is above it; {ANY}: any label; {ELIDED}: more "
    "constituents; below a tag: typical words."
)
"""What the pictures of fragments show."""

_NONE = "–"
_REST = FragmentChild("")
_MIN_WORDS, _MAX_CHILD_WORDS = 3, 3


class TypicalBracket(NamedTuple):
    """The words of a bracket, of its first child and of its last one."""

    words: tuple[str, ...]
    first: tuple[str, ...]
    last: tuple[str, ...]


def shortened(words: tuple[str, ...], limit: int) -> str:
    """Return words as text, at most so many.

    Examples
    --------
    >>> shortened(("it", "is", "not", "enough"), 3)
    'it is not …'
    """
    return " ".join((*words[:limit], ELIDED) if len(words) > limit else words)


def typical_bracket(run: Run, members: pd.DataFrame) -> TypicalBracket | None:
    """Return the shortest of the brackets whose first child has the most frequent words; None without brackets.

    Brackets of which a child or the whole has gaps are not typical: their words do not follow one another.

    Brackets of fewer than three words come last: they show little of a construction.
    """
    brackets = []
    members = members[members["is_plain"]]
    words = run.query(
        "select sentence, list(form order by position) as forms from words where parser = ? "
        "and sentence in (select unnest(?::integer[])) group by sentence",
        [run.parsers[0], members["sentence"].unique().tolist()],
    )
    of_sentence = dict(zip(words["sentence"].tolist(), words["forms"].tolist(), strict=True))
    columns = (members[name].tolist() for name in ("sentence", "start", "end", "first_end", "last_start"))
    for sentence, start, end, first_end, last_start in zip(*columns, strict=True):
        forms = tuple(str(form) for form in of_sentence[sentence][start:end])
        brackets.append(TypicalBracket(forms, forms[: first_end - start], forms[last_start - start :]))
    if not brackets:
        return None
    counts = Counter(bracket.first for bracket in brackets)
    return min(brackets, key=lambda item: (len(item.words) < _MIN_WORDS, -counts[item.first], len(item.words)))


def bracket_fragment(conditions: Mapping[str, str], typical: TypicalBracket) -> Fragment:
    """Return the fragment of a configuration of brackets; the bracket is marked as missing.

    Examples
    --------
    >>> typical = TypicalBracket(("it", "is", "late"), ("it",), ("is", "late"))
    >>> str(bracket_fragment({"label": "S", "first_child": "NP", "parent": "SBAR", "edge": "last"}, typical))
    'SBAR → … S; S → NP(it) …'
    >>> str(bracket_fragment({"children": "2", "last_child": "VP"}, typical))
    'any → … VP(is late)'
    """
    edge = conditions.get("edge", "")
    first = _child(conditions.get("first_child", ANY if "first_words" in conditions else ""), typical.first)
    last = _child(conditions.get("last_child", ""), typical.last)
    n = conditions.get("children", "")
    if n == "1":
        children = (first or last or _child(ANY, typical.words) or _REST,)
    elif first is None and last is None and not n:
        children = (FragmentChild("", shortened(typical.words, _MAX_CHILD_WORDS)),)
    else:
        between = () if n == "2" or first is None or last is None else (_REST,)
        children = (first or _REST, *between, last or _REST)
    return Fragment(
        conditions.get("label", ANY),
        children,
        _above(conditions, is_parent_known=edge in ("first", "inside", "last", "alone")),
        before=edge in ("inside", "last"),
        after=edge in ("first", "inside"),
        is_lost=True,
    )


def word_fragment(conditions: Mapping[str, str], forms: str) -> Fragment:
    """Return the fragment of a configuration of words: their phrase and what is above it.

    Examples
    --------
    >>> str(word_fragment({"tag": "IN", "parent": "PP", "grandparent": "NP", "place": "first"}, "of, in"))
    'NP → PP; PP → IN(of, in) …'
    >>> str(word_fragment({"first_child": "NP", "place": "inside"}, "and"))
    'any → NP … and …'
    """
    word = FragmentChild(conditions.get("tag", ""), conditions.get("form", forms))
    place = conditions.get("place", "")
    first = conditions.get("first_child", "")
    before = () if place in ("first", "alone") else ((FragmentChild(first), _REST) if first else (_REST,))
    after = () if place in ("last", "alone") else (_REST,)
    above = conditions.get("grandparent", _NONE)
    return Fragment(conditions.get("parent", ANY), (*before, word, *after), () if above == _NONE else (above,))


def _child(label: str, words: tuple[str, ...]) -> FragmentChild | None:
    if not label or label == _NONE:
        return None
    return FragmentChild("" if label == "word" else label, shortened(words, _MAX_CHILD_WORDS))


def _above(conditions: Mapping[str, str], *, is_parent_known: bool) -> tuple[str, ...]:
    """Return the labels above a bracket; a parent without a known label if there must be one."""
    parent, grandparent = (conditions.get(name, "") for name in ("parent", "grandparent"))
    if parent == _NONE:
        return ()
    if grandparent and grandparent != _NONE:
        return (grandparent, parent or ANY)
    return (parent or ANY,) if parent or grandparent or is_parent_known else ()


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


def _draw_words(run: Run, conditions: Mapping[str, str], members: pd.DataFrame) -> Example:
    """Return the phrase of the words with the typical ones."""
    forms = commonest_forms(run, members)
    return Example(f"typical words: {forms}", Drawing(word_fragment(conditions, forms)))


def _typical_words(run: Run, members: pd.DataFrame) -> str:
    """Return the words of a typical bracket that is missed."""
    bracket = typical_bracket(run, members)
    return "" if bracket is None else shortened(bracket.words, _MAX_TYPICAL)


def _draw_brackets(run: Run, conditions: Mapping[str, str], members: pd.DataFrame) -> Example:
    """Return the bracket with its children and parents, with the words of a typical one that is missed."""
    bracket = typical_bracket(run, members) or TypicalBracket((), (), ())
    text = f"as in “{shortened(bracket.words, _MAX_TYPICAL)}”"
    return Example(text, Drawing(bracket_fragment(conditions, bracket)))


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
    draw=_draw_words,
    legend=WORD_LEGEND,
)

BRACKETS = Members(
    "gold brackets",
    brackets,
    ("start", "end", "gaps", "label", "status"),
    {"found": "Found"},
    BRACKET_FEATURES,
    cost_help="missing and spurious brackets that meet the conditions",
    conditions=Configured(tuple(BRACKET_FEATURES), condition, _typical_words, _draw_brackets, BRACKET_LEGEND),
)
"""Gold brackets, and spurious ones."""

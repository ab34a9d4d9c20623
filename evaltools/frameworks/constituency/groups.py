"""Where the errors of constituency trees are: by construction, error type, label, rule, word and configuration.

A configuration is shown as a fragment of a tree: what its conditions say of a node and those around it, with typical
words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from evaltools.drawing.blocks import Drawing
from evaltools.drawing.fragments import ELIDED, Fragment, FragmentChild
from evaltools.frameworks.common.differences import hotspots
from evaltools.frameworks.common.word_groups import (
    COST,
    MIN_COUNT,
    Configuration,
    ConfigurationGroups,
    GoldWords,
    ScoredWords,
    WordConfigurations,
    WordGroups,
    configurations,
)
from evaltools.frameworks.constituency.error_table import cached_pair, gold_trees
from evaltools.frameworks.constituency.features import (
    BRACKET_FEATURES,
    FEATURES,
    bracket_features,
    word_features,
)
from evaltools.frameworks.constituency.normalization import Normalized
from evaltools.frameworks.constituency.questions import (
    ATTACHMENTS,
    CHANGES,
    CONSTRUCTIONS,
    LABELS,
    RULES_OF_BRACKETS,
    SHARE,
    SINGLE,
    SUSPECTS,
    TYPES,
    Suspects,
    TreeErrors,
    TreeGroups,
)
from evaltools.frameworks.controls import Control
from evaltools.frameworks.groups import Column, Example, Excerpt, GroupBy, Line, Options, Part
from evaltools.frameworks.questions import NONE

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


def typical_bracket(members: pd.DataFrame, words: GoldWords) -> TypicalBracket | None:
    """Return the shortest of the brackets whose first child has the most frequent words; None without brackets.

    Brackets of which a child or the whole has gaps are not typical: their words do not follow one another.

    Brackets of fewer than three words come last: they show little of a construction.
    """
    brackets = []
    members = members[members["is_plain"]]
    columns = (members[name].tolist() for name in ("sentence", "start", "end", "first_end", "last_start"))
    for sentence, start, end, first_end, last_start in zip(*columns, strict=True):
        forms = tuple(words.forms[sentence - 1][at] for at in words.positions(sentence, start, end))
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


_EXCERPT_ROWS = 8
"""Number of rows in a report."""
_MAX_TYPICAL = 7
"""Maximum number of words of a typical bracket."""


# ------------------------------------------------------------------------------------------- what the groups consist of


def _gold(part: Part) -> Normalized:
    return gold_trees(part.run, part.size)


def gold_features(part: Part) -> pd.DataFrame:
    """Return the features of the gold words of the first sentences."""
    return word_features(part.cached(_gold))


def gold_words(part: Part) -> GoldWords:
    """Return the gold words of the first sentences."""
    normalized = part.cached(_gold)
    gold = normalized.read
    forms = np.array(gold.vocabulary.words.strings(), dtype=object)[gold.label[gold.word_nodes]]
    return GoldWords.of(forms, gold.n_words, normalized.dropped)


def _words(part: Part, parser: str) -> pd.DataFrame:
    """Return the gold words with their features and scores, and the number of wrong brackets that begin at each."""
    features, gold = part.cached(gold_features), part.cached(gold_words)
    sql = "select sentence, word, la_exact, la from words where parser = ? and sentence <= ?"
    words = features.merge(part.run.query(sql, [parser, part.size]), on=["sentence", "word"], how="inner")
    words = words.assign(start=gold.starts(words))
    begin = part.cached(_wrong_brackets, parser).groupby(["sentence", "start"]).size().rename(COST).reset_index()
    words = words.merge(begin.astype({"sentence": words["sentence"].dtype}), on=["sentence", "start"], how="left")
    return words.assign(cost=words[COST].fillna(0).astype(np.int64))


def _wrong_brackets(part: Part, parser: str) -> pd.DataFrame:
    return part.run.query(
        f"select sentence, start, \"end\", gaps, words, label, status, repair, status || ' ' || label as remark "
        f"from {SINGLE} where parser = ? and sentence <= ? and cost > 0 order by all",
        [parser, part.size],
    )


def _brackets(part: Part, parser: str) -> pd.DataFrame:
    return bracket_features(cached_pair(part, parser), part.run.rules)


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


# --------------------------------------------------------------------------------------------------- words and brackets


class _GoldGroups(TreeGroups):
    """Groups whose errors are wrong brackets over gold words."""

    def lines(self, part: Part, sentences: Sequence[int], errors: pd.DataFrame) -> list[Line]:
        """Return sentences with the words of their errors."""
        return part.cached(gold_words).lines(sentences, errors)


class _TreeWords(_GoldGroups, ScoredWords):
    main = COST
    schemes = MappingProxyType({"la": "Leaf-ancestor (LA), graded", "la_exact": "Leaf-ancestor (LA), exact"})
    short_schemes = MappingProxyType(dict.fromkeys(schemes, "LA"))
    default_scheme = "la"
    cost_columns = (Column(COST, "Brackets", help="missing and spurious brackets that begin at these words"), SHARE)

    def words(self, part: Part, parser: str) -> pd.DataFrame:
        """Return the gold words with their features, leaf-ancestor similarities, and wrong brackets of a parser."""
        return part.cached(_words, parser)

    def word_errors(self, part: Part, parser: str, words: pd.DataFrame) -> pd.DataFrame:
        """Return the wrong brackets that begin at words."""
        return part.cached(_wrong_brackets, parser).merge(words[["sentence", "start"]], on=["sentence", "start"])


class Words(_TreeWords, WordGroups):
    """Groups of gold words."""

    description = (
        "Wrong brackets by the gold word at which they begin; and the leaf-ancestor similarity (LA) of these words "
        "compared with that of all other words."
    )
    row_name = "group"
    features = FEATURES
    default_feature = "tag"


class ConfiguredWords(_TreeWords, WordConfigurations):
    """Configurations of words."""

    description = (
        "Combinations of two or three conditions whose words score lower than each condition alone predicts, with the "
        "wrong brackets that begin at them."
    )
    row_name = "configuration"
    drawn_legend = WORD_LEGEND
    conditions = tuple(name for name in FEATURES if name not in ("rule", "lineage"))  # too specific

    condition = staticmethod(condition)

    def draw(self, part: Part, configuration: Configuration, members: pd.DataFrame) -> Example:
        """Return the phrase of the words with the typical ones."""
        forms = self.typical(part, members)
        return Example(f"typical words: {forms}", Drawing(word_fragment(dict(configuration.conditions), forms)))


class ConfiguredBrackets(_GoldGroups, ConfigurationGroups):
    """Configurations of brackets."""

    id = "brackets"
    title = "Bracket configurations"
    description = (
        "Combinations of two or three conditions whose gold brackets are found less often than each condition alone "
        "predicts, with the missing and the spurious brackets that meet them."
    )
    row_name = "configuration"
    main = COST
    members_name = "gold brackets"
    cost_columns = (Column(COST, "Brackets", help="missing and spurious brackets that meet the conditions"), SHARE)
    drawn_legend = BRACKET_LEGEND

    @property
    def controls(self) -> tuple[Control, ...]:
        """The size of groups."""
        return (MIN_COUNT,)

    def mean_name(self, options: Options) -> str:
        """Return what the mean is of."""
        return "found"

    def mean_title(self, options: Options) -> str:
        """Return the heading of the column of means."""
        return "Found"

    condition = staticmethod(condition)

    def typical(self, part: Part, members: pd.DataFrame) -> str:
        """Return the words of a typical bracket that is missed."""
        bracket = typical_bracket(members, part.cached(gold_words))
        return "" if bracket is None else shortened(bracket.words, _MAX_TYPICAL)

    def draw(self, part: Part, configuration: Configuration, members: pd.DataFrame) -> Example:
        """Return the bracket with its children and parents, with the words of a typical one that is missed."""
        bracket = typical_bracket(members, part.cached(gold_words)) or TypicalBracket((), (), ())
        text = f"as in “{shortened(bracket.words, _MAX_TYPICAL)}”"
        return Example(text, Drawing(bracket_fragment(dict(configuration.conditions), bracket)))

    def members(self, part: Part, parser: str) -> pd.DataFrame:
        """Return the gold brackets, and the spurious ones."""
        return part.cached(_brackets, parser)

    def configurations(self, part: Part, parser: str, options: Options) -> list[Configuration]:
        """Return groups of brackets that the parser often misses."""
        return part.cached(_bracket_configurations, parser, options["least"])

    def errors(
        self, part: Part, parser: str, options: Options, row: Mapping[str, Any], other: str = ""
    ) -> pd.DataFrame:
        """Return the missing and spurious brackets of a group."""
        lost = self.members_at_fault(part, parser, options, row, other)
        keys = ["sentence", "start", "end", "gaps", "label", "status"]
        errors = part.cached(_wrong_brackets, parser).drop_duplicates(keys)
        return lost[keys].astype({"label": str}).merge(errors, on=keys)


def _bracket_configurations(part: Part, parser: str, least: int) -> list[Configuration]:
    return configurations(part.cached(_brackets, parser), list(BRACKET_FEATURES), "found", least=least)


GROUPS: dict[str, GroupBy] = {
    group.id: group
    for group in (
        *map(TreeErrors, (CONSTRUCTIONS, TYPES, LABELS, ATTACHMENTS, RULES_OF_BRACKETS)),
        Words(),
        ConfiguredBrackets(),
        ConfiguredWords(),
        TreeErrors(CHANGES),
        Suspects(SUSPECTS),
    )
}
"""The questions by their names in the URL: first constructions, then what is counted by label, rule or word."""


# -------------------------------------------------------------------------------------------------------------- reports


def _low_words(part: Part, parser: str, least: int) -> pd.DataFrame:
    if "la" not in part.run.metrics:
        return pd.DataFrame()
    words = part.cached(_words, parser)
    if words.empty:
        return pd.DataFrame()
    rows = hotspots(words, ["tag", "parent"], "la", least=least)
    rows = rows[(rows["mean"] < 1) & ~(rows["difference"] > 0)].head(_EXCERPT_ROWS)
    return rows.assign(group=[f"{tag} in {parent}" for tag, parent in zip(rows["tag"], rows["parent"], strict=True)])


def _confused_labels(part: Part, parser: str, least: int) -> pd.DataFrame:
    rows = GROUPS["labels"].rows(part, parser, {})
    both = (rows["gold"] != NONE) & (rows["test"] != NONE)
    return rows[both].head(_EXCERPT_ROWS)


EXCERPTS: tuple[Excerpt, ...] = (
    Excerpt(
        "Low-scoring words",
        _low_words,
        (
            Column("group", "tag in phrase", "text"),
            Column("count", "words"),
            Column("mean", "LA, graded", "points"),
            Column("difference", "difference to the rest", "points difference"),
            Column("share", "of the loss", "percent"),
        ),
        "Groups of at least {least} words.",
    ),
    Excerpt(
        "Confused labels",
        _confused_labels,
        (
            Column("gold", "gold", "text"),
            Column("test", "parse", "text"),
            Column("errors", "brackets"),
            Column("of_label", "share", "percent"),
        ),
        "Brackets over the same words with different labels; share: of the gold brackets with the label.",
    ),
)
"""What reports show of them."""

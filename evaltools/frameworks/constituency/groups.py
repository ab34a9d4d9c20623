"""Where the errors of constituency trees are: by construction, error type, word and configuration."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd

from evaltools.drawing.blocks import Drawing
from evaltools.frameworks.common.configurations import Configuration, configurations
from evaltools.frameworks.common.group_difference import hotspots
from evaltools.frameworks.common.sentence_status import SentenceStatus
from evaltools.frameworks.common.word_groups import (
    COST,
    FIGURES,
    MIN_COUNT,
    ConfigurationGroups,
    ScoredWords,
    WordConfigurations,
    WordGroups,
)
from evaltools.frameworks.constituency.bracket_groups import Attachments, Changes, Labels, Rules
from evaltools.frameworks.constituency.errors.bracket_errors import NO_BRACKET, wrong_brackets
from evaltools.frameworks.constituency.errors.error_table import ERROR_TYPES, cached_pair
from evaltools.frameworks.constituency.errors.error_types import OTHER
from evaltools.frameworks.constituency.errors.features import (
    BRACKET_FEATURES,
    FEATURES,
    all_bracket_features,
    n_wrong_phrases,
)
from evaltools.frameworks.constituency.rules.common_order import OrderedPair
from evaltools.frameworks.constituency.suspects import Suspects
from evaltools.frameworks.constituency.tree_fragments import (
    BRACKET_LEGEND,
    WORD_LEGEND,
    TypicalBracket,
    bracket_fragment,
    shortened,
    typical_bracket,
    word_fragment,
)
from evaltools.frameworks.constituency.tree_groups import SHARE, TreeGroups, gold_features, gold_words
from evaltools.frameworks.controls import Control
from evaltools.frameworks.groups import Column, Example, Excerpt, GroupBy, Options, Part
from evaltools.text import count_of

__all__ = ["EXCERPTS", "GROUPS"]

_EXCERPT_ROWS = 8
"""Number of rows in a report."""
_MAX_TYPICAL = 7
"""Maximum number of words of a typical bracket."""


# ------------------------------------------------------------------------------------------- what the groups consist of


def _words(part: Part, parser: str) -> pd.DataFrame:
    """Return the gold words with their features and scores, and the number of wrong brackets that begin at each."""
    features, gold = part.cached(gold_features), part.cached(gold_words)
    sql = "select sentence, word, la_strict, la_partial from words where parser = ? and sentence <= ?"
    words = features.merge(part.run.query(sql, [parser, part.size]), on=["sentence", "word"], how="inner")
    words = words.assign(start=gold.starts(words))
    begin = part.cached(_wrong_brackets, parser).groupby(["sentence", "start"]).size().rename(COST).reset_index()
    words = words.merge(begin.astype({"sentence": words["sentence"].dtype}), on=["sentence", "start"], how="left")
    return words.assign(cost=words[COST].fillna(0).astype(np.int64))


def _wrong_brackets(part: Part, parser: str) -> pd.DataFrame:
    return wrong_brackets(part.run, parser, part.size)


def _brackets(part: Part, parser: str) -> pd.DataFrame:
    return all_bracket_features(cached_pair(part, parser), part.run.rules)


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


# ------------------------------------------------------------------------------------------------------ types of errors


_OCCURRENCES = Column("occurrences", "Errors", help="steps of repairs")
_REPAIRED = Column("repaired", "Brackets", help="missing and spurious brackets that these steps repair")


def _unrepaired(part: Part, parser: str) -> tuple[int, int, int]:
    """Return how many sentences have no repairs, as no order or no time suffices, and their wrong brackets."""
    unordered = (np.flatnonzero(OrderedPair.of(cached_pair(part, parser)).refused) + 1).tolist()
    given_up = ERROR_TYPES.given_up(part, parser, ERROR_TYPES.rules.default)
    if not unordered and not given_up:
        return 0, 0, 0
    wrong = n_wrong_phrases(cached_pair(part, parser), part.run.rules)
    return len(unordered), len(given_up), int(wrong[np.array([*unordered, *given_up]) - 1].sum())


class _Repairs(TreeGroups):
    """Groups of the steps of repairs."""

    main = "repaired"
    preferred = "typical", "sentences in which a phrase is attached elsewhere"

    @property
    def controls(self) -> tuple[Control, ...]:
        """The rules."""
        return (ERROR_TYPES.rules,)

    def left_out(self, part: Part, parser: str) -> str:
        """Return how many sentences have no repair, and why."""
        n_unordered, n_given_up, n_brackets = part.cached(_unrepaired, parser)
        if not n_unordered + n_given_up:
            return ""
        n = int((cached_pair(part, parser).status == SentenceStatus.OK).sum())
        reasons = {
            "in no order of their words are the constituents of both trees continuous": n_unordered,
            "they are too long and too different to search a repair": n_given_up,
        }
        return (
            f"Without {n_unordered + n_given_up:,} of {n:,} sentences: "
            f"{', or '.join(reason for reason, number in reasons.items() if number)}, so they have no repairs. Their "
            f"{count_of(n_brackets, 'wrong bracket')} count in the shares."
        )

    def steps(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return the steps with the keys of the groups."""
        return ERROR_TYPES.steps(part, parser, options["rules"])

    def shares(self, part: Part, parser: str, repaired: pd.Series[int]) -> pd.Series[float]:
        """Return brackets that are repaired as shares of all wrong brackets, also of sentences without repairs."""
        return repaired.astype(np.float64) / max(int(repaired.sum()) + part.cached(_unrepaired, parser)[-1], 1)

    def errors(
        self, part: Part, parser: str, options: Options, row: Mapping[str, Any], other: str = ""
    ) -> pd.DataFrame:
        """Return the steps of a group, the typical ones first, and of these those that repair most."""
        steps = self.steps(part, parser, options)
        own: pd.DataFrame = steps[steps[self.keys[0]] == row[self.keys[0]]].rename(columns={"story": "remark"})
        return own.sort_values(["typical", "repaired"], ascending=False, kind="stable", ignore_index=True)

    def by_sentence(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return the brackets repaired by group and sentence."""
        steps = self.steps(part, parser, options)
        return steps[[self.keys[0], "sentence", "repaired"]].rename(columns={"repaired": "value"})


class Constructions(_Repairs):
    """Steps of repairs by what is where, and where it belongs."""

    id = "constructions"
    title = "Constructions"
    description = (
        "Where the parser has a phrase and where it belongs. Each wrong bracket counts once, at the repair that mends "
        "it. Two parents with the same label are different phrases; an arrow leads from a bracket to its children."
    )
    keys = ("construction",)
    row_name = "construction"

    def steps(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return the steps with their constructions."""
        return super().steps(part, parser, options).rename(columns={"part": "construction"})

    def rows(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return the constructions, each with its most frequent error type."""
        steps = self.steps(part, parser, options)
        groups = steps.groupby("construction", sort=False)
        rows = groups.agg(
            repaired=("repaired", "sum"), sentences=("sentence", "nunique"), occurrences=("sentence", "size")
        ).reset_index()
        types = steps.groupby(["construction", "type"], sort=True).size().rename("n").reset_index()
        types = types.sort_values("n", ascending=False, kind="stable").drop_duplicates("construction")
        rows = rows.merge(types[["construction", "type"]], on="construction", how="left")
        rows = rows.assign(share=self.shares(part, parser, rows["repaired"]))
        order = ["repaired", "occurrences", "construction"]
        return rows.sort_values(order, ascending=[False, False, True], ignore_index=True)

    def columns(self, options: Options) -> tuple[Column, ...]:
        """Return the construction and its figures."""
        name = Column("construction", "Construction", "text", width="large")
        return (name, _REPAIRED, SHARE, FIGURES["sentences"], _OCCURRENCES)

    def figures(self, row: pd.Series[Any], other: str = "") -> str:
        """Return the figures of a construction, and the most frequent error type of its steps."""
        figures = super().figures(row, other)
        return figures if other else f"{figures}; most often {row['type']}"


class Errors(_Repairs):
    """Steps of repairs by the type of mistake that each undoes."""

    id = "errors"
    title = "Error types"
    description = (
        "Steps that turn the parser’s tree into the gold tree, by the type of error that each corrects, with the "
        "number of brackets repaired. The rules decide the type: those of Kummerfeld et al. (2012), or the same for "
        "more labels."
    )
    keys = ("type",)
    row_name = "error type"
    leads = True
    has_parts = True
    parts_help = (
        "Where the parser has which phrase, and where it belongs; an arrow leads from a bracket to its children"
    )

    def rows(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return the types."""
        rows = ERROR_TYPES.totals(self.steps(part, parser, options))
        return rows.assign(share=self.shares(part, parser, rows["repaired"]))

    def columns(self, options: Options) -> tuple[Column, ...]:
        """Return the type and its figures."""
        name = Column("type", "Error type", "text", width="large")
        return (name, _REPAIRED, SHARE, FIGURES["sentences"], _OCCURRENCES)

    def uninformative(self, row: pd.Series[Any], options: Options) -> str:
        """Return why the residual type says little."""
        return "no rule of error types matches these errors" if row["type"] == OTHER.title else ""

    def uninformative_differences(self, rows: pd.DataFrame) -> pd.Series[bool]:
        """Return which row is the residual type."""
        return rows["type"] == OTHER.title


# --------------------------------------------------------------------------------------------------- words and brackets


class _TreeWords(TreeGroups, ScoredWords):
    main = COST
    schemes = MappingProxyType({"la_partial": "Leaf-ancestor (LA), graded", "la_strict": "Leaf-ancestor (LA), exact"})
    short_schemes = MappingProxyType(dict.fromkeys(schemes, "LA"))
    default_scheme = "la_partial"
    cost_columns = (Column(COST, "Brackets", help="missing and spurious brackets that begin at these words"), SHARE)

    def words(self, part: Part, parser: str) -> pd.DataFrame:
        """Return the gold words with their features, leaf-ancestor similarities, and wrong brackets of a parser."""
        return part.cached(_words, parser)

    def word_errors(self, part: Part, parser: str, words: pd.DataFrame) -> pd.DataFrame:
        """Return the wrong brackets that begin at words."""
        errors = part.cached(_wrong_brackets, parser).merge(words[["sentence", "start"]], on=["sentence", "start"])
        return errors.assign(remark=errors["status"] + " " + errors["label"])


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


class ConfiguredBrackets(TreeGroups, ConfigurationGroups):
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
        lost = lost[["sentence", "start", "end", "gaps", "label", "status"]].astype({"label": str})
        return lost.assign(remark=lost["status"] + " " + lost["label"]).reset_index(drop=True)


def _bracket_configurations(part: Part, parser: str, least: int) -> list[Configuration]:
    return configurations(part.cached(_brackets, parser), list(BRACKET_FEATURES), "found", least=least)


GROUPS: dict[str, GroupBy] = {
    group.id: group
    for group in (
        Constructions(),
        Errors(),
        Labels(),
        Attachments(),
        Rules(),
        Words(),
        ConfiguredBrackets(),
        ConfiguredWords(),
        Changes(),
        Suspects(),
    )
}
"""The questions by their names in the URL: first constructions, then what is counted by label, rule or word."""


# -------------------------------------------------------------------------------------------------------------- reports


def _low_words(part: Part, parser: str, least: int) -> pd.DataFrame:
    if "la_partial" not in part.run.metrics:
        return pd.DataFrame()
    words = part.cached(_words, parser)
    if words.empty:
        return pd.DataFrame()
    rows = hotspots(words, ["tag", "parent"], "la_partial", least=least)
    rows = rows[(rows["mean"] < 1) & ~(rows["difference"] > 0)].head(_EXCERPT_ROWS)
    return rows.assign(group=[f"{tag} in {parent}" for tag, parent in zip(rows["tag"], rows["parent"], strict=True)])


def _confused_labels(part: Part, parser: str, least: int) -> pd.DataFrame:
    rows = GROUPS["labels"].rows(part, parser, {})
    both = (rows["gold"] != NO_BRACKET) & (rows["test"] != NO_BRACKET)
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
            Column("count", "brackets"),
            Column("of_label", "share", "percent"),
        ),
        "Brackets over the same words with different labels; share: of the gold brackets with the label.",
    ),
)
"""What reports show of them."""

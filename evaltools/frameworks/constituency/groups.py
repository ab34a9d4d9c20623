"""Where the errors of constituency trees are: by type, word, configuration, label, rule and attachment."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd

from evaltools.drawing.blocks import Drawing
from evaltools.frameworks.common.configurations import Configuration, configurations
from evaltools.frameworks.common.confusion_matrix import REST, commonest, confusion_matrix, in_cell
from evaltools.frameworks.common.group_difference import hotspots
from evaltools.frameworks.common.word_groups import (
    FIGURES,
    MIN_COUNT,
    ConfigurationGroups,
    ScoredWords,
    WordConfigurations,
    WordGroups,
)
from evaltools.frameworks.constituency.errors.bracket_errors import (
    NO_BRACKET,
    attachments,
    confused_brackets,
    label_changes,
    label_confusions,
    rule_differences,
    rule_errors,
    rule_places,
)
from evaltools.frameworks.constituency.errors.error_table import ERROR_TYPES, cached_pair
from evaltools.frameworks.constituency.errors.error_types import OTHER
from evaltools.frameworks.constituency.errors.features import (
    BRACKET_FEATURES,
    FEATURES,
    bracket_features,
)
from evaltools.frameworks.constituency.suspects import Suspects
from evaltools.frameworks.constituency.tree_distance import CHANGES
from evaltools.frameworks.constituency.tree_fragments import (
    TypicalBracket,
    bracket_fragment,
    shortened,
    typical_bracket,
    word_fragment,
)
from evaltools.frameworks.constituency.tree_groups import TreeGroups, gold_words
from evaltools.frameworks.controls import Control
from evaltools.frameworks.groups import Column, Example, Excerpt, GroupBy, Matrix, Options, Part

__all__ = ["EXCERPTS", "GROUPS"]

_EXCERPT_ROWS = 8
"""Number of rows in a report."""
_MAX_TYPICAL = 7
"""Maximum number of words of a typical bracket."""


# ------------------------------------------------------------------------------------------- what the groups consist of


def _words(part: Part, parser: str) -> pd.DataFrame:
    features, _ = part.cached(gold_words)
    sql = "select sentence, word, la_strict, la_partial from words where parser = ? and sentence <= ?"
    return features.merge(part.run.query(sql, [parser, part.size]), on=["sentence", "word"], how="inner")


def _label_pairs(part: Part, parser: str) -> pd.DataFrame:
    return confused_brackets(part.run, parser, part.size)


def _label_counts(part: Part, parser: str) -> tuple[list[str], pd.DataFrame]:
    """Return the commonest labels, and the counts of all pairs of labels."""
    rows = label_confusions(part.run, parser, part.size)
    return commonest(rows, NO_BRACKET), rows


def _brackets(part: Part, parser: str) -> pd.DataFrame:
    return bracket_features(cached_pair(part, parser))


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


class Errors(TreeGroups):
    """Steps of repairs by the type of mistake that each undoes."""

    id = "errors"
    title = "Error types"
    description = (
        "Steps that turn the parser’s tree into the gold tree, by the type of error that each corrects (Kummerfeld et "
        "al. 2012), with the number of brackets repaired."
    )
    keys = ("type",)
    main = "repaired"
    unit = "wrong brackets"
    has_parts = True
    parts_help = "Where the parser has which phrase, and where it belongs; an arrow leads to the gold label"
    share_of_all = True

    @property
    def controls(self) -> tuple[Control, ...]:
        """The rules."""
        return (ERROR_TYPES.rules,)

    def rows(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return the types."""
        return ERROR_TYPES.totals(ERROR_TYPES.steps(part, parser, options["rules"]))

    def errors(
        self, part: Part, parser: str, options: Options, row: Mapping[str, Any], other: str = ""
    ) -> pd.DataFrame:
        """Return the steps of a type, those that repair most first."""
        steps = ERROR_TYPES.steps(part, parser, options["rules"])
        of_type: pd.DataFrame = steps[steps["type"] == row["type"]].rename(columns={"story": "remark"})
        return of_type.sort_values("repaired", ascending=False, kind="stable", ignore_index=True)

    def columns(self, options: Options) -> tuple[Column, ...]:
        """Return the type and its figures."""
        figures = (
            Column("occurrences", "Occurrences"),
            FIGURES["sentences"],
            Column("repaired", "Brackets", help="wrong brackets that the steps repair"),
        )
        return (Column("type", "Error type", "text", width="large"), *figures, FIGURES["share"])

    def uninformative(self, row: pd.Series[Any], options: Options) -> str:
        """Return why the residual type says little."""
        return "no rule of error types matches these errors" if row["type"] == OTHER.title else ""

    def uninformative_differences(self, rows: pd.DataFrame) -> pd.Series[bool]:
        """Return which row is the residual type."""
        return rows["type"] == OTHER.title

    def by_sentence(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return the brackets repaired by type and sentence."""
        steps = ERROR_TYPES.steps(part, parser, options["rules"])
        return pd.DataFrame({"type": steps["type"], "sentence": steps["sentence"], "value": steps["repaired"]})


# --------------------------------------------------------------------------------------------------- words and brackets


class _TreeWords(TreeGroups, ScoredWords):
    schemes = MappingProxyType({"la_partial": "Leaf-ancestor (LA), graded", "la_strict": "Leaf-ancestor (LA), exact"})
    short_schemes = MappingProxyType(dict.fromkeys(schemes, "LA"))
    default_scheme = "la_partial"

    def words(self, part: Part, parser: str) -> pd.DataFrame:
        """Return the gold words with their features and the leaf-ancestor similarities of a parser."""
        return part.cached(_words, parser)

    def word_errors(self, part: Part, words: pd.DataFrame, scheme: str) -> pd.DataFrame:
        """Return the positions of words, the sentence that loses most first."""
        starts = part.cached(gold_words)[1].starts(words)
        rows = pd.DataFrame(
            {"sentence": words["sentence"].to_numpy(), "start": starts, "loss": 1 - words[scheme].to_numpy()}
        )
        lost = rows.groupby("sentence")["loss"].transform("sum")
        rows = rows.assign(end=rows["start"] + 1, lost=lost, remark=[f"loss {value:.2f}" for value in lost])
        return rows.iloc[np.lexsort((rows["start"], rows["sentence"], -lost))].reset_index(drop=True)


class Words(_TreeWords, WordGroups):
    """Groups of gold words."""

    description = (
        "Groups of gold words compared with all other words by leaf-ancestor similarity (LA). Loss above average: what "
        "is lost beyond what it would be if the group scored like the rest."
    )
    features = FEATURES
    default_feature = "tag"
    columns_before = ("count", "sentences", "mean", "loss")


class ConfiguredWords(_TreeWords, WordConfigurations):
    """Configurations of words."""

    description = "Combinations of two or three conditions whose words score lower than each condition alone predicts."
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
        "predicts."
    )
    members_name = "brackets"

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
        bracket = typical_bracket(members, part.cached(gold_words)[1])
        return "" if bracket is None else shortened(bracket.words, _MAX_TYPICAL)

    def draw(self, part: Part, configuration: Configuration, members: pd.DataFrame) -> Example:
        """Return the bracket with its children and parents, with the words of a typical one that is missed."""
        bracket = typical_bracket(members, part.cached(gold_words)[1]) or TypicalBracket((), (), ())
        text = f"as in “{shortened(bracket.words, _MAX_TYPICAL)}”"
        return Example(text, Drawing(bracket_fragment(dict(configuration.conditions), bracket)))

    def members(self, part: Part, parser: str) -> pd.DataFrame:
        """Return the gold brackets."""
        return part.cached(_brackets, parser)

    def score(self, options: Options) -> str:
        """Return the column that says whether a bracket was found."""
        return "found"

    def configurations(self, part: Part, parser: str, options: Options) -> list[Configuration]:
        """Return groups of brackets that the parser often misses."""
        return part.cached(_bracket_configurations, parser, options["least"])

    def errors(
        self, part: Part, parser: str, options: Options, row: Mapping[str, Any], other: str = ""
    ) -> pd.DataFrame:
        """Return the brackets of a group that were not found."""
        lost = self.members_at_fault(part, parser, options, row)
        return lost[["sentence", "start", "end", "label"]].assign(remark="").reset_index(drop=True)


def _bracket_configurations(part: Part, parser: str, least: int) -> list[Configuration]:
    return configurations(part.cached(_brackets, parser), list(BRACKET_FEATURES), "found", least=least)


# ---------------------------------------------------------------------------------- labels, changes, rules, attachments


class Labels(TreeGroups):
    """Labels that are confused."""

    id = "labels"
    title = "Label confusions"
    unit = "bracket errors"
    description = (
        f"Gold and test brackets over the same words with different labels; {NO_BRACKET}: no bracket in the other tree."
    )
    keys = ("gold", "test")

    def rows(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return pairs of labels; ``share`` is of the brackets with the gold label, ``right`` the number correct."""
        _, rows = part.cached(_label_counts, parser)
        right = rows[rows["gold"] == rows["test"]].set_index("gold")["count"]
        total = rows.groupby("gold")["count"].sum()
        wrong = rows[rows["gold"] != rows["test"]]
        share = wrong["count"] / wrong["gold"].map(total)
        share = share.where(wrong["gold"] != NO_BRACKET)
        return wrong.assign(share=share, right=wrong["gold"].map(right)).reset_index(drop=True)

    def errors(
        self, part: Part, parser: str, options: Options, row: Mapping[str, Any], other: str = ""
    ) -> pd.DataFrame:
        """Return the brackets."""
        pairs = part.cached(_label_pairs, parser)
        common, _ = part.cached(_label_counts, parser)
        remarks = [""] * len(pairs)
        if REST in (row["gold"], row["test"]):
            remarks = [self.describe(pair) for _, pair in pairs.iterrows()]
        errors: pd.DataFrame = pairs.assign(remark=remarks)[in_cell(pairs, row, common, NO_BRACKET)]
        return errors.reset_index(drop=True)

    def by_sentence(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return the confused brackets, each counted once."""
        return part.cached(_label_pairs, parser)[[*self.keys, "sentence"]].assign(value=1)

    def matrix(self, part: Part, parser: str, options: Options) -> Matrix:
        """Return the counts of brackets, the correct ones on the diagonal."""
        common, rows = part.cached(_label_counts, parser)
        counts = confusion_matrix(rows, common, NO_BRACKET)
        return Matrix(counts, "Brackets over the same words; pale: right.", NO_BRACKET)

    def columns(self, options: Options) -> tuple[Column, ...]:
        """Return the labels and their figures."""
        labels = (Column("gold", "Gold label", "text"), Column("test", "Parser’s label", "text"))
        return (*labels, FIGURES["count"], FIGURES["share"], Column("right", "Right"))

    def heading(self, row: pd.Series[Any]) -> str:
        """Return what a row is called above its sentences."""
        return self.describe(row)

    def describe(self, row: pd.Series[Any]) -> str:
        """Return what a row is called in a sentence."""
        if row["gold"] == NO_BRACKET:
            return f"spurious {row['test']}"
        return f"missed {row['gold']}" if row["test"] == NO_BRACKET else f"{row['gold']} labeled as {row['test']}"


class Changes(TreeGroups):
    """Changes of the T-mapping."""

    id = "changes"
    title = "T-mapping"
    unit = "changes"
    description = (
        "Brackets and tags that the tree-edit alignment (T) leaves missing, spurious, relabeled or moved, by label."
    )
    keys = ("label", "change", "new_label")

    def rows(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return the changes."""
        rows = label_changes(part.run, parser, part.size)
        return rows.assign(new_label=rows["new_label"].fillna(""), status=rows["change"].replace(CHANGES))

    def errors(
        self, part: Part, parser: str, options: Options, row: Mapping[str, Any], other: str = ""
    ) -> pd.DataFrame:
        """Return the brackets with the change."""
        side = "t_test_status" if row["change"] == "inserted" else "t_gold_status"
        return part.run.query(
            f"select sentence, start, \"end\", label, '' as remark from brackets where parser = ? and sentence <= ? "
            f"and label = ? and {side} = ? and coalesce(t_label, '') = ? order by all",
            [parser, part.size, row["label"], row["change"], row["new_label"]],
        )

    def by_sentence(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return the changes by sentence."""
        rows = label_changes(part.run, parser, part.size, by_sentence=True).rename(columns={"count": "value"})
        return rows.assign(new_label=rows["new_label"].fillna(""))

    def columns(self, options: Options) -> tuple[Column, ...]:
        """Return the change and its count."""
        texts = {"label": "Label", "status": "Change", "new_label": "New label"}
        return (*(Column(name, title, "text") for name, title in texts.items()), FIGURES["count"])

    def describe(self, row: pd.Series[Any]) -> str:
        """Return what a row is called in a sentence."""
        change = CHANGES.get(row["change"], row["change"])
        if change in ("missing", "spurious"):
            return f"{change} {row['label']}"
        return f"{row['label']} {change}" + (f" as {row['new_label']}" if row["new_label"] else "")

    def heading(self, row: pd.Series[Any]) -> str:
        """Return what a row is called above its sentences."""
        return self.describe(row)


class Rules(TreeGroups):
    """Rules that are missed or spurious."""

    id = "rules"
    title = "Rules"
    description = "Rules missed (only in the gold tree) or spurious (only in the parse)."
    keys = ("rule",)
    main = "errors"
    unit = "rule errors"
    errors_within = True

    def rows(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return the rules."""
        rows = rule_differences(cached_pair(part, parser))
        rows = rows.assign(errors=rows["under"] + rows["over"])
        return rows[rows["errors"] > 0].reset_index(drop=True)

    def errors(
        self, part: Part, parser: str, options: Options, row: Mapping[str, Any], other: str = ""
    ) -> pd.DataFrame:
        """Return the phrases of either tree."""
        pair = cached_pair(part, parser)
        sides = [
            rule_places(pair, row["rule"], spurious=spurious).assign(remark=remark)
            for spurious, remark in ((False, "missed"), (True, "spurious"))
        ]
        return pd.concat(sides).sort_values(["sentence", "start"], kind="stable", ignore_index=True)

    def by_sentence(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return the errors, each counted once."""
        return rule_errors(cached_pair(part, parser)).assign(value=1)

    def columns(self, options: Options) -> tuple[Column, ...]:
        """Return the rule and its figures."""
        figures = {"under": "Missed", "over": "Spurious", "matched": "Right", "errors": "Errors"}
        rule = Column("rule", "Rule", "text", width="large")
        return (rule, *(Column(name, title) for name, title in figures.items()))


class Attachments(TreeGroups):
    """Brackets under a wrong parent."""

    id = "attachments"
    title = "Attachments"
    description = (
        "Constituents that both trees have, attached to different parents. Two parents with the same label are "
        "different phrases."
    )
    keys = ("child", "gold_parent", "test_parent")
    unit = "wrong attachments"

    def rows(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return the labels of brackets and parents."""
        groups = attachments(cached_pair(part, parser)).groupby(list(self.keys), sort=False)
        rows = groups.agg(count=("sentence", "size"), sentences=("sentence", "nunique")).reset_index()
        return rows.sort_values(["count", *self.keys], ascending=[False, True, True, True], ignore_index=True)

    def errors(
        self, part: Part, parser: str, options: Options, row: Mapping[str, Any], other: str = ""
    ) -> pd.DataFrame:
        """Return the brackets."""
        rows = attachments(cached_pair(part, parser))
        in_group = np.logical_and.reduce([(rows[name] == row[name]).to_numpy() for name in self.keys])
        return rows[in_group].assign(remark="").reset_index(drop=True)

    def by_sentence(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return the brackets, each counted once."""
        return attachments(cached_pair(part, parser))[[*self.keys, "sentence"]].assign(value=1)

    def columns(self, options: Options) -> tuple[Column, ...]:
        """Return the labels and their counts."""
        texts = {"child": "Constituent", "gold_parent": "Gold parent", "test_parent": "Parser’s parent"}
        labels = (Column(name, title, "text") for name, title in texts.items())
        return (*labels, FIGURES["count"], FIGURES["sentences"])

    def describe(self, row: pd.Series[Any]) -> str:
        """Return what a row is called in a sentence."""
        return f"{row['child']} attached to {row['test_parent']} instead of {row['gold_parent']}"


GROUPS: dict[str, GroupBy] = {
    group.id: group
    for group in (
        Errors(),
        Words(),
        ConfiguredWords(),
        ConfiguredBrackets(),
        Labels(),
        Changes(),
        Rules(),
        Attachments(),
        Suspects(),
    )
}
"""The questions by their names in the URL."""


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
    return rows[both].sort_values("count", ascending=False, kind="stable").head(_EXCERPT_ROWS)


EXCERPTS: tuple[Excerpt, ...] = (
    Excerpt(
        "Low-scoring words",
        _low_words,
        (
            Column("group", "tag in phrase", "text"),
            Column("count", "words"),
            Column("mean", "LA, graded", "score"),
            Column("difference", "difference to the rest", "difference"),
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
            Column("share", "share", "percent"),
        ),
        "Brackets over the same words with different labels; share: of the gold brackets with the label.",
    ),
)
"""What reports show of them."""

"""Where the wrong brackets of constituency trees are: by label, change of the T-mapping, rule and attachment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from evaltools.frameworks.common.confusion_matrix import commonest, confusion_matrix, in_cell
from evaltools.frameworks.common.word_groups import FIGURES
from evaltools.frameworks.constituency.errors.bracket_errors import (
    BRACKET_STATUS,
    NO_BRACKET,
    PhraseSides,
    attachments,
    confused_brackets,
    label_changes,
    label_confusions,
    parent_brackets,
    phrase_sides,
    rule_differences,
    rule_places,
    wrong_rules,
)
from evaltools.frameworks.constituency.errors.error_table import ERROR_TYPES, cached_pair
from evaltools.frameworks.constituency.tree_groups import BRACKETS, SHARE, TreeGroups, n_wrong_brackets
from evaltools.frameworks.groups import Column, Matrix, Options, Part
from evaltools.marks import Status

__all__ = ["Attachments", "Changes", "Labels", "Rules"]


def _label_pairs(part: Part, parser: str) -> pd.DataFrame:
    pairs = confused_brackets(part.run, parser, part.size)
    return pairs.assign(brackets=brackets_of(pairs))


def brackets_of(pairs: pd.DataFrame) -> pd.Series[int]:
    """Return the number of wrong brackets of each pair of labels: two, or one where there is no bracket."""
    return 2 - (pairs["gold"] == NO_BRACKET).astype(int) - (pairs["test"] == NO_BRACKET).astype(int)


def _label_counts(part: Part, parser: str) -> tuple[list[str], pd.DataFrame]:
    """Return the commonest labels, and the counts of all pairs of labels."""
    rows = label_confusions(part.run, parser, part.size)
    return commonest(rows, NO_BRACKET), rows


def _sides(part: Part, parser: str) -> PhraseSides:
    return phrase_sides(cached_pair(part, parser), part.run.rules)


def _attachments(part: Part, parser: str) -> pd.DataFrame:
    """Return the wrong attachments; those of a step of the repair have its number as ``step``, others NaN."""
    rows = attachments(part.cached(_sides, parser))
    steps = ERROR_TYPES.steps(part, parser, ERROR_TYPES.rules.default)
    steps = steps.loc[steps["attached"], ["sentence", "start", "end", "gaps", "step"]]
    return rows.merge(steps.drop_duplicates(["sentence", "start", "end", "gaps"]), how="left")


class Labels(TreeGroups):
    """Labels that are confused."""

    id = "labels"
    title = "Label confusions"
    description = (
        f"Gold and test brackets over the same words with different labels: two brackets each, one missing and one "
        f"spurious; {NO_BRACKET}: no bracket in the other tree."
    )
    keys = ("gold", "test")

    def rows(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return pairs of labels; ``of_label`` is the share of the gold label, ``right`` the number correct."""
        _, rows = part.cached(_label_counts, parser)
        right = rows[rows["gold"] == rows["test"]].set_index("gold")["count"]
        total = rows.groupby("gold")["count"].sum()
        wrong = rows[rows["gold"] != rows["test"]]
        of_label = (wrong["count"] / wrong["gold"].map(total)).where(wrong["gold"] != NO_BRACKET)
        sentences = part.cached(_label_pairs, parser).groupby(list(self.keys))["sentence"].nunique().rename("sentences")
        brackets = wrong["count"] * brackets_of(wrong)
        wrong = wrong.assign(of_label=of_label, right=wrong["gold"].map(right), brackets=brackets)
        wrong = wrong.join(sentences, on=list(self.keys)).assign(
            share=brackets / max(n_wrong_brackets(part, parser), 1)
        )
        order = ["brackets", "count", "gold", "test"]
        return wrong.sort_values(order, ascending=[False, False, True, True], ignore_index=True)

    def errors(
        self, part: Part, parser: str, options: Options, row: Mapping[str, Any], other: str = ""
    ) -> pd.DataFrame:
        """Return the brackets."""
        pairs = part.cached(_label_pairs, parser)
        common, _ = part.cached(_label_counts, parser)
        of_row = pairs[in_cell(pairs, row, common, NO_BRACKET)]
        return of_row.assign(remark=[self.describe(pair) for _, pair in of_row.iterrows()]).reset_index(drop=True)

    def by_sentence(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return the confused brackets."""
        return part.cached(_label_pairs, parser)[[*self.keys, "sentence", "brackets"]].rename(
            columns={"brackets": "value"}
        )

    def matrix(self, part: Part, parser: str, options: Options) -> Matrix:
        """Return the counts of brackets, the correct ones on the diagonal."""
        common, rows = part.cached(_label_counts, parser)
        counts = confusion_matrix(rows, common, NO_BRACKET)
        return Matrix(counts, "Brackets over the same words; pale: right.", NO_BRACKET)

    def columns(self, options: Options) -> tuple[Column, ...]:
        """Return the labels and their figures."""
        labels = (Column("gold", "Gold label", "text", width=88), Column("test", "Parser’s label", "text", width=104))
        count = Column("count", "Occurrences")
        of_label = Column("of_label", "Of the label", "percent", help="share of the gold brackets with the label")
        return (*labels, BRACKETS, SHARE, FIGURES["sentences"], count, of_label, Column("right", "Right"))

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
    description = (
        "Brackets and tags that the tree-edit alignment (T) leaves missing, spurious, relabeled or moved, by label, "
        "with the wrong brackets among them."
    )
    keys = ("label", "change", "new_label")
    error = "node"

    def rows(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return the changes."""
        rows = label_changes(part.run, parser, part.size)
        return rows.assign(
            new_label=rows["new_label"].fillna(""),
            share=rows["brackets"] / max(n_wrong_brackets(part, parser), 1),
        )

    def errors(
        self, part: Part, parser: str, options: Options, row: Mapping[str, Any], other: str = ""
    ) -> pd.DataFrame:
        """Return the brackets with the change, wrong ones first."""
        side = "t_test_status" if row["change"] == Status.SPURIOUS else "t_gold_status"
        return part.run.query(
            f"select sentence, b.start, b.\"end\", coalesce(b.gaps, '') as gaps, b.label, '' as remark, "
            f"{BRACKET_STATUS} is not null as wrong "
            f"from brackets b join sentences s using (parser, sentence) "
            f"where b.parser = ? and sentence <= ? and s.sentences > 0 and s.status <> 'missing' and b.label = ? "
            f"and b.{side} = ? and coalesce(b.t_label, '') = ? order by wrong desc, sentence, b.start, b.\"end\"",
            [parser, part.size, row["label"], row["change"], row["new_label"]],
        )

    def by_sentence(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return the wrong brackets by sentence."""
        rows = label_changes(part.run, parser, part.size, by_sentence=True).rename(columns={"brackets": "value"})
        return rows.assign(new_label=rows["new_label"].fillna(""))

    def columns(self, options: Options) -> tuple[Column, ...]:
        """Return the change and its figures."""
        texts = {"label": "Label", "change": "Change", "new_label": "New label"}
        names = (Column(name, title, "text", width=76) for name, title in texts.items())
        return (*names, BRACKETS, SHARE, FIGURES["sentences"], Column("count", "Nodes", help="brackets and tags"))

    def describe(self, row: pd.Series[Any]) -> str:
        """Return what a row is called in a sentence."""
        if row["change"] in (Status.MISSING, Status.SPURIOUS):
            return f"{row['change']} {row['label']}"
        return f"{row['label']} {row['change']}" + (f" as {row['new_label']}" if row["new_label"] else "")

    def heading(self, row: pd.Series[Any]) -> str:
        """Return what a row is called above its sentences."""
        return self.describe(row)


class Rules(TreeGroups):
    """Rules of missing and spurious brackets."""

    id = "rules"
    title = "Rules"
    description = (
        "Brackets that are missing or spurious, by their rule; and how often a rule is missed (only in the gold tree) "
        "or spurious (only in the parse), also at right brackets."
    )
    keys = ("rule",)
    row_name = "rule"
    error = "occurrence"
    errors_within = True

    def rows(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return the rules."""
        rows = rule_differences(part.cached(_sides, parser))
        rows = rows.assign(share=rows["brackets"] / max(n_wrong_brackets(part, parser), 1))
        return rows[rows["under"] + rows["over"] + rows["brackets"] > 0].reset_index(drop=True)

    def errors(
        self, part: Part, parser: str, options: Options, row: Mapping[str, Any], other: str = ""
    ) -> pd.DataFrame:
        """Return the phrases of either tree, wrong brackets first."""
        sides = part.cached(_sides, parser)
        label = str(row["rule"]).split(" → ", 1)[0]
        places = [
            rule_places(sides, row["rule"], spurious=spurious).assign(remark=remark, label=label)
            for spurious, remark in ((False, "missed"), (True, "spurious"))
        ]
        order = ["wrong", "sentence", "start"]
        return pd.concat(places).sort_values(order, ascending=[False, True, True], kind="stable", ignore_index=True)

    def by_sentence(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return the wrong brackets, each counted once."""
        return wrong_rules(part.cached(_sides, parser)).assign(value=1)

    def columns(self, options: Options) -> tuple[Column, ...]:
        """Return the rule and its figures."""
        rule = Column("rule", "Rule", "text", width="large")
        counts = {"under": "Missed", "over": "Spurious", "matched": "Right"}
        figures = (Column(name, title, help="occurrences of the rule") for name, title in counts.items())
        return (rule, BRACKETS, SHARE, FIGURES["sentences"], *figures)


class Attachments(TreeGroups):
    """Brackets under a wrong parent."""

    id = "attachments"
    title = "Attachments"
    description = (
        "Constituents that both trees have under different parents, with the wrong ones among these parents. A wrong "
        "bracket counts in every row that has one of its constituents; in Constructions it counts once."
    )
    keys = ("child", "gold_parent", "test_parent")
    row_name = "attachment"
    error = "constituent"

    def rows(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return the labels of constituents and parents."""
        keys, places = list(self.keys), part.cached(_attachments, parser)
        rows = places.groupby(keys, sort=False).agg(count=("sentence", "size")).reset_index()
        groups = parent_brackets(places, keys).groupby(keys, sort=False)["sentence"]
        figures = groups.agg(brackets="size", sentences="nunique")
        rows = rows.join(figures, on=keys).fillna({"brackets": 0, "sentences": 0})
        rows = rows.astype({"brackets": np.int64, "sentences": np.int64})
        rows = rows.assign(
            name=[self.describe(row) for _, row in rows.iterrows()],
            share=rows["brackets"] / max(n_wrong_brackets(part, parser), 1),
        )
        return rows.sort_values(
            ["brackets", "count", *keys], ascending=[False, False, True, True, True], ignore_index=True
        )

    def rows_of_both(self, part: Part, parser: str, other: str, options: Options) -> pd.DataFrame:
        """Return the rows that either parser has."""
        rows = super().rows_of_both(part, parser, other, options)
        return rows.assign(name=[self.describe(row) for _, row in rows.iterrows()])

    def errors(
        self, part: Part, parser: str, options: Options, row: Mapping[str, Any], other: str = ""
    ) -> pd.DataFrame:
        """Return the constituents, those that a step of the repair moves first."""
        rows = part.cached(_attachments, parser)
        in_group = np.logical_and.reduce([(rows[name] == row[name]).to_numpy() for name in self.keys])
        own = rows[in_group]
        wrong = own["parent_wrong_gold"] | own["parent_wrong_test"]
        own = own.assign(remark="", wrong=wrong & own["step"].notna())
        return own.sort_values("wrong", ascending=False, kind="stable", ignore_index=True)

    def by_sentence(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return the wrong parents, each counted once."""
        return parent_brackets(part.cached(_attachments, parser), self.keys).assign(value=1)

    def columns(self, options: Options) -> tuple[Column, ...]:
        """Return the attachment in words and its figures."""
        brackets = Column(
            "brackets",
            "Brackets",
            help="missing and spurious brackets right above the constituents; one above several counts in each row",
        )
        name = Column("name", "Attachment", "text", width="large")
        return (name, brackets, SHARE, FIGURES["sentences"], Column("count", "Constituents"))

    def describe(self, row: pd.Series[Any]) -> str:
        """Return what a row is called in a sentence."""
        child, right, wrong = (_parent(row[name]) for name in ("child", "gold_parent", "test_parent"))
        return f"{child} in {wrong}, belongs in {right}"

    def heading(self, row: pd.Series[Any]) -> str:
        """Return what a row is called above its sentences."""
        return self.describe(row)


def _parent(label: str) -> str:
    return "no bracket" if label == NO_BRACKET else label

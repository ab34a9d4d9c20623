"""Groups of words or brackets by their features, for frameworks that have a table of them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evaltools.frameworks.common.configurations import Configuration, configurations
from evaltools.frameworks.common.group_difference import hotspots
from evaltools.frameworks.common.parser_difference import excess_by_sentence, sum_error
from evaltools.frameworks.controls import Choice, Control, Number
from evaltools.frameworks.groups import Column, Differences, Example, GroupBy, Options, Part, amount, with_intervals

__all__ = ["FIGURES", "MIN_COUNT", "ConfigurationGroups", "ScoredWords", "WordConfigurations", "WordGroups"]

MIN_COUNT = Number("least", "Minimum count", 30)
"""The control for the size of groups."""

FIGURES: dict[str, Column] = {
    column.name: column
    for column in (
        Column("count", "Count"),
        Column("sentences", "Sentences"),
        Column("rest", "Rest", "score"),
        Column("loss", "Loss"),
        Column(
            "share",
            "Share",
            "percent",
            help="of the total named above the table: the loss, the brackets repaired, or the brackets with a label",
        ),
        Column("excess", "Loss above average", help="loss beyond what it would be if the group scored like the rest"),
        Column("difference", "Difference", "score"),
        Column(
            "interval",
            "95 % interval",
            "text",
            help="95 % interval of the difference to the rest; words of one sentence are not treated as independent",
        ),
        Column(
            "flag",
            "Significant",
            "text",
            help="✓: significant at a false discovery rate (FDR) of 5 % among the groups compared",
        ),
    )
}
"""Columns of groups that are compared with the rest."""


_TYPICAL = 3
"""Number of typical words."""

GroupMasks = Callable[[str], NDArray[np.intp]]
"""From the name of a group to the positions of its members."""


class _Scored(GroupBy):
    """Groups whose members lose some of a score, compared with the rest."""

    main = "excess"
    unit = "loss above average"
    members_name: ClassVar[str] = "words"
    """The noun for the members of groups."""

    @abstractmethod
    def mean_name(self, options: Options) -> str:
        """Return the name of the score that is averaged."""

    def finding(self, row: pd.Series[Any], parser: str, options: Options) -> str:
        """Compare a group with the rest."""
        rest = row["rest"] if "rest" in row else row["mean"] - row["difference"]
        name, n = self.mean_name(options), int(row["count"])
        return (
            f"{parser} has its largest loss above average at “{row['group']}”: {amount(round(row['excess'], 1))} "
            f"{self.members_name} ({name} {row['mean']:.3f} against {rest:.3f} elsewhere, over {n:,} "
            f"{self.members_name})"
        )

    def uninformative(self, row: pd.Series[Any], options: Options) -> str:
        """Return why a group says little about the parser."""
        if not row["excess"] > 0:
            return "it scores no lower than the rest"
        return "" if row["flag"] else "the difference to the rest is not significant"

    def uninformative_differences(self, rows: pd.DataFrame) -> pd.Series[bool]:
        """Return in which groups neither parser loses more than average."""
        return ~((rows[self.main] > 0) | (rows["other"] > 0))

    @abstractmethod
    def scored(self, part: Part, parser: str, options: Options) -> tuple[pd.DataFrame, str]:
        """Return the members of all groups, and the name of their score."""

    @abstractmethod
    def group_masks(self, part: Part, parser: str, options: Options, members: pd.DataFrame) -> GroupMasks:
        """Return a function from the name of a group of `parser` to the positions of its members."""

    def standard_errors(
        self, part: Part, parser: str, other: str, options: Options, rows: pd.DataFrame
    ) -> NDArray[np.float64]:
        """Return the standard errors of the differences of the losses above average."""
        sides = []
        for name in (parser, other):
            members, score = self.scored(part, name, options)
            members = members[members[score].notna()]
            values = members["sentence"].to_numpy(dtype=np.int64), members[score].to_numpy(dtype=np.float64)
            sides.append((*values, self.group_masks(part, parser, options, members)))
        errors = []
        for group in rows["group"].tolist():
            first, second = (
                excess_by_sentence(sentence, score, of_group(group), part.size) for sentence, score, of_group in sides
            )
            errors.append(sum_error(first - second))
        return np.array(errors, dtype=np.float64)


class ScoredWords(_Scored):
    """Groups of gold words, by one of their scores."""

    schemes: ClassVar[Mapping[str, str]]
    """The scores that may be lost, with their titles."""
    short_schemes: ClassVar[Mapping[str, str]]
    """Their names in a table."""
    default_scheme: ClassVar[str]

    @abstractmethod
    def words(self, part: Part, parser: str) -> pd.DataFrame:
        """Return the gold words with their features and the scores of a parser."""

    @abstractmethod
    def word_errors(self, part: Part, words: pd.DataFrame, scheme: str) -> pd.DataFrame:
        """Return words as errors, the worst sentence first."""

    @property
    def scheme_control(self) -> Choice:
        """The control for the score."""
        return Choice("scheme", "Score", self.schemes, self.default_scheme, is_menu=True)

    def mean_name(self, options: Options) -> str:
        """Return the score."""
        return self.short_schemes[options["scheme"]]


class WordGroups(ScoredWords):
    """Groups of gold words with one value of a feature, against all other words."""

    id = "words"
    title = "Words"
    features: ClassVar[Mapping[str, str]]
    """The features that words can be grouped by, with their titles."""
    default_feature: ClassVar[str]
    columns_before: ClassVar[tuple[str | Column, ...]]
    """The columns between the group and the comparison."""

    @property
    def controls(self) -> tuple[Control, ...]:
        """The feature, the score, and the size of groups."""
        feature = Choice("by", "Group by", self.features, self.default_feature, is_menu=True)
        return (feature, self.scheme_control, MIN_COUNT)

    def compare(self, words: pd.DataFrame, by: str, options: Options) -> pd.DataFrame:
        """Return the table of groups by a feature."""
        return hotspots(words, by, options["scheme"], least=options["least"])

    def rows(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return the groups by a feature."""
        rows = self.compare(self.words(part, parser), options["by"], options)
        return with_intervals(rows.rename(columns={options["by"]: "group"}).astype({"group": str}))

    def scored(self, part: Part, parser: str, options: Options) -> tuple[pd.DataFrame, str]:
        """Return the words and the name of their score."""
        return self.words(part, parser), str(options["scheme"])

    def group_masks(self, part: Part, parser: str, options: Options, members: pd.DataFrame) -> GroupMasks:
        """Return the function from a value of the feature to its words."""
        names = [str(value) for value in members[str(options["by"])].tolist()]
        distinct, codes = np.unique(np.array(names, dtype=str), return_inverse=True)
        codes = codes.reshape(-1)
        ends = np.cumsum(np.bincount(codes, minlength=len(distinct)))[:-1]
        in_order = np.split(np.argsort(codes, kind="stable"), ends)
        positions = {
            str(name): own for name, own in zip(distinct.tolist(), in_order, strict=False)
        }  # no words: no names
        return lambda group: positions.get(group, np.zeros(0, dtype=np.intp))

    def errors(
        self, part: Part, parser: str, options: Options, row: Mapping[str, Any], other: str = ""
    ) -> pd.DataFrame:
        """Return the words of a group that lost something."""
        words = self.words(part, parser)
        own = (words[options["by"]].astype(str) == row["group"]) & (words[options["scheme"]] < 1)
        return self.word_errors(part, words[own], options["scheme"])

    def columns(self, options: Options) -> tuple[Column, ...]:
        """Return the group, its figures and the comparison with the rest."""
        feature = self.features[options["by"]]
        mean = Column("mean", f"Mean {self.mean_name(options)}", "score")
        figures = {**FIGURES, "mean": mean}
        names = (*self.columns_before, "share", "excess", "difference", "interval", "flag")
        group = Column("group", feature[0].upper() + feature[1:], "text", width="large")
        return (group, *(name if isinstance(name, Column) else figures[name] for name in names))

    def chart(self, rows: pd.DataFrame, options: Options, other: str = "") -> Differences | None:
        """Draw the differences to the rest."""
        description = "Difference of each group to all other words."
        return Differences(rows, f"mean {self.mean_name(options)}", description)


class ConfigurationGroups(_Scored):
    """Groups with two or three features in common that score unusually low."""

    @abstractmethod
    def condition(self, feature: str, value: str) -> str:
        """Return a condition in words."""

    @abstractmethod
    def mean_title(self, options: Options) -> str:
        """Return the heading of the column of means."""

    @abstractmethod
    def members(self, part: Part, parser: str) -> pd.DataFrame:
        """Return the words or brackets, with features and scores."""

    @abstractmethod
    def score(self, options: Options) -> str:
        """Return the column of scores."""

    @abstractmethod
    def configurations(self, part: Part, parser: str, options: Options) -> list[Configuration]:
        """Return the groups of a parser."""

    def name(self, configuration: Configuration) -> str:
        """Return the conditions of a group in words."""
        return ", ".join(self.condition(feature, value) for feature, value in configuration.conditions)

    def rows(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return the groups."""
        rows = [
            (self.name(item), item.count, item.mean, item.rest, item.low, item.high, item.excess, item.flagged)
            for item in self.configurations(part, parser, options)
        ]
        names = ["group", "count", "mean", "rest", "low", "high", "excess", "flagged"]
        table = with_intervals(pd.DataFrame(rows, columns=names))
        table = table.sort_values("excess", ascending=False, kind="stable", ignore_index=True)
        typical = part.memory(
            ("typical words", self.id, parser, *options.items()),
            lambda: [
                self.typical(part, self.members_at_fault(part, parser, options, {"group": name}))
                for name in table["group"].tolist()
            ],
        )
        return table.assign(typical=typical)

    @abstractmethod
    def typical(self, part: Part, members: pd.DataFrame) -> str:
        """Return typical words of members of a group."""

    def draw(self, part: Part, configuration: Configuration, members: pd.DataFrame) -> Example | None:
        """Return a group as a picture with typical words of members that lost something; None without pictures."""
        return None

    def drawn(self, part: Part, parser: str, options: Options) -> list[Example]:
        """Return the groups as pictures."""
        of_names = {self.name(item): item for item in self.configurations(part, parser, options)}
        names = self.rows(part, parser, options)["group"].tolist()
        drawn = (
            self.draw(part, of_names[name], self.members_at_fault(part, parser, options, {"group": name}))
            for name in names
        )
        return [example for example in drawn if example is not None]

    def scored(self, part: Part, parser: str, options: Options) -> tuple[pd.DataFrame, str]:
        """Return the members of all groups, and the name of their score."""
        return self.members(part, parser), self.score(options)

    def group_masks(self, part: Part, parser: str, options: Options, members: pd.DataFrame) -> GroupMasks:
        """Return the function from the conditions of a group to its members."""
        of_names = {self.name(item): item for item in self.configurations(part, parser, options)}
        return lambda group: np.flatnonzero(of_names[group].members(members))

    def rows_of_both(self, part: Part, parser: str, other: str, options: Options) -> pd.DataFrame:
        """Return the groups of the first parser, with what the other loses in them as ``other``."""
        rows = self.rows(part, parser, options)
        members, score = self.members(part, other), self.score(options)
        losses = {}
        for configuration in self.configurations(part, parser, options):
            inside = configuration.members(members)
            scores, rest = members[score][inside], members[score][~inside]
            losses[self.name(configuration)] = float((rest.mean() - scores.mean()) * scores.notna().sum())
        return rows.assign(other=rows["group"].map(losses))

    def members_at_fault(self, part: Part, parser: str, options: Options, row: Mapping[str, Any]) -> pd.DataFrame:
        """Return the members of a group that lost something."""
        (group,) = (item for item in self.configurations(part, parser, options) if self.name(item) == row["group"])
        members = self.members(part, parser)
        return members[group.members(members) & (members[self.score(options)] < 1).to_numpy()]

    def columns(self, options: Options) -> tuple[Column, ...]:
        """Return the conditions, the mean score, and the comparison with the rest."""
        group = Column("group", "Conditions", "text", width="large")
        mean = Column("mean", self.mean_title(options), "score")
        typical = Column("typical", "Typical words", "text", "words of members that lost something", 150)
        figures = (FIGURES[name] for name in ("rest", "interval", "excess", "flag"))
        return (group, typical, FIGURES["count"], mean, *figures)


class WordConfigurations(ConfigurationGroups, ScoredWords):
    """Groups of words."""

    id = "configurations"
    title = "Word configurations"
    conditions: ClassVar[tuple[str, ...]]
    """The features in conditions."""

    @property
    def controls(self) -> tuple[Control, ...]:
        """The score, and the size of groups."""
        return (self.scheme_control, MIN_COUNT)

    def members(self, part: Part, parser: str) -> pd.DataFrame:
        """Return the words."""
        return self.words(part, parser)

    def typical(self, part: Part, members: pd.DataFrame) -> str:
        """Return the most frequent forms."""
        return ", ".join(str(form) for form in members["form"].astype(str).value_counts().index[:_TYPICAL])

    def score(self, options: Options) -> str:
        """Return the score."""
        return str(options["scheme"])

    def configurations(self, part: Part, parser: str, options: Options) -> list[Configuration]:
        """Return the groups of words of a parser."""
        scheme, minimum = options["scheme"], options["least"]
        return part.memory(
            ("word configurations", parser, scheme, minimum),
            lambda: configurations(self.words(part, parser), self.conditions, scheme, least=minimum),
        )

    def mean_title(self, options: Options) -> str:
        """Return the score."""
        return f"Mean {self.mean_name(options)}"

    def errors(
        self, part: Part, parser: str, options: Options, row: Mapping[str, Any], other: str = ""
    ) -> pd.DataFrame:
        """Return the words of a group that lost something."""
        return self.word_errors(part, self.members_at_fault(part, parser, options, row), options["scheme"])

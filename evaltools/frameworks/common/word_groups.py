"""Groups of words or brackets by their features, for frameworks that have a table of them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evaltools.frameworks.common.configurations import Configuration, configurations
from evaltools.frameworks.common.group_difference import hotspots
from evaltools.frameworks.common.parser_difference import paired_errors
from evaltools.frameworks.controls import Choice, Control, Number
from evaltools.frameworks.groups import Column, Differences, Example, GroupBy, Options, Part, with_intervals
from evaltools.text import capitalized

__all__ = ["COST", "FIGURES", "MIN_COUNT", "ConfigurationGroups", "ScoredWords", "WordConfigurations", "WordGroups"]

MIN_COUNT = Number("least", "Minimum count", 30)
"""The control for the size of groups."""

COST = "cost"
"""The column of members with the number of errors that each stands for."""

FIGURES: dict[str, Column] = {
    column.name: column
    for column in (
        Column("count", "Count"),
        Column("sentences", "Sentences", help="sentences with such errors"),
        Column("rest", "Rest", "points", help="mean of all others"),
        Column("share", "Share", "percent"),
        Column(
            "excess",
            "Loss above average",
            help="how much of the score the members lose beyond what they would lose if they scored like the rest",
        ),
        Column("difference", "Difference", "points difference", help="mean of the group minus that of the rest"),
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
"""Columns of groups."""


_TYPICAL = 3
"""Number of typical words."""


class _Scored(GroupBy):
    """Groups of members that stand for errors and have a score, compared with the rest by that score."""

    main = COST

    @property
    @abstractmethod
    def cost_columns(self) -> tuple[Column, Column]:
        """The columns of the errors of a group, ``cost``, and of their share of all errors, ``share``."""

    @abstractmethod
    def mean_name(self, options: Options) -> str:
        """Return the name of the score that is averaged."""


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
    def word_errors(self, part: Part, parser: str, words: pd.DataFrame) -> pd.DataFrame:
        """Return the errors that words stand for."""

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
    means: ClassVar[tuple[Literal["mean"] | Column, ...]] = ("mean",)
    """The columns of means; ``"mean"`` is that of the chosen score."""

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
        by, words = str(options["by"]), self.words(part, parser)
        rows = self.compare(words, by, options)
        costly = words[words[COST] > 0].groupby(by, observed=True)
        costs = costly[COST].sum().reindex(rows[by].tolist()).fillna(0).to_numpy(dtype=np.int64)
        sentences = costly["sentence"].nunique().reindex(rows[by].tolist()).fillna(0).to_numpy(dtype=np.int64)
        rows = rows.assign(cost=costs, sentences=sentences, share=costs / max(int(words[COST].sum()), 1))
        rows = with_intervals(rows.rename(columns={by: "group"}).astype({"group": str}))
        return rows.sort_values(COST, ascending=False, kind="stable", ignore_index=True)

    def by_sentence(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return the errors of the groups by sentence."""
        words = self.words(part, parser)
        words = words.loc[words[COST] > 0, [options["by"], "sentence", COST]]
        return words.set_axis(["group", "sentence", "value"], axis=1).astype({"group": str})

    def errors(
        self, part: Part, parser: str, options: Options, row: Mapping[str, Any], other: str = ""
    ) -> pd.DataFrame:
        """Return the errors that the words of a group stand for."""
        words = self.words(part, parser)
        return self.word_errors(
            part, parser, words[(words[options["by"]].astype(str) == row["group"]) & (words[COST] > 0)]
        )

    def describe(self, row: pd.Series[Any]) -> str:
        """Return the group in quotes."""
        return f"“{row['group']}”"

    def columns(self, options: Options) -> tuple[Column, ...]:
        """Return the group, its errors, and the comparison with the rest."""
        feature = self.features[options["by"]]
        mean = Column("mean", f"Mean {self.mean_name(options)}", "points")
        group = Column("group", capitalized(feature), "text", width="large")
        counts = (*self.cost_columns, FIGURES["sentences"], Column("count", "Words"))
        means = (item if isinstance(item, Column) else mean for item in self.means)
        return (group, *counts, *means, *(FIGURES[name] for name in ("difference", "interval", "flag", "excess")))

    def chart(self, rows: pd.DataFrame, options: Options, other: str = "") -> Differences | None:
        """Draw the differences to the rest."""
        description = "Difference of each group to all other words."
        return Differences(rows, f"mean {self.mean_name(options)}", description)


class ConfigurationGroups(_Scored):
    """Groups with two or three features in common that score unusually low."""

    members_name: ClassVar[str] = "words"
    """The noun for the members of groups."""

    @abstractmethod
    def condition(self, feature: str, value: str) -> str:
        """Return a condition in words."""

    @abstractmethod
    def mean_title(self, options: Options) -> str:
        """Return the heading of the column of means."""

    @abstractmethod
    def members(self, part: Part, parser: str) -> pd.DataFrame:
        """Return the words or brackets, with features, scores and ``cost``."""

    @abstractmethod
    def configurations(self, part: Part, parser: str, options: Options) -> list[Configuration]:
        """Return the groups of a parser."""

    def name(self, configuration: Configuration) -> str:
        """Return the conditions of a group in words."""
        return ", ".join(self.condition(feature, value) for feature, value in configuration.conditions)

    def _costly(self, part: Part, parser: str, configurations: Sequence[Configuration]) -> pd.DataFrame:
        """Return ``group``, ``sentence`` and ``value`` of the errors of some groups."""
        members = self.members(part, parser)
        members = members[members[COST] > 0]
        own = [
            members.loc[item.members(members), ["sentence", COST]].assign(group=self.name(item))
            for item in configurations
        ]
        if not own:
            return pd.DataFrame({"group": [], "sentence": [], "value": []})
        return pd.concat(own, ignore_index=True).rename(columns={COST: "value"})

    def rows(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return the groups, those with the most errors first."""
        listed = self.configurations(part, parser, options)
        rows = [
            (self.name(item), item.count, item.mean, item.rest, item.low, item.high, item.excess, item.flagged)
            for item in listed
        ]
        names = ["group", "count", "mean", "rest", "low", "high", "excess", "flagged"]
        table = with_intervals(pd.DataFrame(rows, columns=names))
        groups = self._costly(part, parser, listed).groupby("group")
        costs = groups["value"].sum().reindex(table["group"]).fillna(0).to_numpy(dtype=np.int64)
        sentences = groups["sentence"].nunique().reindex(table["group"]).fillna(0).to_numpy(dtype=np.int64)
        total = max(int(self.members(part, parser)[COST].sum()), 1)
        table = table.assign(cost=costs, share=costs / total, sentences=sentences)
        table = table.sort_values([COST, "excess"], ascending=False, kind="stable", ignore_index=True)
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
        """Return a group as a picture with typical words of members with errors; None without pictures."""
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

    def rows_of_both(self, part: Part, parser: str, other: str, options: Options) -> pd.DataFrame:
        """Return the groups of the first parser, with the errors of the other one in them as ``other``."""
        rows = self.rows(part, parser, options)
        costs = self._costly(part, other, self.configurations(part, parser, options)).groupby("group")["value"].sum()
        return rows.assign(other=costs.reindex(rows["group"]).fillna(0).to_numpy(dtype=np.float64))

    def standard_errors(
        self, part: Part, parser: str, other: str, options: Options, rows: pd.DataFrame
    ) -> NDArray[np.float64]:
        """Return the standard errors of the differences in the groups of the first parser."""
        listed = self.configurations(part, parser, options)
        first, second = (self._costly(part, name, listed) for name in (parser, other))
        return paired_errors(first, second, rows, self.keys, part.size, part.units)

    def describe(self, row: pd.Series[Any]) -> str:
        """Return the conditions in quotes."""
        return f"“{row['group']}”"

    def members_at_fault(
        self, part: Part, parser: str, options: Options, row: Mapping[str, Any], other: str = ""
    ) -> pd.DataFrame:
        """Return the members of a group of a parser, or of the one it is compared with, that stand for errors."""
        listed = (self.configurations(part, name, options) for name in filter(None, (parser, other)))
        group = next(item for items in listed for item in items if self.name(item) == row["group"])
        members = self.members(part, parser)
        members = members[members[COST] > 0]
        return members[group.members(members)]

    def columns(self, options: Options) -> tuple[Column, ...]:
        """Return the conditions, the errors, and the comparison with the rest."""
        group = Column("group", "Conditions", "text", width="large")
        mean = Column("mean", self.mean_title(options), "points")
        typical = Column("typical", "Typical words", "text", "words of members with errors", 150)
        counts = (*self.cost_columns, FIGURES["sentences"], typical, Column("count", self.members_name.capitalize()))
        return (group, *counts, mean, *(FIGURES[name] for name in ("rest", "interval", "flag", "excess")))


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
        """Return the errors that the words of a group stand for."""
        return self.word_errors(part, parser, self.members_at_fault(part, parser, options, row, other))

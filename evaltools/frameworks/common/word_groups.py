"""Groups of words or brackets by their features, for frameworks that have a table of them, and their words as examples.

Groups described by two or three conditions that score unusually low: all conjunctions of up to three conditions, one
for each feature, are counted (subgroup discovery with an exhaustive search). A conjunction is interesting as far as its
members score lower than those of every conjunction with one condition less, √n · (least mean of these − mean): tables
of single features show single conditions. Of groups that have most of their members in common only the most interesting
is kept.

References
----------
W. Klösgen (1996). Explora: a multipattern and multistrategy discovery assistant. Advances in Knowledge Discovery and
Data Mining (the quality √n · difference of means).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any, ClassVar, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evaltools.corpus.stretches import gap_spans
from evaltools.frameworks.common.differences import LEVEL, group_difference, hotspots, paired_errors
from evaltools.frameworks.controls import Choice, Control, Number
from evaltools.frameworks.groups import Column, Differences, Example, GroupBy, Line, Options, Part, with_intervals
from evaltools.text import capitalized


def words_of(start: int, end: int, gaps: str) -> list[int]:
    """Return the positions of the words of a bracket.

    Examples
    --------
    >>> words_of(2, 8, "3-5 6-7"), words_of(2, 4, "")
    ([2, 5, 7], [2, 3])
    """
    left = set(range(start, end))
    for gap in gap_spans(gaps):
        left -= set(range(*gap))
    return sorted(left)


@dataclass(frozen=True, eq=False)
class GoldWords:
    """Gold words, and which of them count."""

    forms: list[list[str]]  # The words as read, by sentence
    kept: list[NDArray[np.int64]]  # Positions among the words as read of those that count, by sentence

    @classmethod
    def of(cls, forms: NDArray[Any], n_words: NDArray[Any], dropped: NDArray[np.bool_] | None = None) -> GoldWords:
        """Cut the words of all sentences into sentences."""
        before = np.concatenate(([0], np.cumsum(n_words)))
        cut = [slice(int(first), int(last)) for first, last in pairwise(before)]
        if dropped is None:
            kept = [np.arange(n, dtype=np.int64) for n in n_words.tolist()]
        else:
            kept = [np.flatnonzero(~dropped[sentence]).astype(np.int64) for sentence in cut]
        return cls([forms[sentence].tolist() for sentence in cut], kept)

    def positions(self, sentence: int, start: int, end: int, gaps: str = "") -> list[int]:
        """Return the positions as read of a span of words that count, but for gaps; sentences are numbered from 1."""
        kept = self.kept[sentence - 1]
        return [int(kept[word]) for word in words_of(start, min(end, len(kept)), gaps)]

    def starts(self, words: pd.DataFrame) -> NDArray[np.int64]:
        """Return the positions, among those that count, of words by ``sentence`` and ``word``, both from 1."""
        sentences, positions = (words[name].to_numpy(dtype=np.int64) - 1 for name in ("sentence", "word"))
        n_kept = np.array([len(own) for own in self.kept], dtype=np.int64)
        kept = np.concatenate([np.zeros(0, dtype=np.int64), *self.kept])
        width = int(max(kept.max(initial=0), positions.max(initial=0))) + 1
        before = np.cumsum(n_kept) - n_kept
        # in order over all sentences
        kept += np.repeat(np.arange(len(n_kept)) * width, n_kept)
        starts: NDArray[np.int64] = np.searchsorted(kept, sentences * width + positions) - before[sentences]
        return starts

    def lines(self, sentences: Sequence[int], errors: pd.DataFrame) -> list[Line]:
        """Return sentences with the remark on their first error; the words of errors with that remark are marked."""
        listed = errors[errors["sentence"].isin(sentences)]
        gaps = listed["gaps"] if "gaps" in listed else [""] * len(listed)
        by_sentence: dict[int, list[list[Any]]] = {}
        # plain lists, because a data frame for each sentence takes long
        for sentence, *error in zip(
            listed["sentence"], listed["remark"], listed["start"], listed["end"], gaps, strict=True
        ):
            by_sentence.setdefault(sentence, []).append(error)
        lines = []
        for sentence in sentences:
            own = by_sentence[sentence]
            first, *others = dict.fromkeys(remark for remark, *_ in own)
            marked = {
                position for remark, *span in own if remark == first for position in self.positions(sentence, *span)
            }
            more = f" (and {len(others)} more)" if others else ""
            lines.append(Line(sentence, self.forms[sentence - 1], marked, first + more))
        return lines


def categories(codes: NDArray[Any], names: Sequence[str], *, ordered: bool = False) -> Any:
    """Return a categorical of names, given their indices."""
    return pd.Categorical.from_codes(codes.astype(np.intp), dtype=pd.CategoricalDtype(list(names), ordered=ordered))


def coded(codes: NDArray[Any], names: Sequence[str]) -> Any:
    """Return a categorical of names, given their indices, ordered by first occurrence."""
    # So they depend on the values alone, and not on how the strings are numbered.
    used, first, indices = np.unique(codes, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), dtype=np.intp)
    rank[order] = np.arange(len(order))
    return categories(rank[indices.reshape(-1)], [names[code] for code in used[order].tolist()])


def classes(values: NDArray[Any], begins: tuple[int, ...]) -> Any:
    """Put numbers into classes that begin at some of them; those below the first join it."""
    names = [str(low) if high == low + 1 else f"{low}–{high - 1}" for low, high in pairwise(begins)]
    names.append(f"{begins[-1]} and more")
    codes = np.clip(np.searchsorted(begins, values, side="right") - 1, 0, len(begins) - 1)
    return categories(codes, names, ordered=True)


_MAX_CANDIDATES = 2000
"""Maximum number of conjunctions, those with the largest losses, that are compared with wider ones."""
_SPARSE = 8
"""Conjunctions are counted in an array with a place for each, if there are at most so many times as many as members."""
_REDUNDANT = 0.5
"""Share of common members from which the lower-ranked of two groups is left out."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """A group that scores low."""

    conditions: tuple[tuple[str, str], ...]  # Feature and value, all of which hold
    count: int
    sentences: int  # Sentences in which they are
    mean: float  # Their mean score
    rest: float  # Mean score of all others
    low: float  # 95 % interval of the difference, mean − rest
    high: float
    excess: float  # Loss beyond what it would be if the group scored like the rest
    # Whether the difference holds at a false discovery rate of 5 % among all conjunctions that were counted.
    flagged: bool

    def members(self, rows: pd.DataFrame) -> NDArray[np.bool_]:
        """Return which rows are in the group."""
        held = []
        for name, value in self.conditions:
            column = rows[name].cat
            held.append((column.categories.astype(str) == value)[column.codes] & (column.codes >= 0).to_numpy())
        result: NDArray[np.bool_] = np.logical_and.reduce(held)
        return result


def configurations(
    rows: pd.DataFrame,
    features: Sequence[str],
    score: str,
    *,
    least: int = 40,
    max_conditions: int = 3,
    limit: int = 20,
) -> list[Configuration]:
    """Find groups that score unusually low."""
    rows = rows[rows[score].notna()]
    if len(rows) < 2:
        return []
    scores = rows[score].to_numpy(dtype=np.float64)
    codes = {name: np.asarray(rows[name].cat.codes, dtype=np.int64) for name in features}
    parts = list(_conjunctions(codes, scores, least, max_conditions))
    if not parts:
        return []
    sizes, indices, keys, counts, sums = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    n, total, means = len(scores), float(scores.sum()), sums / counts
    with np.errstate(invalid="ignore", divide="ignore"):
        loss = np.sqrt(counts) * ((total - sums) / (n - counts) - means)
    loss = np.where((counts < n) & (sizes > 1), loss, -np.inf)
    best = np.argsort(-loss, kind="stable")[:_MAX_CANDIDATES]
    best = best[loss[best] > 0]
    sets = _Sets(codes, scores)
    candidates = [
        sets.conditions(*key) for key in zip(*(item[best].tolist() for item in (sizes, indices, keys)), strict=True)
    ]
    drop = np.array([min(sets.mean(wider) for wider in combinations(item, len(item) - 1)) for item in candidates])
    quality = np.sqrt(counts[best]) * (drop - means[best])
    order = np.argsort(-quality, kind="stable")
    ranked = [candidates[at] for at in order.tolist() if quality[at] > 0]
    chosen = _without_redundancy(ranked, sets, limit)
    return _described(rows, features, chosen, [sets.members(item) for item in chosen], scores, len(counts))


_Conditions = tuple[tuple[str, int], ...]
_Parts = tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]
"""Number of conditions, which features, which values, members, and sum of their scores."""


class _Sets:
    """The rows that meet each conjunction, and the conjunction of each number."""

    def __init__(self, codes: Mapping[str, NDArray[np.int64]], scores: NDArray[np.float64]) -> None:
        self.codes, self._scores = codes, scores
        self._means: dict[_Conditions, float] = {}
        self._masks: dict[tuple[str, int], NDArray[np.bool_]] = {}
        self._names = list(codes)

    def members(self, conditions: _Conditions) -> NDArray[np.bool_]:
        for name, code in conditions:
            if (name, code) not in self._masks:
                self._masks[name, code] = self.codes[name] == code
        result: NDArray[np.bool_] = np.logical_and.reduce([self._masks[item] for item in conditions])
        return result

    def mean(self, conditions: _Conditions) -> float:
        if conditions not in self._means:
            self._means[conditions] = float(self._scores[self.members(conditions)].mean())
        return self._means[conditions]

    def conditions(self, size: int, index: int, key: int) -> _Conditions:
        chosen = list(combinations(self._names, size))[index]
        conditions = []
        for name in reversed(chosen):
            width = int(self.codes[name].max()) + 1
            key, code = divmod(key, width)
            conditions.append((name, code))
        return tuple(reversed(conditions))


def _conjunctions(
    codes: Mapping[str, NDArray[np.int64]], scores: NDArray[np.float64], min_count: int, max_conditions: int
) -> Iterator[_Parts]:
    """Count all conjunctions of one value for each of some features, those of at least `min_count` members."""
    frequent = {}
    for name, column in codes.items():
        frequent[name] = (np.bincount(column, minlength=int(column.max()) + 1) >= min_count)[column]
    for size in range(1, max_conditions + 1):
        for index, chosen in enumerate(combinations(codes, size)):
            keep = np.logical_and.reduce([frequent[name] for name in chosen])
            if not keep.any():
                continue
            key, n_keys = np.zeros(int(keep.sum()), dtype=np.int64), 1
            for name in chosen:
                width = int(codes[name].max()) + 1
                key, n_keys = key * width + codes[name][keep], n_keys * width
            if n_keys <= _SPARSE * len(key):
                values, group = np.arange(n_keys), key
            else:  # sorting takes longer
                values, group = np.unique(key, return_inverse=True)
            count = np.bincount(group.reshape(-1), minlength=len(values)).astype(np.float64)
            total = np.bincount(group.reshape(-1), scores[keep], len(values))
            large = count >= min_count
            n_large = int(large.sum())
            yield (
                np.full(n_large, size, dtype=np.int64),
                np.full(n_large, index, dtype=np.int64),
                values[large],
                count[large],
                total[large],
            )


def _without_redundancy(candidates: Sequence[_Conditions], sets: _Sets, limit: int) -> list[_Conditions]:
    """Keep, best first, the groups that have not most of their members in common with a better one."""
    chosen: list[_Conditions] = []
    groups: list[NDArray[np.bool_]] = []
    for conditions in candidates:
        if len(chosen) == limit:
            break
        group = sets.members(conditions)
        shares = (np.count_nonzero(group & better) / np.count_nonzero(group | better) for better in groups)
        if all(share < _REDUNDANT for share in shares):
            chosen.append(conditions)
            groups.append(group)
    return chosen


def _described(
    rows: pd.DataFrame,
    features: Sequence[str],
    conjunctions: Sequence[_Conditions],
    groups: Sequence[NDArray[np.bool_]],
    scores: NDArray[np.float64],
    n_counted: int,
) -> list[Configuration]:
    sentence = rows["sentence"].to_numpy()
    names = {name: [str(value) for value in rows[name].cat.categories] for name in features}
    figures = [
        group_difference(group.astype(np.int64), sentence, scores, 2).iloc[1] for group in groups
    ]  # each against all others
    p = np.array([float(item["p"]) for item in figures])
    # Benjamini and Hochberg, the conjunctions that are not listed counted as not different
    order = np.argsort(p)
    passed = np.flatnonzero(p[order] <= LEVEL * np.arange(1, len(p) + 1) / n_counted)
    flagged = np.zeros(len(p), dtype=np.bool_)
    flagged[order[: passed[-1] + 1 if len(passed) else 0]] = True
    described = []
    for conditions, group, item, flag in zip(conjunctions, groups, figures, flagged.tolist(), strict=True):
        described.append(
            Configuration(
                tuple((name, names[name][code]) for name, code in conditions),
                int(np.count_nonzero(group)),
                int(item["sentences"]),
                float(item["mean"]),
                float(item["mean"] - item["difference"]),
                float(item["low"]),
                float(item["high"]),
                float(item["excess"]),
                flag,
            )
        )
    return described


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
            "interval",
            help="95 % interval of the difference to the rest; words of one sentence are not treated as independent",
        ),
        Column(
            "flag",
            "Significant",
            "interval",
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

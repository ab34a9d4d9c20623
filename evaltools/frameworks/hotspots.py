"""Answers to the questions of *Hotspots*: the groups of errors, or of members, that cost a parser most.

What a row costs is summed by the database, or over the members of some sentences at a time; two parsers are compared by
their costs in each sentence. The errors of a row are rows of the table ``errors``, whose numbers lead from a table to
its pictures.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd
from pandas.api.types import union_categoricals

from evaltools.blocks import Column
from evaltools.corpus.stretches import gap_spans
from evaltools.frameworks.common.columns import SentenceStatus
from evaltools.frameworks.common.configurations import Configuration, configurations
from evaltools.frameworks.common.differences import compared, group_sums, paired_errors, rows_of_both, with_differences
from evaltools.frameworks.questions import NONE, Example, Members, Options, Question, Scope, first_errors
from evaltools.frameworks.stored import exact_sum, quoted, words_of
from evaltools.text import capitalized, count_of, interval_text, number, percentage

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from evaltools.runs.store import Run

BOTH = "both parsers have a parse of gold’s tokens"
"""What is true of the sentences over which two parsers are compared."""

MAX_ROWS = 5_000
"""Maximum number of rows that a page shows."""

_COST = exact_sum("cost")
_ERROR_COLUMNS = (
    "sentence",
    "number",
    "repair",
    "status",
    "words",
    "start",
    "end",
    "gaps",
    "gold",
    "test",
    "cost",
    "typical",
)
REST = "(other)"
"""Stands for all labels that have no row and column of their own in a matrix."""
_MAX_LABELS = 12
MIN_WORDS, MAX_WORDS, MAX_ERRORS = 8, 20, 4
"""Limits of the examples that come first."""
_ENDS = tuple(".?!…。？！।؟۔")  # noqa: RUF001 - the stops of other scripts
"""What running sentences end with, before quotation marks and brackets; titles and items of lists do not."""
_AROUND = " \"'`“”‘’«»()[]"
BLOCK = 5_000
"""Number of sentences whose members are in memory at a time."""
MAX_SKIPPED = 20
"""Maximum number of uninformative rows that a headline skips."""

COMPARED = (
    Column("more", "Difference", help="the first parser minus the second", width=78),
    Column(
        "interval",
        "95 % interval",
        "interval",
        "95 % interval of the difference over sentences, or over documents if they are chosen",
        124,
    ),
    Column(
        "flag",
        "Significant",
        "interval",
        "✓: significant at a false discovery rate (FDR) of 5 % among the rows compared",
    ),
)
_SHARE_WIDTH = 62
_SENTENCES = Column("sentences", "Sentences", help="sentences with such errors")
_AGAINST_REST = (
    Column(
        "interval",
        "95 % interval",
        "interval",
        "95 % interval of the difference to the rest; members of one sentence are not treated as independent",
    ),
    Column("flag", "Significant", "interval", "✓: significant at a false discovery rate (FDR) of 5 % among the groups"),
    Column(
        "excess",
        "Loss above average",
        help="how much of the score the members lose beyond what they would lose if they scored like the rest",
    ),
)


class Line(NamedTuple):
    """A sentence of a row: its words, the marked ones, and a remark on the error."""

    sentence: int
    words: list[str]
    marked: set[int]
    remark: str


@dataclass(frozen=True, slots=True, eq=False)
class Matrix:
    """Counts of the pairs of a gold label and a parser's label; those on the diagonal are right."""

    counts: pd.DataFrame  # Gold labels by rows, the parser's by columns, the same names in the same order
    none: str  # The name that stands for no label; empty if both sides always have one


def common_sentences(parsers: Sequence[str]) -> str:
    """Return SQL that is true of the sentences in which all of some parsers have a parse of gold’s tokens."""
    return (
        f"sentence in (select sentence from sentences where parser in ({_listed(parsers)}) "
        f"and status = '{SentenceStatus.OK.label}' group by sentence having count(*) = {len(parsers)})"
    )


@dataclass(frozen=True, eq=False)
class Hotspots:
    """The answer to a question about the errors of a parser, or of two, in some sentences of a run."""

    run: Run
    question: Question
    parser: str
    other: str  # The parser compared with; empty for none
    options: Options
    scope: Scope  # Of two parsers, those that both have parsed
    # The document of each sentence of the run, by number: what intervals of differences are over; None for sentences
    units: NDArray[np.int64] | None = None
    cluster: str = ""  # The column of the metadata that they are of
    _loaded: dict[str, pd.DataFrame] = field(default_factory=dict, repr=False)

    @property
    def keys(self) -> list[str]:
        """The columns that name a row."""
        return [column.name for column in self.question.keys]

    # ------------------------------------------------------------------------------------------------------------ rows

    @cached_property
    def rows(self) -> pd.DataFrame:
        """The groups of the parser, the costliest first; of two parsers, those with the largest differences first.

        Of two, ``other`` is the cost of the other parser, ``more`` how much more the first has, ``low`` and ``high``
        the ends of the 95 % interval of the difference; ``interval`` and ``flag`` are texts.
        """
        if not self.other:
            return self._rows_of(self.parser)
        if self.question.members is None:
            rows, error = self._errors_of_both()
        else:
            rows, error = self._members_of_both()
        return with_differences(rows.assign(cost=_plain(rows["cost"]), other=_plain(rows["other"])), error)

    def _rows_of(self, parser: str) -> pd.DataFrame:
        if self.question.members is None:
            return self._error_rows(parser)
        configured = self.question.members.conditions is not None
        rows = self._configured_rows(parser) if configured else self._member_rows(parser)
        return rows.assign(cost=_plain(rows["cost"]))

    def _error_rows(self, parser: str) -> pd.DataFrame:
        """Return the groups of errors; of pairs of labels with the share of the gold label."""
        keys = ", ".join(self.keys)
        rows = self.run.query(
            f"select {keys}, {_COST} as cost, count(distinct sentence) as sentences, count(*) as errors "
            f"from {self._errors_sql(parser)} group by all order by cost desc, errors desc, {keys}"
        )
        rows = rows.assign(cost=_plain(rows["cost"]), share=rows["cost"] / (self._total(parser) or 1))
        if not self.question.right:
            return rows
        right = self._right
        total = rows.groupby("gold")["errors"].sum().add(right, fill_value=0)
        n_right = rows["gold"].map(right).fillna(0).astype(np.int64)
        of_label = (rows["errors"] / rows["gold"].map(total)).where(rows["gold"] != NONE)
        return rows.assign(of_label=of_label, right=n_right)

    def _member_rows(self, parser: str) -> pd.DataFrame:
        """Return the groups of members by a feature, compared with the rest by a score."""
        sums = reduce(_added, map(self._sums, self._blocks(parser))).sort_index()
        table = compared(sums, min_count=self.options["least"], are_weighed=self._about.are_weighed)
        table = table.astype({"group": str})
        own = sums.loc[table["group"]].reset_index(drop=True)
        figures = {}
        for column, of in self._about.figures:
            of_count = f"number of {column.name}" if column.format != "count" else ""
            figures[column.name] = own[column.name] / own[of or of_count] if of or of_count else own[column.name]
        rows = table.assign(
            cost=own["cost"],
            sentences=own["costly sentences"].astype(np.int64),
            share=own["cost"] / self._total(parser),
            **figures,
        )
        rows = with_intervals(rows[(rows["cost"] > 0) | (rows["loss"] > 0)])
        return rows.sort_values("cost", ascending=False, kind="stable", ignore_index=True)

    def _sums(self, members: pd.DataFrame) -> pd.DataFrame:
        """Return the sums over some sentences that the rows are made of, by group."""
        members = members.assign(costly=members["sentence"].where(members["cost"] > 0))
        groups = members.groupby(self._feature, sort=False, observed=True)
        sums = {"cost": groups["cost"].sum(), "costly sentences": groups["costly"].nunique()}
        for column, _ in self._about.figures:
            sums |= {column.name: groups[column.name].sum(), f"number of {column.name}": groups[column.name].count()}
        compared_by = group_sums(members, groups, self._score)
        further = pd.DataFrame({name: values.reindex(compared_by.index) for name, values in sums.items()})
        return pd.concat([compared_by, further], axis=1).rename(index=str).rename_axis("group")

    def _configured_rows(self, parser: str) -> pd.DataFrame:
        """Return the groups of members with features in common, and their typical words."""
        assert self._about.conditions is not None
        members, listed = self._members(parser), self._configurations
        names = [self._name(item) for item in listed]
        figures = ("count", "mean", "rest", "low", "high", "excess", "flagged")
        columns = {name: [getattr(item, name) for item in listed] for name in figures}
        costly = [_costly(members, item) for item in listed]
        cost = np.array([own["cost"].sum() for own in costly], dtype=np.int64)
        rows = pd.DataFrame({"group": names, **columns, "cost": cost, "share": cost / self._total(parser)}).assign(
            sentences=[own["sentence"].nunique() for own in costly],
            typical=[self._about.conditions.typical(self.run, own) for own in costly],
        )
        rows = with_intervals(rows)
        return rows.sort_values(["cost", "excess"], ascending=False, kind="stable", ignore_index=True)

    @cached_property
    def _configurations(self) -> list[Configuration]:
        """The groups of the first parser that score unusually low."""
        assert self._about.conditions is not None
        features, min_count = self._about.conditions.features, self.options["least"]
        return configurations(self._members(self.parser), features, self._score, min_count=min_count)

    def _name(self, configuration: Configuration) -> str:
        """Return the conditions of a group in words."""
        assert self._about.conditions is not None
        return ", ".join(self._about.conditions.describe(*pair) for pair in configuration.conditions)

    # ------------------------------------------------------------------------------------------------- errors, members

    @property
    def _names(self) -> dict[str, Any]:
        """The values that SQL of the question may name: options of the run and of the question."""
        return {**self.run.meta["options"], **self.options}

    def _errors_sql(self, *parsers: str) -> str:
        """Return SQL of the errors of some parsers that count."""
        source, where = (text.format_map(self._names) for text in (self.question.source, self.question.where))
        return (
            f"(select * from {source} where parser in ({_listed(parsers)}) and kind = '{self.question.kind.id}' "
            f"and {self.scope.condition} and ({where}))"
        )

    def _total(self, parser: str) -> float:
        """Return the cost of all errors of the kind; 1 if there are none."""
        about = self.question.members
        if about is not None and about.total is not None:
            return about.total(self.run, parser, self.scope, self.options) or 1
        source = self.question.source.format_map(self._names)
        rows = self.run.columns(
            f"select coalesce({_COST}, 0) as cost from {source} where parser = ? and kind = ? "
            f"and {self.scope.condition}",
            [parser, self.question.kind.id],
        )
        return float(rows["cost"][0]) or 1

    @cached_property
    def _right(self) -> pd.Series[int]:
        """How often each label is right."""
        names = {**self._names, "parser": _listed([self.parser]), "sentences": self.scope.condition}
        return self.run.query(self.question.right.format_map(names)).set_index("label")["n"]

    @property
    def _about(self) -> Members:
        assert self.question.members is not None
        return self.question.members

    @property
    def _feature(self) -> str:
        """The feature that members are grouped by."""
        return str(self.options.get("by") or next(iter(self._about.features)))

    @property
    def _score(self) -> str:
        return str(self.options.get("scheme") or next(iter(self._about.scores)))

    def _members(self, parser: str) -> pd.DataFrame:
        """Return what configurations need of the members of a parser; they are loaded once."""
        if parser not in self._loaded:
            assert self._about.conditions is not None
            kept, others = {*self._about.conditions.features, self._score}, {*self._about.features, *self._about.scores}
            blocks = (members.drop(columns=list(others - kept)) for members in self._blocks(parser))
            self._loaded[parser] = _joined(list(blocks))
        return self._loaded[parser]

    def _blocks(self, parser: str) -> Iterator[pd.DataFrame]:
        """Return the members of a parser, of some sentences at a time."""
        if self.scope.size <= BLOCK:
            if parser not in self._loaded:
                self._loaded[parser] = self._about.load(self.run, parser, self.scope, self.options)
            yield self._loaded[parser]
            return
        sql = f"select sentence from sentences where parser = ? and {self.scope.condition} order by sentence"
        numbers = self.run.columns(sql, [parser])["sentence"]
        for at in range(0, len(numbers), BLOCK):
            block = numbers[at : at + BLOCK]
            condition = f"({self.scope.condition}) and sentence between {block[0]} and {block[-1]}"
            yield self._about.load(self.run, parser, Scope(len(block), condition), self.options)

    def _costly_of(self, row: Mapping[str, Any], parser: str) -> pd.DataFrame:
        """Return the members of a row that have errors."""
        if self._about.conditions is not None:
            chosen = next(item for item in self._configurations if self._name(item) == row["group"])
            return _costly(self._members(parser), chosen)
        own = []
        for members in self._blocks(parser):
            own.append(members[(members["cost"] > 0) & (members[self._feature].astype(str) == row["group"])])
        costly: pd.DataFrame = pd.concat(own, ignore_index=True)
        return costly

    # ----------------------------------------------------------------------------------------------------- two parsers

    def _errors_of_both(self) -> tuple[pd.DataFrame, NDArray[np.float64]]:
        """Return the costs of the groups of errors of two parsers, and the standard errors of the differences."""
        keys = ", ".join(self.keys)
        unit, joined, units = "sentence", "", list[Any]()
        n_units = self.scope.size
        if self.units is not None:
            unit, units = "unit", [len(self.units), self.units.tolist()]
            joined = "join (select unnest(range(1, ? + 1)) as sentence, unnest(?::bigint[]) as unit) using (sentence)"
            n_units = self.n_units
        rows = self.run.query(
            f"""
            with sums as (
                select {keys}, {unit}, {exact_sum("case when parser = ? then cost else 0 end")} as first,
                       {exact_sum("case when parser = ? then cost else 0 end")} as second
                from {self._errors_sql(self.parser, self.other)} {joined} group by all
            )
            select {keys}, sum(first) as cost, sum(second) as other, sum((first - second) ** 2) as square
            from sums group by all order by cost desc, other desc, {keys}
            """,
            [self.parser, self.other, *units],
        )
        more = rows["cost"] - rows["other"]
        error = np.full(len(rows), np.nan)
        if n_units > 1:
            variance = (rows["square"] - more**2 / n_units) * n_units / (n_units - 1)
            error = np.sqrt(np.maximum(variance.to_numpy(dtype=np.float64), 0))
        return rows.drop(columns="square"), error

    @property
    def n_units(self) -> int:
        """Number of documents that the sentences are of; of sentences without `units`."""
        if self.units is None:
            return self.scope.size
        rows = self.run.columns(
            f"select sentence from sentences where parser = ? and {self.scope.condition}", [self.parser]
        )
        return len(np.unique(self.units[rows["sentence"].astype(np.int64) - 1]))

    def _members_of_both(self) -> tuple[pd.DataFrame, NDArray[np.float64]]:
        """Return the costs of the groups of members of two parsers, and the standard errors of the differences."""
        first, second = (self._costs_by_sentence(name) for name in (self.parser, self.other))
        if self._about.conditions is None:
            of_both = self._member_rows(self.parser), self._member_rows(self.other)
            rows = rows_of_both(*of_both, keys=self.keys, main="cost")
        else:  # the groups of the first parser
            rows = self._configured_rows(self.parser)
            other = second.groupby("group")["value"].sum()
            rows = rows.assign(other=other.reindex(rows["group"]).fillna(0).to_numpy(dtype=np.float64))
        return rows, paired_errors(first, second, rows, self.keys, self.n_units, self.units)

    def _costs_by_sentence(self, parser: str) -> pd.DataFrame:
        """Return ``group``, ``sentence`` and ``value``, what members cost."""
        if self._about.conditions is None:
            names = [self._feature, "sentence", "cost"]
            costly = pd.concat([members.loc[members["cost"] > 0, names] for members in self._blocks(parser)])
            return costly.set_axis(["group", "sentence", "value"], axis=1).astype({"group": str})
        members = self._members(parser)
        own = [
            _costly(members, item)[["sentence", "cost"]].assign(group=self._name(item)) for item in self._configurations
        ]
        rows = pd.concat(own, ignore_index=True) if own else pd.DataFrame({"group": [], "sentence": [], "cost": []})
        return rows.rename(columns={"cost": "value"})

    # ---------------------------------------------------------------------------------------------- the errors of a row

    def errors(self, row: Mapping[str, Any], parser: str = "") -> pd.DataFrame:
        """Return the errors of a row or of a cell of the matrix, typical ones first, and of these the costliest.

        They are those of the first parser, or of the one that is given.
        """
        parser = parser or self.parser
        if self.question.members is None:
            conditions, parameters = self._of_row(row)
        else:
            costly = self._costly_of(row, parser)[["sentence", *self.question.members.match]].drop_duplicates()
            conditions, parameters = ["sentence in (select unnest(?::integer[]))"], [costly["sentence"].tolist()]
        part = self.question.kind.part
        of_part = f", {part} as part" if part and part not in self.keys else ""
        columns = dict.fromkeys((*_ERROR_COLUMNS, *(self._about.match if self.question.members else ())))
        listed = ", ".join(map('"{}"'.format, columns))
        errors = self.run.query(
            f"select {listed}, text as remark{of_part} from {self._errors_sql(parser)} "
            f"where {' and '.join(conditions)} order by typical desc, cost desc, sentence, number",
            parameters,
        )
        if self.question.members is None:
            return errors
        match = ["sentence", *self.question.members.match]
        members = [pd.MultiIndex.from_frame(rows[match].astype(object)) for rows in (errors, costly)]
        is_own = members[0].isin(members[1])
        return errors[is_own].reset_index(drop=True)

    def _of_row(self, row: Mapping[str, Any]) -> tuple[list[str], list[Any]]:
        """Return SQL, with its parameters, that is true of the errors of a row."""
        conditions, parameters = [], list[Any]()
        for key in self.keys:
            if self.question.right and row[key] == REST:
                conditions.append(f"{key} not in (select unnest(?::varchar[]))")
                parameters.append([*self._labels[0], NONE])
            else:
                conditions.append(f"{key} is not distinct from ?")
                parameters.append(row[key])
        return conditions, parameters

    def parts(self, errors: pd.DataFrame) -> pd.DataFrame:
        """Return what errors consist of, largest first: ``part``, ``amount``, ``count``; empty if not known."""
        if "part" not in errors:
            return errors.head(0)
        parts = errors.assign(count=1, amount=errors["cost"]).groupby("part", sort=True)
        sums = parts[["amount", "count"]].sum().reset_index()
        return sums.sort_values(["amount", "count"], ascending=False, kind="stable", ignore_index=True)

    def costs(self, row: Mapping[str, Any], errors: pd.DataFrame, parser: str = "") -> dict[int, float]:
        """Return by sentence what some errors of a row cost."""
        costly = errors if self.question.members is None else self._costly_of(row, parser or self.parser)
        sums = costly.groupby("sentence")["cost"].sum()
        return dict(zip(sums.index.tolist(), sums.tolist(), strict=True))

    def lines(self, sentences: Sequence[int], errors: pd.DataFrame) -> list[Line]:
        """Return sentences with the remark on their first error; the words of errors with that remark are marked."""
        rows = self.run.columns(
            "select sentence, tree, notation, text from trees where parser is null "
            "and sentence in (select unnest(?::integer[]))",
            [list(sentences)],
        )
        columns = (rows[name].tolist() for name in ("sentence", "tree", "notation", "text"))
        trees = zip(*columns, strict=True)
        words = {tree[0]: _compared_words(words_of(self.run, *tree), tree[-1]) for tree in trees}
        listed = errors[errors["sentence"].isin(sentences)]
        of_sentence: dict[int, list[tuple[str, str]]] = {}
        for at, remark, own in zip(listed["sentence"], listed["remark"], listed["words"], strict=True):
            of_sentence.setdefault(at, []).append((remark, own))
        lines = []
        for at in sentences:
            first, *others = dict.fromkeys(remark for remark, _ in of_sentence[at])
            spans = [span for remark, own in of_sentence[at] if remark == first for span in gap_spans(own)]
            marked = {position for span in spans for position in range(*span)}
            more = f" (and {len(others)} more)" if others else ""
            lines.append(Line(at, words[at], marked, first + more))
        return lines

    def examples(self, errors: pd.DataFrame, parser: str = "") -> list[int]:
        """Return the sentences of some errors, those of typical ones first, and of these the shortest natural one."""
        numbers = errors["sentence"].unique().tolist()
        rows = self.run.columns(
            "select sentence, any_value(s.words) as words, count(*) as n from errors join sentences s "
            "using (parser, sentence) where parser = ? and kind = ? and sentence in (select unnest(?::integer[])) "
            "group by sentence",
            [parser or self.parser, self.question.kind.id, numbers],
        )
        n_words, n_errors = (
            dict(zip(rows["sentence"].tolist(), rows[name].tolist(), strict=True)) for name in ("words", "n")
        )
        sql = "select sentence, text from trees where parser is null and sentence in (select unnest(?::integer[]))"
        texts = self.run.columns(sql, [numbers])
        natural = {
            at
            for at, text in zip(texts["sentence"].tolist(), texts["text"].tolist(), strict=True)
            if is_running(text) and at not in self._titles
        }
        ordered = [
            at
            for side in (errors[errors["typical"]], errors)
            for at in by_clarity(side["sentence"].unique().tolist(), n_words, n_errors, natural)
        ]
        return list(dict.fromkeys(ordered))

    @cached_property
    def _titles(self) -> frozenset[int]:
        """The sentences that are not of the commonest category, such as noun phrases that end with a stop."""
        categories = self.run.framework.runs.categories
        if not categories:
            return frozenset()
        rows = self.run.query(
            f"with own as ({categories}) select sentence from own "
            "where category is distinct from (select mode(category) from own)",
            [self.parser],
        )
        return frozenset(rows["sentence"].tolist())

    def order_of_examples(self, errors: pd.DataFrame) -> str:
        """Describe the order of `examples`."""
        kind = self.question.kind
        first = f"{kind.typical}, then " if kind.typical and errors["typical"].any() else ""
        return (
            f"Order: {first}sentences of {MIN_WORDS} to {MAX_WORDS} words with at most {MAX_ERRORS} {kind.whole}, "
            "no titles or items of lists, the shortest before the others."
        )

    def pictured(self, sentences: Sequence[int], errors: pd.DataFrame, parser: str = "") -> Mapping[int, Example]:
        """Return the first error of some sentences with its picture; sentences without one are left out."""
        draw = self.question.kind.pictured
        if draw is None:
            return {}
        return draw(self.run, parser or self.parser, first_errors(errors, sentences), self.options)

    # ---------------------------------------------------------------------------------------------------------- matrix

    @cached_property
    def matrix(self) -> Matrix | None:
        """The counts of pairs of labels, the right ones on the diagonal; None of other questions."""
        if not self.question.right:
            return None
        labels, counts, none = self._labels
        return Matrix(_confusion_matrix(counts, labels, none), none)

    @cached_property
    def _labels(self) -> tuple[list[str], pd.DataFrame, str]:
        """The labels that are confused most, the counts of all pairs, and the name of no label if there can be none."""
        rows = self._error_rows(self.parser)[["gold", "test", "errors"]].rename(columns={"errors": "count"})
        right = self._right
        same = pd.DataFrame({"gold": right.index, "test": right.index, "count": right.to_numpy()})
        none = NONE if (rows["gold"] == NONE).any() or (rows["test"] == NONE).any() else ""
        return _commonest(rows, none), pd.concat([rows, same], ignore_index=True), none

    # --------------------------------------------------------------------------------------------------------- columns

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns of the table of rows."""
        kind, about = self.question.kind, self.question.members
        cost = Column("cost", capitalized(kind.unit), help="" if about is None else about.cost_help)
        share = Column("share", "Share", "percent", f"of all {kind.whole}", _SHARE_WIDTH)
        if self.other:
            return (
                *self.question.keys,
                Column("cost", self.parser, help=f"{cost.title}, {self.parser}"),
                Column("other", self.other, help=f"{cost.title}, {self.other}"),
                *COMPARED,
            )
        if about is not None:
            return self._member_columns(about, (cost, share, _SENTENCES))
        figures = (*self.question.keys, cost, share, _SENTENCES, Column("errors", "Errors"))
        if not self.question.right:
            return figures
        of_label = Column("of_label", "Of the label", "percent", help="share of the gold label")
        return (*figures, of_label, Column("right", "Right"))

    def _member_columns(self, about: Members, costs: tuple[Column, ...]) -> tuple[Column, ...]:
        """Return the group, its errors, and the comparison with the rest."""
        mean = Column("mean", self.score_name, "points")
        count = Column("count", about.noun.capitalize())
        if about.conditions is not None:
            group = Column("group", "Conditions", "text", width="large")
            typical = Column("typical", "Typical words", "text", "words of members with errors", 150)
            rest = Column("rest", "Rest", "points", help="mean of all others")
            return (group, *costs, typical, count, mean, rest, *_AGAINST_REST)
        group = Column("group", capitalized(about.features[self._feature]), "text", width="large")
        figures = [column for column, _ in about.figures]
        means = [] if self._score in [column.name for column in figures] else [mean]
        difference = Column("difference", "Difference", "points difference", "mean of the group minus that of the rest")
        return (group, *costs, count, *figures, *means, difference, *_AGAINST_REST)

    @property
    def score_name(self) -> str:
        """The name of the score by which members are compared with the rest."""
        return self._about.scores[self._score]

    # -------------------------------------------------------------------------------------------------------- in words

    @property
    def headline(self) -> str:
        """The first informative row of the table as it is sorted, with its figure.

        Rows before it that are uninformative are named with the reason.
        """
        rows = self.rows
        if rows.empty:
            return self.unscored or f"{self.parser} has no errors of this kind."
        if self.other:
            return self._headline_of_both(rows)
        first = rows.iloc[0]
        reason = self.uninformative(first)
        if not reason:
            return f"{self._finding(first)}."
        for _, row in rows.head(MAX_SKIPPED).iterrows():
            if not self.uninformative(row):
                return f"{self._finding(row)}. The first row, {self.describe(first)}, is uninformative: {reason}."
        return f"{self._finding(first)}; uninformative: {reason}."

    @property
    def unscored(self) -> str:
        """That no sentence of the parser is scored, so that no errors are known; empty if some are."""
        scored = {entry["name"]: entry["scored"] for entry in self.run.meta["parsers"]}
        return "" if scored[self.parser] else f"No sentence of {self.parser} is scored, so no errors are known."

    @property
    def who(self) -> str:
        """The parser, or what stands for all parsers together."""
        return f"All {len(self.run.parsers)} parsers" if self.question.kind.of_all_parsers else self.parser

    def _finding(self, row: pd.Series[Any]) -> str:
        """Return a row as a statement, with its figure and unit."""
        kind = self.question.kind
        return f"{self.who} {kind.verb} {kind.unit} at {self.describe(row)}: {self.figures(row)}"

    def _headline_of_both(self, all_rows: pd.DataFrame) -> str:
        """Return the largest significant difference in each direction, the larger first."""
        informative = all_rows[~self.is_residual(all_rows)]
        rows = all_rows if informative.empty else informative
        sure = rows[rows["flag"] == "✓"]
        named = [own.iloc[0] for own in (sure[sure["more"] > 0], sure[sure["more"] < 0]) if not own.empty]
        parts = [
            f"{number(row['more'], signed=True)} at {self.describe(row)}{between(row)}"
            for row in sorted(named, key=lambda row: -abs(row["more"]))
        ]
        unit = self.question.kind.unit
        if not (rows["more"] != 0).any():
            costliest = rows.iloc[0]
            each = f"{self.cost_text(costliest['cost'])} at {self.describe(costliest)}"
            return f"{self.parser} and {self.other} do not differ in {unit}: each has {each}."
        if parts:
            return f"{self.parser} minus {self.other} in {unit}: {', '.join(parts)}."
        n = int(all_rows["low"].notna().sum())
        among = f" among {count_of(n, 'comparison')}" if n else ""
        return f"{self.parser} and {self.other}: no difference in {unit} is significant{among}."

    def figures(self, row: pd.Series[Any]) -> str:
        """Return the figures of a row in words: the cost with its unit, its share, and the number of sentences.

        Of a row of two parsers: the cost of both, and the difference with its interval.
        """
        kind = self.question.kind
        if self.other:
            both = f"{number(row['cost'])} against {number(row['other'])} of {self.other}"
            return f"{both}, {number(row['more'], signed=True)} {kind.unit}{between(row)}"
        share, sentences = row.get("share"), row.get("sentences")
        of_all = "" if share is None or math.isnan(share) else f", {percentage(share)} of all {kind.whole}"
        within = "" if sentences is None else f", in {count_of(sentences, 'sentence')}"
        return f"{self.cost_text(row['cost'])}{of_all}{within}"

    def share_in_words(self, row: pd.Series[Any]) -> str:
        """Return the cost of a row as a part of all errors, with its unit."""
        cost, share = float(row["cost"]), row.get("share")
        if share is None or math.isnan(share) or not share:
            return self.cost_text(cost)
        return f"{number(cost)} of {number(round(cost / share))} {self.question.kind.whole} ({percentage(share)})"

    def cost_text(self, cost: float) -> str:
        """Return a cost with its unit."""
        return count_of(cost, self.question.kind.unit.removesuffix("s"))

    def describe(self, row: pd.Series[Any]) -> str:
        """Return the name of a row in a sentence."""
        return self.question.describe({str(name): value for name, value in row.items()})

    def heading(self, row: pd.Series[Any]) -> str:
        """Return the name of a row by itself."""
        return self.describe(row) if self.question.members is None else str(row["group"])

    def uninformative(self, row: pd.Series[Any]) -> str:
        """Return why a row says little; empty if it is informative."""
        value, reason = self.question.residual
        return reason if value and row[self.keys[0]] == value else ""

    def is_residual(self, rows: pd.DataFrame) -> pd.Series[bool]:
        """Return which rows say little, and are not in headlines."""
        return rows[self.keys[0]] == (self.question.residual[0] or None)

    @cached_property
    def left_out(self) -> str:
        """A sentence on the sentences whose errors are not among the rows; empty if there are none."""
        count = self.question.kind.left_out
        return "" if count is None else count(self.run, self.parser, self.scope)

    @property
    def empty(self) -> str:
        """The text instead of an empty table."""
        fewer = " A smaller minimum count lists more." if self.options.get("least", 1) > 1 else ""
        return self.unscored or f"{self.parser} has no such errors in this run.{fewer}"


def _added(sums: pd.DataFrame, others: pd.DataFrame) -> pd.DataFrame:
    """Add sums by group to those of other sentences."""
    both: pd.DataFrame = pd.concat([sums, others]).groupby(level=0, sort=False).sum()
    return both


def _joined(blocks: list[pd.DataFrame]) -> pd.DataFrame:
    """Return blocks of members as one table; values of features are in the order in which they first occur."""
    if len(blocks) == 1:
        return blocks[0]
    columns = {}
    for name in [str(name) for name in blocks[0]]:
        parts = [block.pop(name) for block in blocks]
        is_feature = isinstance(parts[0].dtype, pd.CategoricalDtype)
        columns[name] = union_categoricals(parts) if is_feature else np.concatenate(parts)
    return pd.DataFrame(columns, copy=False)


def _costly(members: pd.DataFrame, configuration: Configuration) -> pd.DataFrame:
    """Return the members of a group that have errors."""
    members = members[members["cost"] > 0]
    return members[configuration.members(members)]


def _listed(names: Sequence[str]) -> str:
    """Return names as strings of SQL."""
    return ", ".join(map(quoted, names))


def is_running(text: str | None) -> bool:
    """Return whether a sentence is running text: it begins with a word and ends with a stop, unlike titles and lists.

    Examples
    --------
    >>> is_running('“ She left early . ”'), is_running("Port of Refuge Harbor"), is_running("2 . Stir well .")
    (True, False, False)
    """
    text = (text or "").strip(_AROUND)
    return text[:1].isalpha() and text.endswith(_ENDS)


def by_clarity(
    sentences: Sequence[int],
    n_words: Mapping[int, int],
    n_errors: Mapping[int, int],
    running: Collection[int] | None = None,
) -> list[int]:
    """Sort sentences so that natural ones with few errors come first, the shortest before the others.

    A sentence is natural if it has 8 to 20 words and is `running` text, as all are by default; 4 errors are few.

    Examples
    --------
    >>> by_clarity([1, 2, 3, 4], {1: 2, 2: 30, 3: 9, 4: 8}, {3: 1, 4: 11})
    [3, 4, 1, 2]
    >>> by_clarity([3, 5], {3: 9, 5: 12}, {}, running={5})
    [5, 3]
    """

    def key(sentence: int) -> tuple[bool, bool, int, int]:
        words, errors = n_words.get(sentence, 0), n_errors.get(sentence, 0)
        is_natural = MIN_WORDS <= words <= MAX_WORDS and (running is None or sentence in running)
        return not is_natural, errors > MAX_ERRORS, words, sentence

    return sorted(sentences, key=key)


def doubt(row: pd.Series[Any], rows: pd.DataFrame) -> str:
    """Return that a difference of two parsers is not significant among all that are compared; empty if it is."""
    if math.isnan(row["low"]) or row["flag"] == "✓":
        return ""
    return f"not significant among {count_of(int(rows['low'].notna().sum()), 'comparison')}"


def between(row: pd.Series[Any]) -> str:
    """Return the interval of a row in parentheses; empty if there is none."""
    return "" if math.isnan(row["low"]) else f" (95 % interval {row['interval']})"


def with_intervals(rows: pd.DataFrame) -> pd.DataFrame:
    """Add ``interval`` and ``flag``, which are texts, to rows with ``low``, ``high`` and ``flagged``."""
    intervals = [
        interval_text(100 * low, 100 * high, signed=True)
        for low, high in zip(rows["low"].tolist(), rows["high"].tolist(), strict=True)
    ]
    return rows.assign(interval=intervals, flag=["✓" if flagged else "" for flagged in rows["flagged"].tolist()])


def _compared_words(words: list[str], text: str | None) -> list[str]:
    """Return the words of a tree; of one with empty elements, which its text leaves out, those of the text."""
    return words if text is None or " ".join(words) == text else text.split()


def _plain(values: pd.Series[float]) -> pd.Series[Any]:
    """Return numbers as whole numbers if all are."""
    return values.astype(np.int64) if (values % 1 == 0).all() else values


def _commonest(rows: pd.DataFrame, none: str = "") -> list[str]:
    """Return the commonest labels of either side of ``gold``, ``test`` and ``count``, without the label `none`.

    Examples
    --------
    >>> rows = pd.DataFrame({"gold": ["A", "B", "-"], "test": ["A", "A", "B"], "count": [5, 2, 1]})
    >>> _commonest(rows, "-")
    ['A', 'B']
    """
    sides = [rows.groupby(side)["count"].sum() for side in ("gold", "test")]
    totals = pd.concat(sides).groupby(level=0).sum().drop(index=none, errors="ignore")
    order = np.lexsort((totals.index.to_numpy(str), -totals.to_numpy(dtype=np.int64)))
    return [str(name) for name in totals.index[order][:_MAX_LABELS]]


def _confusion_matrix(rows: pd.DataFrame, common: Sequence[str], none: str = "") -> pd.DataFrame:
    """Return the counts of `none`, if there can be no label, of the common labels, and of all others together.

    Examples
    --------
    >>> rows = pd.DataFrame({"gold": ["A", "B", "-"], "test": ["A", "A", "B"], "count": [5, 2, 1]})
    >>> _confusion_matrix(rows, ["A", "B"], "-").to_numpy().tolist()
    [[0, 0, 1, 0], [0, 5, 0, 0], [0, 2, 0, 0], [0, 0, 0, 0]]
    """
    names = [*([none] if none else []), *common, REST]
    sides = rows.assign(**{side: rows[side].where(rows[side].isin(names), REST) for side in ("gold", "test")})
    counts = sides.pivot_table(index="gold", columns="test", values="count", aggfunc="sum", fill_value=0)
    return counts.reindex(index=names, columns=names, fill_value=0).astype(np.int64)

"""The questions of *Hotspots*: tables of groups of errors, and for a group its errors in the sentences.

A question is a ``GroupBy``; ``Framework.groups`` lists those of a framework. Pages and reports draw them all: controls,
columns, headline and sentences are data.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING, Any, ClassVar, Concatenate, Literal, NamedTuple, ParamSpec, Protocol, TypeVar

from evaltools.frameworks.controls import Control
from evaltools.text import count_of, decimals, interval_text, number, p_value, percent, percentage

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    from evaltools.drawing.blocks import Drawing
    from evaltools.runs.store import Run


_MIN_WORDS, _MAX_ERRORS = 4, 4
"""Limits of clear examples."""
BOTH = "both parsers have a parse of gold’s tokens"
"""What is true of the sentences over which two parsers are compared."""
_MAX_SKIPPED = 20
"""Maximum number of uninformative rows that a headline skips."""

T = TypeVar("T")
P = ParamSpec("P")

Options = Mapping[str, Any]
"""The chosen values, by the names of the controls."""

Format = Literal["text", "interval", "count", "amount", "figure", "points", "points difference", "percent", "p"]
"""Formats of values: a text, and one flush right; a count, and one that may be weighted; a figure with two decimals;
hundredths, and the same with the sign %; a p-value."""
_FORMATS: Mapping[Format, Callable[[Any], str]] = {
    "text": str,
    "interval": str,
    "count": partial(decimals, places=0),
    "amount": number,
    "figure": decimals,
    "points": percent,
    "points difference": partial(percent, signed=True),
    "percent": percentage,
    "p": p_value,
}


class Memory(Protocol):
    """A cache of results that several groups need."""

    def __call__(self, key: tuple[Hashable, ...], make: Callable[[], T], /) -> T:
        """Return the result under a key; call `make` the first time."""
        ...


def _memory() -> Memory:
    results: dict[tuple[Hashable, ...], Any] = {}

    def memory(key: tuple[Hashable, ...], make: Callable[[], T], /) -> T:
        if key not in results:
            results[key] = make()
        result: T = results[key]
        return result

    return memory


@dataclass(frozen=True, eq=False)
class Part:
    """The first sentences of a run, which may be the sentences of a group of another run."""

    run: Run
    size: int  # Number of sentences
    # The cache of `cached`; by default a dictionary that lives as long as the part.
    memory: Memory = field(default_factory=_memory, repr=False)
    where: str = ""  # The group in words; empty for none
    numbers: NDArray[np.int64] | None = None  # Numbers of the sentences in the other run; None for none
    # The document of each sentence of the run, by number: what intervals of differences are over; None for sentences
    units: NDArray[np.int64] | None = None
    # Which sentences it is those of that two compared parsers both have, such as ``1,194``; empty if they have all
    among: str = ""

    @property
    def scope(self) -> str:
        """The sentences, in words: how many, and which ones if not all."""
        where = f" with {self.where}" if self.where else ""
        if self.among:
            return f"{self.size:,} of {self.among} sentences{where}: those in which {BOTH}"
        return f"{self.size:,} sentences{where}"

    def number_of(self, sentence: int) -> int:
        """Return the number of a sentence in the run that readers see."""
        return sentence if self.numbers is None else int(self.numbers[sentence - 1])

    def sentence_of(self, number: int) -> int:
        """Return the sentence with a number in the run that readers see; 0 if it is not in the part."""
        if self.numbers is None:
            return number
        return int((self.numbers == number).argmax()) + 1 if number in self.numbers else 0

    def cached(self, function: Callable[Concatenate[Part, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return what a function of the part returns; it is computed once for the same arguments."""
        key = (function.__module__, function.__qualname__, *args, *kwargs.items())
        return self.memory(key, lambda: function(self, *args, **kwargs))


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table of groups."""

    name: str  # The column of the data frame
    title: str
    format: Format = "count"  # How its values are written
    help: str = ""  # A hint; empty for none
    width: int | Literal["large"] | None = None

    def text(self, value: Any) -> str:
        """Return a value as text; empty for None."""
        return "" if value is None else _FORMATS[self.format](value)


COMPARISON = (
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
"""The columns of the difference of two parsers."""


class Line(NamedTuple):
    """A sentence of a group: its words, the marked ones, and a remark on the error."""

    sentence: int
    words: list[str]
    marked: set[int]
    remark: str


class Example(NamedTuple):
    """An error in one sentence, in words and as a small picture."""

    text: str
    drawing: Drawing  # Its pictures take a width


@dataclass(frozen=True, slots=True, eq=False)
class Differences:
    """Groups against the rest, to be drawn with their intervals."""

    rows: pd.DataFrame  # ``group``, ``count``, ``mean``, ``difference``, ``low``, ``high``
    score: str  # Name of the figures
    description: str  # Caption of the chart
    things: str = "words"  # Noun for the members of groups


@dataclass(frozen=True, slots=True, eq=False)
class Matrix:
    """Counts of the pairs of a gold label and a parser's label; those on the diagonal are right."""

    counts: pd.DataFrame  # Gold labels by rows, the parser's by columns, the same names in the same order
    description: str
    none: str = ""  # The name that stands for no label; empty if both sides always have one


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A short table for reports."""

    title: str  # What it lists
    # From the sentences, a parser, and the minimum number of members of a group to the rows, the largest loss first.
    rows: Callable[[Part, str, int], pd.DataFrame]
    columns: tuple[Column, ...]
    note: str  # What its figures are; ``{least}`` is replaced by the minimum number of members


class GroupBy(ABC):
    """One question of *Hotspots*."""

    # A subclass defines its columns, the table of a parser, and the errors of a row. Two parsers are compared by their
    # figures in the column `main`; `by_sentence` makes intervals of the differences possible.

    id: str
    """Its name in the URL."""
    title: str
    """Its title in the menu."""
    description: str = ""
    """The meaning of a row, and the source of the figures."""
    keys: tuple[str, ...] = ("group",)
    """The columns that identify a row."""
    main: ClassVar[str] = "count"
    """The column by which rows are sorted, the worst first."""
    unit: ClassVar[str] = "errors"
    """What `main` counts, a plural, in the words of its heading."""
    error: ClassVar[str] = "error"
    """Noun for what the sentences of a row are listed with."""
    whole: ClassVar[str] = "errors"
    """What shares are of, in headlines: all …."""
    verb: ClassVar[str] = "has most"
    """What headlines say before `unit`."""
    row_name: str = "row"
    """Noun for a row."""
    leads: bool = False
    """Whether *Overview* and reports name its costliest rows."""
    drawn_legend: ClassVar[str] = ""
    """What the signs in the pictures of `drawn` mean."""
    legend: ClassVar[tuple[tuple[str, str], ...]] = ()
    """What the marks in the pictures of `pictured` mean: status and text."""
    of_all_parsers: ClassVar[bool] = False
    """Whether its rows are of all parsers together, so that two are not compared."""
    has_parts: bool = False
    """Whether `parts` returns what the errors of a row consist of."""
    parts_help: ClassVar[str] = ""
    """What a part is."""
    max_rows: ClassVar[int] = 100_000
    """Maximum number of rows of the table."""
    all_sentences: ClassVar[bool] = False
    """Whether it uses all sentences of a run, also of a long one."""
    preferred: ClassVar[tuple[str, str]] = ("wrong", "sentences in which it costs brackets")
    """The column that is true of the errors to be shown first, if `errors` has it, and their sentences in words."""
    compares_common: ClassVar[bool] = False
    """Whether `compared` chooses the sentences by itself: those that both parsers have, or as an option says."""
    marks_words: ClassVar[bool] = False
    """Whether the words of a row are marked in the picture of a sentence."""

    def needs_common(self, parser: str, other: str) -> bool:
        """Return whether the sentences of the table must be those that two parsers both have; `other` may be empty."""
        return other not in ("", parser) and not (self.of_all_parsers or self.compares_common)

    @property
    def controls(self) -> tuple[Control, ...]:
        """The controls; their names are the keys of the options."""
        return ()

    def options(self, **chosen: Any) -> dict[str, Any]:
        """Return options: those given, and defaults."""
        return {control.name: control.default for control in self.controls} | chosen

    @abstractmethod
    def rows(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return the groups of a parser, the worst first."""

    @abstractmethod
    def errors(
        self, part: Part, parser: str, options: Options, row: Mapping[str, Any], other: str = ""
    ) -> pd.DataFrame:
        """Return one row per error of a row of the table, with ``sentence``; `other` is the parser compared with."""

    @abstractmethod
    def lines(self, part: Part, sentences: Sequence[int], errors: pd.DataFrame) -> list[Line]:
        """Return some sentences with the words of their errors."""

    def pictured(
        self, part: Part, parser: str, options: Options, sentences: Sequence[int], errors: pd.DataFrame
    ) -> Mapping[int, Example]:
        """Return the first error of some sentences with its picture; sentences without one are left out."""
        return {}

    def drawn(self, part: Part, parser: str, options: Options) -> list[Example]:
        """Return the rows of a parser as small pictures with typical words, in their order; empty for none."""
        return []

    @abstractmethod
    def columns(self, options: Options) -> tuple[Column, ...]:
        """Return the columns of `rows`, as they are shown."""

    def columns_compared(self, parser: str, other: str, options: Options) -> tuple[Column, ...]:
        """Return the columns of `compared`, as they are shown."""
        columns = self.columns(options)
        main = next(column for column in columns if column.name == self.main)
        return (
            *takewhile(lambda column: column.format == "text", columns),
            replace(main, title=parser, help=f"{main.title}, {parser}"),
            replace(main, name="other", title=other, help=f"{main.title}, {other}"),
            *COMPARISON,
        )

    def compared(self, part: Part, parser: str, other: str, options: Options) -> pd.DataFrame:
        """Return the rows of two parsers with `main` of both and their difference, the largest in size first.

        ``other`` is `main` of the other parser, ``more`` how much more the first has, ``low`` and ``high`` the ends of
        the 95 % interval of the difference; ``interval`` and ``flag`` are texts.
        """
        import pandas as pd

        from evaltools.frameworks.common.differences import with_differences

        rows = self.rows_of_both(part, parser, other, options)
        rows = with_differences(rows, self.main, self.standard_errors(part, parser, other, options, rows))
        is_last = self.uninformative_differences(rows)
        return pd.concat([rows[~is_last], rows[is_last]], ignore_index=True) if is_last.any() else rows

    def rows_of_both(self, part: Part, parser: str, other: str, options: Options) -> pd.DataFrame:
        """Return the rows that either of two parsers has, with `main` of the other parser as ``other``."""
        from evaltools.frameworks.common.differences import rows_of_both

        first, second = (self.rows(part, name, options) for name in (parser, other))
        return rows_of_both(first, second, self.keys, self.main)

    def by_sentence(self, part: Part, parser: str, options: Options) -> pd.DataFrame | None:
        """Return the keys, ``sentence`` and ``value``, the sums of which are `main`; None for no intervals."""
        return None

    def standard_errors(
        self, part: Part, parser: str, other: str, options: Options, rows: pd.DataFrame
    ) -> NDArray[np.float64]:
        """Return the standard errors of the differences of some rows between two parsers, over units of the part."""
        from evaltools.frameworks.common.differences import paired_errors

        first, second = (self.by_sentence(part, name, options) for name in (parser, other))
        if first is None or second is None:
            return rows["other"].to_numpy(dtype="float64") * float("nan")
        return paired_errors(first, second, rows, self.keys, part.size, part.units)

    def parts(self, errors: pd.DataFrame) -> pd.DataFrame:
        """Return what errors consist of, largest first: ``part``, ``amount``, ``count``; empty if not known."""
        if "part" not in errors:
            return errors.head(0)
        parts = errors.assign(count=1, amount=errors.get(self.main, 1)).groupby("part", sort=True)
        sums = parts[["amount", "count"]].sum().reset_index()
        return sums.sort_values(["amount", "count"], ascending=False, kind="stable", ignore_index=True)

    def matrix(self, part: Part, parser: str, options: Options) -> Matrix | None:
        """Return the rows as a matrix of their two keys, if they make one."""
        return None

    def chart(self, rows: pd.DataFrame, options: Options, other: str = "") -> Differences | None:
        """Return the chart of the differences to the rest; None for none."""
        return None

    def answer(self, rows: pd.DataFrame, parser: str, options: Options, other: str = "") -> str:
        """Return the headline: the first informative row of the table as it is sorted, with its figure.

        Rows before it that are uninformative are named with the reason.
        """
        if rows.empty:
            return self.empty(parser, options) if self.of_all_parsers else f"{parser} has no errors of this kind."
        if other:
            return self._headline_compared(rows, parser, other)
        first = rows.iloc[0]
        reason = self.uninformative(first, options)
        if not reason:
            return f"{self.finding(first, parser, options)}."
        for _, row in rows.head(_MAX_SKIPPED).iterrows():
            if not self.uninformative(row, options):
                return (
                    f"{self.finding(row, parser, options)}. "
                    f"The first row, {self.describe(first)}, is uninformative: {reason}."
                )
        return f"{self.finding(first, parser, options)}; uninformative: {reason}."

    def finding(self, row: pd.Series[Any], parser: str, options: Options) -> str:
        """Return a row as a statement, with its figure and unit."""
        return f"{parser} {self.verb} {self.unit} at {self.describe(row)}: {self.figures(row)}"

    def figures(self, row: pd.Series[Any], other: str = "") -> str:
        """Return the figures of a row in words: `main` with its unit, its share of all, and the number of sentences.

        Of a row of two parsers: `main` of both, and the difference with its interval.
        """
        noun = self.unit.removesuffix("s")
        if other:
            both = f"{number(row[self.main])} against {number(row['other'])} of {other}"
            return f"{both}, {number(row['more'], signed=True)} {self.unit}{_between(row)}"
        share, sentences = row.get("share"), row.get("sentences")
        of_all = "" if share is None or share != share else f", {percentage(share)} of all {self.whole}"
        within = "" if sentences is None else f", in {count_of(sentences, 'sentence')}"
        return f"{count_of(row[self.main], noun)}{of_all}{within}"

    def share_in_words(self, row: pd.Series[Any]) -> str:
        """Return `main` of a row as a part of all errors, with its unit."""
        cost, share = float(row[self.main]), row.get("share")
        if share is None or share != share or not share:
            return count_of(cost, self.unit.removesuffix("s"))
        return f"{number(cost)} of {number(round(cost / share))} {self.whole} ({percentage(share)})"

    def uninformative(self, row: pd.Series[Any], options: Options) -> str:
        """Return why a row says little; empty if it is informative."""
        return ""

    def uninformative_differences(self, rows: pd.DataFrame) -> pd.Series[bool]:
        """Return which rows of two parsers stand behind the others, and are not in headlines."""
        return rows["more"].isna()

    def _headline_compared(self, rows: pd.DataFrame, parser: str, other: str) -> str:
        """Return the headline of a table of two parsers: the largest difference in each direction, the larger first.

        Where that is not significant, the largest significant one in its direction is named, too.
        """
        all_rows, informative = rows, rows[~self.uninformative_differences(rows)]
        rows = rows if informative.empty else informative
        named: list[pd.Series[Any]] = []
        remarks: dict[Hashable, str] = {}
        for own in (rows[rows["more"] > 0], rows[rows["more"] < 0]):
            first, significant = own.index[:1], own.index[own["flag"] == "✓"][:1]
            named += [own.loc[index] for index in dict.fromkeys((*first, *significant))]
            remarks |= {index: "significant" for index in significant if index not in first}
        is_any = bool((rows["flag"] == "✓").any())
        parts = [
            f"{number(row['more'], signed=True)} at {self.describe(row)}"
            + _between(row, remarks.get(row.name, doubt(row, all_rows) if is_any else ""))
            for row in sorted(named, key=lambda row: -abs(row["more"]))
        ]
        if not parts:
            return f"{parser} and {other} do not differ in {self.unit}."
        n = int(all_rows["low"].notna().sum())
        among = f" among {count_of(n, 'comparison')}" if n else ""
        remark = "" if is_any else f" No difference is significant{among}."
        return f"{parser} minus {other} in {self.unit}: {', '.join(parts)}.{remark}"

    def summary(self, rows: pd.DataFrame) -> str:
        """Return a sentence on the whole table for other pages; empty for none."""
        return ""

    def number_of_errors(self, errors: pd.DataFrame) -> str:
        """Return how many errors there are, with their unit."""
        return count_of(len(errors), self.error)

    def examples(self, part: Part, parser: str, errors: pd.DataFrame) -> list[int]:
        """Return the sentences of some errors, the shortest clear one first.

        Those of errors that are `preferred` come before the others.
        """
        column, _ = self.preferred
        sides = [errors[errors[column].to_numpy(dtype=bool)], errors] if column in errors else [errors]
        figures = part.cached(_lengths, parser), self.errors_of_sentences(part, parser)
        ordered = [number for side in sides for number in by_clarity(side["sentence"].unique().tolist(), *figures)]
        return list(dict.fromkeys(ordered))

    def costs(
        self, part: Part, parser: str, options: Options, row: Mapping[str, Any], errors: pd.DataFrame
    ) -> dict[int, float]:
        """Return by sentence what some errors of a row cost, as `main` counts it."""
        values = None if self.main in errors else self.by_sentence(part, parser, options)
        if values is None:
            values = errors.assign(value=errors.get(self.main, 1))
        else:
            for key in self.keys:
                values = values[values[key] == row[key]]
        sums = values.groupby("sentence")["value"].sum()
        return dict(zip(sums.index.tolist(), sums.tolist(), strict=True))

    def cost_text(self, cost: float) -> str:
        """Return a cost with its unit."""
        return count_of(cost, self.unit.removesuffix("s"))

    def order_of_examples(self, errors: pd.DataFrame) -> str:
        """Describe the order of `examples`."""
        column, preferred = self.preferred
        first = f"{preferred}, then " if column in errors and errors[column].any() else ""
        return (
            f"Order: {first}clear sentences, the shortest before the others; clear are those of at least {_MIN_WORDS} "
            f"words with at most {_MAX_ERRORS} {self.whole}."
        )

    def errors_of_sentences(self, part: Part, parser: str) -> Mapping[int, int]:
        """Return the number of all errors of a parser in each sentence; empty if unknown."""
        return {}

    def left_out(self, part: Part, parser: str) -> str:
        """Return a sentence on the sentences whose errors are not among the rows; empty if there are none."""
        return ""

    def empty(self, parser: str, options: Options) -> str:
        """Return the text shown instead of an empty table."""
        fewer = " A smaller minimum count lists more." if "least" in options else ""
        return f"{parser} has no such errors in this run.{fewer}"

    def describe(self, row: pd.Series[Any]) -> str:
        """Return the name of a row in a sentence."""
        return str(row[self.keys[0]])

    def heading(self, row: pd.Series[Any]) -> str:
        """Return the heading above the sentences of a row."""
        return " · ".join(str(row[key]) for key in self.keys if str(row[key]))


def by_clarity(sentences: Sequence[int], n_words: Mapping[int, int], n_errors: Mapping[int, int]) -> list[int]:
    """Sort sentences so that clear ones come first, the shortest before the others.

    A sentence is clear if it has at least 4 words, as context, and at most 4 errors.

    Examples
    --------
    >>> by_clarity([1, 2, 3, 4], {1: 2, 2: 30, 3: 9, 4: 7}, {3: 1, 4: 11})
    [3, 2, 1, 4]
    """

    def key(sentence: int) -> tuple[int, int, int]:
        words, errors = n_words.get(sentence, 0), n_errors.get(sentence, 0)
        return (int(words < _MIN_WORDS) + 2 * int(errors > _MAX_ERRORS), words, sentence)

    return sorted(sentences, key=key)


def _lengths(part: Part, parser: str) -> dict[int, int]:
    rows = part.run.query("select sentence, words from sentences where parser = ?", [parser])
    return dict(zip(rows["sentence"].tolist(), rows["words"].fillna(0).astype(int).tolist(), strict=True))


def doubt(row: pd.Series[Any], rows: pd.DataFrame) -> str:
    """Return that a difference of two parsers is not significant among all that are compared; empty if it is."""
    if row["low"] != row["low"] or row["flag"] == "✓":
        return ""
    return f"not significant among {count_of(int(rows['low'].notna().sum()), 'comparison')}"


def _between(row: pd.Series[Any], remark: str = "") -> str:
    interval = "" if row["low"] != row["low"] else f"95 % interval {row['interval']}"
    inside = ", ".join(filter(None, [interval, remark]))
    return f" ({inside})" if inside else ""


def with_intervals(rows: pd.DataFrame) -> pd.DataFrame:
    """Add ``interval`` and ``flag``, which are texts, to rows with ``low``, ``high`` and ``flagged``."""
    intervals = [
        interval_text(100 * low, 100 * high, signed=True)
        for low, high in zip(rows["low"].tolist(), rows["high"].tolist(), strict=True)
    ]
    return rows.assign(interval=intervals, flag=["✓" if flagged else "" for flagged in rows["flagged"].tolist()])

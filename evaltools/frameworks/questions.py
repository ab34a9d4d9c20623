"""The questions of *Hotspots* as records: about errors, and about members, such as words, right or wrong.

The errors are the rows of the table ``errors``, which is written when a run is scored: parser, sentence, number, kind,
status, cost, words, labels of gold and parser, and what else a framework groups them by. Members exist whether they are
right or wrong, so that a group of them has an error rate; their errors are rows of the same table.
:mod:`evaltools.frameworks.hotspots` answers both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from evaltools.blocks import Choice, Column, Control, Number

if TYPE_CHECKING:
    import pandas as pd

    from evaltools.drawing import Drawing
    from evaltools.runs.store import Run

NONE = "(none)"
"""Stands for a label that one side does not have."""

Options = Mapping[str, Any]
"""The chosen values, by the names of the controls."""


class Example(NamedTuple):
    """An error in one sentence, in words and as a small picture."""

    text: str
    drawing: Drawing  # Its pictures take a width


@dataclass(frozen=True, slots=True)
class Scope:
    """The sentences of a run that a question is asked about."""

    size: int  # How many of them count
    condition: str  # SQL that is true of their column ``sentence``
    text: str = ""  # Which ones they are, if not all: ``with genre: news``

    def __str__(self) -> str:
        """Return how many sentences there are, and which ones if not all."""
        return f"{self.size:,} {self.text}" if self.text else f"{self.size:,} sentences"


@dataclass(frozen=True, slots=True)
class Kind:
    """What errors are: their unit, the marks of their pictures, and how these are drawn."""

    id: str  # The value of the column ``kind`` of the table of errors
    unit: str = "errors"  # What their cost counts, a plural, in the words of its heading
    whole: str = "errors"  # What shares are of, in headlines: all …
    verb: str = "has most"  # What headlines say before the unit
    legend: tuple[tuple[str, str], ...] = ()  # What the marks in the pictures mean: status and text
    # From a run, a parser, and the first error of each of some sentences to their pictures, by sentence
    pictured: Callable[[Run, str, pd.DataFrame, Options], Mapping[int, Example]] | None = None
    typical: str = ""  # The sentences of typical errors in words, if some are more typical than others
    part: str = ""  # The column that says what an error consists of
    marks_words: bool = False  # Whether the words of a row are marked in the picture of a sentence
    of_all_parsers: bool = False  # Whether they are those of all parsers together, so that two are not compared
    # From a run, a parser and sentences to a remark on sentences whose errors are not among the rows
    left_out: Callable[[Run, str, Scope], str] | None = None


_TYPICAL = 3
"""Number of typical words."""


def commonest_forms(run: Run, members: pd.DataFrame) -> str:
    """Return the most frequent forms of words."""
    return ", ".join(str(form) for form in members["form"].astype(str).value_counts().index[:_TYPICAL])


@dataclass(frozen=True, slots=True)
class Configured:
    """How groups of members with several features in common are worded."""

    features: tuple[str, ...]  # The features in conditions
    describe: Callable[[str, str], str]  # A feature and a value as a condition in words
    # Typical words of some members with errors
    typical: Callable[[Run, pd.DataFrame], str] = commonest_forms


@dataclass(frozen=True, slots=True)
class Members:
    """What a question about members groups: words, brackets or triples with features and scores, and their errors."""

    noun: str  # A plural, such as ``words``
    # From a run, a parser, sentences and options to a row a member: ``sentence``, the features, the scores, ``cost``,
    # the columns of `match`, and ``count``, where a row stands for several members
    load: Callable[[Run, str, Scope, Options], pd.DataFrame]
    match: tuple[str, ...]  # The columns, besides ``sentence``, by which errors are those of a member
    scores: Mapping[str, str]  # The names of the scores, as tables have them; the first is the default
    features: Mapping[str, str]  # What members are grouped by, with titles; the first is the default
    # Sums of further columns, if they are counts, or means, or shares of the sum of another column, if that is named
    figures: tuple[tuple[Column, str], ...] = ()
    cost_help: str = ""  # Which errors are those of a member
    conditions: Configured | None = None  # If groups have several features in common
    are_weighed: bool = False  # Whether a row stands for several members, with ``count``
    total: Callable[[Run, str, Scope, Options], float] | None = None  # The cost of all errors, if not the table's


@dataclass(frozen=True, slots=True)
class Question:
    """A question of *Hotspots*: which errors, or members with their errors, are grouped, and by what."""

    id: str  # Its name in the URL
    title: str
    description: str  # The meaning of a row
    kind: Kind  # The kind of the errors; shares are of all errors of the kind
    keys: tuple[Column, ...]  # The columns that name a row
    describe: Callable[[Mapping[str, Any]], str]  # A row in words, given its keys
    where: str = "true"  # SQL of the errors that count; {name} is the value of a control or an option of the run
    source: str = "errors"  # SQL of the table of errors, if its columns or rows depend on a control
    controls: tuple[Control, ...] = ()
    # SQL of ``label`` and ``n``, the right ones of each label, for {parser} and {sentences}: the rows are pairs of
    # labels, ``gold`` and ``test``, and make a matrix
    right: str = ""
    members: Members | None = None  # What is grouped, if it is not the errors
    row_name: str = "row"  # Noun for a row
    leads: bool = False  # Whether *Overview* and reports name its costliest rows
    residual: tuple[str, str] = ("", "")  # The first key of a row that says little, and why


def question_options(question: Question, **chosen: Any) -> dict[str, Any]:
    """Return the options of a question: those given, and defaults."""
    return {control.name: control.default for control in question.controls} | chosen


MIN_COUNT = Number("least", "Minimum count", 30)
"""The control for the size of groups."""


def scheme_control(schemes: Mapping[str, str]) -> Choice:
    """Return the control for the score of members, given titles."""
    return Choice("scheme", "Score", schemes, next(iter(schemes)), is_menu=True)


def feature_control(features: Mapping[str, str], default: str) -> Choice:
    """Return the control for what members are grouped by."""
    return Choice("by", "Group by", features, default, is_menu=True)


def group_name(row: Mapping[str, Any]) -> str:
    """Return the group of members in quotes."""
    return f"“{row['group']}”"


def first_errors(errors: pd.DataFrame, sentences: Sequence[int]) -> pd.DataFrame:
    """Return the first error of each of some sentences."""
    first: pd.DataFrame = errors[errors["sentence"].isin(sentences)].drop_duplicates("sentence")
    return first

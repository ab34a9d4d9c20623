"""The interface between stored runs and frameworks: tables, reading of trees, figures of experiments, checks."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import msgspec

from evaltools.errors import RunError
from evaltools.formats import Source
from evaltools.formats.toml_files import as_type
from evaltools.text import printable

if TYPE_CHECKING:
    import pandas as pd

    from evaltools.corpus import DependencyTree, SemanticGraph, Tree
    from evaltools.frameworks.constituency.aligned_trees import Alignment
    from evaltools.frameworks.dependency.aligned_arcs import DependencyAlignment
    from evaltools.frameworks.presets import Preset
    from evaltools.frameworks.semantics.aligned_graphs import GraphAlignment
    from evaltools.runs.store import Run

    AnyTree = Tree | DependencyTree | SemanticGraph
    """A tree or graph as it was read."""


Count = Annotated[int, msgspec.Meta(ge=0)]
"""A number in ``meta.json`` that counts something."""


@dataclass(frozen=True, slots=True)
class Table:
    """The columns that a table must have, by type; it may have more."""

    texts: tuple[str, ...] = ()  # Names of columns
    numbers: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    counts: bool = False  # Whether it also has the counts of the run's metrics
    integers: tuple[str, ...] = ()  # Columns that need not be there, and hold integers if they are

    def with_columns(self, table: Table) -> Table:
        """Return this table with the columns of another one, too."""
        return Table(
            (*self.texts, *table.texts),
            (*self.numbers, *table.numbers),
            (*self.flags, *table.flags),
            self.counts or table.counts,
            (*self.integers, *table.integers),
        )


class Labels(NamedTuple):
    """Where the tables of a run have the labels of the gold trees."""

    title: str  # Their title in reports
    table: str  # The table and its column
    column: str
    condition: str  # SQL of the rows that count


class LabelColumns(NamedTuple):
    """The columns of figures by label, as text reports have them."""

    names: Mapping[str, str]  # Headings of the columns that name the label, with the columns
    counts: tuple[str, ...] = ("gold", "test", "matched")  # Columns of counts, which are their own headings
    shares: tuple[str, str, str] = ("recall", "precision", "f1")  # The columns of recall, precision and F1


class NoteTable(NamedTuple):
    """A small table below the figures of a report."""

    title: str
    headings: tuple[str, ...]  # Headings of the columns
    rows: list[tuple[str | float | None, ...]]  # The cells: a text, or a share of 1, which is None where undefined


Sources = tuple[dict[str, Source], dict[str, tuple[str, Source]]]
"""Files of the trees of a run: gold by theory; theory and output by parser."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of an experiment: a parser compared with one gold treebank, or with what several have in common."""

    golds: tuple[str, ...]  # The theories of the gold treebanks
    parser: str
    column: str  # What is measured
    # Counts summed, then divided, and the number of sentences; NaN and 0 where undefined: over the parsed sentences,
    # and over all sentences, where no parse counts as nothing matched.
    value: float = math.nan
    n: int = 0
    value_all: float = math.nan
    n_all: int = 0
    reason: str = ""  # Why it is undefined

    @property
    def shown(self) -> float:
        """The figure in tables: over all sentences; NaN if there is a reason why it is undefined."""
        return math.nan if self.reason else self.value_all

    @classmethod
    def of(
        cls, golds: tuple[str, ...], row: Mapping[str, Any], column: str = "", reason: str = "", if_none: str = ""
    ) -> Figure:
        """Take the figure from a row of figures of a parser and a metric, unless there is a reason not to.

        `if_none` is the reason if no sentence can be compared.
        """
        parser, name = row["parser"], column or row["metric"]
        if reason:
            return cls(golds, parser, name, reason=reason)
        if not row["n_pooled"]:
            reason = if_none or "no sentence can be compared"
        elif math.isnan(row["pooled"]):
            reason = "nothing to count"
        return cls(
            golds,
            parser,
            name,
            row["pooled"],
            int(row["n_pooled"]),
            row["pooled_all"],
            int(row["n_pooled_all"]),
            reason,
        )


class StoredRuns(ABC):
    """How the runs of a framework are read."""

    labels: Labels | None = None
    """Where the labels of the gold trees are; None if sentences are not put into classes by labels."""
    labels_sql: tuple[str, str] | None = None
    """A table and the SQL of all labels in it, for the ``labels`` of ``meta.json``; None if that lists none."""
    label_columns = LabelColumns({"label": "label"})
    """The columns of figures by label."""

    def meta_problem(self, meta: dict[str, Any]) -> str:
        """Return the error in the framework's part of a ``meta.json``; empty if there is none."""
        return ""

    @abstractmethod
    def read_tree(self, text: str, notation: str) -> AnyTree:
        """Return a tree from its text in the table of trees."""

    def words_of(self, tree: str | None, notation: str, text: str | None) -> list[str]:
        """Return the gold words of a sentence, from a row of the table of trees."""
        return [] if tree is None else list(getattr(self.read_tree(tree, notation), "words", ()))

    def rules_of(self, meta: Mapping[str, Any]) -> Preset:
        """Return the preset of a run; the one that leaves trees as they are where the framework has none."""
        from evaltools.frameworks.presets import load_preset

        return load_preset("none")

    def label_figures(self, run: Run, parser: str | None) -> pd.DataFrame:
        """Return recall, precision and F1 by label, of a parser or of all."""
        raise no_such_thing(run, "trees compared with one gold treebank have figures by label")

    def label_query(self, parser: str, label: str) -> tuple[str, list[Any]] | None:
        """Return SQL, with its parameters, of the sentences that have a label; None if there can be none."""
        return None

    def part_figures(self, run: Run, sentences: Sequence[int]) -> dict[str, Any]:
        """Return the framework's part of ``meta.json`` for some sentences of a run."""
        return {}

    def note_tables(self, run: Run, parsers: Sequence[str]) -> list[NoteTable]:
        """Return the tables for some parsers below the figures of text reports."""
        return []

    @abstractmethod
    def align(self, run: Run, gold: AnyTree | None, test: AnyTree | None) -> Alignment | DependencyAlignment:
        """Align two trees by the rules of a run."""

    def align_parses(
        self, run: Run, parser: str, trees: Mapping[int, tuple[AnyTree | None, AnyTree | None]]
    ) -> dict[int, Any]:
        """Align gold trees with those of a parser, by sentence."""
        return {sentence: self.align(run, gold, test) for sentence, (gold, test) in trees.items()}

    def graphs(self, run: Run, sentence: int, parser: str, other: str | None) -> GraphAlignment:
        """Align the gold graph of a sentence with a parser's, or those of two parsers, by the rules of a run."""
        raise no_such_thing(run, "semantic graphs have triples")


def no_such_thing(run: Run, reason: str) -> RunError:
    """Return the error for a request that a run's framework does not support."""
    return RunError(f"{run.folder} compares {run.framework.title}; only {reason}")


def mismatch(content: Any, form: Any) -> str:
    """Return where some content of ``meta.json`` is not of a form; nothing if it is.

    Examples
    --------
    >>> mismatch({"spans": 3}, dict[str, str])
    'Expected `str`, got `int` - at `$[...]`'
    """
    try:
        as_type(content, form)
    except msgspec.ValidationError as error:
        return printable(str(error))
    except UnicodeEncodeError:
        return "a name in it is not text"
    return ""


def trees_of(run: Run, parser: str | None, sentences: Sequence[int]) -> tuple[dict[int, str | None], str]:
    """Return the trees of some sentences as they were read, by number; and their notation."""
    rows = run.columns(
        "select sentence, tree, notation from trees where parser is not distinct from ? "
        "and sentence in (select unnest(?::integer[]))",
        [parser, list(sentences)],
    )
    trees = dict(zip(rows["sentence"].tolist(), rows["tree"].tolist(), strict=True))
    return trees, str(rows["notation"][0]) if trees else "ptb"


def file_text(trees: Mapping[int, str | None], notation: str, sentences: Sequence[int]) -> str:
    """Return some sentences' trees, as they were read, as the text of a file; missing ones are written as such."""
    from evaltools.formats import FORMATS

    empty = FORMATS[notation].write([None])
    missing, between = empty.strip(), empty[len(empty.rstrip("\n")) :]
    return "".join((trees.get(number) or missing) + between for number in sentences)


def alignments_of(run: Run, parser: str, sentences: Sequence[int]) -> dict[int, Any]:
    """Return the alignments of a parser's analyses of some sentences with gold, by number; they are read together."""
    stored = run.framework.stored
    sides = [
        {number: stored.read_tree(text, notation) for number, text in trees.items() if text is not None}
        for trees, notation in (trees_of(run, name, sentences) for name in (None, parser))
    ]
    return stored.align_parses(
        run, parser, {number: (sides[0].get(number), sides[1].get(number)) for number in sentences}
    )

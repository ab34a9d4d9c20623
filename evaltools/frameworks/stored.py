"""The interface between stored runs and frameworks: tables, reading of trees, figures of experiments, checks."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import msgspec

from evaltools.errors import InputError, ParameterError, RunError
from evaltools.formats import Source
from evaltools.formats.toml_files import as_type
from evaltools.text import printable

if TYPE_CHECKING:
    import pandas as pd

    from evaltools.frameworks.presets import Preset
    from evaltools.runs.store import Run


Count = Annotated[int, msgspec.Meta(ge=0)]
"""A number in ``meta.json`` that counts something."""


class LabelClasses(NamedTuple):
    """Where the tables of a run have the labels of the gold trees, by which sentences are put into classes."""

    title: str  # Their title in reports
    table: str  # The table and its column
    column: str
    condition: str  # SQL of the rows that count


@dataclass(frozen=True)
class Labels:
    """Figures and sentences by label."""

    figures: Callable[[Run, str | None], pd.DataFrame]  # Gives recall, precision and F1, of a parser or of all
    # Gives SQL, with its parameters, of the sentences of a parser that have a label; None if there can be none.
    sentences: Callable[[str, str], tuple[str, list[Any]] | None]
    names: Mapping[str, str]  # The columns of figures that name the label, by their headings
    counts: tuple[str, ...] = ("gold", "test", "matched")  # Columns of counts, which are their own headings
    classes: LabelClasses | None = None
    listed: tuple[str, str] | None = None  # A table, and the SQL of all labels in it, for ``labels`` of ``meta.json``


class NoteTable(NamedTuple):
    """A small table below the figures of a report."""

    title: str
    headings: tuple[str, ...]  # Headings of the columns
    rows: Sequence[tuple[str | float | None, ...]]  # The cells: a text, or a share of 1, which is None where undefined


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


def _preset_alone(meta: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [("preset", str(meta["preset"]))]


def _no_preset(meta: Mapping[str, Any]) -> Preset:
    """Return the preset that leaves trees as they are."""
    from evaltools.frameworks.presets import load_preset

    return load_preset("none")


@dataclass(frozen=True)
class Runs:
    """How the runs of a framework are stored and read."""

    read_tree: Callable[[str, str], Any]  # Gives a tree from its text in the table of trees, and its notation
    tables: tuple[str, ...] = ()  # The tables beside those that every run has, in their order
    meta_problem: Callable[[dict[str, Any]], str] = lambda meta: ""  # What is wrong with its part of ``meta.json``
    rules_of: Callable[[Mapping[str, Any]], Preset] = _no_preset  # The preset of a run
    facts: Callable[[Mapping[str, Any]], list[tuple[str, str]]] = _preset_alone  # The rules of a run, with their titles
    options_in_words: Callable[[Mapping[str, Any]], list[str]] = lambda meta: []  # Instead of the rules, for a paper
    notes: Callable[[Mapping[str, Any]], list[str]] = lambda meta: []  # What readers of the figures need to know
    note_tables: Callable[[Run, Sequence[str]], list[NoteTable]] = lambda run, parsers: []  # Below the figures
    labels: Labels | None = None
    # SQL of ``sentence`` and ``category``, what its gold analysis is as a whole, from the rows of a parser. Titles and
    # items of lists are of other categories than most sentences.
    categories: str = ""
    # The framework's part of ``meta.json`` for some sentences of a run.
    part_figures: Callable[[Run, Sequence[int]], dict[str, Any]] = lambda run, sentences: {}
    # Writes some sentences' graphs, as they were read, as a file; gives it with its notation. Trees are written as is.
    write: Callable[[Run, Mapping[int, str | None], Sequence[int]], tuple[str, str]] | None = None


def quoted(text: str) -> str:
    """Return a text as a string of SQL."""
    return "'" + text.replace("'", "''") + "'"


_UNIT = "1.8446744073709552e19"
"""2 ** 64, as the SQL of a double."""


def exact_sum(value: str, condition: str = "") -> str:
    """Return the SQL of a sum over rows that is the same in any order of them; null if there are none."""
    # Several threads add the rows in another order each time. Integers can be added in any order; these are multiples
    # of 2 ** -64, as are all numbers from 2 ** -11 on.
    chosen = f" filter ({condition})" if condition else ""
    return f"((sum(try_cast(({value})::double * {_UNIT} as hugeint)){chosen})::double / {_UNIT})"


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


def file_of(run: Run, parser: str | None, sentences: Sequence[int]) -> tuple[str, str]:
    """Return some sentences' gold trees, or a parser's, as a file, in the order given, and the notation of the file."""
    trees, notation = trees_of(run, parser, sentences)
    write = run.framework.runs.write
    return (file_text(trees, notation, sentences), notation) if write is None else write(run, trees, sentences)


def read_tree(run: Run, sentence: int, text: str, notation: str) -> Any:
    """Return a tree or graph from its text in the table of trees; raise RunError if the text is none."""
    try:
        return run.framework.runs.read_tree(text, notation)
    except (InputError, ParameterError) as error:
        raise RunError(f"{run.folder} is damaged: a tree of sentence {sentence} cannot be read: {error}") from None


def tree_pairs(run: Run, parser: str, other: str | None, sentences: Sequence[int]) -> dict[int, tuple[Any, Any]]:
    """Return gold trees and a parser's, or those of two parsers, by sentence; they are read together."""
    sides = []
    for name in (None, parser) if other is None else (parser, other):
        texts, notation = trees_of(run, name, sentences)
        if missing := [number for number in sentences if number not in texts]:
            raise RunError(f"{run.folder} is damaged: its table trees has no sentence {missing[0]}")
        sides.append({n: None if text is None else read_tree(run, n, text, notation) for n, text in texts.items()})
    return {number: (sides[0][number], sides[1][number]) for number in sentences}


def words_of(run: Run, sentence: int, tree: str | None, notation: str, text: str | None) -> list[str]:
    """Return the gold words of a sentence, from a row of the table of trees; those of the text if a tree has none."""
    words = None if tree is None else getattr(read_tree(run, sentence, tree, notation), "words", None)
    return (text or "").split() if words is None else list(words)

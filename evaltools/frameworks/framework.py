"""What a framework is: everything that is specific to one kind of analysis, as one value.

The engine opens files by a :data:`Plan`, reads chunks of the :class:`Inputs`, and scores each :class:`Chunk`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from evaltools.blocks import Choice
from evaltools.errors import Problem
from evaltools.frameworks.options import Options
from evaltools.progress import Progress

if TYPE_CHECKING:
    import pandas as pd

    from evaltools.formats import Source
    from evaltools.frameworks.common.columns import Rows
    from evaltools.frameworks.conventions import Dimension
    from evaltools.frameworks.metric import ErrorCount, Metric
    from evaltools.frameworks.passes import Pass
    from evaltools.frameworks.presets import Preset
    from evaltools.frameworks.questions import Question
    from evaltools.frameworks.stored import Runs
    from evaltools.frameworks.views import Sentence, SentenceView, Viewing
    from evaltools.runs.store import Run


@dataclass(frozen=True)
class Content:
    """What a file holds."""

    framework: Framework
    format: str
    sentences: int  # Number of sentences
    trees: int  # Number of sentences that have a tree
    problems: tuple[Problem, ...]
    description: str  # One line
    read: Any = None  # The corpus, if the file is read as a whole


class Compared(NamedTuple):
    """The result of comparing the sentences of a parser's file with those of the gold file."""

    problems: tuple[Problem, ...] = ()  # Sentences whose words differ, or that cannot be paired or aligned
    gold_problems: tuple[Problem, ...] = ()  # Problems with the ids in the gold file
    pairing: str = ""  # How the sentences are paired, in one line; empty for files that can have no ids


@dataclass(frozen=True)
class Request:
    """The arguments of scoring, beside the files."""

    preset: Any = "standard"
    format: str | None = None  # Format of all files; None to guess it
    metrics: list[str] | None = None  # Ids and families of metrics; None for all
    options: Mapping[str, Any] = field(default_factory=dict)  # Those that differ from their default, by name
    dask: str | None = None  # The address of a cluster


@dataclass(frozen=True)
class Scored:
    """The scores of a parser on a chunk."""

    tables: dict[str, Rows]  # Rows of each table
    statuses: list[int]  # Number of sentences of each Status, of those that count
    labels: list[str]  # The labels in it
    problems: list[Problem]
    n_words_aligned: int = 0  # Number of sentences whose words differ and that are scored over aligned words
    # Sums over the chunks that only the framework needs; values of JSON.
    sums: dict[str, Any] = field(default_factory=dict)
    signs: dict[str, int] = field(default_factory=dict)  # Those of the chunk; none without details


Results = dict[str, Scored]
"""The results of parsers on a chunk."""


@dataclass(frozen=True)
class Chunk(ABC):
    """Some sentences of the gold files and of every parser."""

    gold: Any  # The gold trees
    parses: dict[str, Any]  # The parsers' trees by name, as many as there are gold trees
    rules: Any  # Preset or other rules, and options

    @abstractmethod
    def score(self, parser: str, progress: Progress, *, details: bool = True) -> Scored:
        """Score one parser; different parsers may run in different threads.

        Without `details`, only the counts in the table ``sentences`` are needed, and no other table.
        """

    def signs(self, parser: str) -> dict[str, int]:
        """Count what shows that files or rules are not what was meant; :mod:`evaltools.analysis.suspicions` reads it.

        The counts are named after what is counted (``"tops"``), those of the gold side with ``gold_`` before it.
        """
        return {}


@dataclass(frozen=True)
class ReadChunk:
    """A chunk as it was read."""

    n: int  # Number of sentences
    kind: type[Chunk]  # The class of chunk that scores it
    gold: Any  # As for Chunk
    parses: dict[str, Any]
    rules: Any
    tables: dict[str, Rows]  # Rows of the gold trees
    problems: list[Problem]  # Problems of the gold trees
    # What the gold file says of each sentence, by key, such as its document; empty if it cannot say anything.
    metadata: list[dict[str, str]] = field(default_factory=list)

    def prepared(self) -> Chunk:
        """Do the work that all parsers share."""
        return self.kind(self.gold, self.parses, self.rules)


@dataclass(frozen=True)
class Description:
    """The framework's part of ``meta.json`` and of the signature, once all files have been read to their end."""

    rules: dict[str, Any]  # ``preset`` with its rules and source, and ``options``
    signature: list[str]  # The rules in the signature
    n: int  # Number of gold sentences
    golds: list[dict[str, Any]]  # An entry for each gold file
    parsers: list[dict[str, Any]]  # An entry for each parser; the engine adds the numbers of sentences
    problems: list[Problem]  # Problems of files as a whole
    more: dict[str, Any] = field(default_factory=dict)  # Keys that only runs of this framework have
    # For the signature: gold files, then parsers, each with name and digest.
    sources: list[list[str]] = field(default_factory=list)


class Inputs(ABC):
    """The gold files and the parsers' files of a run, opened."""

    framework: str
    """The id of the framework."""
    parallel: ClassVar[bool] = True
    """Whether the parsers of a chunk may be scored in parallel threads."""
    parsers: list[str]
    metrics: list[str]

    @property
    def total(self) -> int:
        """Number of pairs of sentences to score, an estimate if need be; 0 if unknown."""
        return 0

    def notes(self) -> list[str]:
        """Return lines to show before scoring begins."""
        return []

    @abstractmethod
    def read(self, max_sentences: int) -> ReadChunk:
        """Read the next sentences, at most `max_sentences`; none at the end."""

    @abstractmethod
    def describe(self, sums: Mapping[str, Sequence[Mapping[str, Any]]]) -> Description:
        """Read all files to their end, and describe the run, given the sums of each parser in the order of chunks."""


Plan = Callable[[Progress], Inputs]
"""How a run is made of its files: opens them."""


@dataclass(frozen=True)
class SampleRun:
    """The run of the sample for a framework."""

    name: str
    files: Callable[[Path], Sample]  # Gives the files, from the folder of the sample


@dataclass(frozen=True)
class Sample:
    """Files of the sample."""

    golds: dict[str, Path]  # Gold files by theory
    parsers: dict[str, tuple[str, Path]]  # For each parser the theory it follows, and its file
    plan: Callable[[], Plan]


@dataclass(frozen=True)
class OwnFiles:
    """How files are recognized and read that are of one framework, because no format of trees holds them."""

    presets: Mapping[str, str]  # Presets that apply only to these files, with what they count
    describe_preset: Callable[[str], str]  # Gives the rules of one of these presets
    reads: type  # The class of corpus that they hold, as formats name it
    # Reads a file; given the framework, and the format of the gold file for a parser's file.
    content: Callable[[Source, Framework, str | None], Content]
    # Lists problems of several files together: of the gold file, then of each parser's.
    joint_problems: Callable[[Content, Sequence[Content | None]], list[list[Problem]]]
    plan: Callable[[Any, Mapping[str, Any], Request, Any], Plan]  # Gives the plan for scoring files, with the options


@dataclass(frozen=True)
class Streams:
    """How files of trees are read side by side, whose formats are in the table of formats."""

    # Opens a gold file and the files of parsers, given the request and the options.
    open: Callable[..., Inputs]
    # Pairs the sentences of a file with the gold sentences and compares their words, given both with their formats, the
    # preset, and whether sentences are aligned.
    compare: Callable[[tuple[Source, str], tuple[Source, str], Preset, bool], Compared] = lambda *_: Compared()
    by_position: bool = False  # Whether a file needs as many sentences as the gold file


@dataclass(frozen=True)
class Nouns:
    """What things are called."""

    tree: str = "tree"  # One analysis of a sentence: ``"tree"`` or ``"graph"``
    label: str = "label"  # What a node or an arc is labeled with: ``"label"``, ``"relation"``, ``"predicate"``
    file: str = "txt"  # The ending of files of its trees


@dataclass(frozen=True)
class Figures:
    """Which metrics come first, and what is counted."""

    main: str  # The default metric of pages and commands
    second: str = ""  # The metric that the main one is first compared with; the next one if empty
    first: tuple[str, ...] = ()  # The headline metrics that tables of figures begin with; the others follow
    ranking: tuple[str, ...] = ()  # Those that rank parsers, in an order in which neighbors differ in one choice
    # The number of errors of a parse; None if errors are not counted, so that sentences are sorted by a metric.
    errors: ErrorCount | None = None
    counts: tuple[str, ...] = ()  # The counts that reports of sentences show beside the scores; all if empty
    # The pairs of metrics that papers compare, by what they are called there.
    pairs: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    # Two metrics: that of the sentences in which all is right but tags, and that of tags; empty if there are none
    tags_alone: tuple[str, str] | None = None
    weighted: bool = False  # Whether counts are weighted, by weights that may be changed after scoring
    error_types: ErrorTypes | None = None  # None if parses are not repaired
    # The choices that others make differently, in the order in which they are applied; none if they are not listed.
    conventions: Callable[[], Sequence[Dimension]] = tuple


@dataclass(frozen=True)
class Questions:
    """What can be asked about the errors of a parser."""

    hotspots: Mapping[str, Question] = field(default_factory=dict)  # Those of *Hotspots*, by their names in links
    excerpts: Sequence[str] = ()  # The names of those whose first rows reports show
    costliest: Sequence[str] = ()  # Without error types: the names of those that divide all errors, for the summary


@dataclass(frozen=True, eq=False)
class Framework:
    """One kind of analysis: constituency trees, dependency trees, semantic graphs.

    A framework is one value in a package of its own below ``evaltools.frameworks``, and an entry in ``FRAMEWORKS`` of
    ``evaltools.frameworks.registry``. Engine, runs, reports and pages use its fields and never name a framework. Its
    functions import what needs drawing, pandas or numba, so that the table loads fast.
    """

    id: str  # Name in ``meta.json`` (``kind``)
    title: str  # What is compared, in the plural: ``"constituency trees"``
    nouns: Nouns
    passes: Mapping[str, type[Pass[Any]]]  # The passes over a parser's trees by family, in the order of reports
    figures: Figures
    runs: Runs  # How its runs are stored and read
    # Aligns gold with a parser, or a parser with another one, in some sentences of a run, by number.
    align: Callable[[Run, str, str | None, Sequence[int]], dict[int, Any]]
    aligned: type  # The class of these alignments
    view: Callable[[Sentence, Viewing], SentenceView]  # Gives the view of a sentence, with all its pictures
    plan_again: Callable[[Mapping[str, Any]], Plan]  # Gives the plan for scoring a run again, by its ``meta.json``
    options: type[Options] = Options  # The struct of its options
    reads: type | None = None  # The class of corpus that its files hold, as formats name it; None if none does
    streams: Streams | None = None  # How these files are read
    own_files: OwnFiles | None = None  # How files are read that the framework recognizes itself
    questions: Callable[[], Questions] = Questions
    sample: SampleRun | None = None

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """The metrics, in the order of reports."""
        return tuple(metric for kind in self.passes.values() for metric in kind.metrics)


@dataclass(frozen=True)
class ErrorTypes:
    """The error types of a framework."""

    rules: Choice  # The control for the rules that define the types
    residual: str  # The title of steps without a type
    citation: str  # The publication they come from, in short
    reference: str  # The same with all authors
    load: Callable[[str], Any]  # Gives the rules of a name, or of a file
    titles: Callable[[str], Mapping[str, str]]  # Gives the titles of the types by their ids, from the name of rules
    # Gives a row a step of the repairs of a run and a parser by some rules: ``sentence``, ``type``, ``repaired``
    steps: Callable[[Run, str, Any], pd.DataFrame]
    # Gives the brackets repaired by error type, the costliest first, by default rules
    costs: Callable[[Run, str], dict[str, int]]

"""What a framework is: everything that is specific to one kind of analysis, as one value."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from evaltools.frameworks.controls import Choice
from evaltools.frameworks.options import Options

if TYPE_CHECKING:
    import pandas as pd

    from evaltools.errors import Problem
    from evaltools.formats import Source
    from evaltools.frameworks.conventions import Dimension
    from evaltools.frameworks.metric import ErrorCount, Metric
    from evaltools.frameworks.passes import Pass
    from evaltools.frameworks.presets import Preset
    from evaltools.frameworks.questions import Question
    from evaltools.frameworks.scoring import Inputs, Plan, Request, SampleRun
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

    # Opens a gold file and the files of parsers, given the request, the options, and the partners of aligned sentences.
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


def types_of_sentences(steps: pd.DataFrame) -> dict[int, dict[str, int]]:
    """Return the brackets repaired by sentence and error type, the largest number first."""
    sums = steps.groupby(["sentence", "type"], sort=True)["repaired"].sum().reset_index()
    sums = sums.sort_values(["sentence", "repaired"], ascending=[True, False], kind="stable")
    types: dict[int, dict[str, int]] = {}
    columns = (sums[name].tolist() for name in ("sentence", "type", "repaired"))
    for sentence, name, repaired in zip(*columns, strict=True):
        types.setdefault(int(sentence), {})[str(name)] = int(repaired)
    return types

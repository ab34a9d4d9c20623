"""What a framework is: everything that is specific to one kind of analysis, behind one interface."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from evaltools.frameworks.controls import Choice
from evaltools.frameworks.options import Options

if TYPE_CHECKING:
    import pandas as pd

    from evaltools.drawing.blocks import Drawing
    from evaltools.errors import Problem
    from evaltools.formats import Source
    from evaltools.frameworks.metric import ErrorCount, Metric
    from evaltools.frameworks.passes import Pass
    from evaltools.frameworks.presets import Preset
    from evaltools.frameworks.questions import Question
    from evaltools.frameworks.scoring import Inputs, Plan, Request, Sample
    from evaltools.frameworks.stored import StoredRuns, Table
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
    plan: Callable[[Any, Mapping[str, Any], Request, Any], Plan]  # Tells how to score files, with the options
    folder_digest: Callable[[str], str]  # Gives the SHA-256 of a folder that is a source; empty if it cannot be read


class Framework(ABC):
    """One kind of analysis: constituency trees, dependency trees, semantic graphs.

    A framework is a subclass in a package of its own below ``evaltools.frameworks``, with one instance in
    ``FRAMEWORKS`` of ``evaltools.frameworks.registry``. Engine, runs, reports and pages use this interface and never
    name a framework. Methods import what needs drawing, pandas or numba, so that the table loads fast.

    A subclass defines `id`, `title`, `passes_by_family`, `main_metric`, `stored`, `drawings` and `plan_again`;
    and `reads` and `inputs` if its corpora have a file format, or `own_files` if it recognizes and reads its files
    itself. The other members have defaults.
    """

    # ------------------------------------------------------------------------------------------------------ names

    id: ClassVar[str]
    """Name in ``meta.json`` (``kind``) and in options."""
    title: ClassVar[str]
    """What is compared, in the plural: ``"constituency trees"``."""
    tree: ClassVar[str] = "tree"
    """The noun for one analysis of a sentence: ``"tree"`` or ``"graph"``."""
    label: ClassVar[str] = "label"
    """The noun for what a node or an arc is labeled with: ``"label"``, ``"relation"``, ``"predicate"``."""
    file_ending: ClassVar[str] = "txt"
    """The ending of files of its trees."""

    # ---------------------------------------------------------------------------------------------------- metrics

    passes_by_family: ClassVar[Mapping[str, type[Pass[Any]]]] = MappingProxyType({})
    """The table of passes, in the order of reports; empty if trees are not scored."""
    main_metric: ClassVar[str]
    """The default metric of pages and commands."""
    second_metric: ClassVar[str] = ""
    """The metric that the main one is first compared with; the next one if empty."""
    first_metrics: ClassVar[tuple[str, ...]] = ()
    """The headline metrics that tables of figures begin with, in this order; the others follow."""
    ranking: ClassVar[tuple[str, ...]] = ()
    """The metrics that rank parsers, in an order in which neighbors differ in one of their choices."""
    error_count: ClassVar[ErrorCount | None] = None
    """The number of errors of a parse; None if errors are not counted, so that sentences are sorted by a metric."""
    weighted: ClassVar[bool] = False
    """Whether counts are weighted, by weights that may be changed after scoring."""

    @property
    def passes(self) -> tuple[type[Pass[Any]], ...]:
        """The passes over a parser's trees, in the order of reports."""
        return tuple(self.passes_by_family.values())

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """The metrics, in the order of reports."""
        return tuple(metric for kind in self.passes for metric in kind.metrics)

    @property
    def reported_counts(self) -> tuple[str, ...]:
        """The counts that reports of sentences show beside the scores."""
        counts = dict.fromkeys(column for metric in self.metrics for column in metric.columns)
        return tuple(name for name in counts if name != "sentences")

    # ----------------------------------------------------------------------------------------------------- inputs

    options: ClassVar[type[Options]] = Options
    """The struct of its options."""
    reads: ClassVar[type | None] = None
    """The class of corpus that its files hold, as ``HOLDS`` of a format names it; None if no format names it."""
    paired_by_position: ClassVar[bool] = False
    """Whether a parser's file needs as many sentences as the gold file."""
    sample_name: ClassVar[str] = ""
    """The name of the run of the sample; empty if the sample has none."""

    @property
    def inputs(self) -> Callable[..., Inputs]:
        """The class that reads streams of its corpora; needed with `reads`."""
        raise NotImplementedError(f"{self.title} are not read as streams")

    @property
    def own_files(self) -> OwnFiles | None:
        """How files are read that the framework recognizes itself; None if formats recognize all."""
        return None

    def compare_files(
        self, gold: tuple[Source, str], test: tuple[Source, str], preset: Preset, *, align: bool
    ) -> Compared:
        """Pair the sentences of a parser's file with the gold sentences, and compare their words."""
        return Compared()

    def plan_again(self, meta: Mapping[str, Any]) -> Plan:
        """Return how to score the sources of a run once more, by its ``meta.json``."""
        raise NotImplementedError(f"runs of {self.title} cannot be scored again")

    def sample_files(self, folder: Path) -> Sample:
        """Return the files of the sample for this framework; needed with `sample_name`."""
        raise NotImplementedError(f"the sample has no {self.title}")

    # ------------------------------------------------------------------------------------------------------- runs

    def of_run(self, meta: Mapping[str, Any]) -> Framework:
        """Return the framework for a run, by its ``meta.json``: another one where the material needs other metrics."""
        return self

    tables: ClassVar[Mapping[str, Table]] = MappingProxyType({})
    """The tables of its runs beside those that every run has, and further columns of the latter, in their order."""
    parser_figures: ClassVar[tuple[str, ...]] = ()
    """Keys of ``meta.json`` that have a figure for each parser, which reports show."""

    @property
    @abstractmethod
    def stored(self) -> StoredRuns:
        """How its runs are read."""

    def facts(self, meta: Mapping[str, Any]) -> list[tuple[str, str]]:
        """Return the rules by which a run was scored, each with its title."""
        return [("preset", str(meta["preset"]))]

    def notes(self, meta: Mapping[str, Any]) -> list[str]:
        """Return sentences about the inputs that readers of the figures need."""
        return []

    def file_of(
        self, run: Run, trees: Mapping[int, str | None], notation: str, sentences: Sequence[int]
    ) -> tuple[str, str]:
        """Return some sentences' trees as a file, in the order given, and the notation of the file."""
        # `trees` holds them as they were read, in a notation; those that are missing are written as such.
        from evaltools.frameworks.stored import file_text

        return file_text(trees, notation, sentences), notation

    # ---------------------------------------------------------------------------------------- sentences and errors

    compares_both: ClassVar[bool] = False
    """Whether a sentence of two parsers is compared with gold, too."""

    def drawings(self, subject: object, gold_name: str = "gold", parse_name: str = "parse") -> tuple[Drawing, ...]:
        """Return the pictures of an alignment; empty for an object of another framework.

        The first ones show errors: ``marked`` is the sentence with its errors in words, if the two analyses can be
        compared word by word, and ``repairs`` one repair at a time. The others show whole analyses.
        """
        return ()

    def sentence(self, run: Run, number: int, parser: str, other: str = "") -> Sentence:
        """Return a sentence of a run to be shown: gold and parser, or `other`, another parser, and parser."""
        from evaltools.frameworks.views import Sentence

        names = dict.fromkeys((None, *((other,) if other else ()), parser))
        sources = tuple((name or "gold", run.tree(number, name)) for name in names)
        with_gold: tuple[Any, ...] = ()
        if self.compares_both and other not in ("", parser):
            with_gold = tuple(self._aligned(run, number, name, "") for name in (other, parser))
        return Sentence(self._aligned(run, number, parser, other), number, other or "gold", parser, sources, with_gold)

    def _aligned(self, run: Run, number: int, parser: str, other: str) -> Any:
        return run.alignment(number, other or parser, parser if other else None)

    def sentence_view(self, sentence: Sentence, viewing: Viewing) -> SentenceView:
        """Return what is shown of a sentence; its pictures by default."""
        from evaltools.frameworks.views import plain_view

        return plain_view(sentence, self.drawings(sentence.alignment, sentence.upper, sentence.lower))

    @property
    def questions(self) -> Mapping[str, Question]:
        """The questions that *Hotspots* can ask, by their names in the URL; none if errors are not grouped."""
        return {}

    @property
    def excerpts(self) -> Sequence[str]:
        """The questions whose first rows reports show."""
        return ()

    @property
    def error_types(self) -> ErrorTypes | None:
        """The types of its errors; None if parses are not repaired."""
        return None


@dataclass(frozen=True)
class ErrorTypes:
    """The error types of a framework."""

    rules: Choice  # The control for the rules that define the types
    residual: str  # The title of steps without a type
    citation: str  # The publication they come from, in short
    reference: str  # The same with all authors
    load: Callable[[str], Any]  # Gives the rules of a name, or of a file
    titles: Callable[[str], Mapping[str, str]]  # Gives the titles of the types by their ids, from the name of rules
    # Gives a row a step of the repairs of a run and a parser by some rules: ``sentence``, ``type``, ``repaired``,
    # ``start``, ``end``, ``story``; and those of some sentences of a run, by the name of rules.
    steps: Callable[[Run, str, Any], pd.DataFrame]
    steps_of: Callable[[Run, str, Sequence[int], str], pd.DataFrame]
    # Gives the brackets repaired by error type in the first sentences, the costliest first, by default rules
    costs: Callable[[Run, str, int], dict[str, int]]


def types_of_sentences(steps: pd.DataFrame) -> dict[int, dict[str, int]]:
    """Return the brackets repaired by sentence and error type, the largest number first."""
    sums = steps.groupby(["sentence", "type"], sort=True)["repaired"].sum().reset_index()
    sums = sums.sort_values(["sentence", "repaired"], ascending=[True, False], kind="stable")
    types: dict[int, dict[str, int]] = {}
    columns = (sums[name].tolist() for name in ("sentence", "type", "repaired"))
    for sentence, name, repaired in zip(*columns, strict=True):
        types.setdefault(int(sentence), {})[str(name)] = int(repaired)
    return types

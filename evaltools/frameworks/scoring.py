"""The interface between the scoring engine and a framework: opened inputs, chunks, and their scores."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from evaltools.errors import Problem
from evaltools.progress import Progress

if TYPE_CHECKING:
    from evaltools.frameworks.common.columns import Rows


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

"""Types of errors: classes of the steps that turn a parse into its gold tree."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from evaltools.frameworks.controls import Choice
from evaltools.frameworks.groups import Part

if TYPE_CHECKING:
    import pandas as pd

    from evaltools.frameworks.stored import StoredRun

__all__ = ["ErrorTypes", "types_of_sentences"]


class ErrorTypes(ABC):
    """The error types of a framework."""

    rules: ClassVar[Choice]
    """The control for the rules that define the types."""
    residual: ClassVar[str]
    """The title of steps without a type."""
    citation: ClassVar[str]
    """The publication they come from, in short."""
    reference: ClassVar[str]
    """The same with all authors."""

    @abstractmethod
    def load(self, name: str) -> Any:
        """Return the rules of a name, or of a file."""

    @abstractmethod
    def titles(self, rules: str) -> Mapping[str, str]:
        """Return the titles of the types by their ids."""

    @abstractmethod
    def steps(self, part: Part, parser: str, rules: Any) -> pd.DataFrame:
        """Return a row a step of the repairs: ``sentence``, ``type``, ``repaired``, ``start``, ``end``, ``story``."""

    @abstractmethod
    def steps_of(self, run: StoredRun, parser: str, sentences: Sequence[int], rules: str) -> pd.DataFrame:
        """Return the steps of some sentences of the run."""

    @abstractmethod
    def totals(self, steps: pd.DataFrame) -> pd.DataFrame:
        """Return ``type``, ``occurrences``, ``sentences``, ``repaired`` and ``share``, the costliest first."""


def types_of_sentences(steps: pd.DataFrame) -> dict[int, dict[str, int]]:
    """Return the brackets repaired by sentence and error type, the largest number first."""
    sums = steps.groupby(["sentence", "type"], sort=True)["repaired"].sum().reset_index()
    sums = sums.sort_values(["sentence", "repaired"], ascending=[True, False], kind="stable")
    types: dict[int, dict[str, int]] = {}
    columns = (sums[name].tolist() for name in ("sentence", "type", "repaired"))
    for sentence, name, repaired in zip(*columns, strict=True):
        types.setdefault(int(sentence), {})[str(name)] = int(repaired)
    return types

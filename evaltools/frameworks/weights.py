"""Weights that can be changed after a run was scored."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    import pandas as pd

    from evaltools.frameworks.stored import StoredRun

__all__ = ["Pattern", "Weights"]

Pattern = tuple[str, str, float]
"""A kind of name, a pattern of such names, and its weight."""


class Weights(ABC):
    """The weights of the counts of a framework."""

    # The rules are an object of the framework. Matches stay as they were scored; only the weights in the rules change.

    classes: ClassVar[tuple[str, ...]]
    """The classes that have a weight each."""
    kinds: ClassVar[tuple[str, ...]]
    """The kinds of names that patterns apply to, the default first."""
    maximum: ClassVar[float] = 1_000.0
    """The largest weight."""

    @abstractmethod
    def rules(self, meta: Mapping[str, Any]) -> Any:
        """Return the rules of a run."""

    @abstractmethod
    def class_weights(self, rules: Any) -> dict[str, float]:
        """Return the weight of each class."""

    @abstractmethod
    def patterns(self, rules: Any) -> list[Pattern]:
        """Return the patterns."""

    @abstractmethod
    def with_classes(self, rules: Any, weights: Mapping[str, float]) -> Any:
        """Return rules with other weights of the classes."""

    @abstractmethod
    def with_patterns(self, rules: Any, patterns: Sequence[Pattern]) -> Any:
        """Return rules with other patterns; invalid ones are left out."""

    @abstractmethod
    def written(self, rules: Any, usual: Any) -> dict[str, str | None]:
        """Return ``classes`` and ``patterns`` for the URL, None where they are the default."""

    @abstractmethod
    def read(self, usual: Any, classes: str, patterns: str) -> Any:
        """Return the rules that the URL names; the default for what is invalid there."""

    @abstractmethod
    def file(self, rules: Any) -> str:
        """Return the weights as the file that the command line reads."""

    @abstractmethod
    def identity(self, rules: Any) -> str:
        """Return a text that differs between rules that differ."""

    @abstractmethod
    def sentences(self, run: StoredRun, rules: Any) -> pd.DataFrame:
        """Return the counts of every sentence of a run under other weights."""

    @abstractmethod
    def align(self, alignment: Any, rules: Any) -> Any:
        """Return an alignment under other weights."""

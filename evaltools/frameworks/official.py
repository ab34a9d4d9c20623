"""Figures of an official evaluation program, which print their counts in a fixed layout."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["OfficialFigure"]


@dataclass(frozen=True)
class OfficialFigure:
    """A figure, by its count columns."""

    name: str  # As the program prints it
    metric: str  # Id of the metric that is its F1
    right: str  # Units of the parser that are right
    gold: str  # Gold units
    test: str  # The parser's units
    aligned: str = ""  # Aligned units, of which the accuracy is a share; empty if there is none

    @property
    def columns(self) -> tuple[str, ...]:
        """Its count columns."""
        return tuple(filter(None, (self.right, self.gold, self.test, self.aligned)))

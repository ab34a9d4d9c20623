"""How a parse differs from gold: the only names of differences, in tables, data, pictures and words."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Status"]


class Status(StrEnum):
    """Status of a bracket, node, arc or triple; None stands for what does not count and is not compared."""

    RIGHT = "right"  # In both analyses
    MISSING = "missing"  # Only in gold
    SPURIOUS = "spurious"  # Only in the parse
    RELABELED = "relabeled"  # In both, with another label
    MOVED = "moved"  # In both, at another place

"""The passes over semantic graphs."""

from __future__ import annotations

from typing import Any

from evaltools.frameworks.passes import Pass
from evaltools.frameworks.semantics.comparison import ElementaryDependencies
from evaltools.frameworks.semantics.smatch.counting import Smatch

__all__ = ["PASSES"]

PASSES: dict[str, type[Pass[Any]]] = {kind.family: kind for kind in (ElementaryDependencies, Smatch)}
"""The passes by family, in the order of reports: the table that a new metric is added to."""

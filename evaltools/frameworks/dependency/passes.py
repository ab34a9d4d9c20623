"""The passes over dependency trees."""

from __future__ import annotations

from typing import Any

from evaltools.frameworks.dependency.attachment import Attachment
from evaltools.frameworks.dependency.lineages import DependencyLineages
from evaltools.frameworks.dependency.universal import Universal
from evaltools.frameworks.passes import Pass

__all__ = ["PASSES"]

PASSES: dict[str, type[Pass[Any]]] = {kind.family: kind for kind in (Attachment, DependencyLineages, Universal)}
"""The passes by family, in the order of reports: the table that a new metric is added to."""

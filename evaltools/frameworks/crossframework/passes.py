"""The passes over function trees."""

from __future__ import annotations

from typing import Any

from evaltools.frameworks.crossframework.tedeval import TedEval
from evaltools.frameworks.crossframework.tedeval2011 import TedEval2011
from evaltools.frameworks.passes import Pass

__all__ = ["PASSES"]

PASSES: dict[str, type[Pass[Any]]] = {kind.family: kind for kind in (TedEval, TedEval2011)}
"""The passes by family, in the order of reports: the table that a new metric is added to."""

"""Figures of experiments: parsers compared with several gold treebanks of the same sentences."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from evaltools.formats import Source

__all__ = ["Figure", "Sources"]

Sources = tuple[dict[str, Source], dict[str, tuple[str, Source]]]
"""Files of the trees of a run: gold by theory; theory and output by parser."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of an experiment: a parser compared with one gold treebank, or with what several have in common."""

    golds: tuple[str, ...]  # The theories of the gold treebanks
    parser: str
    column: str  # What is measured
    # Counts summed, then divided, and the number of sentences; NaN and 0 where undefined: over the parsed sentences,
    # and over all sentences, where no parse counts as nothing matched.
    value: float = math.nan
    n: int = 0
    value_all: float = math.nan
    n_all: int = 0
    reason: str = ""  # Why it is undefined

    @property
    def shown(self) -> float:
        """The figure in tables: over all sentences; NaN if there is a reason why it is undefined."""
        return math.nan if self.reason else self.value_all

    @classmethod
    def of(
        cls, golds: tuple[str, ...], row: Mapping[str, Any], column: str = "", reason: str = "", if_none: str = ""
    ) -> Figure:
        """Take the figure from a row of figures of a parser and a metric, unless there is a reason not to.

        `if_none` is the reason if no sentence can be compared.
        """
        parser, name = row["parser"], column or row["metric"]
        if reason:
            return cls(golds, parser, name, reason=reason)
        if not row["n_pooled"]:
            reason = if_none or "no sentence can be compared"
        elif math.isnan(row["pooled"]):
            reason = "nothing to count"
        return cls(
            golds,
            parser,
            name,
            row["pooled"],
            int(row["n_pooled"]),
            row["pooled_all"],
            int(row["n_pooled_all"]),
            reason,
        )

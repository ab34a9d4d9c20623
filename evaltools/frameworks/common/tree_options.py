"""The options that all frameworks of trees have."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Annotated

import msgspec

from evaltools.frameworks.common.lineages import CostTable
from evaltools.frameworks.options import Option, Options

CostRows = tuple[tuple[str, str, float], ...]
"""Pairs of labels with the cost of replacing one by the other."""


def cost_rows(given: CostTable | str | os.PathLike[str]) -> CostRows:
    """Return the rows of a table of costs, which may be the name of a file."""
    from evaltools.frameworks.common.leaf_ancestor import read_cost_table

    table = given if isinstance(given, CostTable) else read_cost_table(given)
    return tuple((first, second, cost) for (first, second), cost in table.costs.items())


def _label_map(given: Mapping[str, str] | str | os.PathLike[str]) -> dict[str, str]:
    from evaltools.formats.small_tables import read_label_map

    return read_label_map(given) if isinstance(given, str | os.PathLike) else dict(given)


class TreeOptions(Options, frozen=True, kw_only=True):
    """The options of trees."""

    la_table: Annotated[
        CostRows | None,
        Option("leaf-ancestor: file of label replacement costs, for the metric la_costs.", "FILE", take=cost_rows),
    ] = None
    align_sentences: Annotated[
        bool,
        Option("pair sentences by their words, if some are missing, extra or shifted.", signed="align:sentences"),
    ] = False
    # Rules of the preset, once files are read: the run has them there.
    label_map: Annotated[
        dict[str, str],
        Option(
            "file with two columns, labels and their replacements, in gold and parser trees alike.",
            "FILE",
            take=_label_map,
        ),
    ] = msgspec.field(default_factory=dict)

"""The options that all frameworks of trees have."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Annotated

import msgspec

from evaltools.errors import InputError, Problem
from evaltools.formats.small_tables import read_label_map, table_lines
from evaltools.frameworks.common.lineages import GRADED_COST, CostTable
from evaltools.frameworks.options import Option, Options
from evaltools.text import excerpt

CostRows = tuple[tuple[str, str, float | str], ...]
"""Pairs of labels with the cost of replacing one by the other."""


def read_cost_table(path: str | os.PathLike[str]) -> CostTable:
    """Read a table of replacement costs.

    Each line holds two labels and a cost, separated by white space; ``#`` begins a comment. The cost is a number in
    (0, 2], or ``graded``: that of the graded score. In a label, ``*`` stands for any characters: ``NP * 1`` are all
    replacements of NP, and ``* * graded`` is the default of all pairs. Pairs without ``*`` go before those with it;
    of these, the first line that fits holds.

    Parameters
    ----------
    path : path
        The file, in UTF-8.

    Returns
    -------
    CostTable
        The costs; they hold in both directions.

    Raises
    ------
    InputError
        If the file cannot be read, or a line is not of this form.
    """
    name = str(path)
    costs: dict[tuple[str, str], float | str] = {}
    for number, line in enumerate(table_lines(path, "cost_table", "a table of costs"), start=1):
        fields = line.split("#", 1)[0].split()
        if not fields:
            continue
        expected = f"two labels and a cost above 0 and at most 2, or {GRADED_COST!r}"
        try:
            first, second, text = fields
            cost = text if text == GRADED_COST else float(text)
        except ValueError:
            raise InputError(Problem("cost_table", name, number, 1, excerpt(line.strip()), expected)) from None
        if not isinstance(cost, str) and not 0 < cost <= 2:
            raise InputError(Problem("cost_table", name, number, 1, f"cost {excerpt(text)}", expected))
        costs[first, second] = cost
    return CostTable(costs)


def cost_rows(given: CostTable | str | os.PathLike[str]) -> CostRows:
    """Return the rows of a table of costs, which may be the name of a file."""
    table = given if isinstance(given, CostTable) else read_cost_table(given)
    return tuple((first, second, cost) for (first, second), cost in table.costs.items())


def _label_map(given: Mapping[str, str] | str | os.PathLike[str]) -> dict[str, str]:
    return read_label_map(given) if isinstance(given, str | os.PathLike) else dict(given)


class TreeOptions(Options, frozen=True, kw_only=True):
    """The options of trees."""

    la_table: Annotated[
        CostRows | None,
        Option("leaf-ancestor: file of label replacement costs, such as NP * 1, for la_costs.", "FILE", take=cost_rows),
    ] = None
    # Rules of the preset, once files are read: the run has them there.
    label_map: Annotated[
        dict[str, str],
        Option(
            "file with two columns, labels and their replacements, in gold and parser trees alike.",
            "FILE",
            take=_label_map,
        ),
    ] = msgspec.field(default_factory=dict)

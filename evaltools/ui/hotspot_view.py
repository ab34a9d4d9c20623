"""What a view of *Hotspots* is: a table of groups, and for a group the places in the sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from evaltools.ui.hotspot_configurations import Options
from evaltools.ui.hotspot_data import Part

__all__ = ["View"]

Rows = Callable[[Part, str, Options], pd.DataFrame]
Places = Callable[[Part, str, Options, Mapping[str, Any]], pd.DataFrame]


@dataclass(frozen=True, slots=True)
class View:
    """One way to look for hotspots.

    Parameters
    ----------
    title : str
        What the reader chooses.
    says : str
        What a row is and where it comes from.
    keys : tuple of str
        Columns that tell the rows apart; the feature's name stands for ``by``.
    main : str
        The column that says how bad a row is; two parsers are compared by it.
    rows : callable
        From run, parser and options to the table, the worst first.
    places : callable
        From run, parser, options and a row to ``sentence``, ``start``, ``end``, ``remark``: positions among the words
        that the preset leaves.
    uses : frozenset of str
        Of ``by``, ``least``, ``rules``, ``score``: the options it has.
    other : callable, optional
        From run, the other parser, options, and the first parser's name, to the other's `main` figures for the same
        rows; where there is none, the rows of the other parser's own table are taken.
    """

    title: str
    says: str
    keys: tuple[str, ...]
    main: str
    rows: Rows
    places: Places
    uses: frozenset[str] = frozenset()
    other: Callable[[Part, str, Options, str], list[float]] | None = None

    def compared(self, part: Part, parser: str, other: str, options: Options) -> pd.DataFrame:
        """Return the rows with the `main` figure of another parser, ``other``, and how much more the first has.

        Parameters
        ----------
        part : Part
            The sentences.
        parser, other : str
            The two parsers.
        options : Options
            As for both tables.
        """
        rows = self.rows(part, parser, options)
        if self.other is not None:
            theirs = rows.assign(other=self.other(part, other, options, parser))
        else:
            figures = self.rows(part, other, options)[[*self.keys, self.main]].rename(columns={self.main: "other"})
            theirs = rows.merge(figures, on=list(self.keys), how="left")
            theirs["other"] = theirs["other"].fillna(0)
        theirs = theirs.assign(more=theirs[self.main] - theirs["other"])
        return theirs.sort_values("more", ascending=False, kind="stable", ignore_index=True)

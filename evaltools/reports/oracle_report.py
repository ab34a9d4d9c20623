"""What the best choice from n-best lists of trees would reach, as text, JSON or CSV."""

from __future__ import annotations

import io
import json
from collections.abc import Callable

import pandas as pd
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from evaltools.analysis.nbest_trees import TreeLists, best_ranks_of, tree_lists
from evaltools.errors import printable
from evaltools.metrics import METRICS
from evaltools.reports.csv_cells import csv_text
from evaltools.reports.numbers import percent, plain, three
from evaltools.runs.store import Run

__all__ = ["ORACLE_REPORTS"]


def as_json(run: Run) -> str:
    """Return for each parser the figures by length of the list, and for each sentence the rank of the best one."""
    content = {
        "signature": run.signature,
        "lists": [
            {
                "parser": one.parser,
                "metric": one.metric,
                "most": one.most,
                "sentences": one.lists,
                "paired": one.paired,
                "curve": [
                    {str(name): plain(value) for name, value in row.items()} for row in one.curve.to_dict("records")
                ],
                "rank_of_best": {str(at): int(rank) for at, rank in best_ranks_of(run, one.parser).items()},
            }
            for one in tree_lists(run)
        ],
    }
    return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def as_csv(run: Run) -> str:
    """Return one row a parser and rank."""
    rows = [one.curve.assign(parser=one.parser, metric=one.metric) for one in tree_lists(run)]
    columns = ["parser", "metric", "rank", "parses", "own_pooled", "own_mean", "pooled", "mean", "n", "best"]
    return csv_text(pd.concat(rows, ignore_index=True)[columns])


def as_text(run: Run) -> str:
    """Return a table for each parser."""
    output = io.StringIO()
    console = Console(file=output, width=120, highlight=False, markup=False, emoji=False)
    for one in tree_lists(run):
        console.print(Text(printable(one.says())), soft_wrap=True)
        console.print(_table(one))
    console.print(Text(printable(run.signature)), soft_wrap=True)
    return "\n".join(line.rstrip() for line in output.getvalue().split("\n"))


def _table(one: TreeLists) -> Table:
    title = METRICS[one.metric].title
    shown = percent if METRICS[one.metric].is_share else three
    table = Table(box=SIMPLE_HEAD, pad_edge=False, title=f"{title}, pooled and mean of sentences", title_justify="left")
    headings = ("rank", "analyses", "this rank", "mean", "best so far", "mean", "best is here")
    for heading in headings:
        table.add_column(heading, justify="right")
    for row in one.curve.to_dict("records"):
        figures = [shown(row[name]) for name in ("own_pooled", "own_mean", "pooled", "mean")]
        table.add_row(f"{row['rank']}", f"{row['parses']:,}", *figures, f"{row['best']:,}")
    return table


ORACLE_REPORTS: dict[str, Callable[[Run], str]] = {"text": as_text, "json": as_json, "csv": as_csv}
"""The reports by the name of their format."""

"""Oracle scores of n-best lists of trees as text, JSON or CSV."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from evaltools.analysis.nbest_trees import TreeLists, best_ranks_of, tree_lists
from evaltools.frameworks.registry import METRICS
from evaltools.reports.formats import console_text, csv_text, json_rows, json_text
from evaltools.runs.store import Run
from evaltools.text import printable

__all__ = ["ORACLE_REPORTS"]


def as_json(run: Run) -> str:
    """Return for each parser the figures by length of the list, and for each sentence the rank of the best one."""
    content = {
        "signature": run.signature,
        "lists": [
            {
                "parser": item.parser,
                "metric": METRICS[item.metric].name,
                "most": item.longest,
                "sentences": item.lists,
                "paired": item.paired,
                "curve": json_rows(item.curve),
                "rank_of_best": {str(number): int(rank) for number, rank in best_ranks_of(run, item.parser).items()},
            }
            for item in tree_lists(run)
        ],
    }
    return json_text(content)


def as_csv(run: Run) -> str:
    """Return one row a parser and rank."""
    rows = [item.curve.assign(parser=item.parser, metric=METRICS[item.metric].name) for item in tree_lists(run)]
    columns = ["parser", "metric", "rank", "parses", "own_pooled", "own_mean", "pooled", "mean", "n", "best"]
    return csv_text(pd.concat(rows, ignore_index=True)[columns])


def as_text(run: Run) -> str:
    """Return a table for each parser."""
    parts = [(Text(printable(item.description), no_wrap=True), _table(item)) for item in tree_lists(run)]
    return console_text([part for pair in parts for part in pair], run.signature, 120)


def _table(lists: TreeLists) -> Table:
    metric = METRICS[lists.metric]
    number = metric.text
    table = Table(
        box=SIMPLE_HEAD, pad_edge=False, title=f"{metric.title_with_unit}, micro and macro", title_justify="left"
    )
    for heading in ("rank", "analyses", "this rank", "macro", "best so far", "macro", "best at this rank"):
        table.add_column(heading, justify="right")
    for row in lists.curve.to_dict("records"):
        figures = [number(row[name]) for name in ("own_pooled", "own_mean", "pooled", "mean")]
        table.add_row(f"{row['rank']}", f"{row['parses']:,}", *figures, f"{row['best']:,}")
    return table


ORACLE_REPORTS: dict[str, Callable[[Run], str]] = {"text": as_text, "json": as_json, "csv": as_csv}
"""The reports by the name of their format."""

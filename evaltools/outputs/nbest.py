"""Figures of n-best lists, and oracle scores of lists of trees, as text, JSON or CSV."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from evaltools.analysis.nbest import CONFIGURATIONS, NBest, TreeLists, best_ranks_of, tree_lists
from evaltools.frameworks.registry import METRICS
from evaltools.outputs.tables import console_text, csv_text, json_rows, json_text
from evaltools.runs.store import Run
from evaltools.text import decimals, number, percent, printable

_RANKS = {
    "place_of_first": "position of the first analysis in the list sorted by F1",
    "rank_of_best": "rank of the best analysis",
    "rank_of_exact": "rank of the first analysis equal to gold",
}


def as_json(run: Run, parser: str, result: NBest) -> str:
    """Return ``by_rank``, ``oracle`` and ``sentences``, with the run and the parser."""
    content = {
        "signature": run.signature,
        "parser": parser,
        "n": len(result.sentences),
        "longest": result.longest,
        "by_rank": json_rows(result.by_rank),
        "oracle": json_rows(result.oracle),
        "sentences": json_rows(result.sentences),
    }
    return json_text(content)


def as_csv(run: Run, parser: str, result: NBest) -> str:
    """Return one row a metric and rank: the mean F1 of the analyses of this rank, and of the best up to it."""
    keys = ["metric", "rank"]
    best = result.oracle.rename(columns={name: f"oracle_{name}" for name in ("mean", "low", "high", "n")})
    return csv_text(result.by_rank.merge(best, on=keys, how="left"))


def as_text(run: Run, parser: str, result: NBest) -> str:
    """Return mean F1 by rank, the oracle F1, and the ranks of the first and the best analyses."""
    n = len(result.sentences)
    figures = result.figures()
    parts: list[Table | str] = [
        f"{n:,} sentences of {printable(parser)} with up to {result.longest} analyses; mean F1 in percent",
        _by_rank(result),
        f"First analysis: EDM {percent(figures['first'])}; best analysis of each list (oracle): "
        f"EDM {percent(figures['oracle'])}",
    ]
    for column, description in _RANKS.items():
        ranks = result.sentences[column].dropna()
        averages = f"median {number(ranks.median())}, mean {decimals(ranks.mean())}, " if len(ranks) else ""
        parts.append(f"{description}: {averages}in {len(ranks):,} of {n:,} sentences")
    return console_text(parts, run.signature, 120)


def _by_rank(result: NBest) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    metrics = list(dict.fromkeys(result.by_rank["metric"]))
    for heading in ("rank", "sentences", *(METRICS[name].id.upper() for name in metrics), "best EDM so far"):
        table.add_column(heading, justify="right")
    figures = result.by_rank.set_index(["rank", "metric"])
    best = result.oracle[result.oracle["metric"] == CONFIGURATIONS[0]].set_index("rank")["mean"]
    for rank in sorted(set(result.by_rank["rank"])):
        rows = figures.loc[rank]
        means = [percent(float(rows["mean"].get(name, float("nan")))) for name in metrics]
        table.add_row(str(rank), f"{int(rows['n'].max()):,}", *means, percent(float(best.get(rank, float("nan")))))
    return table


Report = Callable[[Run, str, NBest], str]
NBEST_REPORTS: dict[str, Report] = {"text": as_text, "json": as_json, "csv": as_csv}
"""The reports by the name of their format."""


def oracle_json(run: Run) -> str:
    """Return for each parser the figures by length of the list, and for each sentence the rank of the best one."""
    content = {
        "signature": run.signature,
        "lists": [
            {
                "parser": item.parser,
                "metric": item.metric,
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


def oracle_csv(run: Run) -> str:
    """Return one row a parser and rank."""
    rows = [item.curve.assign(parser=item.parser, metric=item.metric) for item in tree_lists(run)]
    columns = ["parser", "metric", "rank", "parses", "own_pooled", "own_mean", "pooled", "mean", "n", "best"]
    return csv_text(pd.concat(rows, ignore_index=True)[columns])


def oracle_text(run: Run) -> str:
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


ORACLE_REPORTS: dict[str, Callable[[Run], str]] = {"text": oracle_text, "json": oracle_json, "csv": oracle_csv}
"""The reports by the name of their format."""

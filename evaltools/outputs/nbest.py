"""Figures of n-best lists, and oracle scores of lists of trees, as text, JSON or CSV."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pandas as pd

from evaltools.analysis.nbest import NBest, TreeLists, best_ranks_of, tree_lists
from evaltools.blocks import Block, Chart, Column, Table, Text
from evaltools.charts.lines import nbest_chart, oracle_chart
from evaltools.frameworks.metric import figure_column
from evaltools.frameworks.registry import METRICS
from evaltools.frameworks.semantics.edm import CONFIGURATIONS
from evaltools.outputs.tables import console_text, csv_text, json_text
from evaltools.runs.store import Run
from evaltools.text import decimals, number, percent, percentage

_RANKS = {
    "place_of_first": "position of the first analysis in the list sorted by F1",
    "rank_of_best": "rank of the best analysis",
    "rank_of_exact": "rank of the first analysis equal to gold",
}


def nbest_report(run: Run, parser: str, result: NBest, kind: str) -> str:
    """Return figures by rank, of the best analysis up to it, and by sentence; as CSV a row a metric and rank."""
    if kind == "text":
        return console_text(nbest_blocks(parser, result), run.signature, 120)
    if kind == "csv":
        best = result.oracle.rename(columns={name: f"oracle_{name}" for name in ("mean", "low", "high", "n")})
        return csv_text(result.by_rank.merge(best, on=["metric", "rank"], how="left"))
    content = {
        "signature": run.signature,
        "parser": parser,
        "n": len(result.sentences),
        "longest": result.longest,
        "by_rank": result.by_rank,
        "oracle": result.oracle,
        "sentences": result.sentences,
    }
    return json_text(content)


def nbest_blocks(parser: str, result: NBest) -> list[Block]:
    """Return mean F1 by rank, drawn and as a table, the oracle F1, and the ranks of the first and best analyses."""
    n, figures = len(result.sentences), result.figures()
    lines = [
        f"First analysis: EDM {percent(figures['first'])}; best analysis of each list (oracle): "
        f"EDM {percent(figures['oracle'])}"
    ]
    n_best = int((result.sentences["place_of_first"] == 1).sum())
    lines.append(f"The first analysis is the best of {n_best:,} of {n:,} lists, {percentage(n_best / max(n, 1))}")
    for column, description in _RANKS.items():
        ranks = result.sentences[column].dropna()
        averages = f"median {number(ranks.median())}, mean {decimals(ranks.mean())}, " if len(ranks) else ""
        lines.append(f"{description}: {averages}in {len(ranks):,} of {n:,} sentences")
    head = f"{n:,} sentences of {parser} with up to {result.longest} analyses; mean F1 in percent"
    chart = Chart(
        nbest_chart(result.by_rank, result.oracle[result.oracle["metric"] == CONFIGURATIONS[0]]),
        f"Mean F1 of the analyses of {parser} by their rank, with 95 % intervals",
        "Only sentences whose lists reach the rank. Stepped line: the best analysis up to each rank.",
        is_half=True,
    )
    return [Text(head), chart, _by_rank(result), *map(Text, lines)]


def list_blocks(lists: Sequence[TreeLists], figure: str) -> list[Block]:
    """Return what the best choice from n-best lists of trees would reach, by one figure."""
    metric = METRICS[lists[0].metric]
    chart = Chart(
        oracle_chart([(item.parser, item.curve) for item in lists], metric.id, figure),
        f"{metric.title} of the best among the first analyses, and of the analyses of each rank",
        "Best so far: each sentence’s best analysis up to this rank. Best at this rank: sentences whose best analysis "
        "has this rank, the first in a tie.",
        is_half=True,
    )
    tables = [list_table(item, figure) for item in lists]
    return [*(Text(item.description) for item in lists), chart, *tables]


def _by_rank(result: NBest) -> Table:
    metrics = list(dict.fromkeys(result.by_rank["metric"]))
    figures = result.by_rank.set_index(["rank", "metric"])
    best = result.oracle[result.oracle["metric"] == CONFIGURATIONS[0]].set_index("rank")["mean"]
    rows = []
    for rank in sorted(set(result.by_rank["rank"])):
        own = figures.loc[rank]
        means = [float(own["mean"].get(name, math.nan)) for name in metrics]
        rows.append([rank, int(own["n"].max()), *means, float(best.get(rank, math.nan))])
    columns = [Column("rank", "rank"), Column("n", "sentences")]
    columns += [Column(name, METRICS[name].id.upper(), "points") for name in metrics]
    return Table([*columns, Column("oracle", "best EDM so far", "points")], rows)


def oracle_report(run: Run, kind: str) -> str:
    """Return figures by length of the lists: a table a parser, as JSON with the rank of each sentence's best tree."""
    lists = tree_lists(run)
    if kind == "text":
        tables = [(Text(item.description, "line"), list_table(item)) for item in lists]
        return console_text([block for pair in tables for block in pair], run.signature, 120)
    if kind == "csv":
        rows = pd.concat([item.curve.assign(parser=item.parser, metric=item.metric) for item in lists])
        columns = ["parser", "metric", "rank", "parses", "own_pooled", "own_mean", "pooled", "mean", "n", "best"]
        return csv_text(rows[columns])
    entries = [
        {
            "parser": item.parser,
            "metric": item.metric,
            "most": item.longest,
            "sentences": item.lists,
            "paired": item.paired,
            "curve": item.curve,
            "rank_of_best": {str(number): int(rank) for number, rank in best_ranks_of(run, item.parser).items()},
        }
        for item in lists
    ]
    return json_text({"signature": run.signature, "lists": entries})


def list_table(lists: TreeLists, figure: str = "") -> Table:
    """Return the figures of the analyses of each rank, and of the best one up to it: one of a figure, or all."""
    metric = METRICS[lists.metric]
    figures = {"pooled": "", "mean": "macro"} if not figure else {figure: ""}
    columns = [Column("rank", "rank"), Column("parses", "analyses")]
    columns += [figure_column(metric, f"own_{name}", title or "this rank") for name, title in figures.items()]
    columns += [figure_column(metric, name, title or "best so far") for name, title in figures.items()]
    columns.append(Column("best", "best at this rank"))
    of = "" if figure else ", micro and macro"
    return Table.of(lists.curve, columns, title=f"{metric.title_with_unit}{of}: {lists.parser}")

"""Ranks of the parsers under every variant of the metrics, and where two swap ranks, as text, JSON or CSV."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pandas as pd
from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from evaltools.analysis.rankings import (
    Crossing,
    Variant,
    crossings,
    describe_change,
    describe_crossing,
    figures_by_variant,
    pair_orders,
    rank_parsers,
    verdict,
)
from evaltools.errors import ParameterError
from evaltools.frameworks.figures import size_column
from evaltools.frameworks.registry import METRICS
from evaltools.outputs.tables import console_text, csv_text, json_rows, json_text
from evaltools.runs.store import Run
from evaltools.text import printable


@dataclass(frozen=True, slots=True, eq=False)
class Ranks:
    """The figures and ranks of a run's parsers under every variant."""

    figures: pd.DataFrame  # Index: parsers; columns: ids of the variants
    ranks: pd.DataFrame  # Of the same shape, 1 is the best
    variants: tuple[Variant, ...]
    n: tuple[int, ...]  # Maximum number of sentences of a parser, for each variant
    crossings: list[Crossing]
    every: bool  # Whether figures are over all sentences


def ranks_of(run: Run, *, every: bool | None = None) -> Ranks:
    """Rank the parsers of a run; `every`: over all sentences, no parse counts as 0; by default as in the report."""
    every = run.default_over == "all" if every is None else every
    summary = run.summary()
    figures, variants = figures_by_variant(summary, every=every)
    if not variants:
        raise ParameterError("the run has no metric by which parsers are ranked")
    sizes = []
    for variant in variants:
        size = size_column(variant.figure + ("_all" if every else ""))
        sizes.append(int(summary.loc[summary["metric"] == variant.metric, size].max()))
    return Ranks(figures, rank_parsers(figures), variants, tuple(sizes), crossings(figures), every)


def _of_variant(result: Ranks, variant: Variant) -> Iterator[tuple[str, float, float]]:
    """Yield parser, figure and rank under a variant."""
    values, ranks = result.figures[variant.id].tolist(), result.ranks[variant.id].tolist()
    return zip(map(str, result.figures.index), values, ranks, strict=True)


def _rows(result: Ranks) -> pd.DataFrame:
    rows = [
        (variant.id, variant.metric, variant.figure, parser, value, rank, n)
        for variant, n in zip(result.variants, result.n, strict=True)
        for parser, value, rank in _of_variant(result, variant)
    ]
    columns = ["variant", "metric", "figure", "parser", "value", "rank", "n"]
    return pd.DataFrame(rows, columns=columns).astype({"rank": "Int64"})


def as_json(run: Run, result: Ranks) -> str:
    """Return ``ranks``, a row a variant and parser, ``crossings``, ``pairs`` and the verdict in words."""
    ids = [variant.id for variant in result.variants]
    pairs = [
        {
            "a": pair.parser_a,
            "b": pair.parser_b,
            "a_ahead": [ids[at] for at in pair.a_ahead],
            "b_ahead": [ids[at] for at in pair.b_ahead],
            "tied": [ids[at] for at in pair.tied],
        }
        for pair in pair_orders(result.figures)
    ]
    changes = [
        {"up": item.up, "down": item.down, "before": ids[item.before], "after": ids[item.after]}
        for item in result.crossings
    ]
    rows = [row | {"rank": None if row["rank"] is pd.NA else row["rank"]} for row in json_rows(_rows(result))]
    content: dict[str, Any] = {"signature": run.signature, "sentences": "all" if result.every else "scored"}
    content |= {"verdict": verdict(result.figures, result.variants), "ranks": rows}
    return json_text(content | {"crossings": changes, "pairs": pairs})


def as_csv(run: Run, result: Ranks) -> str:
    """Return one row a variant and parser: the figure, its rank, and the number of sentences."""
    return csv_text(_rows(result))


def as_text(run: Run, result: Ranks) -> str:
    """Return a row a variant with rank and figure of every parser, the crossings, and the order of every two."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("variant")
    table.add_column("sentences", justify="right")
    for parser in result.figures.index:
        table.add_column(printable(str(parser)), justify="right")
    for at, (variant, n) in enumerate(zip(result.variants, result.n, strict=True)):
        number = METRICS[variant.metric].text
        cells = []
        for _, value, rank in _of_variant(result, variant):
            cells.append("–" if rank != rank else f"{int(rank)}  {number(value)}")
        swaps = any(item.after == at for item in result.crossings)
        table.add_row(Text(f"{variant.title}{' *' if swaps else ''}"), f"{n:,}", *cells)
    over = "all sentences, no parse counts as 0" if result.every else "the parsed sentences of each parser"
    lines = [f"{verdict(result.figures, result.variants)}", f"Rank and figure, percent, over {over}"]
    notes = []
    if result.crossings:
        notes.append("* Two parsers swap ranks between this variant and the one named before it:")
        notes += [f"  {describe_crossing(item, result.variants)}" for item in result.crossings]
    changes = [pair for pair in pair_orders(result.figures) if pair.changes]
    notes += [f"{pair.parser_a} and {pair.parser_b}: {describe_change(pair, result.variants)}" for pair in changes]
    parts: list[Table | Text] = [*map(_line, lines), table, *map(_line, notes), Text("")]
    return console_text(parts, run.signature, 60 + 24 * len(result.figures))


def _line(text: str) -> Text:
    return Text(printable(text), no_wrap=True)


RANKS_REPORTS: dict[str, Callable[[Run, Ranks], str]] = {"text": as_text, "json": as_json, "csv": as_csv}
"""The reports by the name of their format."""

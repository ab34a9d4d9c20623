"""Ranks of the parsers under every variant of the metrics, and where two swap ranks, as text, JSON or CSV."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import pandas as pd

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
from evaltools.blocks import Block, Chart, Column, Table, Text
from evaltools.charts import bump_chart
from evaltools.charts.theme import specification
from evaltools.frameworks.figures import size_column
from evaltools.frameworks.registry import METRICS
from evaltools.outputs.tables import console_text, csv_text, json_text
from evaltools.runs.store import Run


@dataclass(frozen=True, slots=True, eq=False)
class Ranks:
    """The figures and ranks of a run's parsers under every variant."""

    figures: pd.DataFrame  # Index: parsers; columns: ids of the variants
    ranks: pd.DataFrame  # Of the same shape, 1 is the best
    variants: tuple[Variant, ...]
    n: tuple[int, ...]  # Maximum number of sentences of a parser, for each variant
    crossings: list[Crossing]
    every: bool  # Whether figures are over all sentences


def ranks_of(run: Run, *, every: bool) -> Ranks:
    """Rank the parsers of a run; `every`: over all sentences, no parse counts as 0."""
    summary = run.summary()
    figures, variants = figures_by_variant(summary, every=every)
    sizes = []
    for variant in variants:
        size = size_column(variant.figure + ("_all" if every else ""))
        sizes.append(int(summary.loc[summary["metric"] == variant.metric, size].max()))
    return Ranks(figures, rank_parsers(figures), variants, tuple(sizes), crossings(figures), every)


def _of_variant(result: Ranks, variant: Variant) -> Iterator[tuple[str, float, float]]:
    """Yield parser, figure and rank under a variant."""
    values, ranks = result.figures[variant.id].tolist(), result.ranks[variant.id].tolist()
    return zip(map(str, result.figures.index), values, ranks, strict=True)


def _rows(result: Ranks, limit: int | None) -> pd.DataFrame:
    rows = [
        (variant.id, variant.metric, variant.figure, parser, value, rank, n)
        for variant, n in zip(result.variants[:limit], result.n[:limit], strict=True)
        for parser, value, rank in _of_variant(result, variant)
    ]
    columns = ["variant", "metric", "figure", "parser", "value", "rank", "n"]
    return pd.DataFrame(rows, columns=columns).astype({"rank": "Int64"})


def ranks_report(run: Run, result: Ranks, limit: int | None, kind: str) -> str:
    """Return the ranks as text; as JSON with ``crossings``, ``pairs`` and the verdict; or as CSV, a row a figure.

    `limit` is the maximum number of variants that the table has.
    """
    if kind == "text":
        return console_text([*rank_blocks(result, run.parsers, limit), ""], run.signature)
    rows = _rows(result, limit)
    if kind == "csv":
        return csv_text(rows)
    ids, rows = [variant.id for variant in result.variants], rows.astype(object)
    content = {
        "signature": run.signature,
        "sentences": "all" if result.every else "scored",
        "verdict": verdict(result.figures, result.variants),
        "ranks": rows.where(rows.notna(), None),
        "crossings": [
            {"up": item.up, "down": item.down, "before": ids[item.before], "after": ids[item.after]}
            for item in result.crossings
        ],
        "pairs": [
            {"a": pair.parser_a, "b": pair.parser_b}
            | {name: [ids[at] for at in getattr(pair, name)] for name in ("a_ahead", "b_ahead", "tied")}
            for pair in pair_orders(result.figures)
        ],
    }
    return json_text(content)


def rank_blocks(result: Ranks, parsers: Sequence[str], limit: int | None = None) -> list[Block]:
    """Return which parser leads, ranks and figures under every variant, drawn if two swap ranks, and which ones do."""
    over = "all sentences, no parse counts as 0" if result.every else "the parsed sentences of each parser"
    note = f"Rank and figure, percent, over {over}."
    if result.crossings:
        note += " * Two parsers swap ranks between this variant and the one named before it."
    if limit is not None and limit < len(result.variants):
        note += f" The first {limit} of {len(result.variants)} variants."
    answer = verdict(result.figures, result.variants)
    pairs = [pair for pair in pair_orders(result.figures) if pair.changes]
    changes = {f"{pair.parser_a} and {pair.parser_b}": describe_change(pair, result.variants) for pair in pairs}
    return [
        Text(answer, "text"),
        *([rank_chart(result, parsers)] if pairs else []),
        *(Text(f"{names}: {change}.") for names, change in changes.items() if not answer.endswith(f"{change}.")),
        replace(_table(result, limit), note=note),
    ]


def rank_chart(result: Ranks, parsers: Sequence[str]) -> Chart:
    """Return the rank of every parser under every variant as lines."""
    texts = [describe_crossing(crossing, result.variants) for crossing in result.crossings]
    ranked = result.figures, result.ranks, result.variants
    drawn = bump_chart(*ranked, result.crossings, texts, parsers=parsers)
    note = "From row to row one choice changes; a ring marks a parser that has passed another, significantly or not."
    title = "Rank of every parser under every variant of the metrics"
    return Chart(specification(drawn), title, note)


def _table(result: Ranks, limit: int | None) -> Table:
    rows = []
    for at, variant in enumerate(result.variants[:limit]):
        swaps = any(item.after == at for item in result.crossings)
        number = METRICS[variant.metric].text
        cells = [
            "–" if math.isnan(rank) else f"{int(rank)}  {number(value)}"
            for _, value, rank in _of_variant(result, variant)
        ]
        rows.append([f"{variant.title}{' *' if swaps else ''}", result.n[at], *cells])
    columns = [Column("variant", "variant", "text"), Column("n", "sentences")]
    columns += [Column(f"parser_{at}", str(name), "interval") for at, name in enumerate(result.figures.index)]
    return Table(columns, rows)

"""Elementary dependency match beside PyDelphin, on generated graphs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks import engine, graphs, peers
from benchmarks.report import Row, rate, ratio_row
from benchmarks.timing import measure

if TYPE_CHECKING:
    from collections.abc import Iterator

TARGET = 3
"""How many times as long PyDelphin takes at least."""


def edm_rows(n: int, seed: int, repeats: int) -> Iterator[Row]:
    """Measure the matching of triples of graphs as they are read, and PyDelphin's from its own."""
    made = graphs.pairs(n, seed)
    ready = engine.semantic_graphs(made)
    matching = measure(lambda: engine.edm_sums(ready), repeats)
    theirs, time = peers.pydelphin_edm(made)
    same = "equal" if engine.edm_figures(ready) == theirs[:2] else "other"
    size = sum(len(graph) for pair in made for graph in pair) / (2 * n)
    yield Row("EDM", f"{n:,} pairs, {size:.0f} nodes a graph", matching, rate(n, matching))
    yield ratio_row("  PyDelphin", f"{n:,} pairs, {same} precision and recall", time, matching, TARGET)

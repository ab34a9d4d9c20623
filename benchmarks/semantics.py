"""Elementary dependency match beside PyDelphin, on generated graphs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks import engine, graphs, peers
from benchmarks.report import Row, rate, ratio_row
from benchmarks.timing import measure

if TYPE_CHECKING:
    from collections.abc import Iterator


def edm_rows(n: int, seed: int, repeats: int) -> Iterator[Row]:
    """Measure the matching of triples, then the same from graphs as they are read, and PyDelphin's from its own."""
    made = graphs.pairs(n, seed)
    ready = engine.semantic_graphs(made)
    columns = engine.triple_columns(ready)
    matching = measure(lambda: engine.match_triples(columns), repeats)
    whole = measure(lambda: engine.match_triples(engine.triple_columns(ready)), repeats)
    theirs, time = peers.pydelphin_edm(made)
    precision, recall = engine.edm_figures(columns)
    same = "equal" if (precision, recall) == theirs[:2] else "other"
    size = sum(len(graph) for pair in made for graph in pair) / (2 * n)
    yield Row("EDM, triples as columns", f"{n:,} pairs, {size:.0f} nodes a graph", matching, rate(n, matching))
    yield ratio_row("  PyDelphin", f"{n:,} pairs, {same} precision and recall", time, matching, 10)
    yield Row("EDM, from graphs", f"{n:,} pairs", whole, rate(n, whole))
    yield Row("  PyDelphin", f"{n:,} pairs", time, f"{time.cpu / whole.cpu:.1f} ×")

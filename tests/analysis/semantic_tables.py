"""Hand-made tables of a run of semantic graphs, asked by DuckDB as a run is."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import duckdb
import pandas as pd

__all__ = ["TRIPLES", "run_of"]

TRIPLES = (
    "parser",
    "sentence",
    "kind",
    "label",
    "value",
    "start",
    "end",
    "target_start",
    "target_end",
    "status",
    "gold_predicate",
    "test_predicate",
    "weight",
)


def run_of(
    triples: Sequence[tuple[Any, ...]],
    statuses: Sequence[tuple[str, int, str]] = (),
) -> SimpleNamespace:
    """Return a run with rows of :data:`TRIPLES` and statuses; sentences that are not named are scored."""
    known = {(row[0], row[1]): "ok" for row in triples} | {row[:2]: row[2] for row in statuses}
    constructions = [f"{kind} {label}" for _, _, kind, label, *_ in triples]
    frames = {
        "triples": pd.DataFrame(triples, columns=list(TRIPLES)).assign(
            construction=constructions, error=range(1, len(triples) + 1)
        ),
        "sentences": pd.DataFrame(
            [(*key, status, 1, 0, 0) for key, status in known.items()],
            columns=["parser", "sentence", "status", "sentences", "edm_exact_match", "edm_n_gold"],
        ),
    }
    texts = {"parser", "kind", "label", "value", "status", "gold_predicate", "test_predicate", "construction"}
    connection = duckdb.connect()
    for name, frame in frames.items():
        typed = frame.astype(
            {one: "string" if one in texts else "Float64" if one == "weight" else "Int64" for one in frame}
        )
        connection.register(name, typed)

    def query(sql: str, parameters: list[Any] | None = None) -> pd.DataFrame:
        return connection.execute(sql, parameters or []).df()

    return SimpleNamespace(query=query, columns=query, meta={"options": {}})

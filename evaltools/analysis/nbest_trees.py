"""N-best lists of trees in a run: the figures of the best analysis by length of the list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd

from evaltools.frameworks.registry import METRICS
from evaltools.runs.oracle import RANK
from evaltools.runs.store import Run
from evaltools.text import percentage

__all__ = ["TreeLists", "best_ranks_of", "tree_lists"]

_COLUMNS = {
    **dict.fromkeys(("rank", "parses", "n", "best"), int),
    **dict.fromkeys(("own_pooled", "own_mean", "pooled", "mean"), float),
}


@dataclass(frozen=True)
class TreeLists:
    """The n-best lists of a parser."""

    parser: str  # The run's names for the first analyses, and for the best ones
    oracle: str
    metric: str  # Id of the metric by which the best ones were chosen
    longest: int  # Length of the longest list
    lists: int  # Number of sentences with a list
    paired: str  # ``"id"``, ``"number"`` or ``"position"``: how lists and gold sentences were paired
    curve: pd.DataFrame  # Figures by length of the list

    @property
    def description(self) -> str:
        """The figures of the first analyses and of the best ones, in one line."""
        first, last = self.curve.iloc[0], self.curve.iloc[-1]
        item = METRICS[self.metric]
        figures = [item.text_with_sign(float(row["pooled"])) for row in (first, last)]
        many = f"{self.lists:,} sentences"
        share = float(first["best"]) / max(float(self.curve["best"].sum()), 1.0)
        return (
            f"{self.parser}: the first analyses reach {item.title} {figures[0]}, the best of up to "
            f"{self.longest} {figures[1]}; of {many} {percentage(share, 0)} have their best analysis first."
        )


def tree_lists(run: Run) -> list[TreeLists]:
    """Return the n-best lists of a run of trees; none if its ``meta.json`` has none, or damaged ones."""
    value = run.meta.get("nbest")
    if not isinstance(value, dict) or value.get("metric") not in run.metrics:
        return []
    lists = []
    for item in value["lists"] if isinstance(value.get("lists"), list) else ():
        curve = _curve(item.get("curve")) if isinstance(item, dict) else None
        if curve is None or not all(isinstance(item.get(name), str) for name in ("parser", "oracle", "paired")):
            continue
        if isinstance(item.get("lists"), int) and {item["parser"], item["oracle"]} <= set(run.parsers):
            names = item["parser"], item["oracle"], str(value["metric"])
            lists.append(TreeLists(*names, len(curve), item["lists"], item["paired"], curve))
    return lists


def _curve(rows: Any) -> pd.DataFrame | None:
    """Return the figures, if they are complete."""
    if not isinstance(rows, list) or not rows:
        return None
    for row in rows:
        if not isinstance(row, dict) or not all(_is(row.get(name), kind) for name, kind in _COLUMNS.items()):
            return None
    return pd.DataFrame([{name: row[name] for name in _COLUMNS} for row in rows])


def _is(value: Any, kind: type) -> bool:
    return type(value) is int if kind is int else type(value) in (int, float)


def best_ranks_of(run: Run, parser: str) -> pd.Series[int]:
    """Return the rank of the best analysis of each sentence that has a list, by the number of the sentence."""
    if RANK not in run.query("select * from sentences limit 0"):
        return pd.Series(dtype="int64", name=RANK)
    rows = run.query(
        f"select sentence, try_cast({RANK} as bigint) as rank from sentences where parser = ? and rank is not null "
        "order by sentence",
        [parser],
    )
    return rows.drop_duplicates("sentence").set_index("sentence")["rank"].astype("int64").rename(RANK)

"""What a run of n-best lists says of them: the figures of the best analysis among ever more of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd

from evaltools.metrics import METRICS
from evaltools.runs.nbest_trees import RANK
from evaltools.runs.store import Run

__all__ = ["TreeLists", "best_ranks_of", "tree_lists"]

_COLUMNS = {
    **dict.fromkeys(("rank", "parses", "n", "best"), int),
    **dict.fromkeys(("own_pooled", "own_mean", "pooled", "mean"), float),
}


@dataclass(frozen=True)
class TreeLists:
    """The n-best lists of a parser.

    Parameters
    ----------
    parser, oracle : str
        The run's names for the first analyses, and for the best ones.
    metric : str
        Id of the metric by which the best ones were chosen.
    most : int
        The longest list.
    lists : int
        How many sentences have one.
    paired : str
        ``"id"``, ``"number"`` or ``"position"``: how lists and gold sentences were paired.
    curve : DataFrame
        As :func:`evaltools.runs.nbest_choice.curve` returns it.
    """

    parser: str
    oracle: str
    metric: str
    most: int
    lists: int
    paired: str
    curve: pd.DataFrame

    def says(self) -> str:
        """Return in one line what the best choice reaches."""
        first, last = self.curve.iloc[0], self.curve.iloc[-1]
        one = METRICS[self.metric]
        figures = [_written(float(row["pooled"]), share=one.is_share) for row in (first, last)]
        many = f"{self.lists:,} sentences"
        share = 100 * float(first["best"]) / max(float(self.curve["best"].sum()), 1.0)
        return (
            f"{self.parser}: the first analyses reach {one.title} {figures[0]}, the best of up to "
            f"{self.most} {figures[1]}; of {many} {share:.0f} % have their best analysis first."
        )


def _written(figure: float, *, share: bool) -> str:
    if figure != figure:
        return "no figure"
    return f"{100 * figure:.2f} %" if share else f"{figure:.2f}"


def tree_lists(run: Run) -> list[TreeLists]:
    """Return the n-best lists of a run of trees; none where it has none, or does not say it as it should.

    Parameters
    ----------
    run : Run
        Any run.
    """
    said = run.meta.get("nbest")
    if not isinstance(said, dict) or said.get("metric") not in run.metrics:
        return []
    found = []
    for one in said["lists"] if isinstance(said.get("lists"), list) else ():
        curve = _curve(one.get("curve")) if isinstance(one, dict) else None
        if curve is None or not all(isinstance(one.get(name), str) for name in ("parser", "oracle", "paired")):
            continue
        if isinstance(one.get("lists"), int) and {one["parser"], one["oracle"]} <= set(run.parsers):
            names = one["parser"], one["oracle"], str(said["metric"])
            found.append(TreeLists(*names, len(curve), one["lists"], one["paired"], curve))
    return found


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
    """Return the rank of the best analysis of each sentence that has a list, by the number of the sentence.

    Parameters
    ----------
    run : Run
        A run of n-best lists.
    parser : str
        A parser of it.
    """
    if RANK not in run.query("select * from sentences limit 0"):
        return pd.Series(dtype="int64", name=RANK)
    rows = run.query(
        f"select sentence, try_cast({RANK} as bigint) as rank from sentences where parser = ? and rank is not null "
        "order by sentence",
        [parser],
    )
    return rows.drop_duplicates("sentence").set_index("sentence")["rank"].astype("int64").rename(RANK)

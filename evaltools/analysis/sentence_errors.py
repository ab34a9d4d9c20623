"""Error types of chosen sentences of a run, wherever they stand in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from evaltools.analysis.error_table import error_table
from evaltools.analysis.error_types import RuleSet
from evaltools.analysis.run_trees import some_tree_pair
from evaltools.runs.store import Run

__all__ = ["sentence_errors", "types_of_sentences"]


def sentence_errors(
    run: Run,
    parser: str,
    sentences: Sequence[int],
    rules: RuleSet | None = None,
    tell: Callable[[int, int], None] | None = None,
) -> pd.DataFrame:
    """Repair a parser's trees of some sentences, and list the steps.

    Parameters
    ----------
    run : Run
        A run of constituency trees.
    parser : str
        The parser.
    sentences : sequence of int
        Their numbers, from 1.
    rules : RuleSet, optional
        The types; those of the Penn Treebank if not given.
    tell : callable, optional
        Is told how many sentences are done, and of how many.

    Returns
    -------
    DataFrame
        As from :func:`evaltools.analysis.error_table.error_table`, by the run's own numbers.
    """
    numbers = np.unique(np.asarray(sentences, dtype=np.int64))
    table = error_table(some_tree_pair(run, parser, numbers.tolist()), rules, tell)
    return table.assign(sentence=numbers[table["sentence"].to_numpy(dtype=np.int64) - 1])


def types_of_sentences(table: pd.DataFrame) -> dict[int, dict[str, int]]:
    """Return how many brackets each type of error costs each sentence that has any, the greatest number first.

    Parameters
    ----------
    table : DataFrame
        From :func:`sentence_errors`.
    """
    sums = table.groupby(["sentence", "type"], sort=True)["repaired"].sum().reset_index()
    sums = sums.sort_values(["sentence", "repaired"], ascending=[True, False], kind="stable")
    found: dict[int, dict[str, int]] = {}
    columns = (sums[name].tolist() for name in ("sentence", "type", "repaired"))
    for sentence, name, repaired in zip(*columns, strict=True):
        found.setdefault(int(sentence), {})[str(name)] = int(repaired)
    return found

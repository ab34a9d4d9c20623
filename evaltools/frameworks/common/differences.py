"""Differences of groups to the rest and between two parsers, with tests of significance.

The loss of a word is 1 minus its leaf-ancestor similarity. A group is compared with all other words by the difference
of the two means. Words of one sentence are not independent, so the variance of the difference is that of a ratio
estimator over sentences (linearized, as for cluster samples); p-values of a table are adjusted for the false discovery
rate.

A figure of a parser is a sum over the sentences, so the variance of the difference of two parsers is that of the sum of
the paired differences of the sentences, or of documents, which are drawn as a whole.

References
----------
W. G. Cochran (1977). Sampling Techniques, 3rd edition, section 2.11 (ratio estimators).
Y. Benjamini and Y. Hochberg (1995). Controlling the false discovery rate. J. R. Statist. Soc. B 57(1).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evaltools.text import decimals

if TYPE_CHECKING:
    from pandas.api.typing import DataFrameGroupBy

LEVEL = 0.05
"""False discovery rate below which a group is flagged."""

MIN_SENTENCES = 10
"""Groups of weighed members in fewer sentences have no interval."""

_Z = 1.959963984540054


def group_sums(members: pd.DataFrame, groups: DataFrameGroupBy[Any, Any], score: str) -> pd.DataFrame:
    """Return a row a group of scored members with the sums that a comparison needs.

    Those of other sentences can be added to them.
    """
    is_scored = members[score].notna()
    rows = members.loc[is_scored]
    group, order = pd.factorize(groups.ngroup()[is_scored])
    names = groups.size().index.astype(object)[order]
    n = rows["count"].to_numpy(dtype=np.float64) if "count" in rows else None
    sentence, scores = rows["sentence"].to_numpy(), rows[score].to_numpy(dtype=np.float64)
    return _sums(group, sentence, scores, len(names), n).set_index(names)


def compared(sums: pd.DataFrame, *, min_count: float = 1, are_weighed: bool = False) -> pd.DataFrame:
    """Compare groups of at least so many members with the rest, given their sums.

    Those that lose most beyond the average come first. Members are weighed if rows stand for several, ``count``.
    """
    table = _differences(sums).reset_index()
    table = table[table["count"] >= min_count]
    if are_weighed:  # weights that can be few for a group
        few = table["sentences"] < MIN_SENTENCES
        table = table.assign(**{name: table[name].mask(few) for name in ("low", "high", "p")})
    table = table.assign(flagged=flags(table["p"].to_numpy(dtype=np.float64)))
    excess = table["excess"].fillna(table["loss"]).round(9).to_numpy()
    order = np.lexsort((-table["loss"].round(9).to_numpy(), -excess))
    return table.iloc[order].reset_index(drop=True)


def group_difference(
    is_member: NDArray[np.bool_], sentence: NDArray[np.int64], score: NDArray[np.float64]
) -> pd.Series[Any]:
    """Compare the members of a group with all others."""
    return _differences(_sums(is_member.astype(np.int64), sentence, score, 2)).iloc[1]


def _sums(
    group: NDArray[np.int64],
    sentence: NDArray[np.int64],
    score: NDArray[np.float64],
    n_groups: int,
    count: NDArray[np.float64] | None = None,
) -> pd.DataFrame:
    """Return sums over the sentences of each group; `score` is the sum of the scores of ``count`` members.

    n and l are the members of the group in a sentence and their loss, N and L those of all groups. So the sums of nN,
    nL and lL over all groups are those of N², NL and L² over all sentences, and of n/N the number of sentences.
    """
    names, index = np.unique(sentence, return_inverse=True)
    width = max(len(names), 1)
    cells, cell = np.unique(group.astype(np.int64) * width + index.reshape(-1), return_inverse=True)
    cell, of_group, of_sentence = cell.reshape(-1), cells // width, cells % width
    n = np.bincount(cell, count, len(cells)).astype(np.float64)
    loss = n - np.bincount(cell, score, len(cells))
    all_n, all_loss = (np.bincount(of_sentence, values, len(names))[of_sentence] for values in (n, loss))
    columns = {
        "sentences": np.ones(len(cells)),
        "n": n,
        "l": loss,
        "nn": n * n,
        "nl": n * loss,
        "ll": loss * loss,
        "nN": n * all_n,
        "nL": n * all_loss,
        "lN": loss * all_n,
        "lL": loss * all_loss,
        "n/N": n / all_n,
    }
    return pd.DataFrame({name: np.bincount(of_group, values, n_groups) for name, values in columns.items()})


def _differences(sums: pd.DataFrame) -> pd.DataFrame:
    """Compare each group with all others, given the sums of all."""
    n, loss, nn, nl, ll = (sums[name].to_numpy() for name in ("n", "l", "nn", "nl", "ll"))
    n_all, loss_all, all_n, all_loss = (sums[name].to_numpy() for name in ("nN", "lN", "nL", "lL"))
    n_sentences, n_rest, total = round(sums["n/N"].sum()), n.sum() - n, loss.sum()
    with np.errstate(invalid="ignore", divide="ignore"):
        mean, rest = loss / n, (total - loss) / n_rest  # of losses
        # influence of a sentence on the difference: (l − mean n) / Σn − ((L − l) − rest (N − n)) / Σ(N − n)
        everywhere = all_loss.sum() - 2 * rest * all_n.sum() + rest**2 * n_all.sum()  # as if no word were in the group
        a, b = 1 / n + 1 / n_rest, mean / n + rest / n_rest  # a l − b n is what the group adds to it
        own = a**2 * ll - 2 * a * b * nl + b**2 * nn
        both = a * (all_loss - rest * loss_all) - b * (all_n - rest * n_all)
        variance = everywhere / n_rest**2 + own - 2 * both / n_rest
        variance = np.maximum(variance, 0) * (n_sentences / (n_sentences - 1) if n_sentences > 1 else np.nan)
        difference, error = rest - mean, np.sqrt(variance)
        p = np.where(error > 0, two_sided(difference / error), np.where(difference == 0, 1.0, 0.0))
    p = np.where(np.isnan(error) | np.isnan(difference), np.nan, p)
    return pd.DataFrame(
        {
            "sentences": sums["sentences"].to_numpy().astype(np.int64),
            "count": n if (n % 1).any() else n.astype(np.int64),
            "mean": 1 - mean,
            "loss": loss,
            "share": loss / total if total > 0 else np.zeros(len(n)),
            "excess": -difference * n,
            "difference": difference,
            "low": difference - _Z * error,
            "high": difference + _Z * error,
            "p": p,
        },
        index=sums.index,
    )


def two_sided(z: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the two-sided p-values of standard normal deviates.

    Examples
    --------
    >>> two_sided(np.array([0.0, -1.96, 1.96])).round(3)
    array([1.  , 0.05, 0.05])
    """
    return np.array([math.erfc(value) for value in (np.abs(z) / math.sqrt(2)).tolist()])


def flags(p: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which p-values of a table are below the false discovery rate; undefined ones are not."""
    defined = np.sort(p[~np.isnan(p)])
    low_enough = defined[defined <= LEVEL * np.arange(1, len(defined) + 1) / max(len(defined), 1)]
    return np.asarray(p <= low_enough.max(initial=-1.0))


def rows_of_both(first: pd.DataFrame, second: pd.DataFrame, keys: Sequence[str], main: str) -> pd.DataFrame:
    """Return the rows that either of two tables has, with the second one's `main` as ``other``; 0 for no such row.

    Examples
    --------
    >>> first, second = pd.DataFrame({"k": ["a", "b"], "n": [3, 1]}), pd.DataFrame({"k": ["c", "a"], "n": [2, 1]})
    >>> rows_of_both(first, second, ["k"], "n").to_numpy().tolist()
    [['a', 3, 1.0], ['b', 1, 0.0], ['c', 0, 2.0]]
    """
    by = list(keys)
    rows: pd.DataFrame = first.merge(second[[*by, main]].rename(columns={main: "other"}), on=by, how="left")
    known = second[by].merge(first[by], on=by, how="left", indicator=True)["_merge"] == "both"
    more = second[~known.to_numpy()]
    if len(more):
        only_second = more.assign(other=more[main])
        only_second[main] = 0
        rows = pd.concat([rows, only_second], ignore_index=True)
    return rows.assign(other=rows["other"].infer_objects().fillna(0)).reset_index(drop=True)


def paired_errors(
    first: pd.DataFrame,
    second: pd.DataFrame,
    rows: pd.DataFrame,
    keys: Sequence[str],
    n_sentences: int,
    units: NDArray[np.int64] | None = None,
) -> NDArray[np.float64]:
    """Return the standard errors of the differences of some rows, given ``value`` by ``sentence`` of both parsers.

    `units` has the document of each sentence; the differences of its sentences are one.
    """
    n_units = n_sentences if units is None else len(np.unique(units[:n_sentences]))
    if n_units < 2:
        return np.full(len(rows), np.nan)
    by = list(keys)
    values = pd.concat([first, second.assign(value=-second["value"])])
    if units is not None:
        values = values.assign(sentence=units[values["sentence"].to_numpy(dtype=np.int64) - 1])
    values = values.astype(dict.fromkeys(by, object))
    values = values.groupby([*by, "sentence"], sort=False)["value"].sum().reset_index()
    sums = values.assign(square=values["value"] ** 2).groupby(by, sort=False)[["value", "square"]].sum().reset_index()
    own = rows[by].astype(object).merge(sums, on=by, how="left")
    value, square = (own[name].astype(np.float64).fillna(0).to_numpy() for name in ("value", "square"))
    variance = (square - value**2 / n_units) * n_units / (n_units - 1)
    return np.sqrt(np.maximum(variance, 0))


def with_differences(rows: pd.DataFrame, error: NDArray[np.float64]) -> pd.DataFrame:
    """Add differences, intervals and which are significant to rows of two parsers; the largest differences first."""
    rows = rows.assign(more=rows["cost"] - rows["other"])
    more = rows["more"].to_numpy(dtype=np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        p = np.where(error > 0, two_sided(more / error), np.where(np.isnan(error), np.nan, 1.0))
    low, high = more - _Z * error, more + _Z * error
    intervals = [_interval(*ends) for ends in zip(low.tolist(), high.tolist(), strict=True)]
    rows = rows.assign(low=low, high=high, interval=intervals)
    rows = rows.assign(flag=["✓" if flag else "" for flag in flags(p).tolist()])
    return rows.sort_values("more", key=np.abs, ascending=False, kind="stable", ignore_index=True)


def _interval(low: float, high: float) -> str:
    """Return an interval as text, its ends without decimals from ten on."""
    if math.isnan(low):
        return "–"
    return " to ".join(decimals(end, 0 if abs(end) >= 10 else 1, signed=True) for end in (low, high))

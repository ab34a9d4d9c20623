"""The computation of one figure: its formula, counts and numbers."""

from __future__ import annotations

from dataclasses import dataclass

from evaltools.errors import ParameterError
from evaltools.frameworks.figures import FIGURES, figure_over, over_of
from evaltools.frameworks.metric import formula, formula_with
from evaltools.frameworks.registry import METRICS, metric_id
from evaltools.runs.sums import Sums
from evaltools.text import number


@dataclass(frozen=True, slots=True)
class Explanation:
    """The computation of a figure of one parser.

    Parameters
    ----------
    parser, metric, figure : str
        The figure: a metric id, and ``pooled``, ``mean``, ``pooled_all`` or ``mean_all``.
    value : float
        The figure, NaN where undefined.
    formula : str
        The metric's formula.
    numbers : str
        The formula with numbers put in.
    counts : dict
        Sums of the count columns over the sentences that are included.
    n : int
        Number of sentences in the sums, or of scores in the mean.
    sentences : int
        Number of all sentences.
    without_score : int
        Number of sentences in the sums whose score is undefined.
    """

    parser: str
    metric: str
    figure: str
    value: float
    formula: str
    numbers: str
    counts: dict[str, float]
    n: int
    sentences: int
    without_score: int


def explain(sums: Sums, parser: str, metric: str, figure: str) -> Explanation:
    """Explain the computation of a figure.

    Parameters
    ----------
    sums : Sums
        Sums over groups of sentences, from :func:`evaltools.runs.sums.sum_sentences`.
    parser : str
        The parser.
    metric : str
        A metric.
    figure : {"pooled", "mean", "pooled_all", "mean_all"}
        Which of its figures.

    Returns
    -------
    Explanation
        The figure, its formula, and the counts in it.

    Raises
    ------
    ParameterError
        If there is no such metric or figure.
    """
    if figure not in FIGURES:
        raise ParameterError.unknown("figure", figure, FIGURES)
    item = METRICS[metric_id(metric)]
    metric = item.id
    part = sums.of(parser)
    pooled, mean = (figure_over(average, over_of(figure)) for average in ("pooled", "mean"))
    totals = dict(zip(item.columns, (float(column.sum()) for column in part.columns(item, pooled)), strict=True))
    members, defined = part.n(item, pooled), part.n(item, mean)
    if figure.startswith("pooled"):
        n, numbers = members, formula_with(item, totals)
    else:
        total = float(part.columns(item, mean)[0].sum())
        n, numbers = defined, f"{number(round(total, 3))} / {number(defined)}"
    value = part.figure(item, figure)
    return Explanation(
        parser, metric, figure, value, formula(item), numbers, totals, n, part.sentences, members - defined
    )

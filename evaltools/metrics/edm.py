"""Elementary dependency match: the triples that two semantic graphs share.

A graph is a bag of triples: *names* (span, NAME, predicate), *arguments* (span, role, span), *properties* (span,
property, value), and, in some presets, *constants* (span, CARG, value) and the *top* (span). A triple is matched
where the other graph has it too; one that occurs twice has to be there twice (in sets, once). With M matched triples of
G gold and T test triples, all of them weighted:

    recall = M / G        precision = M / T        F1 = 2M / (G + T)

References
----------
R. Dridan and S. Oepen (2011). Parser evaluation using elementary dependency matching. IWPT 2011, 225-230.

Notes
-----
Differences from the paper: it does not say what its figure over a corpus is; here as in PyDelphin the triples of all
sentences count together (``pooled``), and ``mean`` stands beside it. The weights that it proposes are a file of
patterns (:mod:`evaltools.metrics.edm_rules`).

Differences from PyDelphin with its preset: figures are undefined where there is nothing to count, where it says 0, and
where a graph has no spans, where it gives all nodes the span (-1, -1). In graphs that it has just converted from MRS it
leaves out roles that lead to a quantifier (*nearly* in *nearly every dog*), because the quantifier was renamed after
the map from names to nodes was built; here they count, as they do there when the converted EDS is written and read
again. This concerns 6 of the 1,028 items of the ERG profiles ``mrs`` and ``csli``.

Differences from mtool with its preset, over all sentences: figures are undefined where there is nothing to count and
where a graph has no spans.
"""

from __future__ import annotations

from functools import reduce
from operator import add

import numpy as np
from numpy.typing import NDArray

from evaltools.metrics.base import Counts, Metric, ratio

__all__ = ["COLUMNS", "LETTERS", "MATCHED", "METRICS", "PARTS", "total"]

LETTERS: dict[str, str] = {"n": "name", "a": "argument", "p": "property", "c": "constant", "t": "top"}
"""The classes of triples by the letter that stands for them in the names of counts and metrics."""

PARTS: dict[str, tuple[str, str]] = {
    "edm": ("EDM", "napct"),
    "edm_na": ("EDM, names and arguments", "na"),
    "edm_n": ("EDM, names", "n"),
    "edm_a": ("EDM, arguments", "a"),
    "edm_p": ("EDM, properties", "p"),
}
"""The five configurations: title, and letters of the classes whose triples count."""

COLUMNS = (
    "sentences",
    "edm_exact_match",
    *(f"edm_{letter}_{what}" for letter in LETTERS for what in ("gold", "test", "matched")),
)
"""Count columns: 1 for a sentence, and for one whose graphs have the same triples; the weights of the gold triples,
test triples and matched triples of each class."""

MATCHED = ("edm_exact_match", *(f"edm_{letter}_matched" for letter in LETTERS))
"""Count columns that are missing where the parser's graph has no spans; over all sentences nothing is matched there."""


def total(counts: Counts, letters: str, what: str) -> NDArray[np.float64]:
    """Add up the triples of some classes.

    Parameters
    ----------
    counts : mapping of str to ndarray of float64
        Columns by name.
    letters : str
        Letters of classes.
    what : {"gold", "test", "matched"}
        Which triples.
    """
    return reduce(add, (counts[f"edm_{letter}_{what}"] for letter in letters))


def _metrics(name: str) -> list[Metric]:
    title, letters = PARTS[name]

    def f1(counts: Counts) -> NDArray[np.float64]:
        sizes = total(counts, letters, "gold") + total(counts, letters, "test")
        return ratio(2 * total(counts, letters, "matched"), sizes)

    def precision(counts: Counts) -> NDArray[np.float64]:
        return ratio(total(counts, letters, "matched"), total(counts, letters, "test"))

    def recall(counts: Counts) -> NDArray[np.float64]:
        return ratio(total(counts, letters, "matched"), total(counts, letters, "gold"))

    def metric(end: str, says: str, formula: str, score: object, *what: str) -> Metric:
        return Metric(
            id=name + end,
            title=f"{title}{says}",
            family="edm",
            formula=formula,
            columns=tuple(f"edm_{letter}_{one}" for one in what for letter in letters),
            score=score,  # type: ignore[arg-type]
            zero_over_all=MATCHED,
            gold=() if "gold" in what else tuple(f"edm_{letter}_gold" for letter in letters),
            where_words_differ="triples are compared by the spans of their graphs, whatever the words",
        )

    return [
        metric("", " (F1)", "2M / (G + T)", f1, "matched", "gold", "test"),
        metric("_precision", ", precision", "M / T", precision, "matched", "test"),
        metric("_recall", ", recall", "M / G", recall, "matched", "gold"),
    ]


def _exact(counts: Counts) -> NDArray[np.float64]:
    return ratio(counts["edm_exact_match"], counts["sentences"])


METRICS: tuple[Metric, ...] = (
    *(metric for name in PARTS for metric in _metrics(name)),
    Metric(
        id="edm_exact",
        title="EDM, all triples of a sentence right",
        family="edm",
        formula="sentences with M = G = T / sentences",
        columns=("edm_exact_match", "sentences"),
        score=_exact,
        zero_over_all=MATCHED,
        where_words_differ="triples are compared by the spans of their graphs, whatever the words",
    ),
)

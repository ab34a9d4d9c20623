"""Elementary dependency match: the triples that two semantic graphs share.

A graph is a multiset of triples: *names* (span, NAME, predicate), *arguments* (span, role, span), *properties* (span,
property, value), and, in some presets, *constants* (span, CARG, value) and the *top* (span). A triple is matched
if the other graph also has it; if it occurs twice, both have to be matched (in sets, one). With M matched triples of
G gold and T test triples, all of them weighted:

    recall = M / G        precision = M / T        F1 = 2M / (G + T)

References
----------
R. Dridan and S. Oepen (2011). Parser evaluation using elementary dependency matching. IWPT 2011, 225-230.

Notes
-----
Differences from the paper: it does not define its figure over a corpus; here, as in PyDelphin, the triples of all
sentences count together (``pooled``), and ``mean`` is reported as well. The weights that it proposes are a file of
patterns (:mod:`evaltools.frameworks.semantics.edm.rules`).

Differences from PyDelphin with its preset: figures are undefined if there is nothing to count (in PyDelphin 0), or if
a graph has no spans (PyDelphin gives all nodes the span (-1, -1)). In graphs that it has just converted from MRS,
PyDelphin leaves out roles whose target is a quantifier (*nearly* in *nearly every dog*), because the quantifier was
renamed after the map from names to nodes was built; here they count, as in PyDelphin if the converted EDS is written
and read again. This concerns 6 of the 1,028 items of the ERG profiles ``mrs`` and ``csli``.

Differences from mtool with its preset, over all sentences: figures are undefined if there is nothing to count or a
graph has no spans.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from evaltools.frameworks.metric import SIDE_SYMBOLS, Choices, Count, Counts, ErrorCount, Metric, ratio
from evaltools.frameworks.semantics.edm.rules import KINDS_OF_TRIPLES

__all__ = [
    "COLUMNS",
    "COUNTS",
    "ERRORS",
    "LETTERS",
    "MATCHED",
    "METRICS",
    "PARTS",
    "SIDES",
    "pooled_edm",
    "sum_defined",
    "total",
]

LETTERS: dict[str, str] = dict(zip("napct", KINDS_OF_TRIPLES, strict=True))
"""The classes of triples by their letters in the names of counts and metrics."""

SIDES = ("gold", "test", "matched")
"""The counts of each class, in the order of the columns."""

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
    *(f"edm_{letter}_{side}" for letter in LETTERS for side in SIDES),
)
"""Count columns: 1 for each sentence; 1 if both graphs have the same triples; the weights of the gold triples, test
triples and matched triples of each class."""


def _plural(name: str) -> str:
    return f"{name.removesuffix('y')}ies" if name.endswith("y") else f"{name}s"


COUNTS: dict[str, Count] = {
    "edm_exact_match": Count("sentences with all triples right"),
    **{
        f"edm_{letter}_{side}": Count(
            f"{side} {_plural(name)}, by weight", SIDE_SYMBOLS[side], group=name if letter in "ct" else ""
        )
        for letter, name in LETTERS.items()
        for side in SIDES
    },
}
"""Descriptions of the columns; classes that few rules use are left out if there are none."""

MATCHED = ("edm_exact_match", *(f"edm_{letter}_matched" for letter in LETTERS))
"""Count columns that are missing if the parser's graph has no spans; over all sentences they count as 0."""


def total(counts: Counts, letters: str, side: str) -> NDArray[np.float64]:
    """Add up the triples of some classes."""
    sums: NDArray[np.float64] = np.sum([counts[f"edm_{letter}_{side}"] for letter in letters], axis=0)
    return sums


_WHERE_WORDS_DIFFER = "triples are compared by the spans of their graphs, whatever the words"
_APPROACH = "EDM: triples of semantic graphs"


def _metrics(name: str) -> list[Metric]:
    title, letters = PARTS[name]

    def f1(counts: Counts) -> NDArray[np.float64]:
        sizes = total(counts, letters, "gold") + total(counts, letters, "test")
        return ratio(2 * total(counts, letters, "matched"), sizes)

    def precision(counts: Counts) -> NDArray[np.float64]:
        return ratio(total(counts, letters, "matched"), total(counts, letters, "test"))

    def recall(counts: Counts) -> NDArray[np.float64]:
        return ratio(total(counts, letters, "matched"), total(counts, letters, "gold"))

    def symbol_values(counts: Mapping[str, float]) -> dict[str, float]:
        return {
            symbol: sum(counts.get(f"edm_{letter}_{side}", 0) for letter in letters)
            for symbol, side in (("G", "gold"), ("T", "test"), ("M", "matched"))
        }

    norm = name.removeprefix("edm").removeprefix("_").upper() or "all"
    covers_all = norm == "all"
    classes = "triples of all classes" if covers_all else " and ".join(_plural(LETTERS[letter]) for letter in letters)

    def metric(quantity: str, formula: str, score: Callable[[Counts], NDArray[np.float64]], *sides: str) -> Metric:
        is_f1 = quantity == "F1"
        graph = "parser’s graph" if quantity == "precision" else "gold graph"
        share = "as the harmonic mean of recall and precision" if is_f1 else f"as a share of those of the {graph}"
        short = "EDM" if covers_all else f"EDM_{norm}"
        if not is_f1:
            short = quantity if covers_all else f"{short} {quantity}"
        return Metric(
            id=name if is_f1 else f"{name}_{quantity}",
            title=f"{title} (F1)" if is_f1 else f"{title}, {quantity}",
            family="edm",
            formula=formula,
            columns=tuple(f"edm_{letter}_{side}" for side in sides for letter in letters),
            score=score,
            zero_over_all=MATCHED,
            gold=() if "gold" in sides else tuple(f"edm_{letter}_gold" for letter in letters),
            gold_only="test" not in sides,
            where_words_differ=_WHERE_WORDS_DIFFER,
            short=short,
            help=f"Weighted triples that both graphs share ({classes}), {share}, in %.",
            approach=_APPROACH,
            chapter="edm",
            headline=is_f1,
            reported=is_f1 or covers_all,
            summary=is_f1 and norm in ("all", "N", "A"),
            choices=Choices("EDM", "", norm) if is_f1 else None,
            variant_of="" if is_f1 else name,
            nullable=True,
            numbers=re.sub("[GTM]", r"{\g<0>}", formula.replace("2M", "2 × M")),
            values=symbol_values,
        )

    return [
        metric("F1", "2M / (G + T)", f1, "matched", "gold", "test"),
        metric("precision", "M / T", precision, "matched", "test"),
        metric("recall", "M / G", recall, "matched", "gold"),
    ]


def _exact(counts: Counts) -> NDArray[np.float64]:
    return ratio(counts["edm_exact_match"], counts["sentences"])


METRICS: tuple[Metric, ...] = (
    *(metric for name in PARTS for metric in _metrics(name)),
    Metric(
        id="edm_exact",
        title="EDM, all triples right",
        family="edm",
        formula="sentences with M = G = T / sentences",
        columns=("edm_exact_match", "edm_n_gold", "sentences"),  # gold triples tell whether EDM is defined
        score=_exact,
        zero_over_all=MATCHED,
        where_words_differ=_WHERE_WORDS_DIFFER,
        short="exact",
        help="Share of the sentences whose graphs have the same triples, in %.",
        numbers="{edm_exact_match} / {sentences}",
        approach=_APPROACH,
        chapter="edm",
        headline=True,
        reported=True,
        nullable=True,
    ),
)


def _unmatched(counts: Counts) -> NDArray[np.float64]:
    letters = "".join(LETTERS)
    return total(counts, letters, "gold") + total(counts, letters, "test") - 2 * total(counts, letters, "matched")


ERRORS = ErrorCount(
    Metric(
        id="edm_errors",
        title="Unmatched triples",
        family="edm",
        formula="(G − M) + (T − M)",
        columns=tuple(f"edm_{letter}_{side}" for side in SIDES[::-1] for letter in LETTERS),
        score=_unmatched,
        zero_over_all=MATCHED,
        better="low",
        unit="per sentence",
        help="Triples that only one of the two graphs has, by weight.",
        nullable=True,
    ),
    "unmatched triple",
    "unmatched triples",
)
"""The number of triples that only one of two graphs has."""


def sum_defined(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum the rows of columns of :data:`COLUMNS` that have no undefined count."""
    sums: NDArray[np.float64] = counts[~np.isnan(counts).any(axis=1)].sum(axis=0)
    return sums


def pooled_edm(sums: NDArray[np.float64]) -> float | None:
    """Return EDM over all classes from sums of the columns of :data:`COLUMNS`; None if it is undefined."""
    score = float(METRICS[0].score({name: sums[[index]] for index, name in enumerate(COLUMNS)})[0])
    return None if np.isnan(score) else score

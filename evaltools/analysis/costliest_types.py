"""The error types that cost a parser the most brackets, each with a short example."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from evaltools.analysis.verdict import listing
from evaltools.frameworks.error_types import ErrorTypes
from evaltools.frameworks.groups import Part, by_clarity

__all__ = ["CostlyType", "costliest_types", "describe_types"]


_MAX_CLEAR = 8
"""The example is the shortest among so many of the clearest sentences."""


class CostlyType(NamedTuple):
    """An error type of a parser."""

    title: str
    repaired: int  # Number of brackets that its steps repair
    share: float  # Their share of the brackets that all steps repair
    part: str  # The largest part of the type: what is where, and where it belongs
    part_repaired: int  # Brackets that its steps repair
    sentence: int  # The sentence of the example
    example: str  # A step in words


def costliest_types(
    types: ErrorTypes, part: Part, parser: str, n_words: Mapping[int, int], limit: int = 3
) -> list[CostlyType]:
    """Return the error types with the most brackets repaired, without the residual type.

    The example is of the largest part of its type, and repairs at least as many brackets as the mean of that part.
    """
    steps = types.steps(part, parser, types.rules.default)
    totals = types.totals(steps)
    totals = totals[totals["type"] != types.residual].head(limit)
    n_steps = dict(steps["sentence"].value_counts())
    costliest = []
    for row in totals.to_dict("records"):
        of_type = steps[steps["type"] == row["type"]]
        parts = of_type.groupby("part", sort=True)["repaired"].sum()
        part_title = str(parts.idxmax())
        of_part = of_type[of_type["part"] == part_title]
        typical = of_part[of_part["repaired"] >= of_part["repaired"].mean()]
        sentences = [int(number) for number in typical["sentence"].unique()]
        clear = typical[typical["sentence"].isin(by_clarity(sentences, n_words, n_steps)[:_MAX_CLEAR])]
        sentence, example = min(
            zip(clear["sentence"].tolist(), clear["story"].tolist(), strict=True),
            key=lambda item: (len(item[1]), item[0]),
        )
        costliest.append(
            CostlyType(
                str(row["type"]),
                int(row["repaired"]),
                float(row["share"]),
                part_title,
                int(parts[part_title]),
                sentence,
                example,
            )
        )
    return costliest


def describe_types(types: list[CostlyType], parser: str, over: str = "") -> str:
    """Describe the costliest error types of a parser; `over`: the sentences, if not all."""
    if not types:
        return f"{parser} has no error of a known type{over}."
    unit = " bracket" if types[0].repaired == 1 else " brackets"
    figures = [
        f"{item.title} ({item.repaired:,}{unit if item is types[0] else ''}, {100 * item.share:.0f} %)"
        for item in types
    ]
    return f"{parser} loses most brackets by {listing(figures)}{over}."

"""The rows of a question of *Hotspots* that cost a parser most, each with a short example."""

from __future__ import annotations

from typing import NamedTuple

from evaltools.drawing.measure import shorten
from evaltools.frameworks.groups import GroupBy, Part

__all__ = ["CostlyRow", "costliest_rows", "describe_rows"]

_MAX_CLEAR = 4
"""The example is the shortest of so many of the clearest sentences."""
_MAX_EXAMPLE = 110
"""Maximum length of an example."""


class CostlyRow(NamedTuple):
    """A row of the table of a question."""

    keys: tuple[str, ...]  # What identifies the row
    title: str
    cost: float
    share: float  # Of all errors
    figures: str  # Cost, share and number of sentences in words
    sentence: int  # The sentence of the example
    example: str  # An error in words; empty if it cannot be told


def costliest_rows(group: GroupBy, part: Part, parser: str, limit: int = 3) -> list[CostlyRow]:
    """Return the first informative rows of a parser, each with a short example."""
    options = group.options()
    costliest: list[CostlyRow] = []
    for _, row in group.rows(part, parser, options).iterrows():
        if len(costliest) == limit:
            break
        if group.uninformative(row, options):
            continue
        errors = group.errors(part, parser, options, {str(name): value for name, value in row.items()})
        clear = group.examples(part, parser, errors)[:_MAX_CLEAR]
        examples = group.pictured(part, parser, options, clear, errors)
        texts = [(len(examples[number].text), number) for number in clear if number in examples]
        sentence = min(texts)[1] if texts else clear[0]
        costliest.append(
            CostlyRow(
                tuple(str(row[key]) for key in group.keys),
                group.describe(row),
                float(row[group.main]),
                float(row["share"]),
                group.figures(row),
                sentence,
                shorten(examples[sentence].text, _MAX_EXAMPLE) if texts else "",
            )
        )
    return costliest


def describe_rows(rows: list[CostlyRow], group: GroupBy, parser: str, over: str = "") -> str:
    """Describe the costliest rows of a parser; `over`: the sentences, if not all."""
    if not rows:
        return f"{parser} has no errors{over}."
    share = sum(item.share for item in rows)
    which = f"these {len(rows)} {group.row_name}s" if len(rows) > 1 else f"one {group.row_name}"
    return f"{100 * share:.1f} % of the {group.whole} of {parser}{over} are at {which}."

"""The rows of a question of *Hotspots* that cost a parser most, each with a short example."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from evaltools.drawing.measure import shorten
from evaltools.frameworks.groups import GroupBy, Part, amount
from evaltools.frameworks.wording import listing

if TYPE_CHECKING:
    import pandas as pd

    from evaltools.drawing.blocks import Drawing

__all__ = ["CostlyRow", "costliest_rows", "describe_rows", "name_rows"]

_MAX_CLEAR = 4
"""The example is the shortest of so many of the clearest sentences."""
_MAX_EXAMPLE = 110
"""Maximum length of an example."""


class CostlyRow(NamedTuple):
    """A row of the table of a question."""

    keys: tuple[str, ...]  # What identifies the row
    title: str
    cost: float
    share: float  # Of all errors; NaN if unknown
    figures: str  # Cost, share and number of sentences in words
    sentence: int  # The sentence of the example
    example: str  # An error in words; empty if it cannot be told
    drawing: Drawing | None = None  # The same error as a small picture, if there is one


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
                float(row.get("share", float("nan"))),
                group.figures(row),
                sentence,
                shorten(examples[sentence].text if texts else _in_words(group, part, sentence, errors), _MAX_EXAMPLE),
                examples[sentence].drawing if texts else None,
            )
        )
    return costliest


def _in_words(group: GroupBy, part: Part, sentence: int, errors: pd.DataFrame) -> str:
    """Return the marked words of a sentence that has no picture."""
    return next(
        (
            " … ".join(" ".join(line.words[at] for at in run) for run in _neighbors(sorted(line.marked)))
            for line in group.lines(part, [sentence], errors)
        ),
        "",
    )


def _neighbors(positions: list[int]) -> list[list[int]]:
    """Split positions into runs of neighbors.

    Examples
    --------
    >>> _neighbors([2, 3, 7])
    [[2, 3], [7]]
    """
    runs: list[list[int]] = []
    for position in positions:
        if runs and position == runs[-1][-1] + 1:
            runs[-1].append(position)
        else:
            runs.append([position])
    return runs


def describe_rows(rows: list[CostlyRow], group: GroupBy, parser: str, over: str = "") -> str:
    """Describe the costliest rows of a parser; `over`: the sentences, if not all."""
    if not rows:
        return f"{parser} has no errors{over}."
    share = sum(item.share for item in rows)
    which = f"these {len(rows)} {group.row_name}s" if len(rows) > 1 else f"one {group.row_name}"
    if math.isnan(share):
        return f"{parser}{over} {group.verb} {group.unit} at {which}."
    return f"{100 * share:.1f} % of the {group.whole} of {parser}{over} are at {which}."


def name_rows(rows: list[CostlyRow], group: GroupBy, parser: str, over: str = "") -> str:
    """Name the costliest rows of a parser, each with its cost."""
    if not rows:
        return f"{parser} has no errors{over}."
    noun = group.unit.removesuffix("s") if rows[0].cost == 1 else group.unit
    figures = []
    for item in rows:
        share = "" if math.isnan(item.share) else f", {100 * item.share:.1f} %"
        figures.append(f"{item.title} ({amount(item.cost)}{f' {noun}' if item is rows[0] else ''}{share})")
    return f"{parser} {group.verb} {group.unit} at {_listing(figures)}{over}."


def _listing(figures: list[str]) -> str:
    """Join items that have commas."""
    return listing(figures) if len(figures) < 2 else f"{'; '.join(figures[:-1])}; and {figures[-1]}"

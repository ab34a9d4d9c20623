"""The rows of a question of *Hotspots* that cost a parser most, each with a short sentence as its example."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import pandas as pd

from evaltools.frameworks.hotspots import Hotspots
from evaltools.text import capitalized, number, percentage

if TYPE_CHECKING:
    from evaltools.drawing import Drawing

T = TypeVar("T", bound=Any)

MAX_NAMED = 3
"""Number of costliest rows that are named in a sentence."""
_MAX_WORDS = 24
"""Maximum number of words of an example; of a longer sentence those around the marked ones are kept."""


class CostlyRow(NamedTuple):
    """A row of the table of a question."""

    keys: tuple[str, ...]  # What identifies the row
    title: str
    part: str  # What its errors most often consist of; empty if that is unknown
    cost: float
    share: float  # Of all errors; NaN if unknown
    figures: str  # Cost and share in words, and the part
    sentence: int  # The sentence of the example
    words: tuple[str, ...]  # Its words, and positions of those that the error is about
    marked: frozenset[int]
    remark: str = ""  # The error in words; empty if it cannot be told
    drawing: Drawing | None = None  # The same error as a small picture, if there is one
    is_residual: bool = False  # Whether it has what no other row has, and says little


def leading_question(questions: Mapping[str, T]) -> T | None:
    """Return the question whose costliest rows *Overview* names, if there is one."""
    return next((question for question in questions.values() if question.leads), None)


def costliest_rows(table: Hotspots, limit: int = MAX_NAMED) -> list[CostlyRow]:
    """Return the first informative rows of a parser, and the uninformative one, each with a short example."""
    if table.rows.empty:
        return []
    is_residual = table.is_residual(table.rows)
    rows = pd.concat([table.rows[~is_residual].head(limit), table.rows[is_residual].head(1)])
    examples = list[CostlyRow]()
    for _, row in rows.iterrows():
        examples.append(_costly_row(table, row, {example.sentence for example in examples}))
    return examples


def _costly_row(table: Hotspots, row: pd.Series[Any], shown: Collection[int]) -> CostlyRow:
    """Return a row with its first example, if possible in a sentence that is not shown yet."""
    errors = table.errors({str(name): value for name, value in row.items()})
    parts = table.parts(errors)
    reason, part = table.uninformative(row), "" if parts.empty else str(parts["part"].iloc[0])
    if reason:
        part = ""
    elif part:
        errors = errors[errors["part"] == part]
    sentences = table.examples(errors)
    sentence = next((number for number in sentences if number not in shown), sentences[0])
    example = table.pictured([sentence], errors).get(sentence)
    line = table.lines([sentence], errors)[0]
    words, marked = _excerpt(line.words, line.marked)
    figures = [table.share_in_words(row), reason or (part and f"most often {part}")]
    return CostlyRow(
        tuple(str(row[key]) for key in table.keys),
        table.describe(row),
        part,
        float(row["cost"]),
        float(row.get("share", float("nan"))),
        "; ".join(filter(None, figures)),
        sentence,
        words,
        marked,
        line.remark if example is None else example.text,
        None if example is None else example.drawing,
        is_residual=bool(reason),
    )


def _excerpt(words: Sequence[str], marked: Collection[int]) -> tuple[tuple[str, ...], frozenset[int]]:
    """Return the words around the marked ones, with an ellipsis for what is left out, and the new positions of marks.

    Examples
    --------
    >>> words, marked = _excerpt([str(number) for number in range(100)], {70, 71})
    >>> " ".join(words), sorted(words[at] for at in marked)
    ('… 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80 81 …', ['70', '71'])
    """
    if len(words) <= _MAX_WORDS or not marked:
        return tuple(words), frozenset(marked)
    near = max(2, (_MAX_WORDS - 2 - len(marked)) // 2)
    kept = sorted({at for mark in marked for at in range(mark - near, mark + near + 1) if 0 <= at < len(words)})
    shown: list[str] = []
    positions: dict[int, int] = {}
    for before, at in zip([-1, *kept], kept, strict=False):
        shown += ["…"] if at > before + 1 else []
        positions[at] = len(shown)
        shown.append(words[at])
    shown += ["…"] if kept[-1] < len(words) - 1 else []
    return tuple(shown), frozenset(positions[mark] for mark in marked)


def name_rows(rows: Sequence[CostlyRow], table: Hotspots) -> str:
    """Name the costliest rows of a parser, each with its share; an uninformative one comes last."""
    if not rows:
        return table.unscored or f"{table.parser} has no errors."
    named = [*[row for row in rows if not row.is_residual][:MAX_NAMED], *(row for row in rows if row.is_residual)]
    costs = (number(row.cost) if math.isnan(row.share) else percentage(row.share) for row in named)
    shares = ", ".join(f"{cost} {row.title}" for cost, row in zip(costs, named, strict=True))
    question = table.question
    return f"{capitalized(question.kind.whole)} of {table.parser} by {question.row_name}: {shares}."

"""The scores of the two trees on one board, and how the last edit changed them."""

from __future__ import annotations

from evaltools.metrics import METRICS
from evaltools.metrics.mapping import Alignment
from evaltools.ui.lab.what_if import Choices
from evaltools.ui.plain import Block, scores
from evaltools.ui.wording import edits_phrase, three

__all__ = ["board", "lab_line"]


def _metrics(choices: Choices) -> list[tuple[str, str]]:
    """Return the metrics of the board with what they are called there."""
    part = choices.part
    rows = [
        (f"e_dice_{part}", "E Dice (F1)"),
        (f"e_recall_{part}", "E recall"),
        (f"e_precision_{part}", "E precision"),
        (f"e_jaccard_{part}", "E Jaccard"),
        (f"e_dice_{part}_unlabelled", "E Dice, labels ignored"),
        ("e_crossing", "crossing brackets"),
        ("t_dice", "T Dice"),
        ("t_jaccard", "T Jaccard"),
        ("la_strict", "LA, strict"),
        ("la_partial", "LA, partial credit"),
    ]
    return rows + ([("la_table", "LA, costs as set")] if choices.has_costs else [])


def board(alignment: Alignment, before: Alignment | None, choices: Choices) -> Block:
    """Return the board.

    Parameters
    ----------
    alignment : Alignment
        The two trees.
    before : Alignment or None
        The same before the last edit; None if there was none.
    choices : Choices
        What counts.
    """
    rows = []
    for metric, title in _metrics(choices):
        value = alignment.scores.get(metric)
        share = METRICS[metric].is_share
        shown = "–" if value is None else three(value) if share else f"{value:g}"
        old = None if before is None else before.scores.get(metric)
        change = ""
        if value is not None and old is not None and abs(value - old) > 5e-4:
            size = three(abs(value - old)) if share else f"{abs(value - old):g}"
            change = f"{'+' if value > old else '−'}{size}"
        rows.append((title, value if share else None, shown, change))
    return scores(rows)


def lab_line(alignment: Alignment, choices: Choices) -> str:
    """Say in one line how alike the trees are, and which metric is the mildest and which the most severe.

    Parameters
    ----------
    alignment : Alignment
        The two trees.
    choices : Choices
        What counts.
    """
    length = len(alignment.gold_words)
    whole = f"{length} word{'' if length == 1 else 's'}"
    if alignment.status == "missing" or not len(alignment.gold):
        return f"{whole}: nothing is left to score under this preset."
    if not alignment.t.steps and not alignment.e.steps and alignment.status == "ok":
        return f"{whole}: the two trees are equal, and every metric says so."
    named = {f"e_dice_{choices.part}": "E Dice", "t_dice": "T Dice", "la_partial": "LA"}
    found = {title: value for metric, title in named.items() if (value := alignment.scores.get(metric)) is not None}
    line = f"{whole}: " + ", ".join(f"{title} {three(value)}" for title, value in found.items())
    line += f"{edits_phrase(alignment)}."
    if len(found) > 1 and max(found.values()) - min(found.values()) > 0.0005:
        ordered = sorted(found, key=lambda title: found[title])
        line += f" {ordered[0]} is the most severe, {ordered[-1]} the mildest."
    return line

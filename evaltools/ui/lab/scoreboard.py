"""The scores of the two trees on one board, and how the last edit changed them."""

from __future__ import annotations

from evaltools.alignments.trees import Alignment
from evaltools.drawing.blocks import Block, scores
from evaltools.frameworks.constituency.wording import edits_phrase
from evaltools.frameworks.metric import Metric
from evaltools.frameworks.registry import framework_of_material
from evaltools.text import count_of, share_text
from evaltools.ui.lab.what_if import Choices

__all__ = ["board", "lab_line"]


_FRAMEWORK = framework_of_material("trees")


def _metrics(choices: Choices) -> list[Metric]:
    """Return the metrics of the board."""
    shown = [metric for metric in _FRAMEWORK.metrics if metric.in_lab and metric.part in ("", choices.part)]
    return [metric for metric in shown if choices.has_costs or not metric.needs_costs]


def board(alignment: Alignment, before: Alignment | None, choices: Choices) -> Block:
    """Return the board."""
    rows = []
    for metric in _metrics(choices):
        value = alignment.scores.get(metric.id)
        old = None if before is None else before.scores.get(metric.id)
        change = ""
        if value is not None and old is not None and abs(value - old) > 5e-4:
            change = f"{'+' if value > old else '−'}{metric.score_text(abs(value - old))}"
        rows.append((metric.title, value if metric.is_share else None, metric.score_text(value), change))
    return scores(rows)


def lab_line(alignment: Alignment, choices: Choices) -> str:
    """Say in one line how alike the trees are, and which metric is the mildest and which the most severe."""
    length = len(alignment.gold_words)
    whole = f"{count_of(length, 'word')}"
    if alignment.status == "missing" or not len(alignment.gold):
        return f"{whole}: this preset leaves nothing to score."
    if not alignment.t.steps and not alignment.e.steps and alignment.status == "ok":
        return f"{whole}: the two trees are equal by every metric."
    found = {
        metric.heading: value
        for metric in _FRAMEWORK.over_part(choices.part)
        if (value := alignment.scores.get(metric.id)) is not None
    }
    line = f"{whole}: " + ", ".join(f"{title} {share_text(value)}" for title, value in found.items())
    line += f"{edits_phrase(alignment)}."
    if len(found) > 1 and max(found.values()) - min(found.values()) > 0.0005:
        ordered = sorted(found, key=lambda title: found[title])
        line += f" Of these, {ordered[0]} is the most severe, {ordered[-1]} the mildest."
    return line

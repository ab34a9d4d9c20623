"""Two parsers under one metric, and how sure the difference is, as text or JSON."""

from __future__ import annotations

import json
from collections.abc import Callable

from evaltools.analysis.significance import Comparison
from evaltools.errors import printable
from evaltools.metrics import METRICS
from evaltools.reports.numbers import percent, plain
from evaltools.runs.store import Run

__all__ = ["COMPARISON_REPORTS"]


def as_json(run: Run, found: Comparison, iterations: int, seed: int) -> str:
    """Return both figures, ``difference``, ``p``, ``ci``, ``n``, and what they are about."""
    content = {
        "signature": run.signature,
        "metric": found.metric,
        "a": found.one,
        "b": found.other,
        "value_a": plain(found.value),
        "value_b": plain(found.other_value),
        "difference": plain(found.difference),
        "p": plain(found.p),
        "ci": [plain(found.low), plain(found.high)],
        "iterations": iterations,
        "seed": seed,
        "n": found.n_sentences,
        "n_different": found.n_different,
    }
    return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def as_text(run: Run, found: Comparison, iterations: int, seed: int) -> str:
    """Return the same in a few lines."""
    metric = METRICS[found.metric]

    def number(value: float) -> str:
        return percent(value) if metric.is_share else "–" if value != value else f"{value:.3f}"

    one, other = (printable(name) for name in (found.one, found.other))
    width = max(len(one), len(other))
    unit = ", per cent" if metric.is_share else ""
    p = "–" if found.p != found.p else f"{found.p:.4g}"
    sentences = f"{found.n_sentences:,} sentences that both score; they differ on {found.n_different:,} of them"
    return "\n".join(
        [
            f"{metric.title}, pooled{unit}, over the {sentences}",
            "",
            f"{one:{width}}  {number(found.value):>8}",
            f"{other:{width}}  {number(found.other_value):>8}",
            f"{'difference':{width}}  {number(found.difference):>8}   "
            f"95 % interval {number(found.low)} to {number(found.high)}   p = {p}",
            "",
            f"Paired shuffling, two-sided, {iterations:,} iterations; interval by paired resampling of the sentences; "
            f"seed {seed}",
            printable(run.signature),
            "",
        ]
    )


COMPARISON_REPORTS: dict[str, Callable[[Run, Comparison, int, int], str]] = {"text": as_text, "json": as_json}
"""The reports by the name of their format."""

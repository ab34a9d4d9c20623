"""From the counts of a run to findings: leaderboard, rankings, distributions."""

from __future__ import annotations

from evaltools.analysis.disagreement import worst_is_high
from evaltools.analysis.distribution import score_by_length, score_histogram
from evaltools.analysis.explain import Explanation, explain
from evaltools.analysis.leaderboard import leaderboard
from evaltools.analysis.rankings import (
    VARIANTS,
    Crossing,
    Variant,
    crossings,
    describe_crossing,
    figures_by_variant,
    rank_parsers,
    verdict,
)
from evaltools.frameworks.figures import FIGURES

__all__ = [
    "FIGURES",
    "VARIANTS",
    "Crossing",
    "Explanation",
    "Variant",
    "crossings",
    "describe_crossing",
    "explain",
    "figures_by_variant",
    "leaderboard",
    "rank_parsers",
    "score_by_length",
    "score_histogram",
    "verdict",
    "worst_is_high",
]

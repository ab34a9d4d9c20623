"""The rules of a preset, applied to a pair of treebanks."""

from evaltools.frameworks.constituency.rules.apply import (
    UNCOUNTED,
    Normalized,
    Pair,
    WordAlignment,
    normalize_gold,
    normalize_pair,
)

__all__ = ["UNCOUNTED", "Normalized", "Pair", "WordAlignment", "normalize_gold", "normalize_pair"]

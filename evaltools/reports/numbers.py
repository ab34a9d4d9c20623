"""Figures as reports write them."""

from __future__ import annotations

import math
from typing import Any

__all__ = ["percent", "plain", "three"]


def plain(value: Any) -> Any:
    """Return a value that JSON knows: None for what is undefined."""
    if hasattr(value, "item"):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value


def percent(value: float) -> str:
    """Return a share as a percentage with two decimals, a dash where it is undefined."""
    return "–" if math.isnan(value) else f"{100 * value:.2f}"


def three(value: float) -> str:
    """Return a score with three decimals, a dash where it is undefined."""
    return "–" if math.isnan(value) else f"{value:.3f}"

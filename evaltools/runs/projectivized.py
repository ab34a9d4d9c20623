"""How many trees of a run across frameworks were made projective, for the figures of TedEval 2011."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["Projectivized", "describe_projectivized"]

Projectivized = dict[str, dict[str, int]]
"""Under ``golds`` and ``parsers`` the number of changed trees of each theory and each parser."""


def describe_projectivized(meta: Mapping[str, Any]) -> str:
    """Return a sentence with the numbers of trees that were made projective.

    Parameters
    ----------
    meta : mapping
        The content of a run's ``meta.json``.

    Returns
    -------
    str
        Nothing for a run that says nothing about it: of another kind, or of version 0.2.0.

    Examples
    --------
    >>> describe_projectivized({"projectivized": {"golds": {"UD": 114}, "parsers": {"a": 3, "b": 0}}})
    'Projectivized for TedEval 2011: 114 gold trees (UD), 3 trees of parser a.'
    >>> describe_projectivized({"projectivized": None})
    'Not projectivized: TedEval 2011 is undefined for sentences with a non-projective tree.'
    """
    if "projectivized" not in meta:
        return ""
    numbers: Projectivized | None = meta["projectivized"]
    if numbers is None:
        return "Not projectivized: TedEval 2011 is undefined for sentences with a non-projective tree."
    changed = [f"{_count(n, 'gold tree')} ({theory})" for theory, n in numbers["golds"].items() if n]
    changed += [f"{_count(n, 'tree')} of parser {name}" for name, n in numbers["parsers"].items() if n]
    return f"Projectivized for TedEval 2011: {', '.join(changed) or 'no tree; all are projective'}."


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"

"""What is listed of the problems of one file: the first of each kind, and numbers of the others."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from evaltools.errors import InputError, Problem

__all__ = ["MAX_LISTED", "ProblemLog", "n_more"]

MAX_LISTED = 100
"""Maximum number of problems of one kind that are listed of a file of trees."""
_MIN_ITEMS = 10_000
_MORE = re.compile(r"([\d,]+) more problems of this kind")


def n_more(found: str) -> int:
    """Return the number of problems that are not listed, if this is what a problem says.

    Examples
    --------
    >>> n_more("1,050 more problems of this kind"), n_more("text outside any bracket: 'a'")
    (1050, 0)
    """
    match = _MORE.fullmatch(found)
    return 0 if match is None else int(match[1].replace(",", ""))


@dataclass(slots=True)
class ProblemLog:
    """The numbers of problems of one file of trees, by kind, and what is said once a file."""

    listed: Counter[str] = field(default_factory=Counter)
    more: Counter[str] = field(default_factory=Counter)
    has_trees: bool = False
    unfinished: Problem | None = None  # Of what is still open where the part that was read last ends
    _once: dict[str, tuple[Problem, int]] = field(default_factory=dict)

    def room(self, kind: str, n: int) -> int:
        """Return how many of the next `n` problems of a kind are listed; the others are counted."""
        n_listed = min(n, MAX_LISTED - self.listed[kind])
        self.listed[kind] += n_listed
        self.more[kind] += n - n_listed
        return n_listed

    def first(self, problems: Iterable[Problem]) -> list[Problem]:
        """Return the problems that are listed."""
        return [problem for problem in problems if self.room(problem.kind, 1)]

    def count(self, problem: Problem, n: int) -> None:
        """Count `n` cases of a problem that is listed once, at the first of them."""
        first, before = self._once.get(problem.kind, (problem, 0))
        self._once[problem.kind] = first, before + n

    def check(self, n_items: int, name: str, title: str) -> None:
        """Raise InputError if many items have been read and none is a tree."""
        n_problems = self.listed.total() + self.more.total()
        if self.has_trees or not n_problems or max(n_items, n_problems) < _MIN_ITEMS:
            return
        found = f"no tree among the first {_MIN_ITEMS:,} sentences"
        raise InputError(Problem("format", name, None, None, found, f"{title}, or another --format"))

    def rest(self, name: str) -> list[Problem]:
        """Return, once, the problems that are listed once a file, and the numbers of those that are not listed."""
        problems = [
            replace(problem, found=problem.found.replace("{n}", f"{n:,}", 1)) for problem, n in self._once.values()
        ]
        problems += [
            Problem(kind, name, None, None, f"{n:,} more problems of this kind", "none")
            for kind, n in self.more.items()
            if n
        ]
        if self.unfinished is not None:
            problems.append(self.unfinished)
        self._once.clear()
        self.more.clear()
        self.unfinished = None
        return problems

"""Exercises that come with the package, to be solved alone in the metric lab."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources

import msgspec

from evaltools.classroom.exercises import Item, item_of
from evaltools.corpus import Kind, Tree

__all__ = ["Practice", "practices"]


@dataclass(frozen=True, slots=True)
class Practice:
    """One exercise."""

    id: str  # Its name in links
    title: str
    task: str
    note: str  # What to look at in the solution
    item: Item

    @property
    def labels(self) -> tuple[str, ...]:
        """Labels of the phrases of the gold tree, in alphabetical order."""
        tree = self.item.gold_tree
        phrases = (label for label, kind in zip(tree.labels, tree.kinds, strict=True) if kind is Kind.PHRASE)
        return tuple(sorted(set(phrases)))


class _Entry(msgspec.Struct, forbid_unknown_fields=True):
    id: str
    title: str
    task: str
    gold: str
    note: str
    start: str = ""


class _File(msgspec.Struct, forbid_unknown_fields=True):
    exercise: list[_Entry]


@cache
def practices() -> dict[str, Practice]:
    """Return all exercises by id, the easy ones first.

    Examples
    --------
    >>> first = next(iter(practices().values()))
    >>> first.id, first.item.is_drawn, first.labels
    ('draw-train', True, ('NP', 'S', 'VP'))
    """
    text = resources.files(__package__).joinpath("practice.toml").read_bytes()
    return {entry.id: _practice(entry) for entry in msgspec.toml.decode(text, type=_File).exercise}


def _practice(entry: _Entry) -> Practice:
    start = Tree.from_string(entry.start) if entry.start else None
    item = item_of(entry.id, Tree.from_string(entry.gold), start)
    return Practice(entry.id, entry.title, entry.task, entry.note, item)

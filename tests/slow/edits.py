"""The repairs of a pair of treebanks or trees as the kernel takes them, step by step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np
import pandas as pd
from msgspec.structs import replace

from evaltools.corpus import Span, Tree, Treebank, Vocabulary
from evaltools.frameworks.constituency.error_types import RuleSet, TypedStep, bundled_rules, typed_steps
from evaltools.frameworks.constituency.errors import STEP_ROW, step_rows
from evaltools.frameworks.constituency.normalization import Pair, TreeComparison, normalize_pair
from evaltools.frameworks.constituency.repair import (
    OPERATIONS,
    Operation,
    RepairCounts,
    Steps,
    trees_between,
)
from evaltools.frameworks.presets import Preset, load_preset
from tests.slow.repair import Bracket, Part, RepairStep


def error_rows(pair: Pair, preset: Preset) -> pd.DataFrame:
    """Return a row a step of the repairs of a pair, sentences counted from 0."""
    repairs = RepairCounts(TreeComparison.of(pair, preset))
    repairs.run(0, len(pair.status))
    return pd.DataFrame(list(step_rows(pair, repairs.steps(), bundled_rules())), columns=list(STEP_ROW))


def steps_of(gold: Tree, test: Tree, preset: str | Preset = "none") -> Steps:
    """Return the steps of the repair of a tree."""
    vocabulary, rules = Vocabulary(), load_preset(preset)
    sides = [Treebank.from_trees([tree], vocabulary) for tree in (gold, test)]
    repairs = RepairCounts(TreeComparison.of(normalize_pair(sides[0], sides[1], rules), rules))
    repairs.run(0, 1)
    return repairs.steps()


def repair(gold: Tree, test: Tree) -> list[RepairStep]:
    """Return the steps of the repair of a tree, with the trees after them."""
    steps = steps_of(gold, test)
    _, (_, *trees) = trees_between(gold, test, steps.edits)
    return [replace(step, tree=tree) for step, tree in zip(named(steps), trees, strict=True)]


def error_steps(gold: Tree, test: Tree, rules: RuleSet | None = None, preset: str | Preset = "none") -> list[TypedStep]:
    """Return the steps of the repair of a tree with their types."""
    return list(typed_steps(steps_of(gold, test, preset), rules or bundled_rules(), lambda _: gold.words))


def named(steps: Steps) -> Iterator[RepairStep]:
    """Yield steps with names for numbers, without the trees after them."""
    parts = iter(steps.parts.tolist())

    def label(number: int) -> str | None:
        return None if number < 0 else steps.names[number]

    def bracket(number: int, start: int, end: int) -> Bracket:
        return Bracket(label(number) or "", Span(start, end))

    for sentence, row in zip(steps.sentences.tolist(), steps.rows.tolist(), strict=True):
        moved, children, siblings = (
            tuple(
                Part(steps.names[number], Span(start, end), word == 1) for number, start, end, word in islice(parts, n)
            )
            for n in row[13:16]
        )
        yield RepairStep(
            OPERATIONS[row[0]],
            row[1],
            bracket(*row[2:5]),
            new_label=label(row[5]),
            target=bracket(*row[6:9]) if OPERATIONS[row[0]] is Operation.MOVE else None,
            moved=moved,
            added=bracket(*row[9:12]) if row[11] >= 0 else None,
            parent=label(row[12]),
            children=children,
            siblings=siblings,
            same_words=label(row[16]),
            order=steps.orders.get(sentence),
        )


def numbered(steps: Sequence[RepairStep]) -> Steps:
    """Return steps with numbers for names: removals of brackets."""
    names: dict[str, int] = {}

    def name(label: str | None) -> int:
        return -1 if label is None else names.setdefault(label, len(names))

    rows = [
        (OPERATIONS.index(step.operation), step.repaired, name(step.bracket.label), *step.bracket.span,
         *[-1] * 7, name(step.parent), 0, len(step.children), len(step.siblings), -1)
        for step in steps
    ]  # fmt: skip
    parts = [
        (name(part.label), *part.span, int(part.is_word)) for step in steps for part in step.children + step.siblings
    ]
    none = np.zeros(len(steps), dtype=np.int64)
    return Steps(none, np.zeros((len(steps), 8), dtype=np.int64), np.array(rows), np.array(parts), list(names), {})

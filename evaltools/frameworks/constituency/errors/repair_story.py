"""The repair of one sentence step by step: a description of each step, and the nodes of the two trees to mark."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from evaltools.corpus import Kind, Span, Tree
from evaltools.frameworks.common.lineages import NO_CLASSES
from evaltools.frameworks.constituency.errors.error_types import RuleSet, TypedStep, error_steps
from evaltools.frameworks.constituency.repair import (
    Bracket,
    Key,
    Operation,
    Part,
    RepairTooLong,
    errors,
    phrase_brackets,
    words_in,
)
from evaltools.frameworks.constituency.rules.common_order import OrderedTrees, in_common_order

__all__ = ["RepairStory", "StoryStep", "repair_story"]

_MAX_LISTED = 4
"""Longer lists of children are left out."""


@dataclass(frozen=True, slots=True)
class StoryStep:
    """One step of a repair, in words."""

    type: str  # Title of the error type
    operation: Operation
    text: str  # The step in words
    repaired: int  # Number of errors that the step removes
    left: int  # Number of errors after it
    removed: tuple[Bracket, ...]  # Brackets that the step removes and adds
    added: tuple[Bracket, ...]
    detail: str  # These in words
    gold: tuple[int, ...]  # Nodes to mark: added ones and those that move
    test: tuple[int, ...]  # Nodes to mark: removed ones and those that move
    words: tuple[int, ...]  # Positions of the words that move, or of those in the bracket


@dataclass(frozen=True, slots=True)
class RepairStory:
    """All steps from the test tree to the gold tree."""

    extra: int  # Brackets of the test tree that the gold tree does not have
    missing: int  # Brackets of the gold tree that the test tree does not have
    steps: tuple[StoryStep, ...]  # Their `repaired` add up to `extra` and `missing`

    @property
    def by_type(self) -> dict[str, tuple[int, int]]:
        """Steps and brackets repaired of each error type, that with most brackets first."""
        steps, repaired = Counter[str](), Counter[str]()
        for step in self.steps:
            steps[step.type] += 1
            repaired[step.type] += step.repaired
        return {name: (steps[name], number) for name, number in repaired.most_common()}


def repair_story(
    gold: Tree, test: Tree, rules: RuleSet | None = None, classes: Mapping[str, str] = NO_CLASSES
) -> RepairStory | None:
    """Describe the repair of a test tree; None if no order of words makes both trees continuous, or it takes too long.

    `classes` has the class of each label that is equal to another one.

    Examples
    --------
    >>> gold = Tree.from_string("(VP (V ate) (NP (NP (N pasta)) (PP (I with) (NP (N cheese)))))")
    >>> test = Tree.from_string("(VP (V ate) (NP (N pasta)) (PP (I with) (NP (N cheese))))")
    >>> story = repair_story(gold, test)
    >>> [(step.type, step.text, step.left) for step in story.steps]
    [('PP attachment', 'NP “pasta with cheese” is added in VP, around NP “pasta” and PP “with cheese”', 0)]
    """
    trees = in_common_order(gold, test)
    if trees is None:
        return None
    extra, missing = (sum(side.values()) for side in errors(trees.gold, trees.test, classes))
    left = extra + missing
    before, steps = trees.test, []
    try:
        typed_steps = error_steps(trees.gold, trees.test, rules, classes)
    except RepairTooLong:
        return None
    for typed in typed_steps:
        left -= typed.step.repaired
        steps.append(_story_step(typed, trees, before, left, classes))
        before = typed.step.tree
    return RepairStory(extra, missing, tuple(steps))


def _story_step(
    typed: TypedStep, trees: OrderedTrees, before: Tree, left: int, classes: Mapping[str, str]
) -> StoryStep:
    step = typed.step
    words = trees.gold.words
    brackets_before, brackets_after = phrase_brackets(before), phrase_brackets(step.tree)
    removed, added = brackets_before - brackets_after, brackets_after - brackets_before
    listed = _in_order(removed), _in_order(added)
    spans = [part.span for part in step.moved] or [step.bracket.span]
    return StoryStep(
        typed.type.title,
        step.operation,
        f"{typed.does(words)}{_context(typed, words)}",
        step.repaired,
        left,
        *listed,
        "; ".join(
            f"{verb} {', '.join(typed.named(bracket, words) for bracket in brackets)}"
            for verb, brackets in zip(("removes", "adds"), listed, strict=True)
            if brackets
        ),
        tuple(sorted(trees.gold_nodes[node] for node in _nodes(trees.gold, added, step.moved, classes))),
        tuple(sorted(trees.test_nodes[node] for node in _nodes(trees.test, removed, step.moved, classes))),
        tuple(sorted({word for span in spans for word in words_in(span, step.order)})),
    )


def _in_order(keys: Counter[Key]) -> tuple[Bracket, ...]:
    in_order = sorted(keys.elements(), key=lambda key: (key[1], -key[2], key[0]))
    return tuple(Bracket(label, Span(start, end)) for label, start, end in in_order)


def _nodes(tree: Tree, brackets: Counter[Key], moved: Iterable[Part], classes: Mapping[str, str]) -> tuple[int, ...]:
    """Return the phrases with some brackets, and the nodes that move, as far as the tree has them."""
    keys = [*brackets.elements(), *((part.label, *part.span) for part in moved if not part.is_word)]
    left = Counter((classes.get(label, label), start, end) for label, start, end in keys)
    words = {part.span.start for part in moved if part.is_word}
    nodes = []
    for node, kind in enumerate(tree.kinds):
        if kind is Kind.PHRASE:
            key = (classes.get(tree.labels[node], tree.labels[node]), *tree.span(node))
            if left[key] > 0:
                left[key] -= 1
                nodes.append(node)
        elif tree.starts[node] in words and (tree.parents[node] < 0 or tree.kinds[tree.parents[node]] is Kind.PHRASE):
            nodes.append(node)
    return tuple(nodes)


def _context(typed: TypedStep, words: tuple[str, ...]) -> str:
    """Return the parent of an added or removed bracket, and its children if there are a few and not only words."""
    step = typed.step
    if step.operation not in (Operation.ADD, Operation.REMOVE):
        return ""
    within = f" in {step.parent}" if step.parent else ""
    children = [part for part in step.children if part.span != step.bracket.span]
    if not 1 < len(children) <= _MAX_LISTED or all(part.is_word for part in children):
        return within
    *names, last = (typed.named(part, words) for part in children)
    listed = f"{', '.join(names)} and {last}"
    if step.operation is Operation.ADD:
        return f"{within}, around {listed}"
    return f"{within}: {listed} become siblings"

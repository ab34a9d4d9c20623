"""The repair of one sentence told step by step: what each step does, and which nodes of the two trees it is about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from evaltools.analysis.error_types import RuleSet, TypedStep, error_steps
from evaltools.analysis.repair import Bracket, Operation, Part, errors
from evaltools.analysis.repair.steps import Key
from evaltools.treebank import Kind, Span, Tree

__all__ = ["RepairStory", "ToldStep", "repair_story"]

_LISTED = 4
"""More children than this are not named one by one."""


@dataclass(frozen=True, slots=True)
class ToldStep:
    """A step of the repair as it is told.

    Parameters
    ----------
    type : str
        Title of the error type.
    operation : Operation
        What is done.
    text : str
        The step in words: what moves, from where to where; what is added, removed or gets another label.
    repaired : int
        By how many brackets the errors become fewer.
    left : int
        How many wrong brackets there are after it.
    gone, come : tuple of Bracket
        Brackets that the step takes away, and those it brings about.
    gold, test : tuple of int
        Nodes to mark: those of the gold tree that the step brings about, those of the test tree that it takes away; in
        both, what moves.
    words : tuple of int
        Positions of the words that move, or of those in the bracket.
    """

    type: str
    operation: Operation
    text: str
    repaired: int
    left: int
    gone: tuple[Bracket, ...]
    come: tuple[Bracket, ...]
    gold: tuple[int, ...]
    test: tuple[int, ...]
    words: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RepairStory:
    """All steps from the test tree to the gold tree.

    Parameters
    ----------
    extra, missing : int
        Brackets of the test tree that the gold tree does not have, and the other way round; the brackets repaired by
        the steps add up to both.
    steps : tuple of ToldStep
        In the order taken.
    words : tuple of str
        The words of the gold tree.
    """

    extra: int
    missing: int
    steps: tuple[ToldStep, ...]
    words: tuple[str, ...]

    @property
    def by_type(self) -> dict[str, tuple[int, int]]:
        """Steps and brackets repaired of each error type, the one with most brackets first."""
        steps, repaired = Counter[str](), Counter[str]()
        for step in self.steps:
            steps[step.type] += 1
            repaired[step.type] += step.repaired
        return {name: (steps[name], number) for name, number in repaired.most_common()}


def repair_story(gold: Tree, test: Tree, rules: RuleSet | None = None) -> RepairStory:
    """Tell the repair of a test tree.

    Parameters
    ----------
    gold, test : Tree
        Normalised trees of one sentence, over the same number of words.
    rules : RuleSet, optional
        The error types; those of the Penn Treebank if not given.

    Examples
    --------
    >>> gold = Tree.from_string("(VP (V ate) (NP (NP (N pasta)) (PP (I with) (NP (N cheese)))))")
    >>> test = Tree.from_string("(VP (V ate) (NP (N pasta)) (PP (I with) (NP (N cheese))))")
    >>> story = repair_story(gold, test)
    >>> [(step.type, step.text, step.left) for step in story.steps]
    [('PP attachment', 'NP “pasta with cheese” is added in VP, around NP “pasta” and PP “with cheese”', 0)]
    """
    extra, missing = (sum(side.values()) for side in errors(gold, test))
    left = extra + missing
    before, told = test, []
    for one in error_steps(gold, test, rules):
        left -= one.step.repaired
        told.append(_told(one, gold, test, before, left))
        before = one.step.tree
    return RepairStory(extra, missing, tuple(told), gold.words)


def _told(one: TypedStep, gold: Tree, test: Tree, before: Tree, left: int) -> ToldStep:
    step = one.step
    was, became = _brackets(before), _brackets(step.tree)
    gone, come = was - became, became - was
    about = [part.span for part in step.moved] or [step.bracket.span]
    return ToldStep(
        one.type.title,
        step.operation,
        f"{one.does(gold.words)}{_around(one, gold.words)}",
        step.repaired,
        left,
        _listed(gone),
        _listed(come),
        _nodes(gold, come, step.moved),
        _nodes(test, gone, step.moved),
        tuple(sorted({word for span in about for word in range(*span)})),
    )


def _brackets(tree: Tree) -> Counter[Key]:
    phrases = (node for node, kind in enumerate(tree.kinds) if kind is Kind.PHRASE)
    return Counter((tree.labels[node], *tree.span(node)) for node in phrases)


def _listed(keys: Counter[Key]) -> tuple[Bracket, ...]:
    in_order = sorted(keys.elements(), key=lambda key: (key[1], -key[2], key[0]))
    return tuple(Bracket(label, Span(start, end)) for label, start, end in in_order)


def _nodes(tree: Tree, wanted: Counter[Key], moved: Iterable[Part]) -> tuple[int, ...]:
    """Return the phrases of some brackets, and the nodes of what moves; a tree in between may have others."""
    left = Counter(wanted)
    left.update((part.label, *part.span) for part in moved if not part.is_word)
    words = {part.span.start for part in moved if part.is_word}
    found = []
    for node, kind in enumerate(tree.kinds):
        if kind is Kind.PHRASE:
            key = (tree.labels[node], *tree.span(node))
            if left[key] > 0:
                left[key] -= 1
                found.append(node)
        elif tree.starts[node] in words and (tree.parents[node] < 0 or not _is_leaf(tree, tree.parents[node])):
            found.append(node)
    return tuple(found)


def _is_leaf(tree: Tree, node: int) -> bool:
    return tree.kinds[node] is not Kind.PHRASE


def _around(one: TypedStep, words: tuple[str, ...]) -> str:
    """Say where an added or removed bracket stands, and what is in it, where that is more than words."""
    step = one.step
    if step.operation not in (Operation.ADD, Operation.REMOVE):
        return ""
    within = f" in {step.parent}" if step.parent else ""
    inside = [part for part in step.children if part.span != step.bracket.span]
    if not 1 < len(inside) <= _LISTED or all(part.is_word for part in inside):
        return within
    named = [one.named(part, words) for part in inside]
    listed = f"{', '.join(named[:-1])} and {named[-1]}"
    if step.operation is Operation.ADD:
        return f"{within}, around {listed}"
    return f"{within}: {listed} stand by themselves"

"""Types of parser errors: the kind of mistake that each step of the repair of a tree corrects.

The types and their rules are in a TOML file, because they name the labels of a treebank; rules for the Penn Treebank
come with the program. :func:`read_rules` reads others; the bundled file explains how to write them. The type of a step
is that of the first rule that matches.

References
----------
J. K. Kummerfeld, D. Hall, J. R. Curran and D. Klein (2012). Parser showdown at the Wall Street Corral: an empirical
investigation of error types in parser output. EMNLP-CoNLL 2012.

Notes
-----
The bundled rules ``ptb`` make the decisions of the program that the authors published, in its order; ``ptb-wide``
counts more labels. The program searches for NP in the label of a parent, and for ADVP and ADJP in that of a
bracket, and so treats WHNP, WHADVP and WHADJP like them; so do the rules. Difference from the program, apart from those
of :mod:`evaltools.frameworks.constituency.repair`: a CC to the right of an added bracket counts, too; the program's
last version looks for it at removed brackets only.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from itertools import islice
from pathlib import Path
from typing import Annotated

import numpy as np
from msgspec import Meta, Struct
from numpy.typing import NDArray

from evaltools.corpus import Tree
from evaltools.corpus.stretches import with_gaps
from evaltools.errors import InputError, ParameterError, Problem
from evaltools.formats.toml_files import Key, TomlFile
from evaltools.frameworks.common.lineages import NO_CLASSES
from evaltools.frameworks.constituency.aligned_trees import Edits, Operation
from evaltools.frameworks.constituency.repair import OPERATIONS, Around, Bracket, Part, RepairStep, repair, words_in
from evaltools.frameworks.controls import Choice

_MAX_CHILDREN = 3
"""Of more children of a bracket, the first and the last are named."""


class Rule(Struct, frozen=True, forbid_unknown_fields=True):
    """Conditions that must all hold; None for no condition."""

    operations: frozenset[Operation] | None = None
    label: frozenset[str] | None = None
    target: frozenset[str] | None = None
    parent: frozenset[str] | None = None
    moved: frozenset[str] | None = None
    all_moved: frozenset[str] | None = None
    near: frozenset[str] | None = None
    right_sibling: frozenset[str] | None = None
    children: frozenset[str] | None = None
    later_children: frozenset[str] | None = None
    all_children: frozenset[str] | None = None
    adjoined: frozenset[str] | None = None
    words: int | None = None  # Number of words of the bracket
    over_word: bool | None = None
    all_words: bool | None = None
    all_same: bool | None = None
    one_child: bool | None = None
    only_child: bool | None = None
    child_label: bool | None = None
    parent_label: bool | None = None
    unary: bool | None = None
    same_label: bool | None = None

    def fits(self, steps: StepColumns) -> NDArray[np.bool_]:
        """Return for which steps all conditions hold."""
        own, children, moved, siblings, is_in = steps.label, steps.seen, steps.moved, steps.siblings, steps.is_in
        some, one = children.number > 0, children.number == 1
        fits: NDArray[np.bool_] = (
            np.isin(steps.operation, [OPERATIONS.index(operation) for operation in self.operations or Operation])
            & (self.label is None or is_in(self.label)[own] | is_in(self.label)[steps.new_label])
            & (self.target is None or is_in(self.target)[steps.target])
            & (self.parent is None or is_in(self.parent)[steps.parent])
            & (self.moved is None or moved.count(is_in(self.moved)) > 0)
            & (self.all_moved is None or (moved.number > 0) & (moved.count(is_in(self.all_moved)) == moved.number))
            & (self.near is None or steps.is_near(self.near))
            & (self.right_sibling is None or is_in(self.right_sibling)[steps.right_sibling])
            & (self.children is None or children.count(is_in(self.children)) > 0)
            & (self.later_children is None or children.count(is_in(self.later_children), later=True) > 0)
            & (self.all_children is None or some & (children.count(is_in(self.all_children)) == children.number))
            & (self.adjoined is None or steps.is_adjunction(self.adjoined))
            & (self.words is None or steps.n_words == self.words)
            & (self.over_word is None or (one & (children.n_words == 1)) == self.over_word)
            & (self.all_words is None or (some & (children.n_words == children.number)) == self.all_words)
            & (self.all_same is None or (some & (children.count_label(own) == children.number)) == self.all_same)
            & (self.one_child is None or one == self.one_child)
            & (self.only_child is None or ((siblings.number == 0) & ~steps.is_move) == self.only_child)
            & (self.child_label is None or (one & (children.first == own)) == self.child_label)
            & (self.parent_label is None or (steps.parent == own) == self.parent_label)
            & (self.unary is None or ((steps.below >= 0) | (steps.above >= 0)) == self.unary)
            & (self.same_label is None or ((steps.below == own) | (steps.above == own)) == self.same_label)
        )
        return fits


@dataclass(frozen=True, eq=False)
class _Nodes:
    """Nodes of steps: those of a step are neighbors in `labels`."""

    labels: NDArray[np.int64]  # Of all nodes
    are_words: NDArray[np.bool_]
    number: NDArray[np.int64]  # By step

    def count(self, is_in: NDArray[np.bool_], *, later: bool = False) -> NDArray[np.int64]:
        """Return how many nodes of each step, or of those behind the first one, have one of some labels."""
        counts = self._sums(is_in[self.labels])
        if later:
            counts -= is_in[self.first]
        return counts

    def count_label(self, label: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return how many nodes of each step have its label."""
        return self._sums(self.labels == np.repeat(label, self.number))

    @property
    def n_words(self) -> NDArray[np.int64]:
        """How many nodes of each step are words."""
        return self._sums(self.are_words)

    @property
    def ends(self) -> NDArray[np.int64]:
        """Where the nodes of each step end."""
        return np.cumsum(self.number)

    @property
    def first(self) -> NDArray[np.int64]:
        """The label of the first node of each step, -1 for none."""
        return self._labels_at(self.ends - self.number)

    @property
    def last(self) -> NDArray[np.int64]:
        """The label of the last node of each step, -1 for none."""
        return self._labels_at(self.ends - 1)

    def _labels_at(self, at: NDArray[np.int64]) -> NDArray[np.int64]:
        labels: NDArray[np.int64] = np.append(self.labels, -1)[np.where(self.number > 0, at, -1)]
        return labels

    def _sums(self, values: NDArray[np.bool_]) -> NDArray[np.int64]:
        before = np.append(0, np.cumsum(values))
        sums: NDArray[np.int64] = before[self.ends] - before[self.ends - self.number]
        return sums


@dataclass(frozen=True, eq=False)
class StepColumns:
    """Steps of repairs as columns, labels as numbers; -1 stands for none."""

    numbers: Mapping[str, int]  # Of the labels
    operation: NDArray[np.int64]
    label: NDArray[np.int64]
    new_label: NDArray[np.int64]
    target: NDArray[np.int64]
    parent: NDArray[np.int64]
    n_words: NDArray[np.int64]
    right_sibling: NDArray[np.int64]  # The next node to the right of the bracket
    moved: _Nodes
    children: _Nodes
    siblings: _Nodes
    seen: _Nodes  # The children, or of an added bracket the outermost of those over the same words

    @classmethod
    def of(cls, around: Around) -> StepColumns:
        """Return the columns of steps; labels and words that are spelled alike have one number."""
        numbers: dict[str, int] = {}
        spelled = np.array([*(numbers.setdefault(name, len(numbers)) for name in around.names), -1], dtype=np.int64)
        steps, parts = around.steps, around.parts
        kind = np.repeat(np.tile(np.arange(3), len(steps)), steps[:, 13:16].ravel())

        def nodes(number: int) -> _Nodes:
            own = parts[kind == number]
            return _Nodes(spelled[own[:, 0]], own[:, 3] == 1, steps[:, 13 + number])

        operation, siblings, children = steps[:, 0], nodes(2), nodes(1)
        right = parts[kind == 2][:, 1] >= np.repeat(steps[:, 4], siblings.number)
        right &= np.repeat(operation != OPERATIONS.index(Operation.MOVE), siblings.number)
        at = np.flatnonzero(right)
        step, first = np.unique(np.repeat(np.arange(len(steps)), siblings.number)[at], return_index=True)
        right_sibling = np.full(len(steps), -1, dtype=np.int64)
        right_sibling[step] = siblings.labels[at[first]]

        same_words = spelled[steps[:, 16]]
        is_kept = np.repeat(same_words < 0, children.number)
        n_seen = np.where(same_words < 0, children.number, 1)
        is_other = np.repeat(same_words >= 0, n_seen)
        labels, words = np.full(len(is_other), -1, dtype=np.int64), np.zeros(len(is_other), dtype=np.bool_)
        labels[~is_other], words[~is_other] = children.labels[is_kept], children.are_words[is_kept]
        labels[is_other] = same_words[same_words >= 0]
        label, new_label, target, parent = (spelled[steps[:, column]] for column in (2, 5, 6, 12))
        return cls(
            numbers,
            operation,
            label,
            new_label,
            target,
            parent,
            steps[:, 4] - steps[:, 3],
            right_sibling,
            nodes(0),
            children,
            siblings,
            _Nodes(labels, words, n_seen),
        )

    def is_in(self, labels: Collection[str]) -> NDArray[np.bool_]:
        """Return for each number of a label whether it is one of some labels; the last one, -1, is not."""
        result = np.zeros(len(self.numbers) + 1, dtype=np.bool_)
        result[[self.numbers[label] for label in labels if label in self.numbers]] = True
        return result

    def is_near(self, labels: Collection[str]) -> NDArray[np.bool_]:
        """Return where a sibling, or the first or the last node that moves, has one of some labels."""
        is_in = self.is_in(labels)
        near: NDArray[np.bool_] = (self.siblings.count(is_in) > 0) | is_in[self.moved.first] | is_in[self.moved.last]
        return near

    def is_adjunction(self, labels: Collection[str]) -> NDArray[np.bool_]:
        """Return where a child has the bracket's own label, and another one has one of some labels."""
        is_in = self.is_in(labels)
        others = self.seen.count(is_in) - is_in[self.label]
        adjunctions: NDArray[np.bool_] = (self.seen.count_label(self.label) > 0) & (others > 0)
        return adjunctions

    @property
    def is_move(self) -> NDArray[np.bool_]:
        """Which steps are moves."""
        moves: NDArray[np.bool_] = self.operation == OPERATIONS.index(Operation.MOVE)
        return moves

    @property
    def below(self) -> NDArray[np.int64]:
        """The label of the only child where it is a bracket, which is over the same words."""
        return np.where((self.children.number == 1) & (self.children.n_words == 0), self.children.first, -1)

    @property
    def above(self) -> NDArray[np.int64]:
        """The label of the parent where it is over the same words."""
        return np.where(self.siblings.number == 0, self.parent, -1)


def _near(step: RepairStep) -> Iterator[Part]:
    """Yield the siblings of the bracket or of the nodes that move, and the first and the last node that move."""
    yield from step.siblings
    yield from step.moved[:1]
    yield from step.moved[-1:]


@dataclass(frozen=True)
class ErrorType:
    """A type of error."""

    id: str  # Name in rule files
    title: str  # Name in tables

    @cached_property
    def is_attachment(self) -> bool:
        """Whether the title says that something is attached elsewhere."""
        return "attachment" in self.title.lower()


OTHER = ErrorType("other", "unclassified")
"""The type of steps that no rule matches."""


@dataclass(frozen=True)
class RuleSet:
    """The error types of a treebank, and the rules in the order in which they are tried."""

    name: str
    types: tuple[ErrorType, ...]  # The types, without OTHER
    rules: tuple[tuple[Rule, ErrorType], ...]  # Each with the type of the steps that it matches

    def typed(self, around: Around, steps: Iterable[RepairStep] | None = None) -> Iterator[TypedStep]:
        """Yield steps with their types, the rules that give these, and what is attached elsewhere.

        The `steps` are made of what is around them if they are not given.
        """
        kinds = (*self.rules, (None, OTHER))
        chosen = self.choose(StepColumns.of(around)).tolist()
        for step, at in zip(around.named() if steps is None else steps, chosen, strict=True):
            yield _typed(step, *kinds[at])

    def choose(self, steps: StepColumns) -> NDArray[np.int64]:
        """Return the index of the first rule that matches each step, -1 if none does."""
        chosen = np.full(len(steps.operation), -1, dtype=np.int64)
        for index, (rule, _) in reversed([*enumerate(self.rules)]):
            chosen[rule.fits(steps)] = index
        return chosen

    def titles(self, steps: StepColumns) -> NDArray[np.object_]:
        """Return the title of the type of each step."""
        titles = np.array([*(kind.title for _, kind in self.rules), OTHER.title], dtype=object)
        chosen: NDArray[np.object_] = titles[self.choose(steps)]
        return chosen

    def __iter__(self) -> Iterator[ErrorType]:
        return iter((*self.types, OTHER))


def _typed(step: RepairStep, rule: Rule | None, kind: ErrorType) -> TypedStep:
    attached: Sequence[Part] = step.moved
    if kind.is_attachment and step.operation in (Operation.ADD, Operation.REMOVE):
        attached = _beside_head(step.bracket.label, step.children)
    return TypedStep(step, kind, rule, attached)


class TypedStep(Struct, frozen=True):
    """A step of the repair and its type."""

    step: RepairStep
    type: ErrorType
    rule: Rule | None  # The rule that gives it the type
    # The nodes that have the wrong parent: those that move; where one bracket is added or removed for an attachment,
    # what stands beside the child with the bracket's own label.
    attached: Sequence[Part]

    @property
    def evidence(self) -> Part | None:
        """The node for which the rule chooses the type, where the rule asks for a label near or in the bracket."""
        rule, step = self.rule, self.step
        if rule is None:
            return None
        end = step.bracket.span.end
        asked = (
            (rule.moved, step.moved),
            (rule.near, _near(step)),
            (rule.right_sibling, islice((part for part in step.siblings if part.span.start >= end), 1)),
            (rule.later_children, step.children[1:]),
        )
        return next((part for labels, parts in asked if labels for part in parts if part.label in labels), None)

    @property
    def is_typical(self) -> bool:
        """Whether a phrase is attached elsewhere, the one for which the step has its type if there is one."""
        if not self.attached or self.step.operation is Operation.MOVE:
            return bool(self.attached)
        evidence = self.evidence
        return evidence is None or self._attaches(evidence)

    def _attaches(self, evidence: Part) -> bool:
        return evidence.label in {part.label for part in self.attached}

    def reason(self, words: tuple[str, ...]) -> str:
        """Return why the step has its type: the node beside or in the bracket that the rule asks for.

        Empty if the rule asks for something else, or if that node is attached elsewhere.
        """
        evidence = self.evidence
        if self.rule is None or evidence is None or self._attaches(evidence):
            return ""
        where = "before" if self.rule.right_sibling else "beside" if self.rule.near else "around"
        return f"{where} {self.named(evidence, words)}"

    def fault(self, words: tuple[str, ...]) -> str:
        """Return what is wrong in the parse, in words."""
        step = self.step
        bracket = self.named(step.bracket, words)
        if step.operation is Operation.RELABEL:
            return f"{bracket} should be {_label(step.new_label or '')}"
        if step.operation is Operation.ADD:
            return f"{bracket} is missing"
        if step.operation is Operation.REMOVE:
            return f"{bracket} is spurious"
        assert step.target is not None
        verbs = ("are", "belong") if len(step.moved) > 1 else ("is", "belongs")
        moved = ", ".join(self.named(part, words) for part in step.moved)
        added = f"; {self.named(step.added, words)} is missing" if step.added is not None else ""
        return f"{moved} {verbs[0]} in {bracket}, {verbs[1]} in {self.named(step.target, words)}{added}"

    @property
    def labels(self) -> str:
        """What the step does to which labels, the same for all steps that differ only in their words.

        An arrow leads from a bracket to its children, as in a rule.
        """
        step = self.step
        label = _label(step.bracket.label)
        if step.operation is Operation.RELABEL:
            return f"{label}, should be {_label(step.new_label or '')}"
        into = step.added if step.added is not None and _holds(step.added, step.moved) else step.target
        other = step.parent if into is None else into.label
        if self.attached and other is not None:
            is_added = step.operation is Operation.ADD
            inside, belongs = (other, step.bracket.label) if is_added else (step.bracket.label, other)
            attached = " ".join(dict.fromkeys(_label(part.label) for part in self.attached))
            return f"{attached} in {_label(inside)}, belongs in {_label(belongs)}"
        parent = f", in {_label(step.parent)}" if step.parent is not None else ""
        children = [_label(child.label) for child in step.children]
        if len(children) > _MAX_CHILDREN:
            children = [children[0], "…", children[-1]]
        bracket = f"{label} → {' '.join(children)}" if children else label
        return f"{'missing' if step.operation is Operation.ADD else 'spurious'} {bracket}{parent}"

    def named(self, node: Bracket | Part, words: tuple[str, ...]) -> str:
        """Return a label and the words it covers, … for a gap; the middle of more than seven words is left out."""
        positions = words_in(node.span, self.step.order)
        if len(positions) <= 7:
            covered = words[slice(*node.span)] if self.step.order is None else with_gaps(words, positions)
        else:
            covered = [*with_gaps(words, positions[:4]), "…", *with_gaps(words, positions[-2:])]
        text = " ".join(covered)
        return f"{_label(node.label)} “{text}”" if text else f"empty {_label(node.label)}"


def _holds(bracket: Bracket, parts: Sequence[Part]) -> bool:
    """Return whether all parts lie within a bracket."""
    return all(bracket.span.start <= part.span.start and part.span.end <= bracket.span.end for part in parts)


def _beside_head(label: str, children: Sequence[Part]) -> Sequence[Part]:
    """Return what stands on one side of the child that has the bracket's own label."""
    same = [index for index, child in enumerate(children) if child.label == label and not child.is_word]
    if len(children) < 2 or not same:
        return ()
    if same[0] == 0:
        return children[1:]
    return children[:-1] if same[-1] == len(children) - 1 else ()


def _label(label: str) -> str:
    return label or "(no label)"


def error_steps(
    gold: Tree,
    test: Tree,
    rules: RuleSet | None = None,
    classes: Mapping[str, str] = NO_CLASSES,
    edits: Edits | None = None,
) -> list[TypedStep]:
    """Repair a test tree and type the steps; the words of both trees stand in one order.

    The steps are searched if the `edits` are not known.

    Examples
    --------
    >>> gold = Tree.from_string("(VP (V ate) (NP (NP (N pasta)) (PP (I with) (NP (N cheese)))))")
    >>> test = Tree.from_string("(VP (V ate) (NP (N pasta)) (PP (I with) (NP (N cheese))))")
    >>> [(typed.type.title, typed.fault(gold.words)) for typed in error_steps(gold, test)]
    [('PP attachment', 'NP “pasta with cheese” is missing')]
    """
    rules = rules or bundled_rules()
    steps = repair(gold, test, classes, edits)
    return list(rules.typed(Around.of(steps), steps))


WIDE = "ptb-wide"
"""The rules for more labels."""

BUNDLED_RULES = {
    "ptb": "Kummerfeld et al. 2012",
    WIDE: "Kummerfeld, more labels",
}
"""The rules that come with the program, with their descriptions; the first ones are the default."""

RULES = Choice(
    "rules",
    "Rules of error types",
    BUNDLED_RULES,
    next(iter(BUNDLED_RULES)),
    "What decides the type of an error, such as PP attachment; the brackets and their numbers stay. Kummerfeld et al. "
    "2012: the rules of their program. More labels: they also apply to WHPP, NX, NML, NAC, SQ, SBARQ, CONJP, particles "
    "and others, which are unclassified otherwise",
    is_menu=True,
)
"""The control for the rules."""


@cache
def bundled_rules(name: str = "ptb") -> RuleSet:
    """Return rules that come with the program."""
    if name not in BUNDLED_RULES:
        raise ParameterError.unknown("rules of error types", name, list(BUNDLED_RULES))
    text = resources.files(__package__).joinpath(f"error_rules/{name}.toml").read_text("utf-8")
    return _rules(text, f"{name}.toml")


def load_rules(name: str) -> RuleSet:
    """Return bundled rules by their name, or read those of a file."""
    if name in BUNDLED_RULES or not os.path.exists(name):
        return bundled_rules(name)
    return read_rules(name)


def read_rules(path: str | os.PathLike[str]) -> RuleSet:
    """Read a file of error types."""
    try:
        text = Path(path).read_bytes().decode("utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(Problem("rules", str(path), None, None, reason, "a file of error types")) from None
    return _rules(text, str(path))


_Text = Annotated[str, Meta(min_length=1, description="a text")]


class _TypedRule(Rule, frozen=True, kw_only=True):
    """A ``[[rule]]`` of a file: conditions, and the id of a type."""

    type: _Text

    @property
    def conditions(self) -> Rule:
        """The conditions alone."""
        return Rule(*(getattr(self, name) for name in Rule.__struct_fields__))


class _Type(Struct):
    """A ``[[type]]`` of a file."""

    id: _Text
    title: _Text
    rules: list[Rule] = []


class _RulesFile(Struct):
    """A file of error types."""

    type: Annotated[list[_Type], Meta(min_length=1, description="[[type]], at least one, with id and title")]
    rule: list[_TypedRule] = []
    name: str | None = None


_NO_CONDITION = Rule()


def _rules(text: str, name: str) -> RuleSet:
    file = TomlFile(text, name, "rules", "a file of error types, in TOML")
    content = file.convert(_RulesFile)
    types: dict[str, ErrorType] = {}
    type_rules: list[tuple[Key, Rule, ErrorType]] = []
    for number, entry in enumerate(content.type):
        key: Key = ("type", number)
        if entry.id == OTHER.id or entry.id in types:
            expected = "ids that are different, and none that is 'other'"
            raise file.error((*key, "id"), f"the id {entry.id!r} a second time", expected)
        types[entry.id] = ErrorType(entry.id, entry.title)
        type_rules += [((*key, "rules"), rule, types[entry.id]) for rule in entry.rules]
    rules: list[tuple[Key, Rule, ErrorType]] = []
    for number, typed in enumerate(content.rule):
        key = ("rule", number)
        if typed.type not in types:
            raise file.error(
                (*key, "type"), f"a rule of type {typed.type!r}", f"a type of the file: {', '.join(types)}"
            )
        rules.append((key, typed.conditions, types[typed.type]))
    rules += type_rules
    for key, rule, kind in rules:
        if rule == _NO_CONDITION:
            raise file.error((*key, ""), f"a rule of {kind.id!r} without conditions", "a table of conditions")
    for number, kind in enumerate(types.values()):
        if all(kind is not rule_kind for _, _, rule_kind in rules):
            expected = "a [[rule]] of every type, or rules = [{ … }, …] in it"
            raise file.error(("type", number, "rules"), f"type {kind.id!r} without rules", expected)
    return RuleSet(content.name or name, tuple(types.values()), tuple((rule, kind) for _, rule, kind in rules))

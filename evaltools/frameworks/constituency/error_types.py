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
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from itertools import islice
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct

from evaltools.corpus import Tree
from evaltools.corpus.stretches import with_gaps
from evaltools.errors import InputError, ParameterError, Problem
from evaltools.formats.toml_files import Key, TomlFile
from evaltools.frameworks.common.lineages import NO_CLASSES
from evaltools.frameworks.constituency.aligned_trees import Edits, Operation
from evaltools.frameworks.constituency.repair import Bracket, Part, RepairStep, repair, words_in
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

    def fits(self, step: RepairStep, moved: Sequence[str], children: Sequence[str], n_words: int) -> bool:
        """Return whether all conditions hold for a step, given the labels of what moves and of the children."""
        label = step.bracket.label
        return (
            (self.label is None or label in self.label or step.new_label in self.label)
            and (self.target is None or (step.target is not None and step.target.label in self.target))
            and (self.parent is None or step.parent in self.parent)
            and (self.moved is None or not self.moved.isdisjoint(moved))
            and (self.all_moved is None or (bool(moved) and self.all_moved.issuperset(moved)))
            and (self.near is None or any(part.label in self.near for part in _near(step)))
            and (self.right_sibling is None or _right_sibling(step) in self.right_sibling)
            and (self.children is None or not self.children.isdisjoint(children))
            and (self.later_children is None or not self.later_children.isdisjoint(children[1:]))
            and (self.all_children is None or (bool(children) and self.all_children.issuperset(children)))
            and (self.adjoined is None or _is_adjunction(label, children, self.adjoined))
            and (self.words is None or step.bracket.span.end - step.bracket.span.start == self.words)
            and (self.over_word is None or (len(children) == n_words == 1) == self.over_word)
            and (self.all_words is None or (0 < len(children) == n_words) == self.all_words)
            and (self.all_same is None or (bool(children) and set(children) == {label}) == self.all_same)
            and (self.one_child is None or (len(children) == 1) == self.one_child)
            and (
                self.only_child is None
                or (not step.siblings and step.operation is not Operation.MOVE) == self.only_child
            )
            and (self.child_label is None or (list(children) == [label]) == self.child_label)
            and (self.parent_label is None or (step.parent == label) == self.parent_label)
            and (self.unary is None or bool(_unary_labels(step)) == self.unary)
            and (self.same_label is None or (label in _unary_labels(step)) == self.same_label)
        )


def _near(step: RepairStep) -> Iterator[Part]:
    """Yield the siblings of the bracket or of the nodes that move, and the first and the last node that move."""
    yield from step.siblings
    yield from step.moved[:1]
    yield from step.moved[-1:]


def _right_sibling(step: RepairStep) -> str | None:
    """Return the label of the next node to the right of a bracket."""
    if step.operation is Operation.MOVE:
        return None
    end = step.bracket.span.end
    return next((part.label for part in step.siblings if part.span.start >= end), None)


def _is_adjunction(label: str, children: Sequence[str], adjoined: frozenset[str]) -> bool:
    if label not in children:
        return False
    rest = list(children)
    rest.remove(label)
    return not adjoined.isdisjoint(rest)


def _unary_labels(step: RepairStep) -> list[str]:
    """Return the labels of the brackets over the same words directly below and above."""
    labels = []
    if len(step.children) == 1 and not step.children[0].is_word:
        labels.append(step.children[0].label)
    if not step.siblings and step.parent is not None:
        labels.append(step.parent)
    return labels


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

    def typed(self, step: RepairStep) -> TypedStep:
        """Return a step with its type, the rule that gives it, and what is attached elsewhere."""
        kind, rule = self.choose(step)
        attached: Sequence[Part] = step.moved
        if kind.is_attachment and step.operation in (Operation.ADD, Operation.REMOVE):
            attached = _beside_head(step.bracket.label, step.children)
        return TypedStep(step, kind, rule, attached)

    def choose(self, step: RepairStep) -> tuple[ErrorType, Rule | None]:
        """Return the type of the first rule that matches a step, and that rule."""
        if step.same_words is not None:  # an added bracket counts as the outermost of those over the same words
            children, n_words = [step.same_words], 0
        else:
            children = [child.label for child in step.children]
            n_words = sum([child.is_word for child in step.children])
        moved = [part.label for part in step.moved]
        for rule, kind in self._by_operation[step.operation]:
            if rule.fits(step, moved, children, n_words):
                return kind, rule
        return OTHER, None

    @cached_property
    def _by_operation(self) -> Mapping[Operation, list[tuple[Rule, ErrorType]]]:
        """The rules that may fit a step of an operation."""
        return {
            operation: [(rule, kind) for rule, kind in self.rules if operation in (rule.operations or Operation)]
            for operation in Operation
        }

    def __iter__(self) -> Iterator[ErrorType]:
        return iter((*self.types, OTHER))


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
    return [rules.typed(step) for step in repair(gold, test, classes, edits)]


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

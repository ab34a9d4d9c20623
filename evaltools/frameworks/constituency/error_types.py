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
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
from msgspec import Meta, Struct
from numpy.typing import NDArray

from evaltools.blocks import Choice
from evaltools.corpus import Span
from evaltools.corpus.stretches import with_gaps
from evaltools.errors import InputError, ParameterError, Problem
from evaltools.formats.toml_files import TomlFile
from evaltools.frameworks.constituency.repair import OPERATIONS, Columns, Nodes, Operation, StepRow, Steps, words_in
from evaltools.marks import Status

_MAX_CHILDREN = 3
"""Of more children of a bracket, the first and the last are named."""
_MAX_NAMED = 7
"""Of more words of a bracket, the first and the last are named."""


class Rule(Struct, frozen=True, forbid_unknown_fields=True):
    """Conditions that must all hold; None for no condition."""

    operations: frozenset[Operation] | None = None
    label: frozenset[str] | None = None
    target: frozenset[str] | None = None
    parent: frozenset[str] | None = None
    moved: frozenset[str] | None = None
    near: frozenset[str] | None = None
    right_sibling: frozenset[str] | None = None
    later_children: frozenset[str] | None = None
    all_children: frozenset[str] | None = None
    adjoined: frozenset[str] | None = None
    over_word: bool | None = None
    all_words: bool | None = None
    all_same: bool | None = None
    one_child: bool | None = None
    only_child: bool | None = None
    child_label: bool | None = None
    parent_label: bool | None = None

    def fits(self, steps: Steps) -> NDArray[np.bool_]:
        """Return for which steps all conditions hold."""
        columns, is_in = steps.columns, steps.is_in
        own, children, moved, siblings = columns.label, steps.seen, steps.moved, steps.siblings
        some, is_only, has_label = children.number > 0, children.number == 1, own >= 0  # the top has none

        def number(nodes: Nodes, labels: frozenset[str]) -> Columns:
            return nodes.count(is_in(labels)[nodes.labels])

        def near(labels: frozenset[str]) -> NDArray[np.bool_]:
            return (number(siblings, labels) > 0) | is_in(labels)[moved.first] | is_in(labels)[moved.last]

        def later(labels: frozenset[str]) -> Columns:
            return number(children, labels) - is_in(labels)[children.first]

        same = children.count(children.labels == np.repeat(own, children.number))
        fits: NDArray[np.bool_] = (
            np.isin(columns.operation, [OPERATIONS.index(operation) for operation in self.operations or Operation])
            & (self.label is None or is_in(self.label)[own] | is_in(self.label)[columns.new_label])
            & (self.target is None or is_in(self.target)[columns.target])
            & (self.parent is None or is_in(self.parent)[columns.parent])
            & (self.moved is None or number(moved, self.moved) > 0)
            & (self.near is None or near(self.near))
            & (self.right_sibling is None or is_in(self.right_sibling)[steps.right_sibling])
            & (self.later_children is None or later(self.later_children) > 0)
            & (self.all_children is None or some & (number(children, self.all_children) == children.number))
            # a child has the bracket's own label, and another one has one of these
            & (self.adjoined is None or (same > 0) & (number(children, self.adjoined) > is_in(self.adjoined)[own]))
            & (self.over_word is None or (is_only & (children.n_words == 1)) == self.over_word)
            & (self.all_words is None or (some & (children.n_words == children.number)) == self.all_words)
            & (self.all_same is None or (some & (same == children.number)) == self.all_same)
            & (self.one_child is None or is_only == self.one_child)
            & (self.only_child is None or ((siblings.number == 0) & ~steps.is_move) == self.only_child)
            & (self.child_label is None or (is_only & (children.first == own)) == self.child_label)
            & (self.parent_label is None or (has_label & (columns.parent == own)) == self.parent_label)
        )
        return fits


NO_BRACKET = "no bracket"
"""Stands for the parent of what has none."""


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

    def choose(self, steps: Steps) -> NDArray[np.int64]:
        """Return the index of the first rule that matches each step, -1 if none does."""
        chosen = np.full(len(steps.rows), -1, dtype=np.int64)
        for index, (rule, _) in reversed([*enumerate(self.rules)]):
            chosen[rule.fits(steps)] = index
        return chosen

    def titles(self, steps: Steps) -> NDArray[np.object_]:
        """Return the title of the type of each step."""
        titles = np.array([*(kind.title for _, kind in self.rules), OTHER.title], dtype=object)
        chosen: NDArray[np.object_] = titles[self.choose(steps)]
        return chosen

    def __iter__(self) -> Iterator[ErrorType]:
        return iter((*self.types, OTHER))


class Part(NamedTuple):
    """A node at a step."""

    label: str  # For a word its tag in the test tree, else in the gold tree, else its form
    start: int  # Its words, in the order of the words in which the tree is repaired
    end: int
    is_word: int = 0


class TypedStep(NamedTuple):
    """A step of a repair, its type, and what is wrong in words."""

    sentence: int
    operation: Operation
    repaired: int
    # The bracket that gets a new label, is added or removed; for a move the bracket that the nodes leave.
    bracket: Part
    new_label: str  # Of a bracket that gets one
    others: tuple[Part, ...]  # For a move the new parent, and the bracket that is added with it if there is one
    # The nodes that have the wrong parent: those that move; where one bracket is added or removed for an attachment,
    # what stands beside the child with the bracket's own label.
    attached: Sequence[Part]
    type: ErrorType
    is_typical: bool  # Whether a phrase is attached elsewhere, the one for which the step has its type if there is one
    text: str  # What is wrong in the parse
    # What the step does to which labels, the same for all steps that differ only in their words.
    construction: str
    reason: str  # The node for which the step has its type, if the rule asks for one and it is not attached elsewhere

    @property
    def span(self) -> Span:
        """The words that it is about: those that are attached elsewhere, or those of the bracket."""
        first, last = (self.attached[0], self.attached[-1]) if self.attached else (self.bracket, self.bracket)
        return Span(first.start, last.end)


def typed_steps(steps: Steps, rules: RuleSet, words_of: Callable[[int], Sequence[str]]) -> Iterator[TypedStep]:
    """Yield steps with their types; `words_of` returns the words of a sentence."""
    types = (*rules.rules, (None, OTHER))
    names = [*steps.names, ""]
    # columns of numbers, as lists of lists would keep the garbage collector busy
    labels, *columns = steps.parts.T.tolist()
    nodes = _Nodes([names[label] for label in labels], *columns)
    rows = zip(*steps.rows.T.tolist(), strict=True)
    at, before, words = 0, -1, Words((), None)
    for sentence, choice, values in zip(steps.sentences.tolist(), rules.choose(steps).tolist(), rows, strict=True):
        if sentence != before:
            before, words = sentence, Words(words_of(sentence), steps.orders.get(sentence))
        row = StepRow(*values)
        moved = range(at, at + row.n_moved)
        children = range(moved.stop, moved.stop + row.n_children)
        siblings = range(children.stop, children.stop + row.n_siblings)
        at = siblings.stop
        rule, kind = types[choice]
        operation, bracket = OPERATIONS[row.operation], Part(names[row.label], row.start, row.end)
        new_label, parent = names[row.new_label], None if row.parent < 0 else names[row.parent]
        attached: Sequence[Part] = ()
        others: tuple[Part, ...] = ()
        if operation is Operation.RELABEL:
            text = f"{words.named(bracket)} should be {_label(new_label)}"
            construction = f"{_label(new_label)} labeled as {_label(bracket.label)}"
        elif operation is Operation.MOVE:
            attached = nodes.parts(moved)
            into = Part(names[row.target], row.target_start, row.target_end)
            others = (into,)
            text = _moved(words, attached, bracket, into)
            if row.added_end >= 0:
                added = Part(names[row.added], row.added_start, row.added_end)
                others = (into, added)
                text = f"{text}; {words.named(added)} is missing"
                into = added if added.start <= attached[0].start and attached[-1].end <= added.end else into
            construction = _attachment(attached, bracket.label, into.label)
        else:
            is_added = operation is Operation.ADD
            text = f"{words.named(bracket)} is {'missing' if is_added else 'spurious'}"
            if kind.is_attachment:
                attached = nodes.parts(nodes.beside_head(bracket.label, children))
            if attached and parent is not None:
                sides = (parent, bracket.label) if is_added else (bracket.label, parent)
                construction = _attachment(attached, *sides)
            else:
                below = nodes.labels[children.start : children.stop]
                construction = _bracket(operation.status, bracket.label, below, parent)
        evidence = None if rule is None else nodes.evidence(rule, bracket, moved, children, siblings)
        is_attached = evidence is None or evidence.label in {part.label for part in attached}
        is_typical = bool(attached) and (operation is Operation.MOVE or is_attached)
        reason = ""
        if rule is not None and evidence is not None and not is_attached:
            where = "before" if rule.right_sibling else "beside" if rule.near else "around"
            reason = f"{where} {words.named(evidence)}"
        own = sentence, operation, row.repaired, bracket, new_label, others
        yield TypedStep(*own, attached, kind, is_typical, text, construction, reason)


class _Nodes(NamedTuple):
    """The nodes around steps as columns."""

    labels: Sequence[str]
    starts: Sequence[int]
    ends: Sequence[int]
    are_words: Sequence[int]

    def parts(self, nodes: range) -> Sequence[Part]:
        """Return some nodes."""
        return [self.part(node) for node in nodes]

    def part(self, node: int) -> Part:
        """Return a node."""
        return Part(self.labels[node], self.starts[node], self.ends[node], self.are_words[node])

    def evidence(self, rule: Rule, bracket: Part, moved: range, children: range, siblings: range) -> Part | None:
        """Return the node for which a rule chooses the type, where it asks for a label near or in the bracket."""
        conditions: list[tuple[frozenset[str], Sequence[int]]] = []
        if rule.moved:
            conditions.append((rule.moved, moved))
        if rule.near:
            conditions.append((rule.near, (*siblings, *moved[:1], *moved[-1:])))
        if rule.right_sibling:
            conditions.append((rule.right_sibling, [node for node in siblings if self.starts[node] >= bracket.end][:1]))
        if rule.later_children:
            conditions.append((rule.later_children, children[1:]))
        for names, nodes in conditions:
            for node in nodes:
                if self.labels[node] in names:
                    return self.part(node)
        return None

    def beside_head(self, label: str, children: range) -> range:
        """Return what stands on one side of the child that has the bracket's own label."""
        same = [node for node in children if self.labels[node] == label and not self.are_words[node]]
        if len(children) < 2 or not same:
            return range(0)
        if same[0] == children[0]:
            return children[1:]
        return children[:-1] if same[-1] == children[-1] else range(0)


def _moved(words: Words, moved: Sequence[Part], bracket: Part, target: Part) -> str:
    verbs = ("are", "belong") if len(moved) > 1 else ("is", "belongs")
    names = ", ".join(map(words.named, moved))
    return f"{names} {verbs[0]} in {words.named(bracket)}, {verbs[1]} in {words.named(target)}"


def _attachment(attached: Sequence[Part], inside: str, belongs: str) -> str:
    labels = " ".join(dict.fromkeys(_label(part.label) for part in attached))
    return attached_to(labels, _label(inside), _label(belongs))


def attached_to(labels: str, inside: str, belongs: str) -> str:
    """Return a wrong attachment in words.

    Examples
    --------
    >>> attached_to("PP", "VP", "NP"), attached_to("PP", "NP", "NP")
    ('PP attached to the VP instead of the NP', 'PP attached to the wrong NP')
    """
    if inside == belongs != NO_BRACKET:
        return f"{labels} attached to the wrong {belongs}"
    wrong, right = (name if name == NO_BRACKET else f"the {name}" for name in (inside, belongs))
    return f"{labels} attached to {wrong} instead of {right}"


def _bracket(status: Status, label: str, children: Sequence[str], parent: str | None) -> str:
    labels = [_label(child) for child in children]
    if len(labels) > _MAX_CHILDREN:
        labels = [labels[0], "…", labels[-1]]
    bracket = f"{_label(label)} over {' '.join(labels)}" if labels else _label(label)
    return f"{status} {bracket}" + (f" in the {_label(parent)}" if parent is not None else "")


class Words(NamedTuple):
    """The words of a sentence, and the order in which its trees are repaired."""

    words: Sequence[str]
    order: Sequence[int] | None

    def named(self, node: Part) -> str:
        """Return a label and the words it covers, … for a gap; the middle of more than seven words is left out."""
        label, start, end, _ = node
        if self.order is None:
            covered = self.words[start:end]
            if end - start > _MAX_NAMED:
                covered = [*self.words[start : start + 4], "…", *self.words[end - 2 : end]]
        else:
            positions = words_in(Span(start, end), self.order)
            covered = with_gaps(self.words, positions)
            if len(positions) > _MAX_NAMED:
                covered = [*with_gaps(self.words, positions[:4]), "…", *with_gaps(self.words, positions[-2:])]
        text = " ".join(covered)
        return f"{_label(label)} “{text}”" if text else f"empty {_label(label)}"


def _label(label: str) -> str:
    return label or "(no label)"


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


class _Type(Struct):
    """A ``[[type]]`` of a file."""

    id: _Text
    title: _Text


class _RulesFile(Struct):
    """A file of error types."""

    type: Annotated[list[_Type], Meta(min_length=1, description="[[type]], at least one, with id and title")]
    rule: list[_TypedRule] = []
    name: str | None = None


def _rules(text: str, name: str) -> RuleSet:
    file = TomlFile(text, name, "rules", "a file of error types, in TOML")
    content = file.convert(_RulesFile)
    types: dict[str, ErrorType] = {}
    for number, entry in enumerate(content.type):
        if entry.id == OTHER.id or entry.id in types:
            expected = "ids that are different, and none that is 'other'"
            raise file.error(("type", number, "id"), f"the id {entry.id!r} a second time", expected)
        types[entry.id] = ErrorType(entry.id, entry.title)
    rules: list[tuple[Rule, ErrorType]] = []
    for number, typed in enumerate(content.rule):
        if typed.type not in types:
            known = f"a type of the file: {', '.join(types)}"
            raise file.error(("rule", number, "type"), f"a rule of type {typed.type!r}", known)
        if typed == _TypedRule(type=typed.type):
            wrong = f"a rule of {typed.type!r} without conditions"
            raise file.error(("rule", number, ""), wrong, "a table of conditions")
        rules.append((typed, types[typed.type]))
    for number, kind in enumerate(types.values()):
        if all(kind is not other for _, other in rules):
            raise file.error(("type", number, ""), f"type {kind.id!r} without rules", "a [[rule]] of every type")
    return RuleSet(content.name or name, tuple(types.values()), tuple(rules))

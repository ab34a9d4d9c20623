"""Types of parser errors: what kind of mistake each step of the repair of a tree undoes.

The types and their rules stand in a TOML file, because they name the labels of a treebank; rules for the Penn Treebank
come with the program. :func:`read_rules` reads others; the bundled file says how to write them. The type of a step is
that of the first rule that fits.

References
----------
J. K. Kummerfeld, D. Hall, J. R. Curran and D. Klein (2012). Parser showdown at the Wall Street Corral: an empirical
investigation of error types in parser output. EMNLP-CoNLL 2012.

Notes
-----
The bundled rules ``ptb`` make the decisions of the program that the authors published, in its order; ``ptb-wide``
counts more labels. The program looks for NP in the label of a parent, and for ADVP and ADJP in that of a bracket, and
so takes WHNP, WHADVP and WHADJP for them; so do the rules. Difference from the program, apart from those of
:mod:`evaltools.analysis.repair`: a CC to the right of an added bracket counts, too; the program's last version looks
for it at removed brackets only.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from evaltools.analysis.repair import Bracket, Operation, Part, RepairStep, repair
from evaltools.errors import InputError, ParameterError, Problem
from evaltools.treebank import Tree

__all__ = [
    "BUNDLED_RULES",
    "OTHER",
    "ErrorType",
    "Rule",
    "RuleSet",
    "TypedStep",
    "bundled_rules",
    "error_steps",
    "load_rules",
    "read_rules",
]


@dataclass(frozen=True, slots=True)
class Rule:
    """Conditions that must all hold; None stands for one that is not made.

    Parameters
    ----------
    operations, label, target, parent, moved, all_moved, near, right_sibling : frozenset of str or None
        As the bundled file explains them.
    children, later_children, all_children, adjoined : frozenset of str or None
        As the bundled file explains them.
    words : int or None
        Number of words of the bracket.
    over_word, all_words, all_same, one_child, only_child, child_label, parent_label, unary, same_label : bool or None
        As the bundled file explains them.
    """

    operations: frozenset[str] | None = None
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
    words: int | None = None
    over_word: bool | None = None
    all_words: bool | None = None
    all_same: bool | None = None
    one_child: bool | None = None
    only_child: bool | None = None
    child_label: bool | None = None
    parent_label: bool | None = None
    unary: bool | None = None
    same_label: bool | None = None

    def fits(self, step: RepairStep) -> bool:
        """Tell whether all conditions hold for a step.

        Parameters
        ----------
        step : RepairStep
            The step.
        """
        label = step.bracket.label
        if step.same_words is not None:  # an added bracket counts as the outermost of those over the same words
            children, words = [step.same_words], []
        else:
            children = [child.label for child in step.children]
            words = [child for child in step.children if child.is_word]
        only_child = not step.siblings and step.operation is not Operation.MOVE
        return (
            (self.operations is None or step.operation in self.operations)
            and (self.label is None or label in self.label or step.new_label in self.label)
            and (self.target is None or (step.target is not None and step.target.label in self.target))
            and (self.parent is None or step.parent in self.parent)
            and (self.moved is None or any(part.label in self.moved for part in step.moved))
            and (
                self.all_moved is None
                or (bool(step.moved) and all(part.label in self.all_moved for part in step.moved))
            )
            and (self.near is None or any(part.label in self.near for part in _near(step)))
            and (self.right_sibling is None or _right_sibling(step) in self.right_sibling)
            and (self.children is None or not self.children.isdisjoint(children))
            and (self.later_children is None or not self.later_children.isdisjoint(children[1:]))
            and (self.all_children is None or (bool(children) and self.all_children.issuperset(children)))
            and (self.adjoined is None or _is_adjunction(label, children, self.adjoined))
            and (self.words is None or step.bracket.span.end - step.bracket.span.start == self.words)
            and (self.over_word is None or (len(children) == len(words) == 1) == self.over_word)
            and (self.all_words is None or (0 < len(children) == len(words)) == self.all_words)
            and (self.all_same is None or (bool(children) and set(children) == {label}) == self.all_same)
            and (self.one_child is None or (len(children) == 1) == self.one_child)
            and (self.only_child is None or only_child == self.only_child)
            and (self.child_label is None or (children == [label]) == self.child_label)
            and (self.parent_label is None or (step.parent == label) == self.parent_label)
            and (self.unary is None or bool(_unary_labels(step)) == self.unary)
            and (self.same_label is None or (label in _unary_labels(step)) == self.same_label)
        )


def _near(step: RepairStep) -> Iterator[Part]:
    """Yield what stands beside the bracket, or beside what moves, and the first and the last node that move."""
    yield from step.siblings
    yield from step.moved[:1]
    yield from step.moved[-1:]


def _right_sibling(step: RepairStep) -> str | None:
    """Return the label of the next node to the right of a bracket."""
    if step.operation is Operation.MOVE:
        return None
    end = step.bracket.span.end
    return next((part.label for part in step.siblings if part.span.start >= end), None)


def _is_adjunction(label: str, children: list[str], adjoined: frozenset[str]) -> bool:
    if label not in children:
        return False
    rest = list(children)
    rest.remove(label)
    return not adjoined.isdisjoint(rest)


def _unary_labels(step: RepairStep) -> list[str]:
    """Return the labels of the brackets of the same words right below and right above."""
    labels = []
    if len(step.children) == 1 and not step.children[0].is_word:
        labels.append(step.children[0].label)
    if not step.siblings and step.parent is not None:
        labels.append(step.parent)
    return labels


@dataclass(frozen=True, slots=True)
class ErrorType:
    """A type of error.

    Parameters
    ----------
    id : str
        Its name in tables.
    title : str
        What people call it.
    """

    id: str
    title: str


OTHER = ErrorType("other", "unclassified")
"""The type of steps that no rule fits."""


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The types of a treebank, and the rules in the order in which they are tried.

    Parameters
    ----------
    name : str
        The name of the set.
    types : tuple of ErrorType
        The types, without :data:`OTHER`.
    rules : tuple of (Rule, ErrorType)
        The rules, each with the type of the steps that it fits.
    """

    name: str
    types: tuple[ErrorType, ...]
    rules: tuple[tuple[Rule, ErrorType], ...]

    def classify(self, step: RepairStep) -> ErrorType:
        """Return the type of the first rule that fits.

        Parameters
        ----------
        step : RepairStep
            The step.
        """
        return next((kind for rule, kind in self.rules if rule.fits(step)), OTHER)

    def __iter__(self) -> Iterator[ErrorType]:
        return iter((*self.types, OTHER))


@dataclass(frozen=True, slots=True)
class TypedStep:
    """A step of the repair and its type."""

    step: RepairStep
    type: ErrorType

    def describe(self, words: tuple[str, ...]) -> str:
        """Return what the step does in words, and how many brackets it repairs.

        Parameters
        ----------
        words : tuple of str
            The words of the sentence.
        """
        return f"{self.does(words)}: {self.step.repaired} bracket{'s' if self.step.repaired > 1 else ''} repaired"

    def does(self, words: tuple[str, ...]) -> str:
        """Return what the step does in words.

        Parameters
        ----------
        words : tuple of str
            The words of the sentence.
        """
        step = self.step
        bracket = self.named(step.bracket, words)
        if step.operation is Operation.RELABEL:
            return f"{bracket} becomes {_label(step.new_label or '')}"
        if step.operation is Operation.ADD:
            return f"{bracket} is added"
        if step.operation is Operation.REMOVE:
            return f"{bracket} is removed"
        moved = ", ".join(self.named(part, words) for part in step.moved)
        assert step.target is not None
        goes = "move" if len(step.moved) > 1 else "moves"
        added = f", and {self.named(step.added, words)} is added" if step.added is not None else ""
        return f"{moved} {goes} from {bracket} to {self.named(step.target, words)}{added}"

    @staticmethod
    def named(one: Bracket | Part, words: tuple[str, ...]) -> str:
        """Return a label and the words it stands over, the middle of many left out.

        Parameters
        ----------
        one : Bracket or Part
            What to name.
        words : tuple of str
            The words of the sentence.
        """
        there = words[one.span.start : one.span.end]
        text = " ".join(there if len(there) <= 7 else (*there[:4], "…", *there[-2:]))
        return f"{_label(one.label)} “{text}”" if text else f"empty {_label(one.label)}"


def _label(label: str) -> str:
    return label or "(no label)"


def error_steps(gold: Tree, test: Tree, rules: RuleSet | None = None) -> list[TypedStep]:
    """Repair a test tree and type the steps.

    Parameters
    ----------
    gold, test : Tree
        Normalised trees of one sentence, over the same number of words.
    rules : RuleSet, optional
        The types; those of the Penn Treebank if not given.

    Returns
    -------
    list of TypedStep
        In the order taken.

    Examples
    --------
    >>> gold = Tree.from_string("(VP (V ate) (NP (NP (N pasta)) (PP (I with) (NP (N cheese)))))")
    >>> test = Tree.from_string("(VP (V ate) (NP (N pasta)) (PP (I with) (NP (N cheese))))")
    >>> [(one.type.title, one.describe(gold.words)) for one in error_steps(gold, test)]
    [('PP attachment', 'NP “pasta with cheese” is added: 1 bracket repaired')]
    """
    rules = rules or bundled_rules()
    return [TypedStep(step, rules.classify(step)) for step in repair(gold, test)]


BUNDLED_RULES = {
    "ptb": "as the published program decides",
    "ptb-wide": "wider label sets",
}
"""The rules that come with the program, and what they are; the first ones are used by default."""


@cache
def bundled_rules(name: str = "ptb") -> RuleSet:
    """Return rules that come with the program.

    Parameters
    ----------
    name : str
        One of :data:`BUNDLED_RULES`.

    Raises
    ------
    ParameterError
        If there are none of this name.
    """
    if name not in BUNDLED_RULES:
        raise ParameterError.unknown("rules of error types", name, list(BUNDLED_RULES))
    text = resources.files("evaltools.analysis").joinpath(f"error_rules/{name}.toml").read_text("utf-8")
    return _rules(text, f"{name}.toml")


def load_rules(name: str) -> RuleSet:
    """Return bundled rules by their name, or read those of a file.

    Parameters
    ----------
    name : str
        One of :data:`BUNDLED_RULES`, or the path of a file.

    Raises
    ------
    ParameterError
        If it is neither.
    InputError
        If the file is not understood.
    """
    if name in BUNDLED_RULES or not Path(name).exists():
        return bundled_rules(name)
    return read_rules(name)


def read_rules(path: str | os.PathLike[str]) -> RuleSet:
    """Read a file of error types.

    Parameters
    ----------
    path : path
        TOML, in the manner of the bundled ``error_rules/ptb.toml``.

    Raises
    ------
    InputError
        If it cannot be read, is no TOML, or has something that is not understood.
    """
    try:
        text = Path(path).read_bytes().decode("utf-8")
    except (OSError, ValueError) as error:
        found = getattr(error, "strerror", None) or str(error)
        raise InputError(Problem("rules", str(path), None, None, found, "a file of error types")) from None
    return _rules(text, str(path))


_TYPES: dict[str, type] = {
    item.name: frozenset if "frozenset" in str(item.type) else bool if "bool" in str(item.type) else int
    for item in fields(Rule)
}
"""The conditions of a rule, and what their values are."""


def _rules(text: str, name: str) -> RuleSet:
    def wrong(found: str, expected: str) -> InputError:
        return InputError(Problem("rules", name, None, None, found, expected))

    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise wrong(str(error), "TOML") from None
    entries = content.get("type")
    if not isinstance(entries, list) or not entries:
        raise wrong("no [[type]]", "at least one [[type]] with id and title")
    types: dict[str, ErrorType] = {}
    own: list[tuple[Rule, ErrorType]] = []
    for entry in entries:
        if not isinstance(entry, dict) or not all(
            isinstance(entry.get(key), str) and entry[key] for key in ("id", "title")
        ):
            raise wrong(f"a type without id or title: {entry!r}"[:120], "id and title in every [[type]]")
        kind = ErrorType(entry["id"], entry["title"])
        if kind.id == OTHER.id or kind.id in types:
            raise wrong(f"the id {kind.id!r} a second time", "ids that are different, and none that is 'other'")
        types[kind.id] = kind
        listed = entry.get("rules", [])
        if not isinstance(listed, list):
            raise wrong(f"type {kind.id!r} with rules = {listed!r}"[:120], "rules = [{ … }, …]")
        own += [(_rule(conditions, kind.id, wrong), kind) for conditions in listed]
    ordered = content.get("rule", [])
    if not isinstance(ordered, list):
        raise wrong("rule that is no list", "[[rule]] with type and conditions")
    rules: list[tuple[Rule, ErrorType]] = []
    for entry in ordered:
        of = entry.get("type") if isinstance(entry, dict) else None
        if not isinstance(of, str) or of not in types:
            raise wrong(f"a rule of type {of!r}", f"a type of the file: {', '.join(types)}")
        conditions = {key: value for key, value in entry.items() if key != "type"}
        rules.append((_rule(conditions, of, wrong), types[of]))
    rules += own
    for kind in types.values():
        if all(kind is not other for _, other in rules):
            raise wrong(f"type {kind.id!r} without rules", "a [[rule]] of every type, or rules = [{ … }, …] in it")
    return RuleSet(str(content.get("name", name)), tuple(types.values()), tuple(rules))


def _rule(entry: Any, of: str, wrong: Callable[[str, str], InputError]) -> Rule:
    if not isinstance(entry, dict) or not entry:
        raise wrong(f"a rule of {of!r} that is {entry!r}", "a table of conditions")
    conditions: dict[str, Any] = {}
    for key, value in entry.items():
        if key not in _TYPES:
            raise wrong(f"the condition {key!r} in a rule of {of!r}", f"one of {', '.join(_TYPES)}")
        expected = _TYPES[key]
        if expected is frozenset:
            if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
                raise wrong(f"{key} = {value!r} in a rule of {of!r}", f'{key} = ["…", …]')
            conditions[key] = frozenset(value)
        elif type(value) is not expected:
            raise wrong(f"{key} = {value!r} in a rule of {of!r}", f"{key} as {expected.__name__}")
        else:
            conditions[key] = value
    unknown = conditions.get("operations", frozenset()) - {one.value for one in Operation}
    if unknown:
        raise wrong(f"the operation {min(unknown)!r} in a rule of {of!r}", ", ".join(one.value for one in Operation))
    return Rule(**conditions)

"""Types of parser errors: what kind of mistake each step of the repair of a tree undoes.

The types and their rules stand in a TOML file, because they name the labels of a treebank; rules for the Penn Treebank
come with the program. :func:`read_rules` reads others; the bundled file says how to write them.

References
----------
J. K. Kummerfeld, D. Hall, J. R. Curran and D. Klein (2012). Parser showdown at the Wall Street Corral: an empirical
investigation of error types in parser output. EMNLP-CoNLL 2012.

Notes
-----
Differences from the paper: a bracket that is added around, or removed from, a phrase of its own label and what is
adjoined to it, ``(NP (NP pasta) (PP with cheese))``, is an attachment too; and X over X comes before other unary
brackets, as the more special of the two.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from evaltools.analysis.repair import Bracket, Operation, Part, RepairStep, repair
from evaltools.errors import InputError, Problem
from evaltools.treebank import Tree

__all__ = ["OTHER", "ErrorType", "Rule", "RuleSet", "TypedStep", "bundled_rules", "error_steps", "read_rules"]


@dataclass(frozen=True, slots=True)
class Rule:
    """Conditions that must all hold; None stands for one that is not made.

    Parameters
    ----------
    operations, label, parent, moved, all_moved, near, children, all_children, adjoined : frozenset of str or None
        As the bundled file explains them.
    words : int or None
        Number of words of the bracket.
    unary, same_label : bool or None
        As the bundled file explains them.
    """

    operations: frozenset[str] | None = None
    label: frozenset[str] | None = None
    parent: frozenset[str] | None = None
    moved: frozenset[str] | None = None
    all_moved: frozenset[str] | None = None
    near: frozenset[str] | None = None
    children: frozenset[str] | None = None
    all_children: frozenset[str] | None = None
    adjoined: frozenset[str] | None = None
    words: int | None = None
    unary: bool | None = None
    same_label: bool | None = None

    def fits(self, step: RepairStep) -> bool:
        """Tell whether all conditions hold for a step.

        Parameters
        ----------
        step : RepairStep
            The step.
        """
        label, children = step.bracket.label, [child.label for child in step.children]
        return (
            (self.operations is None or step.operation in self.operations)
            and (self.label is None or label in self.label or step.new_label in self.label)
            and (self.parent is None or step.parent in self.parent)
            and (self.moved is None or any(part.label in self.moved for part in step.moved))
            and (
                self.all_moved is None
                or (bool(step.moved) and all(part.label in self.all_moved for part in step.moved))
            )
            and (self.near is None or any(part.label in self.near for part in _near(step)))
            and (self.children is None or not self.children.isdisjoint(children))
            and (self.all_children is None or (bool(children) and self.all_children.issuperset(children)))
            and (self.adjoined is None or _is_adjunction(label, children, self.adjoined))
            and (self.words is None or step.bracket.span.end - step.bracket.span.start == self.words)
            and (self.unary is None or bool(_unary_labels(step)) == self.unary)
            and (self.same_label is None or (label in _unary_labels(step)) == self.same_label)
        )


def _near(step: RepairStep) -> Iterator[Part]:
    """Yield what stands beside the bracket, or beside what moves, and the first and the last node that move."""
    yield from step.siblings
    yield from step.moved[:1]
    yield from step.moved[-1:]


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
    rules : tuple of Rule
        A step is of this type if one of them fits.
    """

    id: str
    title: str
    rules: tuple[Rule, ...] = ()


OTHER = ErrorType("other", "other")
"""The type of steps that no rule fits."""


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The types of a treebank, in the order in which their rules are tried.

    Parameters
    ----------
    name : str
        The treebank's name.
    types : tuple of ErrorType
        The types, without :data:`OTHER`.
    """

    name: str
    types: tuple[ErrorType, ...]

    def classify(self, step: RepairStep) -> ErrorType:
        """Return the first type that has a rule that fits.

        Parameters
        ----------
        step : RepairStep
            The step.
        """
        return next((one for one in self.types if any(rule.fits(step) for rule in one.rules)), OTHER)

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


@cache
def bundled_rules() -> RuleSet:
    """Return the rules for the Penn Treebank."""
    text = resources.files("evaltools.analysis").joinpath("error_rules/ptb.toml").read_text("utf-8")
    return _rules(text, "ptb.toml")


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


_SETS = ("operations", "label", "parent", "moved", "all_moved", "near", "children", "all_children", "adjoined")
_OTHERS = {"words": int, "unary": bool, "same_label": bool}


def _rules(text: str, name: str) -> RuleSet:
    def wrong(found: str, expected: str) -> InputError:
        return InputError(Problem("rules", name, None, None, found, expected))

    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise wrong(str(error), "TOML") from None
    types = content.get("type")
    if not isinstance(types, list) or not types:
        raise wrong("no [[type]]", "at least one [[type]] with id, title and rules")
    made: list[ErrorType] = []
    for entry in types:
        if not all(isinstance(entry.get(key), str) and entry[key] for key in ("id", "title")):
            raise wrong(f"a type without id or title: {entry!r}"[:120], "id and title in every [[type]]")
        if entry["id"] == OTHER.id or any(entry["id"] == one.id for one in made):
            raise wrong(f"the id {entry['id']!r} a second time", "ids that are different, and none that is 'other'")
        rules = entry.get("rules")
        if not isinstance(rules, list) or not rules:
            raise wrong(f"type {entry['id']!r} without rules", "rules = [{ … }, …]")
        made.append(ErrorType(entry["id"], entry["title"], tuple(_rule(one, entry["id"], wrong) for one in rules)))
    return RuleSet(str(content.get("name", name)), tuple(made))


def _rule(entry: Any, of: str, wrong: Callable[[str, str], InputError]) -> Rule:
    if not isinstance(entry, dict) or not entry:
        raise wrong(f"a rule of {of!r} that is {entry!r}", "a table of conditions")
    fields: dict[str, Any] = {}
    for key, value in entry.items():
        if key in _SETS:
            if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
                raise wrong(f"{key} = {value!r} in a rule of {of!r}", f'{key} = ["…", …]')
            fields[key] = frozenset(value)
        elif key in _OTHERS:
            if type(value) is not _OTHERS[key]:
                raise wrong(f"{key} = {value!r} in a rule of {of!r}", f"{key} as {_OTHERS[key].__name__}")
            fields[key] = value
        else:
            raise wrong(f"the condition {key!r} in a rule of {of!r}", f"one of {', '.join((*_SETS, *_OTHERS))}")
    unknown = fields.get("operations", frozenset()) - {one.value for one in Operation}
    if unknown:
        raise wrong(f"the operation {min(unknown)!r} in a rule of {of!r}", ", ".join(one.value for one in Operation))
    return Rule(**fields)

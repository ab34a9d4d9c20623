"""What counts in elementary dependency match, and how much: named presets, and weights from a small file.

::

    preset = "dridan-oepen-2011"   # or pydelphin, mtool
    spans = "trimmed"              # or exact

    [classes]                      # names, arguments, properties, constants, top
    properties = 0.5

    [roles]                        # patterns for roles as they are compared
    "ARG*" = 1
    ARG3 = 0.5

    [properties]                   # patterns for names of properties
    SF = 0

    [predicates]                   # patterns for predicates; for name triples only
    "*_q" = 0

The weight of a triple is that of its class times that of the last pattern that its role, property or predicate matches
(``*``, ``?`` and ``[…]`` as in file names, capitals told apart unless the preset folds case); 1 where none does. What
has weight 0 does not count.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields, replace
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import Any

from evaltools.errors import InputError, ParameterError, Problem
from evaltools.metrics.edm_weights import MOST, read_weights

__all__ = [
    "EDM_PRESETS",
    "KINDS_OF_TRIPLES",
    "SPANS",
    "ClassWeights",
    "EdmRules",
    "Patterns",
    "load_edm_rules",
    "parse_weights",
]

Patterns = tuple[tuple[str, float], ...]
"""Patterns and their weights; the last that matches counts."""

KINDS_OF_TRIPLES = ("name", "argument", "property", "constant", "top")
"""The classes of triples, in their order everywhere."""

SPANS: dict[str, str] = {
    "exact": "spans are compared as they are",
    "trimmed": "spans are compared without white space, and without punctuation at their edges",
}
"""How spans are compared."""

_BINDING = ("BV", "RSTR")


@dataclass(frozen=True, slots=True)
class ClassWeights:
    """A weight for each class of triples.

    Parameters
    ----------
    names, arguments, properties, constants, top : float
        0 where a class does not count.
    """

    names: float = 1.0
    arguments: float = 1.0
    properties: float = 1.0
    constants: float = 0.0
    top: float = 0.0


@dataclass(frozen=True, slots=True)
class EdmRules:
    """What counts, how much, and when two spans are equal.

    Parameters
    ----------
    name : str
        The preset, and the file of weights if there is one.
    classes : ClassWeights
        Weights of the classes.
    roles, properties, predicates : tuple of (str, float)
        Patterns with weights for arguments by role, properties by name, and names by predicate.
    multiset : bool
        Whether a triple that occurs twice counts twice.
    constant_is_property : bool
        Whether a constant is a property named ``CARG``, rather than a class of its own.
    quantifier_role : str or None
        What the role from a quantifier to what it binds counts as; None for as it is, ``BV`` or ``RSTR``.
    spans : {"exact", "trimmed"}
        See :data:`SPANS`.
    fold_case : bool
        Whether predicates, roles, properties, values and constants are compared in lower case.
    turn_inverted : bool
        Whether an inverted role, such as ``ARG1-of``, is compared as the role in the other direction.
    count_empty_gold : bool
        Whether a sentence whose gold graph is empty is scored: all triples of the parser's graph are then wrong.
    """

    name: str
    classes: ClassWeights = field(default_factory=ClassWeights)
    roles: Patterns = ()
    properties: Patterns = ()
    predicates: Patterns = ()
    multiset: bool = True
    constant_is_property: bool = False
    quantifier_role: str | None = None
    spans: str = "exact"
    fold_case: bool = False
    turn_inverted: bool = False
    count_empty_gold: bool = False

    def role(self, role: str, *, of_quantifier: bool) -> str:
        """Return a role as it is compared.

        Parameters
        ----------
        role : str
            The role of the graph.
        of_quantifier : bool
            Whether its source is a quantifier.

        Examples
        --------
        >>> load_edm_rules("dridan-oepen-2011").role("BV", of_quantifier=True)
        'ARG0'
        """
        binds = of_quantifier and (role.upper() if self.fold_case else role) in _BINDING
        return self._folded(self.quantifier_role) if self.quantifier_role and binds else role

    def _folded(self, text: str) -> str:
        return text.lower() if self.fold_case else text

    def weight(self, kind: str, label: str) -> float:
        """Return the weight of a triple.

        Parameters
        ----------
        kind : str
            A name in :data:`KINDS_OF_TRIPLES`.
        label : str
            Its predicate, role or property; of no account for constants and tops.

        Examples
        --------
        >>> rules = EdmRules("mine", roles=(("ARG*", 0.5), ("ARG1", 2.0)))
        >>> [rules.weight("argument", role) for role in ("ARG1", "ARG2", "BV")]
        [2.0, 0.5, 1.0]
        """
        one = self.classes
        if kind == "name":
            return one.names * self._of_pattern(self.predicates, label)
        if kind == "argument":
            return one.arguments * self._of_pattern(self.roles, label)
        if kind == "property":
            return one.properties * self._of_pattern(self.properties, label)
        return one.constants if kind == "constant" else one.top

    def _of_pattern(self, patterns: Patterns, label: str) -> float:
        return _last(patterns, self._folded(label), fold_case=self.fold_case)

    def to_dict(self) -> dict[str, Any]:
        """Return the rules as what JSON can hold."""
        rules = asdict(self)
        return rules | {name: [list(pair) for pair in rules[name]] for name in ("roles", "properties", "predicates")}

    @classmethod
    def from_dict(cls, rules: dict[str, Any]) -> EdmRules:
        """Make rules of what :meth:`to_dict` returns.

        Parameters
        ----------
        rules : dict
            The fields by name.

        Returns
        -------
        EdmRules
            The rules.

        Raises
        ------
        ParameterError
            If it is something else.
        """
        try:
            patterns = {
                name: tuple((str(pattern), float(weight)) for pattern, weight in rules[name])
                for name in ("roles", "properties", "predicates")
            }
            classes = ClassWeights(**{name: float(weight) for name, weight in rules["classes"].items()})
            made = cls(**{**rules, **patterns, "classes": classes})
        except (TypeError, ValueError, KeyError, AttributeError) as error:
            raise ParameterError(f"these are no rules of elementary dependency match: {error}") from None
        weights = [*asdict(classes).values(), *(one for pairs in patterns.values() for _, one in pairs)]
        switches = ("multiset", "constant_is_property", "fold_case", "turn_inverted", "count_empty_gold")
        kinds = {"name": str, "quantifier_role": str | None, **dict.fromkeys(switches, bool)}
        fits = all(isinstance(getattr(made, one), kind) for one, kind in kinds.items())
        fits = fits and made.spans in list(SPANS) and all(0 <= weight <= MOST for weight in weights)
        if not fits:
            raise ParameterError("these are no rules of elementary dependency match: a value is of another kind")
        return made

    def describe(self) -> str:
        """Return every rule in words, one a line."""
        preset = self.name.split(" with ")[0]
        lines = [f"preset {self.name}: {EDM_PRESETS.get(preset, 'weights of your own')}"]
        weights = asdict(self.classes).items()
        counting = ", ".join(name if weight == 1 else f"{name} × {weight:g}" for name, weight in weights if weight)
        lines.append(f"classes of triples that count: {counting or 'none'}")
        if not_counting := [name for name, weight in weights if not weight]:
            lines.append(f"classes that do not count: {', '.join(not_counting)}")
        for what, patterns in (("role", self.roles), ("property", self.properties), ("predicate", self.predicates)):
            lines += [f"{what} {pattern} × {weight:g}" for pattern, weight in patterns]
        if self.roles or self.properties or self.predicates:
            lines.append("of several patterns that match, the last counts")
        if self.constant_is_property:
            lines.append("a constant is a property named CARG")
        if self.quantifier_role:
            lines.append(f"the role from a quantifier to what it binds counts as {self.quantifier_role}")
        if self.fold_case:
            lines.append("capitals count as small letters in predicates, roles, properties and values")
        if self.turn_inverted:
            lines.append("an inverted role, such as ARG1-of, counts as the role in the other direction")
        if self.count_empty_gold:
            lines.append("a sentence whose gold graph is empty is scored: nothing of the parser's graph is matched")
        lines.append("a triple that occurs twice counts " + ("twice" if self.multiset else "once"))
        lines.append(SPANS[self.spans] + (", if both graphs come with their text" if self.spans == "trimmed" else ""))
        return "\n".join(lines)


@lru_cache(maxsize=1 << 16)
def _last(patterns: Patterns, name: str, *, fold_case: bool) -> float:
    """Return the weight of the last pattern that matches, 1 where none does."""
    known = ((pattern.lower() if fold_case else pattern, weight) for pattern, weight in reversed(patterns))
    return next((weight for pattern, weight in known if fnmatchcase(name, pattern)), 1.0)


EDM_PRESETS: dict[str, str] = {
    "dridan-oepen-2011": "names, arguments and properties, as in the paper",
    "pydelphin": "with constants and the top, roles as they are, as PyDelphin counts",
    "mtool": "sets of names, arguments, properties and tops in lower case, as mtool counts",
}
"""What each preset does, in one line; the first is the default."""

_RULES = {
    "dridan-oepen-2011": EdmRules("dridan-oepen-2011", quantifier_role="ARG0"),
    "pydelphin": EdmRules("pydelphin", ClassWeights(constants=1.0, top=1.0)),
    "mtool": EdmRules(
        "mtool",
        ClassWeights(top=1.0),
        multiset=False,
        constant_is_property=True,
        spans="trimmed",
        fold_case=True,
        turn_inverted=True,
        count_empty_gold=True,
    ),
}
_DEFAULT = _RULES["dridan-oepen-2011"]


def load_edm_rules(
    name: str | EdmRules | None = None, weights_file: str | Path | None = None, spans: str | None = None
) -> EdmRules:
    """Return rules by name, with the weights of a file.

    Parameters
    ----------
    name : str or EdmRules, optional
        A name in :data:`EDM_PRESETS`; by default the one that the file names, or the first.
    weights_file : str or Path, optional
        A TOML file as described above.
    spans : {"exact", "trimmed"}, optional
        How spans are compared, whatever preset and file say.

    Returns
    -------
    EdmRules
        The rules.

    Raises
    ------
    ParameterError
        If a name is unknown.
    InputError
        If the file cannot be read or says something that is not known.

    Examples
    --------
    >>> load_edm_rules("pydelphin", spans="trimmed").classes.top
    1.0
    """
    if isinstance(name, str) and name not in _RULES:
        raise ParameterError.unknown("preset", name, EDM_PRESETS)
    if spans is not None and spans not in SPANS:
        raise ParameterError.unknown("spans", spans, SPANS)
    rules = _RULES[name] if isinstance(name, str) else name
    if weights_file is not None:
        try:
            text = Path(weights_file).read_bytes().decode("utf-8-sig", "backslashreplace")
        except (OSError, ValueError) as error:  # the latter for a NUL in the path
            found = getattr(error, "strerror", None) or str(error)
            raise InputError(Problem("weights", str(weights_file), None, None, found, "a TOML file")) from None
        rules = parse_weights(text, str(weights_file), rules)
    rules = rules or _DEFAULT
    return rules if spans is None else replace(rules, spans=spans)


def parse_weights(text: str, file: str, base: EdmRules | None = None) -> EdmRules:
    r"""Return the rules that the text of a file of weights makes.

    Parameters
    ----------
    text : str
        The file.
    file : str
        Its name, for problems and for the name of the rules.
    base : EdmRules, optional
        What it changes; by default the preset that it names, or the first. Its patterns follow those of `base`.

    Raises
    ------
    InputError
        If it is no TOML, has a key that is not known, or a weight that is no number or below 0.

    Examples
    --------
    >>> parse_weights("[classes]\nproperties = 0.5", "mine.toml").classes.properties
    0.5
    """
    classes = [one.name for one in fields(ClassWeights)]
    tables = {"classes": classes, "roles": None, "properties": None, "predicates": None}
    said = read_weights(text, file, presets=EDM_PRESETS, spans=SPANS, tables=tables)
    rules = base or (_RULES[said.preset] if said.preset else _DEFAULT)
    roles, properties, predicates = (
        tuple(said.weights.get(name, {}).items()) for name in ("roles", "properties", "predicates")
    )
    return replace(
        rules,
        name=f"{rules.name} with {Path(file).name}",
        classes=replace(rules.classes, **said.weights.get("classes", {})),
        roles=rules.roles + roles,
        properties=rules.properties + properties,
        predicates=rules.predicates + predicates,
        spans=said.spans or rules.spans,
    )

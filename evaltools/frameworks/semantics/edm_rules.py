"""Which triples count in elementary dependency match, and how much: named presets, and weights from a TOML file.

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
(``*``, ``?`` and ``[…]`` as in file names, case-sensitive unless the preset folds case), or 1 if none matches. Triples
of weight 0 do not count.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field, replace
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct, ValidationError, convert, to_builtins

from evaltools.display import NamedTable
from evaltools.errors import InputError, ParameterError, Problem
from evaltools.formats.toml_files import TomlFile, choice
from evaltools.text import short_repr, significant

KINDS_OF_TRIPLES = ("name", "argument", "property", "constant", "top")
"""The classes of triples, in the order of all tables."""

SPANS: dict[str, str] = {
    "exact": "spans are compared as they are",
    "trimmed": "spans are compared without white space, and without punctuation at their edges",
}
"""How spans are compared."""

_BINDING = ("BV", "RSTR")
_MAX_WEIGHT = 1_000_000
_Weight = Annotated[float, Meta(ge=0, le=_MAX_WEIGHT, description=f"a number from 0 to {_MAX_WEIGHT:,}")]

Patterns = tuple[tuple[str, _Weight], ...]
"""Patterns and their weights; the last that matches counts."""


@dataclass(frozen=True, slots=True)
class ClassWeights:
    """A weight for each class of triples."""

    names: _Weight = 1.0  # 0: the class does not count
    arguments: _Weight = 1.0
    properties: _Weight = 1.0
    constants: _Weight = 0.0
    top: _Weight = 0.0


@dataclass(frozen=True, slots=True)
class EdmRules:
    """Which triples count, how much, and how they are compared.

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
        The role that replaces the one from a quantifier to its bound noun; None to keep ``BV`` or ``RSTR``.
    spans : {"exact", "trimmed"}
        See :data:`SPANS`.
    fold_case : bool
        Whether predicates, roles, properties, values and constants are compared in lower case.
    turn_inverted : bool
        Whether an inverted role, such as ``ARG1-of``, is compared as the role in the other direction.
    count_empty_gold : bool
        Whether a sentence whose gold graph is empty is scored: all triples of the parser's graph are then wrong.
    top_concept : bool
        In Smatch, whether the triple of the top has the concept of its node, as in smatchpp, in place of ``top``.
    repeats_multiply : bool
        In Smatch, whether a triple that occurs n and m times matches n × m times, as the program smatch counts it.
    count_tops : bool
        In SDP, whether the dependencies of tops count.
    """

    name: str
    classes: ClassWeights = field(default_factory=ClassWeights)
    roles: Patterns = ()
    properties: Patterns = ()
    predicates: Patterns = ()
    multiset: bool = True
    constant_is_property: bool = False
    quantifier_role: str | None = None
    spans: Annotated[str, choice(SPANS)] = "exact"
    fold_case: bool = False
    turn_inverted: bool = False
    count_empty_gold: bool = False
    top_concept: bool = False
    repeats_multiply: bool = False
    count_tops: bool = True

    def __repr__(self) -> str:
        return short_repr(self, f"{self.name}, spans {self.spans}")

    @property
    def is_mapped(self) -> bool:
        """Whether these are rules of Smatch, which maps nodes to each other, and does not know them by their spans."""
        return self.name == SMATCH_RULES.name

    @property
    def default_figure(self) -> str:
        """The figure that tables show: micro over all sentences."""
        return "pooled_all"

    @property
    def reading(self) -> str:
        """How files are read; rules with the same value can be applied to the same content."""
        return "with empty graphs" if self.count_empty_gold else "usual"

    def signature(self) -> list[str]:
        """Return the rules in the signature of a run."""
        if self == SMATCH_RULES:
            return [self.name]
        digest = ""
        if self.name not in EDM_PRESETS or load_edm_rules(self.name, spans=self.spans) != self:
            digest = "#" + hashlib.sha256(json.dumps(self.to_dict(), sort_keys=True).encode()).hexdigest()[:8]
        return [f"edm:{self.name}{digest}", f"spans:{self.spans}"]

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
            Its predicate, role or property; ignored for constants and tops.

        Examples
        --------
        >>> rules = EdmRules("mine", roles=(("ARG*", 0.5), ("ARG1", 2.0)))
        >>> [rules.weight("argument", role) for role in ("ARG1", "ARG2", "BV")]
        [2.0, 0.5, 1.0]
        """
        classes = self.classes
        if kind == "name":
            return classes.names * self._pattern_weight(self.predicates, label)
        if kind == "argument":
            return classes.arguments * self._pattern_weight(self.roles, label)
        if kind == "property":
            return classes.properties * self._pattern_weight(self.properties, label)
        return classes.constants if kind == "constant" else classes.top

    def _pattern_weight(self, patterns: Patterns, label: str) -> float:
        return _last_weight(patterns, self._folded(label), fold_case=self.fold_case)

    def to_dict(self) -> dict[str, Any]:
        """Return the rules as JSON types."""
        rules: dict[str, Any] = json.loads(json.dumps(asdict(self)))  # lists in place of tuples
        return rules

    @classmethod
    def from_dict(cls, rules: dict[str, Any]) -> EdmRules:
        """Build rules from the result of :meth:`to_dict`.

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
            If a field has a value of the wrong type.
        """
        try:
            return convert(rules, cls)
        except (ValidationError, UnicodeEncodeError) as error:
            raise ParameterError(f"these are not rules of elementary dependency match: {error}") from None

    def describe(self) -> str:
        """Return a description of all rules, one per line."""
        preset = self.name.split(" with ")[0]
        lines = [f"preset {self.name}: {EDM_PRESETS.get(preset, 'weights of your own')}"]
        weights = asdict(self.classes).items()
        counting = ", ".join(
            name if weight == 1 else f"{name} × {significant(weight)}" for name, weight in weights if weight
        )
        lines.append(f"classes of triples that count: {counting or 'none'}")
        if not_counting := [name for name, weight in weights if not weight]:
            lines.append(f"classes that do not count: {', '.join(not_counting)}")
        for kind, patterns in (("role", self.roles), ("property", self.properties), ("predicate", self.predicates)):
            lines += [f"{kind} {pattern} × {significant(weight)}" for pattern, weight in patterns]
        if self.roles or self.properties or self.predicates:
            lines.append("of several patterns that match, the last counts")
        if self.constant_is_property:
            lines.append("a constant is a property named CARG")
        if self.quantifier_role:
            lines.append(f"the role from a quantifier to its bound noun counts as {self.quantifier_role}")
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
def _last_weight(patterns: Patterns, name: str, *, fold_case: bool) -> float:
    """Return the weight of the last pattern that matches, 1 if none does."""
    pairs = ((pattern.lower() if fold_case else pattern, weight) for pattern, weight in reversed(patterns))
    return next((weight for pattern, weight in pairs if fnmatchcase(name, pattern)), 1.0)


EDM_PRESETS: dict[str, str] = NamedTable(
    {
        "dridan-oepen-2011": "names, arguments and properties, as in the paper",
        "pydelphin": "with constants and the top, roles as they are, as PyDelphin counts",
        "mtool": "sets of names, arguments, properties and tops in lower case, as mtool counts",
    }
)
"""Descriptions of the presets; the first is the default."""

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
SMATCH_RULES = EdmRules("smatch", ClassWeights(constants=1.0, top=1.0), fold_case=True, turn_inverted=True)
"""Every triple counts once, in lower case, and inverse roles are turned round."""


class _Classes(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The weights of classes in a file."""

    names: _Weight | None = None
    arguments: _Weight | None = None
    properties: _Weight | None = None
    constants: _Weight | None = None
    top: _Weight | None = None


def _numbers(name: str) -> Meta:
    return Meta(description=f"a table of numbers, [{name}]")


class _WeightsFile(Struct, forbid_unknown_fields=True):
    """A file of weights."""

    preset: Annotated[str, choice(EDM_PRESETS, " or ".join(EDM_PRESETS))] | None = None
    spans: Annotated[str, choice(SPANS, " or ".join(SPANS))] | None = None
    classes: Annotated[_Classes, _numbers("classes")] = _Classes()
    roles: Annotated[dict[str, _Weight], _numbers("roles")] = {}
    properties: Annotated[dict[str, _Weight], _numbers("properties")] = {}
    predicates: Annotated[dict[str, _Weight], _numbers("predicates")] = {}


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
        How spans are compared; overrides preset and file.

    Returns
    -------
    EdmRules
        The rules.

    Raises
    ------
    ParameterError
        If a name is unknown.
    InputError
        If the file cannot be read, or has an unknown key or an invalid value.

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
        except (OSError, ValueError) as error:  # ValueError: a NUL in the path
            found = getattr(error, "strerror", None) or str(error)
            raise InputError(Problem("weights", str(weights_file), None, None, found, "a TOML file")) from None
        rules = parse_weights(text, str(weights_file), rules)
    rules = rules or _DEFAULT
    return rules if spans is None else replace(rules, spans=spans)


def parse_weights(text: str, file: str, base: EdmRules | None = None) -> EdmRules:
    r"""Return the rules of a file of weights.

    Parameters
    ----------
    text : str
        The content of the file.
    file : str
        Its name, for problems and for the name of the rules.
    base : EdmRules, optional
        The rules that it changes; by default the preset that it names, or the first. Its patterns follow those of
        `base`.

    Raises
    ------
    InputError
        If it is not TOML, has an unknown key, or a weight that is not a number or below 0.

    Examples
    --------
    >>> parse_weights("[classes]\nproperties = 0.5", "mine.toml").classes.properties
    0.5
    """
    content = TomlFile(text, file, "weights", "a TOML file of weights").convert(_WeightsFile)
    rules = base or (_RULES[content.preset] if content.preset else _DEFAULT)
    return replace(
        rules,
        name=f"{rules.name} with {Path(file).name}",
        classes=replace(rules.classes, **to_builtins(content.classes)),
        roles=rules.roles + tuple(content.roles.items()),
        properties=rules.properties + tuple(content.properties.items()),
        predicates=rules.predicates + tuple(content.predicates.items()),
        spans=content.spans or rules.spans,
    )

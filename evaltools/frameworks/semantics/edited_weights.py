"""Weights of triples that are changed after a run was scored: in the URL and in a file."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields, replace
from typing import TYPE_CHECKING, Any

from evaltools.frameworks.semantics.edm.rules import EDM_PRESETS, ClassWeights, EdmRules
from evaltools.frameworks.weights import Pattern, Weights
from evaltools.text import significant

if TYPE_CHECKING:
    import pandas as pd

    from evaltools.frameworks.semantics.aligned_graphs import GraphAlignment
    from evaltools.frameworks.stored import StoredRun

__all__ = ["WEIGHTS"]

_CLASSES = tuple(field.name for field in fields(ClassWeights))
_KINDS = {"role": "roles", "property": "properties", "predicate": "predicates"}


class TripleWeights(Weights):
    """The weights of triples."""

    classes = _CLASSES
    kinds = tuple(_KINDS)

    def rules(self, meta: Mapping[str, Any]) -> EdmRules:
        """Return the rules of a run."""
        return EdmRules.from_dict(meta["edm_rules"])

    def class_weights(self, rules: EdmRules) -> dict[str, float]:
        """Return the weight of each class of triples."""
        return asdict(rules.classes)

    def patterns(self, rules: EdmRules) -> list[Pattern]:
        """Return the patterns of roles, properties and predicates."""
        return [(kind, name, weight) for kind, field in _KINDS.items() for name, weight in getattr(rules, field)]

    def with_classes(self, rules: EdmRules, weights: Mapping[str, float]) -> EdmRules:
        """Return rules with other weights of the classes."""
        return replace(rules, classes=ClassWeights(**weights))

    def with_patterns(self, rules: EdmRules, patterns: Sequence[Pattern]) -> EdmRules:
        """Return rules with other patterns."""
        by_field = {
            field: tuple((name, weight) for item, name, weight in patterns if item == kind and name and _valid(weight))
            for kind, field in _KINDS.items()
        }
        return replace(rules, **by_field)  # type: ignore[arg-type]

    def written(self, rules: EdmRules, usual: EdmRules) -> dict[str, str | None]:
        """Return ``classes`` and ``patterns`` for the URL, None where they are those of the run."""
        classes = "~".join(significant(weight, 12) for weight in asdict(rules.classes).values())
        patterns = self.patterns(rules)
        rows = [(kind, name, int(weight) if weight % 1 == 0 else weight) for kind, name, weight in patterns]
        return {
            "classes": None if rules.classes == usual.classes else classes,
            "patterns": None
            if patterns == self.patterns(usual)
            else json.dumps(rows, ensure_ascii=False, separators=(",", ":")),
        }

    def read(self, usual: EdmRules, classes: str, patterns: str) -> EdmRules:
        """Return the rules in the URL; invalid parts are as in the run.

        Examples
        --------
        >>> WEIGHTS.read(EdmRules("mine"), "1~1~0.5~0~0", '[["role","ARG*",2]]').weight("argument", "ARG1")
        2.0
        """
        rules = usual
        try:
            weights = [float(part) for part in classes.split("~")] if classes else []
        except ValueError:
            weights = []
        if len(weights) == len(_CLASSES) and all(map(_valid, weights)):
            rules = self.with_classes(rules, dict(zip(_CLASSES, weights, strict=True)))
        try:
            rows = [(str(kind), str(name), float(weight)) for kind, name, weight in json.loads(patterns)]
        except (ValueError, TypeError, RecursionError):
            return rules
        return self.with_patterns(rules, rows)

    def file(self, rules: EdmRules) -> str:
        """Return the weights as the file that ``evaltools score --weights`` reads.

        Examples
        --------
        >>> print(WEIGHTS.file(EdmRules("mine", roles=(("ARG*", 2.0),))).split("[roles]")[1].strip())
        "ARG*" = 2
        """
        preset = rules.name.split(" with ")[0]
        lines = [f"preset = {_quoted(preset)}"] if preset in EDM_PRESETS else []
        lines += [f"spans = {_quoted(rules.spans)}", "", "[classes]"]
        lines += [f"{name} = {significant(weight, 12)}" for name, weight in asdict(rules.classes).items()]
        for field in _KINDS.values():
            pairs: dict[str, float] = {}
            for name, weight in getattr(rules, field):  # a key occurs once in TOML: at its last position
                pairs.pop(name, None)
                pairs[name] = weight
            if pairs:
                lines += [
                    "",
                    f"[{field}]",
                    *(f"{_quoted(name)} = {significant(weight, 12)}" for name, weight in pairs.items()),
                ]
        return "\n".join(lines) + "\n"

    def identity(self, rules: EdmRules) -> str:
        """Return the rules as JSON."""
        return json.dumps(rules.to_dict(), sort_keys=True)

    def sentences(self, run: StoredRun, rules: EdmRules) -> pd.DataFrame:
        """Return the counts of every sentence under other weights."""
        from evaltools.frameworks.semantics.edm.reweighting import reweighted_sentences

        return reweighted_sentences(run, rules)

    def align(self, alignment: GraphAlignment, rules: EdmRules) -> GraphAlignment:
        """Return the graphs aligned under other weights."""
        from evaltools.frameworks.semantics.alignment import align_graphs

        return align_graphs(alignment.gold, alignment.test, rules)


def _valid(weight: float) -> bool:
    return math.isfinite(weight) and 0 <= weight <= Weights.maximum


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


WEIGHTS = TripleWeights()
"""The weights of triples."""

"""What counts in Smatch, in the terms of the rules of triples."""

from __future__ import annotations

from evaltools.frameworks.semantics.edm.rules import ClassWeights, EdmRules

__all__ = ["DESCRIPTION", "SMATCH_RULES"]

SMATCH_RULES = EdmRules("smatch", ClassWeights(constants=1.0, top=1.0), fold_case=True, turn_inverted=True)
"""Every triple counts once, in lower case, and inverse roles are turned round."""

DESCRIPTION = "\n".join(
    (
        "smatch: nodes are mapped one to one so that as many triples as possible are equal; integer linear programming "
        "proves the mapping optimal",
        "triples that count: concepts, relations, attributes and the top",
        "an inverse role, such as ARG1-of, counts as the role in the other direction, and mod as the inverse of domain",
        "capitals, quotes, and underscores at the end of a name make no difference",
        "a triple that occurs twice counts twice",
    )
)
"""The rules in words, one a line."""

"""Which rules give errors their types: the reader's choice, kept in the URL for all pages."""

from __future__ import annotations

from evaltools.analysis.error_types import BUNDLED_RULES, RuleSet, bundled_rules
from evaltools.ui import state
from evaltools.ui.pickers import choice_picker

__all__ = ["chosen_rules", "rules_name", "rules_note", "rules_picker"]

_DEFAULT = next(iter(BUNDLED_RULES))


def rules_name() -> str:
    """Return the name of the chosen rules."""
    name = state.get("rules", _DEFAULT)
    return name if name in BUNDLED_RULES else _DEFAULT


def chosen_rules() -> RuleSet:
    """Return the chosen rules."""
    return bundled_rules(rules_name())


def rules_note() -> str:
    """Return a sentence that names the rules; empty for those used by default."""
    return "" if rules_name() == _DEFAULT else f" Rules of the error types: {BUNDLED_RULES[rules_name()]}."


def rules_picker() -> None:
    """Let the reader choose the rules."""
    choice_picker(
        "Rules of error types",
        list(BUNDLED_RULES),
        name="rules",
        default=_DEFAULT,
        titles=BUNDLED_RULES,
        help="as published: the decisions of the program of Kummerfeld et al. (2012); wider label sets: also WHPP, NX, "
        "NML, NAC, SQ, SBARQ, CONJP, particles and others",
    )

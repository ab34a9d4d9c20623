"""The conventions of figures about graphs: EDM, Smatch, and labeled dependencies of words.

The settings of graphs have rules of EDM or of Smatch in the place of a preset.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from evaltools.frameworks.conventions import READINGS, Convention, Dimension, Setting, other_metrics, other_rules
from evaltools.frameworks.semantics.edm import METRICS as EDM_METRICS
from evaltools.frameworks.semantics.edm_rules import EDM_PRESETS, EdmRules, load_edm_rules
from evaltools.frameworks.semantics.sdp import METRICS as SDP_METRICS
from evaltools.frameworks.semantics.smatch import METRICS as SMATCH_METRICS

_METRICS = {metric.id: metric for metric in (*EDM_METRICS, *SDP_METRICS, *SMATCH_METRICS)}
_QUANTITIES = ("", "_precision", "_recall")
_PARTS = {
    "pydelphin": ("bound", "constants", "top"),
    "mtool": ("trimmed", "bound", "top", "once", "folded"),
}


def _classes(**weights: float) -> Callable[[Setting], Setting]:
    """Return the change of a setting by the weights of some classes of triples."""

    def change(setting: Setting) -> Setting:
        rules: EdmRules = setting.preset
        return replace(setting, preset=replace(rules, classes=replace(rules.classes, **weights)))

    return change


def _preset(name: str) -> Callable[[Setting], Setting]:
    new = load_edm_rules(name)
    return lambda setting: setting if setting.preset.name == name else replace(setting, preset=new)


def _metrics(old: str, new: str) -> Callable[[Setting], Setting]:
    """Return the change of a setting by another figure in the place of one, or of its precision or recall."""
    pairs = {old + quantity: new + quantity for quantity in _QUANTITIES}
    return other_metrics({name: _METRICS[other] for name, other in pairs.items() if other in _METRICS})


def _parts(texts: Mapping[str, str]) -> Dimension:
    """Return the conventions that only some classes of triples count."""
    return tuple(Convention(name, f"only {text} count", _metrics("edm", f"edm_{name}")) for name, text in texts.items())


def _marked_top(setting: Setting) -> Setting:
    return _classes(top=1.0)(other_rules(top_concept=False)(setting))


_EDM: tuple[Dimension, ...] = (
    tuple(Convention(f"preset-{name}", f"preset {name}", _preset(name), _PARTS.get(name, ())) for name in EDM_PRESETS),
    (
        Convention("exact", "spans are compared as they are", other_rules(spans="exact")),
        Convention("trimmed", "spans are compared without punctuation at their edges", other_rules(spans="trimmed")),
    ),
    (
        Convention("bound", "the role from a quantifier to its noun is kept", other_rules(quantifier_role=None)),
        Convention("arg0", "the role from a quantifier to its noun is ARG0", other_rules(quantifier_role="ARG0")),
    ),
    (
        Convention("constants", "constants count as triples", _classes(constants=1.0)),
        Convention("no-constants", "constants do not count as triples", _classes(constants=0.0)),
    ),
    (
        Convention("top", "the top counts", _classes(top=1.0)),
        Convention("no-top", "the top does not count", _classes(top=0.0)),
    ),
    (
        Convention("each", "a triple that occurs twice counts twice", other_rules(multiset=True)),
        Convention("once", "a triple that occurs twice counts once", other_rules(multiset=False)),
    ),
    (
        Convention("cased", "capitals differ from small letters", other_rules(fold_case=False)),
        Convention("folded", "capitals are small letters", other_rules(fold_case=True)),
    ),
    (Convention("half", "properties have half the weight", _classes(properties=0.5)),),
    _parts({"na": "names and arguments", "n": "names", "a": "arguments", "p": "properties"}),
    *READINGS,
)

_SMATCH: tuple[Dimension, ...] = (
    (
        Convention("top", "the top counts, as in smatch 1.0.4", _marked_top),
        Convention("top-concept", "the top counts with its concept, as in smatchpp", other_rules(top_concept=True)),
        Convention("no-top", "the top does not count", _classes(top=0.0)),
    ),
    (
        Convention("once", "a triple that occurs twice counts once", other_rules(multiset=False)),
        Convention(
            "repeats-multiply",
            "triples that occur twice match four times, as in smatch",
            other_rules(repeats_multiply=True),
        ),
    ),
    (
        Convention("unlabeled", "roles are ignored", _metrics("smatch", "smatch_unlabeled")),
        Convention("no-senses", "senses of predicates are ignored", _metrics("smatch", "smatch_no_senses")),
        Convention("concepts", "only concepts count", _metrics("smatch", "smatch_concepts")),
    ),
    *READINGS,
)

_SDP: tuple[Dimension, ...] = (
    (Convention("no-top", "the tops do not count", other_rules(count_tops=False)),),
    (Convention("unlabeled", "labels are ignored", _metrics("sdp", "sdp_unlabeled")),),
    *READINGS,
)

CONVENTIONS: dict[str, tuple[Dimension, ...]] = {"mrs": _EDM, "sdp": _SDP, "amr": _SMATCH}
"""The conventions of each framework, in the order in which they are applied."""

"""The conventions of bracketing scores.

A preset that follows evalb stays what a parameter file can say, so that evalb itself can confirm the figure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from evaltools.corpus.folding import NO_WORDS
from evaltools.frameworks.constituency.bracketing import METRICS, metric_id
from evaltools.frameworks.constituency.normalization import ROOTS
from evaltools.frameworks.conventions import READINGS, Convention, Dimension, Setting, other_metrics, other_rules
from evaltools.frameworks.figures import average_of, figure_over, over_of
from evaltools.frameworks.presets import Preset, load_preset, preset_from_parameters

_EVALB = "evalb: no score if words differ after deletions"
_PRESETS = {
    "standard": "preset standard",
    "collins": f"preset collins ({_EVALB})",
    "new": f"preset new ({_EVALB})",
    "proper": "preset proper (disco-dop)",
    "none": "preset none (trees as they are)",
}
_PARTS = {
    "collins": ("same-words", "root"),
    "new": ("same-words", "root"),
    "none": ("root", "functions", "punctuation", "empty", "prt"),
}
_RARE = ("new", "proper")
"""Presets that papers hardly change, so that they are not combined."""
_STANDARD, _PROPER = load_preset("standard"), load_preset("proper")
_PUNCTUATION = (_STANDARD.delete_tags | _PROPER.delete_tags | {"?", "!"}) - NO_WORDS
_SAME_LABELS = {"PRT": "ADVP"}
_PARTICLE_LINES = frozenset({("EQ_LABEL", "ADVP", "PRT"), ("EQ_LABEL", "PRT", "ADVP")})
_METRICS = ("f1", "recall", "precision", "jaccard")

Change = Callable[[Preset], Preset]


def _deleted(labels: Iterable[str]) -> frozenset[tuple[str, ...]]:
    """Return the lines of a parameter file that delete some labels, as their fields."""
    return frozenset(("DELETE_LABEL", label) for label in labels)


def _with_lines(preset: Preset, added: Iterable[tuple[str, ...]], removed: frozenset[tuple[str, ...]]) -> Preset:
    """Return a preset that follows evalb with some lines added to its parameter file, and others removed."""
    lines = preset.source.splitlines()
    left = [line for line in lines if tuple(line.split()) not in removed]
    known = {tuple(line.split()) for line in lines}
    left += [" ".join(line) for line in sorted(added) if line not in known]
    if left == lines:
        return preset
    changed = preset_from_parameters(preset.name, "\n".join(left), preset.name)
    return replace(changed, multiword_only=preset.multiword_only)


def _rules(
    change: Change, added: Iterable[tuple[str, ...]] = (), removed: frozenset[tuple[str, ...]] = frozenset()
) -> Callable[[Setting], Setting]:
    """Return the change of a setting by a change of its preset, or of the parameter file that the preset follows."""

    def apply(setting: Setting) -> Setting:
        preset = setting.preset
        changed = change(preset) if preset.evalb is None else _with_lines(preset, added, removed)
        return replace(setting, preset=changed)

    return apply


def _preset(name: str) -> Callable[[Setting], Setting]:
    def change(setting: Setting) -> Setting:
        old, new = setting.preset, load_preset(name)
        if old.name == name or (new.evalb is not None and old.label_map):
            return setting
        new = replace(new, multiword_only=old.multiword_only, label_map=old.label_map)
        figure = figure_over(average_of(setting.reading.figure), over_of(new.default_figure))
        return replace(setting, preset=new).read(figure=figure, same_words=False)

    return change


def _root_counts(preset: Preset) -> Preset:
    return replace(preset, delete_top=frozenset(), delete_labels=preset.delete_labels - ROOTS)


def _no_root(preset: Preset) -> Preset:
    is_deleted = preset.delete_top or preset.delete_labels & ROOTS
    return preset if is_deleted else replace(preset, delete_top=_STANDARD.delete_top)


def _no_punctuation(preset: Preset) -> Preset:
    if preset.delete_tags & _PUNCTUATION:
        return preset
    return replace(preset, delete_tags=preset.delete_tags | _STANDARD.delete_tags, drop_empty=True)


def _punctuation_counts(preset: Preset) -> Preset:
    return replace(preset, delete_tags=preset.delete_tags - _PUNCTUATION, delete_words=frozenset())


def _empty_elements_count(preset: Preset) -> Preset:
    return replace(preset, empty_tags=frozenset(), delete_tags=preset.delete_tags - NO_WORDS)


def _no_empty_elements(preset: Preset) -> Preset:
    is_deleted = preset.empty_tags or preset.delete_tags & NO_WORDS
    return preset if is_deleted else replace(preset, empty_tags=NO_WORDS)


def _particles_apart(preset: Preset) -> Preset:
    return replace(preset, relabel={old: new for old, new in preset.relabel.items() if old not in _SAME_LABELS})


def _particles_are_adverbs(preset: Preset) -> Preset:
    return replace(preset, relabel=preset.relabel | _SAME_LABELS)


def _without_brackets(**rules: bool) -> Callable[[Setting], Setting]:
    """Return the change of a preset by rules that parameter files of evalb do not have."""
    change = other_rules(**rules)
    return lambda setting: setting if setting.preset.evalb is not None else change(setting)


def _other_metric(part: str, suffix: str) -> Callable[[Setting], Setting]:
    known = {metric.id: metric for metric in METRICS}
    return other_metrics({name: known[metric_id(name, part, suffix)] for name in _METRICS})


_ROOT_LINES, _PUNCTUATION_LINES, _EMPTY_LINES = map(_deleted, (ROOTS, _PUNCTUATION, NO_WORDS))

CONVENTIONS: tuple[Dimension, ...] = (
    tuple(
        Convention(f"preset-{name}", words, _preset(name), _PARTS.get(name, ()), name not in _RARE)
        for name, words in _PRESETS.items()
    ),
    (
        Convention("root", "the root label counts as a bracket", _rules(_root_counts, removed=_ROOT_LINES)),
        Convention("no-root", "the root label does not count", _rules(_no_root, _ROOT_LINES)),
    ),
    (
        Convention("functions", "function tags are kept", _rules(lambda preset: replace(preset, cut="none"))),
        Convention("no-functions", "function tags are cut", _rules(lambda preset: replace(preset, cut="functions"))),
    ),
    (
        Convention("punctuation", "punctuation counts", _rules(_punctuation_counts, removed=_PUNCTUATION_LINES)),
        Convention(
            "no-punctuation", "punctuation does not count", _rules(_no_punctuation, _deleted(_STANDARD.delete_tags))
        ),
    ),
    (
        Convention("empty", "empty elements count", _rules(_empty_elements_count, removed=_EMPTY_LINES)),
        Convention("no-empty", "empty elements do not count", _rules(_no_empty_elements, _deleted(["-NONE-"]))),
    ),
    (
        Convention(
            "prt", "PRT and ADVP are two labels", _rules(_particles_apart, removed=_PARTICLE_LINES), combined=False
        ),
        Convention(
            "prt-advp",
            "PRT counts as ADVP",
            _rules(_particles_are_adverbs, [("EQ_LABEL", "ADVP", "PRT")]),
            combined=False,
        ),
    ),
    (
        Convention("multiword", "brackets over one word do not count", other_rules(multiword_only=True)),
        Convention(
            "inner", "brackets over the whole sentence do not count", _without_brackets(inner_only=True), combined=False
        ),
        Convention(
            "nontrivial",
            "brackets over one word or the whole sentence do not count",
            _without_brackets(inner_only=True, multiword_only=True),
            combined=False,
        ),
        Convention(
            "chain-top",
            "of a unary chain only the top bracket counts",
            _without_brackets(chain_top_only=True),
            combined=False,
        ),
    ),
    (
        Convention("tags", "POS tags count as brackets", _other_metric("whole", "")),
        Convention("unlabeled", "labels are ignored", _other_metric("roof", "_unlabeled")),
    ),
    *READINGS,
)
"""The conventions, in the order in which they are applied."""

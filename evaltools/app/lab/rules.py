"""Rules of the lab that the reader can change: preset, equal labels, costs of LA."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property

import streamlit as st

from evaltools import align
from evaltools.app.session import state
from evaltools.app.widgets.saving import Origin, made_here
from evaltools.corpus import Kind, Tree
from evaltools.errors import ParameterError
from evaltools.frameworks.common.lineages import CostTable
from evaltools.frameworks.constituency.aligned_trees import Alignment
from evaltools.frameworks.presets import Preset, load_preset

PARTS = {"roof": "phrases only", "whole": "incl. POS tags"}
"""Which brackets E counts."""

_PRESETS = {
    "none": "none: the trees as they are",
    "standard": "standard: without punctuation, functions cut",
    "collins": "COLLINS.prm, as evalb applies it",
    "new": "new.prm, as evalb applies it",
}
_ANY, _INITIAL = 2.0, 0.5


@dataclass(frozen=True)
class Choices:
    """The reader's rules: preset, equal labels and costs."""

    preset: str = "none"  # Name of the preset
    part: str = "roof"  # Which brackets E counts
    classes: tuple[tuple[str, ...], ...] = ()  # Labels that count as equal; the first one names the class
    any_cost: float = _ANY  # Cost in LA of replacing a label by any other label, and by one with the same first letter
    initial_cost: float = _INITIAL
    tags: bool = False  # Whether lineages include the tags of words

    @property
    def has_costs(self) -> bool:
        """Whether the costs are neither those of the exact score nor those of the graded one."""
        return (self.any_cost, self.initial_cost) not in ((_ANY, _INITIAL), (_ANY, _ANY))

    @property
    def n_changed(self) -> int:
        """Number of choices that differ from the default."""
        defaults = Choices()
        return sum(getattr(self, field.name) != getattr(defaults, field.name) for field in fields(self))

    @cached_property
    def rules(self) -> Preset:
        """The preset."""
        return load_preset(self.preset)

    def equated(self, tree: Tree) -> Tree:
        """Return a tree in which labels of one class are the same.

        Examples
        --------
        >>> str(Choices(classes=(("NP", "NX"),)).equated(Tree.from_string("(NX (N dogs))")))
        '(NP (N dogs))'
        """
        names = {label: item[0] for item in self.classes for label in item}
        if not names:
            return tree
        labels = (
            label
            if kind is Kind.WORD
            else names.get(label, names.get(self.rules.cut_label(label) if kind is Kind.PHRASE else label, label))
            for label, kind in zip(tree.labels, tree.kinds, strict=True)
        )
        return replace(tree, labels=tuple(labels))

    def costs(self, *trees: Tree) -> CostTable:
        """Return the replacement costs of the labels of some trees."""
        labels = {label for tree in trees for label, kind in zip(tree.labels, tree.kinds, strict=True) if kind < 2}
        labels |= {self.rules.cut_label(label) for label in labels}
        return CostTable(
            {
                (first, second): self.initial_cost if first[:1] == second[:1] else self.any_cost
                for first in labels
                for second in labels
                if first < second
            }
        )

    def align(self, gold: Tree, test: Tree) -> Alignment:
        """Align two trees under these choices."""
        upper, lower = self.equated(gold), self.equated(test)
        return align(upper, lower, self.rules, la_preterminals=self.tags, la_table=self.costs(upper, lower))


def lab_origin(choices: Choices) -> Origin:
    """Return where the pictures and tables of the lab come from, for files."""
    others = f", {choices.n_changed} changed settings of the lab" if choices.n_changed else ""
    return made_here("lab", f"two trees of the metric lab{others}", choices.preset)


def read_classes(text: str) -> tuple[tuple[str, ...], ...]:
    """Read classes of labels: labels that count as equal have blanks between them, classes semicolons.

    Examples
    --------
    >>> read_classes("NP NX; S SBAR SQ")
    (('NP', 'NX'), ('S', 'SBAR', 'SQ'))
    """
    classes = tuple(tuple(dict.fromkeys(part.replace("=", " ").split())) for part in text.split(";"))
    classes = tuple(item for item in classes if len(item) > 1)
    labels = [label for item in classes for label in item]
    for label in labels:
        if labels.count(label) > 1:
            raise ParameterError(f"{label} is in two classes")
    return classes


def _number(name: str, default: float) -> float:
    try:
        return min(max(round(float(state.get(name)), 1), 0.1), 2.0)
    except ValueError:
        return default


def current_choices() -> Choices:
    """Return the choices in the URL."""
    preset, part = state.get("lab_preset", "none"), state.get("lab_part", "roof")
    try:
        classes = read_classes(state.get("lab_equal"))
    except ParameterError:
        classes = ()
    return Choices(
        preset if preset in _PRESETS else "none",
        part if part in PARTS else "roof",
        classes,
        _number("lab_any", _ANY),
        _number("lab_initial", _INITIAL),
        state.get("lab_tags") == "1",
    )


def choose(choices: Choices) -> None:
    """Draw the controls of the rules."""
    st.selectbox(
        "Preset",
        list(_PRESETS),
        format_func=_PRESETS.__getitem__,
        **state.bind("lab_preset", choices.preset, "none"),
    )
    st.segmented_control(
        "Brackets counted (E)",
        list(PARTS),
        format_func=PARTS.__getitem__,
        required=True,
        **state.bind("lab_part", choices.part, "roof"),
    )
    st.text_input(
        "Equal labels",
        placeholder="NP NX; S SBAR SQ",
        help="Separate labels of a class by blanks, classes by semicolons.",
        **state.bind("lab_equal", state.get("lab_equal"), ""),
    )
    try:
        read_classes(state.get("lab_equal"))
    except ParameterError as error:
        st.code(str(error), language=None, wrap_lines=True)
    st.slider(
        "LA: cost of replacing a label",
        0.1,
        2.0,
        step=0.1,
        help="2: as much as deleting one label and inserting the other (exact score).",
        **state.bind("lab_any", choices.any_cost, _ANY),
    )
    st.slider(
        "LA: … with the same first letter",
        0.1,
        2.0,
        step=0.1,
        help="0.5: the partial credit of Sampson and Babarczy (graded score).",
        **state.bind("lab_initial", choices.initial_cost, _INITIAL),
    )
    st.toggle("LA: lineages include tags", **state.bind("lab_tags", choices.tags, False, write=int))
    if choices.n_changed:
        st.button("Reset settings", icon=":material/restart_alt:", on_click=_reset, type="tertiary")


def _reset() -> None:
    names = ("preset", "part", "equal", "any", "initial", "tags")
    state.put(**{f"lab_{name}": None for name in names})

"""What if: other costs in lineages, labels that count as equal, other rules; the scores follow."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import streamlit as st

from evaltools.errors import ParameterError
from evaltools.metrics.alignment import align
from evaltools.metrics.leaf_ancestor import CostTable
from evaltools.metrics.mapping import Alignment
from evaltools.normalize import Preset, load_preset
from evaltools.treebank import Kind, Tree
from evaltools.ui.session import state
from evaltools.ui.widgets.saving import Origin, made_here

__all__ = ["PARTS", "Choices", "choose", "current_choices", "lab_origin"]

PARTS = {"roof": "roof: phrases only", "whole": "whole: tags as well"}
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
    """What counts, and what it costs.

    Parameters
    ----------
    preset : str
        Name of the preset.
    part : {"roof", "whole"}
        Which brackets E counts.
    classes : tuple of tuple of str
        Labels that count as equal; each class is called by its first.
    any_cost, initial_cost : float
        What LA takes for replacing a label by any other, and by one with the same first character.
    tags : bool
        Whether lineages include the tags of words.
    """

    preset: str = "none"
    part: str = "roof"
    classes: tuple[tuple[str, ...], ...] = ()
    any_cost: float = _ANY
    initial_cost: float = _INITIAL
    tags: bool = False

    @property
    def has_costs(self) -> bool:
        """Whether the costs are neither those of the strict scheme nor those of partial credit."""
        return (self.any_cost, self.initial_cost) not in ((_ANY, _INITIAL), (_ANY, _ANY))

    @property
    def n_changed(self) -> int:
        """How many choices are not what they are at first."""
        plain = Choices()
        names = ("preset", "part", "classes", "any_cost", "initial_cost", "tags")
        return sum(getattr(self, name) != getattr(plain, name) for name in names)

    @cached_property
    def rules(self) -> Preset:
        """The preset."""
        return load_preset(self.preset)

    def equated(self, tree: Tree) -> Tree:
        """Return a tree in which labels of one class are the same.

        Parameters
        ----------
        tree : Tree
            The tree.

        Examples
        --------
        >>> str(Choices(classes=(("NP", "NX"),)).equated(Tree.from_string("(NX (N dogs))")))
        '(NP (N dogs))'
        """
        names = {label: one[0] for one in self.classes for label in one}
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
        """Return the replacement costs of the labels of some trees.

        Parameters
        ----------
        *trees : Tree
            The trees.
        """
        labels = {label for tree in trees for label, kind in zip(tree.labels, tree.kinds, strict=True) if kind < 2}
        labels |= {self.rules.cut_label(label) for label in labels}
        return CostTable(
            {
                (one, other): self.initial_cost if one[:1] == other[:1] else self.any_cost
                for one in labels
                for other in labels
                if one < other
            }
        )

    def align(self, gold: Tree, test: Tree) -> Alignment:
        """Align two trees under these choices.

        Parameters
        ----------
        gold, test : Tree
            The trees as they are.
        """
        upper, lower = self.equated(gold), self.equated(test)
        return align(upper, lower, self.rules, la_preterminals=self.tags, la_table=self.costs(upper, lower))


def lab_origin(choices: Choices) -> Origin:
    """Return where the pictures and tables of the lab come from, for files.

    Parameters
    ----------
    choices : Choices
        What counts.
    """
    others = f", {choices.n_changed} of the choices of the lab not as at first" if choices.n_changed else ""
    return made_here("lab", f"two trees of the metric lab{others}", choices.preset)


def read_classes(text: str) -> tuple[tuple[str, ...], ...]:
    """Read classes of labels: labels that count as equal have blanks between them, classes semicolons.

    Parameters
    ----------
    text : str
        Such as ``NP NX; S SBAR``.

    Raises
    ------
    ParameterError
        If a label is in two classes.

    Examples
    --------
    >>> read_classes("NP NX; S SBAR SQ")
    (('NP', 'NX'), ('S', 'SBAR', 'SQ'))
    """
    classes = tuple(tuple(dict.fromkeys(part.replace("=", " ").split())) for part in text.split(";"))
    classes = tuple(one for one in classes if len(one) > 1)
    labels = [label for one in classes for label in one]
    for label in labels:
        if labels.count(label) > 1:
            raise ParameterError(f"{label} stands in two classes")
    return classes


def _number(name: str, default: float) -> float:
    try:
        return min(max(round(float(state.get(name)), 1), 0.1), 2.0)
    except ValueError:
        return default


def current_choices() -> Choices:
    """Return the choices that the link says."""
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
    """Let the reader change what counts.

    Parameters
    ----------
    choices : Choices
        What counts now.
    """
    st.selectbox(
        "Preset",
        list(_PRESETS),
        format_func=lambda one: _PRESETS[one],
        **state.bind("lab_preset", choices.preset, "none"),
    )
    st.segmented_control(
        "Brackets that E counts",
        list(PARTS),
        format_func=lambda one: PARTS[one],
        required=True,
        **state.bind("lab_part", choices.part, "roof"),
    )
    st.text_input(
        "Labels that count as equal",
        placeholder="NP NX; S SBAR SQ",
        help="Labels of a class have blanks between them, classes have semicolons.",
        **state.bind("lab_equal", state.get("lab_equal"), ""),
    )
    try:
        read_classes(state.get("lab_equal"))
    except ParameterError as error:
        st.code(str(error), language=None, wrap_lines=True)
    st.slider(
        "LA: to replace a label by another costs",
        0.1,
        2.0,
        step=0.1,
        help="2 is as much as to delete one and insert the other: the strict scheme.",
        **state.bind("lab_any", choices.any_cost, _ANY),
    )
    st.slider(
        "LA: … by one with the same first letter",
        0.1,
        2.0,
        step=0.1,
        help="0.5 is the partial credit of Sampson and Babarczy.",
        **state.bind("lab_initial", choices.initial_cost, _INITIAL),
    )
    st.toggle("LA: lineages include tags", **state.bind("lab_tags", choices.tags, False, write=int))
    if choices.n_changed:
        st.button("As it was at first", icon=":material/restart_alt:", on_click=_forget, type="tertiary")


def _forget() -> None:
    names = ("preset", "part", "equal", "any", "initial", "tags")
    state.put(**{f"lab_{name}": None for name in names})

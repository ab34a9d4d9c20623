"""T step by step: the canonical mapping, the edit script with its costs, the formulas, and another cheapest mapping."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from evaltools.alignments.trees import Alignment
from evaltools.drawing.blocks import Block, formulas, note, picture, steps
from evaltools.frameworks.constituency.tree_distance import edit_cost
from evaltools.frameworks.constituency.tree_distance.alternatives import MAX_PAIRS, Alternative, alternative_mapping
from evaltools.frameworks.constituency.views import mapping_drawing, tree_panels
from evaltools.frameworks.constituency.wording import formula_rows, script_note
from evaltools.frameworks.presets import Preset
from evaltools.text import significant
from evaltools.ui.components.alignment_viewer import show_panels
from evaltools.ui.components.blocks import show_blocks
from evaltools.ui.lab.titles import both_trees, titled_panels
from evaltools.ui.lab.what_if import Choices, lab_origin
from evaltools.ui.session import state
from evaltools.ui.widgets.saving import Origin

__all__ = ["show_distance"]


def show_distance(alignment: Alignment, choices: Choices) -> None:
    """Show the T-mapping, what it costs, and the formulas with the numbers put in."""
    origin = lab_origin(choices)
    script = alignment.t.steps
    value = state.get("lab_step")
    place = int(value[1:]) if value[:1] == "t" and value[1:].isdecimal() and len(value) < 7 else None
    chosen = place if place is not None and place < len(script) else None
    highlight = None if chosen is None else (script[chosen].gold, script[chosen].test)
    show_blocks(
        note(
            "A mapping pairs nodes of the two trees and keeps their order and ancestry. A gold "
            "node that is not mapped is missing (deleted), a test node that is not mapped is spurious (inserted), a "
            "node mapped to another label is relabeled: each costs 1. The cheapest mapping counts."
        ),
        key="lab_t_says",
    )
    row = titled_panels(tree_panels(alignment, mappings=("t",), fold=False, highlight=highlight))
    show_panels(row, key="lab_t_viewer", origin=origin)
    rows = formula_rows(alignment)
    begin = next(place for place, row in enumerate(rows) if row[0] == "T-mapping: tree-edit alignment")
    end = next(place for place, row in enumerate(rows) if row[0] == "Leaf-ancestor")
    cost = edit_cost(alignment)
    show_blocks(
        note(f"{script_note('t', len(script))} The total cost is {significant(cost)}."),
        steps([(step.status.value, step.text) for step in script], chosen=chosen, title="Edit script"),
        formulas(rows[begin:end], "The formulas with these numbers"),
        key="lab_t_steps",
        on_step=lambda place: state.put(lab_step=f"t{place}"),
        origin=origin,
    )
    show_blocks(*_another(alignment, choices.rules, origin), key="lab_t_other", origin=origin)


_REASONS = {
    "matches": "The canonical one matches more nodes: {canonical_matched} instead of {matched}.",
    "kinds": (
        "Both match {matched} nodes. The canonical one pairs more tags with tags and phrases with phrases: "
        "{canonical_kinds} instead of {kinds}."
    ),
    "spans": (
        "Both match {matched} nodes. The canonical one pairs more nodes over the same words: {canonical_spans} instead "
        "of {spans}."
    ),
    "order": (
        "Both match {matched} nodes and pair {spans} nodes over the same words, so all scores are equal. A fixed rule "
        "selects the canonical one: from the root downwards, mapping is preferred to deletion, and deletion to "
        "insertion."
    ),
}


@st.cache_resource(max_entries=128, show_spinner=False)
def _alternative(trees: tuple[str, str], preset: str, _alignment: Alignment, _preset: Preset) -> Alternative | None:
    return alternative_mapping(_alignment, _preset)


def _another(alignment: Alignment, preset: Preset, origin: Origin) -> list[Block]:
    """Show another cheapest mapping, and say why it was not taken."""
    heading = "Another mapping of the same cost"
    if not alignment.t.steps or alignment.status == "missing":
        return []
    if len(alignment.gold) * len(alignment.test) > MAX_PAIRS:
        return [note("The trees are too large to search for another mapping of the same cost.")]
    trees = tuple(f"{tree.to_string()} {tree.kinds}" for tree in (alignment.gold, alignment.test))
    found = _alternative((trees[0], trees[1]), preset.name, alignment, preset)
    if found is None:
        return [note("The canonical mapping is the only one of this cost.")]
    names = ("cost", "canonical_matched", "matched", "canonical_kinds", "kinds", "canonical_spans", "spans")
    reason = _REASONS[found.reason].format(**{name: getattr(found, name) for name in names})
    other = replace(alignment, t=found.mapping)
    drawing = replace(mapping_drawing(other, "t", fold=False), title=heading, heading=heading, suffix="other-t")
    files = both_trees(drawing)
    return [
        picture(drawing.draw(theme="auto", legend=False), files.heading, files=files),
        note(f"Its cost is also {found.cost}. {reason}"),
        steps([(step.status.value, step.text) for step in found.mapping.steps], title="Its edit script"),
    ]

"""T step by step: the canonical mapping, the edit script with its costs, the formulas, and another cheapest mapping."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from evaltools.drawing import draw
from evaltools.metrics.alternative_mapping import MOST_PAIRS, Alternative, alternative_mapping
from evaltools.metrics.mapping import Alignment
from evaltools.normalize import Preset
from evaltools.publishing.drawings import alignment_picture
from evaltools.ui.components.alignment_viewer import alignment_viewer
from evaltools.ui.components.plain import Block, formulas, note, picture, plain, steps
from evaltools.ui.lab.what_if import Choices, lab_origin
from evaltools.ui.session import state
from evaltools.ui.widgets.saving import Origin
from evaltools.ui.wording.trees import formula_rows, script_note

__all__ = ["show_distance"]


def show_distance(alignment: Alignment, choices: Choices) -> None:
    """Show the T-mapping, what it costs, and the formulas with the numbers put in."""
    origin = lab_origin(choices)
    script = alignment.t.steps
    said = state.get("lab_step")
    place = int(said[1:]) if said[:1] == "t" and said[1:].isdecimal() and len(said) < 7 else None
    chosen = place if place is not None and place < len(script) else None
    highlight = None if chosen is None else (script[chosen].gold, script[chosen].test)
    plain(
        note(
            "A mapping pairs nodes of the two trees and keeps left and right, above and below. What is not "
            "mapped is deleted or inserted, what is mapped to another label is swapped: each costs 1. The cheapest "
            "mapping counts."
        ),
        key="lab_t_says",
    )
    alignment_viewer(alignment, key="lab_t_viewer", mappings=("t",), fold=False, highlight=highlight, origin=origin)
    rows = formula_rows(alignment)
    begin = next(place for place, row in enumerate(rows) if row[0] == "T, tree distance")
    end = next(place for place, row in enumerate(rows) if row[0] == "LA, leaf-ancestor")
    cost = sum(alignment.counts[f"t_{name}"] for name in ("deleted", "inserted", "swapped"))
    plain(
        note(f"{script_note('t', len(script))} Together they cost {cost:g}."),
        steps([(step.status.value, step.text) for step in script], chosen=chosen, title="Edit script"),
        formulas(rows[begin:end], "The formulas with these numbers"),
        key="lab_t_steps",
        on_step=lambda place: state.put(lab_step=f"t{place}"),
        origin=origin,
    )
    plain(*_another(alignment, choices.rules, origin), key="lab_t_other", origin=origin)


_REASONS = {
    "matches": "The canonical one is taken because it matches more nodes: {canonical_matched} and not {matched}.",
    "spans": (
        "Both match {matched} nodes. The canonical one is taken because it pairs more nodes that stand over the same "
        "words: {canonical_spans} and not {spans}."
    ),
    "order": (
        "Both match {matched} nodes and pair {spans} nodes that stand over the same words, so every score is the same. "
        "The canonical one is taken by a fixed rule: seen from the root, what can be mapped is mapped before anything "
        "is deleted, and deleted before anything is inserted."
    ),
}


@st.cache_resource(max_entries=128, show_spinner=False)
def _alternative(trees: tuple[str, str], preset: str, _alignment: Alignment, _preset: Preset) -> Alternative | None:
    return alternative_mapping(_alignment, _preset)


def _another(alignment: Alignment, preset: Preset, origin: Origin) -> list[Block]:
    """Show another cheapest mapping, and say why it was not taken."""
    heading = "Another mapping that costs as little"
    if not alignment.t.steps or alignment.scores.get("t_dice") is None:
        return []
    if len(alignment.gold) * len(alignment.test) > MOST_PAIRS:
        return [note("The trees are too large to look for another mapping that costs as little.")]
    trees = tuple(f"{tree.to_string()} {tree.kinds}" for tree in (alignment.gold, alignment.test))
    found = _alternative((trees[0], trees[1]), preset.name, alignment, preset)
    if found is None:
        return [note("No other mapping costs as little: the canonical mapping is the only one.")]
    names = ("cost", "canonical_matched", "matched", "canonical_spans", "spans")
    reason = _REASONS[found.reason].format(**{name: getattr(found, name) for name in names})
    other = replace(alignment, t=found.mapping)
    drawn = draw(other, mapping="t", fold=False, theme="auto", legend=False)
    files = alignment_picture(other, "t", f"{origin.name}-other", origin.caption(heading), fold=False)
    return [
        picture(drawn, heading, files=replace(files, title=heading)),
        note(f"It costs {found.cost}, too. {reason}"),
        steps([(step.status.value, step.text) for step in found.mapping.steps], title="Its edit script"),
    ]

"""T step by step: the canonical mapping, the edit script with its costs, the formulas, and another cheapest mapping."""

from __future__ import annotations

from evaltools.metrics.mapping import Alignment
from evaltools.ui import state
from evaltools.ui.alignment_viewer import alignment_viewer
from evaltools.ui.plain import formulas, note, plain, steps
from evaltools.ui.wording import formula_rows, script_note

__all__ = ["show_distance"]


def show_distance(alignment: Alignment) -> None:
    """Show the T-mapping, what it costs, and the formulas with the numbers put in."""
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
    alignment_viewer(alignment, key="lab_t_viewer", mappings=("t",), fold=False, highlight=highlight)
    rows = formula_rows(alignment)
    begin = next(place for place, row in enumerate(rows) if row[0] == "T, tree distance")
    end = next(place for place, row in enumerate(rows) if row[0] == "LA, leaf-ancestor")
    cost = sum(alignment.counts[f"t_{name}"] for name in ("deleted", "inserted", "swapped"))
    plain(
        note(f"{script_note('t', len(script))} Together they cost {cost:g}."),
        steps([(step.status.value, step.text) for step in script], chosen=chosen),
        formulas(rows[begin:end], "The formulas with these numbers"),
        key="lab_t_steps",
        on_step=lambda place: state.put(lab_step=f"t{place}"),
    )

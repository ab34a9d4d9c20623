"""How the numbers come about: a section for each metric, opened and closed by its heading; the link says which."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from evaltools.alignments.trees import Alignment
from evaltools.corpus import Tree
from evaltools.frameworks.registry import framework_of_material
from evaltools.ui.lab.brackets import show_brackets, show_crossing
from evaltools.ui.lab.distance import show_distance
from evaltools.ui.lab.functions import function_score, show_functions
from evaltools.ui.lab.graphs import show_graphs
from evaltools.ui.lab.lineages import show_lineages
from evaltools.ui.lab.what_if import Choices, lab_origin
from evaltools.ui.session import state

__all__ = ["opened_sections", "show_sections"]

_SECTIONS = ("e", "crossing", "la", "t", "tedeval", "edm")


def opened_sections() -> list[str]:
    """Return which sections the link opens."""
    value = state.get("lab_show").split()
    return [name for name in _SECTIONS if name in value]


def show_sections(gold: Tree, test: Tree, alignment: Alignment, choices: Choices) -> None:
    """Draw the sections."""
    trees = framework_of_material("trees")
    shown = {metric.chapter: metric for metric in trees.over_part(choices.part)}
    titles = {
        name: f"{metric.approach} ({metric.heading} {metric.score_text(alignment.scores.get(metric.id))})"
        for name, metric in shown.items()
    }
    counted = next(metric for metric in trees.metrics if metric.in_lab and not metric.is_share)
    titles |= {
        "crossing": f"{counted.title}: {counted.score_text(alignment.scores.get(counted.id))}",
        "tedeval": f"{_approach('functions')} ({function_score(gold, test)})",
        "edm": f"{_approach('graphs')}: two separate graphs",
    }
    show: dict[str, Callable[[], None]] = {
        "e": lambda: show_brackets(alignment, choices),
        "crossing": lambda: show_crossing(alignment, choices),
        "la": lambda: show_lineages(alignment, choices),
        "t": lambda: show_distance(alignment, choices),
        "tedeval": lambda: show_functions(gold, test, lab_origin(choices)),
        "edm": show_graphs,
    }
    for name in _SECTIONS:
        section(name, titles[name], show[name])


def _approach(material: str) -> str:
    return framework_of_material(material).metrics[0].approach


def section(name: str, title: str, show: Callable[[], None]) -> None:
    """Draw one section: its heading, and what is in it if it is open."""
    opened = opened_sections()
    is_open = name in opened
    others = [item for item in opened if item != name]
    after = others if is_open else [item for item in _SECTIONS if item in {*opened, name}]
    with st.container(border=True, key=f"lab_section_{name}"):
        st.button(
            title,
            icon=":material/expand_more:" if is_open else ":material/chevron_right:",
            type="tertiary",
            key=f"lab_open_{name}",
            on_click=lambda: state.put(lab_show=" ".join(after) or None),
        )
        if is_open:
            show()

"""How the numbers come about: a section for each metric, opened and closed by its heading; the link says which."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from evaltools.metrics.mapping import Alignment
from evaltools.treebank import Tree
from evaltools.ui.lab.brackets import show_brackets, show_crossing
from evaltools.ui.lab.distance import show_distance
from evaltools.ui.lab.functions import function_score, show_functions
from evaltools.ui.lab.graphs import show_graphs
from evaltools.ui.lab.lineages import show_lineages
from evaltools.ui.lab.what_if import Choices, lab_origin
from evaltools.ui.session import state
from evaltools.ui.wording.trees import three

__all__ = ["opened_sections", "show_sections"]

_SECTIONS = ("e", "crossing", "la", "t", "tedeval", "edm")


def opened_sections() -> list[str]:
    """Return which sections the link opens."""
    said = state.get("lab_show").split()
    return [name for name in _SECTIONS if name in said]


def show_sections(gold: Tree, test: Tree, alignment: Alignment, choices: Choices) -> None:
    """Draw the sections.

    Parameters
    ----------
    gold, test : Tree
        The two trees as they are.
    alignment : Alignment
        The same under the choices.
    choices : Choices
        What counts.
    """
    scores = alignment.scores
    crossing = scores.get("e_crossing")
    titles = {
        "e": f"E, brackets: Dice {three(scores.get(f'e_dice_{choices.part}'))}",
        "crossing": f"Crossing brackets: {'–' if crossing is None else f'{crossing:g}'}",
        "la": f"LA, lineages: {three(scores.get('la_partial'))} with partial credit",
        "t": f"T, tree distance: Dice {three(scores.get('t_dice'))}",
        "tedeval": f"TedEval, functions: {function_score(gold, test)}",
        "edm": "EDM, semantic graphs: two graphs of their own",
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


def section(name: str, title: str, show: Callable[[], None]) -> None:
    """Draw one section: its heading, and what is in it if it is open.

    Parameters
    ----------
    name : str
        What it is called in the link.
    title : str
        Its heading.
    show : callable
        Draws what is in it.
    """
    opened = opened_sections()
    is_open = name in opened
    others = [one for one in opened if one != name]
    after = others if is_open else [one for one in _SECTIONS if one in {*opened, name}]
    with st.container(border=True, key=f"lab_section_{name}"):
        st.button(
            title,
            icon=":material/expand_less:" if is_open else ":material/expand_more:",
            type="tertiary",
            key=f"lab_open_{name}",
            on_click=lambda: state.put(lab_show=" ".join(after) or None),
        )
        if is_open:
            show()

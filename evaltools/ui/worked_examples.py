"""Worked examples on *About the metrics*: pictures, and the formulas with the numbers put in."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from evaltools.analysis.examples import mistakes, worked_examples
from evaltools.analysis.lessons import filled, numbers_of
from evaltools.ui.lesson_pictures import shown_of
from evaltools.ui.plain import Block, formulas, pictures, plain, table
from evaltools.ui.saving import made_here
from evaltools.ui.wording import three

__all__ = ["show_examples", "show_mistakes"]

_MISTAKES = {
    "e_dice_roof": "E Dice",
    "e_dice_roof_unlabelled": "unlabelled",
    "t_dice": "T Dice",
    "la_strict": "LA, strict",
    "la_partial": "partial",
    "e_tagging": "tagging",
}


@dataclass(frozen=True, slots=True)
class _Example:
    """An example as it is shown."""

    title: str
    text: str
    blocks: tuple[Block, ...]


@st.cache_resource(show_spinner=False)
def _made(section: str) -> tuple[_Example, ...]:
    """Compute and draw the examples of a section, once for all readers."""
    made = []
    for step in worked_examples(section).steps:
        shown = shown_of(step.material)
        drawn = [(panel.title, block["svg"]) for panel in shown.panels for block in panel.blocks if "svg" in block]
        blocks = [pictures(drawn)] if drawn else []
        for panel in shown.panels:
            rest = [block for block in panel.blocks if "svg" not in block]
            titled = all("svg" not in block for block in panel.blocks)
            blocks += [
                {**block, "heading": panel.title} if titled and not at else block for at, block in enumerate(rest)
            ]
        if shown.formulas:
            blocks.append(formulas(shown.formulas, "The formulas with these numbers"))
        text = " ".join(filled(step.text, numbers_of(step.material)).split())
        made.append(_Example(step.title, text, tuple(blocks)))
    return tuple(made)


def show_examples(section: str) -> None:
    """Show the worked examples of a section.

    Parameters
    ----------
    section : str
        A name in :data:`evaltools.analysis.examples.SECTIONS`.
    """
    for place, one in enumerate(_made(section)):
        with st.container(border=True, key=f"example_{section}_{place}"):
            st.markdown(f"**{one.title}**\n\n{one.text}")
            key = f"example_{section}_{place}_shown"
            plain(*one.blocks, key=key, origin=made_here(f"about-{section}-{place + 1}", one.title))


@st.cache_resource(show_spinner=False)
def _mistakes() -> Block:
    rows = mistakes(tuple(_MISTAKES))
    lowest = [
        min(value for _, _, scores in rows[:-1] if (value := scores[at]) is not None) for at in range(len(_MISTAKES))
    ]
    shown = []
    for title, text, scores in rows:
        cells = [
            three(score) + (" ▾" if score == low and score < 1 else "")
            for score, low in zip(scores, lowest, strict=True)
        ]
        shown.append((False, (f"{title}: {text}".replace("*", ""), *cells)))
    head = ("The only mistake", *_MISTAKES.values())
    return table(head, shown, numbers=range(1, len(head)))


def show_mistakes() -> None:
    """Show what each metric takes off for the same mistakes in one sentence."""
    plain(_mistakes(), key="about_mistakes", origin=made_here("about", "one mistake at a time"))

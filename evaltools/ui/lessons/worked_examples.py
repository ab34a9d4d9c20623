"""Worked examples on *About the metrics*: pictures, and the formulas with the numbers put in."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

import streamlit as st

from evaltools.classroom.examples import mistakes, worked_examples
from evaltools.classroom.material import DependencyPair, FunctionTrees, Material, TreePair, filled, numbers_of
from evaltools.corpus import MultiFunctionTree
from evaltools.drawing import Bars, bars_of, draw, tedeval2011_bars
from evaltools.drawing.blocks import Block, formulas, note, pictures, table
from evaltools.frameworks.crossframework.protocol import tedeval2011_steps
from evaltools.frameworks.crossframework.tedeval import metric_of_2011
from evaltools.frameworks.registry import METRICS
from evaltools.outputs.lessons import step_pictures
from evaltools.text import percent, percentage
from evaltools.ui.components.blocks import show_blocks
from evaltools.ui.lessons.links import lab_links
from evaltools.ui.widgets.saving import made_here

__all__ = ["show_examples", "show_mistakes"]


@dataclass(frozen=True, slots=True)
class _Example:
    """An example as it is shown."""

    title: str
    text: str
    blocks: tuple[Block, ...]
    links: tuple[tuple[str, dict[str, str]], ...] = ()


@st.cache_resource(show_spinner=False)
def _made(section: str) -> tuple[_Example, ...]:
    """Compute and draw the examples of a section, once for all readers."""
    made = []
    for step in worked_examples(section).steps:
        if section == "older" and isinstance(step.material, FunctionTrees):
            made.append(_Example(step.title, " ".join(step.text.split()), _older(step.material)))
            continue
        shown = step_pictures(step.material)
        drawings = [(panel.title, block) for panel in shown.panels for block in panel.blocks if "svg" in block]
        languages = [block["languages"] for _, block in drawings]
        blocks = [pictures([(title, block["svg"]) for title, block in drawings], languages)] if drawings else []
        for panel in shown.panels:
            rest = [block for block in panel.blocks if "svg" not in block]
            titled = all("svg" not in block for block in panel.blocks)
            blocks += [
                {**block, "heading": panel.title} if titled and not at else block for at, block in enumerate(rest)
            ]
        blocks += _lineages(step.material)
        if shown.formulas:
            blocks.append(formulas(shown.formulas, "The formulas with these numbers"))
        text = " ".join(filled(step.text, numbers_of(step.material)).split())
        made.append(_Example(step.title, text, tuple(blocks), tuple(lab_links(step.material))))
    return tuple(made)


def _lineages(material: Material | None) -> list[Block]:
    """List the lineages of every word, if the example is about them; words whose two differ are marked."""
    if not isinstance(material, DependencyPair | TreePair):
        return []
    asked = [item.id for item in material.framework.metrics if item.scheme and item.id in material.metrics]
    if not asked:
        return []
    rows = []
    for word in material.align().words:
        lines = [" ".join(line) if line is not None else "–" for line in (word.gold, word.test)]
        scores = [percent(word.scores.get(metric)) for metric in asked]
        rows.append((word.gold != word.test, (word.form, *lines, *scores)))
    head = ("word", "gold lineage", "test lineage", *(METRICS[metric].heading for metric in asked))
    return [table(head, rows, heading="Lineages", numbers=range(3, len(head)))]


def _older(material: FunctionTrees) -> tuple[Block, ...]:
    """Draw an example by the measure of 2011."""
    own = list(material.golds).index(material.theory)
    made = tedeval2011_steps(material.parse, list(material.golds.values()), own)
    drawn = [(f"Gold, {name}", _bars(tree, name)) for name, tree in zip(material.golds, made.golds, strict=True)]
    steps = Bars(made.parse.words, tedeval2011_bars(made), label="steps of TedEval")
    drawn.append(("The parse, and its steps", draw(steps, theme="auto")))
    metric = metric_of_2011(labelled=True)
    numbers = f"1 − {made.delta} / ({made.n_parse} + {made.n_generalized})"
    says = "< is missing, > is spurious, ≠ is relabeled; the root is not counted"
    row = (metric.title, metric.formula, numbers, percentage(made.score, 2))
    return pictures(drawn), note(says), formulas([row], "The formula with these numbers")


def _bars(tree: MultiFunctionTree, label: str) -> str:
    return draw(Bars(tree.words, bars_of(tree), label=label), theme="auto")


def show_examples(section: str) -> None:
    """Show the worked examples of a section."""
    for index, item in enumerate(_made(section)):
        with st.container(border=True, key=f"example_{section}_{index}"):
            st.markdown(f"**{item.title}**\n\n{item.text}")
            key = f"example_{section}_{index}_shown"
            show_blocks(*item.blocks, key=key, origin=made_here(f"about-{section}-{index + 1}", item.title))
            for title, query in item.links:
                st.link_button(title, f"lab?{urlencode(query)}", icon=":material/open_in_new:", type="tertiary")


@st.cache_resource(show_spinner=False)
def _mistakes() -> Block:
    material = worked_examples("mistakes").steps[0].material
    metrics = material.metrics if isinstance(material, TreePair) else ()
    rows = mistakes(metrics)
    lowest = [
        min(value for _, _, scores in rows[:-1] if (value := scores[at]) is not None) for at in range(len(metrics))
    ]
    shown = []
    for title, text, scores in rows:
        cells = [
            ("▾ " if score == low and score < 1 else "") + percent(score)
            for score, low in zip(scores, lowest, strict=True)
        ]
        shown.append((False, (f"{title}: {text}".replace("*", ""), *cells)))
    head = ("The only mistake", *(METRICS[metric].heading for metric in metrics))
    return table(head, shown, numbers=range(1, len(head)))


def show_mistakes() -> None:
    """Show what each metric takes off for the same mistakes in one sentence."""
    show_blocks(_mistakes(), key="about_mistakes", origin=made_here("about", "one mistake at a time"))

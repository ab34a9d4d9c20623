"""About the metrics: a chapter each, with examples that are computed and drawn on the spot."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from evaltools.classroom.examples import SECTIONS as WITH_EXAMPLES
from evaltools.drawing import LEGEND, draw, tree_legend
from evaltools.drawing.blocks import answer, facts, note, pictures
from evaltools.frameworks.constituency.aligned_trees import WordMatch
from evaltools.frameworks.metric import Metric
from evaltools.frameworks.presets import load_preset
from evaltools.frameworks.registry import METRICS
from evaltools.runs.store import Run
from evaltools.ui.about_chapters import PARTS, SECTIONS, text
from evaltools.ui.components.blocks import show_blocks
from evaltools.ui.components.contents import ALL, contents
from evaltools.ui.lessons.worked_examples import show_examples, show_mistakes
from evaltools.ui.widgets.saving import made_here

__all__ = ["render"]

_WIDTH = 860
_STYLE = """
<style>
[data-testid="stLayoutWrapper"]:has(> .st-key-about_side) { position: sticky; top: 3.8rem; }
.st-key-about_text table { font-size: 0.85rem; line-height: 1.35; width: 100%; }
.st-key-about_text th, .st-key-about_text td { padding: 0.28rem 0.5rem; vertical-align: top; }
.st-key-about_text [data-testid="stMarkdownContainer"] li { margin: 0 0 0.15rem; }
@media (max-width: 640px) {
  [data-testid="stLayoutWrapper"]:has(> .st-key-about_side) { position: static; }
  .st-key-about_text table { font-size: 0.8rem; }
  .st-key-about_text th, .st-key-about_text td { padding: 0.25rem 0.3rem; overflow-wrap: break-word; hyphens: auto; }
  .st-key-about_text code { overflow-wrap: anywhere; padding: 0; background: none; }
}
</style>
"""
_PRESETS = ("standard", "collins", "new", "none")


def render(run: Run | None) -> None:
    """Draw the page."""
    st.header("About the metrics", anchor=False)
    show_blocks(
        answer("What each family of metrics counts, its formulas with worked examples, and its sources."),
        key="about_answer",
    )
    st.html(_STYLE)
    left, right = st.columns([5, 19], gap="medium")
    with left, st.container(key="about_side"):
        chosen = contents(PARTS, key="about_contents")
    with right, st.container(width=_WIDTH, key="about_text"):
        for section in SECTIONS if chosen == ALL else [chosen]:
            _section(section, run)
        if chosen != ALL:
            _turn(chosen)


def _section(section: str, run: Run | None) -> None:
    st.subheader(SECTIONS[section], anchor=section)
    st.markdown(text(section))
    if section == "counts":
        show_blocks(
            note("In the drawings the gold tree is above, and the test tree is mirrored below it:"),
            pictures([("", draw(tree_legend((status,)), theme="auto")) for status in LEGEND]),
            key="about_legend",
            origin=made_here("about", "marks of the drawings"),
        )
    elif section == "words":
        origin = made_here("about", "lines between aligned words")
        lines = [("", draw(tree_legend((), (how,)), theme="auto")) for how in WordMatch]
        show_blocks(pictures(lines), key="about_lines", origin=origin)
    elif section == "choose":
        show_mistakes()
    elif section == "presets":
        _presets(run)
    if section in WITH_EXAMPLES:
        show_examples(section)
    if section == "frameworks":
        show_examples("older")
    if scores := [metric for metric in METRICS.values() if metric.chapter == section]:
        st.markdown("**Its scores**")
        _formulas(scores)


def _turn(section: str) -> None:
    """Lead to the chapters before and after."""
    order = list(SECTIONS)
    index = order.index(section)
    before, after = order[index - 1 : index], order[index + 1 : index + 2]
    links = [f"[← {SECTIONS[item]}](#{item})" for item in before] + [f"[{SECTIONS[item]} →](#{item})" for item in after]
    st.markdown("&emsp;".join(links))


def _formulas(metrics: Sequence[Metric]) -> None:
    """List metrics; of variants with the same formula only that there are some."""
    listed = [item for item in metrics if not item.variant_of or item.formula != METRICS[item.variant_of].formula]
    rows = ["| score | formula | name in files |", "|---|---|---|"]
    rows += [
        f"| {item.title}{'' if item.higher_is_better else ' (lower is better)'} | {_cell(item.formula)} | `{item.id}` |"
        for item in listed
    ]
    twins = "\n\nEach bracket score has an unlabeled variant; its name ends in `_unlabelled`."
    st.markdown("\n".join(rows) + (twins if len(listed) < len(metrics) else ""))


def _cell(formula: str) -> str:
    """Return a formula for a cell of a Markdown table, in which a bar would end the cell."""
    return formula.replace("|", "\\|")


def _presets(run: Run | None) -> None:
    """Show the rules of every preset, the open run's first."""
    titles = [*(["the open run’s"] if run is not None else []), *_PRESETS]
    for title, tab in zip(titles, st.tabs(titles), strict=True):
        with tab:
            if title in _PRESETS:
                st.code(load_preset(title).describe(), language=None, wrap_lines=True)
            elif run is not None:
                st.code(str(run.meta["preset_rules"]), language=None, wrap_lines=True)
                show_blocks(facts([("signature", run.signature, "")]), key="about_signature")

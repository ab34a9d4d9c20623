"""About the metrics: a chapter for each, with examples that are computed and drawn on the spot."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

import streamlit as st

from evaltools.app.about_chapters import SECTIONS, text
from evaltools.app.components.blocks import show_blocks
from evaltools.app.lab import lab_links
from evaltools.app.session import state
from evaltools.app.widgets.pickers import menu, previous_and_next
from evaltools.app.widgets.saving import made_here
from evaltools.blocks import Block, Picture, answer, facts, formulas, note, table
from evaltools.classroom.examples import SECTIONS as WITH_EXAMPLES, mistakes, worked_examples
from evaltools.classroom.material import DependencyPair, FunctionTrees, Material, TreePair, filled, numbers_of
from evaltools.drawing import LEGEND, Bars, Drawing, bars_of, tree_legend
from evaltools.frameworks.common.lineages import SCHEMES
from evaltools.frameworks.constituency.aligned_trees import WordMatch
from evaltools.frameworks.crossframework.protocol import tedeval2011_steps
from evaltools.frameworks.crossframework.tedeval import LABELS, METRICS_2011
from evaltools.frameworks.metric import Metric, formula
from evaltools.frameworks.presets import load_preset
from evaltools.frameworks.registry import METRICS
from evaltools.frameworks.views import lineage_rows
from evaltools.outputs.lessons import step_pictures
from evaltools.runs.store import Run
from evaltools.text import percent, percentage

_WIDTH = 860
_PRESETS = ("standard", "collins", "new", "none")


def render(run: Run | None) -> None:
    """Draw the page."""
    st.header("About the metrics", anchor=False)
    show_blocks(
        answer("What each family of metrics counts, its formulas with worked examples, and its sources."),
        key="about_answer",
    )
    order = list(SECTIONS)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        section = menu("Chapter", SECTIONS, name="chapter", width=300)
        index = order.index(section)
        before, after = order[index - 1] if index else None, order[index + 1] if index + 1 < len(order) else None
        previous_and_next("about", before, after, lambda chosen: state.put(chapter=chosen))
    with st.container(width=_WIDTH, key="about_text"):
        _section(section, run)


def _section(section: str, run: Run | None) -> None:
    st.subheader(SECTIONS[section], anchor=False)
    st.markdown(re.sub(r"\]\(#(\w+)\)", r"](about?chapter=\1)", text(section)))
    if section == "counts":
        show_blocks(
            note("In the drawings the gold tree is above, and the parse is mirrored below it:"),
            *(Picture("", [Drawing(tree_legend((status,)))], is_small=True) for status in LEGEND),
            key="about_legend",
            origin=made_here("about", "marks of the drawings"),
        )
    elif section == "words":
        origin = made_here("about", "lines between aligned words")
        lines = [Picture("", [Drawing(tree_legend((), (how,)))], is_small=True) for how in WordMatch]
        show_blocks(*lines, key="about_lines", origin=origin)
    elif section == "choose":
        show_mistakes()
    elif section == "presets":
        _presets(run)
    if section in WITH_EXAMPLES:
        show_examples(section)
    if section == "frameworks":
        show_examples("older")
    if scores := [metric for metric in METRICS.values() if metric.family.chapter == section]:
        st.markdown("**Its scores**")
        _formulas(scores)


def _formulas(metrics: Sequence[Metric]) -> None:
    """List metrics; of variants with the same formula only that there are some."""
    listed = [
        item
        for item in metrics
        if not item.place.variant_of or formula(item) != formula(METRICS[item.place.variant_of])
    ]
    rows = ["| score | formula | name in files |", "|---|---|---|"]
    rows += [
        f"| {item.title}{'' if item.higher_is_better else ' (lower is better)'} | {_cell(item)} | `{item.id}` |"
        for item in listed
    ]
    twins = "\n\nEach bracket score has an unlabeled variant; its name ends in `_unlabeled`."
    st.markdown("\n".join(rows) + (twins if len(listed) < len(metrics) else ""))


def _cell(metric: Metric) -> str:
    """Return a formula for a cell of a Markdown table, in which a bar would end the cell."""
    return formula(metric).replace("|", "\\|")


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
        listed = [block for panel in shown.panels for block in panel.titled()]
        blocks: list[Block] = [
            Picture(block.title, block.drawings, is_small=True) for block in listed if isinstance(block, Picture)
        ]
        blocks += [block for block in listed if not isinstance(block, Picture)]
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
    if not any(item.id in SCHEMES and item.id in material.metrics for item in material.framework.metrics):
        return []
    return [replace(lineage_rows(material.align().words), title="Lineages")]


def _older(material: FunctionTrees) -> tuple[Block, ...]:
    """Draw an example by the measure of 2011."""
    made = tedeval2011_steps(material.parse_tree(), list(material.gold_trees().values()), material.own)
    drawn: dict[str, object] = {f"Gold, {name}": Bars(tree.words, bars_of(tree), label=name)
                                for name, tree in zip(material.golds, made.golds, strict=True)}  # fmt: skip
    drawn["The parse, and its steps"] = made
    pictures = (Picture(title, [Drawing(subject, title)], is_small=True) for title, subject in drawn.items())
    metric = METRICS_2011[LABELS.index("labeled")]
    numbers = f"1 − {made.delta} / ({made.n_parse} + {made.n_generalized})"
    says = "< is missing, > is spurious, ≠ is relabeled; the root is not counted"
    row = (metric.title, formula(metric), numbers, percentage(made.score, 2))
    return *pictures, note(says), formulas([row], "The formula with these numbers")


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
    for title, mistake, scores in rows:
        cells = [
            ("▾ " if score == low and score < 1 else "") + percent(score)
            for score, low in zip(scores, lowest, strict=True)
        ]
        shown.append((f"{title}: {mistake}".replace("*", ""), *cells))
    head = ("The only mistake", *(METRICS[metric].short for metric in metrics))
    return table(head, shown, numbers=range(1, len(head)))


def show_mistakes() -> None:
    """Show what each metric takes off for the same mistakes in one sentence."""
    show_blocks(_mistakes(), key="about_mistakes", origin=made_here("about", "one mistake at a time"))

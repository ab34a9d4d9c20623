"""About the metrics: what they count, with numbers computed on the spot."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from evaltools.analysis.dependency_examples import DEPENDENCY_EXAMPLES, DependencyExample
from evaltools.analysis.examples import EXAMPLES, Example
from evaltools.analysis.explain import put_in
from evaltools.analysis.framework_examples import framework_example
from evaltools.drawing import alignment_svg, arcs_svg, legend_svg
from evaltools.drawing.function_bars import function_bars_svg, protocol_bars
from evaltools.metrics import METRICS
from evaltools.metrics.dependency_mapping import DependencyAlignment
from evaltools.metrics.mapping import Alignment, WordMatch
from evaltools.normalize import load_preset
from evaltools.runs.store import Run
from evaltools.ui.plain import answer, facts, formulas, note, picture, plain
from evaltools.ui.texts import SECTIONS, text
from evaltools.ui.wording import three

__all__ = ["render"]

_TEXT_WIDTH = 820
_FAMILIES = ("e", "t", "la", "attachment", "edm")
_PRESETS = ("standard", "collins", "new", "none")


@st.cache_resource(show_spinner=False)
def _aligned() -> list[tuple[Example, Alignment]]:
    return [(example, example.align()) for example in EXAMPLES]


def render(run: Run) -> None:
    """Draw the page.

    Parameters
    ----------
    run : Run
        The open run, whose preset is shown.
    """
    st.header("About the metrics", anchor=False)
    plain(
        answer(
            "E asks which brackets two trees share, T how few edits lead from one to the other, LA how well every word "
            "hangs in its place, attachment how many words hang from the right word, TedEval which words have which "
            "function, whatever the theory, EDM which triples of meaning two semantic graphs share."
        ),
        key="about_answer",
    )
    st.markdown(" · ".join(f"[{heading}](#{section})" for section, heading in SECTIONS.items()))
    for section, heading in SECTIONS.items():
        st.subheader(heading, anchor=section)
        with st.container(width=_TEXT_WIDTH):
            st.markdown(text(section))
        if section == "counts":
            plain(
                note("In the drawings the gold tree stands above and the test tree below, mirrored:"),
                picture(legend_svg("auto")),
                key="about_legend",
            )
        if section == "words":
            plain(picture(legend_svg("auto", (), tuple(WordMatch))), key="about_lines")
        if section in _FAMILIES:
            _formulas(section)
        for number, (example, alignment) in enumerate(_aligned()):
            if example.family == section:
                _example(example, alignment, key=f"example_{number}")
        if section == "attachment":
            for number, pair in enumerate(DEPENDENCY_EXAMPLES):
                _dependency_example(pair, key=f"dependency_example_{number}")
        elif section == "frameworks":
            _frameworks()
        elif section == "presets":
            _presets(run)


def _frameworks() -> None:
    """List the metrics across frameworks, and show a parse that is right and one that is wrong."""
    for family in ("tedeval", "tedeval2011"):
        _formulas(family)
    with st.container(border=True):
        st.markdown("**The same sentence in two theories**")
        titles = (True, "A perfect parse of the second theory"), (False, "A parse that hangs *yesterday* from the noun")
        for side, (right, title) in zip(st.columns(2, gap="large"), titles, strict=True):
            made = framework_example(right=right)
            drawn = function_bars_svg(made.parse.words, protocol_bars(made), theme="auto", label="steps of TedEval")
            numbers = f"1 − {made.delta} / ({made.n_parse} + {made.n_generalized})"
            row = (METRICS["tedeval_multiple_labelled"].title, "1 − δ / (|parse| + |gen|)", numbers, three(made.score))
            with side:
                st.markdown(title)
                says = "< has to go, > is missing; struck through: the own gold needs the same step."
                plain(picture(drawn), note(says), formulas([row]), key=f"frameworks_{right}")


def _formulas(family: str) -> None:
    """List the metrics of a family."""
    rows = ["| score | formula | name in files |", "|---|---|---|"]
    rows += [
        f"| {one.title}{'' if one.higher_is_better else ' (lower is better)'} | {one.formula} | `{one.id}` |"
        for one in METRICS.values()
        if one.family == family and not (family == "e" and one.id.endswith("_unlabelled"))
    ]
    twins = "\n\nEach bracket score has an unlabelled twin; its name ends in `_unlabelled`." if family == "e" else ""
    with st.container(width=_TEXT_WIDTH):
        st.markdown("\n".join(rows) + twins)


def _example(example: Example, alignment: Alignment, *, key: str) -> None:
    """Draw an example and put its numbers into the formulas."""
    with st.container(border=True):
        st.markdown(f"**{example.title}** – {example.source}")
        words = example.family == "la"
        sides = st.columns([3 if words else 2 for _ in example.mappings] + [6 - len(example.mappings)], gap="large")
        for side, mapping in zip(sides, example.mappings, strict=False):
            with side:
                svg = alignment_svg(alignment, mapping, theme="auto", fold=False, legend=False)
                plain(picture(svg, f"{mapping.upper()}-mapping"), key=f"{key}_{mapping}")
        rows = [
            (one.title, one.formula, _numbers(one.id, alignment), three(alignment.scores[one.id]))
            for one in (METRICS[metric] for metric in example.metrics)
        ]
        with sides[len(example.mappings)]:
            plain(note(example.says), formulas(rows, "Scores"), key=f"{key}_scores")
            if words:
                _lineages(alignment, key)


def _dependency_example(example: DependencyExample, *, key: str) -> None:
    """Draw an example of two dependency trees and put its numbers into the formulas."""
    alignment = example.align()
    with st.container(border=True):
        st.markdown(f"**{example.title}**")
        left, right = st.columns([5, 6], gap="large")
        with left:
            plain(picture(arcs_svg(alignment, theme="auto"), "Gold above, test below"), key=f"{key}_arcs")
        rows = [
            (one.title, one.formula, _numbers(one.id, alignment), three(alignment.scores[one.id]))
            for one in (METRICS[metric] for metric in example.metrics)
        ]
        with right:
            plain(note(example.says), formulas(rows, "Scores"), key=f"{key}_scores")
            _lineages(alignment, key)


def _numbers(metric: str, alignment: Alignment | DependencyAlignment) -> str:
    return put_in(metric, {name: alignment.counts[name] for name in METRICS[metric].columns})


def _lineages(alignment: Alignment | DependencyAlignment, key: str) -> None:
    """List the lineages of every word."""
    rows = [
        {
            "word": word.form,
            "gold lineage": " ".join(word.gold or ()),
            "test lineage": " ".join(word.test or ()),
            "strict": three(word.scores["la_strict"]),
            "partial credit": three(word.scores["la_partial"]),
        }
        for word in alignment.words
    ]
    st.dataframe(pd.DataFrame(rows), hide_index=True, width="content", key=f"{key}_lineages")


def _presets(run: Run) -> None:
    """Show the rules of every preset, the open run's first."""
    titles = ["the open run’s", *_PRESETS]
    for title, tab in zip(titles, st.tabs(titles), strict=True):
        with tab:
            if title in _PRESETS:
                st.code(load_preset(title).describe(), language=None, wrap_lines=True)
            else:
                st.code(str(run.meta["preset_rules"]), language=None, wrap_lines=True)
                plain(facts([("signature", run.signature, "")]), key="about_signature")

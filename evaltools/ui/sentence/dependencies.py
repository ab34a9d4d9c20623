"""A sentence of dependency trees: its arcs, what is wrong with them, the words' lineages, scores and exports."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evaltools.drawing import draw
from evaltools.metrics.dependency_mapping import ArcStatus, DependencyAlignment
from evaltools.runs.store import Run
from evaltools.ui.components.alignment_viewer.arcs import arc_viewer
from evaltools.ui.components.plain import answer, formulas, note, picture, plain, steps, strip
from evaltools.ui.sentence.texts import trees_as_text
from evaltools.ui.session import data, state
from evaltools.ui.widgets.pickers import fold_toggle
from evaltools.ui.widgets.saved_blocks import strip_picture
from evaltools.ui.widgets.saving import Origin
from evaltools.ui.wording.arcs import arc_steps, arcs_formulas, arcs_status, arcs_summary

__all__ = ["scheme_picker", "show_arcs"]

_SCHEMES = {"la_partial": "partial credit", "la_strict": "strict"}


def scheme_picker() -> str:
    """Draw the heading of the leaf-ancestor part, and let the reader choose what replacing a label costs."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader("Leaf-ancestor, word by word", width="content")
        said = state.get("scheme", "la_partial")
        value = said if said in _SCHEMES else "la_partial"
        scheme = st.segmented_control(
            "Cost of a replaced label",
            list(_SCHEMES),
            format_func=lambda one: _SCHEMES[one],
            label_visibility="collapsed",
            required=True,
            **state.bind("scheme", value, "la_partial"),
        )
    return str(scheme or "la_partial")


def show_arcs(run: Run, sentence: int, parser: str, other: str, top: DeltaGenerator, controls: DeltaGenerator) -> None:
    """Draw the page *Sentence* below its controls.

    Parameters
    ----------
    run : Run
        A run of dependency trees.
    sentence : int
        The sentence, from 1.
    parser, other : str
        The parser, and the one it is compared with; empty for the gold tree.
    top, controls : DeltaGenerator
        Where the answer and more controls stand.
    """
    alignment = data.dependency_alignment(run, sentence, other or parser, parser if other else None)
    upper, lower = other or "gold", parser
    said = arcs_status(alignment, upper, lower)
    with top:
        blocks = [answer(arcs_summary(alignment, sentence, upper, lower))]
        plain(*blocks, *([note(said)] if said else []), key="sentence_answer")
    if not len(alignment.gold) and not len(alignment.test):
        trees_as_text(run, sentence, parser, other)
        return
    with controls:
        fold = fold_toggle(alignment.sentence_length, "parts that are equal in both trees are folded")
    origin = Origin.of_sentence(run, sentence, upper, lower)
    word = _chosen("at", "", alignment)
    step = _chosen("step", "a", alignment)
    view = arc_viewer(
        alignment,
        key="sentence_arcs",
        fold=fold,
        gold_name=upper,
        test_name=lower,
        selected_word=word,
        highlight=None if step is None else (step, None),
        origin=origin,
    )
    if view.word is not None and view.word != word and view.word < len(alignment.gold):
        state.put(at=view.word)
        st.rerun()
    left, right = st.columns([11, 10], gap="large")
    with left:
        _leaf_ancestor(alignment, word, upper, lower, origin)
        _wrong_arcs(alignment, step, origin)
    with right:
        st.subheader("Scores of this sentence")
        plain(formulas(arcs_formulas(alignment)), key="sentence_formulas", origin=origin)
    trees_as_text(run, sentence, parser, other)


def _chosen(name: str, before: str, alignment: DependencyAlignment) -> int | None:
    """Return the gold word that the URL names, such as ``3``, or ``a3`` among the steps."""
    said = state.get(name)
    number = said.removeprefix(before)
    known = said.startswith(before) and number.isdecimal() and len(number) < 6
    return int(number) if known and int(number) < len(alignment.gold) else None


def _leaf_ancestor(alignment: DependencyAlignment, word: int | None, upper: str, lower: str, origin: Origin) -> None:
    scheme = scheme_picker()
    compared = {one.position: one for one in alignment.words}
    if not compared:
        plain(note("LA is undefined for this sentence."), key="sentence_strip")
        return
    placed = [
        (one.form, one.position, compared[one.position].scores.get(scheme) if one.position in compared else None)
        for one in alignment.gold_words
    ]
    alone = {one.position for one in alignment.words if one.test is None}
    blocks = [strip(placed, chosen=word, alone=alone, files=strip_picture(alignment, scheme, origin))]
    chosen = compared.get(word) if word is not None else None
    if chosen is None:
        blocks.append(note("Click a word for its two lineages." if word is None else "This word is not counted."))
    elif chosen.test is None:
        blocks.append(note(f"No word of {lower} stands for this one, so there is nothing to compare with."))
    else:
        drawn = draw(chosen, metric=scheme, theme="auto", gold_name=upper, test_name=lower)
        blocks.append(picture(drawn, heading="Its relations, from the word to the root"))
    plain(*blocks, key="sentence_strip", on_word=lambda place: state.put(at=place), origin=origin)


def _wrong_arcs(alignment: DependencyAlignment, step: int | None, origin: Origin) -> None:
    """List what is wrong, word by word."""
    st.subheader("Wrong arcs")
    listed = arc_steps(alignment)
    words = [word for word, _, _ in listed]
    if not listed:
        compared = alignment.status != "missing" and ArcStatus.RIGHT in alignment.gold_status
        plain(note("None." if compared else "There is nothing to compare."), key="sentence_wrong")
        return
    number = len(listed)
    plain(
        note(f"{number} word{'' if number == 1 else 's'} with a wrong arc. Click one to see it."),
        steps(
            [(mark, text) for _, mark, text in listed],
            chosen=words.index(step) if step in words else None,
            title="Wrong arcs",
        ),
        key="sentence_wrong",
        on_step=lambda place: state.put(step=f"a{words[place]}"),
        origin=origin,
    )

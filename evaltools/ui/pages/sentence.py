"""Sentence: how one parse differs from the gold tree, or from another parser's, and what each metric makes of it."""

from __future__ import annotations

import streamlit as st

from evaltools.drawing import draw
from evaltools.drawing.word_columns import drawn_mapping, link_of
from evaltools.metrics.mapping import Alignment
from evaltools.runs.store import Run
from evaltools.ui.components.alignment_viewer import alignment_viewer
from evaltools.ui.components.plain import answer, formulas, note, picture, plain, steps, strip
from evaltools.ui.sentence.dependencies import scheme_picker, show_arcs
from evaltools.ui.sentence.protocol import protocol_view
from evaltools.ui.sentence.repair import marks_of, show_repair, story_of
from evaltools.ui.sentence.semantics import show_graphs
from evaltools.ui.sentence.texts import trees_as_text
from evaltools.ui.sentences.part import origin_line
from evaltools.ui.session import data, state
from evaltools.ui.session.kernels import wait_for_kernels
from evaltools.ui.widgets.pickers import fold_toggle, other_picker, parser_picker, sentence_picker
from evaltools.ui.widgets.saved_blocks import strip_picture
from evaltools.ui.widgets.saving import Origin
from evaltools.ui.wording.trees import formula_rows, lone_word_note, script_note, status_note, summary_line

__all__ = ["render"]

_SCRIPTS = {"t": "T-mapping", "e": "E-mapping"}


def render(run: Run) -> None:
    """Draw the page."""
    st.header("Sentence")
    top = st.container()
    controls = st.container(horizontal=True, vertical_alignment="bottom")
    with controls:
        sentence, parser, other = _controls(run)
    origin_line(run, sentence, parser, key="sentence")
    if run.kind == "crossframework":
        protocol_view(run, sentence, parser, key="sentence")
        return
    if run.kind == "semantics":
        show_graphs(run, sentence, parser, other, top)
        return
    wait_for_kernels()
    if run.kind == "dependency":
        show_arcs(run, sentence, parser, other, top, controls)
        return
    alignment = data.alignment(run, sentence, other or parser, parser if other else None)
    upper, lower = other or "gold", parser
    said = status_note(alignment, upper, lower)
    with top:
        blocks = [answer(summary_line(alignment, sentence, upper, lower))]
        plain(*blocks, *([note(said)] if said else []), key="sentence_answer")
    if not len(alignment.gold) and not len(alignment.test):
        trees_as_text(run, sentence, parser, other)
        return
    with controls:
        fold = fold_toggle(alignment.sentence_length, "identical parts are folded into triangles")
    origin = Origin.of_sentence(run, sentence, upper, lower)
    told = story_of(run, sentence, parser, other, alignment)
    word = _chosen_word(alignment)
    view = alignment_viewer(
        alignment,
        key="sentence_viewer",
        fold=fold,
        gold_name=upper,
        test_name=lower,
        selected_word=word,
        highlight=_chosen_step(alignment) or marks_of(told),
        origin=origin,
    )
    if view.word is not None and view.word != word and view.word < len(alignment.words):
        state.put(at=view.word)
        st.rerun()
    left, right = st.columns([11, 10], gap="large")
    with left:
        _leaf_ancestor(alignment, word, upper, lower, origin)
        show_repair(told, upper, lower, origin)
        _edit_script(alignment, origin)
    with right:
        st.subheader("Scores of this sentence")
        plain(formulas(formula_rows(alignment)), key="sentence_formulas", origin=origin)
    trees_as_text(run, sentence, parser, other)


def _controls(run: Run) -> tuple[int, str, str]:
    number = sentence_picker(run)
    with st.container(width=220):
        parser = parser_picker(run)
    with st.container(width=220):
        other = other_picker(run, parser)
    return number, parser, other


def _chosen_step(alignment: Alignment) -> tuple[int | None, int | None] | None:
    """Return the nodes of the edit step that the URL names, such as ``t3``."""
    said = state.get("step")
    if said[:1] in _SCRIPTS and said[1:].isdigit():
        script = drawn_mapping(alignment, said[:1]).steps
        if int(said[1:]) < len(script):
            return script[int(said[1:])].gold, script[int(said[1:])].test
    return None


def _chosen_word(alignment: Alignment) -> int | None:
    said = state.get("at")
    return int(said) if said.isdecimal() and len(said) < 6 and int(said) < len(alignment.words) else None


def _leaf_ancestor(alignment: Alignment, word: int | None, upper: str, lower: str, origin: Origin) -> None:
    scheme = scheme_picker()
    if not alignment.words:
        plain(note("LA is undefined for this sentence."), key="sentence_strip")
        return
    scores = {one.position: one.scores.get(scheme) for one in alignment.words}
    placed = [
        (one.form, one.position, None if one.position is None else scores.get(one.position))
        for one in alignment.gold_words
    ]
    alone = {one.position for one in alignment.words if one.test is None}
    blocks = [strip(placed, chosen=word, alone=alone, files=strip_picture(alignment, scheme, origin))]
    if word is None:
        blocks.append(note("Click a word for its two lineages."))
    elif alignment.words[word].test is None:
        blocks.append(note(lone_word_note(alignment.words[word], upper, lower)))
    else:
        chosen = alignment.words[word]
        link = link_of(alignment, chosen)
        drawn = draw(chosen, metric=scheme, theme="auto", gold_name=upper, test_name=lower, link=link)
        blocks.append(picture(drawn, heading="Its lineages, from the word to the root"))
    plain(*blocks, key="sentence_strip", on_word=lambda chosen: state.put(at=chosen), origin=origin)


def _edit_script(alignment: Alignment, origin: Origin) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader("Edit script", width="content")
        value = state.get("script", "t")
        kind = st.segmented_control(
            "Mapping",
            list(_SCRIPTS),
            format_func=lambda one: _SCRIPTS[one],
            label_visibility="collapsed",
            required=True,
            **state.bind("script", value if value in _SCRIPTS else "t", "t", also=lambda: state.put(step=None)),
        )
    kind = kind or "t"
    script = drawn_mapping(alignment, kind).steps
    said = state.get("step")
    chosen = int(said[1:]) if said[:1] == kind and said[1:].isdigit() else None
    plain(
        note(script_note(kind, len(script))),
        steps(
            [(step.status.value, step.text) for step in script], chosen=chosen, title=f"Edit script, {_SCRIPTS[kind]}"
        ),
        key="sentence_steps",
        on_step=lambda place: state.put(step=f"{kind}{place}"),
        origin=origin,
    )

"""One sentence of a run, as its framework shows it: pictures, sections, the analyses as text."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evaltools.drawing.blocks import Drawing, answer, drawn, not_drawn, note
from evaltools.errors import EvaltoolsError
from evaltools.frameworks.framework import Framework
from evaltools.frameworks.views import PanelRow, Section, Selection, Sentence, SentenceView, Viewing
from evaltools.runs.store import Run
from evaltools.ui.components.alignment_viewer import opened_parts, show_panels
from evaltools.ui.components.blocks import show_blocks
from evaltools.ui.components.marked_sentence import show_marked
from evaltools.ui.lab.trees import MAX_CHARACTERS, lab_query
from evaltools.ui.session import data, state
from evaltools.ui.session.kernels import wait_for_kernels
from evaltools.ui.widgets.controls import control_widget
from evaltools.ui.widgets.folding import folded
from evaltools.ui.widgets.saving import Origin

__all__ = ["show_run_sentence", "show_sentence"]


def show_run_sentence(
    run: Run,
    number: int,
    parser: str,
    other: str = "",
    *,
    key: str,
    top: DeltaGenerator | None = None,
    controls: DeltaGenerator | None = None,
    words: Sequence[int] = (),
    is_brief: bool = False,
) -> None:
    """Show a sentence of a run."""
    if run.framework.needs_kernels:
        wait_for_kernels()
    sentence = data.sentence(run, number, parser, other)
    origin = Origin.of_sentence(run, number, sentence.upper, sentence.lower)
    show_sentence(
        run.framework,
        sentence,
        origin,
        key=key,
        top=top,
        controls=controls,
        words=words,
        is_brief=is_brief,
    )


def show_sentence(
    framework: Framework,
    sentence: Sentence,
    origin: Origin,
    *,
    key: str,
    top: DeltaGenerator | None = None,
    controls: DeltaGenerator | None = None,
    words: Sequence[int] = (),
    is_brief: bool = False,
    has_summary: bool = True,
) -> None:
    """Show a sentence that has been aligned."""
    viewer = f"{key}_viewer"
    viewing = Viewing(state.query(), opened_parts(viewer), tuple(words), is_brief)
    view = framework.sentence_view(sentence, viewing)
    with top or st.container():
        summary = [answer(view.summary)] if view.summary and has_summary else []
        blocks = [*summary, *([note(view.note)] if view.note else [])]
        if blocks:
            show_blocks(*blocks, key=f"{key}_answer")
    if view.marked is not None:
        show_marked(
            view.marked,
            key=f"{key}_marked",
            on_focus=_writer(view.marked.focuses),
            origin=origin,
            compact=is_brief,
        )
        controls = None
    if view.choices:
        with controls or st.container(horizontal=True, vertical_alignment="bottom", key=f"{key}_controls"):
            for choice in view.choices:
                control_widget(choice)
    _sections(view, "above", key, origin)
    for index, row in enumerate(view.rows):
        _panels(row, viewer if not index else f"{viewer}_{index + 1}", origin)
    _sections(view, "under", key, origin)
    if any(section.place in ("left", "right") for section in view.sections):
        for position, column in zip(("left", "right"), st.columns(view.columns, gap="large"), strict=True):
            with column:
                _sections(view, position, key, origin)
    _sections(view, "below", key, origin)
    if view.texts:
        _texts(view, sentence, key, origin)


def _panels(row: PanelRow, key: str, origin: Origin) -> None:
    """Show panels, or why they cannot be drawn; a word that is clicked goes to the URL."""
    try:
        word = show_panels(row, key=key, origin=origin)
    except EvaltoolsError as error:
        show_blocks(not_drawn(row.panels[0].heading, error), key=f"{key}_absent")
        return
    if row.words is not None and word is not None and word != row.word and word < len(row.words.values):
        state.put(**{row.words.name: row.words.values[word]})
        st.rerun()


def _sections(view: SentenceView, place: str, key: str, origin: Origin) -> None:
    for section in view.sections:
        if section.place == place:
            _section(section, f"{key}_{section.id}", origin)


def _section(section: Section, key: str, origin: Origin) -> None:
    if section.choice is not None:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.subheader(section.heading, width="content")
            control_widget(section.choice, is_bare=True)
    elif section.heading:
        st.subheader(section.heading)
    show_blocks(
        *section.blocks,
        key=key,
        on_step=_writer(section.steps),
        on_word=_writer(section.words),
        origin=origin,
    )


def _writer(selection: Selection | None) -> Callable[[int], None] | None:
    """Return what writes a clicked item to the URL."""
    if selection is None:
        return None

    def write(index: int) -> None:
        if 0 <= index < len(selection.values):
            state.put(**{selection.name: selection.values[index]})

    return write


def _texts(view: SentenceView, sentence: Sentence, key: str, origin: Origin) -> None:
    """Show the analyses as they were read, and a link to the metric lab."""
    section = folded(view.texts_heading, "texts")
    if section is None:
        return
    with section:
        for index, (text, (_, analysis)) in enumerate(zip(view.texts, sentence.sources, strict=True)):
            st.text(text.name)
            st.code(text.text, language=None, wrap_lines=True)
            if text.indented:
                with st.popover("Tree", key=f"{key}_tree_{index}"):
                    tree = Drawing(analysis, f"Tree of {text.name}", f"tree-{text.name}")
                    show_blocks(drawn(tree, ""), key=f"{key}_picture_{index}", origin=origin)
                    st.code(text.indented, language=None)
        if view.lab_trees is not None and max(map(len, view.lab_trees)) <= MAX_CHARACTERS:
            st.page_link(
                "pages/lab.py",
                label="Open in the metric lab",
                icon=":material/science:",
                query_params=state.link(**lab_query(*view.lab_trees)),
            )

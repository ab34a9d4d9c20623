"""The sections of reports on pages: a run as command line and HTML files report it, and what shows its blocks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

import pandas as pd
import streamlit as st

from evaltools.app.components.blocks import show_blocks
from evaltools.app.session import data, state
from evaltools.app.session.data import cached_by_run
from evaltools.app.widgets.saving import Origin, chart, drawing_files, save, save_table
from evaltools.drawing.blocks import Drawing, answer, not_drawn, note, picture, sentence
from evaltools.errors import EvaltoolsError
from evaltools.outputs.sections import SECTIONS, Block, Chart, Picture, Report, Section, Table, Text
from evaltools.runs.store import Run

_MAX_BESIDE = 3
"""Pictures beside one another."""
_WIDTH = 340
"""Width of a small picture in pixels."""
_ARROW = ":material/arrow_forward:"


@cached_by_run(16)
def _report(run: Run, metrics: tuple[str, ...], figure: str, main: str, cluster: str) -> Report:
    return Report(run, data.sums(run, cluster), data.summary(run, metrics, figure, main, cluster), cluster)


def report(run: Run, metrics: Sequence[str], figure: str, main: str, cluster: str = "") -> Report:
    """Return the report of a run by one figure of some metrics."""
    return _report(run, tuple(metrics), figure, main, cluster)


@cached_by_run(64)
def section(run: Run, name: str, figure: str, metric: str, cluster: str = "") -> Section:
    """Return a section of the report by one figure of one metric."""
    return SECTIONS[name](report(run, [metric], figure, metric, cluster))


def show_section(run: Run, blocks: Sequence[Block], key: str) -> None:
    """Show the blocks of a section, each as it is in a report."""
    charts: list[Chart] = []
    texts: list[Text] = []
    pictures: list[Picture] = []
    for number, (block, following) in enumerate(zip_longest(blocks, blocks[1:])):
        is_last = type(following) is not type(block)
        if isinstance(block, Text):
            texts.append(block)
            if is_last:
                show_blocks(*map(_text, texts), key=f"{key}_{number}")
                texts = []
        elif isinstance(block, Picture):
            pictures.append(block)
            if is_last:
                _show_pictures(run, pictures, f"{key}_{number}")
                pictures = []
        elif isinstance(block, Table):
            _show_table(run, block, f"{key}_{number}")
        elif block.is_half:
            charts.append(block)
            if len(charts) == 2 or is_last:
                for at, (item, column) in enumerate(zip(charts, st.columns(2, gap="large"), strict=False)):
                    with column:
                        _show_chart(run, item, f"{key}_{number}_{at}")
                charts = []
        else:
            _show_chart(run, block, f"{key}_{number}")


def _text(text: Text) -> dict[str, object]:
    return note(text.text) if text.kind == "note" else answer(text.text)


def _show_chart(run: Run, block: Chart, key: str) -> None:
    if block.is_half:
        st.markdown(f"**{block.title}**")
    description = f"{block.title}."
    chart(dict(block.specification), key=key, signature=run.signature, description=description, min_width=block.width)
    if block.note:
        show_blocks(note(block.note), key=f"{key}_note")


def _show_pictures(run: Run, pictures: Sequence[Picture], key: str) -> None:
    """Show errors beside one another, each with an excerpt of its sentence, a small picture and a link."""
    columns = st.columns(max(_MAX_BESIDE, len(pictures)), gap="medium")
    for at, (item, column) in enumerate(zip(pictures, columns, strict=False)):
        with column.container(gap="xxsmall"):
            words = [sentence(item.words, item.marked, f"Sentence {item.sentence}:")] if item.words else []
            remark = [note(item.remark)] if item.remark else []
            show_blocks(
                answer(item.title),
                *map(note, item.notes),
                *words,
                *remark,
                *map(_small, item.drawings),
                key=f"{key}_{at}",
            )
            origin = Origin(f"{key}-{at + 1}", f"{item.title}, sentence {item.sentence}", run.signature)
            save(f"{key}_{at}", *(drawing_files(drawing, origin) for drawing in item.drawings))
            if item.query:
                query = state.link(other=None, **item.query)
                st.page_link("pages/hotspots.py", label="Examples", icon=_ARROW, query_params=query)


def _small(drawing: Drawing) -> dict[str, object]:
    try:
        return picture(drawing.draw(theme="auto", width=_WIDTH))
    except EvaltoolsError as error:
        return not_drawn(drawing.title, error)


def _show_table(run: Run, block: Table, key: str) -> None:
    frame = pd.DataFrame([list(row) for row in block.rows], columns=list(block.heads))
    configuration = {
        head: st.column_config.TextColumn(head, alignment="left" if at < block.n_texts else "right")
        for at, head in enumerate(block.heads)
    }
    if block.title:
        st.markdown(f"**{block.title}**")
    st.dataframe(frame, hide_index=True, column_config=configuration, height=min(410, 36 + 35 * len(frame)), key=key)
    save_table(frame, key, f"{block.title or key}\n{run.signature}")
    if block.note:
        show_blocks(note(block.note), key=f"{key}_note")

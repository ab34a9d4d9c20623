"""The sections of reports on pages: a run as command line and HTML files report it, and what shows its blocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import Literal

import streamlit as st

from evaltools.app.components.blocks import show_blocks
from evaltools.app.session import data, state
from evaltools.app.session.data import cached_by_run
from evaltools.app.widgets.saving import Origin, chart, drawing_files, save
from evaltools.app.widgets.tables import show_table
from evaltools.blocks import Block, Chart, Picture, Table, Text, Words, answer, note, sentence
from evaltools.outputs.sections import SECTIONS, Report
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


@cached_by_run(64, "Computing …")
def section(
    run: Run, name: str, figure: str, metric: str, cluster: str = "", parser: str = "", by: str = ""
) -> list[Block]:
    """Return a section of the report by one figure of one metric, of one parser, by a column of the metadata."""
    return SECTIONS[name].blocks(replace(report(run, [metric], figure, metric, cluster), parser=parser, by=by))


def show_section(run: Run, blocks: Sequence[Block], key: str) -> None:
    """Show the blocks of a section, each as it is in a report."""
    for number, (form, group) in enumerate(groupby(blocks, _form)):
        own, part = list(group), f"{key}_{number}"
        if form == "texts":
            show_blocks(*own, key=part)
        elif form == "whole":
            for at, block in enumerate(own):
                _show_block(run, block, f"{part}_{at}")
        else:
            n_beside = _MAX_BESIDE if form == "pictures" else 2
            for at in range(0, len(own), n_beside):
                columns = st.columns(n_beside, gap="medium" if form == "pictures" else "large")
                for index, (block, column) in enumerate(zip(own[at : at + n_beside], columns, strict=False), at):
                    with column:
                        _show_block(run, block, f"{part}_{index}")


def _form(block: Block) -> Literal["texts", "pictures", "halves", "whole"]:
    """Return with what a block stands: below texts, beside pictures, or beside small tables and charts."""
    if isinstance(block, Text):
        return "texts"
    if isinstance(block, Picture):
        return "pictures"
    is_half = block.is_half if isinstance(block, Chart) else block.form == "small"
    return "halves" if is_half else "whole"


def _show_block(run: Run, block: Block, key: str) -> None:
    if isinstance(block, Picture):
        _show_picture(run, block, key)
        return
    assert not isinstance(block, Text | Words)
    if block.title and (isinstance(block, Table) or block.is_half):
        show_blocks(answer(block.title), key=f"{key}_title")
    if isinstance(block, Table):
        show_table(block, key, f"{block.title or key}\n{run.signature}")
    else:
        specification, about = dict(block.specification), f"{block.title}."
        chart(specification, key=key, signature=run.signature, description=about, min_width=block.width)
    if block.note:
        show_blocks(note(block.note), key=f"{key}_note")


def _show_picture(run: Run, item: Picture, key: str) -> None:
    """Show an error: an excerpt of its sentence, a small picture and a link."""
    with st.container(gap="xxsmall"):
        words = [sentence(item.words, item.marked, f"Sentence {item.sentence}:")] if item.words else []
        remark = [note(item.remark)] if item.remark else []
        drawings = (Picture("", [drawing], widths=[_WIDTH]) for drawing in item.drawings)
        show_blocks(answer(item.title), *map(note, item.notes), *words, *remark, *drawings, key=key)
        origin = Origin(key.replace("_", "-"), f"{item.title}, sentence {item.sentence}", run.signature)
        save(key, *(drawing_files(drawing, origin) for drawing in item.drawings))
        if item.query:
            query = state.link(other=None, **item.query)
            st.page_link("pages/hotspots.py", label="Examples", icon=_ARROW, query_params=query)

"""A table of sentences to choose from, in pages if it is long."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from evaltools.frameworks.registry import METRICS
from evaltools.ui.session import state
from evaltools.ui.widgets.saving import save_table

__all__ = ["PAGE", "page_shown", "page_turner", "sentence_list"]

PAGE = 5_000
"""Rows on a page."""

_MAX_ROWS = 100_000
"""More rows make the browser slow."""

_ROW, _HEIGHT = 30, 386
_BAR = "_bar"
"""Ends the name of the column of bars: a column of bars cannot show a dash for a missing score."""
_PAGE_STATE = "evaltools_list_page"
_STATUS = {"ok": "", "missing": "no parse", "words_differ": "tokens differ"}


def sentence_list(
    rows: pd.DataFrame,
    *,
    key: str,
    metrics: Sequence[str],
    caption: str,
    extra: dict[str, Any] | None = None,
    selected: int | None = None,
) -> None:
    """Show sentences; selecting a row writes the sentence to the URL."""
    shown = rows.head(_MAX_ROWS)
    sentences = shown["sentence"].to_numpy(dtype=np.int64)
    table_key = f"{key}_{_fingerprint(sentences, metrics)}"
    indices = np.flatnonzero(sentences == selected)
    selection = [int(indices[0])] if len(indices) else []
    if table_key in st.session_state and _selected_rows(table_key) != selection:
        st.session_state[table_key] = {"selection": {"rows": selection, "columns": [], "cells": []}}

    def select() -> None:
        indices = [index for index in _selected_rows(table_key) if 0 <= index < len(sentences)]
        if indices:
            state.put(sentence=int(sentences[indices[0]]))

    status = shown["status"].map(_STATUS)
    status = status.mask((status == "") & shown[metrics[0]].isna(), "nothing to count")
    scores = [name for metric in metrics for name in (metric, metric + _BAR)]
    columns = ["sentence", "words", *scores, *(extra or {}), "text", *(["status"] if (status != "").any() else [])]
    frame = shown.assign(status=status, **{metric + _BAR: shown[metric] for metric in metrics})[columns]
    configuration = _configuration(frame, metrics) | (extra or {})
    st.dataframe(
        frame,
        hide_index=True,
        row_height=_ROW,
        height=min(_HEIGHT, _ROW + 4 + _ROW * max(len(frame), 1)),
        column_config=configuration,
        placeholder="–",
        on_select=select,
        selection_mode="single-row",
        selection_default={"selection": {"rows": selection}},
        key=table_key,
    )
    titles = {name: str(column.get("label") or name) for name, column in configuration.items()}
    titles |= {metric: METRICS[metric].title for metric in metrics}
    printed = [name for name in frame.columns if not name.endswith(_BAR)]
    save_table(lambda: frame[printed].rename(columns=titles), key, caption)
    if len(rows) > _MAX_ROWS:
        st.text(f"The first {_MAX_ROWS:,} of {len(rows):,} sentences are shown; filters narrow them down.")


def _selected_rows(key: str) -> list[int]:
    selection = st.session_state[key].get("selection", {})
    return list(selection.get("rows", []))


def _fingerprint(sentences: NDArray[np.int64], metrics: Sequence[str]) -> str:
    digest = blake2b(np.ascontiguousarray(sentences).tobytes(), digest_size=8)
    digest.update("|".join(metrics).encode())
    return digest.hexdigest()


def _configuration(frame: pd.DataFrame, metrics: Sequence[str]) -> dict[str, Any]:
    configuration: dict[str, Any] = {
        "sentence": st.column_config.NumberColumn("Sentence", format="%d", width=70),
        "words": st.column_config.NumberColumn("Words", format="%d", width=60),
        "status": st.column_config.TextColumn("Status", width=110),
        "text": st.column_config.TextColumn("Text"),
    }
    for metric in metrics:
        item = METRICS[metric]
        maximum = 1.0 if item.is_share or frame[metric].isna().all() else max(float(frame[metric].max()), 1.0)
        configuration[metric] = st.column_config.NumberColumn(
            item.heading, help=item.hint, format="%.3f" if item.is_share else "%d", width=120
        )
        configuration[metric + _BAR] = st.column_config.ProgressColumn(
            " ", format=" ", min_value=0.0, max_value=maximum, width=54
        )
    return configuration


def page_shown(identity: str, sentence: int, index: int) -> int:
    """Return the page to show, from 0."""
    # A new list begins with its first page; otherwise the page is that of the selected sentence.
    before, last, page = st.session_state.get(_PAGE_STATE, ("", 0, 0))
    if before != identity and before:
        page = 0
    elif before != identity or last != sentence:
        page = index // PAGE
    st.session_state[_PAGE_STATE] = (identity, sentence, page)
    return int(page)


def page_turner(sentences: NDArray[np.int32], page: int) -> None:
    """Let the reader choose a page, if there are several; the first sentence of the new page is then selected."""
    total = len(sentences)
    if total <= PAGE:
        return
    n_pages = -(-total // PAGE)
    key = "list_page"
    st.session_state[key] = page + 1

    def changed() -> None:
        state.put(sentence=int(sentences[(int(st.session_state[key]) - 1) * PAGE]))

    with st.container(horizontal=True, vertical_alignment="center", key="list_pages"):
        st.text(f"Rows {page * PAGE + 1:,} to {min((page + 1) * PAGE, total):,} of {total:,}; page")
        st.number_input(
            f"Page, of {n_pages:,}",
            min_value=1,
            max_value=n_pages,
            step=1,
            width=130,
            label_visibility="collapsed",
            key=key,
            on_change=changed,
        )
        st.text(f"of {n_pages:,}")

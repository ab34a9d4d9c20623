"""A table of sentences to choose from, for any page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from evaltools.metrics import METRICS
from evaltools.ui.session import state
from evaltools.ui.widgets.metric_titles import column_hint, column_title
from evaltools.ui.widgets.saving import save_table

__all__ = ["MOST_ROWS", "sentence_list"]

MOST_ROWS = 100_000
"""More rows than this make the browser slow."""

_ROW = 30
_BAR = "_bar"
"""A bar has a column of its own: beside a bar nothing can be written where there is no score."""
_STATUS = {"ok": "", "missing": "no parse", "words_differ": "words differ"}


def sentence_list(
    rows: pd.DataFrame,
    *,
    key: str,
    metrics: Sequence[str],
    caption: str,
    extra: dict[str, Any] | None = None,
    selected: int | None = None,
    height: int = 386,
    choose: Callable[[int], None] | None = None,
) -> None:
    """Show sentences; selecting a row writes the sentence to the URL.

    Parameters
    ----------
    rows : DataFrame
        ``sentence``, ``words``, ``status``, ``text``, the metrics, in the order to show.
    key : str
        The table's key; a fingerprint of the rows is added, because a selection belongs to positions.
    metrics : sequence of str
        Metric ids, shown as figures with bars beside them; the first is the one that orders.
    caption : str
        What the list shows, and how its figures came about; goes with the files it is saved as.
    extra : dict, optional
        More columns of `rows` to show after the metrics, with their configuration.
    selected : int, optional
        The sentence whose row is to be selected.
    height : int
        In pixels.
    choose : callable, optional
        What to do with the sentence of a selected row, instead of writing it to the URL.
    """
    shown = rows.head(MOST_ROWS)
    sentences = shown["sentence"].to_numpy(dtype=np.int64)
    table_key = f"{key}_{_fingerprint(sentences, metrics)}"
    places = np.flatnonzero(sentences == selected)
    wanted = [int(places[0])] if len(places) else []
    if table_key in st.session_state and _selected_rows(table_key) != wanted:
        st.session_state[table_key] = {"selection": {"rows": wanted, "columns": [], "cells": []}}

    def chosen() -> None:
        places = [place for place in _selected_rows(table_key) if 0 <= place < len(sentences)]
        if places:
            sentence = int(sentences[places[0]])
            if choose is not None:
                choose(sentence)
            else:
                state.put(sentence=sentence)

    status = shown["status"].map(_STATUS)
    status = status.mask((status == "") & shown[metrics[0]].isna(), "nothing to count")
    odd = bool((status != "").any())
    scores = [name for metric in metrics for name in (metric, metric + _BAR)]
    columns = ["sentence", "words", *scores, *(extra or {}), "text", *(["status"] if odd else [])]
    frame = shown.assign(status=status, **{metric + _BAR: shown[metric] for metric in metrics})[columns]
    st.dataframe(
        frame,
        hide_index=True,
        row_height=_ROW,
        height=min(height, _ROW + 4 + _ROW * max(len(frame), 1)),
        column_config=_configuration(frame, metrics) | (extra or {}),
        placeholder="–",
        on_select=chosen,
        selection_mode="single-row",
        selection_default={"selection": {"rows": wanted}},
        key=table_key,
    )
    about = _configuration(frame, metrics) | (extra or {})
    titles = {name: str(one.get("label") or name) for name, one in about.items()}
    titles |= {metric: METRICS[metric].title for metric in metrics}
    printed = [name for name in frame.columns if not name.endswith(_BAR)]
    save_table(lambda: frame[printed].rename(columns=titles), key, caption)
    if len(rows) > MOST_ROWS:
        st.text(f"The first {MOST_ROWS:,} of {len(rows):,} sentences are shown; filters narrow them down.")


def _selected_rows(key: str) -> list[int]:
    selection = st.session_state[key].get("selection", {})
    return list(selection.get("rows", []))


def _fingerprint(sentences: np.ndarray[Any, Any], metrics: Sequence[str]) -> str:
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
        about = METRICS[metric]
        most = 1.0 if about.is_share or frame[metric].isna().all() else max(float(frame[metric].max()), 1.0)
        configuration[metric] = st.column_config.NumberColumn(
            column_title(metric), help=column_hint(metric), format="%.3f" if about.is_share else "%d", width=120
        )
        configuration[metric + _BAR] = st.column_config.ProgressColumn(
            " ", format=" ", min_value=0.0, max_value=most, width=54
        )
    return configuration

"""A table of sentences to choose from, in pages if it is long."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray
from streamlit.delta_generator import DeltaGenerator

from evaltools.frameworks.metric import Metric
from evaltools.frameworks.registry import METRICS
from evaltools.runs.store import Run
from evaltools.text import column_format
from evaltools.ui.session import state
from evaltools.ui.widgets.choice_table import SELECTS, keep_selected, selected_rows
from evaltools.ui.widgets.saving import save_table
from evaltools.ui.widgets.signed_numbers import number_format, with_signs

__all__ = [
    "PAGE",
    "absent_sentence",
    "page_shown",
    "page_turner",
    "rank_difference_column",
    "score_format",
    "sentence_list",
]

PAGE = 5_000
"""Rows on a page."""

_MAX_ROWS = 100_000
"""More rows make the browser slow."""

_ROW, _MAX_HEIGHT_ROWS = 30, 12
_BEFORE, _AFTER = 24, 240
"""Number of characters shown before and after the match of a search."""
_BAR = "_bar"
"""Ends the name of the column of bars: a column of bars cannot show a dash for a missing score."""
_MATCH_WIDTHS = (96, 230)
"""Least and largest width of the column of matches, in pixels."""
_TEXTS = ("before", "match", "after")
"""The columns of a concordance: the text before what is searched for, the match, the text after it."""
_PAGE_STATE = "evaltools_list_page"
_STATUS = {"ok": "", "missing": "no parse", "words_differ": "tokens differ", "left_out": "left out"}


def score_format(metric: Metric, scores: pd.Series[Any]) -> str:
    """Return the format of a column of sentence scores."""
    return column_format() if metric.is_share else number_format(scores, decimals=2)


def rank_difference_column(differences: pd.Series[float], hint: str) -> Any:
    """Return the column of differences of ranks; ties share the mean of their ranks, which may lie between two."""
    form = number_format(differences, signed=True)
    return st.column_config.NumberColumn("Rank difference", help=hint, format=form, width=110)


def sentence_list(
    rows: pd.DataFrame,
    *,
    key: str,
    metrics: Sequence[str],
    caption: str,
    leading: dict[str, Any] | None = None,
    extra: dict[str, Any] | None = None,
    matches: Sequence[tuple[str, str, str]] | None = None,
    selected: int | None = None,
    n_visible: int = _MAX_HEIGHT_ROWS,
    foot: DeltaGenerator | None = None,
) -> None:
    """Show sentences; selecting a row writes the sentence to the URL.

    Columns of `leading` are beside the length, those of `extra` beside the scores; `matches` are the texts cut at what
    is searched for; files are offered in `foot`.
    """
    shown = rows.head(_MAX_ROWS)
    sentences = shown["sentence"].to_numpy(dtype=np.int64)
    table_key = f"{key}_{_fingerprint(sentences, metrics)}"
    indices = np.flatnonzero(sentences == selected)
    selection = [int(indices[0])] if len(indices) else []
    first = keep_selected(table_key, selection)

    def select() -> None:
        indices = [index for index in selected_rows(table_key) if 0 <= index < len(sentences)]
        if indices:
            state.put(sentence=int(sentences[indices[0]]))

    status = shown["status"].map(_STATUS)
    status = status.mask((status == "") & shown[metrics[0]].isna(), "nothing to count")
    leading, extra = leading or {}, extra or {}
    shown = shown.assign(**{name: 100 * shown[name] for name in metrics if METRICS[name].is_share})
    shown = shown.assign(status=status, **{metrics[0] + _BAR: shown[metrics[0]]})
    texts = ["text"]
    if matches is not None:
        texts = list(_TEXTS)
        shown = shown.assign(**_around(matches[:_MAX_ROWS]))
    scores = [metrics[0], metrics[0] + _BAR, *metrics[1:]]
    columns = ["sentence", "words", *leading, *scores, *extra, *texts]
    if matches is not None:  # the match is in view on a small screen
        columns = ["sentence", "words", *leading, metrics[0], *texts, *scores[1:], *extra]
    columns += ["status"] if (status != "").any() else []
    frame = shown[columns]
    configuration = _configuration(frame, metrics) | leading | extra
    written, written_configuration = with_signs(frame, configuration)
    st.dataframe(
        written,
        hide_index=True,
        row_height=_ROW,
        height=_ROW + 4 + _ROW * min(max(len(frame), 1), n_visible) - (_ROW // 2 if len(frame) > n_visible else 0),
        column_config=written_configuration,
        placeholder="–",
        on_select=select,
        selection_mode=SELECTS,
        selection_default=first,
        key=table_key,
    )
    titles = {name: str(column.get("label") or name) for name, column in configuration.items()}
    titles |= {metric: METRICS[metric].title for metric in metrics}

    def printed() -> pd.DataFrame:
        kept = frame[[name for name in frame.columns if not name.endswith(_BAR)]]
        if matches is not None:
            kept = kept.drop(columns=list(_TEXTS)).assign(text=shown["text"])
        return kept.rename(columns=titles | {"text": "Text"})

    with foot or st.container():
        save_table(printed, key, caption, decimals=2)
    if len(rows) > _MAX_ROWS:
        st.text(f"The first {_MAX_ROWS:,} of {len(rows):,} sentences are shown; filters narrow them down.")


def _around(matches: Sequence[tuple[str, str, str]]) -> dict[str, list[Any]]:
    """Return the columns of a concordance."""
    rows = []
    for before, match, after in matches:
        inner = match.strip()
        start = match.find(inner) if inner else 0
        before, after = (before + match[:start]).strip(), (match[start + len(inner) :] + after).strip()
        if len(before) > _BEFORE:
            before = "… " + before[-_BEFORE:].partition(" ")[2]
        if len(after) > _AFTER:
            after = after[:_AFTER].rpartition(" ")[0] + " …"
        rows.append((before, [inner] if inner else [], after))
    return {name: [row[index] for row in rows] for index, name in enumerate(_TEXTS)}


def _fingerprint(sentences: NDArray[np.int64], metrics: Sequence[str]) -> str:
    digest = blake2b(np.ascontiguousarray(sentences).tobytes(), digest_size=8)
    digest.update("|".join(metrics).encode())
    return digest.hexdigest()


def _configuration(frame: pd.DataFrame, metrics: Sequence[str]) -> dict[str, Any]:
    configuration: dict[str, Any] = {
        "sentence": st.column_config.NumberColumn("Sentence", format="%i", width=70),  # a name: without commas
        "words": st.column_config.NumberColumn("Words", format="%d", width=60),
        "status": st.column_config.TextColumn("Status", width=110),
        "text": st.column_config.TextColumn("Text"),
    }
    if "match" in frame:
        found = sorted({item for items in frame["match"] for item in items})
        configuration["before"] = st.column_config.TextColumn("Before", alignment="right", width=190)
        width = min(max(_MATCH_WIDTHS[0], 36 + 8 * max(map(len, found), default=0)), _MATCH_WIDTHS[1])
        configuration["match"] = st.column_config.MultiselectColumn("Match", options=found, color="yellow", width=width)
        configuration["after"] = st.column_config.TextColumn("After", width=300 + _MATCH_WIDTHS[0] - width)
    for metric in metrics:
        item = METRICS[metric]
        configuration[metric] = st.column_config.NumberColumn(
            item.heading, help=item.hint, format=score_format(item, frame[metric]), width=112
        )
    first = METRICS[metrics[0]]
    scores = frame[metrics[0]]
    maximum = 100.0 if first.is_share else 1.0 if scores.isna().all() else max(float(scores.max()), 1.0)
    configuration[metrics[0] + _BAR] = st.column_config.ProgressColumn(
        " ", format=" ", min_value=0.0, max_value=maximum, width=54
    )
    return configuration


def absent_sentence(run: Run, listed: NDArray[np.int32], reasons: Callable[[int], str]) -> str:
    """Return why the sentence of the URL is not in a list; empty if it is, or if the URL has none."""
    number = state.get_number("sentence", 0, 0, 2**31 - 1)
    if not 1 <= number <= run.n_sentences or (listed == number).any():
        return ""
    return f"Sentence {number:,} is not listed; {reasons(number)}."


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

"""Where the words of dependency trees hang rightly: by relation, by distance to the head, by direction."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from evaltools.runs.store import Run
from evaltools.ui.components.plain import note, plain
from evaltools.ui.session import data
from evaltools.ui.widgets.saving import save_table

__all__ = ["attachments"]

_SHARES = {
    "recall": "Recall",
    "precision": "Precision",
    "f1": "F1",
    "uas_recall": "UAS rec.",
    "uas_precision": "UAS prec.",
    "las_recall": "LAS rec.",
    "las_precision": "LAS prec.",
}
_COUNTS = {"gold": "Gold", "test": "Test", "matched": "Right"}
_HEADS = {
    "root": "none: root",
    "1": "1 word away",
    "7–": "7 or more away",
    "left": "to the left",
    "right": "to the right",
}
_MOST = 320


@st.cache_resource(max_entries=16, show_spinner=False)
def _labels(key: str, parser: str, _run: Run) -> pd.DataFrame:
    return _run.labels(parser)


@st.cache_resource(max_entries=16, show_spinner=False)
def _attachments(key: str, parser: str, _run: Run) -> pd.DataFrame:
    return _run.attachments(parser)


def attachments(run: Run, parser: str) -> None:
    """Show tables of a parser's words.

    Parameters
    ----------
    run : Run
        A run of dependency trees.
    parser : str
        The parser.
    """
    key = data.run_key(run)
    st.subheader("Relations, distance and direction", anchor=False)
    with st.container(key="attachments_parser"):
        st.text(f"Words of {parser}, over the sentences whose words are equal")
    left, right = st.columns(2, gap="medium")
    relations = _labels(key, parser, run).drop(columns=["parser", "labelled"]).rename(columns={"label": "relation"})
    with left:
        _table(
            relations, "relations", {"relation": "Relation"}, _MOST, f"Words of {parser} by relation.\n{run.signature}"
        )
        plain(
            note("Right: the right head and this relation. Recall is of the gold words, precision of the test words."),
            key="relations_note",
        )
    places = _attachments(key, parser, run)
    places = places[(places["by"] == "distance") | (places["bin"] != "root")]
    heads = [_HEADS.get(name, f"{name} words away") for name in places["bin"]]
    places = places.drop(columns=["parser", "by", "bin"])
    places.insert(0, "head", heads)
    with right:
        _table(
            places, "attachments", {"head": "Head"}, None, f"Words of {parser} by place of the head.\n{run.signature}"
        )
        plain(
            note("Recall is of the words whose gold head is there, precision of those whose test head is."),
            key="attachments_note",
        )


def _table(rows: pd.DataFrame, key: str, texts: dict[str, str], height: int | None, caption: str) -> None:
    shares = [name for name in rows.columns if name in _SHARES]
    rows = rows.assign(**{name: rows[name] * 100 for name in shares})
    columns: dict[str, Any] = {name: st.column_config.TextColumn(title, width=106) for name, title in texts.items()}
    columns |= {name: st.column_config.NumberColumn(title, format="%d", width=60) for name, title in _COUNTS.items()}
    columns |= {name: st.column_config.NumberColumn(title, format="%.2f", width=73) for name, title in _SHARES.items()}
    st.dataframe(
        rows,
        hide_index=True,
        height=height or "content",
        column_config={name: one for name, one in columns.items() if name in rows},
        placeholder="–",
        key=key,
    )
    save_table(rows.rename(columns=texts | _COUNTS | _SHARES), key, caption, decimals=2)

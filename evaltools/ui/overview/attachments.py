"""Where the words of dependency trees are attached correctly: by relation, by distance to the head, by direction."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from evaltools.drawing.blocks import note
from evaltools.runs.store import Run
from evaltools.text import column_format
from evaltools.ui.components.blocks import show_blocks
from evaltools.ui.session.data import cached_by_run
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
_RELATIONS_HEIGHT = 320


@cached_by_run(16)
def _labels(run: Run, parser: str) -> pd.DataFrame:
    return run.labels(parser)


@cached_by_run(16)
def _attachments(run: Run, parser: str) -> pd.DataFrame:
    return run.attachments(parser)


def attachments(run: Run, parser: str) -> None:
    """Show tables of a parser's words."""
    st.subheader("Relations, distance and direction", anchor=False)
    with st.container(key="attachments_parser"):
        st.text(f"Words of {parser}, in sentences with the same tokens")
    left, right = st.columns(2, gap="medium")
    relations = _labels(run, parser).drop(columns=["parser", "labelled"]).rename(columns={"label": "relation"})
    with left:
        caption = f"Words of {parser} by relation; shares in percent.\n{run.signature}"
        _table(relations, "relations", {"relation": "Relation"}, _RELATIONS_HEIGHT, caption)
        show_blocks(
            note("Right: right head and this relation. Recall: of the gold words; precision: of the test words."),
            key="relations_note",
        )
    heads = _attachments(run, parser)
    heads = heads[(heads["by"] == "distance") | (heads["bin"] != "root")]
    titles = [_HEADS.get(name, f"{name} words away") for name in heads["bin"]]
    heads = heads.drop(columns=["parser", "by", "bin"])
    heads.insert(0, "head", titles)
    with right:
        caption = f"Words of {parser} by position of the head; shares in percent.\n{run.signature}"
        _table(heads, "attachments", {"head": "Head"}, None, caption)
        show_blocks(
            note("Recall: of the words whose gold head is there; precision: of the words whose test head is there."),
            key="attachments_note",
        )


def _table(rows: pd.DataFrame, key: str, texts: dict[str, str], height: int | None, caption: str) -> None:
    shares = [name for name in rows.columns if name in _SHARES]
    rows = rows.assign(**{name: rows[name] * 100 for name in shares})
    columns: dict[str, Any] = {name: st.column_config.TextColumn(title, width=106) for name, title in texts.items()}
    columns |= {name: st.column_config.NumberColumn(title, format="%d", width=60) for name, title in _COUNTS.items()}
    columns |= {
        name: st.column_config.NumberColumn(title, format=column_format(), width=73) for name, title in _SHARES.items()
    }
    st.dataframe(
        rows,
        hide_index=True,
        height=height or "content",
        column_config={name: item for name, item in columns.items() if name in rows},
        placeholder="–",
        key=key,
    )
    save_table(rows.rename(columns=texts | _COUNTS | _SHARES), key, caption, decimals=2)

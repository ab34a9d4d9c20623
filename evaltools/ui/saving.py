"""Taking charts and tables out of the app, for papers: the signature goes with them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from evaltools.publishing.tables import TABLE_FILES
from evaltools.publishing.vega import CHART_FILES, captioned

__all__ = ["save_chart", "save_table"]


def save_chart(picture: Mapping[str, Any], name: str, caption: str) -> None:
    """Offer a chart as files.

    Parameters
    ----------
    picture : mapping
        Vega-Lite.
    name : str
        The files' name, without its end; no two charts or tables of a page have the same.
    caption : str
        What it shows, and how the figures came about; it stands below the chart.
    """
    whole = captioned(picture, caption)
    _offer(name, {kind: (*about, partial(make, whole)) for kind, (*about, make) in CHART_FILES.items()})


def save_table(frame: pd.DataFrame, name: str, caption: str, *, decimals: int = 3) -> None:
    """Offer a table as files.

    Parameters
    ----------
    frame : DataFrame
        The table, its columns called as in a paper.
    name : str
        The files' name, without its end; no two charts or tables of a page have the same.
    caption : str
        What it shows, and how the figures came about.
    decimals : int
        Of figures that are no whole numbers.
    """
    _offer(
        name, {kind: (*about, partial(make, frame, caption, decimals)) for kind, (*about, make) in TABLE_FILES.items()}
    )


def _offer(name: str, files: Mapping[str, tuple[Any, ...]]) -> None:
    with st.popover("Save", icon=":material/download:", key=f"save_{name}", type="tertiary"):
        for kind, (label, suffix, mime, make) in files.items():
            st.download_button(
                label,
                partial(_bytes, make),
                f"{name.replace('_', '-')}.{suffix}",
                mime,
                key=f"save_{name}_{kind}",
                on_click="ignore",
                width="stretch",
            )


def _bytes(make: Callable[[], str | bytes]) -> bytes:
    made = make()
    return made.encode("utf-8", "backslashreplace") if isinstance(made, str) else made

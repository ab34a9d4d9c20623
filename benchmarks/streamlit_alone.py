"""An app of two pages with hardly anything on them: what the browser and Streamlit take by themselves."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["CHART", "CHOICE", "PAGE", "ROW", "SELECT_BOX", "TEXT", "command"]

PAGE = "First"
SELECT_BOX = ".st-key-choice input"
TEXT = ".st-key-answer"
CHOICE, ROW, CHART = (
    "a choice, answered by a line",
    "a row of a table, answered by a line",
    "a choice that draws a chart",
)

_PROGRAM = """
import streamlit as st

def first():
    choice = st.selectbox("Choice", ["one", "two", "three"], key="choice")
    rows = [{"name": f"row {number}", "value": number} for number in range(20)]
    event = st.dataframe(rows, key="rows", on_select="rerun", selection_mode="single-row")
    with st.container(key="answer"):
        st.text(f"{choice}, {event.selection.rows}")
    bars = [{"x": number, "y": len(choice) * number} for number in range(10)]
    encoding = {"x": {"field": "x", "type": "ordinal"}, "y": {"field": "y", "type": "quantitative", "title": choice}}
    st.vega_lite_chart({"data": {"values": bars}, "mark": "bar", "encoding": encoding})

def second():
    with st.container(key="answer"):
        st.text("the other page")

st.set_page_config(layout="wide")
st.navigation([st.Page(first, title="First"), st.Page(second, title="Second")]).run()
"""


def command(folder: Path, port: int) -> list[str]:
    """Write the app to a folder, and return the command that starts it."""
    program = folder / "streamlit_alone.py"
    program.write_text(_PROGRAM, encoding="utf-8")
    options = {
        "server.port": str(port),
        "server.headless": "true",
        "server.address": "127.0.0.1",
        "server.fileWatcherType": "none",
        "browser.gatherUsageStats": "false",
    }
    given = [part for name, value in options.items() for part in (f"--{name}", value)]
    return [sys.executable, "-m", "streamlit", "run", str(program), *given]

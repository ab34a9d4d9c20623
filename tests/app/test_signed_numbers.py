"""Numbers in tables: commas and minus signs, in short tables and in long ones."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest
import streamlit as st

from evaltools.app.widgets.tables import MAX_STYLED, with_signs


def column(form: str) -> dict[str, Any]:
    return dict(st.column_config.NumberColumn("amount", format=form))


@pytest.mark.parametrize(("form", "step"), [("%d", 1), ("%.1f", 0.1)])
def test_large_counts_of_a_long_table_have_commas(form: str, step: float):
    rows = pd.DataFrame({"amount": [1807.96, *[1.0] * MAX_STYLED]})
    written, columns = with_signs(rows, {"amount": column(form)})
    assert written["amount"].iloc[0] == (1808 if form == "%d" else 1808.0)  # the browser cuts and does not round
    assert columns["amount"]["type_config"]["format"] == "accounting"
    assert columns["amount"]["type_config"]["step"] == pytest.approx(step)
    assert rows["amount"].iloc[0] == 1807.96


@pytest.mark.parametrize(
    ("form", "value"), [("%+d", 2000), ("%d", -2000), ("%.1f %%", 2000), ("%i", 2000), ("%d", 999)]
)
def test_other_columns_of_a_long_table_stay_as_they_are(form: str, value: int):
    rows = pd.DataFrame({"amount": [value, 1000 * (value != 999), *[1] * MAX_STYLED]})
    written, columns = with_signs(rows, {"amount": column(form)})
    assert written["amount"].tolist() == rows["amount"].tolist()
    assert columns["amount"]["type_config"]["format"] == form

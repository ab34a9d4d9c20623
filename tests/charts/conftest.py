"""Charts here are compared with the schema of Vega-Lite."""

from __future__ import annotations

import pytest

from evaltools.charts import theme


@pytest.fixture(autouse=True)
def valid_charts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(theme, "CHECKED", True)

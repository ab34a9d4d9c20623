"""Pages without a browser: the whole app in AppTest, on a tiny run."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import streamlit as st
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest

from evaltools.charts import theme
from evaltools.ui import components
from tests.pages.tiny import score_tiny

if TYPE_CHECKING:
    from collections.abc import Callable

    import evaltools

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def tiny_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the folder that the tiny run is scored in, with its files."""
    folder = tmp_path_factory.mktemp("tiny")
    score_tiny(folder)
    return folder


@pytest.fixture(autouse=True)
def valid_charts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have every chart of every page compared with the schema of Vega-Lite."""
    monkeypatch.setattr(theme, "CHECKED", True)


@pytest.fixture
def tiny_run(tmp_path: Path) -> evaltools.Run:
    """Give a run of one's own, to write notes into."""
    return score_tiny(tmp_path)


@pytest.fixture
def open_app(fresh_home: Path, tiny_run: evaltools.Run, monkeypatch: pytest.MonkeyPatch) -> Callable[..., AppTest]:
    """Give a function that runs a page of the app on the tiny run: ``open_app("sentence", sentence="2")``."""
    made = PagesManager.__init__

    def with_navigation(self: PagesManager, *args: object, **options: object) -> None:
        made(self, *args, **options)
        PagesManager.uses_pages_directory = False  # AppTest resets to the old style of pages on each run

    monkeypatch.setattr(PagesManager, "__init__", with_navigation)
    monkeypatch.setattr(sys, "argv", ["app.py", str(tiny_run.path)])
    monkeypatch.chdir(ROOT)
    st.cache_resource.clear()

    def open_page(page: str, **query: str) -> AppTest:
        components._registered.cache_clear()  # each AppTest has a registry of its own
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
        app.switch_page(f"pages/{page}.py")
        for name, value in query.items():
            app.query_params[name] = value
        return app.run()

    return open_page

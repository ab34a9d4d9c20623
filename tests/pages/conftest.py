"""Pages without a browser: the whole app in AppTest, on a tiny run."""

from __future__ import annotations

import functools
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import streamlit as st
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest

import evaltools
from evaltools.ui import components
from tests.pages.tiny import score_tiny

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parents[2]
installed_components = functools.cache(manifest_scanner.scan_component_manifests)
"""Streamlit looks through all installed packages for every AppTest, which takes longer than a page."""


@pytest.fixture(scope="session")
def tiny_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the folder that the tiny run is scored in, with its files."""
    folder = tmp_path_factory.mktemp("tiny")
    score_tiny(folder)
    return folder


@pytest.fixture
def tiny_run(tiny_folder: Path, tmp_path: Path) -> evaltools.Run:
    """Give a run of one's own, to write notes into, with its files."""
    shutil.copytree(tiny_folder, tmp_path, dirs_exist_ok=True)
    return evaltools.Run(tmp_path / "tiny.run")


@pytest.fixture
def open_app(fresh_home: Path, tiny_run: evaltools.Run, monkeypatch: pytest.MonkeyPatch) -> Callable[..., AppTest]:
    """Give a function that runs a page of the app on the tiny run: ``open_app("sentence", sentence="2")``."""
    made = PagesManager.__init__

    def with_navigation(self: PagesManager, *args: object, **options: object) -> None:
        made(self, *args, **options)
        PagesManager.uses_pages_directory = False  # AppTest resets to the old style of pages on each run

    monkeypatch.setattr(PagesManager, "__init__", with_navigation)
    monkeypatch.setattr(manifest_scanner, "scan_component_manifests", installed_components)
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

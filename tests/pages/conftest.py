"""Pages without a browser: the whole app in AppTest, on a tiny run."""

from __future__ import annotations

import functools
import shutil
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import streamlit as st
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest

import evaltools
from evaltools.ui import components
from evaltools.ui.session import ahead
from tests.pages.tiny import score_tiny

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).resolve().parents[2]
installed_components = functools.cache(manifest_scanner.scan_component_manifests)
"""Streamlit looks through all installed packages for every AppTest, which takes longer than a page."""


add_to_queue = ahead._Queue.add


def wait_for_what_is_computed_ahead() -> None:
    """Wait until the threads have ended that pages start."""
    for thread in threading.enumerate():
        if thread.name == ahead.THREAD:
            thread.join()


@pytest.fixture(scope="session")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., evaltools.Run]:
    """Give a function that scores a corpus the first time, and copies files and run into a folder each time.

    ``scored(score_tiny, tmp_path)`` is ``score_tiny(tmp_path)``; further arguments are passed on.
    """
    first: dict[tuple[object, ...], Path] = {}

    def copy(score: Callable[..., evaltools.Run], folder: Path, **options: str) -> evaltools.Run:
        key = (score, *sorted(options.items()))
        if key not in first:
            first[key] = score(tmp_path_factory.mktemp("scored"), **options).path
        shutil.rmtree(folder / first[key].name, ignore_errors=True)
        shutil.copytree(first[key].parent, folder, dirs_exist_ok=True)
        return evaltools.Run(folder / first[key].name)

    return copy


@pytest.fixture
def tiny_run(scored: Callable[..., evaltools.Run], tmp_path: Path) -> evaltools.Run:
    """Give a run of one's own, to write notes into, with its files."""
    return scored(score_tiny, tmp_path)


@pytest.fixture
def open_app(
    fresh_home: Path, tiny_run: evaltools.Run, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., AppTest]]:
    """Give a function that runs a page of the app on the tiny run: ``open_app("sentence", sentence="2")``."""
    made = PagesManager.__init__

    def with_navigation(self: PagesManager, *args: object, **options: object) -> None:
        made(self, *args, **options)
        PagesManager.uses_pages_directory = False  # AppTest resets to the old style of pages on each run

    monkeypatch.setattr(PagesManager, "__init__", with_navigation)
    monkeypatch.setattr(manifest_scanner, "scan_component_manifests", installed_components)
    monkeypatch.setattr(ahead._Queue, "add", lambda self, key, steps: False)  # most tests make no next click
    monkeypatch.setattr(sys, "argv", ["app.py", str(tiny_run.path)])
    monkeypatch.setattr(ahead, "_REST", 0.0)  # no browser draws the page meanwhile
    monkeypatch.chdir(ROOT)
    st.cache_resource.clear()

    def open_page(page: str, **query: str) -> AppTest:
        components._registered.cache_clear()  # each AppTest has a registry of its own
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
        app.switch_page(f"pages/{page}.py")
        for name, value in query.items():
            app.query_params[name] = value
        return app.run()

    yield open_page
    wait_for_what_is_computed_ahead()
    st.cache_resource.clear()  # what outlives the interpreter is reported as leaked
    st.cache_data.clear()


@pytest.fixture
def computing_ahead(open_app: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let pages compute ahead what the next clicks need, as they do in the app."""
    monkeypatch.setattr(ahead._Queue, "add", add_to_queue)

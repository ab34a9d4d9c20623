"""Pages without a browser: the whole app in AppTest, on a tiny run."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest

import evaltools
from evaltools.app import components
from evaltools.app.pages import lessons
from evaltools.app.session import jobs, library
from tests.pages.tiny import score_tiny

ROOT = Path(__file__).resolve().parents[2]


def forget() -> None:
    """Forget what the server knows beside the results that it caches: its runs, jobs and steps of lessons."""
    for known in (library._shelf, library.remember_given, jobs._jobs, lessons._shown_now):
        known.clear()


class CheckedApp(AppTest):
    """The app, whose pages must not raise anything."""

    def _run(self, *args: Any, **options: Any) -> AppTest:
        app = super()._run(*args, **options)
        assert not self.exception, self.exception
        return app


@pytest.fixture(scope="session")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., evaltools.Run]]:
    """Give a function that scores a corpus the first time; its run is shared, and stays as it is.

    ``scored(score_tiny)`` is ``score_tiny(folder)`` with a folder of the session; further arguments are passed on.
    """
    runs: dict[tuple[object, ...], evaltools.Run] = {}
    written: dict[Path, int] = {}

    def files_of(run: evaltools.Run) -> dict[Path, int]:
        return {path: path.stat().st_mtime_ns for path in Path(run.path).rglob("*") if path.is_file()}

    def run_of(score: Callable[..., evaltools.Run], **options: str) -> evaltools.Run:
        key = (score, *sorted(options.items()))
        if key not in runs:
            runs[key] = score(tmp_path_factory.mktemp("scored"), **options)
            written.update(files_of(runs[key]))
        return runs[key]

    yield run_of
    assert {path: time for run in runs.values() for path, time in files_of(run).items()} == written


@pytest.fixture
def tiny_run(scored: Callable[..., evaltools.Run]) -> evaltools.Run:
    return scored(score_tiny)


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
    forget()

    def open_page(page: str, **query: str) -> AppTest:
        components._registered.cache_clear()  # each AppTest has a registry of its own
        app = CheckedApp(ROOT / "app.py", default_timeout=60)
        app.switch_page(f"pages/{page}.py")
        for name, value in query.items():
            app.query_params[name] = value
        return app.run()

    return open_page


@pytest.fixture
def open_on(
    open_app: Callable[..., AppTest], scored: Callable[..., evaltools.Run], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Callable[..., AppTest]]:
    """Give a function that has pages opened on another run, or on that of a function for `scored`."""

    def on(run: evaltools.Run | Callable[..., evaltools.Run], **options: str) -> Callable[..., AppTest]:
        run = run if isinstance(run, evaltools.Run) else scored(run, **options)
        monkeypatch.setattr(sys, "argv", ["app.py", str(run.path)])
        return open_app

    return on


@pytest.fixture
def score_texts(tmp_path: Path) -> Callable[..., evaltools.Run]:
    """Give a function that scores texts: ``score_texts(gold, parser=text)``, with options of ``evaltools.score``."""

    def score(gold: str, options: dict[str, Any] | None = None, **parsers: str) -> evaltools.Run:
        for name, text in {"gold": gold, **parsers}.items():
            (tmp_path / name).write_text(text, encoding="utf-8")
        files = {name: tmp_path / name for name in parsers}
        return evaltools.score(tmp_path / "gold", files, out=tmp_path / "texts.run", **options or {})

    return score


@pytest.fixture
def own_run(
    open_app: Callable[..., AppTest], tiny_run: evaltools.Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> evaltools.Run:
    """Give a copy of the run to write into, which the app opens."""
    copy = evaltools.Run(shutil.copytree(tiny_run.path, tmp_path / tiny_run.path.name))
    monkeypatch.setattr(sys, "argv", ["app.py", str(copy.path)])
    return copy


@pytest.fixture
def nothing_cached(open_app: Callable[..., AppTest]) -> None:
    """Let pages compute all that they show, also what another test has shown."""
    st.cache_resource.clear()


@pytest.fixture(scope="session", autouse=True)
def empty_caches_at_the_end() -> Iterator[None]:
    """Empty the caches: what outlives the interpreter is reported as leaked."""
    yield
    st.cache_resource.clear()

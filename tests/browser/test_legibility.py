"""The benchmark of legibility: what it counts, and that it runs from its first line to its last."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from benchmarks import legibility
from benchmarks.__main__ import main
from benchmarks.browser import serving
from benchmarks.engine import imperfect
from benchmarks.legibility import Opened

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page


def opened(**changes: Any) -> Opened:
    """Make a readable sentence, with changes."""
    values: dict[str, Any] = {"parser": "a", "sentence": 1, "words": 9, "wrong": 3, "errors": 3, "pixels": 11.0}
    return Opened(**(values | {"words_outside": 0, "errors_outside": 0} | changes))


def test_what_makes_a_sentence_unreadable():
    assert opened().faults == []
    assert opened(errors=2).faults == ["2 of 3 wrong brackets drawn"]
    assert opened(words_outside=1).faults == ["1 words off the screen"]
    assert opened(errors_outside=2).faults == ["2 wrong brackets off the screen"]
    assert opened(errors=2, unit="repairs").faults == ["2 of 3 repairs drawn"]
    assert opened(pixels=10.4).faults == ["letters of 10.4 px"]


def test_a_server_is_waited_for_and_ended(tmp_path: Path):
    (tmp_path / "_stcore").mkdir()
    (tmp_path / "_stcore" / "health").write_text("ok", "utf-8")
    files = [sys.executable, "-m", "http.server", "--bind", "127.0.0.1", "--directory", str(tmp_path)]
    with serving(lambda port: [*files, str(port)]) as server:
        assert server.process.poll() is None
    assert server.process.poll() is not None
    with (
        pytest.raises(RuntimeError, match="ended before it answered"),
        serving(lambda _: [sys.executable, "-c", ""]),
    ):
        pass


class OnePage:
    """A browser with one page, which has the windows of those that are asked for."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.windows: list[tuple[int, int]] = []

    def new_context(self, *, viewport: dict[str, int], **_: Any) -> SimpleNamespace:
        self.page.set_viewport_size(viewport)
        self.windows.append((viewport["width"], viewport["height"]))
        return SimpleNamespace(
            new_page=lambda: self.page, set_default_timeout=lambda _: None, close=lambda: self.page.goto("about:blank")
        )


def test_short_sentences_are_readable_in_every_window(
    tiny_folder: Path, address: str, page: Page, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    run = tiny_folder / "tiny.run"
    browser = OnePage(page)
    monkeypatch.setattr(legibility, "serving", lambda _: nullcontext(SimpleNamespace(address=address)))
    monkeypatch.setattr(legibility, "chromium", lambda: nullcontext(browser))
    monkeypatch.setattr("sys.argv", ["benchmarks", "--legibility", str(run), "--sample", "1", "--strict"])
    status = main()
    printed = capsys.readouterr().out
    assert status == 0, printed
    assert browser.windows == [(1440, 900), (1280, 720)]
    assert all(f"{width} × {height}" in printed for width, height in browser.windows)
    with_errors = [parser for parser, sentences in imperfect(run).items() if sentences]
    assert with_errors
    assert all(printed.count(parser) == 2 for parser in with_errors)

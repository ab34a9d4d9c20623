"""What the proofs share: entries in tables that last as long as a test, the app, the command line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from evaltools import cli
from tests.pages.conftest import open_app, scored, tiny_run  # noqa: F401 - fixtures

collect_ignore = ["toy_page.py"]  # runs as a page, not as a module that examples are looked for in


@pytest.fixture
def enter() -> Iterator[Callable[[dict[str, Any], str, object], None]]:
    """Give a function that puts an entry before the others of a table, until the test is over."""
    before: list[tuple[dict[str, Any], dict[str, Any]]] = []

    def put(table: dict[str, Any], name: str, value: object) -> None:
        before.append((table, dict(table)))
        entries = {name: value} | table
        table.clear()
        table.update(entries)

    yield put
    for table, entries in reversed(before):
        table.clear()
        table.update(entries)


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Give a function that runs a command, which must succeed, and returns what it prints."""

    def run(*arguments: object) -> str:
        monkeypatch.setattr(sys, "argv", ["evaltools", *map(str, arguments)])
        capsys.readouterr()
        status: object = 0
        try:
            cli.main()
        except SystemExit as end:
            status = end.code
        printed = capsys.readouterr()
        assert not status, printed.err
        return printed.out

    return run

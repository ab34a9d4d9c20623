"""What is computed from runs is kept, but not of any number of runs."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from evaltools.app.session import data


def test_results_are_forgotten_when_the_runs_shown_are_too_large_together(monkeypatch: pytest.MonkeyPatch):
    computed: list[str] = []

    @data.cached_by_run(8)
    def result(name: str) -> str:
        computed.append(name)
        return name

    def show(name: str, size: int) -> None:
        run: Any = SimpleNamespace(path=Path(name), signature="", meta={})
        data.bound(run, size)
        result(name)

    monkeypatch.setattr(data, "_CACHES", data._CACHES[-1:])
    monkeypatch.setattr(data, "_MAX_BYTES", 10)
    monkeypatch.setattr(data, "_KEPT", {})
    for name, size in (("a", 6), ("b", 4), ("a", 6), ("b", 4)):
        show(name, size)
    assert computed == ["a", "b"]
    show("c", 100)  # one is kept, however large it is
    show("c", 100)
    show("a", 6)
    assert computed == ["a", "b", "c", "a"]

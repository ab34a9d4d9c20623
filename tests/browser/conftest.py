"""The app in a real browser, on a tiny run with everything in it that pages stumble over."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.pages.tiny import score_tiny


@pytest.fixture(scope="session")
def tiny_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder with the tiny corpus and its run."""
    folder = tmp_path_factory.mktemp("tiny")
    score_tiny(folder)
    return folder


@pytest.fixture(scope="session")
def address(lasting_app_server: Callable[..., Any], tiny_folder: Path) -> str:
    """Give the address of the app, open on the tiny run; it is one app for all modules that have none of their own."""
    return str(lasting_app_server(str(tiny_folder / "tiny.run")).url)

"""Scripts of tests as apps."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="module")
def address(
    app_server: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> str:
    """Give the address of an app that runs the module's SCRIPT."""
    script = tmp_path_factory.mktemp("app") / "script.py"
    script.write_text(request.module.SCRIPT, encoding="utf-8")
    options = ["--server.headless", "true", "--browser.gatherUsageStats", "false", "--server.address", "127.0.0.1"]
    command = [sys.executable, "-m", "streamlit", "run", str(script), "--server.port", "{port}", *options]
    return str(app_server(command=command, env={"PYTHONPATH": str(Path(__file__).parents[2])}).url)

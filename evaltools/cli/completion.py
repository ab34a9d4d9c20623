"""What the shell completes: names of runs, of their parsers, metrics and views; empty where a run cannot be read."""

from __future__ import annotations

import glob
import json
import os
from pathlib import Path
from typing import Any

import typer

from evaltools.frameworks.registry import FRAMEWORKS, METRICS
from evaltools.runs.folder import META, is_run

__all__ = ["metric_names", "parser_names", "run_names", "view_names"]


def run_names(incomplete: str) -> list[str]:
    """Return the folders of runs that begin so; without one, the shell lists files."""
    names = sorted(glob.glob(f"{glob.escape(incomplete)}*"))
    folders = [name for name in names if os.path.isdir(name)]
    return [name for name in folders if is_run(Path(name))] or [f"{name}{os.sep}" for name in folders]


def parser_names(context: typer.Context, incomplete: str) -> list[str]:
    """Return the parsers of the run that the command has before."""
    parsers = _meta(context).get("parsers", [])
    return [entry["name"] for entry in parsers if entry["name"].startswith(incomplete)]


def metric_names(context: typer.Context, incomplete: str) -> list[str]:
    """Return the metrics of the run that the command has before, all without one; after a comma, another one."""
    before, comma, last = incomplete.rpartition(",")
    names = _meta(context).get("metrics", METRICS)
    return [f"{before}{comma}{name}" for name in names if name.startswith(last)]


def view_names(context: typer.Context, incomplete: str) -> list[str]:
    """Return the views of Hotspots that the run has."""
    framework = FRAMEWORKS.get(_meta(context).get("kind", ""))
    views = framework.questions().hotspots if framework is not None else {}
    return [name for name in views if name.startswith(incomplete)]


def _meta(context: typer.Context) -> dict[str, Any]:
    """Return what is known of the run that a command has been given.

    Before the value of an option the command is not complete, and its arguments are not yet parameters.
    """
    run = context.params.get("run") or next(iter(context.args), "")
    try:
        with open(os.path.join(str(run), META), encoding="utf-8") as file:
            meta = json.load(file)
    except (OSError, ValueError):
        return {}
    return meta if isinstance(meta, dict) else {}

"""What the other pages show first, computed in the background while the open one is read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from importlib import import_module
from pathlib import PurePath

from evaltools.runs.store import Run
from evaltools.ui.session import data, state
from evaltools.ui.session.ahead import MAX_SENTENCES, compute_ahead

__all__ = ["compute_pages"]


def compute_pages(run: Run, paths: Iterable[str]) -> None:
    """Load the modules of pages, and compute what those with a ``compute_opening`` show of the chosen parser."""
    from evaltools.ui.sentence.detail import detail_drawer  # takes a while, and the first page need not wait for it

    parser = state.get("parser")
    parser = parser if parser in run.parsers else data.leader(run)
    draw = detail_drawer(run, parser)
    key = repr(("pages", data.run_key(run), parser, *draw.identity))
    compute_ahead(key, [partial(_compute, path, run, parser, draw) for path in paths], last=True)


def _compute(path: str, run: Run, parser: str, draw: Callable[[int], None]) -> None:
    page = import_module(f"evaltools.ui.pages.{PurePath(path).stem}")
    if hasattr(page, "compute_opening") and run.n_sentences <= MAX_SENTENCES:
        page.compute_opening(run, parser, draw)

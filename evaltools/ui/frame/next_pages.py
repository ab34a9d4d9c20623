"""What the other pages show first, computed in the background while the open one is read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from evaltools.runs.store import Run
from evaltools.ui.session import data, state
from evaltools.ui.session.ahead import MAX_SENTENCES, compute_ahead

__all__ = ["compute_pages"]


def compute_pages(run: Run) -> None:
    """Load the modules of the other pages, and compute what those of sentences show of the chosen parser."""
    from evaltools.ui.sentence.detail import detail_drawer  # takes a while, and the first page need not wait for it

    parser = state.get("parser")
    parser = parser if parser in run.parsers else data.leader(run)
    draw = detail_drawer(run, parser)
    compute_ahead("modules of pages", [_load], last=True)
    if run.n_sentences <= MAX_SENTENCES:
        key = repr(("pages", data.run_key(run), parser, sorted(draw.widths)))
        steps: list[Callable[[], object]] = [
            partial(_worst_parses, run, parser, draw),
            partial(_disagreement, run, parser, draw),
            partial(_hotspots, run, parser),
        ]
        compute_ahead(key, steps, last=True)


def _load() -> None:
    from evaltools.ui.pages import disagreement, hotspots, lab, lessons, overview, sentence, worst_parses  # noqa: F401


def _worst_parses(run: Run, parser: str, draw: Callable[[int], None]) -> None:
    from evaltools.ui.pages.worst_parses import compute_opening

    compute_opening(run, parser, draw)


def _disagreement(run: Run, parser: str, draw: Callable[[int], None]) -> None:
    from evaltools.ui.pages.disagreement import compute_opening

    compute_opening(run, parser, draw)


def _hotspots(run: Run, parser: str) -> Iterator[Callable[[], object]]:
    from evaltools.ui.pages.hotspots import opening_steps

    return opening_steps(run, parser)

"""What the first page needs, computed while the browser still starts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from evaltools.errors import EvaltoolsError
from evaltools.ui.session import library
from evaltools.ui.session.ahead import compute_ahead

__all__ = ["compute_first_page"]

_MAX_SENTENCES = 20_000
"""Of longer runs each step takes seconds, in which a reader may want another page."""


def compute_first_page(arguments: Sequence[str]) -> None:
    """Compute what *Overview* shows of the run that opens first; `arguments`: the runs of the command line."""
    compute_ahead("first page", _steps(tuple(arguments)))


def _steps(arguments: tuple[str, ...]) -> Iterator[Callable[[], object]]:
    from evaltools.ui.overview.ahead import page_steps  # takes a while, and the server need not wait for it

    try:
        run = library.open_run(library.default(arguments))
    except (EvaltoolsError, OSError):  # the page says why
        return
    if run.n_sentences <= _MAX_SENTENCES:
        yield from page_steps(run)

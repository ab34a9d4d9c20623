"""What the first page needs, computed while the browser still starts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from evaltools.ui.session import library
from evaltools.ui.session.ahead import MAX_SENTENCES, compute_ahead

__all__ = ["compute_first_page"]


def compute_first_page(arguments: Sequence[str]) -> None:
    """Compute what *Overview* shows of the run that opens first; `arguments`: the runs of the command line."""
    compute_ahead("first page", _steps(tuple(arguments)))


def _steps(arguments: tuple[str, ...]) -> Iterator[Callable[[], object]]:
    shown: list[Iterator[Callable[[], object]]] = []
    yield partial(_open, arguments, shown)
    for steps in shown:
        yield from steps


def _open(arguments: tuple[str, ...], shown: list[Iterator[Callable[[], object]]]) -> None:
    """Open the run; what is wrong with it, the page says."""
    from evaltools.ui.overview.ahead import page_steps  # takes a while, and the server need not wait for it

    run = library.open_run(library.default(arguments))
    if run.n_sentences <= MAX_SENTENCES:
        shown.append(page_steps(run))

"""What the next clicks on *Overview* need, computed in the background once the page is shown."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from functools import partial

from evaltools.frameworks.figures import FIGURES
from evaltools.runs.store import Run
from evaltools.ui.overview import charts
from evaltools.ui.overview.lead import costliest
from evaltools.ui.session import data, kernels
from evaltools.ui.session.data import cached_by_run

__all__ = ["THREAD", "compute_ahead"]

THREAD = "evaltools-ahead"
"""The name of the thread."""
_MAX_PARSERS = 6
"""Maximum number of parsers whose costliest errors are computed: the cache holds those of about ten."""
_LOG = logging.getLogger(__name__)


def compute_ahead(run: Run, parsers: list[str], cluster: str = "") -> None:
    """Begin to fill the caches of a run, once; a click that needs a result earlier computes it, or waits for it."""
    # no daemon: DuckDB prints that it has leaked if the server ends within a query
    threading.Thread(
        target=_compute, args=(run, tuple(parsers[:_MAX_PARSERS]), cluster), name=THREAD, daemon=False
    ).start()


@cached_by_run(16)
def _compute(run: Run, parsers: tuple[str, ...], cluster: str) -> None:
    """Call functions whose results are cached, one after the other."""
    while kernels.compiling():  # waits a moment
        if not threading.main_thread().is_alive():
            return
    main = run.main_metric
    steps: list[Callable[[], object]] = [partial(data.standing, run, main, figure, cluster) for figure in FIGURES]
    steps += [partial(costliest, run, parser) for parser in parsers]
    steps += [
        partial(charts.intervals, run, main, "pooled", cluster),
        partial(charts.distribution, run, main),
        partial(charts.length, run, main, "pooled", cluster, every=False),
        partial(charts.bump, run, every=False),
    ]
    for step in steps:
        if not threading.main_thread().is_alive():
            return  # the server ends, and waits for this thread
        try:
            step()
        except Exception:  # the page that needs it raises it again
            _LOG.debug("not computed ahead", exc_info=True)

"""What *Overview* and the next clicks on it need, computed in the background."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from evaltools.frameworks.figures import FIGURES
from evaltools.runs.store import Run
from evaltools.ui.overview import charts
from evaltools.ui.overview.lead import costliest, lead_steps
from evaltools.ui.session import data
from evaltools.ui.session.ahead import compute_ahead
from evaltools.ui.significance.pairs import matrix
from evaltools.ui.widgets.metadata import keys

__all__ = ["compute_clicks", "page_steps"]

_MAX_PARSERS, _MAX_METRICS = 6, 12
"""Maximum numbers of parsers whose costliest errors, and of metrics whose charts are computed: caches hold those."""


def compute_clicks(
    run: Run, parsers: Sequence[str], metrics: Sequence[str], average: str, cluster: str = "", *, every: bool = False
) -> None:
    """Compute the other figures, the costliest errors of the parsers, and the charts of the metrics by this figure."""
    parsers, metrics = tuple(parsers[:_MAX_PARSERS]), tuple(metrics[:_MAX_METRICS])
    key = repr(("overview", data.run_key(run), parsers, metrics, average, cluster, every))
    compute_ahead(key, _steps(run, parsers, metrics, average, cluster, every=every))


def page_steps(run: Run) -> Iterator[Callable[[], object]]:
    """Return the functions whose results the page shows when it opens without choices."""
    metrics = run.table_metrics
    yield partial(charts.by_variant, run, every=False)
    yield partial(charts.coverage_of, run)
    yield partial(data.leader, run)
    yield partial(data.standings, run, list(dict.fromkeys((*metrics, run.main_metric))), "pooled")
    yield partial(keys, run)
    yield partial(matrix, run, run.main_metric, "pooled", "scored")
    ranked = data.standing(run, run.main_metric, "pooled").parsers  # known by now
    yield from lead_steps(run, (ranked or run.parsers)[0], metrics)


def _steps(
    run: Run, parsers: Sequence[str], metrics: Sequence[str], average: str, cluster: str, *, every: bool
) -> Iterator[Callable[[], object]]:
    main = run.main_metric
    for figure in FIGURES:
        yield partial(data.standing, run, main, figure, cluster)
    for parser in parsers:
        yield partial(costliest, run, parser)
    yield partial(charts.bump, run, every=every)
    for metric in dict.fromkeys((main, *metrics)):
        yield partial(matrix, run, metric, average, "all" if every else "scored", cluster)
        yield partial(charts.intervals, run, metric, average + ("_all" if every else ""), cluster)
        yield partial(charts.distribution, run, metric)
        yield partial(charts.length, run, metric, average, cluster, every=every)

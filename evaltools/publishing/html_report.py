"""A run as one HTML file: costliest errors, figures, significance, hotspots, and the worst parses."""

from __future__ import annotations

from collections.abc import Callable

from evaltools.errors import ParameterError
from evaltools.frameworks.registry import metric_id
from evaltools.publishing.page import Page
from evaltools.publishing.run_sections import Sections
from evaltools.runs.store import Run

__all__ = ["html_report", "ranking_metric"]

Note = Callable[[str], None]


def html_report(
    run: Run, *, worst: int = 5, metric: str | None = None, cluster: str = "", tell: Note | None = None
) -> str:
    """Write a run as one HTML file, which needs no network and no script.

    Parameters
    ----------
    run : Run
        The run.
    worst : int
        Number of worst parses drawn per parser.
    metric : str, optional
        Metric for comparison and ranking; by default the run's main metric.
    cluster : str
        Column of the metadata, such as ``document``, whose values are drawn as a whole for intervals and permuted in
        tests; by default sentences are.
    tell : callable, optional
        Called with the name of each step.

    Returns
    -------
    str
        The HTML text.

    Raises
    ------
    ParameterError
        If the metric or the column is not one of the run's, or `worst` is negative.
    """
    if worst < 0:
        raise ParameterError(f"the number of parses must not be negative: {worst}")
    tell = tell or (lambda _: None)
    metric = ranking_metric(run, metric)
    tell("figures")
    sections = Sections(run, metric, cluster)
    page = Page(sections.title)
    sections.findings(page)
    tell("costliest errors")
    sections.costliest(page, sections.parsers)
    tell("significance")
    sections.leaderboard(page)
    sections.significance(page)
    sections.ranks(page)
    tell("charts")
    sections.distributions(page)
    tell("hotspots")
    sections.error_types(page)
    sections.hotspots(page, sections.parsers)
    if worst:
        tell("worst parses")
        sections.worst(page, worst)
    sections.problems(page)
    return str(page)


def ranking_metric(run: Run, metric: str | None = None) -> str:
    """Return a metric of a run, by default its main one.

    Parameters
    ----------
    run : Run
        The run.
    metric : str, optional
        Name or id of the metric.

    Returns
    -------
    str
        Id of the metric.

    Raises
    ------
    ParameterError
        If the metric is not one of the run's.
    """
    return metric_id(metric or run.main_metric, run.metrics)

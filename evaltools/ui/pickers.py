"""Choosing a parser and a metric; what is chosen stands in the URL.

Select boxes, because their options are plain text: names from data stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from evaltools.metrics import METRICS
from evaltools.runs.store import Run
from evaltools.ui import data, state

__all__ = ["choice_picker", "metric_picker", "parser_picker"]


def choice_picker(
    label: str,
    options: Sequence[str],
    *,
    name: str,
    default: str,
    titles: dict[str, str] | None = None,
    help: str | None = None,  # noqa: A002 - as streamlit calls it
) -> str:
    """Let the reader choose one of some names, and keep it in the URL.

    Parameters
    ----------
    label : str
        What the widget is called.
    options : sequence of str
        The names; what the URL says is checked against them.
    name : str
        The URL's name for it.
    default : str
        What is chosen while the URL does not say.
    titles : dict, optional
        What the options are called.
    help : str, optional
        A hint.
    """
    said = state.get(name, default)
    value = said if said in options else default if default in options else options[0]
    titles = titles or {}
    chosen = st.selectbox(
        label, options, format_func=lambda one: titles.get(one, one), help=help, **state.bind(name, value, default)
    )
    return str(chosen)


def parser_picker(
    run: Run, *, name: str = "parser", label: str = "Parser", without: str | None = None, default: str | None = None
) -> str:
    """Let the reader choose a parser of the run.

    Parameters
    ----------
    run : Run
        The run.
    name : str
        The URL's name for it: ``parser``, or ``other`` for a second one.
    label : str
        What the widget is called.
    without : str, optional
        A parser that is not offered.
    default : str, optional
        What is chosen while the URL does not say; the leader if not given.
    """
    options = [parser for parser in run.parsers if parser != without] or run.parsers
    return choice_picker(label, options, name=name, default=default or data.leader(run))


def metric_picker(
    run: Run,
    *,
    name: str = "metric",
    label: str = "Metric",
    default: str | None = None,
    metrics: Sequence[str] | None = None,
    extra: dict[str, str] | None = None,
) -> str:
    """Let the reader choose a metric of the run.

    Parameters
    ----------
    run : Run
        The run.
    name : str
        The URL's name for it: ``metric`` or ``metric2``.
    label : str
        What the widget is called.
    default : str, optional
        What is chosen while the URL does not say; the main metric of such runs if not given.
    metrics : sequence of str, optional
        The ids to offer; all of the run if not given.
    extra : dict, optional
        More options, before the metrics: what the URL says, and what it is called.
    """
    extra = extra or {}
    titles = extra | {metric: METRICS[metric].title for metric in (metrics or run.metrics)}
    main = data.main_metric(run) if default is None else default
    return choice_picker(label, list(titles), name=name, default=main, titles=titles)

"""The main figures of a run as rows of text, for consoles and notebooks."""

from __future__ import annotations

from typing import Any

from evaltools.errors import EvaltoolsError
from evaltools.text import and_more, count_of, percent, printable

__all__ = ["describe_run", "figure_rows"]

_MAX_METRICS = 4
_MAX_PARSERS = 12
_MAX_SENTENCES = 100_000  # Of a longer run the console shows no figures: they take seconds


def figure_rows(run: Any, max_parsers: int | None = None) -> tuple[list[str], list[list[str]]]:
    """Return headings, and a row for each parser: main metrics in percent, micro, and their number of sentences."""
    metrics = [item for item in run.framework.metrics if item.id in run.metrics and item.is_share]
    listed = [item for item in metrics if item.summary] or [item for item in metrics if item.headline] or metrics
    main = [item for item in metrics if item.id == run.main_metric and item not in listed]
    metrics = [*main, *listed][:_MAX_METRICS]
    table = run.summary().set_index(["parser", "metric"])
    rows = []
    for parser in run.parsers[:max_parsers]:
        values = [float(table.loc[(parser, item.id), run.default_figure]) for item in metrics]
        numbers = [int(table.loc[(parser, item.id), f"n_{run.default_figure}"]) for item in metrics]
        texts = [percent(value) for value in values]
        fewest, most = min(numbers, default=0), max(numbers, default=0)
        rows.append([parser, *texts, f"{most:,}" if fewest == most else f"{fewest:,} to {most:,}"])
    return ["parser", *(item.title for item in metrics), "n"], rows


def describe_run(run: Any) -> str:
    """Return the run as a small table for a console; without figures if it is damaged or very long."""
    n = len(run.parsers)
    title = f"Run of {count_of(n, 'parser')} on {run.n_counted:,} sentences, preset {run.preset}"
    if run.n_sentences * n > _MAX_SENTENCES:
        return f"<{title}>"
    try:
        headings, rows = figure_rows(run, _MAX_PARSERS)
    except EvaltoolsError as error:
        return f"<{title}: {error}>"
    names = [printable(row[0]) for row in rows]
    cells = [headings, *([name, *row[1:]] for name, row in zip(names, rows, strict=True))]
    widths = [max(len(row[column]) for row in cells) for column in range(len(headings))]
    lines = ["  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip() for row in cells]
    more = [and_more(n - len(rows))] if n > len(rows) else []
    return "\n".join([f"{title} (percent, micro)", *lines, *more])

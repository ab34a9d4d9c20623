"""The table of a run, a row a parser, best first: as text, as rows of JSON and for papers; and remarks on figures."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, fields, replace
from itertools import pairwise
from typing import Any

from rich.cells import cell_len, set_cell_size

from evaltools.analysis.significance import SIGNIFICANT
from evaltools.analysis.summary import Lead, Row, Summary, summarize_run
from evaltools.blocks import Column, Table, text_columns
from evaltools.frameworks.figures import over_of
from evaltools.frameworks.metric import Metric, figure_column
from evaltools.frameworks.registry import METRICS, metric_id
from evaltools.outputs.citation import describe_settings, in_sentence, table_remarks
from evaltools.outputs.tables import table_latex
from evaltools.runs.store import Run
from evaltools.text import capitalized, count_of, listing, number, printable

_MAX_ALIGNED = 4
"""Parsers named in the remark on aligned words."""


def micro_title(metric: Metric) -> str:
    """Return the title of a table of micro figures, with their unit.

    Examples
    --------
    >>> [micro_title(METRICS[name]) for name in ("las", "crossing", "errors")]
    ['LAS, micro, percent', 'Crossing brackets, micro, per sentence', 'Errors per sentence, micro']
    """
    unit = "percent" if metric.is_share else metric.unit
    return f"{metric.title}, micro" + ("" if metric.title.endswith(unit) else f", {unit}")


def metrics_left_out(run: Run, metrics: Sequence[str]) -> dict[str, set[str]]:
    """Return the usual metrics that are not among some, since columns are empty in gold or all parses; and these."""
    usual = [name for name in run.metrics if METRICS[name].place.overview and name not in metrics]
    return {name: columns for name in usual if (columns := _empty_columns(run, name))}


def _empty_columns(run: Run, metric: str) -> set[str]:
    """Return the columns of a metric that are empty in gold or all parses; empty if a parse has values."""
    lacking = run.incomplete_metrics.get(metric, {})
    return {column for columns in lacking.values() for column in columns} if len(lacking) == len(run.parsers) else set()


def describe_incomplete(run: Run, metrics: Sequence[str]) -> list[str]:
    """Describe which of the metrics compare columns without values in a file, and which are left out for that."""
    notes = []
    lacking = {name: empty for name in metrics if (empty := _empty_columns(run, name))}
    for title, named in (("Left out", metrics_left_out(run, metrics)), ("Not comparable", lacking)):
        if named:
            titles = listing([METRICS[name].short for name in named], len(named))
            columns = listing(sorted(set().union(*named.values())), 5)
            notes.append(f"{title}: {titles}; {columns} empty in gold or all parses.")
    for name in (name for name in metrics if name not in lacking):
        parsers: dict[str, list[str]] = {}
        for parser, own in run.incomplete_metrics.get(name, {}).items():
            parsers.setdefault(listing(own), []).append(printable(parser))
        if parsers:
            lacks = "; ".join(f"{columns} of {listing(names)}" for columns, names in parsers.items())
            notes.append(f"{METRICS[name].short} counts empty columns as wrong: {lacks}.")
    return notes


def describe_heads(run: Run, metrics: Sequence[str]) -> str:
    """Describe the heads of columns that are not part of the metric's title, and the preset."""
    heads = [f"{item.short}: {item.title}" for item in _abbreviated(metrics)]
    return "; ".join([*heads, *(line for line in describe_settings(run) if line.startswith("preset "))])


def _abbreviated(metrics: Sequence[str]) -> list[Metric]:
    """Return the metrics whose head of a column is not part of their title."""
    items = [METRICS[name] for name in metrics]
    return [item for item in items if item.short.lower() not in item.title.lower()]


def describe_left_out(run: Run) -> list[str]:
    """Describe how many gold sentences count for no parser; empty if all count."""
    n = run.n_sentences - run.n_counted
    reason = "because they cannot be used or nothing of them counts"
    return [f"Gold sentences left out, {reason}: {n:,} of {run.n_sentences:,}."] if n else []


def describe_aligned(run: Run, parsers: Collection[str] | None = None) -> list[str]:
    """Describe how many sentences of some parsers, by default all, are scored over aligned words; empty if none are."""
    counts = {entry["name"]: entry["words_aligned"] for entry in run.meta["parsers"] if entry["words_aligned"]}
    counts = {name: n for name, n in counts.items() if parsers is None or name in parsers}
    if not counts:
        return []
    shown = sorted(counts, key=counts.__getitem__, reverse=True)[:_MAX_ALIGNED]
    texts = [f"{counts[name]:,} of {printable(name)}" for name in shown]
    if len(counts) > len(shown):
        texts.append(f"and others of {count_of(len(counts) - len(shown), 'more parser')}")
    return [f"Sentences whose words differ are scored over aligned words: {', '.join(texts)}."]


MAX_FIRST = 5
"""Figures of a table that are missed if there is no room for them."""
_MAX_HEAD = 8
"""Longer heads of metrics are not repeated at the difference to the next parser."""
_GAP = "  "


def summary_rows(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return rows of a summary for JSON; undefined values are None."""
    return [
        {
            "parser": row.parser,
            "figures": {name: asdict(figure) for name, figure in row.figures.items()},
            "no_parse": row.no_parse,
            "words_differ": row.words_differ,
            "ahead": row.lead and asdict(row.lead),
        }
        for row in rows
    ]


def flat_rows(summary: Summary) -> list[dict[str, Any]]:
    """Return the rows of a summary with a column for each figure and its interval, as JSON has them."""
    rows = []
    for row in summary_rows(summary.rows):
        flat = {"parser": row["parser"], "no_parse": row["no_parse"], "words_differ": row["words_differ"]}
        for metric, figure in row["figures"].items():
            names = {"value": metric, "n": f"n_{metric}"}  # not edm_n, which is a metric
            flat |= {names.get(name, f"{metric}_{name}"): value for name, value in figure.items()}
        ahead = row["ahead"] or dict.fromkeys(item.name for item in fields(Lead))
        rows.append(flat | {f"ahead_{name}": value for name, value in ahead.items()})
    return rows


def headline(run: Run, summary: Summary, width: int) -> str:
    """Return the first line: the metric, its base, as many rules as fit, and what a star is."""
    legend = "; * surely best" if has_best(summary) else ""
    line = f"{METRICS[summary.metric].title}, {summary.base}"
    for title, value in run.framework.runs.facts(run.meta):
        longer = printable(f"{line}; {title} {value}")
        line = longer if cell_len(longer + legend) <= width else line
    return shortened(line + legend, width)


def head_of(metric: Metric) -> str:
    """Return the head of a metric's column, with its unit if its figures are no percentages."""
    unit = "" if metric.is_share else f"/{metric.unit.removeprefix('per ').replace('sentence', 'sent.')}"
    return metric.short + unit


def figures_table(summary: Summary, rows: Sequence[Row]) -> Table:
    """Return the table of a summary: a row a parser, best first, as text, HTML, LaTeX and pages show it.

    Metrics without a figure are left out. The last columns are ``no_parse``, ``words_differ`` if there are any, and
    the difference to the next parser: ``ahead``, ``interval`` and ``sure``; of one parser ``interval`` alone.
    """
    main = METRICS[summary.metric]
    metrics = [
        METRICS[name]
        for name in summary.metrics
        if name == summary.metric or any(row.figures[name].value == row.figures[name].value for row in rows)
    ]
    columns = [Column("parser", "", "text")]
    columns += [figure_column(metric, title=head_of(metric)) for metric in metrics]
    cells: list[list[Any]] = [
        [row.parser, *(row.figures[metric.id].value for metric in metrics), row.no_parse] for row in rows
    ]
    best = {
        (at, index)
        for at, row in enumerate(rows)
        for index, metric in enumerate(metrics, 1)
        if row.figures[metric.id].is_best
    }
    columns.append(Column("no_parse", "no parse", help="gold sentences without a parse"))
    if any(row.words_differ for row in rows):
        hint = "sentences that are not scored because their words differ from those of gold"
        columns.append(Column("words_differ", "words differ", help=hint))
        for cell, row in zip(cells, rows, strict=True):
            cell.append(row.words_differ)
    if len(summary.rows) == 1:
        columns.append(Column("interval", f"95 % interval of {main.short}", "interval"))
        for cell, row in zip(cells, rows, strict=True):
            figure = row.figures[main.id]
            cell.append(interval_in_words(main, figure.low, figure.high))
        return Table(columns, cells, best=best)
    name = f"{main.short} " if len(main.short) <= _MAX_HEAD else ""
    columns.append(Column("ahead", f"{name}ahead of next", "interval"))
    columns += [Column("interval", "95 % interval", "interval"), Column("sure", "", "interval")]
    for cell, row in zip(cells, rows, strict=True):
        lead = row.lead
        has_interval = lead is not None and lead.verdict != "equal"
        cell.append("" if lead is None else main.text(lead.difference))
        cell.append(interval_in_words(main, lead.low, lead.high) if lead is not None and has_interval else "")
        cell.append("" if lead is None else lead.verdict)
    return Table(columns, cells, best=best)


def table_lines(summary: Summary, rows: Sequence[Row], width: int) -> list[str]:
    """Return the lines of the table: a row a parser, with all metrics; those that have no room stand below."""
    lines, left, rest = fit_table(summary, rows, width, wanted=summary.metrics)
    return [*lines, "", *rest] if left else lines


def fit_table(
    summary: Summary,
    rows: Sequence[Row],
    width: int,
    max_name: int | None = None,
    *,
    wanted: Collection[str],
) -> tuple[list[str], list[str], list[str]]:
    """Return the lines of the table with as many metrics as fit, the wanted ones that do not, and a table of these.

    Names are shortened to `max_name`.
    """
    table = figures_table(summary, rows)
    texts = zip(table.heads, *table.cells, strict=True)
    columns = {column.name: [*map(printable, cells)] for column, cells in zip(table.columns, texts, strict=True)}
    titles = columns["parser"] if max_name is None else [shortened(title, max_name) for title in columns["parser"]]
    names = _padded(titles, "<")
    figures = {
        name: _padded(_marked(column, [row.figures[name].is_best for row in rows]), ">")
        for name, column in columns.items()
        if name in METRICS
    }
    counts = [_padded(columns[name], ">") for name in ("no_parse", "words_differ") if name in columns]
    for has_interval in (True, False):
        counted = counts if has_interval else counts[:1]
        last = _ahead(columns, has_interval=has_interval)
        shown = dict(figures)
        while len(shown) > 1 and _width([names, *shown.values(), *counted, *last]) > width:
            shown.pop(next(name for name in reversed(shown) if name != summary.metric))
        if _width([names, *shown.values(), *counted, *last]) <= width:
            break
    left = [name for name in figures if name in wanted and name not in shown]
    tables = ([*shown.values(), *counted, *last], [figures[name] for name in left])
    lines, rest = ([_GAP.join(cells) for cells in zip(names, *columns, strict=True)] for columns in tables)
    return lines, left, rest


def _width(columns: Sequence[Sequence[str]]) -> int:
    return sum(cell_len(column[0]) for column in columns) + len(_GAP) * (len(columns) - 1)


def _padded(column: Sequence[str], side: str) -> list[str]:
    width = max(map(cell_len, column))
    blanks = [" " * (width - cell_len(cell)) for cell in column]
    return [cell + blank if side == "<" else blank + cell for cell, blank in zip(column, blanks, strict=True)]


def _marked(column: Sequence[str], best: Sequence[bool]) -> list[str]:
    """Return a column with a star at figures that are surely best."""
    if not any(best):
        return list(column)
    return [
        f"{column[0]} ",
        *(f"{cell}{'*' if is_best else ' '}" for cell, is_best in zip(column[1:], best, strict=True)),
    ]


def _ahead(columns: Mapping[str, Sequence[str]], *, has_interval: bool) -> list[list[str]]:
    """Return the last column of text: the difference to the next parser and whether it is sure, or an interval."""
    if "ahead" not in columns:
        return [_padded(columns["interval"], "<")] if has_interval else []
    head, *sizes = columns["ahead"]
    sizes = _padded(sizes, ">")
    if has_interval:
        between = [f" ({interval})" if interval else "" for interval in columns["interval"][1:]]
        sizes = _padded([size + text for size, text in zip(sizes, between, strict=True)], "<")
    cells = [size + _GAP + text for size, text in zip(sizes, columns["sure"][1:], strict=True)]
    return [_padded([f"{head} (95 %)" if has_interval else head, *cells], "<")]


def all_figures(run: Run, parsers: Sequence[str]) -> Table:
    """Return the table of all figures: micro and macro, over all sentences and over parsed ones."""
    figures = {(row["metric"], row["parser"]): row for row in run.figures()}
    rows = []
    for name in run.metrics:
        for parser in parsers:
            row = figures[name, parser]
            values = [METRICS[name].text(row[key]) for key in ("pooled_all", "mean_all", "pooled", "mean")]
            for index, n, usual in ((1, row["n_mean_all"], row["n_pooled_all"]), (3, row["n"], row["n_pooled"])):
                values[index] += f" (n {n:,})" if n and n != usual else ""
            rows.append([METRICS[name].title_with_unit, parser, *values, row["n_pooled_all"], row["n_pooled"]])
    bases = [
        Column(head, head, "interval")
        for head in ("micro, all", "macro, all", "micro, parsed only", "macro, parsed only")
    ]
    columns = [*text_columns("metric", "parser"), *bases, Column("n_all", "n all"), Column("n_parsed", "n parsed")]
    return Table(columns, rows, title="All figures")


def interval_in_words(metric: Metric, low: float, high: float) -> str:
    """Return the ends of an interval."""
    return "no interval" if math.isnan(low) else f"{metric.text(low)} to {metric.text(high)}"


def unparsed(summary: Summary) -> list[str]:
    """Return what a sentence without a parse counts as, if there is one."""
    is_counted = over_of(summary.figure) == "all" and any(row.no_parse for row in summary.rows)
    return ["no parse counts as 0 (all wrong)"] if is_counted else []


def shortened(text: str, width: int) -> str:
    """Return a text of at most so many cells; a longer one ends in an ellipsis."""
    return text if cell_len(text) <= width else set_cell_size(text, width - 1).rstrip() + "…"


def summary_for_paper(run: Run, metrics: Sequence[str] = (), cluster: str = "") -> Summary:
    """Return the figures that a table in a paper has room for.

    Parameters
    ----------
    run : Run
        The run.
    metrics : sequence of str
        Names of metrics, the first of which ranks the parsers; by default the first ones of the first answer.
    cluster : str
        Column of the metadata whose values are drawn and permuted as a whole; by default sentences are.

    Raises
    ------
    ParameterError
        If the run has no such metric, or no such column.
    """
    usual = [name for name in run.framework.figures.first if name in run.table_metrics]
    names = [metric_id(name, run.metrics) for name in metrics] or usual or run.table_metrics[:MAX_FIRST]
    return summarize_run(run, names, main=names[0] if metrics else "", cluster=cluster)


def summary_latex(run: Run, summary: Summary, parsers: Collection[str] | None = None) -> str:
    """Write a summary in LaTeX: a row a parser, best first; bold type and marks say which differences are significant.

    Parameters
    ----------
    run : Run
        The run.
    summary : Summary
        Its figures.
    parsers : collection of str, optional
        Parsers whose rows are written; by default all.

    Returns
    -------
    str
        The text of the file.
    """
    rows = [row for row in summary.rows if parsers is None or row.parser in parsers]
    table = figures_table(summary, rows)
    # the caption has the interval of an only parser; marks stand for the difference to the next row
    left_out = {"ahead", "interval", "sure", *([] if any(row.no_parse for row in rows) else ["no_parse"])}
    kept = [at for at, column in enumerate(table.columns) if column.name not in left_out]
    columns, cells = [table.columns[at] for at in kept], [[row[at] for at in kept] for row in table.rows]
    ahead = {
        (at, head_of(METRICS[summary.metric]))
        for at, (row, following) in enumerate(pairwise(rows))
        if row.lead and row.lead.is_sure and row.lead.next == following.parser
    }
    caption = f"{summary_caption(summary, is_marked=bool(ahead))}\n{table_remarks(run)}"
    frame = replace(table, columns=columns, rows=cells).frame()
    return table_latex(frame, caption, 2, best=table.best_titles, label="parsers", marked=ahead)


def summary_caption(summary: Summary, *, is_marked: bool = False) -> str:
    """Return the caption of the table of a summary; `is_marked`: parsers have a mark that are ahead of the next."""
    main, metrics = METRICS[summary.metric], [METRICS[name] for name in summary.metrics]
    units = "percent" + ("" if all(metric.is_share for metric in metrics) else " where no other unit is named")
    others = " and other figures" if len(metrics) > 1 else ""
    heads = [f"{item.short}: {in_sentence(item)}" for item in _abbreviated(summary.metrics)]
    heads += unparsed(summary) if any(row.no_parse for row in summary.rows) else []
    if len(summary.rows) == 1:
        figure = summary.rows[0].figures[main.id]
        heads.append(f"95 % interval of {main.short}: {interval_in_words(main, figure.low, figure.high)}")
    marks = ["bold: significantly better than all others"] if has_best(summary) else []
    marks += [f"†: {main.short} significantly better than in the next row"] if is_marked else []
    corrected = ", Holm’s correction" if len(summary.rows) > 2 else ""
    over = f" {summary.standing.over}" if summary.standing.over else ""
    test = (
        f" (paired permutation test{over}{corrected}, p < {number(SIGNIFICANT)}, 95 % interval without 0)"
        if marks
        else ""
    )
    parts = ["; ".join([f"{main.title}{others}, {summary.base}", units]), "; ".join(heads)]
    parts.append("; ".join(marks) + test)
    return " ".join(f"{capitalized(part)}." for part in parts if part)


def has_best(summary: Summary) -> bool:
    """Return whether a figure is significantly better than those of all other parsers."""
    return any(figure.is_best for row in summary.rows for figure in row.figures.values())

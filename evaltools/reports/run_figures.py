"""What reports say of the figures of a run."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from evaltools.frameworks.metric import Metric
from evaltools.frameworks.registry import METRICS
from evaltools.runs.store import Run
from evaltools.text import count_of, listing, printable

if TYPE_CHECKING:
    import pandas as pd

_MAX_ALIGNED = 4
"""Parsers named in the remark on aligned words."""


def by_name(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table for other programs: metrics by name, in its columns and in its column ``metric``."""
    names = {metric.id: metric.name for metric in METRICS.values()}
    frame = frame.rename(columns=names)
    return frame.assign(metric=frame["metric"].replace(names)) if "metric" in frame else frame


def micro_title(metric: Metric) -> str:
    """Return the title of a table of micro figures, with their unit.

    Examples
    --------
    >>> [micro_title(METRICS[name]) for name in ("las", "e_crossing", "r_errors")]
    ['LAS, micro, percent', 'Crossing brackets, micro, per sentence', 'Errors per sentence, micro']
    """
    unit = "percent" if metric.is_share else metric.unit
    return f"{metric.title}, micro" + ("" if metric.title.endswith(unit) else f", {unit}")


def describe_incomplete(run: Run, metrics: Sequence[str]) -> list[str]:
    """Describe which of the metrics compare columns without values in a file, and which are left out for that."""
    incomplete = run.incomplete_metrics
    usual = [name for name in run.metrics if METRICS[name].headline and name in incomplete]
    left_out = [name for name in usual if name not in run.headline_metrics and name not in metrics]
    notes = []
    if left_out:
        columns = {column for name in left_out for lacking in incomplete[name].values() for column in lacking}
        titles = listing([METRICS[name].heading for name in left_out])
        is_or_are = "is" if len(columns) == 1 else "are"
        notes.append(f"Left out: {titles}; {listing(sorted(columns))} {is_or_are} empty in gold or in all parses.")
    for name in metrics:
        lacking = [f"{listing(columns)} of {parser}" for parser, columns in incomplete.get(name, {}).items()]
        if lacking:
            says = f"{METRICS[name].heading} counts words without a value as wrong; no word has {'; '.join(lacking)}."
            notes.append(says)
    return notes


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


def describe_coverage(run: Run) -> list[str]:
    """Describe the numbers of sentences of each metric for which they differ between parsers."""
    rows = run.figures()
    lines = []
    for metric in run.metrics:
        own = [row for row in rows if row["metric"] == metric and row["n_pooled"] > 0]
        sizes = {row["parser"]: row["n_pooled"] for row in own}
        if len(set(sizes.values())) < 2:
            continue
        minimum, maximum = min(sizes, key=sizes.__getitem__), max(sizes, key=sizes.__getitem__)
        lines.append(
            f"{METRICS[metric].title}: over {sizes[minimum]:,} ({printable(minimum)}) to {sizes[maximum]:,} "
            f"({printable(maximum)}) of {run.n_counted:,} sentences"
        )
    return lines

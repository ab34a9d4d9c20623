"""Figures as JSON, for other programs."""

from __future__ import annotations

from typing import Any

from evaltools.frameworks.registry import METRICS
from evaltools.reports.formats import json_rows, json_text, json_value
from evaltools.reports.run_figures import by_name
from evaltools.reports.selection import Selection
from evaltools.reports.summary_report import as_json
from evaltools.runs.store import Run

_NO_FIGURES = ("parser", "metric", "n_words_differ")


def figures(run: Run, selection: Selection) -> dict[str, Any]:
    """Return ``signature``, ``preset``, and under ``parsers`` every figure; undefined values are None."""
    summary = run.figures()
    entries = {entry["name"]: entry for entry in run.meta["parsers"]}
    parsers: dict[str, Any] = {}
    for name in selection.parsers(run):
        entry = entries[name]
        metrics = {
            METRICS[row["metric"]].name: {
                key: json_value(value) for key, value in row.items() if key not in _NO_FIGURES
            }
            for row in summary
            if row["parser"] == name
        }
        parsers[name] = {
            "sentences": run.n_counted,
            "scored": entry["scored"],
            "missing": entry["missing"],
            "words_differ": entry["words_differ"],
            "words_aligned": entry["words_aligned"],
            "metrics": metrics,
        }
        if "theory" in entry:
            parsers[name] |= {"theory": entry["theory"]}
        parsers[name] |= {key: entry[key] for key in ("paired", "pairing") if key in entry}
        parsers[name] |= {key: run.meta[key][name] for key in run.framework.parser_figures}
    more: dict[str, Any] = {name: run.meta[name] for name in ("overlap", "projectivized") if name in run.meta}
    return {"signature": run.signature, "preset": run.preset, "parsers": parsers, **more}


def report(run: Run, selection: Selection) -> str:
    """Return the JSON text: the figures, or rows under ``sentences``, ``labels`` or ``counts``."""
    rows: dict[str, Any]
    if selection.sentences:
        rows = {"sentences": json_rows(by_name(selection.sentence_rows(run)))}
    elif selection.labels:
        rows = {"labels": json_rows(selection.label_rows(run))}
    elif selection.count_sums:
        rows = {
            "counts": [{name: json_value(value) for name, value in row.items()} for row in selection.count_rows(run)]
        }
    elif selection.all_figures:
        return json_text(figures(run, selection))
    else:
        return as_json(run, selection.parsers(run))
    return json_text({"signature": run.signature, "preset": run.preset, **rows})

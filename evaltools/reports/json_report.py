"""Figures as JSON, for other programs."""

from __future__ import annotations

import json
from typing import Any

from evaltools.reports.numbers import plain
from evaltools.reports.run_figures import run_figures
from evaltools.reports.selection import Selection
from evaltools.runs.store import Run

__all__ = ["figures", "report"]


def figures(run: Run, selection: Selection) -> dict[str, Any]:
    """Return ``signature``, ``preset``, and under ``parsers`` every figure; undefined values are None."""
    summary = run_figures(run)
    entries = {entry["name"]: entry for entry in run.meta["parsers"]}
    parsers: dict[str, Any] = {}
    for name in selection.parsers(run):
        entry = entries[name]
        rows = summary[summary["parser"] == name]
        metrics = {
            row["metric"]: {
                str(key): plain(row[key]) for key in row if key not in ("parser", "metric", "n_words_differ")
            }
            for row in rows.to_dict("records")
        }
        parsers[name] = {
            "sentences": run.n_sentences,
            "scored": entry["scored"],
            "missing": entry["missing"],
            "words_differ": entry["words_differ"],
            "words_aligned": entry["words_aligned"],
            "metrics": metrics,
        }
        if "theory" in entry:
            parsers[name] |= {"theory": entry["theory"]}
        parsers[name] |= {key: entry[key] for key in ("paired", "pairing") if key in entry}
        if run.kind == "semantics":
            parsers[name] |= {"n_best": run.meta["n_best"][name], "spans_change": run.meta["spans_change"][name]}
    more: dict[str, Any] = {name: run.meta[name] for name in ("overlap", "projectivized") if name in run.meta}
    return {"signature": run.signature, "preset": run.preset, "parsers": parsers, **more}


def report(run: Run, selection: Selection) -> str:
    """Return the JSON text: the figures, or a list of rows under ``sentences``, ``labels`` or ``distances``."""
    wanted = {"sentences": selection.sentences, "labels": selection.labels, "distances": selection.distances}
    if any(wanted.values()):
        key = next(name for name, asked in wanted.items() if asked)
        frame = {"sentences": selection.sentence_rows, "labels": selection.label_rows}.get(
            key, selection.distance_rows
        )(run)
        records = frame.astype(object).to_dict("records")
        rows = [{str(key): plain(value) for key, value in record.items()} for record in records]
        content: dict[str, Any] = {"signature": run.signature, "preset": run.preset, key: rows}
    else:
        content = figures(run, selection)
    return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n"

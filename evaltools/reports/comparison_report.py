"""Two parsers under one metric: how sure the difference is, how large, and which sentences carry it; text or JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pandas as pd

from evaltools.analysis.bootstrap import RESAMPLES
from evaltools.analysis.effect_size import EffectSize
from evaltools.analysis.run_pairs import PairFindings, carriers, groups_of
from evaltools.analysis.significance import Comparison
from evaltools.errors import printable
from evaltools.metrics import METRICS
from evaltools.reports.numbers import percent, plain, three
from evaltools.runs.store import Run

__all__ = ["COMPARISON_REPORTS"]

_MOST_LABELS = 10


def as_json(run: Run, findings: PairFindings, seed: int) -> str:
    """Return both figures, ``difference``, ``p``, ``ci``, ``n``, what they are about, ``effect`` and ``classes``."""
    found, effect = findings.comparison, findings.effect
    content = {
        "signature": run.signature,
        "metric": found.metric,
        "a": found.one,
        "b": found.other,
        "value_a": plain(found.value),
        "value_b": plain(found.other_value),
        "difference": plain(found.difference),
        "p": plain(found.p),
        "ci": [plain(found.low), plain(found.high)],
        "significant": found.significant,
        "iterations": found.iterations,
        "resamples": found.resamples,
        "seed": seed,
        "n": found.n_sentences,
        "n_a": findings.n_own[0],
        "n_b": findings.n_own[1],
        "n_different": found.n_different,
        "groups": groups_of(run) or None,
        "effect": {
            "d_z": plain(effect.d_z),
            "mean_difference": plain(effect.mean_difference),
            "standard_deviation": plain(effect.deviation),
            "n": effect.n,
            "better": effect.better,
            "equal": effect.equal,
            "worse": effect.worse,
            "superiority": plain(effect.superiority),
        },
        "classes": [_class(row) for row in findings.classes.to_dict("records")],
    }
    return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _class(row: dict[Any, Any]) -> dict[str, Any]:
    return {
        "family": row["family"],
        "class": row["name"],
        "overlap": bool(row["overlap"]),
        "n": int(row["sentences"]),
        "value_a": plain(row["value"]),
        "value_b": plain(row["other_value"]),
        "difference": plain(row["difference"]),
        "contribution": plain(row["contribution"]),
        "ci": [plain(row["low"]), plain(row["high"])],
        "share": plain(row["share"]),
        "weight": plain(row["weight"]),
    }


def as_text(run: Run, findings: PairFindings, seed: int) -> str:
    """Return the same in some lines."""
    found = findings.comparison
    metric = METRICS[found.metric]
    number = percent if metric.is_share else three
    one, other = (printable(name) for name in (found.one, found.other))
    width = max(len(one), len(other), len("difference"))
    unit = ", per cent" if metric.is_share else ""
    p = "–" if found.p != found.p else f"{found.p:.3g}"
    sentences = f"{found.n_sentences:,} sentences that both score; they differ on {found.n_different:,} of them"
    own = [f"   (it has {n:,})" if n > found.n_sentences else "" for n in findings.n_own]
    drawn = f"{groups_of(run):,} groups of sentences" if groups_of(run) else "the sentences"
    return "\n".join(
        [
            f"{metric.title}, pooled{unit}, over the {sentences}",
            "",
            f"{one:{width}}  {number(found.value):>8}{own[0]}",
            f"{other:{width}}  {number(found.other_value):>8}{own[1]}",
            f"{'difference':{width}}  {number(found.difference):>8}   "
            f"95 % interval {number(found.low)} to {number(found.high)}   p = {p}",
            "",
            _verdict(found, one, other),
            "",
            *_effect(findings.effect, one, number),
            *_classes(findings, number),
            "",
            f"Paired permutation test over {drawn}, two-sided, {found.iterations:,} iterations; interval of the "
            f"difference by {found.resamples:,} paired resamples, those of the classes by {RESAMPLES:,}; seed {seed}",
            printable(run.signature),
            "",
        ]
    )


def _verdict(found: Comparison, one: str, other: str) -> str:
    if found.ahead is None:
        return "The difference is not significant"
    first, second = (one, other) if found.ahead == found.one else (other, one)
    return f"{first} is significantly better than {second}"


def _effect(effect: EffectSize, one: str, number: Callable[[float], str]) -> list[str]:
    if not effect.n:
        return ["Effect size: no sentence has both scores"]
    shares = [percent(count / effect.n) for count in (effect.better, effect.equal, effect.worse)]
    mean, deviation = number(effect.mean_difference), number(effect.deviation)
    return [
        f"Effect size d_z = {three(effect.d_z)}: the mean of the sentences' differences, {mean}, over their standard "
        f"deviation, {deviation} (Cohen 1988)",
        f"{one} is better on {shares[0]} % of {effect.n:,} sentences, equal on {shares[1]} %, worse on {shares[2]} %",
    ]


_HEAD = ("sentences", "A", "B", "A − B", "carries", "95 % interval", "of the difference", "of the counts")


def _classes(findings: PairFindings, number: Callable[[float], str]) -> list[str]:
    """Return a table for each family; of labels those that carry most beyond their weight."""
    lines: list[str] = []
    rows = carriers(findings.classes)
    for family in findings.families:
        all_rows = rows[rows["family"] == family.id]
        if all_rows.empty:
            continue
        shown = all_rows.head(_MOST_LABELS) if family.overlap else all_rows
        about = "what the sentences carry adds up to the difference"
        if family.overlap:
            about = "a sentence has several; those with it and those without add up"
            if len(shown) < len(all_rows):
                about += f"; {len(shown)} of {len(all_rows)}, those that carry most beyond their share of the counts"
        lines += ["", f"{family.title}: {about}", *_table(shown, number)]
    return lines


def _table(rows: pd.DataFrame, number: Callable[[float], str]) -> list[str]:
    names = [printable(name) for name in rows["name"]]
    width = max(map(len, names))
    cells: list[tuple[str, ...]] = [_HEAD]
    for row in rows.to_dict("records"):
        figures = [number(row[name]) for name in ("value", "other_value", "difference", "contribution")]
        between = f"{number(row['low'])} to {number(row['high'])}"
        shares = [f"{percent(row[name])} %" for name in ("share", "weight")]
        cells.append((f"{row['sentences']:,}", *figures, between, *shares))
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [
        "  ".join([f"  {name:{width}}", *(f"{cell:>{wide}}" for cell, wide in zip(line, widths, strict=True))])
        for name, line in zip(["", *names], cells, strict=True)
    ]


COMPARISON_REPORTS: dict[str, Callable[[Run, PairFindings, int], str]] = {"text": as_text, "json": as_json}
"""The reports by the name of their format."""

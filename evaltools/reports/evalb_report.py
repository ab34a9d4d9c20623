"""Figures laid out as evalb prints them: a row a sentence, and two summaries.

References
----------
Satoshi Sekine and Michael Collins (1997). evalb, the bracket scoring program.
"""

from __future__ import annotations

import pandas as pd

from evaltools.errors import ParameterError
from evaltools.reports.selection import Selection
from evaltools.runs.store import Run

__all__ = ["report"]

_HEAD = """\
  Sent.                        Matched  Bracket   Cross        Correct Tag
 ID  Len.  Stat. Recal  Prec.  Bracket gold test Bracket Words  Tags Accracy
============================================================================
"""
_RULE = "============================================================================\n"
_STATUS = {"ok": 0, "words_differ": 1, "missing": 2}


def report(run: Run, selection: Selection) -> str:
    """Return evalb's output for the parsers; a line with its name stands before each if there are several."""
    if "e" not in {name.split("_")[0] for name in run.metrics}:
        raise ParameterError("this run has no bracketing scores; score it with --metrics e")
    parsers = selection.parsers(run)
    parts = []
    for parser in parsers:
        heading = f"{parser}\n" if len(parsers) > 1 else ""
        parts.append(heading + _one(run, parser))
    return "\n".join(parts)


def _share(part: float, whole: float) -> float:
    return 100.0 * part / whole if whole > 0 else 0.0


def _one(run: Run, parser: str) -> str:
    rows = run.counts(parser)
    cutoff = run.rules.evalb.cutoff_length if run.rules.evalb is not None else 40
    lines = [_row(row) for row in rows.to_dict("records")]
    scored = rows[rows["status"] == "ok"]
    total = {name: int(scored[name].sum()) for name in _SUMS}
    matched, gold, test = total["e_matched_roof"], total["e_gold_roof"], total["e_test_roof"]
    last = ""
    if gold > 0 and test > 0:
        recall, precision = _share(matched, gold), _share(matched, test)
        crossing = total["e_crossing_brackets"]
        last = f"                {recall:6.2f} {precision:6.2f} {matched:6d} {gold:5d} {test:5d}  {crossing:5d}"
    words, tags = total["words_scored"], total["e_tags_correct"]
    last += f"  {words:5d} {tags:5d}   {_share(tags, words):6.2f}\n"
    short = rows[rows["evalb_length"] <= cutoff]
    summaries = f"=== Summary ===\n\n-- All --\n{_summary(rows)}\n-- len<={cutoff} --\n{_summary(short)}"
    return _HEAD + "".join(lines) + _RULE + last + summaries


_SUMS = (
    "e_matched_roof",
    "e_gold_roof",
    "e_test_roof",
    "e_crossing_brackets",
    "e_exact_match",
    "words_scored",
    "e_tags_correct",
)


def _row(row: dict[object, object]) -> str:
    """Write one sentence; one that is not scored has zeros."""
    status = _STATUS[str(row["status"])]
    number = {name: int(row[name]) if status == 0 else 0 for name in _SUMS}  # type: ignore[call-overload]
    matched, gold, test = number["e_matched_roof"], number["e_gold_roof"], number["e_test_roof"]
    words, tags = number["words_scored"], number["e_tags_correct"]
    return (
        f"{row['sentence']:4d}  {row['evalb_length']:3d}    {status:d}  "
        f"{_share(matched, gold):6.2f} {_share(matched, test):6.2f}   {matched:3d}    {gold:3d}  {test:3d}"
        f"    {number['e_crossing_brackets']:3d}   {words:4d}  {tags:4d}   {_share(tags, words):6.2f}\n"
    )


def _summary(rows: pd.DataFrame) -> str:
    scored = rows[rows["status"] == "ok"]
    valid = len(scored)
    sums = {name: int(scored[name].sum()) for name in _SUMS}
    recall = _share(sums["e_matched_roof"], sums["e_gold_roof"])
    precision = _share(sums["e_matched_roof"], sums["e_test_roof"])
    f_measure = 2 * precision * recall / (precision + recall) if precision + recall > 0 else float("nan")
    crossing = scored["e_crossing_brackets"]
    average = int(crossing.sum()) / valid if valid else 0.0
    figures: list[tuple[str, float | int]] = [
        ("Number of sentence", len(rows)),
        ("Number of Error sentence", int((rows["status"] == "words_differ").sum())),
        ("Number of Skip  sentence", int((rows["status"] == "missing").sum())),
        ("Number of Valid sentence", valid),
        ("Bracketing Recall", recall),
        ("Bracketing Precision", precision),
        ("Bracketing FMeasure", f_measure),
        ("Complete match", _share(sums["e_exact_match"], valid)),
        ("Average crossing", average),
        ("No crossing", _share(int((crossing == 0).sum()), valid)),
        ("2 or less crossing", _share(int((crossing <= 2).sum()), valid)),
        ("Tagging accuracy", _share(sums["e_tags_correct"], sums["words_scored"])),
    ]
    return "".join(
        f"{name:<25s} = {value:6d}\n" if isinstance(value, int) else f"{name:<25s} = {value:6.2f}\n"
        for name, value in figures
    )

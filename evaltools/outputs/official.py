"""Figures in the layouts of evalb and of the CoNLL 2018 evaluation.

References
----------
Satoshi Sekine and Michael Collins (1997). evalb, the bracket scoring program.

D. Zeman et al. (2018). CoNLL 2018 shared task: multilingual parsing from raw text to universal dependencies.
Proceedings of the CoNLL 2018 shared task, 1-21.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from evaltools.errors import ParameterError
from evaltools.frameworks.dependency.universal import FIGURES
from evaltools.frameworks.registry import METRICS
from evaltools.outputs.selection import Selection
from evaltools.runs.store import Run

if TYPE_CHECKING:
    import pandas as pd

_HEAD = """\
  Sent.                        Matched  Bracket   Cross        Correct Tag
 ID  Len.  Stat. Recal  Prec.  Bracket gold test Bracket Words  Tags Accracy
============================================================================
"""
_RULE = "============================================================================\n"
_STATUS = {"ok": 0, "words_differ": 1, "missing": 2}


def evalb_report(run: Run, selection: Selection) -> str:
    """Return evalb's output for the parsers; each is preceded by a line with its name if there are several."""
    if not any("e_matched_roof" in metric.columns for metric in run.framework.metrics):
        raise ParameterError(f"evalb scores brackets, and this run compares {run.framework.title}")
    if not any("e_matched_roof" in METRICS[name].columns for name in run.metrics):
        raise ParameterError("this run has no bracketing scores; score it with --metrics e")
    parsers = selection.parsers(run)
    parts = []
    for parser in parsers:
        heading = f"{parser}\n" if len(parsers) > 1 else ""
        parts.append(heading + _parser_report(run, parser))
    return "\n".join(parts)


def _share(part: float, total: float) -> float:
    return 100.0 * part / total if total > 0 else 0.0


def _parser_report(run: Run, parser: str) -> str:
    rows = _rows(run, parser)
    cutoff = run.rules.evalb.cutoff_length if run.rules.evalb is not None else 40
    lines = [_line(row) for row in rows.itertuples()]
    scored = rows[rows["status"] == 0]
    matched, gold, test, crossing, words, tags = (int(scored[name].sum()) for name in _NUMBERS)
    last = ""
    if gold > 0 and test > 0:
        recall, precision = _share(matched, gold), _share(matched, test)
        last = f"                {recall:6.2f} {precision:6.2f} {matched:6d} {gold:5d} {test:5d}  {crossing:5d}"
    last += f"  {words:5d} {tags:5d}   {_share(tags, words):6.2f}\n"
    short = rows[rows["length"] <= cutoff]
    summaries = f"=== Summary ===\n\n-- All --\n{_summary(rows)}\n-- len<={cutoff} --\n{_summary(short)}"
    return _HEAD + "".join(lines) + _RULE + last + summaries


_NUMBERS = {
    "matched": "e_matched_roof",
    "gold": "e_gold_roof",
    "test": "e_test_roof",
    "crossing": "e_crossing_brackets",
    "words": "words_scored",
    "tags": "e_tags_correct",
}


def _rows(run: Run, parser: str) -> pd.DataFrame:
    """Return the numbers of evalb's rows; a sentence that is not scored has zeros."""
    import pandas as pd

    counts = run.counts(parser)
    entry = next(item for item in run.meta["parsers"] if item["name"] == parser)
    if run.rules.evalb is not None and "aligned" not in entry:
        counts = counts[counts["sentence"] <= entry["sentences"]]  # evalb stops at the end of the shorter file
    status = counts["status"].map(_STATUS).astype("int64")
    rows = pd.DataFrame({"sentence": counts["sentence"], "length": counts["evalb_length"]})
    for name, column in {"status": "", **_NUMBERS}.items():
        values = status if name == "status" else _integers(counts[column]).where(status == 0, 0)
        if f"evalb_{name}" in counts:  # a sentence that only evalb scores
            own = counts[f"evalb_{name}"]
            values = _integers(own).where(own.notna(), values)
        rows[name] = values
    return rows


def _integers(column: pd.Series[Any]) -> pd.Series[int]:
    """Return integers; a run may come from anyone, and what is not a number becomes 0."""
    import pandas as pd

    values = np.nan_to_num(column.to_numpy(np.float64, na_value=0.0), posinf=0.0, neginf=0.0)
    return pd.Series(values.astype(np.int64), column.index)


def _line(row: Any) -> str:
    return (
        f"{row.sentence:4d}  {row.length:3d}    {row.status:d}  "
        f"{_share(row.matched, row.gold):6.2f} {_share(row.matched, row.test):6.2f}   "
        f"{row.matched:3d}    {row.gold:3d}  {row.test:3d}"
        f"    {row.crossing:3d}   {row.words:4d}  {row.tags:4d}   {_share(row.tags, row.words):6.2f}\n"
    )


def _summary(rows: pd.DataFrame) -> str:
    scored = rows[rows["status"] == 0]
    valid = len(scored)
    matched, gold, test, crossing, words, tags = (int(scored[name].sum()) for name in _NUMBERS)
    exact = int(((scored["matched"] == scored["gold"]) & (scored["gold"] == scored["test"])).sum())
    recall, precision = _share(matched, gold), _share(matched, test)
    f_measure = 2 * precision * recall / (precision + recall) if precision + recall > 0 else float("nan")
    figures: list[tuple[str, float | int]] = [
        ("Number of sentence", len(rows)),
        ("Number of Error sentence", int((rows["status"] == 1).sum())),
        ("Number of Skip  sentence", int((rows["status"] == 2).sum())),
        ("Number of Valid sentence", valid),
        ("Bracketing Recall", recall),
        ("Bracketing Precision", precision),
        ("Bracketing FMeasure", f_measure),
        ("Complete match", _share(exact, valid)),
        ("Average crossing", crossing / valid if valid else 0.0),
        ("No crossing", _share(int((scored["crossing"] == 0).sum()), valid)),
        ("2 or less crossing", _share(int((scored["crossing"] <= 2).sum()), valid)),
        ("Tagging accuracy", _share(tags, words)),
    ]
    return "".join(
        f"{name:<25s} = {value:6d}\n" if isinstance(value, int) else f"{name:<25s} = {value:6.2f}\n"
        for name, value in figures
    )


_HEAD_CONLL18 = """\
Metric     | Precision |    Recall |  F1 Score | AligndAcc
-----------+-----------+-----------+-----------+-----------
"""


def conll18_report(run: Run, selection: Selection) -> str:
    """Return the table of the official program for each parser, with its name above it if there are several."""
    if not any(figure.metric == metric.id for figure in FIGURES for metric in run.framework.metrics):
        raise ParameterError(f"conll18 is a layout for dependency trees, and this run compares {run.framework.title}")
    if not any(figure.metric in run.metrics for figure in FIGURES):
        raise ParameterError("this run has no figures of Universal Dependencies; score it with --metrics ud")
    parsers = selection.parsers(run)
    tables = [_table(_sums(run, parser)) for parser in parsers]
    if len(parsers) == 1:
        return tables[0]
    return "\n".join(f"{parser}\n{table}" for parser, table in zip(parsers, tables, strict=True))


def _sums(run: Run, parser: str) -> Mapping[str, float]:
    """Add up the counts of all sentences, those without a parse among them."""
    columns = dict.fromkeys(column for figure in FIGURES for column in figure.columns)
    sums = ", ".join(f"coalesce(sum({column}), 0) as {column}" for column in columns)
    row = run.query(f"select {sums} from sentences where parser = ?", [parser]).iloc[0]
    return {column: float(row[column]) for column in columns}


def _table(sums: Mapping[str, float]) -> str:
    lines = []
    for figure in FIGURES:
        right, gold, test = (sums[column] for column in (figure.right, figure.gold, figure.test))
        shares = [_percent(right, test), _percent(right, gold), _percent(2 * right, gold + test)]
        accuracy = ""
        if figure.aligned:
            accuracy = f"{_percent(right, sums[figure.aligned]):10.2f}"
        cells = " |".join(f"{share:10.2f}" for share in shares)
        lines.append(f"{figure.name:11}|{cells} |{accuracy}\n")
    return _HEAD_CONLL18 + "".join(lines)


def _percent(part: float, whole: float) -> float:
    return 100 * (part / whole) if whole else 0.0

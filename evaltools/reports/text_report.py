"""Figures as text for a terminal."""

from __future__ import annotations

import io
import math
from collections.abc import Mapping, Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from evaltools.errors import printable
from evaltools.metrics import METRICS
from evaltools.reports.numbers import percent, three
from evaltools.reports.run_figures import run_figures
from evaltools.reports.selection import Selection
from evaltools.runs.pairing_lines import pairing_lines
from evaltools.runs.projectivized import describe_projectivized
from evaltools.runs.store import Run

__all__ = ["report"]

_SHOWN = {
    "e_dice_roof": "E Dice\nroof",
    "e_jaccard_roof": "E Jacc.\nroof",
    "e_dice_whole": "E Dice\nwhole",
    "e_exact": "exact",
    "e_tagging": "tags",
    "t_dice": "T Dice",
    "t_jaccard": "T Jacc.",
    "uas": "UAS",
    "las": "LAS",
    "label_accuracy": "label\naccuracy",
    "tedeval_single_unlabelled": "single\nunlab.",
    "tedeval_single_labelled": "single\nlabelled",
    "tedeval_multiple_unlabelled": "multiple\nunlab.",
    "tedeval_multiple_labelled": "multiple\nlabelled",
    "tedeval2011_unlabelled": "2011\nunlab.",
    "tedeval2011_labelled": "2011\nlabelled",
    "edm": "EDM",
    "edm_precision": "EDM\nprec.",
    "edm_recall": "EDM\nrecall",
    "edm_na": "EDM\nNA",
    "edm_n": "EDM\nN",
    "edm_a": "EDM\nA",
    "edm_p": "EDM\nP",
    "edm_exact": "exact",
    "la_strict": "LA\nstrict",
    "la_partial": "LA\npartial",
    "la_table": "LA\ntable",
}
_FIGURES = {
    "pooled": "Pooled: counts summed over the scored sentences, then divided",
    "mean": "Mean over the scored sentences",
    "pooled_all": "Pooled over all sentences, unscored ones as nothing matched",
    "mean_all": "Mean over all sentences, unscored ones as nothing matched",
}
_ALIGNED = (
    "Sentences whose words differ are scored over aligned words: E over the aligned characters, LA over the aligned\n"
    "words (over all sentences, the others count 0), T over all nodes.\n"
)


def _text(value: object) -> Text:
    return Text(printable(str(value)))


def report(run: Run, selection: Selection) -> str:
    """Return the tables as text, with the run's signature."""
    if selection.sentences:
        parts: list[Table | Text] = [_sentence_table(run, selection)]
    elif selection.labels:
        parts = [_label_table(run, selection)]
    elif selection.distances:
        parts = [_distance_table(run, selection)]
    else:
        parts = _figure_tables(run, selection)
    output = io.StringIO()
    console = Console(file=output, width=_width(run, selection), highlight=False, markup=False, emoji=False)
    for part in parts:
        console.print(part)
    console.print(Text(printable(run.signature)), soft_wrap=True)
    return "\n".join(line.rstrip() for line in output.getvalue().split("\n"))


def _width(run: Run, selection: Selection) -> int:
    """Wide enough that nothing is cut, however long the names are."""
    return 160 + max(len(name) for name in selection.parsers(run))


def _figure_tables(run: Run, selection: Selection) -> list[Table | Text]:
    rows = run_figures(run).to_dict("records")
    summary = {(row["parser"], row["metric"]): row for row in rows}
    shown = [name for name in _SHOWN if name in run.metrics]
    entries = {entry["name"]: entry for entry in run.meta["parsers"]}
    aligned = any(entries[parser]["words_aligned"] for parser in selection.parsers(run))
    headings = ["scored", "missing", "words\ndiffer", *(["of these\naligned"] if aligned else [])]
    parts: list[Table | Text] = []
    for figure, title in _FIGURES.items():
        table = Table(box=SIMPLE_HEAD, pad_edge=False)
        table.add_column("parser")
        if run.theories:
            table.add_column("theory")
        for heading in headings:
            table.add_column(heading, justify="right")
        for name in shown:
            table.add_column(_SHOWN[name], justify="right")
        for parser in selection.parsers(run):
            entry = entries[parser]
            coverage = [f"{entry['scored']}/{run.n_sentences}", str(entry["missing"]), str(entry["words_differ"])]
            coverage += [str(entry["words_aligned"])] if aligned else []
            usual = run.n_sentences if figure.endswith("_all") else entry["scored"]
            values = [_figure(summary[parser, name], figure, usual) for name in shown]
            theory = [_text(entry["theory"])] if run.theories else []
            table.add_row(Text(printable(parser)), *theory, *coverage, *values)
        parts += [Text(title), table]
        if len(run.parsers) > 1:
            parts += _common(run, selection, summary, figure, shown)
    if aligned:
        parts.append(Text(_ALIGNED))
    for line in pairing_lines(run.meta, selection.parsers(run)):
        parts.append(Text(printable(line) + "\n"))
    if run.theories:
        parts += _overlaps(run)
        if said := describe_projectivized(run.meta):
            parts.append(Text(printable(said) + "\n"))
    if run.kind == "semantics":
        parts += _spans(run, selection)
    if run.meta["problems"]:
        parts.append(Text(f"{run.meta['problems']} problems were found in the input; list them with --problems\n"))
    return parts


def _size(row: Mapping[Any, Any], figure: str) -> int:
    return int(row["n" if figure == "mean" else f"n_{figure}"])


def _figure(row: Mapping[Any, Any], figure: str, usual: int) -> str:
    """Write a figure, and how many sentences it is over where that is not what the row says."""
    text = percent(row[figure])
    return text if math.isnan(row[figure]) or _size(row, figure) == usual else f"{text} (n {_size(row, figure):,})"


def _common(
    run: Run, selection: Selection, summary: Mapping[tuple[str, str], Any], figure: str, shown: Sequence[str]
) -> list[Table | Text]:
    """Show the figures over the sentences that all parsers have, of metrics of which some parser has more."""
    own = {name: [row for parser in run.parsers if _size(row := summary[parser, name], figure)] for name in shown}
    partial = [name for name in shown if any(_size(row, figure) > row[f"n_{figure}_common"] for row in own[name])]
    if not partial:
        return []
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("parser")
    for name in partial:
        n = max(int(row[f"n_{figure}_common"]) for row in own[name])
        table.add_column(f"{_SHOWN[name]}\n(n {n:,})", justify="right")
    for parser in selection.parsers(run):
        table.add_row(_text(parser), *(percent(summary[parser, name][f"{figure}_common"]) for name in partial))
    return [
        Text("The same over the sentences that all parsers with such a figure have; compare parsers by these"),
        table,
    ]


def _overlaps(run: Run) -> list[Table | Text]:
    """Say how much the theories have in common."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("theories")
    for heading in ("unlabelled", "labelled"):
        table.add_column(heading, justify="right")
    for pair, shares in run.meta["overlap"].items():
        values = [math.nan if shares[one] is None else shares[one] for one in ("unlabelled", "labelled")]
        table.add_row(_text(pair), *(percent(value) for value in values))
    return [Text("Overlap of the theories: 1 − |A △ B| / (|A| + |B|)"), table] if run.meta["overlap"] else []


def _spans(run: Run, selection: Selection) -> list[Table | Text]:
    """Say how much it changes to compare spans without the punctuation at their ends, and how items were paired."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("parser")
    for heading in ("exact\nspans", "trimmed\nspans", "most\nresults", "paired\nby"):
        table.add_column(heading, justify="right")
    entries = {entry["name"]: entry for entry in run.meta["parsers"]}
    for parser in selection.parsers(run):
        under = run.meta["spans_change"][parser]
        values = [percent(math.nan if under[spans] is None else under[spans]) for spans in ("exact", "trimmed")]
        table.add_row(_text(parser), *values, str(run.meta["n_best"][parser]), _text(entries[parser]["paired"]))
    return [Text("EDM under exact spans, and without punctuation at their ends; pooled"), table]


def _sentence_table(run: Run, selection: Selection) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    rows = selection.sentence_rows(run)
    shown = [name for name in _SHOWN if name in run.metrics]
    if selection.sort is not None and selection.sort not in shown:
        shown.append(selection.sort)
    table.add_column("parser")
    for heading in ("sentence", "words"):
        table.add_column(heading, justify="right")
    table.add_column("status")
    for name in shown:
        table.add_column(_SHOWN.get(name, METRICS[name].id), justify="right")
    for row in rows.to_dict("records"):
        cells = [three(row[name]) for name in shown]
        table.add_row(_text(row["parser"]), str(row["sentence"]), str(row["words"]), _text(row["status"]), *cells)
    return table


def _label_table(run: Run, selection: Selection) -> Table:
    if run.kind == "semantics":
        return _triple_table(run, selection)
    brackets = run.kind == "constituency"
    counts = ("gold", "test", "matched") if brackets else ("gold", "test", "matched", "labelled")
    shares = ("e_recall", "e_precision", "e_dice") if brackets else ("recall", "precision", "f1")
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("parser")
    table.add_column("label" if brackets else "relation")
    for heading in (*counts, "recall", "precision", "F1"):
        table.add_column(heading, justify="right")
    for row in selection.label_rows(run).to_dict("records"):
        cells = [*(str(row[name]) for name in counts), *(percent(row[name]) for name in shares)]
        table.add_row(_text(row["parser"]), _text(row["label"] or "(none)"), *cells)
    return table


def _triple_table(run: Run, selection: Selection) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for heading in ("parser", "triples", "label"):
        table.add_column(heading)
    for heading in ("gold", "test", "matched", "recall", "precision", "F1"):
        table.add_column(heading, justify="right")
    for row in selection.label_rows(run).to_dict("records"):
        counts = [str(row[name]) for name in ("gold", "test", "matched")]
        shares = [percent(row[name]) for name in ("recall", "precision", "f1")]
        table.add_row(_text(row["parser"]), _text(row["kind"]), _text(row["label"]), *counts, *shares)
    return table


def _distance_table(run: Run, selection: Selection) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for heading in ("parser", "head", ""):
        table.add_column(heading)
    shares = ("uas_recall", "uas_precision", "las_recall", "las_precision")
    for heading in ("gold", "test", *(f"{name[:3].upper()}\n{name[4:]}" for name in shares)):
        table.add_column(heading, justify="right")
    for row in selection.distance_rows(run).to_dict("records"):
        cells = [str(row["gold"]), str(row["test"]), *(percent(row[name]) for name in shares)]
        table.add_row(_text(row["parser"]), row["by"], row["bin"], *cells)
    return table

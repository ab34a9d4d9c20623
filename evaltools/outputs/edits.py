"""The edit operations of TedEval, sentence by sentence, as text, JSON or CSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import pandas as pd

from evaltools.blocks import Block, Column, Table, Text, text_columns
from evaltools.errors import ParameterError
from evaltools.frameworks.crossframework.edit_scripts import TedEvalProtocol
from evaltools.frameworks.crossframework.stored import SentenceTrees
from evaltools.frameworks.stored import no_such_thing
from evaltools.outputs.tables import console_text, csv_text, json_text
from evaltools.runs.store import Run
from evaltools.text import count_of, percent

MEASURES = ("2011", "2012")
"""The years of the papers."""
_COLUMNS = ("operation", "function", "becomes", "words", "positions", "counts")
_WIDTH = 100


class Edits(NamedTuple):
    """The edit operations of a parser in some sentences, against what all golds have in common."""

    parser: str
    measure: str
    sentences: dict[int, TedEvalProtocol | str]  # By number; why there are none


def edits_of(run: Run, parser: str, numbers: Sequence[int], measure: str) -> Edits:
    """Return the edit operations of some sentences.

    Raises ParameterError for an unknown measure, parser or sentence, and RunError for a run of another kind.
    """
    if not run.theories:
        raise no_such_thing(run, "runs across frameworks have edit operations")
    if measure not in MEASURES:
        raise ParameterError.unknown("measure", measure, MEASURES)
    for number in {min(numbers), max(numbers)}:
        run.tree(number, parser)  # an error if there is no such sentence
    sentences: dict[int, TedEvalProtocol | str] = {}
    aligned: dict[int, SentenceTrees] = run.framework.align(run, parser, None, numbers)
    for number in numbers:
        trees = aligned[number]
        try:
            sentences[number] = trees.protocol(measure=measure)
        except ParameterError as error:
            sentences[number] = str(error)
    return Edits(parser, measure, sentences)


def _rows(result: TedEvalProtocol) -> Iterator[dict[str, Any]]:
    """Yield a row an operation; `counts` is False where the parser's own gold needs the same."""
    for item in result.operations:
        positions = sorted(item.words)
        values = (
            item.kind,
            item.label,
            item.becomes,
            " ".join(result.parse.words[at] for at in positions),
            " ".join(str(at + 1) for at in positions),
            not item.discarded,
        )
        yield dict(zip(_COLUMNS, values, strict=True))


def edits_report(run: Run, edits: Edits, n_sentences: int, kind: str) -> str:
    """Return the operations as text, a table a sentence; as JSON by sentence; or as CSV, a row an operation.

    `n_sentences`: how many there are, of which the edits may be the first.
    """
    if kind == "csv":
        rows = [
            {"parser": edits.parser, "sentence": number} | row
            for number, result in edits.sentences.items()
            for row in ([] if isinstance(result, str) else _rows(result))
        ]
        return csv_text(pd.DataFrame(rows, columns=["parser", "sentence", *_COLUMNS]))
    if kind == "json":
        sentences = [
            {"sentence": number, "undefined": result, "operations": []}
            if isinstance(result, str)
            else {
                "sentence": number,
                **{name: getattr(result, name) for name in ("score", "delta", "n_parse", "n_generalized", "labeled")},
                "operations": [*_rows(result)],
            }
            for number, result in edits.sentences.items()
        ]
        content = {"parser": edits.parser, "measure": f"TedEval {edits.measure}", "sentences": sentences}
        return json_text({"signature": run.signature} | content)
    n = len(edits.sentences)
    cut = [f"The first {n:,} of {n_sentences:,} sentences\n"] if n < n_sentences else []
    return console_text([*_text_blocks(edits), *cut], run.signature, _WIDTH)


def _text_blocks(edits: Edits) -> Iterator[Block]:
    yield Text(f"TedEval {edits.measure}: from the parse of {edits.parser} to what all golds have in common", "line")
    yield Text("An operation that the parser’s own gold needs too does not count.", "line")
    columns = [*text_columns("operation", "function", "becomes", "words"), Column("counts", "counts", "interval")]
    for number, result in edits.sentences.items():
        if isinstance(result, str):
            yield Text(f"Sentence {number:,}: no score: {result}", "heading")
            continue
        rows = [*_rows(result)]
        formula = f"1 − {result.delta} / ({result.n_parse} + {result.n_generalized})"
        some = f"{result.delta:,} of {count_of(len(rows), 'operation')}"
        yield Text(f"Sentence {number:,}: {some} count; {formula} = {percent(result.score)} %", "heading")
        names = _COLUMNS[:4]
        cells = [[*(row[name] or "" for name in names), "yes" if row["counts"] else "no"] for row in rows]
        if cells:
            yield Table(columns, cells)

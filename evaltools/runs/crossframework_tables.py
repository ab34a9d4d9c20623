"""Tables of a run that compares parsers of different theories."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evaltools.errors import Problem
from evaltools.formats import FORMATS
from evaltools.metrics import tedeval, tedeval2011
from evaltools.metrics.function_columns import FunctionColumns
from evaltools.metrics.memberships import Segmentation
from evaltools.metrics.tedeval import TedEval
from evaltools.metrics.tedeval2011 import Refusal, TedEval2011
from evaltools.normalize import Status
from evaltools.runs.arrow_columns import coded, constant
from evaltools.runs.theories import TheoryStream
from evaltools.treebank import Dependencies, Treebank

__all__ = ["Refusals", "chunk_tables", "golds_table", "tree_rows"]

_STATUS = {
    Segmentation.WORDS: Status.OK,
    Segmentation.CHARACTERS: Status.WORDS_DIFFER,
    Segmentation.DIFFERENT: Status.WORDS_DIFFER,
    Segmentation.MISSING: Status.MISSING,
    Segmentation.NO_GOLD: Status.MISSING,
}


def chunk_tables(
    parser: TheoryStream,
    trees: Treebank | Dependencies,
    gold: FunctionColumns,
    ted: TedEval,
    ted2011: TedEval2011,
    *,
    labelled: bool,
) -> tuple[dict[str, pa.Table], NDArray[np.int64], list[Problem]]:
    """Build the tables of one parser.

    Parameters
    ----------
    parser : TheoryStream
        Whose they are.
    trees : Treebank or Dependencies
        Its trees as read.
    gold : FunctionColumns
        The gold trees of its theory.
    ted, ted2011 : TedEval, TedEval2011
        The results.
    labelled : bool
        Whether its trees carry functions; labelled counts are null otherwise.

    Returns
    -------
    (dict of Table, ndarray of int64, list of Problem)
        The tables by name; numbers of sentences with a parse of the same words, without a parse, with other words, and,
        of the last, compared over characters; and what is to be listed.
    """
    segmentation = ted.status_single
    status = np.array([_STATUS[Segmentation(one)] for one in range(len(Segmentation))])[segmentation]
    columns: dict[str, Any] = {
        "parser": constant(parser.name, len(status)),
        "sentence": np.arange(1, len(status) + 1, dtype=np.int32) + np.int32(trees.first_sentence),
        "line": pa.array(trees.line, mask=trees.line == 0),
        "words": gold.n_words.astype(np.int32),
        "words_scored": gold.n_words.astype(np.int32),
        "status": coded(status.astype(np.int64), [one.label for one in Status]),
        "words_aligned": pa.array(gold.n_words.astype(np.int32), mask=segmentation != Segmentation.CHARACTERS),
    }
    # TedEval of 2011 has no score for what it refuses, and none over members
    undefined = (ted2011.refused != Refusal.NONE) | (ted2011.status == Segmentation.CHARACTERS)
    for names, counts in ((tedeval.COLUMNS, ted.counts), (tedeval2011.COLUMNS, ted2011.counts)):
        for place, name in enumerate(names):
            if name == "sentences":
                columns.setdefault(name, counts[:, place].astype(np.int32))
                continue
            unknown = np.full(len(status), name.endswith("_labelled") and not labelled)
            values = np.ascontiguousarray(counts[:, place]).astype(np.float64)
            over_all = tedeval2011.OVER_ALL.get(name)
            columns[name] = pa.array(values, mask=unknown | undefined if over_all else unknown)
            if over_all:
                columns[over_all] = pa.array(values, mask=unknown)
    numbers = np.bincount(status[segmentation != Segmentation.NO_GOLD], minlength=len(Status))
    aligned = np.count_nonzero(segmentation == Segmentation.CHARACTERS)
    problems = [replace(problem, parser=parser.name) for problem in trees.problems]
    problems += _problems(parser, trees, segmentation)
    made = {"sentences": pa.table(columns), "trees": tree_rows(parser.name, trees)}
    return made, np.append(numbers, aligned), problems


def _problems(parser: TheoryStream, trees: Treebank | Dependencies, segmentation: NDArray[np.uint8]) -> list[Problem]:
    """List sentences whose characters differ from the gold's."""
    problems = []
    for sentence in np.flatnonzero(segmentation == Segmentation.DIFFERENT).tolist():
        line, number = int(trees.line[sentence]) or None, sentence + 1 + trees.first_sentence
        found, expected = "a sentence of other characters", "the text of the gold sentence"
        problems.append(Problem("words_differ", parser.stream.name, line, None, found, expected, number, parser.name))
    return problems


_REFUSED: Mapping[Refusal, tuple[str, str]] = {
    Refusal.NOT_PROJECTIVE: ("{} with discontinuous constituents", "continuous constituents"),
    Refusal.TWO_LABELS: ("{} with two functions over the same words", "one function for the same words"),
    Refusal.TOO_LARGE: ("{} too large for an edit distance", "shorter sentences"),
}
_REFUSED_DEPENDENCIES = {
    **_REFUSED,
    Refusal.NOT_PROJECTIVE: ("{} that {verb} not projective", "projective trees, or projectivization"),
}


class Refusals:
    """The trees of one file that TedEval of 2011 refuses.

    Parameters
    ----------
    name : str
        The file's name.
    parser : str or None
        The parser whose trees they are; None for gold trees.
    """

    def __init__(self, name: str, parser: str | None) -> None:
        self._name, self._parser = name, parser
        self._counts: dict[Refusal, int] = {}
        self._lines: dict[Refusal, int | None] = {}
        self._says = _REFUSED

    def add(self, trees: Treebank | Dependencies, refused: NDArray[np.uint8]) -> None:
        """Count the refused ones of some trees.

        Parameters
        ----------
        trees : Treebank or Dependencies
            The next trees of the file.
        refused : ndarray of uint8, shape (trees,)
            A :class:`~evaltools.metrics.tedeval2011.Refusal` for each.
        """
        if isinstance(trees, Dependencies):
            self._says = _REFUSED_DEPENDENCIES
        for reason in _REFUSED:
            chosen = np.flatnonzero(refused == reason)
            if len(chosen):
                self._lines.setdefault(reason, int(trees.line[chosen[0]]) or None)
                self._counts[reason] = self._counts.get(reason, 0) + len(chosen)

    def problems(self) -> list[Problem]:
        """Return one problem for each reason, with the line of the first tree."""
        problems = []
        for reason, count in sorted(self._counts.items()):
            what, wanted = self._says[reason]
            trees, verb = ("1 tree", "is") if count == 1 else (f"{count:,} trees", "are")
            found = what.format(trees, verb=verb) + ("" if count == 1 else ", the first of them here")
            expected = f"{wanted}; TedEval 2011 is undefined for these sentences, TedEval 2012 is not"
            line = self._lines[reason]
            problems.append(Problem("tedeval2011", self._name, line, None, found, expected, parser=self._parser))
        return problems


def tree_rows(parser: str | None, trees: Treebank | Dependencies) -> pa.Table:
    """Build one row a tree, in the notation of the format it was read in; a missing tree is null.

    The gold trees, with `parser` None, have their words as ``text``, separated by blanks.
    """
    n = len(trees)
    filled = (np.diff(trees.offsets) > 0).tolist()
    texts = [_text(trees, place) if there else None for place, there in enumerate(filled)]
    words = [
        " ".join(trees.tree(place).words) if there and parser is None else None for place, there in enumerate(filled)
    ]
    return pa.table(
        {
            "parser": constant(parser, n),
            "sentence": np.arange(1, n + 1, dtype=np.int32) + np.int32(trees.first_sentence),
            "line": pa.array(trees.line, mask=trees.line == 0),
            "notation": constant(trees.format, n),
            "tree": pa.array(texts, pa.string()),
            "text": pa.array(words, pa.string()),
        }
    )


def _text(trees: Treebank | Dependencies, place: int) -> str:
    if trees.format == "export":  # tables at the head of the file belong to every sentence
        return str(FORMATS["export"].write([trees.tree(place)]))
    return trees.source(place)


def golds_table(golds: Mapping[str, Treebank | Dependencies]) -> pa.Table:
    """Build one row a gold tree of every theory."""
    parts = []
    for theory, trees in golds.items():
        rows = tree_rows("", trees).select(["sentence", "line", "notation", "tree"])
        parts.append(rows.add_column(0, "theory", constant(theory, rows.num_rows)))
    return pa.concat_tables(parts).unify_dictionaries()

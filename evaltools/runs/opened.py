"""What stands behind a run: its folder, the tables as a database, and how rows become figures."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa

from evaltools.errors import ParameterError, RunError
from evaltools.metrics import METRICS
from evaltools.runs.aligning import tree_of
from evaltools.runs.checked import check_meta
from evaltools.runs.database import Database
from evaltools.runs.dependency_figures import relation_figures, relations_query
from evaltools.runs.figures import LABELS, label_figures, sentence_scores, summarize
from evaltools.runs.folder import META, Folder
from evaltools.runs.kinds import COMPARED, kind_of
from evaltools.runs.semantic_figures import TRIPLES, triple_figures
from evaltools.runs.writer import RunWriter
from evaltools.shown import Shown
from evaltools.treebank import DependencyTree, SemanticGraph, Tree

__all__ = ["OpenRun"]


class OpenRun(Shown):
    """The folder of a run and its tables.

    Parameters
    ----------
    path : path
        Its folder, or a URL.
    temporary : TemporaryDirectory, optional
        What the folder is in, and goes with.

    Raises
    ------
    RunError
        If there is no complete run of this version.
    """

    def __init__(self, path: str | Path, temporary: tempfile.TemporaryDirectory[str] | None = None) -> None:
        self.folder = Folder(path)
        self.path = self.folder.path
        self._temporary = temporary
        if not self.folder.is_run():
            raise RunError(f"{path} is no run of evaltools: it holds no {META}")
        self.meta: dict[str, Any] = check_meta(path, self.folder.meta())
        self._database = Database(path, self.folder, self.meta)
        self._names: list[str] = [entry["name"] for entry in self.meta["parsers"]]

    def check(self) -> None:
        """Raise an error if a part of a table is missing or damaged; whoever asks for a figure does so, once."""
        self._database.check()

    def query(self, sql: str, parameters: list[Any] | None = None) -> pd.DataFrame:
        """Return what SQL says of the run's tables: ``sentences``, ``trees``, ``problems``, and those of its kind.

        Parameters
        ----------
        sql : str
            A query, in DuckDB's dialect; ``?`` stands for a parameter.
        parameters : list, optional
            Values for the question marks.
        """
        return self._database.query(sql, parameters or [])

    def answer(self, sql: str) -> pd.DataFrame:
        """Return the same as :meth:`query`, soon where it was asked and kept when the run was written.

        Parameters
        ----------
        sql : str
            A query without parameters, such as those of :mod:`evaltools.runs.sums`.
        """
        return self._database.answer(sql)

    def arrow(self, sql: str, parameters: list[Any] | None = None) -> pa.Table:
        """Return the same as :meth:`query`, as an Arrow table, which is soon there even if it is all texts.

        Parameters
        ----------
        sql : str
            A query, in DuckDB's dialect; ``?`` stands for a parameter.
        parameters : list, optional
            Values for the question marks.

        Returns
        -------
        Table
            In chunks of 65,536 rows.
        """
        return self._database.arrow(sql, parameters or [])

    def _require(self, kind: str, reason: str, parser: str | None = None) -> None:
        if kind_of(self.meta) != kind:
            raise RunError(f"{self.folder} compares {COMPARED[kind_of(self.meta)]}; only {reason}")
        if parser is not None:
            self._known(parser)

    def _known(self, parser: str) -> str:
        if parser not in self._names:
            raise ParameterError.unknown("parser", parser, self._names)
        return parser

    def _rows(
        self, table: str, parser: str | None, sentence: int | None, order: str, columns: str = "*"
    ) -> pd.DataFrame:
        if parser is not None:
            self._known(parser)
        return self._database.rows(table, parser, sentence, order, columns, self._names)

    def _scored(self, counts: pd.DataFrame) -> pd.DataFrame:
        """Put the scores between what the rows are of and the counts."""
        scores = sentence_scores(counts, self.meta["metrics"])
        first = ["parser", "sentence", "words", "status"]
        rest = [column for column in counts.columns if column not in first]
        return pd.concat([counts[first], scores, counts[rest]], axis=1)

    def _summary(self) -> pd.DataFrame:
        metrics: list[str] = self.meta["metrics"]
        more = ["t_gold"] if kind_of(self.meta) == "constituency" else []
        needed = ["parser", "sentence", "status", "sentences", "words_aligned", *more]
        needed += [column for name in metrics for column in METRICS[name].all_columns]
        columns = ", ".join(dict.fromkeys(needed))
        figures = [
            summarize(self._rows("sentences", parser, None, "sentence", columns), [parser], metrics)
            for parser in self._names
        ]
        return pd.concat(figures, ignore_index=True)

    def _labels(self, parser: str | None) -> pd.DataFrame:
        if parser is not None:
            self._known(parser)
        kind = kind_of(self.meta)
        if kind == "dependency":
            query = relations_query(subtypes=self.meta["options"]["subtypes"])
            return relation_figures(self._database.query(query, [parser, parser]), self._names)
        if kind == "semantics":
            return triple_figures(self._database.query(TRIPLES, [parser, parser]), self._names)
        self._require("constituency", "trees compared with one gold treebank have figures by label")
        return label_figures(self._database.query(LABELS, [parser, parser]), self._names)

    def _tree(self, sentence: int, parser: str | None) -> Tree | DependencyTree | SemanticGraph | None:
        tree, notation, _ = self._stored_tree(sentence, parser)
        return tree_of(self.meta, tree, notation) if isinstance(tree, str) else None

    def _words_of(self, sentence: int) -> list[str]:
        if kind_of(self.meta) == "semantics":
            text = self._stored_tree(sentence, None)[2]
            return text.split() if isinstance(text, str) else []
        tree = self._tree(sentence, None)
        return [] if tree is None or isinstance(tree, SemanticGraph) else list(tree.words)

    def _copy_to(self, path: str | Path, *, force: bool) -> None:
        writer = RunWriter(Path(path), force=force)
        try:
            writer.copy(self.folder)
        except BaseException:
            writer.abandon()
            raise

    def _stored_tree(self, sentence: int, parser: str | None) -> tuple[Any, str, Any]:
        """Return tree, notation and text, as the table has them."""
        n = self.meta["sentences"]
        if not 1 <= sentence <= n:
            raise ParameterError(f"no sentence {sentence}; there are {n}, counted from 1")
        if parser is not None:
            self._known(parser)
        rows = self._database.tree(sentence, parser)
        if rows.empty:
            raise RunError(f"{self.folder} is damaged: its table trees has no sentence {sentence}")
        tree, notation, text = rows.iloc[0]
        return tree, notation, text

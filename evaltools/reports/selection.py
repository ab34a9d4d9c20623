"""What a report is about: which parsers, sentences or figures, in which order."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from evaltools.errors import ParameterError
from evaltools.metrics import METRICS, metrics_of
from evaltools.runs.store import Run

__all__ = ["COUNT_COLUMNS", "Selection"]

COUNT_COLUMNS = (
    "e_gold_roof",
    "e_test_roof",
    "e_matched_roof",
    "e_gold_whole",
    "e_test_whole",
    "e_matched_whole",
    "t_gold",
    "t_test",
    "t_deleted",
    "t_inserted",
    "t_swapped",
    "t_matched",
)
"""The counts that reports of sentences of constituency trees show beside the scores."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The part of a run that is reported.

    Parameters
    ----------
    parser : str or None
        Only this parser.
    sentences : bool
        One row a sentence instead of figures over the corpus.
    sort : str or None
        Metric to sort the sentences by, worst first, those without a score last; None keeps the order of the file.
    limit : int or None
        At most so many sentences, or labels, of each parser.
    labels : bool
        One row a phrase label, or relation, instead of figures over the corpus.
    distances : bool
        One row a distance and a direction of heads, for dependency trees, instead of figures over the corpus.
    """

    parser: str | None = None
    sentences: bool = False
    sort: str | None = None
    limit: int | None = None
    labels: bool = False
    distances: bool = False

    def parsers(self, run: Run) -> list[str]:
        """Return the names of the parsers to report.

        Parameters
        ----------
        run : Run
            The run.

        Returns
        -------
        list of str
            Their names.
        """
        if self.parser is None:
            return run.parsers
        if self.parser not in run.parsers:
            raise ParameterError.unknown("parser", self.parser, run.parsers)
        return [self.parser]

    def metrics(self, run: Run) -> list[str]:
        """Return every metric id that reports show; those that were not computed stay empty.

        Parameters
        ----------
        run : Run
            The run.

        Returns
        -------
        list of str
            Their ids.
        """
        return [name for name in metrics_of(run.kind) if name != "la_table" or name in run.metrics]

    def _check_limit(self) -> None:
        if self.limit is not None and self.limit < 0:
            raise ParameterError(f"the limit must not be negative: {self.limit}")

    def label_rows(self, run: Run) -> pd.DataFrame:
        """Return the figures of every phrase label of every parser; of triples, the limit is one for each class.

        Parameters
        ----------
        run : Run
            The run.

        Returns
        -------
        DataFrame
            A row for each label of each parser.
        """
        self._check_limit()
        rows = pd.concat([run.labels(parser) for parser in self.parsers(run)], ignore_index=True)
        of_each = ["parser", "kind"] if "kind" in rows else ["parser"]
        return rows if self.limit is None else rows.groupby(of_each, sort=False).head(self.limit)

    def counts(self, run: Run) -> tuple[str, ...]:
        """Return the counts that reports of sentences show beside the scores.

        Parameters
        ----------
        run : Run
            The run.

        Returns
        -------
        tuple of str
            Names of columns.
        """
        columns = [column for name in metrics_of(run.kind) for column in METRICS[name].columns]
        others = tuple(dict.fromkeys(column for column in columns if column != "sentences" and column[:3] != "la_"))
        return COUNT_COLUMNS if run.kind == "constituency" else others

    def distance_rows(self, run: Run) -> pd.DataFrame:
        """Return attachment by distance and direction of every parser.

        Parameters
        ----------
        run : Run
            The run.

        Returns
        -------
        DataFrame
            A row for each distance, direction and parser.
        """
        return pd.concat([run.attachments(parser) for parser in self.parsers(run)], ignore_index=True)

    def sentence_rows(self, run: Run) -> pd.DataFrame:
        """Return ``parser``, ``sentence``, ``words``, ``status``, every metric, and the counts.

        Parameters
        ----------
        run : Run
            The run.

        Returns
        -------
        DataFrame
            A row for each sentence of each parser.
        """
        if self.sort is not None and self.sort not in run.metrics:
            raise ParameterError.unknown("metric", self.sort, run.metrics)
        self._check_limit()
        parts = []
        for parser in self.parsers(run):
            rows = run.sentences(parser)
            if self.sort is not None:
                worst_first = METRICS[self.sort].higher_is_better
                rows = rows.sort_values(self.sort, ascending=worst_first, kind="stable", na_position="last")
            parts.append(rows if self.limit is None else rows.head(self.limit))
        rows = pd.concat(parts, ignore_index=True)
        columns = ["parser", "sentence", "words", "status", *self.metrics(run), *self.counts(run)]
        return rows.reindex(columns=columns)

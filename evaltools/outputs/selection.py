"""Selection and order of the parsers, sentences or figures of a report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from evaltools.analysis.standing import order_of
from evaltools.errors import ParameterError
from evaltools.frameworks.common.lineages import OWN_COSTS
from evaltools.frameworks.passes import counts_of
from evaltools.frameworks.registry import METRICS, metric_id
from evaltools.runs.store import Run

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Selection"]


def worst_first(rows: pd.DataFrame, metric: str) -> pd.DataFrame:
    """Return sentences by a metric, the worst first and of equal ones the longest; undefined scores come last."""
    return rows.sort_values([metric, "words"], ascending=[METRICS[metric].higher_is_better, False], kind="stable")


TableName = Literal["figures", "all", "sentences", "labels", "counts", "classes"]
"""The tables of a report."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The part of a run that is reported.

    Parameters
    ----------
    table : str
        The main figures; ``"all"`` of micro and macro over all sentences and over parsed ones, of all metrics; a row
        a sentence, or a phrase label or relation; the counts of each parser; precision, recall and F1 of each class of
        triples of semantic graphs.
    parser : str or None
        Only this parser; None for all.
    sort : str or None
        Metric by which sentences are sorted, worst first, undefined scores last; None keeps the order of the file.
    limit : int or None
        Maximum number of sentences, or labels, per parser.
    """

    table: TableName = "figures"
    parser: str | None = None
    sort: str | None = None
    limit: int | None = None

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

    def ranked(self, run: Run) -> list[str]:
        """Return the parsers, the best first.

        Parameters
        ----------
        run : Run
            The run.

        Returns
        -------
        list of str
            Their names, in the order of the table of main figures.
        """
        figure, metric, parsers = run.default_figure, run.main_metric, self.parsers(run)
        rows = (row for row in run.figures() if row["metric"] == metric and row["parser"] in parsers)
        return list(dict.fromkeys((*order_of({row["parser"]: row[figure] for row in rows}, metric), *parsers)))

    def sort_metric(self, run: Run) -> str | None:
        """Return the id of the metric by which sentences are sorted.

        Parameters
        ----------
        run : Run
            The run.

        Returns
        -------
        str or None
            The id; None for the order of the file.

        Raises
        ------
        ParameterError
            If the run has no such metric.
        """
        return None if self.sort is None else metric_id(self.sort, run.metrics)

    def label_rows(self, run: Run) -> pd.DataFrame:
        """Return the figures of every phrase label of every parser; for triples, the limit applies to each class.

        Parameters
        ----------
        run : Run
            The run.

        Returns
        -------
        DataFrame
            A row for each label of each parser.
        """
        import pandas as pd

        rows = pd.concat([run.labels(parser) for parser in self.parsers(run)], ignore_index=True)
        keys = ["parser", "kind"] if "kind" in rows else ["parser"]
        return rows if self.limit is None else rows.groupby(keys, sort=False).head(self.limit)

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
        import pandas as pd

        sort = self.sort_metric(run)
        parts = []
        for parser in self.parsers(run):
            rows = run.sentences(parser)
            if sort is not None:
                rows = worst_first(rows, sort)
            parts.append(rows if self.limit is None else rows.head(self.limit))
        rows = pd.concat(parts, ignore_index=True)
        columns = ["parser", "sentence", "words", "status", *_metrics(run), *counted(run)]
        return rows.reindex(columns=columns)


def _metrics(run: Run) -> list[str]:
    """Return the metrics in tables of sentences; the columns of metrics that were not computed are empty."""
    return [
        metric.id
        for metric in run.framework.metrics
        if metric.id in run.metrics or not (metric.place.if_defined or metric.id == OWN_COSTS)
    ]


def counted(run: Run) -> tuple[str, ...]:
    """Return the counts in tables of sentences."""
    return run.framework.figures.counts or counts_of(run.framework.passes)

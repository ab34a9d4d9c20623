"""Runs: a folder, its tables as a database, and the figures and trees in them."""

from __future__ import annotations

import functools
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from evaltools.display import NotebookObject
from evaltools.errors import EvaltoolsError, ParameterError, RunError
from evaltools.frameworks.figures import SUMMARY, needed_columns, over_of, parser_figures, sentence_scores
from evaltools.frameworks.framework import Framework
from evaltools.frameworks.registry import METRICS, framework_of
from evaltools.frameworks.stored import no_such_thing, read_tree, words_of
from evaltools.runs.folder import META, Folder, damaged_tables, is_run
from evaltools.runs.meta import check_meta, counted, metrics_in
from evaltools.runs.sums import sentence_blocks
from evaltools.text import and_more, count_of, percent, printable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd

    from evaltools.corpus import DependencyTree, SemanticGraph, Tree
    from evaltools.frameworks.crossframework.edit_scripts import TedEvalProtocol
    from evaltools.frameworks.presets import Preset
    from evaltools.frameworks.semantics.aligned_graphs import GraphAlignment
    from evaltools.frameworks.semantics.edm_rules import EdmRules
    from evaltools.runs.database import Database
    from evaltools.runs.sums import Columns


_MAX_METRICS = 4
_MAX_PARSERS = 12
_MAX_SENTENCES = 100_000  # Of a longer run the console shows no figures: they take seconds


def figure_rows(run: Any, max_parsers: int | None = None) -> tuple[list[str], list[list[str]]]:
    """Return headings, and a row for each parser: main metrics in percent, micro, and their number of sentences."""
    metrics = [item for item in run.framework.metrics if item.id in run.metrics and item.is_share]
    listed = (
        [item for item in metrics if item.place.lists] or [item for item in metrics if item.place.overview] or metrics
    )
    main = [item for item in metrics if item.id == run.main_metric and item not in listed]
    metrics = [*main, *listed][:_MAX_METRICS]
    table = run.summary().set_index(["parser", "metric"])
    rows = []
    for parser in run.parsers[:max_parsers]:
        values = [float(table.loc[(parser, item.id), run.default_figure]) for item in metrics]
        numbers = [int(table.loc[(parser, item.id), f"n_{run.default_figure}"]) for item in metrics]
        texts = [percent(value) for value in values]
        smallest, largest = min(numbers, default=0), max(numbers, default=0)
        rows.append([parser, *texts, f"{largest:,}" if smallest == largest else f"{smallest:,} to {largest:,}"])
    return ["parser", *(item.title for item in metrics), "n"], rows


def describe_run(run: Any) -> str:
    """Return the run as a small table for a console; without figures if it is damaged or very long."""
    n = len(run.parsers)
    title = f"Run of {count_of(n, 'parser')} on {run.n_counted:,} sentences, preset {run.preset}"
    if run.n_sentences * n > _MAX_SENTENCES:
        return f"<{title}>"
    try:
        headings, rows = figure_rows(run, _MAX_PARSERS)
    except EvaltoolsError as error:
        return f"<{title}: {error}>"
    names = [printable(row[0]) for row in rows]
    cells = [headings, *([name, *row[1:]] for name, row in zip(names, rows, strict=True))]
    widths = [max(len(row[column]) for row in cells) for column in range(len(headings))]
    lines = ["  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip() for row in cells]
    more = [and_more(n - len(rows))] if n > len(rows) else []
    return "\n".join([f"{title} (percent, micro)", *lines, *more])


class Run(NotebookObject):
    """A scored run.

    Parameters
    ----------
    path : path
        Folder of the run.
    temporary : TemporaryDirectory, optional
        Temporary folder of the run, deleted with the object.
    meta : dict, optional
        Content of ``meta.json`` if this program has just written it: the tables are opened when they are first needed.

    Raises
    ------
    RunError
        If the folder has no complete run that this version can read.

    Examples
    --------
    >>> run = evaltools.score("gold.ptb", {"mine": "mine.ptb"})     # doctest: +SKIP
    >>> run.sentences("mine").nsmallest(10, "f1")          # doctest: +SKIP
    """

    def __init__(
        self,
        path: str | Path,
        temporary: tempfile.TemporaryDirectory[str] | None = None,
        *,
        meta: dict[str, Any] | None = None,
    ) -> None:
        self.folder = Folder(path)
        self.path = self.folder.path
        self._temporary = temporary
        if meta is None and not is_run(self.path):
            raise RunError(f"{path} is not a run of evaltools: it has no {META}")
        self.meta: dict[str, Any] = check_meta(path, self.folder.meta()) if meta is None else meta
        self._names: list[str] = [entry["name"] for entry in self.meta["parsers"]]
        self._opened = self._open() if meta is None else None

    def _open(self) -> Database:
        from evaltools.runs.database import Database

        return Database(self.folder, self.meta)

    @property
    def _database(self) -> Database:
        """The tables; those of a new run are opened here."""
        if self._opened is None:
            self._opened = self._open()
        return self._opened

    def __repr__(self) -> str:
        return describe_run(self)

    def check(self) -> None:
        """Raise RunError if a part of a table is missing or damaged; checked once, before the first figure."""
        self._database.check()

    def query(self, sql: str, parameters: list[Any] | None = None) -> pd.DataFrame:
        """Run an SQL query on the tables: ``sentences``, ``trees``, ``problems``, and those of the framework.

        Parameters
        ----------
        sql : str
            Query in DuckDB's dialect; ``?`` is a placeholder.
        parameters : list, optional
            Values of the placeholders.

        Returns
        -------
        DataFrame
            The rows of the result.
        """
        return self._database.query(sql, parameters or [])

    def columns(self, sql: str, parameters: list[Any] | None = None) -> Columns:
        """Run a query like :meth:`query` and return arrays, without importing pandas.

        Parameters
        ----------
        sql : str
            Query in DuckDB's dialect; ``?`` is a placeholder.
        parameters : list, optional
            Values of the placeholders.

        Returns
        -------
        dict of str to array
            The columns of the result; missing numbers are NaN, missing texts None.
        """
        return self._database.columns(sql, parameters or [])

    def save(self, path: str | Path, *, force: bool = False) -> Run:
        """Copy the run to a folder and return the copy.

        Parameters
        ----------
        path : path
            The new folder.
        force : bool
            Whether to replace an existing run.

        Returns
        -------
        Run
            The copy.
        """
        from evaltools.runs.writer import RunWriter

        for table, fault in damaged_tables(self.folder, self.meta):
            raise RunError(f"cannot copy {self.folder} to {path}: {table}: {fault}")
        with RunWriter(path, force=force) as writer:
            writer.copy(self.folder, self.meta["tables"])
        return Run(path, meta=self.meta)

    @property
    def parsers(self) -> list[str]:
        """Names of the parsers, in the order given."""
        return list(self._names)

    @property
    def metrics(self) -> list[str]:
        """Ids of the computed metrics that this version supports."""
        return metrics_in(self.meta)

    @property
    def main_metric(self) -> str:
        """Id of the metric that pages and reports begin with: the framework's, or the first one computed."""
        main = self.framework.figures.main
        return main if main in self.metrics else self.metrics[0]

    @functools.cached_property
    def headline_metrics(self) -> list[str]:
        """Ids of the metrics that tables of figures have by default."""
        first = [name for name in self.framework.figures.first if name in self.metrics]
        ordered = [name for name in dict.fromkeys((*first, *self.metrics)) if METRICS[name].place.overview]
        named = [name for name in ordered if self._has_figures(name)]
        return [name for name in named if len(self.incomplete_metrics.get(name, ())) < len(self.parsers)]

    @functools.cached_property
    def incomplete_metrics(self) -> Mapping[str, Mapping[str, Sequence[str]]]:
        """Ids of the metrics that compare columns without values in a parser's file, with these columns by parser."""
        from evaltools.frameworks.dependency.universal import incomplete_metrics

        return incomplete_metrics(self)

    @property
    def table_metrics(self) -> list[str]:
        """Ids of the metrics that tables of figures begin with; the first six if there are no headline metrics."""
        return self.headline_metrics or list(self.metrics[:6])

    @functools.cached_property
    def reported_metrics(self) -> list[str]:
        """Ids of the metrics in text reports."""
        return [name for name in self.metrics if METRICS[name].place.reports and self._has_figures(name)]

    def _has_figures(self, name: str) -> bool:
        """Return whether a metric is defined in some sentence, for those that are left out elsewhere."""
        metric = METRICS[name]
        return not metric.place.if_defined or any(
            not np.isnan(metric.score(block.counts(metric))).all()
            for parser in self.parsers
            for _, block in sentence_blocks(self, parser, [metric])
        )

    @property
    def kind(self) -> str:
        """Id of the framework, such as ``constituency`` or ``dependency``."""
        return self.framework.id

    @functools.cached_property
    def framework(self) -> Framework:
        """Framework of the run."""
        return framework_of(self.meta)

    @property
    def signature(self) -> str:
        """Signature: version, preset, options, digests of the inputs."""
        return str(self.meta["signature"])

    @property
    def preset(self) -> str:
        """Name of the preset."""
        return str(self.meta["preset"])

    @functools.cached_property
    def default_figure(self) -> str:
        """The figure that tables show: ``"pooled_all"``, or ``"pooled"`` under a preset that follows evalb."""
        return self.rules.default_figure

    @property
    def default_over(self) -> str:
        """The sentences of :attr:`default_figure`: ``"all"``, or ``"scored"``."""
        return over_of(self.default_figure)

    @property
    def n_sentences(self) -> int:
        """Number of gold sentences."""
        return int(self.meta["sentences"])

    @property
    def n_counted(self) -> int:
        """Number of gold sentences that count: those that can be used, and of which the preset leaves something."""
        return counted(self.meta["parsers"][0])

    @functools.cached_property
    def rules(self) -> Preset:
        """Preset, with the parameter file stored in the run."""
        return self.framework.runs.rules_of(self.meta)

    def counts(self, parser: str | None = None) -> pd.DataFrame:
        """Return the count columns, one row per parser and sentence.

        Parameters
        ----------
        parser : str, optional
            Parser name; by default all.
        """
        return self._rows("sentences", parser, None, "sentence")

    def sentences(self, parser: str | None = None) -> pd.DataFrame:
        """Return one row per parser and sentence.

        Parameters
        ----------
        parser : str, optional
            Parser name; by default all.

        Returns
        -------
        DataFrame
            ``parser``, ``sentence`` (from 1), ``words``, ``status``, every metric of the run (NaN where undefined),
            and the counts.
        """
        return self._scored(self.counts(parser))

    def words(self, parser: str | None = None, sentence: int | None = None) -> pd.DataFrame:
        """Return one row per gold word that was not deleted, with tags and LA similarities.

        Parameters
        ----------
        parser : str, optional
            Parser name; by default all.
        sentence : int, optional
            Sentence number, from 1; by default all.
        """
        return self._own_rows("words", parser, sentence, "sentence position", "trees have words, graphs have triples")

    def brackets(self, parser: str | None = None, sentence: int | None = None) -> pd.DataFrame:
        """Return one row per bracket of either tree, with its status in the E- and the T-mapping.

        Correct preterminals are left out. ``e_status`` is missing for brackets that do not count, those over a single
        word with ``multiword_only``.

        Parameters
        ----------
        parser : str, optional
            Parser name; by default all.
        sentence : int, optional
            Sentence number, from 1; by default all.
        """
        return self._own_rows("brackets", parser, sentence, "sentence", "constituency trees have brackets")

    def metadata(self) -> pd.DataFrame:
        """Return what is known of each sentence: document, genre, and other columns.

        They come from comments of the gold file (CoNLL-U) and from the files of metadata that were given.

        Returns
        -------
        DataFrame
            ``sentence``, and a column of strings for each key; None where a sentence has no value. Columns of runs
            without metadata are ``sentence`` alone.
        """
        from evaltools.runs.metadata import metadata_frame

        return metadata_frame(self)

    def problems(self) -> pd.DataFrame:
        """Return one row per problem in the inputs."""
        return self.query("from problems")

    def summary(self) -> pd.DataFrame:
        """Return one row per parser and metric: pooled, mean, n, n_words_differ, pooled_all, mean_all.

        Tables show the column that :attr:`default_figure` names.
        """
        import pandas as pd

        return pd.DataFrame(self.figures(), columns=["parser", "metric", *SUMMARY])

    def figures(self) -> list[dict[str, Any]]:
        """Return the rows of :meth:`summary`, without importing pandas."""
        metrics = [METRICS[name] for name in self.metrics]
        columns = ["status", "sentences", "words_aligned"]
        columns += [column for metric in metrics for column in needed_columns(metric)]
        sql = f"select {', '.join(dict.fromkeys(columns))} from sentences where parser = ? order by sentence"
        return [row for name in self._names for row in parser_figures(self.columns(sql, [name]), name, metrics)]

    def labels(self, parser: str | None = None) -> pd.DataFrame:
        """Return recall, precision and F1 of every phrase label, or relation, over the scored sentences.

        Parameters
        ----------
        parser : str, optional
            Parser name; by default all.

        Returns
        -------
        DataFrame
            ``parser``, ``label``, ``gold``, ``test``, ``matched`` (numbers of brackets), ``recall``,
            ``precision``, ``f1``; the most frequent gold labels of each parser first. Labels merged
            by ``EQ_LABEL`` count under the gold label. For dependency trees: words with a relation, in sentences with
            equal words; ``matched`` with the right head, ``labeled`` with any head; ``recall``, ``precision``,
            ``f1``. For semantic graphs: numbers of counted triples, by ``kind`` and predicate, role or property.
        """
        labels = self.framework.runs.labels
        if labels is None:
            raise no_such_thing(self, "trees compared with one gold treebank have figures by label")
        return labels.figures(self, None if parser is None else self._checked(parser))

    def attachments(self, parser: str | None = None) -> pd.DataFrame:
        """Return attachment by distance and direction of the head, for a run of dependency trees.

        Parameters
        ----------
        parser : str, optional
            Parser name; by default all.

        Returns
        -------
        DataFrame
            ``parser``, ``by`` (``distance`` or ``direction``), ``bin``, ``gold`` and ``test`` (words with such a
            head), ``uas_recall``, ``uas_precision``, ``las_recall``, ``las_precision``; over sentences of equal words.
        """
        from evaltools.corpus import Dependencies
        from evaltools.frameworks.dependency.stored import attachments

        if self.framework.reads is not Dependencies:
            raise no_such_thing(self, "words of dependency trees have heads")
        return attachments(self, None if parser is None else self._checked(parser))

    def tree(self, sentence: int, parser: str | None = None) -> Tree | DependencyTree | SemanticGraph | None:
        """Return a gold or parser's tree or graph as it was read; None if it is missing.

        Parameters
        ----------
        sentence : int
            Sentence number, from 1.
        parser : str, optional
            Parser of the tree; by default the gold tree is returned.
        """
        tree, notation, _ = self._stored_tree(sentence, parser)
        return read_tree(self, sentence, tree, notation) if isinstance(tree, str) else None

    def alignment(self, sentence: int, parser: str, other: str | None = None) -> Any:
        """Align the gold tree of a sentence with a parser's, by the run's preset and options.

        Parameters
        ----------
        sentence : int
            Sentence number, from 1.
        parser : str
            Parser name.
        other : str, optional
            Second parser; its tree is then the test tree, and that of `parser` replaces the gold tree.

        Returns
        -------
        Alignment, DependencyAlignment or GraphAlignment
            The two trees or graphs and what pairs their nodes or arcs; all trees of a sentence across frameworks.
        """
        for name in (parser, *(() if other is None else (other,))):
            self._checked(name)
        return self.framework.align(self, parser, other, [self._checked_number(sentence)])[sentence]

    @functools.cached_property
    def edm_rules(self) -> EdmRules:
        """Rules for triples, in a run of semantic graphs."""
        from evaltools.frameworks.semantics.edm_rules import EdmRules

        if "edm_rules" not in self.meta:
            raise no_such_thing(self, "semantic graphs have triples")
        return EdmRules.from_dict(self.meta["edm_rules"])

    def graphs(self, sentence: int, parser: str, other: str | None = None) -> GraphAlignment:
        """Align the gold graph of an item with a parser's, by the run's rules.

        Parameters
        ----------
        sentence : int
            Sentence number, from 1.
        parser : str
            Parser name.
        other : str, optional
            Second parser; its graph is then the test graph, and that of `parser` replaces the gold graph.

        Returns
        -------
        GraphAlignment
            The two graphs and what pairs their nodes and triples.
        """
        if "edm_rules" not in self.meta:
            raise no_such_thing(self, "semantic graphs have triples")
        graphs: GraphAlignment = self.alignment(sentence, parser, other)
        return graphs

    def triples(self, parser: str | None = None, sentence: int | None = None) -> pd.DataFrame:
        """Return one row per triple of either graph, with its status, for a run of semantic graphs.

        Parameters
        ----------
        parser : str, optional
            Parser name; by default all.
        sentence : int, optional
            Sentence number, from 1; by default all.

        Returns
        -------
        DataFrame
            ``parser``, ``sentence``, ``kind`` (``name``, ``argument``, ``property``, ``constant``, ``top``), ``label``,
            ``value``, the characters ``start`` to ``end`` and, of arguments, ``target_start`` to ``target_end``,
            ``status`` (``right``, ``missing``, ``spurious``), ``gold_predicate`` and ``test_predicate`` of the node the
            triple is of, ``weight``.
        """
        return self._own_rows("triples", parser, sentence, "sentence", "semantic graphs have triples")

    def ranks(self, parser: str) -> pd.DataFrame:
        """Return one row per analysis, with its counts, of a parser with several analyses per item.

        Parameters
        ----------
        parser : str
            Parser name.

        Returns
        -------
        DataFrame
            ``parser``, ``sentence``, ``rank`` (from 1), the counts of the table ``sentences``; ``edm_exact_match`` is 1
            if the analysis equals gold.
        """
        return self._own_rows("ranks", parser, None, "sentence rank", "semantic graphs may be ranked")

    @property
    def theories(self) -> list[str]:
        """Theories of the gold treebanks of a run across frameworks."""
        return [gold["theory"] for gold in self.meta.get("golds", [])]

    def protocol(self, sentence: int, parser: str, *, multiple: bool = True, labeled: bool = True) -> TedEvalProtocol:
        """Return all steps of TedEval for a sentence of a run across frameworks.

        Parameters
        ----------
        sentence : int
            Sentence number, from 1.
        parser : str
            Parser name.
        multiple : bool
            Whether to compare with the generalization of all gold trees, or with the gold tree of the parser's theory.
        labeled : bool
            Whether to count functions, or nodes only.
        """
        from evaltools.frameworks.crossframework.stored import sentence_trees

        if not self.theories:
            raise no_such_thing(self, "runs across frameworks have several gold trees")
        trees = sentence_trees(self, sentence, self._checked(parser))
        return trees.protocol(multiple=multiple, labeled=labeled)

    def text(self, sentence: int) -> list[str]:
        """Return the gold words of a sentence.

        Parameters
        ----------
        sentence : int
            Sentence number, from 1.
        """
        tree, notation, text = self._stored_tree(sentence, None)
        return words_of(self, sentence, tree if isinstance(tree, str) else None, notation, text)

    def texts(self) -> pd.DataFrame:
        """Return ``sentence`` and ``text``, the gold words of every sentence separated by blanks."""
        return self.query(
            "select sentence, coalesce(text, '') as text from trees where parser is null order by sentence"
        )

    def _checked(self, parser: str) -> str:
        if parser not in self._names:
            raise ParameterError.unknown("parser", parser, self._names)
        return parser

    def _checked_number(self, sentence: int) -> int:
        n = self.meta["sentences"]
        if not 1 <= sentence <= n:
            raise ParameterError(f"no sentence {sentence}; there are {n}, counted from 1")
        return sentence

    def _rows(self, table: str, parser: str | None, sentence: int | None, order: str) -> pd.DataFrame:
        """Return rows of a table: those of a parser, or of a sentence, or all."""
        import pandas as pd

        parser = None if parser is None else self._checked(parser)
        conditions, parameters = ["true"], list[Any]()
        for column, value in (("parser", parser), ("sentence", sentence)):
            if value is not None:
                conditions.append(f"{column} = ?")
                parameters.append(value)
        rows = self.query(f"select * from {table} where {' and '.join(conditions)}", parameters)
        rows["parser"] = pd.Categorical(rows["parser"], categories=self._names)
        rows = rows.sort_values(["parser", *order.split()], kind="stable", ignore_index=True)
        return rows.astype({"parser": object})

    def _own_rows(self, table: str, parser: str | None, sentence: int | None, order: str, reason: str) -> pd.DataFrame:
        """Return rows of a table; raise RunError if the framework does not have it."""
        if table not in self.framework.runs.tables:
            raise no_such_thing(self, reason)
        return self._rows(table, parser, sentence, order)

    def _scored(self, counts: pd.DataFrame) -> pd.DataFrame:
        """Insert the scores between the keys and the counts."""
        import pandas as pd

        scores = sentence_scores(counts, [METRICS[name] for name in self.metrics])
        keys = ["parser", "sentence", "words", "status"]
        others = [column for column in counts.columns if column not in keys]
        return pd.concat([counts[keys], scores, counts[others]], axis=1)

    def _stored_tree(self, sentence: int, parser: str | None) -> tuple[Any, str, Any]:
        """Return tree, notation and text of a row of the table of trees."""
        self._checked_number(sentence)
        if parser is not None:
            self._checked(parser)
        sql = "select tree, notation, text from trees where sentence = ? and parser is not distinct from ?"
        rows = self.query(sql, [sentence, parser])
        if rows.empty:
            raise RunError(f"{self.folder} is damaged: its table trees has no sentence {sentence}")
        tree, notation, text = rows.iloc[0]
        return tree, notation, text

"""Reading a run, through DuckDB, only what is asked for."""

from __future__ import annotations

import functools
from pathlib import Path

import pandas as pd

from evaltools.metrics.dependency_mapping import DependencyAlignment
from evaltools.metrics.edm_alignment import GraphAlignment, align_graphs
from evaltools.metrics.edm_rules import EdmRules
from evaltools.metrics.mapping import Alignment
from evaltools.metrics.tedeval_protocol import TedEvalProtocol
from evaltools.normalize import Preset
from evaltools.runs.aligning import align_as
from evaltools.runs.checked import preset_of
from evaltools.runs.dependency_figures import ATTACHMENTS, attachment_figures
from evaltools.runs.kinds import kind_of
from evaltools.runs.opened import OpenRun
from evaltools.runs.protocols import protocol_of, sentence_trees
from evaltools.treebank import DependencyTree, Tree
from evaltools.treebank.semantic_graph import SemanticGraph

__all__ = ["Run"]


class Run(OpenRun):
    """A scored run.

    Parameters
    ----------
    path : path
        Its folder; or a URL, if what fsspec needs to read it is installed.

    Raises
    ------
    RunError
        If there is no complete run of this version.

    Examples
    --------
    >>> run = evaltools.score("gold.ptb", {"mine": "mine.ptb"})     # doctest: +SKIP
    >>> run.sentences("mine").nsmallest(10, "e_dice_roof")          # doctest: +SKIP
    """

    @classmethod
    def open(cls, path: str | Path) -> Run:
        """Return the run in a folder.

        Parameters
        ----------
        path : path
            The folder.
        """
        return cls(path)

    def __repr__(self) -> str:
        return f"<Run of {len(self.parsers)} parsers on {self.n_sentences} sentences: {self.signature}>"

    def save(self, path: str | Path, *, force: bool = False) -> Run:
        """Return a copy of the run, which is written to a folder.

        Parameters
        ----------
        path : path
            The new folder.
        force : bool
            Whether to replace an older run there.
        """
        self._copy_to(path, force=force)
        return Run(path)

    @property
    def parsers(self) -> list[str]:
        """Names of the parsers, in the order given."""
        return list(self._names)

    @property
    def metrics(self) -> list[str]:
        """Ids of the metrics that were computed."""
        return list(self.meta["metrics"])

    @property
    def kind(self) -> str:
        """What it compares: ``constituency`` or ``dependency`` trees, trees of any kind, or semantic graphs."""
        return kind_of(self.meta)

    @property
    def signature(self) -> str:
        """How the figures came about: version, preset, options, digests of the inputs."""
        return str(self.meta["signature"])

    @property
    def preset(self) -> str:
        """Name of the preset."""
        return str(self.meta["preset"])

    @property
    def n_sentences(self) -> int:
        """Number of gold sentences."""
        return int(self.meta["sentences"])

    @functools.cached_property
    def rules(self) -> Preset:
        """The preset, with the parameter file as it was when the run was made."""
        return preset_of(self.meta)

    def counts(self, parser: str | None = None) -> pd.DataFrame:
        """Return the count columns, one row a parser and sentence.

        Parameters
        ----------
        parser : str, optional
            Only this one.
        """
        return self._rows("sentences", parser, None, "sentence")

    def sentences(self, parser: str | None = None) -> pd.DataFrame:
        """Return one row a parser and sentence.

        Parameters
        ----------
        parser : str, optional
            Only this one.

        Returns
        -------
        DataFrame
            ``parser``, ``sentence`` (from 1), ``words``, ``status``, every metric of the run (NaN where undefined),
            and the counts.
        """
        return self._scored(self.counts(parser))

    def words(self, parser: str | None = None, sentence: int | None = None) -> pd.DataFrame:
        """Return one row a gold word that was not deleted, with tags and LA similarities.

        Parameters
        ----------
        parser : str, optional
            Only this one.
        sentence : int, optional
            Only this one, from 1.
        """
        return self._rows("words", parser, sentence, "sentence position")

    def brackets(self, parser: str | None = None, sentence: int | None = None) -> pd.DataFrame:
        """Return one row a bracket of either tree, with its status in the E- and the T-mapping.

        Preterminals of which nothing is wrong are left out.

        Parameters
        ----------
        parser : str, optional
            Only this one.
        sentence : int, optional
            Only this one, from 1.
        """
        self._require("constituency", "constituency trees have brackets")
        return self._rows("brackets", parser, sentence, "sentence")

    def problems(self) -> pd.DataFrame:
        """Return one row a problem found in the inputs."""
        return self._rows("problems", None, None, "")

    def summary(self) -> pd.DataFrame:
        """Return one row a parser and metric: pooled, mean, n, n_words_differ, pooled_all, mean_all."""
        return self._summary()

    def labels(self, parser: str | None = None) -> pd.DataFrame:
        """Return recall, precision and F1 of every phrase label, or relation, over the scored sentences.

        Parameters
        ----------
        parser : str, optional
            Only this one.

        Returns
        -------
        DataFrame
            ``parser``, ``label``, ``gold``, ``test``, ``matched`` (numbers of brackets), ``e_recall``,
            ``e_precision``, ``e_dice``; the most frequent gold labels of each parser first. Labels that ``EQ_LABEL``
            makes equal count under the gold label. Of dependency trees: words with a relation, over sentences of equal
            words; ``matched`` with the right head, ``labelled`` with any; ``recall``, ``precision``, ``f1``. Of
            semantic graphs: numbers of triples that count, by ``kind`` and predicate, role or property.
        """
        return self._labels(parser)

    def attachments(self, parser: str | None = None) -> pd.DataFrame:
        """Return attachment by distance to the head and by its direction, of a run of dependency trees.

        Parameters
        ----------
        parser : str, optional
            Only this one.

        Returns
        -------
        DataFrame
            ``parser``, ``by`` (``distance`` or ``direction``), ``bin``, ``gold`` and ``test`` (words whose head is
            there), ``uas_recall``, ``uas_precision``, ``las_recall``, ``las_precision``; over sentences of equal words.
        """
        self._require("dependency", "words of dependency trees have heads", parser)
        return attachment_figures(self.query(ATTACHMENTS, [parser] * ATTACHMENTS.count("?")), self.parsers)

    def tree(self, sentence: int, parser: str | None = None) -> Tree | DependencyTree | SemanticGraph | None:
        """Return a tree, or graph, of the run's kind as it was read: the gold one, or a parser's; None where missing.

        Parameters
        ----------
        sentence : int
            Its number, from 1.
        parser : str, optional
            Whose tree; the gold tree if not given.
        """
        return self._tree(sentence, parser)

    def alignment(self, sentence: int, parser: str, other: str | None = None) -> Alignment | DependencyAlignment:
        """Return the gold tree of a sentence aligned with a parser's, by the run's preset and options.

        Parameters
        ----------
        sentence : int
            From 1.
        parser : str
            The parser.
        other : str, optional
            A second parser, whose tree then takes the place of the test tree; `parser`'s takes that of the gold tree.
        """
        gold = self.tree(sentence, None if other is None else parser)
        test = self.tree(sentence, parser if other is None else other)
        return align_as(self.meta, self.rules, gold, test)

    @functools.cached_property
    def edm_rules(self) -> EdmRules:
        """Which triples count, in a run of semantic graphs, and how much."""
        self._require("semantics", "semantic graphs have triples")
        return EdmRules.from_dict(self.meta["edm_rules"])

    def graphs(self, sentence: int, parser: str, other: str | None = None) -> GraphAlignment:
        """Return the gold graph of an item aligned with a parser's, by the run's rules.

        Parameters
        ----------
        sentence : int
            From 1.
        parser : str
            The parser.
        other : str, optional
            A second parser, whose graph then takes the place of the test graph; `parser`'s takes that of the gold one.
        """
        rules = self.edm_rules
        gold = self.tree(sentence, None if other is None else parser)
        test = self.tree(sentence, parser if other is None else other)
        one, two = (side if isinstance(side, SemanticGraph) else None for side in (gold, test))
        return align_graphs(one, two, rules)

    def triples(self, parser: str | None = None, sentence: int | None = None) -> pd.DataFrame:
        """Return one row a triple of either graph, with its status, of a run of semantic graphs.

        Parameters
        ----------
        parser : str, optional
            Only this one.
        sentence : int, optional
            Only this one, from 1.

        Returns
        -------
        DataFrame
            ``parser``, ``sentence``, ``kind`` (``name``, ``argument``, ``property``, ``constant``, ``top``), ``label``,
            ``value``, the characters ``start`` to ``end`` and, of arguments, ``target_start`` to ``target_end``,
            ``status`` (``matched``, ``gold``, ``test``), ``gold_predicate`` and ``test_predicate`` of the node the
            triple is of, ``weight``.
        """
        self._require("semantics", "semantic graphs have triples")
        return self._rows("triples", parser, sentence, "sentence")

    def ranks(self, parser: str) -> pd.DataFrame:
        """Return one row a result, with its counts, of a parser that gives several results an item.

        Parameters
        ----------
        parser : str
            The parser.

        Returns
        -------
        DataFrame
            ``parser``, ``sentence``, ``rank`` (from 1), the counts of the table ``sentences``; ``edm_exact_match`` says
            whether it equals gold.
        """
        self._require("semantics", "semantic graphs may be ranked")
        return self._rows("ranks", parser, None, "sentence rank")

    @property
    def theories(self) -> list[str]:
        """The theories that gold trees of a run across frameworks follow."""
        return [gold["theory"] for gold in self.meta.get("golds", [])]

    def protocol(self, sentence: int, parser: str, *, multiple: bool = True, labelled: bool = True) -> TedEvalProtocol:
        """Return every step of TedEval on a sentence of a run across frameworks.

        Parameters
        ----------
        sentence : int
            From 1.
        parser : str
            The parser.
        multiple : bool
            Whether against what all gold trees have in common, or against the gold tree of the parser's theory.
        labelled : bool
            Whether functions count, or nodes only.
        """
        self._require("crossframework", "runs across frameworks have several gold trees")
        trees = sentence_trees(self, sentence, self._known(parser))
        return protocol_of(self.meta, trees, parser, multiple=multiple, labelled=labelled)

    def text(self, sentence: int) -> list[str]:
        """Return the gold words of a sentence.

        Parameters
        ----------
        sentence : int
            Its number, from 1.
        """
        return self._words_of(sentence)

    def texts(self) -> pd.DataFrame:
        """Return ``sentence`` and ``text``, the gold words of every sentence separated by blanks."""
        return self.query(
            "select sentence, coalesce(text, '') as text from trees where parser is null order by sentence"
        )

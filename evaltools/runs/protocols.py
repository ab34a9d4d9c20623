"""One sentence of a run across frameworks, step by step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import pandas as pd

from evaltools.errors import ParameterError
from evaltools.formats import FORMATS, Source
from evaltools.metrics.function_columns import FunctionColumns, FunctionVocabulary
from evaltools.metrics.tedeval_protocol import TedEvalProtocol, sentence_protocol
from evaltools.runs.theories import Conversion, convert, enriched
from evaltools.treebank import Dependencies, DependencyTree, Tree, Treebank, Vocabulary

__all__ = ["SentenceTrees", "conversion_of", "protocol_of", "read_one", "sentence_trees"]


def read_one(text: str, format_name: str) -> Treebank | Dependencies:
    """Read the one tree of a text.

    Parameters
    ----------
    text : str
        The tree in the notation of a format.
    format_name : str
        Name of the format.
    """
    data = (text + "\n\n").encode("utf-8", "backslashreplace")
    trees: Treebank | Dependencies = FORMATS[format_name].read(Source("tree", data, ""), Vocabulary())
    return trees.resized(1)


def conversion_of(meta: Mapping[str, Any]) -> Conversion:
    """Return how the trees of a run became function trees."""
    options = meta["options"]
    unify, free = (tuple((one, other) for one, other in options[name]) for name in ("tl_unify", "free_labels"))
    # version 0.2.0 did not projectivize
    return Conversion(
        dict(options["label_map"]), unify, options["count_root"], free, options.get("projectivize", False)
    )


@dataclass(frozen=True)
class SentenceTrees:
    """The trees of one sentence: as read, and as multi-function trees.

    Parameters
    ----------
    golds : dict
        Gold trees by theory, as multi-function trees, enriched with the labels of others where that was asked for; a
        corpus of one sentence each.
    parse : FunctionColumns
        The parser's tree.
    native_golds : dict
        The gold trees as read.
    native_parse : Tree or DependencyTree
        The parser's tree as read.
    """

    golds: dict[str, FunctionColumns]
    parse: FunctionColumns
    native_golds: dict[str, Tree | DependencyTree]
    native_parse: Tree | DependencyTree


class _Queried(Protocol):
    """What is needed of a run."""

    @property
    def meta(self) -> Mapping[str, Any]: ...

    def query(self, sql: str, parameters: list[Any] | None = None) -> pd.DataFrame: ...


def sentence_trees(run: _Queried, sentence: int, parser: str) -> SentenceTrees:
    """Return all trees of a sentence of a run across frameworks.

    Parameters
    ----------
    run : Run
        The run.
    sentence : int
        From 1.
    parser : str
        The parser.

    Raises
    ------
    ParameterError
        If there is no such sentence.
    """
    parses = run.query("select tree, notation from trees where sentence = ? and parser = ?", [sentence, parser])
    golds = run.query("select theory, tree, notation from golds where sentence = ?", [sentence])
    if parses.empty or golds.empty:
        raise ParameterError(f"no sentence {sentence}; there are {run.meta['sentences']}, counted from 1")
    texts = {theory: _read(tree, notation) for theory, tree, notation in golds.itertuples(index=False)}
    read = {entry["theory"]: texts[entry["theory"]] for entry in run.meta["golds"]}
    conversion, vocabulary = conversion_of(run.meta), FunctionVocabulary()
    columns = enriched(
        {theory: convert(trees, vocabulary, conversion) for theory, trees in read.items()}, conversion.tl_unify
    )
    test = _read(*parses.iloc[0])
    return SentenceTrees(
        columns,
        convert(test, vocabulary, conversion),
        {theory: trees.tree(0) for theory, trees in read.items()},
        test.tree(0),
    )


def _read(tree: object, notation: object) -> Treebank | Dependencies:
    return read_one(tree if isinstance(tree, str) else "", str(notation))


def protocol_of(
    meta: Mapping[str, Any], trees: SentenceTrees, parser: str, *, multiple: bool, labelled: bool
) -> TedEvalProtocol:
    """Score one sentence and keep every step.

    Parameters
    ----------
    meta : mapping
        What the run's ``meta.json`` says.
    trees : SentenceTrees
        The trees.
    parser : str
        Whose parse it is.
    multiple : bool
        Whether against what all golds have in common, or against the parser's own gold.
    labelled : bool
        Whether functions count, or nodes only.

    Raises
    ------
    ParameterError
        If a gold tree or the parse is missing, or their characters differ.
    """
    theory = next(entry["theory"] for entry in meta["parsers"] if entry["name"] == parser)
    golds = trees.golds if multiple else {theory: trees.golds[theory]}
    missing = [name for name, one in golds.items() if not one.words(0)]
    if missing or not trees.parse.words(0):
        raise ParameterError(f"no tree of {missing[0]}" if missing else "no parse of this sentence")
    return sentence_protocol(
        trees.parse,
        list(golds.values()),
        0,
        list(golds).index(theory),
        labelled=labelled,
        count_root=meta["options"]["count_root"],
    )

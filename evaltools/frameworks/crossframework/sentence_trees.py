"""One sentence of a run across frameworks: its trees, and the comparison step by step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from evaltools.corpus import Dependencies, DependencyTree, Tree, Treebank, Vocabulary
from evaltools.errors import ParameterError
from evaltools.formats import FORMATS, Source
from evaltools.frameworks.crossframework.edit_scripts import TedEvalProtocol
from evaltools.frameworks.crossframework.function_columns import FunctionColumns, FunctionVocabulary
from evaltools.frameworks.crossframework.function_conversion import corpus_functions
from evaltools.frameworks.crossframework.protocol import sentence_protocol
from evaltools.frameworks.crossframework.theories import Conversion, enriched
from evaltools.frameworks.stored import StoredRun

__all__ = ["SentenceTrees", "conversion_of", "read_corpus", "sentence_trees"]


def read_corpus(tree: object, notation: object) -> Treebank | Dependencies:
    """Return the corpus of one tree, given its text as tables have it; a missing tree has no text."""
    text = tree if isinstance(tree, str) else ""
    data = (text + "\n\n").encode("utf-8", "backslashreplace")
    trees: Treebank | Dependencies = FORMATS[str(notation)].read(Source("tree", data, ""), Vocabulary())
    return trees.resized(1)


def conversion_of(meta: Mapping[str, Any]) -> Conversion:
    """Return how the trees of a run became function trees."""
    options = meta["options"]
    unify, free = (tuple((first, second) for first, second in options[name]) for name in ("tl_unify", "free_labels"))
    # version 0.2.0 did not projectivize
    return Conversion(
        dict(options["label_map"]), unify, options["count_root"], free, options.get("projectivize", False)
    )


@dataclass(frozen=True, slots=True)
class SentenceTrees:
    """The trees of one sentence of a run: as read, and as multi-function trees."""

    meta: Mapping[str, Any]  # The content of the run's ``meta.json``
    parser: str
    # Gold trees by theory, as corpora of one multi-function tree each, with the labels of other theories if unified
    golds: dict[str, FunctionColumns]
    parse: FunctionColumns  # The parser's tree, likewise
    native_golds: dict[str, Tree | DependencyTree]  # The gold trees as read
    native_parse: Tree | DependencyTree  # The parser's tree as read

    @property
    def entry(self) -> Mapping[str, Any]:
        """The parser's entry in ``meta.json``."""
        entry: Mapping[str, Any] = next(entry for entry in self.meta["parsers"] if entry["name"] == self.parser)
        return entry

    def protocol(self, *, multiple: bool = True, labelled: bool | None = None) -> TedEvalProtocol:
        """Return every step; functions count by default where the parser has them."""
        theory = self.entry["theory"]
        golds = self.golds if multiple else {theory: self.golds[theory]}
        missing = [name for name, gold in golds.items() if not gold.n_words[0]]
        if missing or not self.parse.n_words[0]:
            raise ParameterError(f"no tree of {missing[0]}" if missing else "no parse of this sentence")
        return sentence_protocol(
            self.parse,
            list(golds.values()),
            0,
            list(golds).index(theory),
            labelled=bool(self.entry["labelled"]) if labelled is None else labelled,
            count_root=self.meta["options"]["count_root"],
        )


def sentence_trees(run: StoredRun, sentence: int, parser: str) -> SentenceTrees:
    """Return all trees of a sentence of a run across frameworks."""
    conversion, vocabulary = conversion_of(run.meta), FunctionVocabulary()
    unified = conversion.unified(run.theories, parsers=True)
    query = "select parser, tree, notation from trees where sentence = ? and parser in (select unnest(?::varchar[]))"
    parses = run.query(query, [sentence, [parser, *(name for pair in unified for name in pair)]])
    rows = run.query("select theory, tree, notation from golds where sentence = ?", [sentence])
    if parser not in parses["parser"].tolist() or rows.empty:
        raise ParameterError(f"no sentence {sentence}; there are {run.meta['sentences']}, counted from 1")
    corpora = {theory: read_corpus(tree, notation) for theory, tree, notation in rows.itertuples(index=False)}
    golds = {theory: corpora[theory] for theory in run.theories}
    parsed = {name: read_corpus(tree, notation) for name, tree, notation in parses.itertuples(index=False)}
    columns = {theory: corpus_functions(trees, vocabulary, conversion.label_map) for theory, trees in golds.items()}
    parse_columns = {name: corpus_functions(trees, vocabulary, conversion.label_map) for name, trees in parsed.items()}
    return SentenceTrees(
        run.meta,
        parser,
        enriched(columns, conversion.unified(run.theories)),
        enriched(parse_columns, unified)[parser],
        {theory: trees.tree(0) for theory, trees in golds.items()},
        parsed[parser].tree(0),
    )

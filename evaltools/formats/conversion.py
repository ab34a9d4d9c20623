"""From one format to another, and from any of them to function trees."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from pathlib import PurePath
from typing import IO

from evaltools.errors import ParameterError, Problem
from evaltools.formats import FORMATS, write_treebank
from evaltools.formats.source import Source
from evaltools.formats.treebank_stream import CorpusStream
from evaltools.treebank import (
    DependencyTree,
    FunctionTree,
    Kind,
    Tree,
    Vocabulary,
    constituency_function_tree,
    dependency_function_tree,
    labelled_function_tree,
    multi_function_tree,
    realizational_function_tree,
    tl_unify,
)
from evaltools.treebank.folding import folded
from evaltools.treebank.function_brackets import function_brackets, multi_function_brackets
from evaltools.treebank.function_trees import HEAD

__all__ = ["SUFFIXES", "TARGETS", "convert", "target_of"]

MULTI = "multifunctions"

TARGETS = (*FORMATS, MULTI)
"""What a file can be converted to: a format, or multi-function trees, which the format of function trees holds."""

SUFFIXES = {
    ".ptb": "ptb",
    ".mrg": "ptb",
    ".sampson": "sampson",
    ".conllu": "conllu",
    ".conll": "conllx",
    ".conllx": "conllx",
    ".export": "export",
    ".dbr": "discbracket",
    ".discbracket": "discbracket",
    ".functions": "functions",
    ".multifunctions": MULTI,
    ".rr": "rr",
}
"""What a file holds whose name ends so."""

_CHUNK = 4096
_Corpus = str | os.PathLike[str] | Source | IO[bytes]


def target_of(path: str | os.PathLike[str]) -> str:
    """Return what a file is to hold, from the end of its name; ``.gz`` and ``.zst`` do not count.

    Parameters
    ----------
    path : path
        The file.

    Raises
    ------
    ParameterError
        If the end of the name says nothing.

    Examples
    --------
    >>> target_of("gold.conllu.gz"), target_of("gold.mrg")
    ('conllu', 'ptb')
    """
    name = PurePath(path)
    if name.suffix in (".gz", ".zst"):
        name = name.with_suffix("")
    if name.suffix not in SUFFIXES:
        raise ParameterError(
            f"the name {str(path)!r} does not say what to convert to; give --to with one of {', '.join(TARGETS)}, "
            f"or a name that ends in {', '.join(SUFFIXES)}"
        )
    return SUFFIXES[name.suffix]


def convert(
    source: _Corpus,
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002 - the word users know
    to: str | None = None,
    gold_functions: _Corpus | None = None,
    label_map: Mapping[str, str] | None = None,
    head_label: str = HEAD,
    words_only: bool = False,
) -> list[Problem]:
    """Convert a file to another format, or to function trees.

    Constituency formats are converted to each other, CoNLL-U and CoNLL-X to each other, and everything to function
    trees and multi-function trees. Sentences that cannot be read are missing parses in the new file, and listed.

    Parameters
    ----------
    source : str, path, Source, or binary file
        As for :func:`evaltools.read_treebank`.
    path : path
        The new file; compressed if its name ends in ``.gz`` or ``.zst``. It may be the old one.
    format : str, optional
        Format of the source; guessed from the content if not given.
    to : str, optional
        A name in :data:`TARGETS`; from the end of `path` if not given.
    gold_functions : str, path, Source, or binary file, optional
        The same sentences with functions, such as a dependency gold, for multi-function trees: each node takes the
        functions that its words have there as well (TL-unification).
    label_map : dict of str to str, optional
        Functions to put in the place of others, for function trees.
    head_label : str
        The function of a head's own node, ``"hd"`` or ``"*"``, for function trees of dependencies.
    words_only : bool
        Whether to leave out what CoNLL-U and CoNLL-X cannot hold of each other: multiword tokens, empty nodes, and the
        last two columns.

    Returns
    -------
    list of Problem
        What is wrong with the source, and sentences whose words are not those of `gold_functions`.

    Raises
    ------
    InputError
        If a file cannot be opened, or is of no known format.
    ParameterError
        If a name is unknown, or the target cannot hold what the source does; nothing is written then.
    """
    target = target_of(path) if to is None else to
    if target not in TARGETS:
        raise ParameterError.unknown("target", target, TARGETS)
    if gold_functions is not None and target != MULTI:
        raise ParameterError(f"functions are taken from another file for {MULTI} only, not for {target}")
    conversion = _Conversion(label_map or {}, head_label)
    stream = CorpusStream(source, format)
    target_format = "functions" if target == MULTI else target
    held, wanted = FORMATS[stream.format], FORMATS[target_format]
    sentences = conversion.sentences(stream)
    trees: Iterator[Tree | DependencyTree | None]
    if target == MULTI:
        others = None if gold_functions is None else CorpusStream(gold_functions)
        trees = conversion.multi_function_trees(sentences, stream, others)
    elif target == "functions" and held.HOLDS != "functions":
        trees = conversion.function_trees(sentences, stream.format)
    elif held.HOLDS != wanted.HOLDS:
        what = {"constituency": "constituents", "dependency": "dependencies", "functions": "function trees"}
        raise ParameterError(
            f"{stream.name} holds {what[held.HOLDS]} ({held.TITLE}), which cannot become {wanted.TITLE}; "
            f"function trees can be made of everything: --to functions or --to {MULTI}"
        )
    elif held.HOLDS == "dependency" and stream.format != target:
        trees = _between_conll(sentences, target, words_only=words_only)
    elif stream.format == "export" and target != "export":
        trees = map(_with_functions_in_labels, sentences)
    else:
        trees = sentences
    write_treebank(trees, path, target_format)
    return conversion.problems


@dataclass(slots=True)
class _Conversion:
    """What is asked for, and what was found wrong on the way."""

    label_map: Mapping[str, str]
    head_label: str
    problems: list[Problem] = field(default_factory=list)

    def sentences(self, stream: CorpusStream) -> Iterator[Tree | DependencyTree | None]:
        vocabulary = Vocabulary()
        while len(part := stream.read(_CHUNK, vocabulary, drop_blank_end=True)):
            self.problems += part.problems
            for sentence in range(len(part)):
                tree = part.tree(sentence)
                yield tree if tree.words else None

    def function_tree(self, tree: Tree | DependencyTree, format_name: str) -> FunctionTree:
        if isinstance(tree, DependencyTree):
            columns = tree.forms, tree.heads, tree.relations
            return dependency_function_tree(*columns, head_label=self.head_label, label_map=self.label_map)
        if format_name == "functions":
            return labelled_function_tree(tree, label_map=self.label_map)
        if format_name == "rr":
            return realizational_function_tree(tree, label_map=self.label_map)
        return constituency_function_tree(tree, label_map=self.label_map)

    def function_trees(
        self, sentences: Iterator[Tree | DependencyTree | None], format_name: str
    ) -> Iterator[Tree | DependencyTree | None]:
        for tree in sentences:
            yield None if tree is None else function_brackets(self.function_tree(tree, format_name))

    def multi_function_trees(
        self,
        sentences: Iterator[Tree | DependencyTree | None],
        stream: CorpusStream,
        others: CorpusStream | None,
    ) -> Iterator[Tree | DependencyTree | None]:
        more = iter(()) if others is None else self.sentences(others)
        for number, (tree, other) in enumerate(zip_longest(sentences, more), start=1):
            if number > stream.n_read:
                assert others is not None
                found, expected = f"more sentences than in {stream.name}", f"{number - 1} sentences"
                self.problems.append(Problem("sentences", others.name, None, None, found, expected, number))
                return
            if tree is None:
                yield None
                continue
            functions = self.function_tree(tree, stream.format)
            multi = multi_function_tree(functions)
            if others is not None:
                labels = None if other is None else multi_function_tree(self.function_tree(other, others.format))
                given = () if labels is None else labels.words
                if labels is not None and [*map(folded, given)] == [*map(folded, multi.words)]:
                    multi = tl_unify(multi, labels)
                else:
                    found = f"other words than {stream.name} has" if given else "no sentence"
                    expected = "the same words; the sentence takes no functions"
                    self.problems.append(Problem("words_differ", others.name, None, None, found, expected, number))
            yield multi_function_brackets(functions, multi.labels)


def _between_conll(
    sentences: Iterator[Tree | DependencyTree | None], target: str, *, words_only: bool
) -> Iterator[Tree | DependencyTree | None]:
    """Leave out what has no place in the other of the two formats, or refuse."""
    for number, tree in enumerate(sentences, start=1):
        if not isinstance(tree, DependencyTree):
            yield None
            continue
        plain = replace(tree, multiwords=(), empty_nodes=(), deps=(), misc=())
        if plain != tree and not words_only:
            last = "DEPS or MISC" if target == "conllx" else "PHEAD or PDEPREL"
            others = "multiword tokens, empty nodes, " if tree.multiwords or tree.empty_nodes else ""
            raise ParameterError(
                f"sentence {number} has {others}{last}, which {FORMATS[target].TITLE} cannot hold; "
                f"--words-only leaves them out"
            )
        yield plain


def _with_functions_in_labels(tree: Tree | DependencyTree | None) -> Tree | DependencyTree | None:
    """Write functions as parts of the labels, as the Penn Treebank does."""
    if not isinstance(tree, Tree) or tree.functions is None:
        return tree
    labels = [
        f"{label}-{function}" if function and kind is not Kind.WORD else label
        for label, function, kind in zip(tree.labels, tree.functions, tree.kinds, strict=True)
    ]
    return replace(tree, labels=tuple(labels), functions=None)

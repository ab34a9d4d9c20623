"""From one format to another, and from any of them to function trees."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import IO

from evaltools.corpus import (
    Dependencies,
    DependencyTree,
    FunctionTree,
    Kind,
    Tree,
    Vocabulary,
    dependency_function_tree,
    multi_function_tree,
)
from evaltools.corpus.function_trees import HEAD
from evaltools.errors import InputError, ParameterError, Problem
from evaltools.formats import FORMATS, SemanticBank, content_of, write_treebank
from evaltools.formats.corpus_stream import CorpusStream
from evaltools.formats.functions import function_brackets, multi_function_brackets
from evaltools.formats.source import Source, open_source

__all__ = ["convert", "suffixes", "target_of", "targets"]

MULTI = "multifunctions"

_CHUNK = 4096
_Corpus = str | os.PathLike[str] | Source | IO[bytes]


def targets() -> tuple[str, ...]:
    """Return the targets of a conversion: the formats of trees, and multi-function trees, a kind of function trees."""
    return *(name for name, kind in FORMATS.items() if kind.holds is not SemanticBank), MULTI


def suffixes() -> dict[str, str]:
    """Return the targets by suffix of a file name."""
    more = {suffix: name for name in targets() if name != MULTI for suffix in FORMATS[name].suffixes}
    return {f".{name}": name for name in targets()} | more | {".conll": "conllx"}


def target_of(path: str | os.PathLike[str]) -> str:
    """Return the target for a file name, from its suffix; ``.gz`` and ``.zst`` are ignored.

    Examples
    --------
    >>> target_of("gold.conllu.gz"), target_of("gold.mrg")
    ('conllu', 'ptb')
    """
    name = PurePath(path)
    if name.suffix in (".gz", ".zst"):
        name = name.with_suffix("")
    by_suffix = suffixes()
    if name.suffix not in by_suffix:
        raise ParameterError(
            f"the name {str(path)!r} does not determine a target format; give --to with one of {', '.join(targets())}, "
            f"or a name that ends in {', '.join(by_suffix)}"
        )
    return by_suffix[name.suffix]


def convert(
    source: _Corpus,
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002 - the word users know
    to: str | None = None,
    label_map: Mapping[str, str] | None = None,
    head_label: str = HEAD,
    words_only: bool = False,
    encoding: str | None = None,
) -> list[Problem]:
    """Convert a file to another format, or to function trees.

    Constituency formats are converted to each other, CoNLL-U and CoNLL-X to each other, and everything to function
    trees and multi-function trees. Sentences that cannot be read are missing parses in the new file, and listed. All
    sentences keep their ids where both formats have ids. A sentence of an export or TIGER-XML file that has several
    roots gets a bracket TOP around them, because other programs read one tree a line; the presets delete it. Brackets
    have functions in their labels.

    Parameters
    ----------
    source : str, path, Source, or binary file
        As for :func:`evaltools.read_treebank`.
    path : path
        The new file; compressed if its name ends in ``.gz`` or ``.zst``. It may be the old one.
    format : str, optional
        Format of the source; guessed from the content if not given.
    to : str, optional
        One of :func:`targets`; from the end of `path` if not given.
    label_map : dict of str to str, optional
        Replacements of functions, for function trees.
    head_label : str
        The function of a head's own node, ``"hd"`` or ``"*"``, for function trees of dependencies.
    words_only : bool
        Whether to leave out what CoNLL-U and CoNLL-X do not have in common: multiword tokens, empty nodes, and the
        last two columns.

    encoding : str, optional
        Encoding of the source, such as ``"latin-1"``; by default UTF-8, UTF-16 with a byte order mark, or what
        XML declares.

    Returns
    -------
    list of Problem
        Problems of the source. The kind of the last one is ``"truncated"`` if the source ends within a sentence or its
        XML.

    Raises
    ------
    InputError
        If a file cannot be opened, is of no known format, or has no sentence; nothing is written then.
    ParameterError
        If a name is unknown, or the target cannot hold what the source does; nothing is written then.
    """
    target = target_of(path) if to is None else to
    if target not in targets():
        raise ParameterError.unknown("target", target, targets())
    conversion = _Conversion(label_map or {}, head_label)
    stream = CorpusStream(source if encoding is None else open_source(source, encoding=encoding), format)
    target_format = "functions" if target == MULTI else target
    source_format, written = FORMATS[stream.format], FORMATS[target_format]
    sentences = conversion.sentences(stream)
    trees: Iterator[Tree | DependencyTree | None]
    if target == MULTI or (target == "functions" and source_format.holds is not FunctionTree):
        trees = conversion.function_trees(sentences, stream.format, as_sets=target == MULTI)
    elif source_format.holds is not written.holds:
        raise ParameterError(
            f"{stream.name} holds {content_of(stream.format)}, which cannot become {written.title}; "
            f"every format can be converted to function trees: --to functions or --to {MULTI}"
        )
    elif source_format.holds is Dependencies and stream.format != target:
        trees = _between_conll(sentences, target, words_only=words_only)
    else:
        trees = sentences
        if written.stands_alone and not source_format.stands_alone:
            trees = map(_with_one_root, map(_with_functions_in_labels, sentences))
    try:
        write_treebank(trees, path, target_format)
    except ParameterError as error:
        raise ParameterError(f"{conversion.location}{error}") from None
    return conversion.problems


@dataclass(slots=True)
class _Conversion:
    """Options of a conversion, and its problems."""

    label_map: Mapping[str, str]
    head_label: str
    problems: list[Problem] = field(default_factory=list)
    location: str = ""  # File and line of the sentence that was read last

    def sentences(self, stream: CorpusStream) -> Iterator[Tree | DependencyTree]:
        vocabulary = Vocabulary()
        while len(part := stream.read(_CHUNK, vocabulary, drop_blank_end=True)):
            self.problems += part.problems
            for sentence in range(len(part)):
                tree = part.tree(sentence)
                self.location = f"{stream.name}:{part.line[sentence]}: "
                yield tree
        if not stream.n_read:
            raise InputError(Problem("empty", stream.name, None, None, "no sentence", "at least one sentence"))
        self.problems += stream.problems_of_file()
        if any(item.kind == "unbalanced" and item.sentence == stream.n_read for item in self.problems):
            found, expected = "the file ends within its last sentence", "a whole file"
            self.problems.append(Problem("truncated", stream.name, None, None, found, expected))

    def function_tree(self, tree: Tree | DependencyTree, format_name: str) -> FunctionTree:
        if isinstance(tree, DependencyTree):
            columns = tree.forms, tree.heads, tree.relations
            return dependency_function_tree(*columns, head_label=self.head_label, label_map=self.label_map)
        return FORMATS[format_name].functions(tree, label_map=self.label_map)

    def function_trees(
        self, sentences: Iterator[Tree | DependencyTree], format_name: str, *, as_sets: bool
    ) -> Iterator[Tree | None]:
        """Yield function trees, or multi-function trees, as brackets."""
        for tree in sentences:
            functions = self.function_tree(tree, format_name) if tree else None
            if functions is None:
                yield None
            elif as_sets:
                yield multi_function_brackets(functions, multi_function_tree(functions).labels)
            else:
                yield function_brackets(functions)


def _between_conll(
    sentences: Iterator[Tree | DependencyTree], target: str, *, words_only: bool
) -> Iterator[DependencyTree]:
    """Remove what the other CoNLL format cannot hold, or raise ParameterError."""
    for number, tree in enumerate(sentences, start=1):
        assert isinstance(tree, DependencyTree)
        reduced = replace(tree, multiwords=(), empty_nodes=(), deps=(), misc=())
        if reduced != tree and not words_only:
            last = "DEPS or MISC" if target == "conllx" else "PHEAD or PDEPREL"
            tokens = "multiword tokens, empty nodes, " if tree.multiwords or tree.empty_nodes else ""
            raise ParameterError(
                f"sentence {number} has {tokens}{last}, which {FORMATS[target].title} cannot hold; "
                f"--words-only leaves them out"
            )
        yield reduced


def _with_one_root(tree: Tree | DependencyTree) -> Tree | DependencyTree:
    """Put a bracket around the words and phrases to which no edge leads, if there are several, or a word alone."""
    if not (isinstance(tree, Tree) and tree) or (len(tree.roots) == 1 and tree.kinds[tree.roots[0]] is not Kind.WORD):
        return tree
    positions = [-1] * len(tree)
    for node, position in zip(tree.word_nodes, range(len(tree.words)), strict=True):
        positions[node] = position
    parents = [len(tree) if parent < 0 else parent for parent in tree.parents]
    return Tree.from_nodes([*tree.labels, "TOP"], [*positions, -1], [*parents, -1], [*tree.kinds, Kind.PHRASE])


def _with_functions_in_labels(tree: Tree | DependencyTree) -> Tree | DependencyTree:
    """Write functions as parts of the labels, as the Penn Treebank does."""
    if not isinstance(tree, Tree) or tree.functions is None:
        return tree
    labels = [
        f"{label}-{function}" if function and kind is not Kind.WORD else label
        for label, function, kind in zip(tree.labels, tree.functions, tree.kinds, strict=True)
    ]
    return replace(tree, labels=tuple(labels), functions=None)

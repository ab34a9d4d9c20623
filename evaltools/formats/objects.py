"""Objects in memory in place of files: lists with one object for each sentence, read as a file of them would be.

Libraries are recognized by the members of their objects and are not imported. A new kind of object is an
:class:`ObjectKind`, and one line in :data:`OBJECTS`. Objects become text: trees become brackets, sentences of conllu,
spaCy and Stanza become CoNLL-U.

A string is what a parser printed: a tree in brackets, a sentence of CoNLL-U, a graph, or anything instead. The format
of a parser's strings is that of the gold corpus, or one of the same kind if they look like it. A string that cannot be
read is a missing parse and a problem, whatever it is, and no other string is affected.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from evaltools.corpus import Dependencies, DependencyTree, Kind, SemanticGraph, Tree
from evaltools.corpus.bracket_text import NOTATIONS
from evaltools.corpus.dependency_text import NO_PARSE, whole_rows
from evaltools.errors import EvaltoolsError, InputError, Problem
from evaltools.formats import FORMATS, SemanticBank, format_of, opened, read_semantics, read_treebank
from evaltools.formats.brackets import LINES, write_bracketed
from evaltools.formats.conll import CONLLU, ColumnOrder, beginning, find_blocks, named_columns
from evaltools.formats.edges import is_between
from evaltools.formats.export import EXPORT
from evaltools.formats.format import detect
from evaltools.formats.graphs import ReadGraph, read_items
from evaltools.formats.penman import PENMAN
from evaltools.formats.ptb import PTB
from evaltools.formats.pydelphin import graph_of
from evaltools.formats.sampson import SAMPSON, layout_of_lines
from evaltools.formats.segments import Remark, Segment
from evaltools.formats.source import ByteStream, Source
from evaltools.text import excerpt


@dataclass(frozen=True)
class ObjectKind:
    """A kind of objects in memory, one for each sentence."""

    title: str  # As errors name it
    matches: Callable[[Any], bool]  # Whether an object is of this kind, without importing the library that made it
    # Sentences, None for a missing one, and their name in problems, as what readers of files take
    corpus: Callable[[Sequence[Any], str], Source | SemanticBank]
    # The sentences of an object that is given alone, not in a list; by default it is one sentence
    sentences: Callable[[Any], list[Any]] | None = None


def has_members(item: object, *names: str) -> bool:
    """Return whether the class of an object has all these members; no property of the object is computed."""
    return all(hasattr(type(item), name) for name in names)


def object_error(name: str, found: str, expected: str, sentence: int | None = None) -> InputError:
    """Return the error for an object that cannot be used."""
    prefix = "" if sentence is None else f"sentence {sentence}: "
    return InputError(Problem("object", name, None, None, f"{prefix}{found}", expected, sentence))


def from_each(items: Iterable[Any], convert: Callable[[Any], Any], name: str) -> list[Any]:
    """Convert every sentence; None, a missing one, stays. An error names the sentence."""
    results = []
    for number, item in enumerate(items, start=1):
        try:
            results.append(None if item is None else convert(item))
        except (EvaltoolsError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
            kind = type(item).__name__
            raise object_error(name, excerpt(str(error), 160), f"a {kind} that is complete", number) from error
    return results


def text_source(
    text: str, name: str, format_name: str | None, layout: str | None = None, problems: Iterable[Problem] = ()
) -> Source:
    """Return text as the content of a file, with the problems of the objects it was made of."""
    data = text.encode("utf-8", "backslashreplace")
    return Source(name, data, hashlib.sha256(data).hexdigest(), list(problems), layout=layout, format=format_name)


_MISSING = "(())"
_ESCAPE = NOTATIONS["ptb"].escape


def _trees(items: Sequence[Any], name: str) -> Source:
    """Write trees in the simplest format that holds all of them."""
    trees = [tree for tree in items if tree is not None]
    if any(tree.functions is not None for tree in trees):
        # places in a list pair sentences, not the ids of the files they are from
        unnamed = [tree if tree is None else replace(tree, sent_id=None) for tree in items]
        return text_source(EXPORT.write(unnamed), name, EXPORT.name)
    if not all(tree.is_continuous for tree in trees):
        text = write_bracketed(items, notation="discbracket", missing=_MISSING)
        return text_source(text, name, "discbracket", layout=LINES)
    is_tagged = not trees or any(Kind.PRETERMINAL in tree.kinds for tree in trees)
    written = PTB if is_tagged else SAMPSON
    return text_source(written.write(items), name, written.name, layout=LINES)


def _nltk_trees(items: Sequence[Any], name: str) -> Source:
    lines = from_each(items, _nltk_brackets, name)
    return text_source("".join(f"{line or _MISSING}\n" for line in lines), name, PTB.name, layout=LINES)


def _nltk_brackets(tree: Any) -> str:
    """Write a tree of nltk in brackets."""
    if isinstance(tree, str):
        return tree.translate(_ESCAPE)
    if not hasattr(tree, "label"):
        raise TypeError(f"a leaf of type {type(tree).__name__}, not str")
    return f"({' '.join([str(tree.label() or '').translate(_ESCAPE), *map(_nltk_brackets, tree)])})"


def _is_nltk_tree(item: object) -> bool:
    return isinstance(item, list) and has_members(item, "label", "leaves", "productions")


TREES = ObjectKind("evaltools.Tree", lambda item: isinstance(item, Tree), _trees)
NLTK_TREES = ObjectKind("nltk.Tree", _is_nltk_tree, _nltk_trees)


_ROOT = "ROOT"


def _conllu_of(write: Callable[[Any], str]) -> Callable[[Sequence[Any], str], Source]:
    """Return how sentences become CoNLL-U, given how one of them does."""

    def corpus(items: Sequence[Any], name: str) -> Source:
        blocks = from_each(items, write, name)
        text = "".join(f"{(block or '').strip() or NO_PARSE}\n\n" for block in blocks)
        return text_source(text, name, CONLLU.name)

    return corpus


def _row(number: object, form: str, *columns: object) -> str:
    """Return a line of CoNLL-U; blanks inside a column become no-break spaces, as in files."""
    values = ["" if column is None else str(column) for column in (form, *columns)]
    return "\t".join([str(number), *("\u00a0".join(value.split()) or "_" for value in values)])


# --------------------------------------------------------------------------------------------------------------- spaCy


def _spacy_sentences(doc: Any) -> list[Any]:
    """Return the sentences of a text; the whole text if no component has set their bounds."""
    return list(doc.sents) if doc.has_annotation("SENT_START") else [doc]


def _spacy_corpus(items: Sequence[Any], name: str) -> Source:
    """Write Docs; the relation ``ROOT``, which spaCy gives whatever the others are, is in lower case if these are."""
    relations = {token.dep_ for doc in items if doc is not None for token in doc} - {_ROOT}
    root = _ROOT if any(relation.isupper() for relation in relations) else _ROOT.lower()
    return _conllu_of(partial(_spacy_rows, root=root))(items, name)


def _spacy_rows(doc: Any, root: str) -> str:
    """Write the words of a Doc or Span; tokens of white space are left out."""
    words = [token for token in doc if not token.is_space]
    if words and not any(token.dep_ for token in words):
        raise ValueError("a Doc without heads and relations: no parser has annotated it (None is a missing parse)")
    number = {token.i: index for index, token in enumerate(words, start=1)}
    rows = []
    for index, token in enumerate(words, start=1):
        head = token.head
        while head.is_space and head.head.i != head.i:
            head = head.head
        is_root = head.i == token.i or head.i not in number
        relation = root if token.dep_ == _ROOT else token.dep_
        above = 0 if is_root else number[head.i]
        rows.append(_row(index, token.text, token.lemma_, token.pos_, token.tag_, token.morph, above, relation, "", ""))
    return "\n".join(rows)


# -------------------------------------------------------------------------------------------------------------- Stanza


def _stanza_rows(item: Any) -> str:
    """Write a Sentence, or the sentences of a Document one after the other, as one sentence."""
    rows: list[str] = []
    n_before = 0
    for sentence in item.sentences if _is_stanza_document(item) else [item]:
        starts = {token.id[0]: token for token in sentence.tokens if len(token.id) > 1}
        for number, word in enumerate(sentence.words, start=n_before + 1):
            if (token := starts.get(word.id)) is not None:
                rows.append(_row(f"{number}-{n_before + token.id[-1]}", token.text, *[""] * 8))
            if word.head is None:
                raise ValueError(f"word {word.id} without a head: no parser has annotated it (None is a missing parse)")
            head = n_before + word.head if word.head else 0
            columns = (word.lemma, word.upos, word.xpos, word.feats, head, word.deprel, "", "")
            rows.append(_row(number, word.text, *columns))
        n_before += len(sentence.words)
    return "\n".join(rows)


def _is_stanza_document(item: object) -> bool:
    return has_members(item, "sentences", "num_words")


def _is_stanza(item: object) -> bool:
    return _is_stanza_document(item) or has_members(item, "tokens", "words", "dependencies")


def _stanza_sentences(item: Any) -> list[Any]:
    return list(item.sentences) if _is_stanza_document(item) else [item]


# ---------------------------------------------------------------------------------------------------------- the others


def _token_list(tokens: Iterable[Any]) -> str:
    """Write a TokenList, whatever its fields are; one without tokens is a missing parse."""
    rows = list(tokens)
    if not rows:
        return ""
    order = ColumnOrder.of_names(list(rows[0]))
    lines = str(tokens.serialize()).splitlines()  # type: ignore[attr-defined]  # its protocol
    lines = [line for line in lines if line and not named_columns(line.encode())]
    return "\n".join(line if line.startswith("#") else order.row(line) for line in lines)


def _tree(tree: DependencyTree) -> str:
    return tree.to_string(CONLLU.name) if len(tree) else ""


DEPENDENCY_TREES = ObjectKind(
    "evaltools.DependencyTree", lambda item: isinstance(item, DependencyTree), _conllu_of(_tree)
)
TOKEN_LISTS = ObjectKind(
    "conllu.TokenList", lambda item: has_members(item, "serialize", "to_tree"), _conllu_of(_token_list)
)
SPACY_DOCS = ObjectKind("spaCy Doc", lambda item: has_members(item, "vocab", "sents"), _spacy_corpus, _spacy_sentences)
STANZA_DOCUMENTS = ObjectKind("Stanza Document", _is_stanza, _conllu_of(_stanza_rows), _stanza_sentences)


def _bank(graphs: Sequence[Segment], name: str, format_name: str) -> SemanticBank:
    """Return graphs, which are the contents of segments with their flaws, as what a file of them is read as."""
    ids = [segment.id for segment in graphs if segment.body]
    has_ids = bool(ids) and None not in ids and len(ids) == len({*ids})
    groups = [[segment if has_ids else replace(segment, id=None)] for segment in graphs]
    items, problems = read_items(groups, lambda segment: segment.content, name, first_only=False)
    lines = "\n".join("" if item.graph is None else item.graph.to_json() for item in items)
    digest = hashlib.sha256(lines.encode("utf-8", "backslashreplace")).hexdigest()
    return SemanticBank(name, None, digest, format_name, has_ids, items, problems)


def _of_object(item: Any, number: int, graph: ReadGraph, name: str | None = None) -> Segment:
    """Return an object, None for a missing one, with the graph that was read from it."""
    remarks = [remark._replace(line=number) for remark in graph[1]]
    return Segment(number, "" if item is None else type(item).__name__, name, content=(graph[0], remarks))


def _own_graphs(items: Sequence[SemanticGraph | None], name: str) -> SemanticBank:
    graphs = [
        _of_object(item, number, (item if item and item.nodes else None, []))
        for number, item in enumerate(items, start=1)
    ]
    return _bank(graphs, name, "mrp")


def _structures(items: Sequence[Any], name: str) -> SemanticBank:
    first = next((type(item).__name__ for item in items if item is not None), "")
    format_name = {"MRS": "simplemrs", "DMRS": "simpledmrs"}.get(first, "eds")
    graphs = from_each(items, graph_of, name)
    pairs = enumerate(zip(items, graphs, strict=True), start=1)
    return _bank(
        [
            _of_object(item, number, graph or (None, []), getattr(item, "identifier", None))
            for number, (item, graph) in pairs
        ],
        name,
        format_name,
    )


def _penman_graphs(items: Sequence[Any], name: str) -> Source | SemanticBank:
    import penman

    return read_strings(from_each(items, penman.encode, name), name, PENMAN.name, None)


SEMANTIC_GRAPHS = ObjectKind("evaltools.SemanticGraph", lambda item: isinstance(item, SemanticGraph), _own_graphs)
PYDELPHIN_STRUCTURES = ObjectKind(
    "EDS, DMRS or MRS of PyDelphin", lambda item: has_members(item, "predications", "surface", "top"), _structures
)
PENMAN_GRAPHS = ObjectKind(
    "Graph of penman",
    lambda item: has_members(item, "instances", "attributes", "edges", "reentrancies"),
    _penman_graphs,
)


_MAX_COMPARED = 100
_ANY_WORD = re.compile(r"\w")
_EXPECTED = "trees in brackets, sentences of CoNLL-U, or graphs, such as AMRs"


def read_strings(
    items: Sequence[str | None], name: str, format_name: str | None, gold_format: str | None
) -> Source | SemanticBank:
    """Return strings as a corpus: of a format, or of one like that of the gold corpus."""
    texts = [None if item is None else item.strip().replace("\r\n", "\n").replace("\r", "\n") for item in items]
    format_name = format_name or _format_of(texts, gold_format)
    if format_name is None:
        number, text = next((number, text) for number, text in enumerate(texts, start=1) if text)
        raise object_error(name, f"text in an unknown format: {excerpt(text)!r}", _EXPECTED, number)
    if FORMATS[format_name].holds is SemanticBank:
        graphs = [_graph_in(text, number, name, format_name) for number, text in enumerate(texts, start=1)]
        return _bank(graphs, name, format_name)
    if FORMATS[format_name].holds is Dependencies:
        return _blocks(texts, name, format_name)
    if FORMATS[format_name].layout(b"") == LINES:
        return _lines(texts, name, format_name)
    return _trees_in(texts, name, format_name)


def _format_of(texts: Sequence[str | None], gold_format: str | None) -> str | None:
    """Return the format of strings: like that of the gold corpus, unless most of them are of another kind."""
    first = texts[:_MAX_COMPARED]
    items = [text.encode("utf-8", "backslashreplace") for text in first if text and _ANY_WORD.search(text)]
    format_name = detect(items, FORMATS, [gold_format] if gold_format is not None else [])
    if gold_format is None or format_name is None or FORMATS[format_name].holds is FORMATS[gold_format].holds:
        return format_name or gold_format
    n_alike = sum(bool(FORMATS[format_name].looks_like(item)) for item in items)
    return format_name if 2 * n_alike > len(first) else gold_format


def _lines(texts: Sequence[str | None], name: str, format_name: str) -> Source:
    """Return trees in brackets as one text; each is one line."""
    missing = FORMATS[format_name].write([None])
    lines, problems = [], []
    for number, text in enumerate(texts, start=1):
        if text is not None and is_between(text.encode("utf-8", "backslashreplace"), 0):  # a comment in a file
            problems.append(_unreadable(name, number, text, "a tree"))
            text = None
        lines.append(missing if text is None else text.replace("\n", " ") + "\n")
    text = "".join(lines)
    is_square = format_name == SAMPSON.name
    layout = layout_of_lines(text.encode("utf-8", "backslashreplace")) if is_square else LINES
    return text_source(text, name, format_name, layout=layout, problems=problems)


def _blocks(texts: Sequence[str | None], name: str, format_name: str) -> Source:
    """Return sentences of CoNLL as one text; each is one block."""
    blocks: list[str] = []
    problems = []
    for number, text in enumerate(texts, start=1):
        rows = [] if text is None else whole_rows(text.split("\n"))
        block = NO_PARSE if text is None else "\n".join(row for _, row, _ in rows if row and not row.isspace())
        encoded = block.encode("utf-8", "backslashreplace")
        if not find_blocks(encoded).is_sentence.all():  # nothing but comments
            problems.append(_unreadable(name, number, block, "words"))
            block = NO_PARSE
        if blocks and beginning(blocks[-1].encode("utf-8", "backslashreplace"), encoded):
            block = f"#\n{block}"
        blocks.append(f"{block}\n\n")
    return text_source("".join(blocks), name, format_name, problems=problems)


def _trees_in(texts: Sequence[str | None], name: str, format_name: str) -> Source:
    """Return trees of a format that has more than brackets, each read separately, in a format that holds all."""
    trees: list[Tree | None] = []
    problems = []
    for number, text in enumerate(texts, start=1):
        trees.append(None)
        if text is None:
            continue
        treebank = read_treebank(Source(name, text.encode("utf-8", "backslashreplace"), ""), format_name)
        if len(treebank) == 1 and treebank.n_filled and not treebank.problems:
            tree = treebank.tree(0)
            assert isinstance(tree, Tree)
            trees[-1] = tree
        elif treebank.problems:
            first = treebank.problems[0]
            problems.append(Problem("object", name, None, None, first.found, first.expected, number))
        else:
            problems.append(_unreadable(name, number, text, "one sentence"))
    source = TREES.corpus(trees, name)
    assert isinstance(source, Source)
    source.problems += problems
    return source


def _unreadable(name: str, number: int, text: str, expected: str) -> Problem:
    return Problem("object", name, None, None, excerpt(text), expected, number)


def _graph_in(text: str | None, number: int, name: str, format_name: str) -> Segment:
    """Read a string with one graph; with another number of graphs, or text beside it, it has none."""
    if text is None:
        return _of_object(None, number, (None, []))
    try:
        bank = read_semantics(Source(name, text.encode("utf-8", "backslashreplace"), ""), format_name)
    except InputError as error:
        return _of_object(text, number, (None, [Remark("object", error.problem.found, error.problem.expected)]))
    remarks = [Remark(problem.kind, problem.found, problem.expected) for problem in bank.problems]
    stray = [remark for remark in remarks if remark.kind in ("stray_text", "empty")]
    if len(bank.items) != 1 or stray:
        several = Remark("object", f"{len(bank.items)} graphs", "one graph in each string")
        return _of_object(text, number, (None, stray[:1] or [several]))
    item = bank.items[0]
    return replace(_of_object(text, number, (item.graph, remarks), item.id), metadata=item.metadata)


STRINGS = ObjectKind(
    "str (a tree in brackets, a sentence of CoNLL-U, or a graph, such as an AMR)",
    lambda item: isinstance(item, str),
    lambda items, name: read_strings(items, name, None, None),
)

OBJECTS: tuple[ObjectKind, ...] = (
    STRINGS,
    TREES,
    DEPENDENCY_TREES,
    SEMANTIC_GRAPHS,
    NLTK_TREES,
    TOKEN_LISTS,
    SPACY_DOCS,
    STANZA_DOCUMENTS,
    PYDELPHIN_STRUCTURES,
    PENMAN_GRAPHS,
)
"""The kinds of objects, in the order in which they are tried."""


def read_objects(
    source: Any,
    name: str,
    format_name: str | None = None,
    gold_format: str | None = None,
    *,
    encoding: str | None = None,
) -> Any:
    """Return objects as a source; a file is returned opened.

    `format_name` is the format of strings, if it is known, `gold_format` that of the gold corpus, for a parser's list,
    in which every sentence may be missing.
    """
    if _is_file(source):
        if _is_tree_text(source):
            raise object_error(name, "a tree as text", 'a file, or a list of trees: ["(S …)", …]')
        return opened(source, encoding)
    kind = _kind_of(source)
    if kind is not None:
        return kind.corpus([source] if kind.sentences is None else kind.sentences(source), name)
    if not isinstance(source, Iterable) or isinstance(source, bytes | Mapping):
        raise object_error(name, _type_of(source), f"a file, or a list with objects of one type: {_titles()}")
    items = [None if isinstance(item, str) and not item.strip() else item for item in source]
    numbered = [(number, item) for number, item in enumerate(items, start=1) if item is not None]
    if not items or (not numbered and gold_format is None):
        found = f"a list of {len(items)} × None" if items else "an empty list"
        raise object_error(name, found, "at least one sentence")
    first = numbered[0] if numbered else None
    kind = STRINGS if first is None else _kind_of(first[1])
    for number, item in numbered:
        if kind is None:
            raise object_error(name, _type_of(item), f"one of {_titles()}, or None for a missing parse", number)
        if not kind.matches(item):
            expected = f"{kind.title}, as sentence {numbered[0][0]}, or None for a missing parse"
            raise object_error(name, _type_of(item), expected, number)
    assert kind is not None
    if kind is STRINGS:
        return read_strings(items, name, format_name, gold_format)
    return kind.corpus(items, name)


def read_inputs(
    gold: Any, parsers: Mapping[str, Any], format_name: str | None = None, encoding: str | None = None
) -> tuple[Any, dict[str, Any], str]:
    """Return a gold input and those of parsers, opened, and the format of the gold input; lists are sources."""
    source = read_objects(gold, "<gold>", format_name, encoding=encoding)
    gold_format = format_of(source, format_name)
    outputs = {
        name: read_objects(test, f"<{name}>", format_name, gold_format, encoding=encoding)
        for name, test in parsers.items()
    }
    return source, outputs, gold_format


def _is_file(source: object) -> bool:
    return isinstance(source, str | os.PathLike | Source | ByteStream | SemanticBank) or hasattr(source, "read")


def _is_tree_text(source: object) -> bool:
    """Return whether a string that should be a path is a tree in brackets."""
    text = source.strip() if isinstance(source, str) else ""
    return text[:1] + text[-1:] in ("()", "[]") and not os.path.exists(text)


def _kind_of(item: object) -> ObjectKind | None:
    return next((kind for kind in OBJECTS if kind.matches(item)), None)


def _type_of(item: object) -> str:
    kind = type(item)
    module = "" if kind.__module__ == "builtins" else f"{kind.__module__}."
    return f"an object of type {module}{kind.__qualname__}"


def _titles() -> str:
    *titles, last = (kind.title for kind in OBJECTS)
    return f"{', '.join(titles)} or {last}"

"""TIGER-XML: an element ``<s>`` for each sentence, with words, phrases, and edges from phrases to their children.

::

    <s id="s1"><graph root="s1_500">
      <terminals>
        <t id="s1_1" word="is" pos="VB"/><t id="s1_2" word="John" pos="NP"/><t id="s1_3" word="rich" pos="JJ"/>
      </terminals>
      <nonterminals>
        <nt id="s1_501" cat="VP"><edge label="HD" idref="s1_1"/><edge label="PD" idref="s1_3"/></nt>
        <nt id="s1_500" cat="S"><edge label="--" idref="s1_501"/><edge label="SB" idref="s1_2"/></nt>
      </nonterminals>
    </graph></s>

Phrases may be discontinuous; a node to which no edge leads is a root. ``--`` is no tag, category or function. Words,
tags, categories and the labels of edges are read; lemmas, morphology, the declarations of the head and matches of
queries stay in the file, each secondary edge is listed as a problem. A missing parse is a sentence without words. Each
sentence is read by itself, so that one with a fault costs no other.

References
----------
Andreas Mengel and Wolfgang Lezius (2000). An XML-based representation format for syntactically annotated corpora.
LREC 2000.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from evaltools.corpus import Kind, Tree, Treebank, Vocabulary
from evaltools.corpus.dependency_text import Fault
from evaltools.errors import ParameterError, Problem
from evaltools.formats.edges import IN_QUOTES
from evaltools.formats.format import Format, each_written
from evaltools.formats.node_lists import NONE, Mark, Marks, Row, tree_of, written_words
from evaltools.formats.source import Source
from evaltools.text import excerpt

_TITLE = "TIGER-XML"

_MARK = re.compile(rb"<s(?=[\s/>])[^<>]*?(/?)>|<(/)s\s*>")
_OUTSIDE = re.compile(
    rb"<\?[^<>]*>|<!--.*?-->|<!DOCTYPE[^<>]*>|<head(?=[\s>]).*?</head\s*>|<head\s*/>|</?(?:corpus|body|subcorpus)(?:\s[^<>]*)?>",
    re.DOTALL,
)
_CORPUS = re.compile(rb"<(/)?corpus(?=[\s/>])[^<>]*(?<!/)>")
_BEGINNING = re.compile(
    rb"\s*(?:<\?[^<>]*>\s*|<!--.*?-->\s*|<!DOCTYPE[^<>]*>\s*)*<(?:corpus|subcorpus|s)[\s>]", re.DOTALL
)
_LABELS = {"t": "pos", "nt": "cat", "edge": "label"}
"""The attributes with tags, categories and functions."""
_CHILDREN = {"terminals": ("t",), "nonterminals": ("nt",), "t": ("secedge",), "nt": ("edge", "secedge")}
"""The elements that are read in others."""
_PLACE = re.compile(r": line \d+, column \d+$")
_ODD = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
"""Characters that XML has not."""


def looks_like(data: bytes) -> bool:
    """Return whether the file begins with an element ``<corpus>``, ``<subcorpus>`` or ``<s>``."""
    return _BEGINNING.match(data) is not None


def _marks(data: bytes) -> Iterator[Mark]:
    for mark in _MARK.finditer(data):
        yield Mark(mark.start(), mark.end(), mark[2] is None, bool(mark[1] or mark[2]))


_SENTENCES = Marks("<s>", "</s>", _marks, _OUTSIDE, with_column=True)


def read(source: Source, vocabulary: Vocabulary) -> Treebank:
    """Read a file; see :func:`evaltools.formats.read_treebank`."""
    for tag in _CORPUS.finditer(source.data):
        line = source.first_line + source.data.count(b"\n", 0, tag.start())
        found = "<corpus> that is never closed"
        problem = Problem("truncated", source.name, line, None, found, "</corpus>")
        source.log.unfinished = problem if tag[1] is None else None
    return _SENTENCES.read(source, vocabulary, "tigerxml", _sentence)


def _sentence(text: str) -> tuple[Tree, list[Fault]]:
    """Read an element ``<s>``."""
    from xml.etree import ElementTree

    try:
        element = ElementTree.fromstring(text)
    except (ElementTree.ParseError, ValueError) as error:
        line = getattr(error, "position", (1, 0))[0] - 1
        reason = _PLACE.sub("", str(error))
        return tree_of([], [], [Fault("unbalanced", line, f"no XML: {excerpt(reason)}", "an element <s>", True)])
    rows: list[Row] = []
    faults: list[Fault] = []
    index: dict[str, int] = {}
    edges: list[tuple[int, str, str]] = []

    def fault(kind: str, found: str, expected: str, *, fatal: bool = True) -> None:
        faults.append(Fault(kind, 0, found, expected, fatal))

    labels = {node.tag for node in element.iter() if node.get(_LABELS.get(node.tag, "")) is not None}
    for node in element.iter():
        for stray in (node.text, node.tail):
            if stray and stray.strip() and node is not element:
                fault("text", f"text in a sentence: {excerpt(stray.strip())!r}", "elements alone", fatal=False)
        for child in node if node.tag in _CHILDREN else ():
            if child.tag not in (read := _CHILDREN[node.tag]):
                found, expected = f"<{excerpt(child.tag)}> in <{node.tag}>", " or ".join(f"<{tag}>" for tag in read)
                fault("element", f"{found}, which is not read", expected, fatal=False)
        is_phrase = node.tag == "nt"
        if node.tag not in ("t", "nt"):
            continue
        name, word = node.get("id"), node.get("word")
        if name is None or (word is None and not is_phrase):
            fault("columns", f"<{node.tag}> without {'an id' if name is None else 'a word'}", "both")
            continue
        if name in index:
            fault("duplicate_id", f"the id {excerpt(name)} a second time", "each id once")
            continue
        index[name] = len(rows)
        attribute = _LABELS[node.tag]
        if node.tag in labels and node.get(attribute) is None:
            found, expected = f"<{node.tag}> {excerpt(name)} without {attribute}", f"{attribute}, as others have it"
            fault("columns", found, expected, fatal=False)
        label = node.get("cat" if is_phrase else "pos", NONE)
        rows.append(Row(0, name if is_phrase else word or "", is_phrase, label, NONE))
        for child in node:
            target = child.get("idref", "")
            if child.tag == "edge" and is_phrase:
                if "edge" in labels and child.get("label") is None:
                    found = f"<edge> to {excerpt(target)!r} without label"
                    fault("columns", found, "label, as others have it", fatal=False)
                edges.append((index[name], child.get("label", NONE), target))
            elif child.tag == "secedge":
                found = f"a secondary edge {excerpt(child.get('label', NONE))} to {excerpt(target)}"
                fault("secondary_edge", found, "one parent; the edge is left out", fatal=False)
    parents = [-1] * len(rows)
    for above, function, target in edges:
        below = index.get(target)
        if below is None:
            fault("unknown_node", f"an edge to {excerpt(target)!r}", "an edge to a word or phrase of the sentence")
        elif parents[below] >= 0:
            fault("parent", f"a second edge to {excerpt(target)}", "one edge to each word or phrase")
        else:
            parents[below] = above
            rows[below] = rows[below]._replace(function=function)
    return tree_of(rows, parents, faults)


def write(trees: Iterable[Tree | None]) -> str:
    """Write trees, a missing one as a sentence without words; brackets without words cannot be held.

    Sentences without an id are numbered. An id of XML does not begin with a digit.
    """
    sentences = "".join(each_written(trees, _written))
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<corpus id="evaltools">\n<body>\n{sentences}</body>\n</corpus>\n'


def _written(tree: Tree | None, number: int) -> str:
    name = str(number) if tree is None or tree.sent_id is None else tree.sent_id
    name = f"s{name}" if name.isdecimal() else name
    if tree is None or not tree.words:
        return f"<s id={_quoted(name)}></s>\n"
    functions = tree.functions or ("",) * len(tree)
    ids: dict[int, str] = {}
    words = []
    for place, (word, top, tag) in enumerate(written_words(tree, _TITLE), start=1):
        ids[top] = f"{name}_{place}"
        form = _quoted(tree.labels[word])
        words.append(f"    <t id={_quoted(ids[top])} word={form} pos={_quoted(tag)}/>")
    phrases = [node for node, kind in enumerate(tree.kinds) if kind is Kind.PHRASE]
    first = max(500, len(words) + 1)
    ids |= {node: f"{name}_{first + number}" for number, node in enumerate(phrases)}
    tops = [top for top in ids if tree.parents[top] < 0]
    if any(functions[top] for top in tops):
        raise ParameterError(f"{_TITLE} cannot hold a function of a root")
    below = []
    for node in phrases:
        label = tree.labels[node]
        if label == NONE:
            raise ParameterError(f"{_TITLE} cannot hold the label {label!r}, which means none in it")
        below.append(f"    <nt id={_quoted(ids[node])} cat={_quoted(label or NONE)}>")
        for child in tree.children(node):
            function = functions[child]
            below.append(f"      <edge label={_quoted(function or NONE)} idref={_quoted(ids[child])}/>")
        below.append("    </nt>")
    lines = [
        f"<s id={_quoted(name)}><graph root={_quoted(ids[tops[-1]])}>",
        *("  <terminals>", *words, "  </terminals>"),
        *("  <nonterminals>", *below, "  </nonterminals>"),
        "</graph></s>\n",
    ]
    return "\n".join(lines)


def _quoted(text: str) -> str:
    if odd := _ODD.search(text):
        raise ParameterError(f"{_TITLE} cannot hold the character {odd[0]!r}")
    from xml.sax.saxutils import quoteattr  # loads what fetches files from the network

    return quoteattr(text)


TIGERXML = Format(
    name="tigerxml",
    title=_TITLE,
    holds=Treebank,
    looks_like=looks_like,
    edges=IN_QUOTES,
    layout=lambda _: "",
    cut=_SENTENCES.cut,
    read=read,
    write=write,
    discontinuous=True,
)

"""Graphs written in PENMAN notation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from evaltools.corpus import SemanticEdge, SemanticGraph
from evaltools.corpus.comments import SENTENCE_ID
from evaltools.corpus.semantic_graph import Anchors
from evaltools.errors import ParameterError
from evaltools.formats.semantics.bank import SemanticItem
from evaltools.formats.semantics.penman import PENMAN
from evaltools.formats.semantics.pydelphin import GraphError

__all__ = ["write_penman"]

_SYMBOL = re.compile(r'[^\s"()/:~#][^\s"()/:~]*')
_STRING = re.compile(r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"')


def write_penman(items: Iterable[SemanticItem]) -> str:
    """Write items in PENMAN notation, each with its id, sentence and metadata.

    Parameters
    ----------
    items : iterable of SemanticItem
        The items; a missing graph is written as one without nodes.

    Returns
    -------
    str
        The text of the file.

    Raises
    ------
    ParameterError
        If PENMAN cannot hold a graph: several parts that are not connected, constants and types of variables (EDS),
        white space or brackets in a name, and so on. :func:`write_mrp` can.

    Examples
    --------
    >>> from evaltools.corpus import SemanticNode
    >>> nodes = SemanticNode("s", "sing-01"), SemanticNode("b", "boy", (), (("mod", '"tall"'),))
    >>> graph = SemanticGraph(nodes, (SemanticEdge(1, "ARG0-of", 0),), (0,), "A boy sings.", "amr")
    >>> print(write_penman([SemanticItem("7", 1, "A boy sings.", (graph,))]), end="")
    # ::id 7
    # ::snt A boy sings.
    (s / sing-01
        :ARG0 (b / boy
            :mod "tall"))
    """
    return "\n".join(_item_text(item, number) for number, item in enumerate(items, start=1))


def _item_text(item: SemanticItem, number: int) -> str:
    title = f"item {number}" if item.id is None else f"item {item.id}"
    texts = []
    for graph in item.results or (None,):
        text = "".join(f"{line}\n" for line in (*_header(item, graph), *_graph_lines(graph, title)))
        segments = PENMAN.cut(text).segments
        try:
            copy = PENMAN.decode(segments[0])[0] if len(segments) == 1 else None
        except GraphError:
            copy = None
        if graph is not None and graph.nodes and (copy is None or _content(copy) != _content(graph)):
            raise ParameterError(f"{title}: PENMAN cannot hold this graph; MRP can")
        texts.append(text)
    return "\n".join(texts)


def _header(item: SemanticItem, graph: SemanticGraph | None) -> Iterator[str]:
    """Yield the lines before a graph."""
    if item.id is not None:
        yield f"# ::id {item.id}"
    if item.text:
        yield f"# ::snt {item.text}"
    tokens = [] if graph is None else _tokens(item.text, graph)
    if tokens != _words(item.text):
        yield f"# ::tok {' '.join(item.text[start:end] for start, end in tokens)}"
    for key, value in item.metadata.items():
        if key != SENTENCE_ID:
            yield f"# ::{key} {value}"


def _words(text: str) -> list[tuple[int, int]]:
    return [match.span() for match in re.finditer(r"\S+", text)]


def _tokens(text: str, graph: SemanticGraph) -> list[tuple[int, int]]:
    """Return the words of a text, cut where anchors begin or end."""
    ends = {index for anchors in graph.spans for span in anchors for index in span}
    tokens: list[tuple[int, int]] = []
    for start, end in _words(text):
        bounds = [start, *sorted(index for index in ends if start < index < end), end]
        tokens += pairwise(bounds)
    return tokens


def _graph_lines(graph: SemanticGraph | None, title: str) -> Iterator[str]:
    if graph is None or not graph.nodes:
        yield "()"
        return
    if any(node.constant is not None or node.type for node in graph.nodes) or len(graph.tops) > 1:
        raise ParameterError(f"{title}: PENMAN has one top, and no constants and types of variables; MRP has them")
    tokens = _tokens(graph.text, graph)
    names = _variables(graph)

    def marker(anchors: Anchors) -> str:
        """Return the tokens of anchors as they stand after what is aligned with them."""
        within = (any(first <= start and end <= last for first, last in anchors) for start, end in tokens)
        aligned = [str(number) for number, is_within in enumerate(within) if is_within]
        return f"~e.{','.join(aligned)}" if aligned else ""

    branches = _spanning(graph) or _spanning(replace(graph, edges=tuple(map(_without_mention, graph.edges))))
    if branches is None:
        raise ParameterError(f"{title}: PENMAN cannot hold a graph in several parts; MRP can")
    stack: list[tuple[int, int, str, int]] = [(graph.tops[0] if graph.tops else 0, 0, "", 0)]
    while stack:
        index, depth, role, n_closing = stack.pop()
        node = graph.nodes[index]
        lines = [f"{role}({names[index]} / {node.predicate}{marker(node.anchors)}"]
        aligned = node.property_anchors or (((), ()),) * len(node.properties)
        for (name, value), (of_role, of_value) in zip(node.properties, aligned, strict=True):
            lines.append(f"    :{name}{marker(of_role)} {_value(value, names)}{marker(of_value)}")
        children = []
        for edge, is_new in branches[index]:
            name = f"{edge.role}{marker(edge.anchors)}"
            if is_new:
                children.append((name, edge.target))
            else:
                lines.append(f"    :{name} {names[edge.target]}{marker(edge.target_anchors)}")
        n_closing += 1
        if not children:
            lines[-1] += ")" * n_closing
        yield from ("    " * depth + line for line in lines)
        for number, (name, target) in enumerate(reversed(children)):
            stack.append((target, depth + 1, f":{name} ", n_closing if number == 0 else 0))


def _variables(graph: SemanticGraph) -> list[str]:
    """Return the variables of the nodes: their ids, or, where these may be numbers, ``x`` and a number."""
    ids = [node.id for node in graph.nodes]
    if all(_SYMBOL.fullmatch(name) and name[0].isalpha() for name in ids):
        return ids
    return [f"x{number}" for number in range(len(ids))]


def _without_mention(edge: SemanticEdge) -> SemanticEdge:
    return replace(edge, target_anchors=())


def _spanning(graph: SemanticGraph) -> list[list[tuple[SemanticEdge, bool]]] | None:
    """Return the roles below each node, and whether the target is introduced there; None if parts are unconnected.

    A target that has words of its own there is not introduced there.
    """
    below: list[list[tuple[SemanticEdge, bool]]] = [[] for _ in graph.nodes]
    of_node: list[list[tuple[int, SemanticEdge]]] = [[] for _ in graph.nodes]
    for number, edge in enumerate(graph.edges):
        of_node[edge.source].append((number, edge))
        if edge.source != edge.target:
            inverse = replace(edge, source=edge.target, role=_inverse_role(edge.role), target=edge.source)
            of_node[edge.target].append((number, inverse))
    top = graph.tops[0] if graph.tops else 0
    placed, written, waiting = {top}, set(), [top]
    while waiting:
        index = waiting.pop(0)
        for number, edge in of_node[index]:
            if number in written:
                continue
            is_inverse = graph.edges[number].source != index
            if is_inverse and (edge.target in placed or edge.target_anchors):
                continue  # its own node has it
            is_new = edge.target not in placed and not edge.target_anchors
            written.add(number)
            below[index].append((edge, is_new))
            if is_new:
                placed.add(edge.target)
                waiting.append(edge.target)
    return below if len(placed) == len(graph.nodes) else None


_NOT_INVERTED = ("consist-of", "prep-on-behalf-of", "prep-out-of")


def _inverse_role(role: str) -> str:
    """Return the role in the other direction.

    >>> _inverse_role("ARG0"), _inverse_role("ARG0-of"), _inverse_role("consist-of")
    ('ARG0-of', 'ARG0', 'consist-of-of')
    """
    is_inverted = role.endswith("-of") and role not in _NOT_INVERTED
    return role.removesuffix("-of") if is_inverted else f"{role}-of"


def _value(value: str, variables: Sequence[str]) -> str:
    if _STRING.fullmatch(value) or (_SYMBOL.fullmatch(value) and value not in variables):
        return value
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _content(graph: SemanticGraph) -> Any:
    """Return the content of a graph, whatever its variables, the directions of roles and the order of branches."""
    names = _variables(graph)
    nodes = sorted(
        (name, node.predicate, sorted((role, value.strip('"')) for role, value in node.properties))
        for name, node in zip(names, graph.nodes, strict=True)
    )
    edges = []
    for edge in graph.edges:
        ends, role = (names[edge.source], names[edge.target]), edge.role
        if role.endswith("-of") and role not in _NOT_INVERTED:
            ends, role = ends[::-1], _inverse_role(role)
        edges.append((ends[0], role, ends[1]))
    return nodes, sorted(edges), [names[top] for top in graph.tops or (0,)]

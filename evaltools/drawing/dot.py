"""Trees of all kinds and semantic graphs in the DOT language: Graphviz places the nodes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, pairwise
from typing import Any

import graphviz

from evaltools.corpus import DependencyTree, Kind, MultiFunctionTree, Tree
from evaltools.drawing.arc_content import WordRow, arc_content
from evaltools.drawing.bars import Bars, FunctionBar, as_bars
from evaltools.drawing.graph_content import DrawnArc, content_of, words_of
from evaltools.drawing.measure import visible
from evaltools.drawing.palette import COLORS, MARKS
from evaltools.drawing.scene import signed
from evaltools.frameworks.constituency.aligned_trees import Alignment, WordMatch, drawn_mapping, placed_links
from evaltools.frameworks.crossframework.edit_scripts import TedEvalProtocol
from evaltools.frameworks.dependency.aligned_arcs import DependencyAlignment, EnhancedAlignment
from evaltools.frameworks.semantics.aligned_graphs import GraphAlignment
from evaltools.marks import Status

_GREY, _PALE, _INK = "#9ba4ae", "#c8cdd3", "#5b6470"
_FONT = {"fontname": "Helvetica"}
_TREE_NODES = {"shape": "plain", "margin": "0.04", "fontsize": "12"}
_TREE_EDGES = {"arrowhead": "none", "color": _GREY}
_GRAPH_NODES = {
    "shape": "box", "style": "rounded", "fontsize": "12", "margin": "0.08,0.04", "height": "0.3", "color": _GREY
}  # fmt: skip
_GRAPH_EDGES = {"fontsize": "10", "color": _GREY, "arrowsize": "0.7"}

_Attributes = Mapping[Status | None, dict[str, str]]
_LABELS: _Attributes = {
    Status.MISSING: {"shape": "box", "style": "dashed"},
    Status.SPURIOUS: {"shape": "box", "peripheries": "2"},
    Status.RELABELED: {"shape": "box", "style": "rounded"},
    Status.MOVED: {"shape": "box", "style": "rounded"},
}
_PREDICATES: _Attributes = {
    Status.MISSING: {"style": "rounded,dashed"},
    Status.SPURIOUS: {"peripheries": "2"},
    Status.RELABELED: {"penwidth": "1.5"},
}
_ROLES = {Status.MISSING: "dashed", Status.SPURIOUS: "bold", Status.RELABELED: "solid"}
_LINK = {"constraint": "false"}
_PAIRS: _Attributes = {
    Status.RIGHT: _LINK | {"style": "dotted", "color": _PALE},
    Status.RELABELED: _LINK | {"style": "dotted"},
    Status.MOVED: _LINK | {"style": "solid", "arrowhead": "normal"},
}
_TIES = {
    WordMatch.EXACT: _LINK | {"style": "solid", "color": _INK},
    WordMatch.FOLDED: _LINK | {"style": "dotted", "color": _INK},
    WordMatch.CHARACTERS: _LINK | {"style": "dashed", "color": _INK, "arrowhead": "odot", "fontsize": "9"},
}


def tree_dot(tree: Tree) -> str:
    """Return one tree in DOT."""
    source = _graph("tree", {"ranksep": "0.25", "nodesep": "0.2"}, _TREE_NODES, _TREE_EDGES)
    _add_tree(source, tree, "g", (Status.RIGHT,) * len(tree))
    return str(source.source)


def alignment_dot(alignment: Alignment, mapping: str = "t") -> str:
    """Return two aligned trees in DOT, with links for relabeled and moved pairs and aligned words."""
    chosen, gold_tree, test_tree = drawn_mapping(alignment, mapping), alignment.gold, alignment.test
    source = _graph("alignment", {"ranksep": "0.25", "nodesep": "0.2"}, _TREE_NODES, _TREE_EDGES)
    sides = ("gold", "g", gold_tree, chosen.gold_status), ("parse", "t", test_tree, chosen.test_status)
    for name, prefix, tree, statuses in sides:
        cluster = graphviz.Digraph(f"cluster_{name}")
        cluster.attr(label=name, color=_PALE, fontcolor=_INK)
        _add_tree(cluster, tree, prefix, statuses)
        source.subgraph(cluster)
    for gold, test in chosen.pairs:
        is_relabeled = chosen.gold_status[gold] is Status.RELABELED
        if is_relabeled or gold_tree.kinds[gold] is not Kind.WORD:  # words are linked below, if they differ at all
            status = Status.RELABELED if is_relabeled else Status.RIGHT
            source.edge(f"g{gold}", f"t{test}", **_PAIRS[status], **_color(status))
    for gold, test in chosen.moves:
        source.edge(f"g{gold}", f"t{test}", **_PAIRS[Status.MOVED], **_color(Status.MOVED))
    for link in placed_links(alignment):
        ends = f"g{gold_tree.word_nodes[link.gold]}", f"t{test_tree.word_nodes[link.test]}"
        number = _literal(str(link.characters)) if link.how is WordMatch.CHARACTERS else None
        source.edge(*ends, label=number, **_TIES[link.how])
    return str(source.source)


def bars_dot(subject: Bars | MultiFunctionTree | TedEvalProtocol) -> str:
    """Return nodes over words in DOT, those of another tree below the words; what is no error is in parentheses."""
    bars = as_bars(subject)
    source = _graph("functions", {"ranksep": "0.25", "nodesep": "0.2"}, _TREE_NODES, _TREE_EDGES)
    for at, word in enumerate(bars.words):
        source.node(f"w{at}", label=_literal(word), fontsize="14")
    _add_row(source, [f"w{at}" for at in range(len(bars.words))])
    _add_bars(source, bars.above, "g", len(bars.words))
    _add_bars(source, bars.below, "t", len(bars.words), are_below=True)
    return str(source.source)


def _add_bars(source: Any, bars: Sequence[FunctionBar], prefix: str, n_words: int, *, are_below: bool = False) -> None:
    """Add nodes, each joined to the words and to the smaller nodes that are in no node between them."""
    items = [(f"w{at}", frozenset({at})) for at in range(n_words)]
    for at, bar in sorted(enumerate(bars), key=lambda item: len(item[1].words)):
        functions = bar.functions or (("∅", bar.status, bar.discarded),)
        lines = [
            f"({name})" if discarded else f"{MARKS[status]} {name}".strip() for name, status, discarded in functions
        ]
        statuses = {None if discarded else status for _, status, discarded in functions}
        status = statuses.pop() if len(statuses) == 1 else None
        source.node(f"{prefix}{at}", label=_literal(*lines), **_LABELS.get(status, {}), **_color(status))
        items.append((f"{prefix}{at}", bar.words))
    for at, (name, words) in enumerate(items):
        around: list[frozenset[int]] = []
        for wider, own in items[max(at + 1, n_words) :]:
            if words <= own and not any(inner <= own for inner in around):
                around.append(own)
                source.edge(*((name, wider) if are_below else (wider, name)))


def graph_dot(alignment: GraphAlignment) -> str:
    """Return two aligned semantic graphs in DOT."""
    content = content_of(alignment, fold=False)
    source = _graph("nodes", {"ranksep": "0.35", "nodesep": "0.25"}, _GRAPH_NODES, _GRAPH_EDGES)
    for node in content.nodes:
        lines = [signed(line.parts) for line in node.lines]
        if node.first is not None and node.last is not None:
            lines.append(f"“{words_of(content.segments[node.first : node.last + 1])}”")
        source.node(
            f"n{node.number}", label=_literal(*lines), **_PREDICATES.get(node.status, {}), **_color(node.status)
        )
    for role in content.roles:
        source.edge(f"n{role.source}", f"n{role.target}", label=_literal(signed(role.parts)), **_edge(role.status))
    return str(source.source)


def arcs_dot(
    alignment: DependencyAlignment | EnhancedAlignment, *, gold_name: str = "gold", parse_name: str = "parse"
) -> str:
    """Return two aligned dependency trees, or enhanced graphs, in DOT: arcs that both have stand there once."""
    content = arc_content(alignment, gold_name, parse_name)
    others: dict[tuple[int, int, Status | None], list[DrawnArc]] = defaultdict(list)
    for arc in content.arcs:
        if arc.side != "gold":
            others[arc.source, arc.target, arc.status].append(arc)
    arcs = []
    for arc in content.arcs:
        if arc.side == "gold":
            same = others[arc.source, arc.target, arc.status]
            other = same.pop(0).label if same else arc.label
            arcs.append(arc if other == arc.label else replace(arc, test_text=other))
    return _arcs(content.rows, [*arcs, *chain.from_iterable(others.values())])


def dependency_dot(tree: DependencyTree) -> str:
    """Return one dependency tree in DOT."""
    content = arc_content(DependencyAlignment.of_one(tree))
    return _arcs(content.rows, [arc for arc in content.arcs if arc.side == "gold"])


def _arcs(rows: Sequence[WordRow], arcs: Sequence[DrawnArc]) -> str:
    source = _graph("dependencies", {"ordering": "out", "ranksep": "0.35"}, _GRAPH_NODES, _GRAPH_EDGES)
    for at, row in enumerate(rows):
        lines = (" ≠ ".join(dict.fromkeys(filter(None, texts))) for texts in (row.forms, row.tags))
        source.node(f"w{at}", label=_literal(*filter(None, lines)))
    if any(arc.source < 0 for arc in arcs):
        source.node("root", label=_literal("root"), shape="plain")
    for arc in arcs:
        head = "root" if arc.source < 0 else f"w{arc.source}"
        source.edge(head, f"w{arc.target}", label=_literal(signed(arc.parts)), **_edge(arc.status))
    return str(source.source)


def _edge(status: Status | None) -> dict[str, str]:
    """Return how the edge of a role or an arc is drawn."""
    if status not in _ROLES:
        return {}
    return {"style": _ROLES[status], "color": COLORS[status], "fontcolor": COLORS[status]}


def _graph(name: str, graph: Mapping[str, str], nodes: Mapping[str, str], edges: Mapping[str, str]) -> Any:
    source = graphviz.Digraph(name)
    source.attr("graph", **_FONT, **graph)
    source.attr("node", **_FONT, **nodes)
    source.attr("edge", **_FONT, **edges)
    return source


def _add_tree(source: Any, tree: Tree, prefix: str, statuses: Sequence[Status | None]) -> None:
    """Add the nodes and edges of a tree, its words in one row."""
    for node, label in enumerate(tree.labels):
        status = statuses[node]
        text = f"{MARKS[status]} {visible(label)}" if MARKS[status] else visible(label)
        large = {"fontsize": "14"} if tree.kinds[node] is Kind.WORD else {}
        source.node(f"{prefix}{node}", label=_literal(text), **large, **_LABELS.get(status, {}), **_color(status))
    for node, parent in enumerate(tree.parents):
        if parent >= 0:
            source.edge(f"{prefix}{parent}", f"{prefix}{node}")
    _add_row(source, [f"{prefix}{node}" for node in tree.word_nodes])


def _add_row(source: Any, names: Sequence[str]) -> None:
    """Keep nodes in one row, in their order."""
    if len(names) > 1:
        row = graphviz.Digraph()
        row.attr(rank="same")
        row.attr("edge", style="invis", constraint="true")
        for before, after in pairwise(names):
            row.edge(before, after)
        source.subgraph(row)


def _literal(*lines: str) -> str:
    """Return a label whose lines Graphviz prints literally, without escapes, entities and HTML."""
    texts = (graphviz.escape(visible(line).replace("&", "&amp;")) for line in lines)
    label: str = graphviz.nohtml(r"\n".join(texts))
    return label


def _color(status: Status | None) -> dict[str, str]:
    return {"color": COLORS[status]} if status in COLORS else {}

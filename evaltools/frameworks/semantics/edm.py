"""Elementary dependency match: the triples that two semantic graphs share.

A graph is a multiset of triples: *names* (span, NAME, predicate), *arguments* (span, role, span), *properties* (span,
property, value), and, in some presets, *constants* (span, CARG, value) and the *top* (span). A triple is matched
if the other graph also has it; if it occurs twice, both have to be matched (in sets, one). With M matched triples of
G gold and T test triples, all of them weighted:

    recall = M / G        precision = M / T        F1 = 2M / (G + T)

References
----------
R. Dridan and S. Oepen (2011). Parser evaluation using elementary dependency matching. IWPT 2011, 225-230.

Notes
-----
Differences from the paper: it does not define its figure over a corpus; here, as in PyDelphin, the triples of all
sentences count together (``pooled``), and ``mean`` is reported as well. The weights that it proposes are a file of
patterns (:mod:`evaltools.frameworks.semantics.edm_rules`).

Differences from PyDelphin with its preset: figures are undefined if there is nothing to count (in PyDelphin 0), or if
a graph has no spans (PyDelphin gives all nodes the span (-1, -1)). In graphs that it has just converted from MRS,
PyDelphin leaves out roles whose target is a quantifier (*nearly* in *nearly every dog*), because the quantifier was
renamed after the map from names to nodes was built; here they count, as in PyDelphin if the converted EDS is written
and read again. This concerns 6 of the 1,028 items of the ERG profiles ``mrs`` and ``csli``.

Differences from mtool with its preset, over all sentences: figures are undefined if there is nothing to count or a
graph has no spans.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, compress
from math import fsum
from operator import ne
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus.semantic_graph import Anchors, SemanticEdge, SemanticGraph
from evaltools.frameworks.metric import SIDE_SYMBOLS, ZERO, Count, Counts, ErrorCount, Family, Metric, Place, ratio
from evaltools.frameworks.passes import Pass
from evaltools.frameworks.semantics.edm_rules import KINDS_OF_TRIPLES, EdmRules

LETTERS: dict[str, str] = dict(zip("napct", KINDS_OF_TRIPLES, strict=True))
"""The classes of triples by their letters in the names of counts and metrics."""

SIDES = ("gold", "test", "matched")
"""The counts of each class, in the order of the columns."""

PARTS: dict[str, tuple[str, str]] = {
    "edm": ("EDM", "napct"),
    "edm_na": ("EDM, names and arguments", "na"),
    "edm_n": ("EDM, names", "n"),
    "edm_a": ("EDM, arguments", "a"),
    "edm_p": ("EDM, properties", "p"),
}
"""The five configurations: title, and letters of the classes whose triples count."""

COLUMNS = (
    "sentences",
    "edm_exact_match",
    *(f"edm_{letter}_{side}" for letter in LETTERS for side in SIDES),
)
"""Count columns: 1 for each sentence; 1 if both graphs have the same triples; the weights of the gold triples, test
triples and matched triples of each class."""


def _plural(name: str) -> str:
    return f"{name.removesuffix('y')}ies" if name.endswith("y") else f"{name}s"


COUNTS: dict[str, Count] = {
    "edm_exact_match": Count("sentences with all triples right", over_all=ZERO),
    **{
        f"edm_{letter}_{side}": Count(
            f"{side} {_plural(name)}, by weight",
            SIDE_SYMBOLS[side],
            group=name if letter in "ct" else "",
            gold=side == "gold",
            over_all=ZERO if side == "matched" else "",
        )
        for letter, name in LETTERS.items()
        for side in SIDES
    },
}
"""Descriptions of the columns; classes that few rules use are left out if there are none."""

MATCHED = ("edm_exact_match", *(f"edm_{letter}_matched" for letter in LETTERS))
"""Count columns that are missing if the parser's graph has no spans."""

FAMILY = Family(
    "edm",
    "EDM: triples of semantic graphs",
    "edm",
    COUNTS,
    words_differ="triples are compared by the spans of their graphs, whatever the words",
    papers=("dridan-oepen-2011",),
)


SHARES = {
    "F1": "as the harmonic mean of recall and precision",
    "precision": "as a share of those of the parser’s graph",
    "recall": "as a share of those of the gold graph",
}
"""The quantities that are computed from what two graphs share, and how."""


def total(counts: Counts, names: Iterable[str]) -> NDArray[np.float64]:
    """Add up some columns."""
    sums: NDArray[np.float64] = np.sum([counts[name] for name in names], axis=0)
    return sums


def share_of(
    quantity: str, gold: Sequence[str], test: Sequence[str], matched: Sequence[str]
) -> Callable[[Counts], NDArray[np.float64]]:
    """Return the score of a quantity in :data:`SHARES`, given the columns whose sums are G, T and M."""

    def score(counts: Counts) -> NDArray[np.float64]:
        if quantity == "F1":
            return ratio(2 * total(counts, matched), total(counts, gold) + total(counts, test))
        return ratio(total(counts, matched), total(counts, test if quantity == "precision" else gold))

    return score


def _columns(letters: Iterable[str], *sides: str) -> tuple[str, ...]:
    return tuple(f"edm_{letter}_{side}" for side in sides for letter in letters)


def _metric(name: str, quantity: str) -> Metric:
    title, letters = PARTS[name]
    is_f1 = quantity == "F1"
    norm = name.removeprefix("edm").removeprefix("_").upper() or "all"
    covers_all = norm == "all"
    classes = "triples of all classes" if covers_all else " and ".join(_plural(LETTERS[letter]) for letter in letters)
    short = "EDM" if covers_all else f"EDM_{norm}"
    if not is_f1:
        short = quantity if covers_all else f"{short} {quantity}"
    sides = {"F1": ("matched", "gold", "test"), "precision": ("matched", "test", "gold"), "recall": ("matched", "gold")}
    return Metric(
        id=name if is_f1 else f"{name}_{quantity}",
        title=f"{title} (F1)" if is_f1 else f"{title}, {quantity}",
        family=FAMILY,
        columns=_columns(letters, *sides[quantity]),
        score=share_of(quantity, *(_columns(letters, side) for side in SIDES)),
        help=f"Weighted triples that both graphs share ({classes}), {SHARES[quantity]}, in %.",
        short=short,
        place=Place(
            overview=is_f1,
            reports=is_f1 or covers_all,
            lists=is_f1 and norm in ("all", "N", "A"),
            variant_of="" if is_f1 else name,
            mapping="EDM" if is_f1 else "",
            norm=norm,
        ),
    )


METRICS: tuple[Metric, ...] = (
    *(_metric(name, quantity) for name in PARTS for quantity in SHARES),
    Metric(
        id="edm_exact",
        title="EDM, all triples right",
        family=FAMILY,
        columns=("edm_exact_match", "edm_n_gold", "sentences"),  # gold triples tell whether EDM is defined
        score=lambda counts: ratio(counts["edm_exact_match"], counts["sentences"]),
        help="Share of the sentences whose graphs have the same triples, in %.",
        short="Exact",
        place=Place(overview=True, reports=True),
    ),
)


def _lost(counts: Counts) -> NDArray[np.float64]:
    gold, test, matched = (total(counts, _columns(LETTERS, side)) for side in SIDES)
    return gold + test - 2 * matched


CONFIGURATIONS = ("edm", "edm_n", "edm_a", "edm_p", "edm_na")
"""The metrics of Figure 3 of the paper, the main one first."""

ERRORS = ErrorCount(
    Metric(
        id="edm_errors",
        title="Lost triples",
        family=FAMILY,
        columns=_columns(LETTERS, *SIDES[::-1]),
        score=_lost,
        help="Triples that only one of the two graphs has, by weight.",
        unit="per sentence",
        higher_is_better=False,
    ),
    "lost triple",
    "lost triples",
)
"""The number of triples that only one of two graphs has."""


# ------------------------------------------------------------------------------------------------------------- triples

_PUNCTUATION = frozenset(".?!;,:“\"”‘'’()[]{} \t\n\f")
_SPACE = frozenset(" \t\n\f")


class Triple(NamedTuple):
    """A triple of one graph, with its node, target and edge there."""

    kind: str
    span: Anchors
    label: str  # ``NAME``, a role or a property, ``CARG``, or ``TOP``
    value: str  # The predicate, the property's value, or the constant
    target_span: Anchors | None
    node: int
    target: int | None = None
    edge: int | None = None

    def key(self, *, fold_case: bool) -> tuple[Any, ...]:
        """Return what is equal for equal triples."""
        label, value = (self.label.lower(), self.value.lower()) if fold_case else (self.label, self.value)
        return self.kind, self.span, label, value, self.target_span

    def weight(self, rules: EdmRules) -> float:
        """Return its weight in the score."""
        return rules.weight(self.kind, self.value if self.kind == "name" else self.label)


def edm_triples(graph: SemanticGraph | None, spans: Sequence[Anchors], rules: EdmRules) -> list[Triple]:
    """List the triples of a graph whose nodes have some spans, whatever their weight.

    Examples
    --------
    >>> from evaltools.corpus.semantic_graph import SemanticEdge, SemanticNode
    >>> from evaltools.frameworks.semantics.edm_rules import load_edm_rules
    >>> nodes = tuple(SemanticNode(name, name, ((at, at + 1),)) for at, name in enumerate("ab"))
    >>> graph = SemanticGraph(nodes, (SemanticEdge(0, "ARG1-of", 1),))
    >>> [(triple.kind, triple.node) for triple in edm_triples(graph, [*"xy"], load_edm_rules("mtool"))]
    [('name', 0), ('name', 1), ('argument', 1)]
    """
    if graph is None:
        return []
    triples = []
    for index, (node, span) in enumerate(zip(graph.nodes, spans, strict=True)):
        if node.predicate:
            triples.append(Triple("name", span, "NAME", node.predicate, None, index))
        triples += [Triple("property", span, name, value, None, index) for name, value in node.properties]
        if node.constant:
            kind = "property" if rules.constant_is_property else "constant"
            triples.append(Triple(kind, span, "CARG", node.constant, None, index))
    for number, (edge, role) in enumerate(_compared_edges(graph, rules)):
        ends = edge.source, edge.target
        triples.append(Triple("argument", spans[edge.source], role, "", spans[edge.target], *ends, number))
    return [*triples, *(Triple("top", spans[top], "TOP", "", None, top) for top in graph.tops)]


def _compared_edges(graph: SemanticGraph, rules: EdmRules) -> Iterable[tuple[SemanticEdge, str]]:
    """Return the edges and their roles, as the rules turn and rename them."""
    edges: Sequence[SemanticEdge] = graph.edges
    if rules.turn_inverted:
        edges = [
            edge if (upright := uninverted_role(edge.role)) is None else SemanticEdge(edge.target, upright, edge.source)
            for edge in edges
        ]
    roles = [edge.role for edge in edges]
    if rules.quantifier_role:
        roles = [
            rules.role(edge.role, of_quantifier=True) if graph.nodes[edge.source].is_quantifier else edge.role
            for edge in edges
        ]
    return zip(edges, roles, strict=True)


def uninverted_role(role: str) -> str | None:
    """Return the role whose inverse a role is, None if it is not inverted.

    Examples
    --------
    >>> [uninverted_role(role) for role in ("ARG0-of", "mod", "prep-out-of", "ARG1")]
    ['ARG0', 'domain', None, None]
    """
    # As in mtool, ``mod`` is the inverse of ``domain``, roles beginning with ``prep-`` are not inverted, and
    # ``consist-of`` counts as inverted.
    if role == "mod":
        return "domain"
    inverted = role.endswith("-of-of") or (role.endswith("-of") and not role.startswith("prep-"))
    return role.removesuffix("-of") if inverted else None


def compared_spans(
    gold: SemanticGraph | None, test: SemanticGraph | None, rules: EdmRules
) -> tuple[list[Anchors], list[Anchors]]:
    """Return the spans of the nodes of two graphs as they are compared."""
    trim = rules.spans == "trimmed" and all(graph is not None and graph.text for graph in (gold, test))
    gold_spans, test_spans = (
        [trimmed(node.anchors, graph.text) if trim else node.anchors for node in graph.nodes] if graph else []
        for graph in (gold, test)
    )
    return gold_spans, test_spans


@lru_cache(maxsize=1 << 14)
def trimmed(anchors: Anchors, text: str) -> Anchors:
    """Return the characters of a node without white space and without punctuation at the edges.

    Examples
    --------
    >>> trimmed(((4, 11),), "Kim leaves.")
    ((4, 10),)
    >>> trimmed(((0, 11),), "Kim leaves.")
    ((0, 3), (4, 10))
    >>> trimmed(((10, 11),), "Kim leaves.")
    ()
    """
    characters: set[int] = set()
    for start, end in anchors:
        start, end = max(start, 0), min(end, len(text))
        while start < end and text[start] in _PUNCTUATION:
            start += 1
        while start < end and text[end - 1] in _PUNCTUATION:
            end -= 1
        characters.update(index for index in range(start, end) if text[index] not in _SPACE)
    ranges: list[tuple[int, int]] = []
    for index in sorted(characters):
        if ranges and ranges[-1][1] == index:
            ranges[-1] = (ranges[-1][0], index + 1)
        else:
            ranges.append((index, index + 1))
    return tuple(ranges)


# -------------------------------------------------------------------------------------------------------------- counts


_Triple = tuple[Any, ...]  # First what its weight depends on


class _Weights(dict[Any, float]):
    """The weights of the triples of a class: by predicate, role, or property with its value."""

    def __init__(self, rules: EdmRules, kind: str) -> None:
        patterns = {"name": rules.predicates, "argument": rules.roles, "property": rules.properties}
        self._rules, self._kind = rules, kind
        self._of_all = None if patterns.get(kind) else rules.weight(kind, "")

    def __missing__(self, item: Any) -> float:
        self[item] = weight = self._rules.weight(self._kind, item[0] if self._kind == "property" else item)
        return weight

    def total(self, triples: list[_Triple]) -> float:
        """Return the sum of the weights of some triples."""
        items: Sequence[Any] = triples  # where all weigh the same, their number is enough
        if self._kind == "property":
            items = [*chain.from_iterable([properties for properties, _ in triples])]
        elif self._of_all is None:
            items = [triple[0] for triple in triples]
        return fsum([self[item] for item in items]) if self._of_all is None else self._of_all * len(items)


class TripleCounter:
    """Counts the triples of pairs of graphs by some rules.

    Parameters
    ----------
    rules : EdmRules
        Which triples count.

    Examples
    --------
    >>> from evaltools.corpus.semantic_graph import SemanticNode
    >>> from evaltools.frameworks.semantics.edm_rules import load_edm_rules
    >>> rain = SemanticNode("e1", "_rain_v_1", ((3, 9),), (("TENSE", "pres"),), None, "e")
    >>> counts = TripleCounter(load_edm_rules()).counts(SemanticGraph((rain,)), SemanticGraph((rain, rain)))
    >>> dict(zip(COLUMNS[1:5], counts[1:5]))
    {'edm_exact_match': 0.0, 'edm_n_gold': 1.0, 'edm_n_test': 2.0, 'edm_n_matched': 1.0}
    """

    def __init__(self, rules: EdmRules) -> None:
        self._rules = rules
        self._weights = {kind: _Weights(rules, kind) for kind in KINDS_OF_TRIPLES}

    def counts(self, gold: SemanticGraph | None, test: SemanticGraph | None) -> list[float]:
        """Return the counts of two graphs, in the order of :data:`COLUMNS`; NaN where undefined.

        Parameters
        ----------
        gold, test : SemanticGraph or None
            The graphs; None if there is none.

        Returns
        -------
        list of float
            The counts.
        """
        if gold is None and test is None:
            return [0.0] * len(COLUMNS)
        if gold is not None and gold.lacks_spans:
            return [0.0, *[np.nan] * (len(COLUMNS) - 1)]
        golds, tests = map(self._triples, (gold, test), compared_spans(gold, test, self._rules))
        is_exact = gold is not None and test is not None
        sums = []
        for (kind, weights), of_gold, of_test in zip(self._weights.items(), golds, tests, strict=True):
            if of_gold == of_test:  # as for most short sentences
                sums += [weights.total(of_gold)] * 3
                continue
            matched, missing, spurious = _matched(of_gold, of_test)
            if kind == "property":
                more, missing, spurious = _matched(_of_each(missing), _of_each(spurious))
                matched += more
            sums += [weights.total(matched + missing), weights.total(matched + spurious), weights.total(matched)]
            is_exact = is_exact and not weights.total(missing + spurious)
        is_sentence = test is not None or (gold is not None and len(gold.nodes) > 0)
        counts = [float(is_sentence), float(is_exact), *sums]
        if test is not None and test.lacks_spans:
            counts = [np.nan if name in MATCHED else n for name, n in zip(COLUMNS, counts, strict=True)]
        return counts

    def _triples(self, graph: SemanticGraph | None, spans: list[Anchors]) -> list[list[_Triple]]:
        """List the triples of a graph by class; those of the properties of a node are one item."""
        # Those of :func:`edm_triples`, without their nodes and edges, which would take longer.
        rules = self._rules
        names: list[_Triple] = []
        properties: list[_Triple] = []
        constants: list[_Triple] = []
        if graph is None:
            return [[] for _ in KINDS_OF_TRIPLES]
        for node, span in zip(graph.nodes, spans, strict=True):
            if node.predicate:
                names.append((node.predicate, span))
            if node.properties:
                properties.append((node.properties, span))
            if node.constant and rules.constant_is_property:
                properties.append(((("CARG", node.constant),), span))
            elif node.constant:
                constants.append((node.constant, span))
        edges = _compared_edges(graph, rules)
        arguments = [(role, spans[edge.source], spans[edge.target]) for edge, role in edges]
        if rules.fold_case:
            names, arguments, constants = (
                [(text.lower(), *rest) for text, *rest in triples] for triples in (names, arguments, constants)
            )
            properties = [
                (tuple([(name.lower(), value.lower()) for name, value in items]), span) for items, span in properties
            ]
        if not rules.multiset:  # several nodes may have the same property at the same characters
            properties = _of_each(properties)
        triples = [names, arguments, properties, constants, [("", spans[top]) for top in graph.tops]]
        return triples if rules.multiset else [list(dict.fromkeys(part)) for part in triples]


def _of_each(nodes: list[_Triple]) -> list[_Triple]:
    """Return the properties of nodes, each by itself."""
    return [((item,), span) for items, span in nodes for item in items]


def _matched(golds: list[_Triple], tests: list[_Triple]) -> tuple[list[_Triple], list[_Triple], list[_Triple]]:
    """Return the triples that both lists have, and those left of each; those at equal positions are matched first."""
    differ = list(map(ne, golds, tests))
    matched = [triple for triple, differs in zip(golds, differ, strict=False) if not differs]
    left = Counter([*compress(tests, differ), *tests[len(differ) :]])
    missing = []
    for triple in (*compress(golds, differ), *golds[len(differ) :]):
        if left[triple] > 0:
            left[triple] -= 1
            matched.append(triple)
        else:
            missing.append(triple)
    return matched, missing, list(left.elements())


# -------------------------------------------------------------------------------------------------------------- passes


@dataclass(frozen=True)
class GraphComparison:
    """Graphs of the same items."""

    golds: Sequence[SemanticGraph | None]  # The graph of each item; None if there is none
    tests: Sequence[SemanticGraph | None]
    rules: EdmRules


class GraphPass(Pass[GraphComparison]):
    """A pass over semantic graphs."""

    def __init__(self, comparison: GraphComparison) -> None:
        self.comparison = comparison
        self._counts: NDArray[np.float64] = np.zeros((len(comparison.golds), len(self.columns)))

    @classmethod
    @abstractmethod
    def suits(cls, graphs: Sequence[SemanticGraph]) -> bool:
        """Return whether the pass runs by default if the gold file has these graphs."""

    @abstractmethod
    def count(self, index: int, gold: SemanticGraph | None, test: SemanticGraph | None) -> Sequence[float]:
        """Return the counts of an item, in the order of the columns; NaN where undefined."""

    def run(self, first: int, last: int) -> None:
        """Count what some pairs of graphs share."""
        for index in range(first, last):
            self._counts[index] = self.count(index, self.comparison.golds[index], self.comparison.tests[index])

    @property
    def counts(self) -> NDArray[np.float64]:
        """The counts, as :attr:`columns` names them; NaN where undefined."""
        return self._counts

    def undefined(self, column: str) -> NDArray[np.bool_]:
        """Return the items in which a count is undefined, because a graph has no spans."""
        return np.isnan(self._counts[:, self.columns.index(column)])


class ElementaryDependencies(GraphPass):
    """The pass of Elementary Dependency Match."""

    required = True

    family = FAMILY
    columns = COLUMNS
    metrics = METRICS

    @classmethod
    def suits(cls, graphs: Sequence[SemanticGraph]) -> bool:
        """Return whether the graphs have spans of their own, which AMRs have not."""
        return not graphs or not all(graph.is_unanchored for graph in graphs)

    def __init__(self, comparison: GraphComparison) -> None:
        super().__init__(comparison)
        self._counter = TripleCounter(comparison.rules)

    def count(self, index: int, gold: SemanticGraph | None, test: SemanticGraph | None) -> Sequence[float]:
        """Count the triples of a pair of graphs."""
        return self._counter.counts(gold, test)

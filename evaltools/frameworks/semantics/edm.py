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
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain, count
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus.semantic_graph import Anchors, SemanticEdge, SemanticGraph, SemanticNode
from evaltools.errors import ParameterError
from evaltools.frameworks.formulas import ratio
from evaltools.frameworks.metric import SIDE_SYMBOLS, ZERO, Count, Counts, ErrorCount, Family, Metric, Place
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
)


def total(counts: Counts, letters: str, side: str) -> NDArray[np.float64]:
    """Add up the triples of some classes."""
    sums: NDArray[np.float64] = np.sum([counts[f"edm_{letter}_{side}"] for letter in letters], axis=0)
    return sums


def _metrics(name: str) -> list[Metric]:
    title, letters = PARTS[name]

    def f1(counts: Counts) -> NDArray[np.float64]:
        sizes = total(counts, letters, "gold") + total(counts, letters, "test")
        return ratio(2 * total(counts, letters, "matched"), sizes)

    def precision(counts: Counts) -> NDArray[np.float64]:
        return ratio(total(counts, letters, "matched"), total(counts, letters, "test"))

    def recall(counts: Counts) -> NDArray[np.float64]:
        return ratio(total(counts, letters, "matched"), total(counts, letters, "gold"))

    norm = name.removeprefix("edm").removeprefix("_").upper() or "all"
    covers_all = norm == "all"
    classes = "triples of all classes" if covers_all else " and ".join(_plural(LETTERS[letter]) for letter in letters)

    def metric(quantity: str, score: Callable[[Counts], NDArray[np.float64]], *sides: str) -> Metric:
        is_f1 = quantity == "F1"
        graph = "parser’s graph" if quantity == "precision" else "gold graph"
        share = "as the harmonic mean of recall and precision" if is_f1 else f"as a share of those of the {graph}"
        short = "EDM" if covers_all else f"EDM_{norm}"
        if not is_f1:
            short = quantity if covers_all else f"{short} {quantity}"
        return Metric(
            id=name if is_f1 else f"{name}_{quantity}",
            title=f"{title} (F1)" if is_f1 else f"{title}, {quantity}",
            family=FAMILY,
            columns=tuple(f"edm_{letter}_{side}" for side in sides for letter in letters),
            score=score,
            help=f"Weighted triples that both graphs share ({classes}), {share}, in %.",
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

    return [
        metric("F1", f1, "matched", "gold", "test"),
        metric("precision", precision, "matched", "test", "gold"),
        metric("recall", recall, "matched", "gold"),
    ]


METRICS: tuple[Metric, ...] = (
    *(metric for name in PARTS for metric in _metrics(name)),
    Metric(
        id="edm_exact",
        title="EDM, all triples right",
        family=FAMILY,
        columns=("edm_exact_match", "edm_n_gold", "sentences"),  # gold triples tell whether EDM is defined
        score=lambda counts: ratio(counts["edm_exact_match"], counts["sentences"]),
        help="Share of the sentences whose graphs have the same triples, in %.",
        short="exact",
        place=Place(overview=True, reports=True),
    ),
)


def _unmatched(counts: Counts) -> NDArray[np.float64]:
    letters = "".join(LETTERS)
    return total(counts, letters, "gold") + total(counts, letters, "test") - 2 * total(counts, letters, "matched")


CONFIGURATIONS = ("edm", "edm_n", "edm_a", "edm_p", "edm_na")
"""The metrics of Figure 3 of the paper, the main one first."""

ERRORS = ErrorCount(
    Metric(
        id="edm_errors",
        title="Unmatched triples",
        family=FAMILY,
        columns=tuple(f"edm_{letter}_{side}" for side in SIDES[::-1] for letter in LETTERS),
        score=_unmatched,
        help="Triples that only one of the two graphs has, by weight.",
        unit="per sentence",
        higher_is_better=False,
    ),
    "unmatched triple",
    "unmatched triples",
)
"""The number of triples that only one of two graphs has."""


def sum_defined(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum the rows of columns of :data:`COLUMNS` that have no undefined count."""
    sums: NDArray[np.float64] = counts[~np.isnan(counts).any(axis=1)].sum(axis=0)
    return sums


def pooled_edm(sums: NDArray[np.float64]) -> float | None:
    """Return EDM over all classes from sums of the columns of :data:`COLUMNS`; None if it is undefined."""
    score = float(METRICS[0].score({name: sums[[index]] for index, name in enumerate(COLUMNS)})[0])
    return None if np.isnan(score) else score


# ------------------------------------------------------------------------------------------------------- normalization

_PUNCTUATION = frozenset(".?!;,:“\"”‘'’()[]{} \t\n\f")
_SPACE = frozenset(" \t\n\f")


def normalized(graph: SemanticGraph, rules: EdmRules) -> SemanticGraph:
    """Return a graph with the roles and the case that are compared.

    Examples
    --------
    >>> from evaltools.frameworks.semantics.edm_rules import load_edm_rules
    >>> nodes = tuple(SemanticNode(name, name.upper(), ((at, at + 1),)) for at, name in enumerate("ab"))
    >>> graph = normalized(SemanticGraph(nodes, (SemanticEdge(0, "ARG1-of", 1),)), load_edm_rules("mtool"))
    >>> [node.predicate for node in graph.nodes], graph.edges
    (['a', 'b'], (SemanticEdge(source=1, role='arg1', target=0),))
    """
    graph = uninverted(graph, rules)  # first, because only small letters mark an inverted role
    if not rules.fold_case:
        return graph
    edges = tuple(SemanticEdge(edge.source, edge.role.lower(), edge.target) for edge in graph.edges)
    return replace(graph, nodes=tuple(map(_in_lower_case, graph.nodes)), edges=edges)


def uninverted(graph: SemanticGraph, rules: EdmRules) -> SemanticGraph:
    """Return a graph with inverted roles in the other direction, if the rules require it."""
    if not rules.turn_inverted:
        return graph
    edges = (
        edge if (role := uninverted_role(edge.role)) is None else SemanticEdge(edge.target, role, edge.source)
        for edge in graph.edges
    )
    return replace(graph, edges=tuple(edges))


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


def _in_lower_case(node: SemanticNode) -> SemanticNode:
    return replace(
        node,
        predicate=node.predicate.lower(),
        properties=tuple((name.lower(), value.lower()) for name, value in node.properties),
        constant=None if node.constant is None else node.constant.lower(),
    )


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


def normalized_spans(graph: SemanticGraph, *, trim: bool) -> list[Anchors]:
    """Return the spans of the nodes that are compared."""
    return [trimmed(node.anchors, graph.text) if trim else node.anchors for node in graph.nodes]


# ------------------------------------------------------------------------------------------------- triples of a corpus
#
# Spans, roles, predicates and properties become numbers, the same for both sides; a triple is then one integer, made of
# the sentence, the class and what is compared. Sorting the integers of both sides brings equal triples together.

LIMIT = 1 << 61
"""The integers of triples stay below it."""

Ints = NDArray[np.int64]


def _numbering() -> defaultdict[Any, int]:
    """Return a dictionary in which each new key gets the next number."""
    return defaultdict(count().__next__)


@dataclass(frozen=True, slots=True)
class TripleVocabulary:
    """The numbers of values: one vocabulary for all columns that are compared, used in one thread."""

    spans: defaultdict[Any, int] = field(default_factory=_numbering)  # As they are compared
    roles: defaultdict[str, int] = field(default_factory=_numbering)
    predicates: defaultdict[str, int] = field(default_factory=_numbering)
    properties: defaultdict[tuple[str, str], int] = field(default_factory=_numbering)  # With their values
    property_lists: defaultdict[Any, int] = field(default_factory=_numbering)  # All of a node; many nodes share them
    constants: defaultdict[str, int] = field(default_factory=_numbering)  # Empty for a node without one
    weights: defaultdict[float, int] = field(default_factory=_numbering)


@dataclass(frozen=True, slots=True)
class _Triples:
    """Triples of one class."""

    node: Ints
    label: Ints  # The role, 0 in other classes
    value: Ints  # The predicate, property, constant, or target's span; one row for each way to compare spans
    weight: Ints


class _GraphCorpus:
    """The nodes of many graphs, one after another, as columns."""

    def __init__(self, graphs: Sequence[SemanticGraph], rules: EdmRules, vocabulary: TripleVocabulary) -> None:
        self._graphs = graphs = [normalized(graph, rules) for graph in graphs]
        self._rules, self._vocabulary = rules, vocabulary
        self.n_nodes = _array(len(graph.nodes) for graph in graphs)
        self._first = np.cumsum(self.n_nodes) - self.n_nodes
        spans, predicates, lists = vocabulary.spans, vocabulary.predicates, vocabulary.property_lists
        constants = vocabulary.constants
        # one pass over the nodes for all columns
        rows = [
            number
            for graph in graphs
            for node in graph.nodes
            for number in (
                spans[node.anchors],
                predicates[node.predicate],
                lists[node.properties],
                constants[node.constant or ""],
                node.is_quantifier,
            )
        ]
        span, self._predicate, self._list, self._constant, self._binds = np.array(rows, np.int64).reshape(-1, 5).T
        self.spans = span[np.newaxis]
        if rules.spans == "trimmed":
            short = _array(spans[trimmed(node.anchors, graph.text)] for graph in graphs for node in graph.nodes)
            self.spans = np.array([span, short])

    def triples(self) -> list[_Triples]:
        """Return the triples that have a weight, by class in the order of ``KINDS_OF_TRIPLES``."""
        return [self._names(), self._arguments(), self._properties(), self._constants(), self._tops()]

    def _names(self) -> _Triples:
        weights = (self._rules.weight("name", item) if item else 0.0 for item in self._vocabulary.predicates)
        nodes = np.arange(len(self._predicate))
        return self._weighted(nodes, self._predicate, self._weights(weights)[self._predicate])

    def _arguments(self) -> _Triples:
        role_numbers = self._vocabulary.roles
        rows = [
            number
            for graph in self._graphs
            for edge in graph.edges
            for number in (edge.source, role_numbers[edge.role], edge.target)
        ]
        source, roles, target = np.array(rows, np.int64).reshape(-1, 3).T
        first = np.repeat(self._first, _array(len(graph.edges) for graph in self._graphs))
        source, target = source + first, target + first
        if self._rules.quantifier_role is not None:
            of_quantifier = _lookup(role_numbers, [self._rules.role(item, of_quantifier=True) for item in role_numbers])
            roles = np.where(self._binds[source] > 0, of_quantifier[roles], roles)
        weights = self._weights(self._rules.weight("argument", item) for item in role_numbers)
        return self._weighted(source, self.spans[:, target], weights[roles], roles)

    def _properties(self) -> _Triples:
        numbers, lists = self._vocabulary.properties, self._vocabulary.property_lists
        list_lengths, list_values = _array(map(len, lists)), _lookup(numbers, chain.from_iterable(lists))
        sizes = list_lengths[self._list]
        nodes = np.repeat(np.arange(len(sizes)), sizes)
        # the properties of a list follow one another in list_values
        first, before = (np.cumsum(list_lengths) - list_lengths)[self._list], np.cumsum(sizes) - sizes
        values = list_values[np.repeat(first - before, sizes) + np.arange(len(nodes))]
        if self._rules.constant_is_property:
            carriers = self._carriers()
            of_constant = _lookup(numbers, [("CARG", item) for item in self._vocabulary.constants])
            nodes = np.concatenate([nodes, carriers])
            values = np.concatenate([values, of_constant[self._constant[carriers]]])
        weights = self._weights(self._rules.weight("property", name) for name, _ in numbers)
        return self._weighted(nodes, values, weights[values])

    def _constants(self) -> _Triples:
        carriers = self._carriers()[: 0 if self._rules.constant_is_property else None]
        return self._of_one_weight("constant", carriers, self._constant[carriers])

    def _tops(self) -> _Triples:
        tops = _array(top for graph in self._graphs for top in graph.tops)
        tops = tops + np.repeat(self._first, _array(len(graph.tops) for graph in self._graphs))
        return self._of_one_weight("top", tops, np.zeros(len(tops), np.int64))

    def _carriers(self) -> Ints:
        """Return the nodes that have a constant."""
        return np.flatnonzero(self._constant != self._vocabulary.constants[""])

    def _weights(self, weights: Iterable[float]) -> Ints:
        return _lookup(self._vocabulary.weights, weights)

    def _of_one_weight(self, kind: str, nodes: Ints, values: Ints) -> _Triples:
        weights = np.full(len(nodes), self._vocabulary.weights[self._rules.weight(kind, "")])
        return self._weighted(nodes, values, weights)

    def _weighted(self, nodes: Ints, values: Ints, weights: Ints, labels: Ints | None = None) -> _Triples:
        """Return the triples of a class that have a weight."""
        counts = weights != self._vocabulary.weights[0.0]
        labels = np.zeros(len(nodes), np.int64) if labels is None else labels
        values = np.broadcast_to(values, (len(self.spans), len(nodes)))
        return _Triples(nodes[counts], labels[counts], values[:, counts], weights[counts])


def _array(numbers: Iterable[int]) -> Ints:
    return np.fromiter(numbers, np.int64)


def _lookup(numbers: Mapping[Any, int], keys: Iterable[Any]) -> Ints:
    return _array(map(numbers.__getitem__, keys))


@dataclass(frozen=True, slots=True)
class TripleColumns:
    """The triples of the graphs of a corpus that have a weight, as columns.

    Examples
    --------
    >>> from evaltools.frameworks.semantics.edm_rules import load_edm_rules
    >>> from evaltools.corpus.semantic_graph import SemanticNode
    >>> graph = SemanticGraph((SemanticNode("e1", "_rain_v_1", ((3, 9),), (("TENSE", "pres"),), None, "e"),))
    >>> rules, vocabulary = load_edm_rules(), TripleVocabulary()
    >>> gold, test = (TripleColumns.of(graphs, rules, vocabulary) for graphs in ([graph, graph], [graph, None]))
    >>> len(gold), match(gold, test)[:, :4].tolist()
    (4, [[1.0, 1.0, 1.0, 1.0], [1.0, 0.0, 1.0, 0.0]])
    """

    rules: EdmRules
    vocabulary: TripleVocabulary
    # of each item
    present: NDArray[np.bool_]  # Whether it has a graph
    has_text: NDArray[np.bool_]  # Whether the graph comes with its sentence
    is_empty: NDArray[np.bool_]  # Whether the graph has no nodes
    lacks_spans: NDArray[np.bool_]  # Whether the graph has nodes that are not known by spans
    # of each triple
    item: Ints
    kind: Ints  # The index of its class in KINDS_OF_TRIPLES
    span: Ints  # If spans are trimmed, there is a second row with the trimmed spans, here and in `value`
    value: Ints  # The predicate, property with value, constant, or the span of the target
    label: Ints  # The role, 0 for other triples
    weight: Ints

    @property
    def n_items(self) -> int:
        """Number of items."""
        return len(self.present)

    def __len__(self) -> int:
        """Return the number of triples."""
        return len(self.item)

    @classmethod
    def of(cls, graphs: Sequence[SemanticGraph | None], rules: EdmRules, vocabulary: TripleVocabulary) -> TripleColumns:
        """Make columns of graphs."""
        present = np.array([graph is not None for graph in graphs], dtype=np.bool_)
        corpus = _GraphCorpus([graph for graph in graphs if graph is not None], rules, vocabulary)
        parts = corpus.triples()
        node = np.concatenate([part.node for part in parts])
        return cls(
            rules,
            vocabulary,
            present,
            has_text=np.array([graph is not None and graph.text != "" for graph in graphs], dtype=np.bool_),
            is_empty=np.array([graph is not None and not graph.nodes for graph in graphs], dtype=np.bool_),
            lacks_spans=np.array([graph is not None and graph.lacks_spans for graph in graphs], dtype=np.bool_),
            item=np.repeat(np.flatnonzero(present), corpus.n_nodes)[node],
            kind=np.repeat(np.arange(len(parts)), [len(part.node) for part in parts]),
            span=corpus.spans[:, node],
            value=np.concatenate([part.value for part in parts], axis=1),
            label=np.concatenate([part.label for part in parts]),
            weight=np.concatenate([part.weight for part in parts]),
        )


class GoldTriples:
    """The gold triples of some items, made once for all parsers."""

    def __init__(self, gold: Sequence[SemanticGraph | None], rules: EdmRules) -> None:
        self._gold, self._rules = gold, rules
        self._columns: dict[str, TripleColumns] = {}

    def counts(self, tests: Sequence[SemanticGraph | None], spans: str | None = None) -> NDArray[np.float64]:
        """Count the triples of a parser's graphs, with spans as in the rules or as given."""
        spans = spans or self._rules.spans
        if spans not in self._columns:
            self._columns[spans] = TripleColumns.of(self._gold, replace(self._rules, spans=spans), TripleVocabulary())
        gold = self._columns[spans]
        return match(gold, TripleColumns.of(tests, gold.rules, gold.vocabulary))


def match(gold: TripleColumns, test: TripleColumns) -> NDArray[np.float64]:
    """Count the triples of two corpora, item by item, and those that they share: one column for each of ``COLUMNS``."""
    if gold.rules != test.rules or gold.vocabulary is not test.vocabulary or gold.n_items != test.n_items:
        raise ParameterError("triples are compared by the same rules, with one vocabulary, of the same items")
    n, n_kinds = gold.n_items, len(KINDS_OF_TRIPLES)
    trim = gold.has_text & test.has_text if gold.rules.spans == "trimmed" else np.zeros(n, np.bool_)
    keys, tail_limit = _keys(gold, test, trim)
    keys.sort()
    triples = keys >> 1
    starts = np.flatnonzero(np.diff(triples, prepend=-1))
    size = np.diff(starts, append=len(keys))
    n_test = np.add.reduceat(keys & 1, starts) if len(keys) else size
    n_gold = size - n_test
    if not gold.rules.multiset:
        n_gold, n_test = np.minimum(n_gold, 1), np.minimum(n_test, 1)
    head = triples[starts] // tail_limit
    weights = np.array(list(gold.vocabulary.weights))
    cell, weight = head // len(weights), weights[head % len(weights)]
    counts = np.zeros((n, len(COLUMNS)))
    both = gold.present & test.present
    counts[:, 0] = (gold.present & ~gold.is_empty) | test.present
    counts[:, 1] = both & (np.bincount(cell[n_gold != n_test] // n_kinds, minlength=n) == 0)
    sides = (n_gold, n_test, np.minimum(n_gold, n_test))
    for index, numbers in enumerate(sides, start=2):
        sums = np.bincount(cell, weights=numbers * weight, minlength=n * n_kinds)
        counts[:, index :: len(sides)] = sums.reshape(n, n_kinds)
    for name in MATCHED:
        counts[test.lacks_spans, COLUMNS.index(name)] = np.nan
    counts[gold.lacks_spans, 1:] = np.nan
    counts[gold.lacks_spans, 0] = 0
    return counts


def _keys(gold: TripleColumns, test: TripleColumns, trim: NDArray[np.bool_]) -> tuple[Ints, int]:
    """Return an integer for every triple, times 2, plus 1 on the test side; and the limit of the integer's tail."""
    # The head of the integer is the item, the class and the weight; the tail is what is compared.
    sides = (gold, test)
    last = len(gold.span) - 1
    n_weights = len(gold.vocabulary.weights)
    head = np.concatenate([(side.item * len(KINDS_OF_TRIPLES) + side.kind) * n_weights + side.weight for side in sides])
    tail = np.concatenate([np.where(trim[side.item], side.span[last], side.span[0]) for side in sides])
    tail_limit = 1 + int(tail.max(initial=0))
    for column in (
        np.concatenate([side.label for side in sides]),
        np.concatenate([np.where(trim[side.item], side.value[last], side.value[0]) for side in sides]),
    ):
        column_limit = 1 + int(column.max(initial=0))
        if tail_limit * column_limit >= LIMIT:
            tail, tail_limit = _dense(tail)
        tail, tail_limit = tail * column_limit + column, tail_limit * column_limit
    if (1 + int(head.max(initial=0))) * tail_limit >= LIMIT:
        tail, tail_limit = _dense(tail)
    is_test = np.repeat([0, 1], [len(side) for side in sides])
    return (head * tail_limit + tail) * 2 + is_test, tail_limit


def _dense(numbers: Ints) -> tuple[Ints, int]:
    """Renumber integers densely from 0, in the same order."""
    unique, dense = np.unique(numbers, return_inverse=True)
    return dense.astype(np.int64), max(len(unique), 1)


# -------------------------------------------------------------------------------------------------------------- passes


@dataclass(frozen=True)
class GraphComparison:
    """Graphs of the same items."""

    gold: GoldTriples
    golds: Sequence[SemanticGraph | None]  # The graph of each item; None if there is none
    tests: Sequence[SemanticGraph | None]


class GraphPass(Pass[GraphComparison]):
    """A pass over semantic graphs."""

    def __init__(self, comparison: GraphComparison) -> None:
        self._golds, self._tests = comparison.golds, comparison.tests
        self._counts: NDArray[np.float64] = np.zeros((len(self._golds), len(self.columns)))

    @classmethod
    def prepare(cls, comparison: GraphComparison) -> Self:
        """Allocate the counts."""
        return cls(comparison)

    @classmethod
    @abstractmethod
    def suits(cls, graphs: Sequence[SemanticGraph]) -> bool:
        """Return whether the pass runs by default if the gold file has these graphs."""

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

    def __init__(self, comparison: GraphComparison) -> None:
        super().__init__(comparison)
        self._counts = comparison.gold.counts(comparison.tests)

    @classmethod
    def suits(cls, graphs: Sequence[SemanticGraph]) -> bool:
        """Return whether the graphs have spans of their own, which AMRs have not."""
        return not graphs or not all(graph.is_unanchored for graph in graphs)

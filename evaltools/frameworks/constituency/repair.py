"""From a parser's tree to the gold tree in a few steps, each of which repairs as many brackets as it can.

Errors are brackets of the test tree that the gold tree does not have (*extra*) and brackets of the gold tree that the
test tree does not have (*missing*), counted as the E-mapping does: label and span, one to one. A step changes the
label of an extra bracket to that of a missing one, adds a missing bracket that crosses no other, removes an extra one,
or moves neighboring children of a node: down into an extra bracket beside them, or, out of an extra bracket, up or into
an extra bracket beside it. A move also merges a bracket that is left with one child of its own label with that child,
and adds one missing bracket inside the new parent if the bracket contains what moved and no longer crosses another. The
search is greedy: it takes the step that leaves the fewest errors, the first of equally good ones, until none is left.

References
----------
J. K. Kummerfeld, D. Hall, J. R. Curran and D. Klein (2012). Parser showdown at the Wall Street Corral: an empirical
investigation of error types in parser output. EMNLP-CoNLL 2012.
M. Emms (2008). Tree-distance and some other variants of evalb. LREC 2008.

Notes
-----
These are the steps of the program that the authors published, in its order: changes of labels, additions, removals,
moves; each in the order of the spans, and moves in that of the nodes that they leave. Differences from it: an added
bracket stands among others over the same words where the gold tree has it, and not above all of them, so that the steps
end at the gold tree; punctuation, function tags and traces are those that the preset of the run leaves; and a sentence
that needs more than 100 steps is repaired, too. No step is taken that repairs nothing, there or here: where an error is
left, a removal or an addition repairs one. So the steps are at most as many as the errors, they end at the gold
brackets on any input, and the brackets repaired add up to the errors.

The papers on repairs have continuous trees. Where constituents are discontinuous, neighbors are those of another order
of the words, in which every phrase of both trees is over adjacent words (:mod:`common_order`).

With S steps and M brackets that gold tree and parse share (those of the E-mapping of all brackets, also where E counts
only those of several words) the scores are:

    Errors             S, per sentence or per 100 words
    Repair similarity  1 − S / (S + M)

The similarity of equal trees is 1, also where they have no bracket. Kummerfeld et al. count steps by type and give no
score; Emms (2008) names moves as future work. The search is greedy, so S is an upper bound of the lowest number of
steps. Where the words of the two trees differ, there is no repair, and the sentence has no score. In figures over all
sentences a sentence without a parse or with other words, or whose repair takes too long, has G + W errors: G gold
brackets and W words to add. A parse never counts as more errors than that. Where the words are the same and there is
no order in which all constituents are continuous, there is no repair, and no number of errors in any figure.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from evaltools.corpus import Kind, Span, Tree, Treebank
from evaltools.corpus.stretches import gaps_of, stretches_of
from evaltools.errors import EvaltoolsError
from evaltools.frameworks.common.columns import SentenceStatus, node_positions
from evaltools.frameworks.common.lineages import NO_CLASSES
from evaltools.frameworks.constituency.aligned_trees import Edit, Edits, Operation
from evaltools.frameworks.constituency.common_order import common_order
from evaltools.frameworks.constituency.normalization import Pair, TreeComparison, label_classes, word_offsets
from evaltools.frameworks.formulas import or_perfect, ratio
from evaltools.frameworks.metric import Count, Counts, Family, Metric, Place
from evaltools.frameworks.passes import Pass
from evaltools.frameworks.presets import Preset
from evaltools.frameworks.presets.filtering import arranged, word_tags

if TYPE_CHECKING:
    pass


STEPS_OVER_ALL = "r_steps_all"
"""The column of errors in figures over all sentences, which has a number where there is no repair."""

_REPAIRED = ("r_steps", "r_brackets", "r_moves", "r_relabels", "r_adds", "r_removes")
"""Count columns of a repair; they are missing in sentences without one."""

COLUMNS = (STEPS_OVER_ALL, *_REPAIRED, "r_matched", "r_words", "r_equal")
"""Count columns; from the second to the last but two in the kernel's order."""

COUNTS: dict[str, Count] = {
    "r_steps": Count("repairs, each of one error", "S", cost="repairs", over_all=STEPS_OVER_ALL),
    "r_matched": Count("brackets that gold tree and parse share", "M"),
    "r_words": Count("scored words", "W"),
    "r_equal": Count("sentences without an error"),
    "r_brackets": Count("wrong brackets that the repair corrects: missing and spurious"),
    "r_moves": Count("steps that move nodes"),
    "r_relabels": Count("steps that change a label"),
    "r_adds": Count("steps that add a bracket"),
    "r_removes": Count("steps that remove a bracket"),
    STEPS_OVER_ALL: Count("errors over all sentences: without a repair one for each gold bracket and word", "S"),
}
"""What the columns count."""


def _similarity(counts: Counts) -> NDArray[np.float64]:
    scores = 1 - ratio(counts["r_steps"], counts["r_steps"] + counts["r_matched"])
    result: NDArray[np.float64] = or_perfect(scores, counts["r_equal"], counts["sentences"])
    return result


FAMILY = Family(
    "r",
    "R-mapping: repairs",
    "r",
    COUNTS,
    words="equal",
    words_differ="not scored: there is no repair",
)

_PER_ERROR = (
    "the fewest steps found that turn the parse into the gold tree; a step relabels, adds or removes a bracket, or "
    "moves neighboring nodes with all brackets that this makes right"
)

METRICS: tuple[Metric, ...] = (
    Metric(
        id="errors",
        title="Errors per sentence",
        family=FAMILY,
        columns=("sentences", "r_steps"),
        score=lambda counts: ratio(counts["r_steps"], counts["sentences"]),
        help=f"Errors per sentence: {_PER_ERROR}.",
        short="Errors",
        unit="per sentence",
        higher_is_better=False,
        place=Place(overview=True, reports=True),
    ),
    Metric(
        id="errors_per_100_words",
        title="Errors per 100 words",
        family=FAMILY,
        columns=("r_words", "r_steps"),
        score=lambda counts: ratio(100 * counts["r_steps"], counts["r_words"]),
        help=f"Errors per 100 scored words, which leave out punctuation if the preset deletes it: {_PER_ERROR}.",
        short="Errors / 100 w.",
        unit="per 100 words",
        higher_is_better=False,
        place=Place(variant_of="errors"),
    ),
    Metric(
        id="repair_similarity",
        title="Repair similarity",
        family=FAMILY,
        columns=("sentences", "r_steps", "r_matched", "r_equal"),
        score=_similarity,
        help="R-mapping: 1 − errors as a share of the errors and the brackets that gold tree and parse share, in %.",
        place=Place(reports=True),
    ),
)


TOO_LARGE = -1
"""The number of steps where a repair takes more work than the limit."""
_OPERATIONS = (Operation.MOVE, Operation.RELABEL, Operation.ADD, Operation.REMOVE)


class RepairCounts(Pass[TreeComparison]):
    """The R pass over a pair of treebanks."""

    family = FAMILY
    columns = COLUMNS
    metrics = METRICS

    def __init__(self, comparison: TreeComparison) -> None:
        pair = comparison.pair
        gold, test = pair.gold.treebank, pair.test.treebank
        self._columns = PairColumns.of(pair, comparison.preset)
        self.edits: dict[int, Edits] = {}  # The steps of the sentences with errors
        self._around: dict[int, tuple[Columns, Columns]] = {}  # What is around the steps that were searched
        # By sentence, the steps that are known and are not searched; None where there is no repair
        self.known: dict[int, Edits | None] = {}
        # The number of the step that settles each phrase, from 1, in the rows of the columns; 0 for none
        self._came = np.zeros(len(self._columns.gold), dtype=np.int32)
        self._went = np.zeros(len(self._columns.test), dtype=np.int32)
        same_length = (gold.n_words == test.n_words) & (gold.n_words > 0)
        self._is_refused = self._columns.ordered.refused
        self._compared = (pair.status == SentenceStatus.OK) & same_length
        self._n_words = gold.n_words.astype(np.int64)
        self._most = np.diff(self._columns.gold_offsets).astype(np.int32) + self._n_words
        self._counts = np.zeros((len(gold), len(COLUMNS) - 3), dtype=np.int32)

    @classmethod
    def prepare(cls, comparison: TreeComparison) -> Self:
        """Prepare the columns, and allocate the results."""
        return cls(comparison)

    @property
    def is_repaired(self) -> NDArray[np.bool_]:
        """The sentences with a repair."""
        result: NDArray[np.bool_] = self._compared & ~self._is_refused & ~self.too_large
        return result

    @property
    def unordered(self) -> NDArray[np.bool_]:
        """The sentences without a repair because the words have no order that it needs."""
        result: NDArray[np.bool_] = self._compared & self._is_refused
        return result

    @property
    def too_large(self) -> NDArray[np.bool_]:
        """The sentences whose repair was given up."""
        result: NDArray[np.bool_] = self._counts[:, 0] < 0
        return result

    @property
    def counts(self) -> NDArray[np.int32]:
        """The counts, in the order of :data:`COLUMNS`."""
        repaired = self.is_repaired
        steps = np.where(repaired, np.minimum(self._counts[:, 0], self._most), self._most)
        counts = np.where(repaired[:, np.newaxis], self._counts, 0)
        equal = repaired & (counts[:, 0] == 0)
        return np.column_stack((steps, counts, self._n_words, equal)).astype(np.int32)

    def undefined(self, column: str) -> NDArray[np.bool_] | None:
        """Return the sentences without a repair, for the counts of repairs."""
        if column == STEPS_OVER_ALL:
            return self._is_refused if self._is_refused.any() else None
        return ~self.is_repaired if column in _REPAIRED else None

    def run(self, first: int, last: int) -> None:
        """Repair the sentences ``first:last``; ranges may run in parallel threads."""
        pair = self._columns
        compared = self._compared[first:last] & ~self._is_refused[first:last]
        for sentence in (np.flatnonzero(compared) + first).tolist():
            row = self._counts[sentence]
            if sentence in self.known:
                edits = self.known[sentence]
            else:
                found = pair.search(sentence)
                edits = None if found is None else found.edits
                if found is not None:
                    gold, test = pair.rows(sentence)
                    self._came[gold], self._went[test] = found.came + 1, found.went + 1
                    self._around[sentence] = found.steps, found.parts
            if edits is None:
                row[0] = TOO_LARGE
                continue
            if edits:
                self.edits[sentence] = edits
            operations = [edit.operation for edit in edits]
            row[0], row[1] = len(edits), sum(edit.repaired for edit in edits)
            row[2:6] = [operations.count(operation) for operation in _OPERATIONS]
            # of G gold and T test brackets with M matches, G + T − 2M are repaired
            row[6] = (pair.n_brackets(sentence) - row[1]) // 2

    def settled(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return for each node of either tree the number of the step that settles it if it is wrong; 0 for none."""
        ordered = self._columns.ordered
        gold, test = (np.zeros(len(side.kind), dtype=np.int32) for side in (ordered.gold, ordered.test))
        gold[np.arange(len(gold))[ordered.gold_nodes][ordered.gold.kind == Kind.PHRASE]] = self._came
        test[np.arange(len(test))[ordered.test_nodes][ordered.test.kind != Kind.PRETERMINAL]] = self._went
        return gold, test

    def of_sentence(self, sentence: int) -> Edits | None:
        """Return the steps of a sentence, counted from 0; None without a repair."""
        return self.edits.get(sentence, ()) if self.is_repaired[sentence] else None

    def around(self) -> Around:
        """Return what is around the steps that were searched."""
        own = sorted((sentence, around) for sentence, around in self._around.items() if len(around[0]))
        sentences = np.repeat([sentence for sentence, _ in own], [len(steps) for _, (steps, _) in own])
        steps, parts = (
            np.concatenate([np.zeros((0, width), dtype=np.int64), *(around[at] for _, around in own)])
            for at, width in enumerate((_STEP, _PART))
        )
        return Around(sentences.astype(np.int64), steps, parts, self._columns.names, self._columns.ordered.orders)


Columns = NDArray[np.int64]

MAX_WORK = 200_000_000
"""Operations after which a repair is given up: about a second. The longest of GUM takes a hundredth of that."""
MAX_ROWS = 1_000_000
"""Maximum number of nodes of all the trees after the steps of a repair that is shown: some seconds."""
TOO_LONG = "There is no list of repairs: the trees are too long and too different to search one."
"""What is shown where the search is given up."""


class RepairTooLong(EvaltoolsError):
    """The search for a repair was given up."""


Key = tuple[str, int, int]
"""A bracket: label, first word, word after the last."""

_NO_TREE = Tree((), (), (), (), ())


class Bracket(Struct, frozen=True):
    """A label over a span of words, in the order of the words in which the tree is repaired."""

    label: str
    span: Span


class Part(Struct, frozen=True):
    """A node before a step."""

    label: str  # For a word its tag in the test tree, else in the gold tree, else its form
    span: Span
    is_word: bool = False


class RepairStep(Struct, frozen=True):
    """One step of the repair."""

    operation: Operation
    repaired: int  # Number of errors that the step removes
    # The bracket that gets a new label, is added or removed; for a move the bracket that the nodes leave.
    bracket: Bracket
    new_label: str | None = None  # The new label of a relabeling
    target: Bracket | None = None  # For a move: the bracket, as it was, that the nodes become children of
    moved: tuple[Part, ...] = ()  # For a move: the nodes that move, left to right
    added: Bracket | None = None  # A bracket that a move makes possible and that is added with it
    parent: str | None = None  # Label of the bracket's parent before the step, None at the top
    # Children of the bracket: before the step if it is removed, relabeled or left, after it if it is added.
    children: tuple[Part, ...] = ()
    siblings: tuple[Part, ...] = ()  # Of the bracket; for a move of the nodes, where they were and where they are then
    changed: tuple[Bracket, ...] = ()  # For a move: the brackets whose spans change, as they were
    # For an addition: label of the outermost other bracket over the same words, None if there is none.
    same_words: str | None = None
    # Where the words do not stand in the order of the sentence, their positions there: spans are over these.
    order: tuple[int, ...] | None = None
    tree: Tree = _NO_TREE  # The tree after the step; none unless a start tree is given


def words_in(span: Span, order: Sequence[int] | None) -> Sequence[int]:
    """Return the positions in the sentence of the words of a span, from left to right.

    Examples
    --------
    >>> words_in(Span(0, 2), None), words_in(Span(0, 2), (0, 2, 1))
    (range(0, 2), [0, 2])
    """
    return range(*span) if order is None else sorted(order[span.start : span.end])


def in_sentence(span: Span, order: Sequence[int] | None) -> tuple[Span, tuple[Span, ...]]:
    """Return where the words of a span begin and end in the sentence, and the gaps between them."""
    stretches = () if order is None else stretches_of(words_in(span, order))
    return (Span(stretches[0].start, stretches[-1].end), gaps_of(stretches)) if stretches else (span, ())


def errors(gold: Tree, test: Tree, classes: Mapping[str, str] = NO_CLASSES) -> tuple[Counter[Key], Counter[Key]]:
    """Return the extra and the missing phrase brackets of a test tree, with how often each occurs.

    `classes` has the class of each label that is equal to another one.

    Examples
    --------
    >>> gold, test = Tree.from_string("(S (NP (D the) (N dog)))"), Tree.from_string("(S (D the) (N dog))")
    >>> errors(gold, test)
    (Counter(), Counter({('NP', 0, 2): 1}))
    """
    gold_brackets, test_brackets = phrase_brackets(gold, classes), phrase_brackets(test, classes)
    return test_brackets - gold_brackets, gold_brackets - test_brackets


def phrase_brackets(tree: Tree, classes: Mapping[str, str] = NO_CLASSES) -> Counter[Key]:
    """Count the phrase brackets of a tree, by the classes of their labels."""
    phrases = (node for node, kind in enumerate(tree.kinds) if kind is Kind.PHRASE)
    return Counter((classes.get(tree.labels[node], tree.labels[node]), *tree.span(node)) for node in phrases)


def equal_phrases(gold: Tree, test: Tree, classes: Mapping[str, str] = NO_CLASSES) -> dict[int, int]:
    """Return the phrases of a gold tree that a test tree has, too, with their partners; of several the outermost.

    They are over the same words; nothing is to be repaired in them.

    Examples
    --------
    >>> gold, test = Tree.from_string("(S (NP (NP (N dogs))) (V bark))"), Tree.from_string("(S (NP (N dogs)) (V bark))")
    >>> [(gold.labels[node], gold.parents[node], partner) for node, partner in equal_phrases(gold, test).items()]
    [('S', -1, 5), ('NP', 6, 2)]
    """
    in_one_order = gold.positions == test.positions

    def key(tree: Tree, node: int) -> tuple[str, Span | frozenset[int]]:
        label = tree.labels[node]
        return classes.get(label, label), tree.span(node) if in_one_order else tree.yield_(node)

    left = defaultdict[object, list[int]](list)  # postorder: the outermost is the last
    for node, kind in enumerate(test.kinds):
        if kind is Kind.PHRASE:
            left[key(test, node)].append(node)
    pairs = {}
    for node in reversed(range(len(gold))):
        if gold.kinds[node] is Kind.PHRASE and (others := left[key(gold, node)]):
            pairs[node] = others.pop()
    return pairs


def repair(
    gold: Tree, test: Tree, classes: Mapping[str, str] = NO_CLASSES, edits: Edits | None = None
) -> list[RepairStep]:
    """Return the steps from a test tree to the gold tree, with the tree after each of them.

    The words of both trees stand in one order, as :func:`in_common_order` puts them; the spans are over that order.
    Labels of one class are equal; a node keeps its own. The steps are searched if the `edits` are not known.

    Examples
    --------
    A prepositional phrase one level too high:

    >>> gold = Tree.from_string("(S (NP (P she)) (VP (V ate) (NP (NP (N pasta)) (PP (I with) (NP (N cheese))))))")
    >>> test = Tree.from_string("(S (NP (P she)) (VP (V ate) (NP (N pasta)) (PP (I with) (NP (N cheese)))))")
    >>> [(str(step.operation), step.bracket.label, step.repaired) for step in repair(gold, test)]
    [('add', 'NP', 1)]

    It raises :class:`RepairTooLong` if it takes more than `MAX_WORK` operations, as in a run that is scored.
    """
    if len(gold.words) != len(test.words):
        raise ValueError(f"trees over {len(gold.words)} and {len(test.words)} words cannot be repaired")
    if gold.positions != test.positions:
        raise ValueError("trees with words in different orders cannot be repaired")
    order = test.positions or range(len(test.words))
    numbers: dict[str, int] = {}

    def number(label: str) -> int:
        return numbers.setdefault(label, len(numbers))

    def class_of(label: str) -> int:
        return number(classes.get(label, label))

    brackets = [
        (class_of(label), *gold.span(node), number(label))
        for node, (label, kind) in enumerate(zip(gold.labels, gold.kinds, strict=True))
        if kind is Kind.PHRASE
    ]
    indices: list[int] = []  # The row of each test node; a tag and its word share one
    rows: list[list[int]] = []
    for node, kind in enumerate(test.kinds):
        if kind is not Kind.PRETERMINAL:
            start, end = test.span(node)
            label = test.labels[node]
            if kind is Kind.WORD:
                label = test.tag(order[start]) or gold.tag(order[start]) or label
            rows.append([class_of(label), start, end, -1, int(kind is Kind.WORD), number(label)])
        indices.append(len(rows) - 1)
    for node, parent in enumerate(test.parents):
        if parent >= 0 and test.kinds[parent] is not Kind.PRETERMINAL:
            rows[indices[node]][3] = indices[parent]
    labels = list(numbers)
    if edits is None:
        found, *_ = _search(_columns(brackets, 4), _columns(rows, 6), len(test.words))
        edits = tuple(_edit(row, labels) for row in found.tolist())
    if len(edits) * len(rows) > MAX_ROWS:
        raise RepairTooLong(TOO_LONG)
    return list(_replayed(edits, brackets, rows, labels, test.positions, test))


OPERATIONS = (Operation.RELABEL, Operation.MOVE, Operation.ADD, Operation.REMOVE)
"""In the order of the kernel's numbers."""

_NO_LABEL = -1
"""``TOP`` of the kernel."""


def _edit(row: Sequence[int], names: Sequence[str]) -> Edit:
    """Return a row of the kernel with the name of its label."""
    operation, repaired, node, last, target, after, name, parent, before, size, start, end = row
    label = None if name == _NO_LABEL else names[name]
    return Edit(OPERATIONS[operation], repaired, node, last, target, after, label, parent, before, size, start, end)


def _search(gold: Columns, test: Columns, n_words: int) -> tuple[Columns, ...]:
    """Search the steps of a sentence; return them, and which of them settles each row, as the kernel does."""
    from evaltools.kernels.repair import repair_steps

    work = np.array([0, MAX_WORK], dtype=np.int64)
    found: tuple[Columns, ...] = repair_steps(gold, test, n_words, work)
    if work[0] > work[1]:
        raise RepairTooLong(TOO_LONG)
    return found


def _columns(rows: Sequence[Sequence[int]], width: int) -> Columns:
    return np.array(rows, dtype=np.int64).reshape(-1, width)


@dataclass(slots=True, eq=False)
class _Node:
    """A node of a tree that is being repaired."""

    label: str
    compared: int  # Class of the label
    span: Span
    is_word: bool = False
    parent: _Node | None = None
    children: list[_Node] = field(default_factory=list)

    @property
    def part(self) -> Part:
        return Part(self.label, self.span, self.is_word)

    @property
    def bracket(self) -> Bracket:
        return Bracket(self.label, self.span)

    @property
    def parent_label(self) -> str | None:
        """Label of the parent; None at the top."""
        return None if self.parent is None or self.parent.parent is None else self.parent.label

    @property
    def ancestors(self) -> Iterator[_Node]:
        """The nodes above it, from its parent to the top."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    def adopt(self, nodes: Sequence[_Node], at: int) -> None:
        """Put nodes among the children."""
        self.children[at:at] = nodes
        for node in nodes:
            node.parent = self


def _parts(nodes: Iterable[_Node]) -> tuple[Part, ...]:
    return tuple(node.part for node in nodes)


def _replayed(
    edits: Iterable[Edit],
    gold: Iterable[Sequence[int]],
    test: Iterable[Sequence[int]],
    names: Sequence[str],
    order: tuple[int, ...] | None,
    tree: Tree | None = None,
) -> Iterator[RepairStep]:
    """Yield the steps that edits do to a test tree, given in the columns of the kernel.

    Of `tree`, the test tree, are the tags and words of the trees after the steps; without it there are none.
    """
    top = _Node("", -1, Span(0, 0))
    nodes = [top]
    parents = []
    classes = {names[row[3]]: row[0] for row in gold}
    for compared, start, end, parent, is_word, name in test:
        nodes.append(_Node(names[name], compared, Span(start, end), is_word == 1))
        parents.append(parent + 1)
    for node, parent in zip(nodes[1:], parents, strict=True):
        nodes[parent].adopt([node], len(nodes[parent].children))
    top.span = Span(0, sum(node.is_word for node in nodes))
    for edit in edits:
        if edit.operation is Operation.MOVE:
            step = _moved(nodes, edit, classes)
        elif edit.operation is Operation.ADD:
            step = _around(_added(nodes, edit, classes), edit)
        else:
            node = nodes[edit.node]
            step = _around(node, edit)
            if edit.label is not None:
                node.label, node.compared = edit.label, classes[edit.label]
            else:
                _drop(node)
        yield replace(step, order=order, tree=_NO_TREE if tree is None else _tree(top, tree))


def _around(node: _Node, edit: Edit) -> RepairStep:
    """Return a step that is about one bracket, with what is around it."""
    assert node.parent is not None
    same_words = None
    if edit.operation is Operation.ADD and node.span.start < node.span.end:
        brackets = (other for other in (*node.children, *node.ancestors) if not other.is_word and other.parent)
        for other in brackets:
            same_words = other.label if other.span == node.span else same_words
    return RepairStep(
        edit.operation,
        edit.repaired,
        node.bracket,
        new_label=edit.label if edit.operation is Operation.RELABEL else None,
        parent=node.parent_label,
        children=_parts(node.children),
        siblings=_parts(other for other in node.parent.children if other is not node),
        same_words=same_words,
    )


def _added(nodes: list[_Node], edit: Edit, classes: Mapping[str, int]) -> _Node:
    """Add a bracket."""
    assert edit.label is not None
    parent, new = nodes[edit.parent], _Node(edit.label, classes[edit.label], Span(edit.start, edit.end))
    at = parent.children.index(nodes[edit.before]) + 1 if edit.before >= 0 else 0
    inside = parent.children[at : at + edit.size]
    parent.children[at : at + edit.size] = []
    new.adopt(inside, 0)
    parent.adopt([new], at)
    nodes.append(new)
    return new


def _drop(node: _Node) -> None:
    """Remove a bracket; its children take its place."""
    assert node.parent is not None
    at = node.parent.children.index(node)
    del node.parent.children[at]
    node.parent.adopt(node.children, at)


def _moved(nodes: list[_Node], edit: Edit, classes: Mapping[str, int]) -> RepairStep:
    """Move neighboring children of a node, merge an only child of its label with it, and add the bracket if any."""
    first, last, target = nodes[edit.node], nodes[edit.last], nodes[edit.target]
    source = first.parent
    assert source is not None
    children = source.children
    begin, end = children.index(first), children.index(last) + 1
    is_at_end = end == len(children)
    moved = children[begin:end]
    at = target.children.index(nodes[edit.after]) + 1 if edit.after >= 0 else 0
    left, entered = _changed(source, target)
    step = RepairStep(
        edit.operation,
        edit.repaired,
        source.bracket,
        target=target.bracket,
        moved=_parts(moved),
        parent=source.parent_label,
        children=_parts(children),
        siblings=_parts((*_beside(children, begin, end), *_beside(target.children, at, at))),
        changed=tuple(node.bracket for node in (*left, *entered)),
    )
    words = Span(first.span.start, last.span.end)
    for node in left:
        node.span = Span(node.span.start, words.start) if is_at_end else Span(words.end, node.span.end)
    for node in entered:
        is_before = node.span.end <= words.start
        node.span = Span(node.span.start, words.end) if is_before else Span(words.start, node.span.end)
    del children[begin:end]
    target.adopt(moved, target.children.index(nodes[edit.after]) + 1 if edit.after >= 0 else 0)
    if len(children) == 1 and not children[0].is_word and children[0].compared == source.compared:
        _drop(children[0])
    return step if edit.label is None else replace(step, added=_added(nodes, edit, classes).bracket)


def _beside(children: Sequence[_Node], begin: int, end: int) -> tuple[_Node, ...]:
    """Return the children beside some of them."""
    return (*children[max(begin - 1, 0) : begin], *children[end : end + 1])


def _changed(source: _Node, target: _Node) -> tuple[list[_Node], list[_Node]]:
    """Return the brackets that lose what moves, from below, and those that it comes into, from above."""
    left, entered = [source, *source.ancestors], [target, *target.ancestors]
    while left and entered and left[-1] is entered[-1]:
        left.pop()
        entered.pop()
    return left, entered[::-1]


def _tree(top: _Node, test: Tree) -> Tree:
    """Return the tree below the top, its words with the tags of the test tree."""
    ordered: list[_Node] = []
    waiting = list(top.children)
    while waiting:
        node = waiting.pop()
        ordered.append(node)
        waiting += node.children
    labels: list[str] = []
    kinds: list[Kind] = []
    spans: list[Span] = []
    parents: list[int] = []
    indices: dict[int, int] = {}  # The topmost node of each
    order = test.positions or range(len(test.words))
    for node in reversed(ordered):  # postorder
        names = [(node.label, Kind.PHRASE)]
        if node.is_word:
            word = order[node.span.start]
            names = [(test.words[word], Kind.WORD)]
            if (tag := test.tag(word)) is not None:
                names.append((tag, Kind.PRETERMINAL))
        for name, kind in names:
            labels.append(name)
            kinds.append(kind)
            spans.append(node.span)
            parents.append(len(labels))  # of a word below a tag; the others are set below
        indices[id(node)] = len(labels) - 1
    for node in ordered:
        parents[indices[id(node)]] = indices.get(id(node.parent), -1)
    starts, ends = (tuple(span[side] for span in spans) for side in (0, 1))
    return Tree(tuple(labels), tuple(parents), starts, ends, tuple(kinds), test.positions)


_STEP, _PART = 17, 4
"""Columns of the kernel."""


class Around(NamedTuple):
    """What is around the steps of a corpus."""

    sentences: NDArray[np.int64]  # Of each step, counted from 0
    steps: Columns
    parts: Columns
    names: Sequence[str]
    orders: Mapping[int, tuple[int, ...]]  # By sentence, of words that do not stand as in the sentence

    @classmethod
    def of(cls, steps: Sequence[RepairStep]) -> Around:
        """Return what is around some steps, all of one sentence."""
        names: dict[str, int] = {}

        def name(label: str | None) -> int:
            return _NO_LABEL if label is None else names.setdefault(label, len(names))

        rows: list[Sequence[int]] = []
        parts: list[Sequence[int]] = []
        for step in steps:
            own, target, added = (
                (_NO_LABEL, -1, -1) if bracket is None else (name(bracket.label), *bracket.span)
                for bracket in (step.bracket, step.target, step.added)
            )
            around = (step.moved, step.children, step.siblings)
            ends = (name(step.parent), *map(len, around), name(step.same_words))
            rows.append(
                (OPERATIONS.index(step.operation), step.repaired, *own, name(step.new_label), *target, *added, *ends)
            )
            parts += [(name(part.label), *part.span, int(part.is_word)) for side in around for part in side]
        sentences = np.zeros(len(steps), dtype=np.int64)
        return cls(sentences, _columns(rows, _STEP), _columns(parts, _PART), list(names), {})

    def named(self) -> Iterator[RepairStep]:
        """Yield the steps, without the brackets that a move changes and the trees after them."""
        names = self.names

        def label(number: int) -> str | None:
            return None if number == _NO_LABEL else names[number]

        def bracket(number: int, start: int, end: int) -> Bracket:
            return Bracket(label(number) or "", Span(start, end))

        parts = iter(self.parts.tolist())
        for sentence, row in zip(self.sentences.tolist(), self.steps.tolist(), strict=True):
            moved, children, siblings = (
                tuple(
                    Part(names[number], Span(start, end), word == 1) for number, start, end, word in islice(parts, size)
                )
                for size in row[13:16]
            )
            operation = OPERATIONS[row[0]]
            yield RepairStep(
                operation,
                row[1],
                bracket(*row[2:5]),
                new_label=label(row[5]),
                target=bracket(*row[6:9]) if operation is Operation.MOVE else None,
                moved=moved,
                added=bracket(*row[9:12]) if row[11] >= 0 else None,
                parent=label(row[12]),
                children=children,
                siblings=siblings,
                same_words=label(row[16]),
                order=self.orders.get(sentence),
            )


class Found(NamedTuple):
    """The steps of a sentence that were searched."""

    edits: Edits
    came: NDArray[np.int64]  # The last step that makes each gold phrase, -1 for none
    went: NDArray[np.int64]  # The first step that changes or removes each test phrase, -1 for none
    steps: Columns  # What is around the steps, in the columns of the kernel
    parts: Columns  # The nodes around them


@dataclass(frozen=True)
class PairColumns:
    """Two corpora as the kernel takes them, sentences with discontinuous constituents in an order of their own."""

    gold: Columns  # Class of the label, start, end and label of the gold phrases
    # Class of the label, start, end, parent, whether it is a word, and label of the test phrases and words
    test: Columns
    gold_offsets: NDArray[np.int64]  # First row of each sentence
    test_offsets: NDArray[np.int64]
    n_words: NDArray[Any]
    names: Sequence[str]  # The labels, and after them the forms of words without a tag; none where not needed
    ordered: OrderedPair

    def n_brackets(self, sentence: int) -> int:
        """Return the number of phrases of both trees of a sentence."""
        gold, test = self._rows(sentence)
        return len(gold) + len(test) - int(self.n_words[sentence])

    @classmethod
    def of(cls, pair: Pair, preset: Preset) -> PairColumns:
        """Return the columns of a normalized pair, with names."""
        ordered = OrderedPair.of(pair)
        gold, test = ordered.gold, ordered.test
        labels, words = (table.strings() for table in (gold.vocabulary.labels, gold.vocabulary.words))
        classes = label_classes(gold.vocabulary.labels, preset)
        if not preset.labelled:
            classes[:] = 0
        names = [side.label.astype(np.int64) for side in (gold, test)]
        is_word = test.kind == Kind.WORD
        names[1][is_word] = _word_labels(gold, test, names[1][is_word] + len(labels))
        numbers = [number.copy() for number in names]
        for number, side in zip(numbers, (gold, test), strict=True):
            is_phrase = side.kind == Kind.PHRASE
            number[is_phrase] = classes[number[is_phrase]]
        return cls._in_order(ordered, (numbers[0], numbers[1]), (names[0], names[1]), [*labels, *words])

    @classmethod
    def _in_order(
        cls,
        ordered: OrderedPair,
        labels: tuple[NDArray[Any], NDArray[Any]],
        names: tuple[NDArray[Any], NDArray[Any]],
        strings: Sequence[str],
    ) -> PairColumns:
        gold, test = ordered.gold, ordered.test
        is_phrase = gold.kind == Kind.PHRASE
        brackets = np.column_stack((labels[0], gold.start, gold.end, names[0]))

        sentence, parent = node_positions(test)
        has_row = test.kind != Kind.PRETERMINAL
        row = np.cumsum(has_row) - 1  # of a tag that of its word, which stands right before it
        offsets = np.concatenate(([0], np.cumsum(has_row)))[test.offsets]
        tagged = has_row & (parent >= 0) & (test.kind[parent] == Kind.PRETERMINAL)
        parent = np.where(tagged, parent[parent], parent)
        is_word = test.kind == Kind.WORD
        parent_row = np.where(parent >= 0, row[parent] - offsets[sentence], -1)
        rows = np.column_stack((labels[1], test.start, test.end, parent_row, is_word, names[1]))
        return cls(
            brackets[is_phrase].astype(np.int64),
            rows[has_row].astype(np.int64),
            np.concatenate(([0], np.cumsum(is_phrase)))[gold.offsets],
            offsets,
            test.n_words,
            strings,
            ordered,
        )

    def search(self, sentence: int) -> Found | None:
        """Search the steps of a sentence, counted from 0; None if it takes too long."""
        try:
            edits, *found = _search(*self._rows(sentence), int(self.n_words[sentence]))
        except RepairTooLong:
            return None
        return Found(tuple(_edit(row, self.names) for row in edits.tolist()), *found)

    def steps(self, sentence: int, edits: Iterable[Edit]) -> list[RepairStep]:
        """Return the steps of a sentence without the trees after them."""
        gold, test = self._rows(sentence)
        order = self.ordered.orders.get(sentence)
        return list(_replayed(edits, gold.tolist(), test.tolist(), self.names, order))

    def _rows(self, sentence: int) -> tuple[Columns, Columns]:
        gold, test = self.rows(sentence)
        return self.gold[gold], self.test[test]

    def rows(self, sentence: int) -> tuple[slice, slice]:
        """Return which rows are those of a sentence."""
        gold, test = (slice(*offsets[sentence : sentence + 2]) for offsets in (self.gold_offsets, self.test_offsets))
        return gold, test


def _word_labels(gold: Treebank, test: Treebank, forms: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the label of every test word: its tag, else the gold tag at its position, else its form."""
    sentence = np.repeat(np.arange(len(test)), test.n_words)
    position = np.arange(len(sentence)) - word_offsets(test)[sentence]
    in_gold = position < gold.n_words[sentence]
    gold_tags = np.append(_tags(gold), -1)[np.where(in_gold, word_offsets(gold)[sentence] + position, -1)]
    tags = _tags(test)
    return np.where(tags >= 0, tags, np.where(gold_tags >= 0, gold_tags, forms))


def _tags(treebank: Treebank) -> NDArray[np.int64]:
    """Return the tag of every word, -1 where it has none or an empty one."""
    tags = word_tags(treebank)
    return np.where(tags == treebank.vocabulary.labels.find(""), -1, tags)


NO_ORDER = "There is no list of repairs: in no order of the words are the constituents of both trees continuous."
"""Why a sentence has no repairs although its words are the same in both trees."""


@dataclass(frozen=True, slots=True)
class OrderedTrees:
    """Two trees whose words stand in one order, in which all their phrases are continuous."""

    gold: Tree
    test: Tree
    gold_nodes: Sequence[int]  # For each node its number in the tree as it was
    test_nodes: Sequence[int]


def in_common_order(gold: Tree, test: Tree) -> OrderedTrees | None:
    """Return two trees over the same words with these in one order, in which phrases are continuous; None without one.

    Examples
    --------
    >>> gold = Tree.from_string("(S (VP (V 0=is) (A 2=rich)) (N 1=John))", "discbracket")
    >>> ordered = in_common_order(gold, Tree.from_string("(S (V is) (N John) (A rich))"))
    >>> ordered.gold.positions == ordered.test.positions == (0, 2, 1)
    True
    """
    if gold.is_continuous and test.is_continuous:
        return OrderedTrees(gold, test, range(len(gold)), range(len(test)))
    order = common_order(len(gold.words), *(_word_sets(tree.parents, *_words_of(tree)) for tree in (gold, test)))
    if order is None:
        return None
    (new_gold, gold_nodes), (new_test, test_nodes) = (tree.reordered(order) for tree in (gold, test))
    return OrderedTrees(new_gold, new_test, gold_nodes, test_nodes)


def _words_of(tree: Tree) -> tuple[Sequence[int], Sequence[int]]:
    """Return the kinds of the nodes, and the position of each that is a word."""
    positions = [-1] * len(tree)
    for position, node in enumerate(tree.word_nodes):
        positions[node] = position
    return tree.kinds, positions


def _word_sets(parents: Sequence[int], kinds: Sequence[int], positions: Sequence[int]) -> Iterator[int]:
    """Yield the words of each phrase of a tree that has several."""
    words = [1 << position if kind == Kind.WORD else 0 for kind, position in zip(kinds, positions, strict=True)]
    for node, (parent, kind) in enumerate(zip(parents, kinds, strict=True)):
        own = words[node]  # complete: children stand before their parent
        if parent >= 0:
            words[parent] |= own
        if kind == Kind.PHRASE and own & (own - 1):
            yield own


@dataclass(frozen=True, slots=True)
class OrderedPair:
    """The treebanks of a pair, with the words of discontinuous sentences in an order in which both are continuous.

    Sentences without such an order, and those that are not compared word by word, are as they were.
    """

    gold: Treebank
    test: Treebank
    gold_nodes: NDArray[Any] | slice  # For each node its index in the treebank of the pair
    test_nodes: NDArray[Any] | slice
    orders: Mapping[int, tuple[int, ...]]  # For sentences in such an order, the positions of their words
    refused: NDArray[np.bool_]  # The sentences that have the same words and no such order

    @classmethod
    def of(cls, pair: Pair) -> OrderedPair:
        """Find the orders of the sentences that have the same words in both trees."""
        gold, test = pair.gold.treebank, pair.test.treebank
        refused = np.zeros(len(gold), dtype=np.bool_)
        chosen = np.flatnonzero(pair.discontinuous & (pair.status == SentenceStatus.OK)).tolist()
        if not chosen:
            return cls(gold, test, slice(None), slice(None), {}, refused)
        orders: dict[int, tuple[int, ...]] = {}
        n_words = gold.n_words
        for sentence in chosen:
            order = common_order(int(n_words[sentence]), *(_sets_of(side, sentence) for side in (gold, test)))
            if order is None:
                refused[sentence] = True
            else:
                orders[sentence] = order
        (gold, gold_nodes), (test, test_nodes) = (_reordered(side, orders) for side in (gold, test))
        return cls(gold, test, gold_nodes, test_nodes, orders, refused)


def _positions(treebank: Treebank) -> NDArray[np.int32]:
    """Return the position of each word in its sentence, -1 for other nodes."""
    if treebank.position is not None:
        return treebank.position.copy()
    return np.where(treebank.kind == Kind.WORD, treebank.start, np.int32(-1)).astype(np.int32)


def _sets_of(treebank: Treebank, sentence: int) -> Iterator[int]:
    nodes = slice(int(treebank.offsets[sentence]), int(treebank.offsets[sentence + 1]))
    positions = treebank.start if treebank.position is None else treebank.position
    columns = (column[nodes].tolist() for column in (treebank.parent, treebank.kind, positions))
    return _word_sets(*columns)


def _reordered(treebank: Treebank, orders: Mapping[int, tuple[int, ...]]) -> tuple[Treebank, NDArray[np.int64]]:
    """Return a treebank in which the words of some sentences stand in another order, and where each node was."""
    position = _positions(treebank)
    for sentence, order in orders.items():
        nodes = slice(int(treebank.offsets[sentence]), int(treebank.offsets[sentence + 1]))
        own = position[nodes]
        ranks = np.empty(len(order), dtype=np.int32)
        ranks[list(order)] = np.arange(len(order), dtype=np.int32)
        position[nodes] = np.where(own >= 0, ranks[own], own)
    result, before = arranged(treebank, position)
    return result, np.repeat(treebank.offsets[:-1], np.diff(treebank.offsets)) + before

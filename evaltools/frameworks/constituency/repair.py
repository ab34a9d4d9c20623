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

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import pairwise
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Kind, Span, Tree, Treebank, Vocabulary
from evaltools.corpus.stretches import gaps_of, stretches_of
from evaltools.corpus.vocabulary import StringTable
from evaltools.errors import RunError
from evaltools.frameworks.common.columns import SentenceStatus, node_positions
from evaltools.frameworks.common.lineages import NO_CLASSES
from evaltools.frameworks.constituency.common_order import common_order
from evaltools.frameworks.constituency.normalization import (
    Pair,
    TreeComparison,
    label_classes,
    normalize_pair,
    word_offsets,
)
from evaltools.frameworks.metric import Count, Counts, Family, Metric, Place, or_perfect, ratio
from evaltools.frameworks.passes import Pass
from evaltools.frameworks.presets import Preset, load_preset
from evaltools.frameworks.presets.filtering import arranged
from evaltools.marks import Status

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
    papers=("kummerfeld-2012",),
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


Columns = NDArray[np.int64]


class Operation(StrEnum):
    """What a step does."""

    RELABEL = "relabel"
    MOVE = "move"
    ADD = "add"
    REMOVE = "remove"

    @property
    def status(self) -> Status:
        """Status of what it repairs: a bracket to add is missing, one to remove is spurious."""
        return _STATUS[self]


_STATUS = {
    Operation.RELABEL: Status.RELABELED,
    Operation.MOVE: Status.MOVED,
    Operation.ADD: Status.MISSING,
    Operation.REMOVE: Status.SPURIOUS,
}

OPERATIONS = tuple(Operation)
"""In the order of the kernel's numbers."""

NO_EDITS: Columns = np.zeros((0, 8), dtype=np.int64)
"""No known steps, in the columns of the kernel."""


def edit_text(edit: Sequence[int]) -> str:
    """Return a step as it is stored, for :func:`edits_of`."""
    return " ".join(map(str, edit))


def edits_of(texts: Sequence[str]) -> Columns:
    """Return stored steps.

    Examples
    --------
    >>> edits_of([edit_text((2, 0, 3, 1, -1, -1, -1, -1))]).tolist()
    [[2, 0, 3, 1, -1, -1, -1, -1]]
    """
    return np.array([text.split() for text in texts], dtype=np.int64).reshape(-1, NO_EDITS.shape[1])


N = TypeVar("N")


class StepRow(NamedTuple, Generic[N]):
    """A step and what is around it, in the kernel's order; labels are numbers, and what there is not is -1."""

    operation: N
    repaired: N
    label: N  # The bracket
    start: N
    end: N
    new_label: N  # Of a bracket that gets another one
    target: N  # The new parent of what moves
    target_start: N
    target_end: N
    added: N  # The bracket that is added with a move
    added_start: N
    added_end: N
    parent: N  # The label of the bracket's parent
    n_moved: N  # How many nodes around it are listed of each kind
    n_children: N
    n_siblings: N
    same_words: N  # Of a bracket that is added, the outermost of the others over the same words


@dataclass(frozen=True, eq=False)
class Nodes:
    """Nodes of steps: those of a step are neighbors in `labels`."""

    labels: Columns  # Of all nodes
    are_words: NDArray[np.bool_]
    number: Columns  # By step

    def count(self, of: NDArray[np.bool_]) -> Columns:
        """Return of how many nodes of each step something holds."""
        before, ends = np.append(0, np.cumsum(of)), np.cumsum(self.number)
        counts: Columns = before[ends] - before[ends - self.number]
        return counts

    @property
    def n_words(self) -> Columns:
        """How many nodes of each step are words."""
        return self.count(self.are_words)

    @property
    def first(self) -> Columns:
        """The label of the first node of each step, -1 for none."""
        return self._labels_at(np.cumsum(self.number) - self.number)

    @property
    def last(self) -> Columns:
        """The label of the last node of each step, -1 for none."""
        return self._labels_at(np.cumsum(self.number) - 1)

    def _labels_at(self, at: Columns) -> Columns:
        labels: Columns = np.append(self.labels, -1)[np.where(self.number > 0, at, -1)]
        return labels


@dataclass(frozen=True, eq=False)
class Steps:
    """Steps of repairs."""

    sentences: Columns  # Of each step, counted from 0
    edits: Columns  # The steps as the kernel takes them
    rows: Columns  # The steps with what is around them: the columns of `StepRow`
    # The nodes around them: of each step those that move, then children, then siblings. Of each the number of its
    # label, where it begins and ends, and whether it is a word.
    parts: Columns
    names: Sequence[str]  # The labels by their numbers
    orders: Mapping[int, tuple[int, ...]]  # By sentence, of words that do not stand as in the sentence

    @cached_property
    def columns(self) -> StepRow[Columns]:
        """The steps as columns."""
        return StepRow(*self.rows.T)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.names)}

    def is_in(self, labels: Collection[str]) -> NDArray[np.bool_]:
        """Return for each number of a label whether it is one of some labels; the last one, -1, is not."""
        result = np.zeros(len(self.names) + 1, dtype=np.bool_)
        result[[self._numbers[label] for label in labels if label in self._numbers]] = True
        return result

    def _parts(self, kind: int) -> Columns:
        kinds = np.repeat(np.tile(np.arange(3), len(self.rows)), self.rows[:, 13:16].ravel())
        parts: Columns = self.parts[kinds == kind]
        return parts

    def _nodes(self, kind: int) -> Nodes:
        own = self._parts(kind)
        return Nodes(own[:, 0], own[:, 3] == 1, self.rows[:, 13 + kind])

    @cached_property
    def moved(self) -> Nodes:
        """The nodes that move."""
        return self._nodes(0)

    @cached_property
    def children(self) -> Nodes:
        """The children of the bracket: before the step if it is removed, relabeled or left, after it if it is added."""
        return self._nodes(1)

    @cached_property
    def siblings(self) -> Nodes:
        """Siblings of the bracket; for a move of the nodes, where they were and where they are then."""
        return self._nodes(2)

    @cached_property
    def seen(self) -> Nodes:
        """The children, or of an added bracket the outermost of those over the same words."""
        children, other = self.children, self.columns.same_words
        number = np.where(other < 0, children.number, 1)
        is_other, is_kept = np.repeat(other >= 0, number), np.repeat(other < 0, children.number)
        labels, are_words = np.zeros(len(is_other), dtype=np.int64), np.zeros(len(is_other), dtype=np.bool_)
        labels[is_other], labels[~is_other] = other[other >= 0], children.labels[is_kept]
        are_words[~is_other] = children.are_words[is_kept]
        return Nodes(labels, are_words, number)

    @cached_property
    def right_sibling(self) -> Columns:
        """The label of the next node to the right of the bracket."""
        siblings = self.siblings
        steps = np.repeat(np.arange(len(self.rows)), siblings.number)
        at = np.flatnonzero((self._parts(2)[:, 1] >= self.columns.end[steps]) & ~self.is_move[steps])
        step, first = np.unique(steps[at], return_index=True)
        right = np.full(len(self.rows), -1, dtype=np.int64)
        right[step] = siblings.labels[at[first]]
        return right

    @property
    def is_move(self) -> NDArray[np.bool_]:
        """Which steps are moves."""
        moves: NDArray[np.bool_] = self.columns.operation == OPERATIONS.index(Operation.MOVE)
        return moves


@dataclass(frozen=True, eq=False)
class Repairs:
    """The repair of a pair of trees over the same words."""

    steps: Steps
    gold: tuple[int, ...]  # For each node the number of the step that settles it if it is wrong, from 1; 0 for none
    test: tuple[int, ...]
    order: tuple[int, ...] | None  # The words in an order in which both trees are continuous, if one of them is not
    problem: str  # Why there are no steps although the trees differ; empty if there are


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


MAX_WORK = 200_000_000
"""Operations after which a repair is given up: about a second. The longest of GUM takes a hundredth of that."""
UNORDERED = "in no order of their words are the constituents of both trees continuous"
TOO_LONG = "they are too long and too different to search a repair"
"""Why sentences have no repairs."""
_COUNTED = [OPERATIONS.index(name) for name in (Operation.MOVE, Operation.RELABEL, Operation.ADD, Operation.REMOVE)]


class RepairCounts(Pass[TreeComparison]):
    """The R pass over a pair of treebanks."""

    family = FAMILY
    columns = COLUMNS
    metrics = METRICS

    def __init__(self, comparison: TreeComparison) -> None:
        pair = comparison.pair
        gold, test = pair.gold.treebank, pair.test.treebank
        self._columns = PairColumns.of(pair, comparison.preset)
        # By sentence the steps that are known, so that they are not searched; None where there is no repair
        self.known: dict[int, Columns | None] = {}
        # By sentence with errors the steps, what is around them, and the nodes there
        self._results: dict[int, tuple[Columns, Columns, Columns]] = {}
        # The number of the step that settles each phrase, in the rows of the columns; -1 for none
        self._settled_gold = np.full(len(self._columns.gold), -1, dtype=np.int32)
        self._settled_test = np.full(len(self._columns.test), -1, dtype=np.int32)
        self._n_words = gold.n_words.astype(np.int64)
        self._is_refused = self._columns.ordered.refused
        self._compared = (pair.status == SentenceStatus.OK) & (self._n_words == test.n_words) & (self._n_words > 0)
        n_gold, n_test = np.diff(self._columns.gold_offsets), np.diff(self._columns.test_offsets)
        self._n_brackets = n_gold + n_test - self._n_words  # The rows of the test are its words, too
        self._most = n_gold + self._n_words
        self.too_large = np.zeros(len(gold), dtype=np.bool_)  # The sentences whose repair was given up

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
    def counts(self) -> NDArray[np.int32]:
        """The counts, in the order of :data:`COLUMNS`."""
        repaired, found = self.is_repaired, self.steps()
        sentences, operation = found.sentences, found.columns.operation
        n = len(repaired)
        by_operation = [np.bincount(sentences[operation == number], minlength=n) for number in _COUNTED]
        steps = np.sum(by_operation, axis=0)
        corrected = np.bincount(sentences, found.columns.repaired, n)
        # of G gold and T test brackets with M matches, G + T − 2M are repaired
        matched = np.where(repaired, self._n_brackets - corrected, 0) // 2
        over_all = np.where(repaired, np.minimum(steps, self._most), self._most)
        equal = repaired & (steps == 0)
        counts = over_all, steps, corrected, *by_operation, matched, self._n_words, equal
        return np.column_stack(counts).astype(np.int32)

    def undefined(self, column: str) -> NDArray[np.bool_] | None:
        """Return the sentences without a repair, for the counts of repairs."""
        if column == STEPS_OVER_ALL:
            return self._is_refused if self._is_refused.any() else None
        return ~self.is_repaired if column in _REPAIRED else None

    def run(self, first: int, last: int) -> None:
        """Repair the sentences ``first:last``; ranges may run in parallel threads."""
        from evaltools.kernels.repair import repair_steps

        columns, work = self._columns, np.array([0, MAX_WORK], dtype=np.int64)
        compared = self._compared[first:last] & ~self._is_refused[first:last]
        for sentence in (np.flatnonzero(compared) + first).tolist():
            known = self.known.get(sentence, NO_EDITS)
            if known is None:
                self.too_large[sentence] = True
                continue
            gold, test = columns.rows[sentence]
            work[0] = 0
            edits, settled_gold, settled_test, *around, _ = repair_steps(
                columns.gold[gold], columns.test[test], self._n_words[sentence], known, work
            )
            if work[0] < 0:
                raise RunError("a repair in the table errors of the run does not match its tree")
            self.too_large[sentence] = work[0] > work[1]
            if not self.too_large[sentence] and len(edits):
                self._settled_gold[gold], self._settled_test[test] = settled_gold, settled_test
                self._results[sentence] = edits, *around

    def settled(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return for each node of either tree the number of the step that settles it if it is wrong; 0 for none."""
        ordered = self._columns.ordered
        gold, test = (np.zeros(len(side.kind), dtype=np.int32) for side in (ordered.gold, ordered.test))
        gold[np.arange(len(gold))[ordered.gold_nodes][ordered.gold.kind == Kind.PHRASE]] = self._settled_gold + 1
        test[np.arange(len(test))[ordered.test_nodes][ordered.test.kind != Kind.PRETERMINAL]] = self._settled_test + 1
        return gold, test

    def steps(self) -> Steps:
        """Return all steps."""
        by_sentence = dict(sorted(self._results.items()))
        none = NO_EDITS, np.zeros((0, 17), np.int64), np.zeros((0, 4), np.int64)
        sentences = np.repeat(list(by_sentence), [len(edits) for edits, *_ in by_sentence.values()])
        edits, rows, parts = map(np.concatenate, zip(none, *by_sentence.values(), strict=True))
        names, orders = self._columns.names, self._columns.ordered.orders
        return Steps(sentences.astype(np.int64), edits, rows, parts, names, orders)

    def of_pair(self) -> Repairs | None:
        """Return the repair of the first sentence; None if the words of its trees differ."""
        if not self._compared[0]:
            return None
        gold, test = (tuple(side.tolist()) for side in self.settled())
        problem = UNORDERED if self._is_refused[0] else TOO_LONG if self.too_large[0] else ""
        return Repairs(self.steps(), gold, test, self._columns.ordered.orders.get(0), problem)


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


@dataclass(frozen=True)
class PairColumns:
    """Two corpora as the kernel takes them, sentences with discontinuous constituents in an order of their own."""

    gold: Columns  # Class of the label, start, end and label of the gold phrases
    # Class of the label, start, end, parent, whether it is a word, and label of the test phrases and words
    test: Columns
    gold_offsets: NDArray[np.int64]  # First row of each sentence
    test_offsets: NDArray[np.int64]
    names: Sequence[str]  # The labels, and after them the forms of words without a tag
    ordered: OrderedPair

    @classmethod
    def of(cls, pair: Pair, preset: Preset) -> PairColumns:
        """Return the columns of a normalized pair."""
        ordered = OrderedPair.of(pair)
        gold, test = ordered.gold, ordered.test
        names = StringTable(gold.vocabulary.labels.strings())
        classes = label_classes(gold.vocabulary.labels, preset)
        if not preset.labeled:
            classes[:] = 0

        is_phrase = gold.kind == Kind.PHRASE
        label = gold.label[is_phrase]
        brackets = np.column_stack((classes[label], gold.start[is_phrase], gold.end[is_phrase], label))

        sentence, parent = node_positions(test)
        is_word, is_tag = test.kind == Kind.WORD, test.kind == Kind.PRETERMINAL
        row = np.cumsum(~is_tag) - 1  # of a tag that of its word, which stands right before it
        offsets = np.concatenate(([0], np.cumsum(~is_tag)))[test.offsets]
        parent = np.where(is_word & (parent >= 0) & is_tag[parent], parent[parent], parent)
        parent_row = np.where(parent >= 0, row[parent] - offsets[sentence], -1)
        name = test.label.copy()
        name[is_word] = _word_labels(gold, test, names)
        label = name.copy()
        label[~is_word] = classes[label[~is_word]]
        rows = np.column_stack((label, test.start, test.end, parent_row, is_word, name))
        return cls(
            brackets.astype(np.int64),
            rows[~is_tag],
            np.concatenate(([0], np.cumsum(is_phrase)))[gold.offsets],
            offsets,
            names.strings(),
            ordered,
        )

    @cached_property
    def rows(self) -> list[tuple[slice, slice]]:
        """Which gold and test rows are those of each sentence."""
        bounds = (pairwise(offsets.tolist()) for offsets in (self.gold_offsets, self.test_offsets))
        return [(slice(*gold), slice(*test)) for gold, test in zip(*bounds, strict=True)]


def trees_between(gold: Tree, test: Tree, edits: Columns) -> tuple[Tree, list[Tree]]:
    """Return the gold tree, and the test tree before and after each step of its repair, with the words in one order."""
    from evaltools.kernels.repair import repair_steps

    vocabulary, rules = Vocabulary(), load_preset("none")
    upper, lower = (Treebank.from_trees([tree], vocabulary) for tree in (gold, test))
    columns = PairColumns.of(normalize_pair(upper, lower, rules), rules)
    ordered, n_words = columns.ordered, len(test.words)
    test = ordered.test.tree(0)
    trees = []
    for number in range(len(edits) + 1):
        no_search = np.zeros(2, dtype=np.int64)
        *_, nodes = repair_steps(columns.gold, columns.test, n_words, edits[:number], no_search)
        trees.append(_tree(nodes, columns.names, test))
    return ordered.gold.tree(0), trees


def _tree(nodes: Columns, names: Sequence[str], test: Tree) -> Tree:
    """Return the tree in the kernel's table of nodes, its words with the tags of the test tree."""
    from evaltools.kernels.repair import END, FIRST, NAME, NEXT, PARENT, START, WORD

    first, following, parent = nodes[FIRST].tolist(), nodes[NEXT].tolist(), nodes[PARENT].tolist()
    listed: list[int] = []
    waiting = [0]
    while waiting:
        listed.append(waiting.pop())
        child = first[listed[-1]]
        while child >= 0:
            waiting.append(child)
            child = following[child]
    labels: list[str] = []
    kinds: list[Kind] = []
    starts: list[int] = []
    ends: list[int] = []
    parents: list[int] = []
    indices = {0: -1}  # The topmost node of each
    for node in reversed(listed[1:]):  # postorder
        texts = [(names[nodes[NAME, node]], Kind.PHRASE)]
        if nodes[WORD, node]:
            word = int(nodes[START, node])
            texts = [(test.words[word], Kind.WORD)]
            if (tag := test.tag(word)) is not None:
                texts.append((tag, Kind.PRETERMINAL))
        for text, kind in texts:
            labels.append(text)
            kinds.append(kind)
            starts.append(int(nodes[START, node]))
            ends.append(int(nodes[END, node]))
            parents.append(len(labels))  # of a word below a tag; the others are set below
        indices[node] = len(labels) - 1
    for node in listed[1:]:
        parents[indices[node]] = indices[parent[node]]
    return Tree(tuple(labels), tuple(parents), tuple(starts), tuple(ends), tuple(kinds))


def _word_labels(gold: Treebank, test: Treebank, names: StringTable) -> NDArray[np.int64]:
    """Return the label of every test word: its tag, else the gold tag at its position, else its form, a new name."""
    of_gold, of_test = word_offsets(gold), word_offsets(test)
    sentence = np.repeat(np.arange(len(test)), np.diff(of_test))
    at = np.arange(len(sentence)) - of_test[sentence] + of_gold[sentence]
    gold_tags = np.append(_tags(gold), -1)[np.where(at < of_gold[sentence + 1], at, -1)]
    tags = _tags(test)
    labels = np.where(tags >= 0, tags, gold_tags)
    forms = test.label[test.kind == Kind.WORD][labels < 0]
    labels[labels < 0] = names.add_all(test.vocabulary.words[form] for form in forms.tolist())
    return labels


def _tags(treebank: Treebank) -> NDArray[np.int64]:
    """Return the tag of every word, -1 where it has none or an empty one."""
    tags = treebank.word_tags
    return np.where(tags == treebank.vocabulary.labels.find(""), -1, tags)


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
            order = common_order(int(n_words[sentence]), *(_word_sets(side, sentence) for side in (gold, test)))
            if order is None:
                refused[sentence] = True
            else:
                orders[sentence] = order
        (gold, gold_nodes), (test, test_nodes) = (_reordered(side, orders) for side in (gold, test))
        return cls(gold, test, gold_nodes, test_nodes, orders, refused)


def _nodes_of(treebank: Treebank, sentence: int) -> slice:
    return slice(int(treebank.offsets[sentence]), int(treebank.offsets[sentence + 1]))


def _word_sets(treebank: Treebank, sentence: int) -> Iterator[int]:
    """Yield the words of each phrase of a tree that has several, bit i for word i."""
    nodes = _nodes_of(treebank, sentence)
    positions = treebank.start if treebank.position is None else treebank.position
    columns = [column[nodes].tolist() for column in (treebank.parent, treebank.kind, positions)]
    words = [0] * len(columns[0])
    for node, (parent, kind, position) in enumerate(zip(*columns, strict=True)):
        own = 1 << position if kind == Kind.WORD else words[node]  # complete: children stand before their parent
        if parent >= 0:
            words[parent] |= own
        if kind == Kind.PHRASE and own & (own - 1):
            yield own


def _reordered(treebank: Treebank, orders: Mapping[int, tuple[int, ...]]) -> tuple[Treebank, NDArray[np.int64]]:
    """Return a treebank in which the words of some sentences stand in another order, and where each node was."""
    position = np.where(treebank.kind == Kind.WORD, treebank.start, np.int32(-1)).astype(np.int32)
    if treebank.position is not None:
        position = treebank.position.copy()
    for sentence, order in orders.items():
        own = position[_nodes_of(treebank, sentence)]
        own[own >= 0] = np.argsort(order)[own[own >= 0]]
    result, before = arranged(treebank, position)
    return result, np.repeat(treebank.offsets[:-1], np.diff(treebank.offsets)) + before

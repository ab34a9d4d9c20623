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
K. S. Booth and G. S. Lueker (1976). Testing for the consecutive ones property, interval graphs, and graph planarity
using PQ-tree algorithms. Journal of Computer and System Sciences 13, 335–379.

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
of the words, in which every phrase of both trees is over adjacent words. There is such an order if and only if the sets
of words of all phrases have the consecutive-ones property (Booth and Lueker 1976). For equal trees there always is one;
there is none if, say, one tree has the phrases a b and c d, and the other one a c and b d. Of several orders it is one
near to that of the sentence, which it is if both trees are continuous: children stand in the order of their first
words, as in discontinuous trees; where phrases that overlap leave two directions only, it is the one with fewer pairs
of words in another order than in the sentence.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import islice, pairwise
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from evaltools.corpus import Kind, Span, Tree, Treebank
from evaltools.corpus.stretches import gaps_of, stretches_of
from evaltools.errors import EvaltoolsError
from evaltools.frameworks.common.columns import SentenceStatus, node_positions
from evaltools.frameworks.common.lineages import NO_CLASSES
from evaltools.frameworks.constituency.normalization import Pair, label_classes, word_offsets
from evaltools.frameworks.presets import Preset
from evaltools.frameworks.presets.filtering import arranged, word_tags
from evaltools.marks import Status

Columns = NDArray[np.int64]

MAX_WORK = 200_000_000
"""Operations after which a repair is given up: about a second. The longest of GUM takes a hundredth of that."""
MAX_ROWS = 1_000_000
"""Maximum number of nodes of all the trees after the steps of a repair that is shown: some seconds."""
TOO_LONG = "There is no list of repairs: the trees are too long and too different to search one."
"""What is shown where the search is given up."""


class RepairTooLong(EvaltoolsError):
    """The search for a repair was given up."""


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
    tree: Tree = _NO_TREE  # The tree after the step; empty in steps of PairColumns


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


def repair(gold: Tree, test: Tree, classes: Mapping[str, str] = NO_CLASSES) -> list[RepairStep]:
    """Return the steps from a test tree to the gold tree, with the tree after each of them.

    The words of both trees stand in one order, as :func:`in_common_order` puts them; the spans are over that order.
    Labels of one class are equal; a node keeps its own.

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
    steps, parts, trees, ends = _run_kernel(_columns(brackets, 4), _columns(rows, 6), len(test.words), trees=True)
    return [
        replace(step, tree=_tree(trees[begin:end].tolist(), labels, test))
        for step, (begin, end) in zip(
            _steps(steps, parts, labels, test.positions), pairwise([0, *ends.tolist()]), strict=True
        )
    ]


OPERATIONS = (Operation.RELABEL, Operation.MOVE, Operation.ADD, Operation.REMOVE)
"""In the order of the kernel's numbers."""

IS_WORD = 4
"""The column of test nodes that says which are words."""

_NO_LABEL = -1
"""``TOP`` of the kernel."""


def _run_kernel(gold: Columns, test: Columns, n_words: int, *, trees: bool = False) -> tuple[Columns, ...]:
    from evaltools.kernels.repair import repair_steps

    work = np.array([0, MAX_WORK], dtype=np.int64)
    result: tuple[Columns, ...] = repair_steps(gold, test, n_words, trees, work)
    if work[0] > work[1] or len(result[2]) > MAX_ROWS:
        raise RepairTooLong(TOO_LONG)
    return result


def _columns(rows: Sequence[Sequence[int]], width: int) -> Columns:
    return np.array(rows, dtype=np.int64).reshape(-1, width)


def _tree(rows: Sequence[Sequence[int]], names: Sequence[str], test: Tree) -> Tree:
    """Return a tree of the kernel as a tree, its words with the tags of the test tree."""
    labels: list[str] = []
    kinds: list[Kind] = []
    spans: list[tuple[int, int]] = []
    parents: list[int] = []
    indices: list[int] = []  # The topmost node of each row
    order = test.positions or range(len(test.words))
    for label, start, end, _, is_word in rows:
        if is_word:
            nodes = [(test.words[order[start]], Kind.WORD)]
            if (tag := test.tag(order[start])) is not None:
                nodes.append((tag, Kind.PRETERMINAL))
        else:
            nodes = [(names[label], Kind.PHRASE)]
        for name, kind in nodes:
            labels.append(name)
            kinds.append(kind)
            spans.append((start, end))
            parents.append(len(labels))  # of a word below a tag; the others are set below
        indices.append(len(labels) - 1)
    for index, (_, _, _, parent, _) in zip(indices, rows, strict=True):
        parents[index] = indices[parent] if parent >= 0 else -1
    starts, ends = ([span[side] for span in spans] for side in (0, 1))
    return Tree(tuple(labels), tuple(parents), tuple(starts), tuple(ends), tuple(kinds), test.positions)


def _steps(steps: Columns, parts: Columns, names: Sequence[str], order: tuple[int, ...] | None) -> list[RepairStep]:
    """Return the rows of the kernel as steps, in an order of the words."""

    def name(label: int) -> str | None:
        return None if label == _NO_LABEL else names[label]

    def bracket(label: int, start: int, end: int) -> Bracket:
        return Bracket(name(label) or "", Span(start, end))

    nodes = iter([Part(names[label], Span(start, end), is_word == 1) for label, start, end, is_word in parts.tolist()])
    result = []
    for row in steps.tolist():
        moved, children, siblings, changed = (tuple(islice(nodes, size)) for size in row[13:17])
        operation = OPERATIONS[row[0]]
        is_move = operation is Operation.MOVE
        result.append(
            RepairStep(
                operation,
                row[1],
                bracket(*row[2:5]),
                new_label=names[row[5]] if operation is Operation.RELABEL else None,
                target=bracket(*row[6:9]) if is_move else None,
                moved=moved,
                added=bracket(*row[9:12]) if is_move and row[11] >= 0 else None,
                parent=name(row[12]),
                children=children,
                siblings=siblings,
                changed=tuple(Bracket(part.label, part.span) for part in changed),
                same_words=name(row[17]),
                order=order,
            )
        )
    return result


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

    def repaired(self, sentence: int) -> tuple[Columns, Columns] | None:
        """Return the steps of a sentence, counted from 0, and their nodes; None if it takes too long.

        The columns are those of the kernel: of a step the first two are the operation and the brackets repaired.
        """
        gold = self.gold[self.gold_offsets[sentence] : self.gold_offsets[sentence + 1]]
        test = self.test[self.test_offsets[sentence] : self.test_offsets[sentence + 1]]
        try:
            steps, parts, *_ = _run_kernel(gold, test, int(self.n_words[sentence]))
        except RepairTooLong:
            return None
        return steps, parts

    def named(self, sentence: int, steps: Columns, parts: Columns) -> list[RepairStep]:
        """Return steps of a sentence with the names of labels, without the trees after them."""
        return _steps(steps, parts, self.names, self.ordered.orders.get(sentence))

    def steps(self, sentence: int) -> list[RepairStep] | None:
        """Return the steps of a sentence, counted from 0, without the trees after them; None if it takes too long."""
        repaired = self.repaired(sentence)
        return None if repaired is None else self.named(sentence, *repaired)


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


@dataclass(slots=True)
class _Node:
    """A node of a PQ-tree: a word, a node whose children stand in any order, or one whose children are in a row."""

    words: int  # Bit i is word i
    children: list[_Node] = field(default_factory=list)
    is_row: bool = False  # Whether the order of the children is fixed but for its direction


def common_order(n_words: int, sets: Iterable[int], more: Iterable[int] = ()) -> tuple[int, ...] | None:
    """Return an order of words in which the words of every set are adjacent; None if there is none.

    Parameters
    ----------
    n_words
        Number of words.
    sets
        Sets of words, bit i for word i; two of them are disjoint, or one contains the other.
    more
        Further sets.

    Returns
    -------
    tuple of int or None
        The positions of the words in the sentence, from 0.

    Examples
    --------
    >>> common_order(4, [0b1001, 0b1111]), common_order(4, [0b1001], [0b0110, 0b1100])
    ((0, 3, 1, 2), (0, 3, 2, 1))
    >>> common_order(3, [0b011], [0b110, 0b101]) is None
    True
    """
    held = set(sets)
    tree = _nested(n_words, held)
    for words in sorted(set(more) - held, key=lambda words: (words.bit_count(), words)):
        if not _make_adjacent(tree, words):
            return None
    return tuple(_frontier(tree))


def _nested(n_words: int, sets: Iterable[int]) -> _Node:
    """Return the tree of sets of which two are disjoint, or one contains the other."""
    top = [_Node(1 << word) for word in range(n_words)]
    for words in sorted(sets, key=int.bit_count):
        inside = [node for node in top if node.words & words]
        if len(inside) > 1:
            top = [*(node for node in top if not node.words & words), _Node(words, inside)]
    return _group(top) if top else _Node(0)


def _group(nodes: list[_Node]) -> _Node:
    """Return one node over some nodes, whose order is free."""
    return nodes[0] if len(nodes) == 1 else _Node(_union(nodes), nodes)


def _union(nodes: Iterable[_Node]) -> int:
    words = 0
    for node in nodes:
        words |= node.words
    return words


def _make_adjacent(node: _Node, words: int) -> bool:
    """Restrict a tree to the orders in which some words are adjacent; return whether any is left."""
    while True:  # down to the lowest node over all of them
        lower = [child for child in node.children if words & ~child.words == 0]
        if not lower:
            break
        node = lower[0]
    if not node.children or node.words == words:
        return True
    return _cut_row(node, words) if node.is_row else _cut_group(node, words)


def _cut_group(node: _Node, words: int) -> bool:
    """Restrict a node with free children, over which some words are, below none of them alone."""
    outside, full, partial = _sorted_children(node.children, words)
    if len(partial) > 2:
        return False
    ends = [_row(part, words) for part in partial]
    row = [_group(full)] if full else []
    for end, is_right in zip(ends, (False, True), strict=False):
        if end is None:
            return False
        row = [*row, *reversed(end)] if is_right else [*end, *row]
    inside = row[0] if len(row) == 1 else _Node(_union(row), row, is_row=True)
    if outside:
        node.children = [*outside, inside]
    else:
        node.children, node.is_row = inside.children, inside.is_row
    return True


def _cut_row(node: _Node, words: int) -> bool:
    """Restrict a node with its children in a row, over which some words are, below none of them alone."""
    children = node.children
    inside = [index for index, child in enumerate(children) if child.words & words]
    first, last = inside[0], inside[-1]
    between = children[first + 1 : last]
    if any(child.words & ~words for child in between):
        return False
    left, right = (_row(children[index], words) for index in (first, last))
    if left is None or right is None:
        return False
    node.children = [*children[:first], *left, *between, *reversed(right), *children[last + 1 :]]
    return True


def _sorted_children(children: Iterable[_Node], words: int) -> tuple[list[_Node], list[_Node], list[_Node]]:
    """Return the nodes that have none of some words, those that have no others, and those that have both."""
    outside: list[_Node] = []
    full: list[_Node] = []
    partial: list[_Node] = []
    for child in children:
        own = outside if not child.words & words else partial if child.words & ~words else full
        own.append(child)
    return outside, full, partial


def _row(node: _Node, words: int) -> list[_Node] | None:
    """Return what is below a node as a row that has some of its words at its end; None if there is no such row."""
    before: list[_Node] = []
    after: list[_Node] = []
    while node.words & ~words:
        outside, full, partial = _sorted_children(node.children, words)
        if len(partial) > 1:
            return None
        if node.is_row:
            row = [*outside, *partial, *full]
            if not _are_same(row, node.children):
                row = [*outside[::-1], *partial, *full[::-1]]
                if not _are_same(row, node.children[::-1]):
                    return None
            before += row[: len(outside)]
            after = [*row[len(row) - len(full) :], *after]
        else:
            before += [_group(outside)] if outside else []
            after = [*([_group(full)] if full else []), *after]
        if not partial:
            return [*before, *after]
        node = partial[0]
    return [*before, node, *after]


def _are_same(nodes: Sequence[_Node], others: Sequence[_Node]) -> bool:
    return all(node is other for node, other in zip(nodes, others, strict=True))


def _frontier(tree: _Node) -> Iterator[int]:
    """Yield the words of a tree, in the order near to that of the sentence."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if not node.children:
            if node.words:
                yield node.words.bit_length() - 1
            continue
        children = node.children
        if not node.is_row:
            children = sorted(children, key=_first_word)
        elif _is_backward(children):
            children = children[::-1]
        waiting += reversed(children)


def _first_word(node: _Node) -> int:
    return node.words & -node.words


def _is_backward(row: Sequence[_Node]) -> bool:
    """Return whether more pairs of words of different nodes stand in another order than in the sentence than not."""
    swapped = kept = 0
    later = _union(row)
    for node in row:
        later &= ~node.words
        for word in _words(node.words):
            before = (later & ((1 << word) - 1)).bit_count()
            swapped += before
            kept += later.bit_count() - before
    return swapped > kept or (swapped == kept and _first_word(row[-1]) < _first_word(row[0]))


def _words(words: int) -> Iterator[int]:
    while words:
        yield (words & -words).bit_length() - 1
        words &= words - 1


# ---------------------------------------------------------------------------------------------------- trees and corpora


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

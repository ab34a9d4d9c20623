"""Between trees and the arrays of the repair: brackets and words as rows, and rows as steps again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaltools.analysis.repair.steps import Bracket, Operation, Part, RepairStep
from evaltools.normalize import Pair
from evaltools.treebank import Kind, Span, Tree, Treebank

__all__ = ["PairColumns", "tree_steps"]

_OPERATIONS = (Operation.RELABEL, Operation.MOVE, Operation.ADD, Operation.REMOVE)
"""As the kernel numbers them."""

Columns = NDArray[np.int32]

_NO_LABEL = -1
"""What the kernel calls ``TOP``."""


def tree_steps(gold: Tree, test: Tree) -> list[RepairStep]:
    """Return the steps from a test tree to the gold tree, with the tree after each of them.

    Parameters
    ----------
    gold, test : Tree
        Trees over the same number of words.
    """
    known: dict[str, int] = {}

    def number(label: str) -> int:
        return known.setdefault(label, len(known))

    brackets = [
        (number(gold.labels[node]), *gold.span(node)) for node, kind in enumerate(gold.kinds) if kind is Kind.PHRASE
    ]
    places: list[int] = []  # of each test node among the rows; a tag and its word are one
    rows: list[list[int]] = []
    for node, kind in enumerate(test.kinds):
        if kind is not Kind.PRETERMINAL:
            start, end = test.span(node)
            label = test.labels[node]
            if kind is Kind.WORD:
                label = test.tag(start) or gold.tag(start) or label
            rows.append([number(label), start, end, -1, int(kind is Kind.WORD)])
        places.append(len(rows) - 1)
    for node, above in enumerate(test.parents):
        if above >= 0 and test.kinds[above] is not Kind.PRETERMINAL:
            rows[places[node]][3] = places[above]
    names = list(known)
    steps, parts, trees, ends = _repaired(_table(brackets, 3), _table(rows, 5), len(test.words), trees=True)
    made = _steps(steps, parts, names)
    begins = [0, *ends.tolist()]
    return [
        step.after(_tree(trees[begin:end].tolist(), names, test))
        for step, begin, end in zip(made, begins, begins[1:], strict=False)
    ]


def _repaired(gold: Columns, test: Columns, n_words: int, *, trees: bool = False) -> tuple[Columns, ...]:
    from evaltools.kernels.repair import repair_steps  # pages that never repair a tree need not wait for it

    found: tuple[Columns, ...] = repair_steps(gold, test, np.int32(n_words), trees)
    return found


def _table(rows: Sequence[Sequence[int]], width: int) -> Columns:
    return np.ascontiguousarray(np.array(rows, dtype=np.int32).reshape(-1, width).T)


def _tree(rows: Sequence[Sequence[int]], names: Sequence[str], test: Tree) -> Tree:
    """Return a tree of the kernel as a tree, its words with the tags they came with."""
    labels: list[str] = []
    kinds: list[Kind] = []
    spans: list[tuple[int, int]] = []
    parents: list[int] = []
    places: list[int] = []
    for label, start, end, _, is_word in rows:
        if is_word:
            labels.append(test.words[start])
            kinds.append(Kind.WORD)
            tag = test.tag(start)
            if tag is not None:
                labels.append(tag)
                kinds.append(Kind.PRETERMINAL)
        else:
            labels.append(names[label])
            kinds.append(Kind.PHRASE)
        spans += [(start, end)] * (len(labels) - len(spans))
        places.append(len(labels) - 1)
    parents = [place + 1 if kinds[place] is Kind.WORD else -1 for place in range(len(labels))]
    for place, (_, _, _, above, _) in zip(places, rows, strict=True):
        parents[place] = places[above] if above >= 0 else -1
    starts, ends = ([span[side] for span in spans] for side in (0, 1))
    return Tree(tuple(labels), tuple(parents), tuple(starts), tuple(ends), tuple(kinds))


def _steps(steps: Columns, parts: Columns, names: Sequence[str]) -> list[RepairStep]:
    """Return the rows of the kernel as steps."""
    named = [Part("" if label == _NO_LABEL else names[label], Span(start, end), bool(is_word))
             for label, start, end, is_word in parts.tolist()]  # fmt: skip

    def bracket(label: int, start: int, end: int) -> Bracket:
        return Bracket("" if label == _NO_LABEL else names[label], Span(start, end))

    made = []
    at = 0
    for row in steps.tolist():
        groups = []
        for number in row[13:17]:
            groups.append(tuple(named[at : at + number]))
            at += number
        moved, children, siblings, changed = groups
        operation = _OPERATIONS[row[0]]
        moves = operation is Operation.MOVE
        made.append(
            RepairStep(
                operation,
                row[1],
                bracket(*row[2:5]),
                new_label=names[row[5]] if operation is Operation.RELABEL else None,
                target=bracket(*row[6:9]) if moves else None,
                moved=moved,
                added=bracket(*row[9:12]) if moves and row[11] >= 0 else None,
                parent=None if row[12] == _NO_LABEL else names[row[12]],
                children=children,
                siblings=siblings,
                changed=tuple(Bracket(one.label, one.span) for one in changed),
                same_words=None if row[17] == _NO_LABEL else names[row[17]],
            )
        )
    return made


@dataclass(frozen=True)
class PairColumns:
    """Two corpora as the kernel takes them.

    Parameters
    ----------
    gold : ndarray of int32, shape (3, phrases)
        Label, start and end of the gold phrases.
    test : ndarray of int32, shape (5, nodes)
        Label, start, end, parent and whether it is a word, of the test phrases and words.
    gold_offsets, test_offsets : ndarray of int64, shape (sentences + 1,)
        Where the sentences begin in them.
    n_words : ndarray of int32, shape (sentences,)
        Their words.
    names : list of str
        The labels, and after them the forms of words without a tag.
    """

    gold: Columns
    test: Columns
    gold_offsets: NDArray[np.int64]
    test_offsets: NDArray[np.int64]
    n_words: NDArray[np.int32]
    names: list[str]

    @classmethod
    def of(cls, pair: Pair) -> PairColumns:
        """Take the trees of a pair, normalised.

        Parameters
        ----------
        pair : Pair
            Gold and test trees; sentences whose words differ are not to be asked for.
        """
        gold, test = pair.gold.treebank, pair.test.treebank
        vocabulary = gold.vocabulary
        n_labels = len(vocabulary.labels.strings())
        phrases = gold.kind == Kind.PHRASE
        brackets = np.ascontiguousarray(np.stack((gold.label, gold.start, gold.end)).astype(np.int32)[:, phrases])

        sentence = _sentences(test)
        kept = test.kind != Kind.PRETERMINAL
        place = np.cumsum(kept) - 1  # of a tag that of its word, which comes right before it
        before = np.concatenate(([0], np.cumsum(kept)))[test.offsets]
        above = np.where(test.parent >= 0, test.parent + test.offsets[sentence], -1)
        tagged = kept & (above >= 0) & (test.kind[above] == Kind.PRETERMINAL)
        above = np.where(tagged, above[above], above)
        parent = np.where(above >= 0, place[above] - before[sentence], -1)
        words = test.kind == Kind.WORD
        label = test.label.astype(np.int64)
        label[words] = _word_labels(gold, test, test.label[words] + np.int64(n_labels))
        rows = np.stack((label, test.start, test.end, parent, words)).astype(np.int32)
        return cls(
            brackets,
            np.ascontiguousarray(rows[:, kept]),
            np.concatenate(([0], np.cumsum(phrases)))[gold.offsets],
            before,
            test.n_words,
            [*vocabulary.labels.strings(), *vocabulary.words.strings()],
        )

    def steps(self, sentence: int) -> Iterator[RepairStep]:
        """Return the steps of a sentence, counted from 0, without the trees after them."""
        gold = self.gold[:, self.gold_offsets[sentence] : self.gold_offsets[sentence + 1]]
        test = self.test[:, self.test_offsets[sentence] : self.test_offsets[sentence + 1]]
        found = _repaired(np.ascontiguousarray(gold), np.ascontiguousarray(test), int(self.n_words[sentence]))
        return iter(_steps(found[0], found[1], self.names))


def _sentences(treebank: Treebank) -> NDArray[np.int64]:
    """Return the sentence of each node."""
    return np.repeat(np.arange(len(treebank), dtype=np.int64), np.diff(treebank.offsets))


def _word_labels(gold: Treebank, test: Treebank, forms: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the label of every test word: its tag, else the gold tag at its position, else its form."""
    sentence = np.repeat(np.arange(len(test)), test.n_words)
    first, gold_first = (np.cumsum(one.n_words) - one.n_words for one in (test, gold))
    at = np.arange(len(sentence)) - first[sentence]
    there = at < gold.n_words[sentence]
    gold_tags = np.append(_tags(gold), -1)
    known = np.where(there, gold_tags[np.where(there, gold_first[sentence] + at, -1)], -1)
    own = _tags(test)
    return np.where(own >= 0, own, np.where(known >= 0, known, forms))


def _tags(treebank: Treebank) -> NDArray[np.int64]:
    """Return the tag of every word, -1 where it has none or an empty one."""
    words = np.flatnonzero(treebank.kind == Kind.WORD)
    above = treebank.parent[words]
    above = np.where(above >= 0, above + treebank.offsets[_sentences(treebank)[words]], -1)
    tags = np.where((above >= 0) & (treebank.kind[above] == Kind.PRETERMINAL), treebank.label[above], -1)
    empty = treebank.vocabulary.labels.find("")
    return np.where(tags == empty, -1, tags).astype(np.int64) if empty >= 0 else tags.astype(np.int64)

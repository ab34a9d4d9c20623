"""Align two trees of one sentence: both mappings, the words' lineages, every score."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Kind, Tree, Treebank, Vocabulary
from evaltools.frameworks.common.columns import SentenceStatus
from evaltools.frameworks.common.leaf_ancestor import available_schemes
from evaltools.frameworks.common.lineages import CostTable, PlacedWord, WordComparison
from evaltools.frameworks.common.tree_options import cost_rows
from evaltools.frameworks.constituency.aligned_trees import Alignment, EditStep, Mapping, WordLink, WordMatch
from evaltools.frameworks.constituency.bracketing import Bracketing
from evaltools.frameworks.constituency.leaf_ancestor import LeafAncestor, lineage
from evaltools.frameworks.constituency.normalization import (
    UNCOUNTED,
    Normalized,
    Pair,
    Symbols,
    TreeComparison,
    normalize_pair,
)
from evaltools.frameworks.constituency.options import ConstituencyOptions
from evaltools.frameworks.constituency.passes import PASSES
from evaltools.frameworks.constituency.repair import NO_EDITS, Columns, RepairCounts
from evaltools.frameworks.constituency.tree_distance import TreeDistance
from evaltools.frameworks.passes import Passes
from evaltools.frameworks.presets import Preset, load_preset
from evaltools.frameworks.presets.preset import equality_classes
from evaltools.marks import Status
from evaltools.text import some_words


def align(
    gold: Tree | str,
    test: Tree | str,
    preset: str | Preset = "none",
    *,
    la_preterminals: bool = False,
    la_table: CostTable | None = None,
    engine: str = "banded",
) -> Alignment:
    """Align a gold tree with a test tree.

    Parameters
    ----------
    gold, test : Tree or str
        The trees, or PTB brackets.
    preset : str or Preset
        What to delete and equate first; ``"none"`` leaves the trees as they are.
    la_preterminals : bool
        Whether lineages include the words' tags.
    la_table : CostTable, optional
        Replacement costs for the metric ``la_table``.
    engine : {"banded", "apted"}
        What computes the T-mapping.

    Returns
    -------
    Alignment
        The normalized trees, the E-mapping, the canonical T-mapping, word comparisons, counts and scores.

    Examples
    --------
    Emms (2008), Figures 1 and 2:

    >>> a = align("(S (VP (NP (D the) (N dog)) (V barks)))", "(S (AP (PP (A the)) (N dog)) (V barks))")
    >>> round(a.scores["f1"], 3), round(a.scores["ted"], 3), round(a.scores["ted_jaccard"], 3)
    (0.333, 0.667, 0.429)
    """
    gold = Tree.from_string(gold) if isinstance(gold, str) else gold
    test = Tree.from_string(test) if isinstance(test, str) else test
    costs = None if la_table is None else cost_rows(la_table)
    options = ConstituencyOptions(la_preterminals=la_preterminals, la_table=costs, engine=engine)
    return align_trees(gold, test, load_preset(preset), options)


def align_trees(
    gold: Tree,
    test: Tree,
    rules: Preset,
    options: ConstituencyOptions,
    edits: Columns | None = NO_EDITS,
) -> Alignment:
    """Align two trees; of the repair the steps after the known `edits` are searched, none if these are None."""
    vocabulary = Vocabulary()
    sides = [Treebank.from_trees([tree], vocabulary) for tree in (gold, test)]
    pair = normalize_pair(sides[0], sides[1], rules)
    comparison = TreeComparison.of(pair, rules, options)
    passes = Passes(PASSES, comparison, options)
    passes[RepairCounts].known[0] = edits
    passes.run(0, 1)
    e, t, la = passes[Bracketing], passes[TreeDistance], passes[LeafAncestor]

    status = SentenceStatus(int(pair.status[0]))
    gold_tree, test_tree = pair.gold.treebank.tree(0), pair.test.treebank.tree(0)
    scored = int(pair.scored[0])
    classes = _label_classes(gold_tree, test_tree, rules)
    return Alignment(
        gold=gold_tree,
        test=test_tree,
        e=_e_mapping(gold_tree, test_tree, pair, e),
        t=_t_mapping(gold_tree, test_tree, t, comparison.symbols),
        words=_word_comparisons(gold_tree, test_tree, pair, la, options, classes) if scored else (),
        gold_words=_placed_words(pair.gold),
        test_words=_placed_words(pair.test),
        status=status.label,
        counts=passes.sentence_counts(0),
        scores=passes.sentence_scores(0, status, aligned=scored == 2),
        links=_links(pair),
        label_classes=classes,
        labeled=rules.labeled,
        repairs=passes[RepairCounts].of_pair(),
    )


def _label_classes(gold: Tree, test: Tree, preset: Preset) -> dict[str, str]:
    classes = equality_classes(() if preset.evalb is None else preset.evalb.equal_labels)
    labels = (
        label
        for tree in (gold, test)
        for label, kind in zip(tree.labels, tree.kinds, strict=True)
        if kind is not Kind.WORD
    )
    return {label: classes[label] for label in labels if label in classes}


def _links(pair: Pair) -> tuple[WordLink, ...]:
    if pair.alignment is None or not pair.alignment.aligned[0]:
        return ()
    matches = tuple(WordMatch)
    return tuple(WordLink(i, j, matches[code], shared) for i, j, code, shared in pair.alignment.links.of(0).tolist())


def _word_comparisons(
    gold: Tree,
    test: Tree,
    pair: Pair,
    la: LeafAncestor,
    options: ConstituencyOptions,
    classes: dict[str, str],
) -> tuple[WordComparison, ...]:
    """Compare every gold word that is left with its partner; where the words are equal, by position."""
    schemes, preterminals = [metric.id for metric in available_schemes(options)], options.la_preterminals
    partners = list(range(len(gold.words))) if pair.alignment is None else pair.alignment.partner.tolist()
    words = []
    for position, (form, partner) in enumerate(zip(gold.words, partners, strict=True)):
        gold_lineage = lineage(gold, position, preterminals=preterminals)
        if partner < 0:
            words.append(WordComparison(position, form, gold_lineage, None, {}))
            continue
        test_lineage = lineage(test, partner, preterminals=preterminals)
        scores = {scheme: float(la.similarity[position, index]) for index, scheme in enumerate(schemes)}
        sides = gold_lineage, test_lineage, scores, partner, test.words[partner]
        words.append(WordComparison(position, form, *sides, classes))
    return tuple(words)


def _placed_words(side: Normalized) -> tuple[PlacedWord, ...]:
    words = side.read.tree(0).words
    indices = np.where(side.dropped, -1, np.cumsum(~side.dropped) - 1).tolist()
    return tuple(PlacedWord(form, None if at < 0 else at) for form, at in zip(words, indices, strict=True))


def _pairs(partner: NDArray[np.int32]) -> tuple[tuple[int, int], ...]:
    return tuple((i, j) for i, j in enumerate(partner.tolist()) if j >= 0)


def _e_mapping(gold: Tree, test: Tree, pair: Pair, e: Bracketing) -> Mapping:
    gold_status = _e_statuses(e.partner_gold, pair.gold, Status.MISSING)
    test_status = _e_statuses(e.partner_test, pair.test, Status.SPURIOUS)
    pairs = _pairs(e.partner_gold)
    # Words at equal positions are paired even if their forms differ, which EQ_WORD may equate; aligned words are paired
    # if neither is aligned with another.
    return Mapping("e", pairs, gold_status, test_status, (), _steps(gold, test, gold_status, test_status, pairs, ()))


def _e_statuses(partner: NDArray[np.int32], side: Normalized, alone: Status) -> tuple[Status | None, ...]:
    """Return the status of every node of a side; without a partner it is `alone`, and None if it does not count."""
    statuses = (Status.RIGHT if other >= 0 else alone for other in partner.tolist())
    counted = (side.kinds != UNCOUNTED).tolist()
    return tuple(status if counts else None for status, counts in zip(statuses, counted, strict=True))


def _t_mapping(gold: Tree, test: Tree, t: TreeDistance, symbols: Symbols) -> Mapping:
    moves = tuple(
        (_root(t.moved_gold, number), _root(t.moved_test, number))
        for number in range(int(t.moved_gold.max(initial=-1)) + 1)
    )
    moved = tuple(np.flatnonzero(numbers >= 0).tolist() for numbers in (t.moved_gold, t.moved_test))
    return mapping_of_pairs(gold, test, _pairs(t.partner_gold), symbols, moves, moved)


def mapping_of_pairs(
    gold: Tree,
    test: Tree,
    pairs: tuple[tuple[int, int], ...],
    symbols: Symbols,
    moves: tuple[tuple[int, int], ...] = (),
    moved: tuple[Sequence[int], ...] = ((), ()),
) -> Mapping:
    """Return a T-mapping with the status of every node and the edit script."""
    gold_status = [Status.MISSING] * len(gold)
    test_status = [Status.SPURIOUS] * len(test)
    for i, j in pairs:
        gold_status[i] = test_status[j] = Status.RIGHT if symbols.gold[i] == symbols.test[j] else Status.RELABELED
    for nodes, status in zip(moved, (gold_status, test_status), strict=True):
        for node in nodes:
            status[node] = Status.MOVED
    steps = _steps(gold, test, gold_status, test_status, pairs, moves)
    return Mapping("t", pairs, tuple(gold_status), tuple(test_status), moves, steps)


def _root(moved: NDArray[np.int32], number: int) -> int:
    """Return the root of a moved subtree: it comes last in postorder, and is itself unmapped."""
    return int(np.flatnonzero(moved == number)[-1])


def _named(tree: Tree, node: int) -> str:
    words = [tree.words[position] for position in sorted(tree.yield_(node))]
    text = some_words(words, 3, 2)
    if tree.kinds[node] is Kind.WORD:
        return f"word “{text}”"
    return f"{tree.labels[node] or '(no label)'} over “{text}”" if text else f"empty {tree.labels[node]}"


def _steps(
    gold: Tree,
    test: Tree,
    gold_status: Iterable[Status | None],
    test_status: Iterable[Status | None],
    pairs: tuple[tuple[int, int], ...],
    moves: tuple[tuple[int, int], ...],
) -> tuple[EditStep, ...]:
    """Return the edit script: moves, relabelings, deletions bottom-up, insertions top-down."""
    partner = dict(pairs)
    steps = []
    for i, j in moves:
        parent = test.parents[j]
        target = "the root" if parent < 0 else _named(test, parent)
        steps.append(EditStep(Status.MOVED, i, j, f"move {_named(gold, i)} under {target}"))
    deletions = []
    for i, status in enumerate(gold_status):
        if status is Status.RELABELED:
            label = test.labels[partner[i]] or "(no label)"
            steps.append(EditStep(status, i, partner[i], f"relabel {_named(gold, i)} as {label}"))
        elif status is Status.MISSING:
            deletions.append(EditStep(status, i, None, f"delete {_named(gold, i)}"))
    insertions = [
        EditStep(status, None, j, f"insert {_named(test, j)}")
        for j, status in enumerate(test_status)
        if status is Status.SPURIOUS
    ]
    return (*steps, *deletions, *insertions[::-1])

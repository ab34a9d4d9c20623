"""Aligning two trees of one sentence: both mappings, the words' lineages, every score."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from evaltools.metrics import METRICS, bracketing, leaf_ancestor, metrics_of, tree_distance
from evaltools.metrics.base import symbols_of
from evaltools.metrics.leaf_ancestor import CostTable, LeafAncestor, lineage
from evaltools.metrics.mapping import (
    Alignment,
    EditStep,
    Mapping,
    NodeStatus,
    PlacedWord,
    WordComparison,
    WordLink,
    WordMatch,
)
from evaltools.normalize import Normalized, Pair, Preset, Status, load_preset, normalize_pair
from evaltools.treebank import Kind, Tree, Treebank, Vocabulary

__all__ = ["align", "mapping_of_pairs"]


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
        What to delete and equate first; ``"none"`` takes the trees as they are.
    la_preterminals : bool
        Whether lineages include the words' tags.
    la_table : CostTable, optional
        Replacement costs for the metric ``la_table``.
    engine : {"banded", "apted"}
        What computes the T-mapping.

    Returns
    -------
    Alignment
        The normalised trees, the E-mapping, the canonical T-mapping, word comparisons, counts and scores.

    Examples
    --------
    Emms (2008), Figures 1 and 2:

    >>> a = align("(S (VP (NP (D the) (N dog)) (V barks)))", "(S (AP (PP (A the)) (N dog)) (V barks))")
    >>> round(a.scores["e_dice_roof"], 3), round(a.scores["t_dice"], 3), round(a.scores["t_jaccard"], 3)
    (0.333, 0.667, 0.429)
    """
    gold = Tree.from_string(gold) if isinstance(gold, str) else gold
    test = Tree.from_string(test) if isinstance(test, str) else test
    rules = load_preset(preset)
    vocabulary = Vocabulary()
    sides = [Treebank.from_trees([tree], vocabulary) for tree in (gold, test)]
    pair = normalize_pair(sides[0], sides[1], rules)
    symbols = symbols_of(pair, rules)
    e = bracketing.Bracketing(pair, rules, symbols)
    t = tree_distance.TreeDistance(pair, symbols, engine)
    la = LeafAncestor(pair, symbols, preterminals=la_preterminals, table=la_table)
    for metric_pass in (e, t, la):
        metric_pass.run(0, 1)

    status = Status(int(pair.status[0]))
    gold_tree, test_tree = pair.gold.treebank.tree(0), pair.test.treebank.tree(0)
    counts: dict[str, float] = {"sentences": 1.0}
    for columns, values in (
        (bracketing.COLUMNS, e.counts[0]),
        (tree_distance.COLUMNS, t.counts[0]),
        (leaf_ancestor.COLUMNS, la.counts[0]),
    ):
        counts |= dict(zip(columns, values.tolist(), strict=True))
    schemes = ("strict", "partial", "table")[: 3 if la_table is not None else 2]
    scored = int(pair.scored[0])
    return Alignment(
        gold=gold_tree,
        test=test_tree,
        e=_e_mapping(gold_tree, test_tree, e.partner_gold, e.partner_test),
        t=_t_mapping(gold_tree, test_tree, t, symbols.gold, symbols.test),
        words=_word_comparisons(gold_tree, test_tree, pair, la, schemes, la_preterminals) if scored else (),
        gold_words=_placed(pair.gold),
        test_words=_placed(pair.test),
        status=status.label,
        counts=counts,
        scores=_scores(counts, status, aligned=scored == 2, has_table="table" in schemes, t=t),
        links=_links(pair),
    )


def _links(pair: Pair) -> tuple[WordLink, ...]:
    if pair.alignment is None or not pair.alignment.aligned[0]:
        return ()
    how = tuple(WordMatch)
    return tuple(WordLink(i, j, how[code], shared) for i, j, code, shared in pair.alignment.links.of(0).tolist())


def _word_comparisons(
    gold: Tree, test: Tree, pair: Pair, la: LeafAncestor, schemes: tuple[str, ...], preterminals: bool
) -> tuple[WordComparison, ...]:
    """Compare every gold word that is left with its partner; where the words are equal, with the one at its place."""
    aligned = pair.alignment
    partners = list(range(len(gold.words))) if aligned is None else aligned.partner.tolist()
    words = []
    for position, (form, partner) in enumerate(zip(gold.words, partners, strict=True)):
        own = lineage(gold, position, preterminals=preterminals)
        if partner < 0:
            words.append(WordComparison(position, form, own, None, {}))
            continue
        other = lineage(test, partner, preterminals=preterminals)
        scores = {f"la_{scheme}": float(la.similarity[position, place]) for place, scheme in enumerate(schemes)}
        words.append(WordComparison(position, form, own, other, scores, partner, test.words[partner]))
    return tuple(words)


def _scores(
    counts: dict[str, float], status: Status, *, aligned: bool, has_table: bool, t: tree_distance.TreeDistance
) -> dict[str, float | None]:
    columns = {name: np.array([value]) for name, value in counts.items()}
    scores: dict[str, float | None] = {}
    for metric in map(METRICS.__getitem__, metrics_of("constituency")):
        if metric.id == "la_table" and not has_table:
            continue
        defined = (aligned or status in metric.scored_on) and not (metric.family == "t" and t.too_large[0])
        value = float(metric.score(columns)[0]) if defined else float("nan")
        scores[metric.id] = None if np.isnan(value) else value
    return scores


def _placed(side: Normalized) -> tuple[PlacedWord, ...]:
    words = side.read.tree(0).words
    places = np.where(side.dropped, -1, np.cumsum(~side.dropped) - 1).tolist()
    return tuple(PlacedWord(form, None if at < 0 else at) for form, at in zip(words, places, strict=True))


def _pairs(partner: NDArray[np.int32]) -> tuple[tuple[int, int], ...]:
    return tuple((i, j) for i, j in enumerate(partner.tolist()) if j >= 0)


def _e_mapping(gold: Tree, test: Tree, partner_gold: NDArray[np.int32], partner_test: NDArray[np.int32]) -> Mapping:
    gold_status = tuple(NodeStatus.MATCHED if j >= 0 else NodeStatus.DELETED for j in partner_gold.tolist())
    test_status = tuple(NodeStatus.MATCHED if i >= 0 else NodeStatus.INSERTED for i in partner_test.tolist())
    pairs = _pairs(partner_gold)
    # words at equal positions are paired whatever their form, since EQ_WORD makes different forms the same; aligned
    # words if each is aligned with the other only
    return Mapping("e", pairs, gold_status, test_status, (), _steps(gold, test, gold_status, test_status, pairs, ()))


def _t_mapping(
    gold: Tree,
    test: Tree,
    t: tree_distance.TreeDistance,
    gold_symbols: NDArray[np.int32],
    test_symbols: NDArray[np.int32],
) -> Mapping:
    moves = tuple(
        (_root(t.moved_gold, number), _root(t.moved_test, number))
        for number in range(int(t.moved_gold.max(initial=-1)) + 1)
    )
    moved = tuple(np.flatnonzero(one >= 0).tolist() for one in (t.moved_gold, t.moved_test))
    return mapping_of_pairs(gold, test, _pairs(t.partner_gold), gold_symbols, test_symbols, moves, moved)


def mapping_of_pairs(
    gold: Tree,
    test: Tree,
    pairs: tuple[tuple[int, int], ...],
    gold_symbols: NDArray[np.int32],
    test_symbols: NDArray[np.int32],
    moves: tuple[tuple[int, int], ...] = (),
    moved: tuple[Sequence[int], ...] = ((), ()),
) -> Mapping:
    """Say what a T-mapping makes of every node.

    Parameters
    ----------
    gold, test : Tree
        The trees.
    pairs : tuple of (int, int)
        The mapped nodes, ordered by gold node.
    gold_symbols, test_symbols : ndarray of int32
        Numbers of the nodes' labels, equal where labels count as equal.
    moves : tuple of (int, int)
        Roots of the subtrees that moved.
    moved : pair of sequence of int
        The nodes of these subtrees, in the gold tree and in the test tree.
    """
    gold_status = [NodeStatus.DELETED] * len(gold)
    test_status = [NodeStatus.INSERTED] * len(test)
    for i, j in pairs:
        gold_status[i] = test_status[j] = (
            NodeStatus.MATCHED if gold_symbols[i] == test_symbols[j] else NodeStatus.SWAPPED
        )
    for nodes, status in zip(moved, (gold_status, test_status), strict=True):
        for node in nodes:
            status[node] = NodeStatus.MOVED
    steps = _steps(gold, test, gold_status, test_status, pairs, moves)
    return Mapping("t", pairs, tuple(gold_status), tuple(test_status), moves, steps)


def _root(moved: NDArray[np.int32], number: int) -> int:
    """Return the root of a moved subtree: it comes last in postorder, and is itself unmapped."""
    return int(np.flatnonzero(moved == number)[-1])


def _named(tree: Tree, node: int) -> str:
    words = tree.words[tree.starts[node] : tree.ends[node]]
    text = " ".join(words if len(words) <= 6 else (*words[:3], "…", *words[-2:]))
    if tree.kinds[node] is Kind.WORD:
        return f"word “{text}”"
    return f"{tree.labels[node] or '(no label)'} over “{text}”" if text else f"empty {tree.labels[node]}"


def _steps(
    gold: Tree,
    test: Tree,
    gold_status: Iterable[NodeStatus],
    test_status: Iterable[NodeStatus],
    pairs: tuple[tuple[int, int], ...],
    moves: tuple[tuple[int, int], ...],
) -> tuple[EditStep, ...]:
    """Write the edit script: moves, swaps, deletions from below, insertions from above."""
    partner = dict(pairs)
    steps = []
    for i, j in moves:
        step = f"move {_named(gold, i)} to stand under {_above(test, j)}"
        steps.append(EditStep(NodeStatus.MOVED, i, j, step))
    deleted, inserted = [], []
    for i, status in enumerate(gold_status):
        if status is NodeStatus.SWAPPED:
            new = test.labels[partner[i]]
            steps.append(EditStep(status, i, partner[i], f"relabel {_named(gold, i)} as {new or '(no label)'}"))
        elif status is NodeStatus.DELETED:
            deleted.append(EditStep(status, i, None, f"delete {_named(gold, i)}"))
    for j, status in enumerate(test_status):
        if status is NodeStatus.INSERTED:
            inserted.append(EditStep(status, None, j, f"insert {_named(test, j)}"))
    return (*steps, *deleted, *inserted[::-1])


def _above(tree: Tree, node: int) -> str:
    parent = tree.parents[node]
    return "the root" if parent < 0 else _named(tree, parent)

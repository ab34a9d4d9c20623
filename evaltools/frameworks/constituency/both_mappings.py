"""E beside T: whether both mappings mark the same nodes, and the repair that they count most differently."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from evaltools.corpus import Tree, Treebank, Vocabulary
from evaltools.drawing import MARKS
from evaltools.drawing.word_columns import aligns_words, drawn_mapping
from evaltools.frameworks.constituency.aligned_trees import Alignment
from evaltools.frameworks.constituency.error_types import bundled_rules
from evaltools.frameworks.constituency.marked import marked_sentence
from evaltools.frameworks.constituency.normalization import TreeComparison, normalize_pair
from evaltools.frameworks.constituency.repair import RepairTooLong, in_common_order, repair
from evaltools.frameworks.constituency.tree_distance import EDITS, TreeDistance, edit_cost
from evaltools.frameworks.presets import load_preset
from evaltools.marks import Repair, Status
from evaltools.text import count_of, noun_of

SAME_NODES = "E and T mark the same nodes."

_NAMED: dict[
    Status | None, str
] = {  # wrong labels are left out: they are two brackets and one edit where both mark the same nodes, too
    Status.MOVED: "one misplaced {}",
    Status.MISSING: "one missing {}",
    Status.SPURIOUS: "one spurious {}",
}


def marks_agree(alignment: Alignment) -> bool:
    """Return whether the E- and the T-mapping mark the same nodes of both trees as missing, spurious or relabeled."""
    if alignment.status == "words_differ" or aligns_words(alignment) or alignment.counts["t_gold"] < 0:
        return False
    return not any(_marked_by_one(alignment))


def _marked_by_one(alignment: Alignment) -> tuple[int, int]:
    """Return the number of nodes that E marks and T does not, and of those that T marks and E does not."""
    e, t = (drawn_mapping(alignment, name) for name in ("e", "t"))
    marks = [
        (bool(MARKS[of_e]), bool(MARKS[of_t]))
        for statuses in ((e.gold_status, t.gold_status), (e.test_status, t.test_status))
        for of_e, of_t in zip(*statuses, strict=True)
    ]
    return marks.count((True, False)), marks.count((False, True))


def compare_mappings(alignment: Alignment) -> str:
    """Say in one sentence what E and T make of the same errors; nothing without errors, or where they are undefined.

    Examples
    --------
    >>> from evaltools import align
    >>> gold = "(S (NP (N they)) (VP (V saw) (NP (N it)) (ADVP (A hop))))"
    >>> compare_mappings(align(gold, gold.replace("NP", "X")))
    'E and T mark the same nodes.'
    >>> compare_mappings(align("(S (A (B (N one) (N two))))", "(S (B (A (N one) (N two))))"))
    'T marks 2 nodes that E matches.'
    """
    if alignment.status != "ok" or not (alignment.t.steps or alignment.e.steps):
        return ""
    if marks_agree(alignment):
        return SAME_NODES
    by_repair = _largest_difference(alignment)
    if by_repair is not None:
        repair, total, saved = by_repair
        named = _NAMED[repair.status].format(repair.phrase)
        brackets = f"{repair.repaired} of {total} wrong {noun_of(total, 'bracket')}"
        cost = edit_cost(alignment)
        return f"{named[0].upper()}{named[1:]} is {brackets} for E and {saved or 'none'} of {cost} edits for T."
    by_e, by_t = _marked_by_one(alignment)
    parts = [f"E marks {count_of(by_e, 'node')} that T matches"] if by_e else []
    parts += [f"T marks {count_of(by_t, 'node')} that E matches"] if by_t else []
    return f"{'; '.join(parts)}." if parts else ""


def _largest_difference(alignment: Alignment) -> tuple[Repair, int, int] | None:
    """Return the repair that is more brackets than edits by most, the number of all wrong brackets, and its edits.

    The edits of a repair are those that T needs before it and no more after it. None if no repair differs.
    """
    if alignment.label_classes or not alignment.labelled or alignment.counts["t_gold"] < 0:
        return None
    marked = marked_sentence(alignment, bundled_rules())
    if marked.unit != "brackets":
        return None
    saved = _edits_by_step(alignment)
    differing = [
        (abs(repair.repaired - saved[repair.step - 1]), repair.repaired, -repair.number, repair)
        for repair in marked.repairs
        if repair.status in _NAMED and repair.repaired > max(saved[repair.step - 1], 0)
    ]
    if not differing:
        return None
    repair = max(differing)[-1]
    return repair, marked.wrong, max(saved[repair.step - 1], 0)


def _edits_by_step(alignment: Alignment) -> list[int]:
    """Return how many edits of the T-mapping each step of the repair makes needless, in their order."""
    trees = in_common_order(alignment.gold, alignment.test)
    if trees is None or alignment.edits is None:
        return []
    try:
        steps = repair(trees.gold, trees.test, edits=alignment.edits)
    except RepairTooLong:
        return []
    costs = _edit_costs(trees.gold, [trees.test, *(step.tree for step in steps)])
    return [before - after for before, after in pairwise(costs)]


def _edit_costs(gold: Tree, tests: Sequence[Tree]) -> list[int]:
    """Return the cost of the T-mapping of a tree to each of several others."""
    vocabulary, rules = Vocabulary(), load_preset("none")
    upper = Treebank.from_trees([gold] * len(tests), vocabulary)
    pair = normalize_pair(upper, Treebank.from_trees(list(tests), vocabulary), rules)
    distance = TreeDistance.prepare(TreeComparison.of(pair, rules))
    distance.run(0, len(tests))
    columns = [TreeDistance.columns.index(column) for column in EDITS]
    costs: list[int] = distance.counts[:, columns].sum(axis=1).tolist()
    return costs

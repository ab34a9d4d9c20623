"""Another mapping of two trees that is as cheap as the canonical one, where there is one, and what sets them apart.

The canonical mapping has, of the cheapest, the most matches, and of those the most pairs with equal spans; so apted
looks for one with the fewest. Where these are no fewer, the pairs of the canonical mapping are forbidden one after the
other: any other mapping as cheap leaves out one of them, since with all of them and one more it would be cheaper.
"""

from __future__ import annotations

from dataclasses import dataclass

from evaltools.metrics.alignment import mapping_of_pairs
from evaltools.metrics.base import columns_of, symbols_of
from evaltools.metrics.mapping import Alignment, Mapping, NodeStatus
from evaltools.metrics.tree_distance_apted import cheapest_with_fewest, cheapest_without
from evaltools.normalize import Preset, load_preset, normalize_pair
from evaltools.treebank import Treebank, Vocabulary

__all__ = ["MOST_PAIRS", "Alternative", "alternative_mapping"]

MOST_PAIRS = 2_500
"""Trees with more pairs of nodes than this are not looked through: it would take seconds."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another cheapest mapping.

    Parameters
    ----------
    mapping : Mapping
        The mapping; what moved is not told in it.
    cost : int
        What both cost.
    canonical_matched, matched : int
        Nodes matched by the canonical one, and by this one.
    canonical_spans, spans : int
        Pairs of nodes over the same words, in the canonical one and in this one.
    """

    mapping: Mapping
    cost: int
    canonical_matched: int
    matched: int
    canonical_spans: int
    spans: int

    @property
    def reason(self) -> str:
        """Why the canonical mapping comes first: ``"matches"``, ``"spans"``, or ``"order"`` if it is a tie."""
        if self.canonical_matched != self.matched:
            return "matches"
        return "spans" if self.canonical_spans != self.spans else "order"


def alternative_mapping(alignment: Alignment, preset: str | Preset = "none") -> Alternative | None:
    """Look for another mapping as cheap as the canonical one.

    Parameters
    ----------
    alignment : Alignment
        Two trees as :func:`evaltools.metrics.alignment.align` leaves them.
    preset : str or Preset
        The preset that they were aligned under, for what counts as equal.

    Returns
    -------
    Alternative or None
        None if the canonical mapping is the only cheapest one, or the trees are too large to look.

    Examples
    --------
    >>> from evaltools.metrics.alignment import align
    >>> found = alternative_mapping(align("(S (A (X a)))", "(S (X a))"))
    >>> found is None
    True
    >>> found = alternative_mapping(align("(S (A (A (X a))))", "(S (A (X a)))"))
    >>> found.cost, found.reason
    (1, 'order')
    """
    gold, test, pairs = alignment.gold, alignment.test, alignment.t.pairs
    if not len(gold) or not len(test) or len(gold) * len(test) > MOST_PAIRS or alignment.counts["t_gold"] < 0:
        return None
    rules = load_preset(preset)
    vocabulary = Vocabulary()
    sides = [Treebank.from_trees([tree], vocabulary) for tree in (gold, test)]
    symbols = symbols_of(normalize_pair(sides[0], sides[1], load_preset("none")), rules)
    columns = columns_of(sides[0], symbols.gold), columns_of(sides[1], symbols.test)
    cost = int(sum(alignment.counts[f"t_{name}"] for name in ("deleted", "inserted", "swapped")))

    def spans(mapped: tuple[tuple[int, int], ...]) -> int:
        return sum(gold.span(i) == test.span(j) for i, j in mapped)

    def alternative(other: tuple[tuple[int, int], ...]) -> Alternative | None:
        mapping = mapping_of_pairs(gold, test, other, symbols.gold, symbols.test)
        swapped = mapping.number(NodeStatus.SWAPPED)
        if other == pairs or len(gold) + len(test) - 2 * len(other) + swapped > cost:
            return None
        matched = int(alignment.counts["t_matched"]), len(other) - swapped
        return Alternative(mapping, cost, *matched, spans(pairs), spans(other))

    for reason in ("matches", "spans"):
        found = alternative(tuple(cheapest_with_fewest(*columns, reason)))
        if found is not None and found.reason == reason:
            return found
    others = (alternative(tuple(cheapest_without(*columns, pair))) for pair in pairs)
    return next((found for found in others if found is not None), None)

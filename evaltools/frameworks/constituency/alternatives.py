"""Another mapping of two trees that is as cheap as the canonical one, if there is one, and how they differ.

The canonical mapping has, of the cheapest, the most matches, of those the most pairs of one kind (tag with tag, phrase
with phrase), and of those the most pairs with equal spans; so apted searches for one with the fewest of each. If these
are no fewer, the pairs of the canonical mapping are forbidden one by one: any other mapping as cheap lacks one of them,
since with all of them and one more it would be cheaper.
"""

from __future__ import annotations

from dataclasses import dataclass

from evaltools.corpus import Kind, Treebank, Vocabulary
from evaltools.frameworks.common.columns import columns_of
from evaltools.frameworks.constituency.aligned_trees import Alignment, Mapping
from evaltools.frameworks.constituency.alignment import mapping_of_pairs
from evaltools.frameworks.constituency.apted_engine import cheapest_with_fewest, cheapest_without
from evaltools.frameworks.constituency.normalization import TreeComparison, normalize_pair
from evaltools.frameworks.constituency.tree_distance import edit_cost
from evaltools.frameworks.presets import Preset, load_preset
from evaltools.marks import Status

MAX_PAIRS = 2_500
"""Trees with more pairs of nodes than this are not searched: it would take seconds."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another cheapest mapping."""

    mapping: Mapping  # Without moves
    cost: int  # Of both mappings
    canonical_matched: int  # Nodes matched by the canonical one, and by this one
    matched: int
    canonical_kinds: int  # Pairs of a tag with a tag or a phrase with a phrase, in the canonical one and in this one
    kinds: int
    canonical_spans: int  # Pairs of nodes over the same words, in the canonical one and in this one
    spans: int

    @property
    def reason(self) -> str:
        """Why the canonical mapping comes first: ``"matches"``, ``"kinds"``, ``"spans"``; ``"order"`` for a tie."""
        if self.canonical_matched != self.matched:
            return "matches"
        if self.canonical_kinds != self.kinds:
            return "kinds"
        return "spans" if self.canonical_spans != self.spans else "order"


def alternative_mapping(alignment: Alignment, preset: str | Preset = "none") -> Alternative | None:
    """Return another mapping as cheap as the canonical one; None if there is none or the trees are too large.

    Examples
    --------
    >>> from evaltools.frameworks.constituency.alignment import align
    >>> alternative_mapping(align("(S (A (X a)))", "(S (X a))")) is None
    True
    >>> alternative = alternative_mapping(align("(S (A (A (X a))))", "(S (A (X a)))"))
    >>> alternative.cost, alternative.reason
    (1, 'order')
    """
    gold, test, pairs = alignment.gold, alignment.test, alignment.t.pairs
    if not len(gold) or not len(test) or len(gold) * len(test) > MAX_PAIRS or alignment.counts["t_gold"] < 0:
        return None
    rules = load_preset(preset)
    vocabulary = Vocabulary()
    sides = [Treebank.from_trees([tree], vocabulary) for tree in (gold, test)]
    pair = normalize_pair(sides[0], sides[1], load_preset("none"))
    symbols = TreeComparison.of(pair, rules).symbols
    columns = columns_of(sides[0], symbols.gold), columns_of(sides[1], symbols.test)
    cost = edit_cost(alignment)

    def spans(mapped: tuple[tuple[int, int], ...]) -> int:
        return sum(gold.span(i) == test.span(j) for i, j in mapped)

    def kinds(mapped: tuple[tuple[int, int], ...]) -> int:
        return sum(gold.kinds[i] == test.kinds[j] != Kind.WORD for i, j in mapped)

    def alternative(mapped: tuple[tuple[int, int], ...]) -> Alternative | None:
        mapping = mapping_of_pairs(gold, test, mapped, symbols)
        swapped = mapping.number(Status.RELABELED)
        if mapped == pairs or len(gold) + len(test) - 2 * len(mapped) + swapped > cost:
            return None
        matched = int(alignment.counts["t_matched"]), len(mapped) - swapped
        return Alternative(mapping, cost, *matched, kinds(pairs), kinds(mapped), spans(pairs), spans(mapped))

    for reason in ("matches", "kinds", "spans"):
        result = alternative(tuple(cheapest_with_fewest(*columns, reason)))
        if result is not None and result.reason == reason:
            return result
    results = (alternative(tuple(cheapest_without(*columns, pair))) for pair in pairs)
    return next((result for result in results if result is not None), None)

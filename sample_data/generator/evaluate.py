"""A labelled bracketing score, for the table in the README; independent of evaltools.

Words, preterminals and the top ROOT do not count; punctuation stays where it is. A sentence without a parse counts as
nothing matched.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from .trees import Node


def brackets(tree: Node) -> Counter[tuple[str, int, int]]:
    """Return the labelled spans of all phrases below ROOT."""
    found: Counter[tuple[str, int, int]] = Counter()
    _collect(tree, 0, found)
    found.subtract({("ROOT", 0, len(tree.words())): 1})
    return +found


def _collect(node: Node, start: int, found: Counter[tuple[str, int, int]]) -> int:
    if node.is_preterminal:
        return start + 1
    end = start
    for child in node.children:
        end = _collect(child, end, found)
    found[node.label, start, end] += 1
    return end


def pooled(gold: Sequence[Node], test: Sequence[Node | None]) -> dict[str, float]:
    """Return labelled recall, precision and F, tagging accuracy, and how many sentences were parsed and are exact."""
    matched = in_gold = in_test = right_tags = tags = parsed = exact = 0
    for tree, guess in zip(gold, test, strict=True):
        wanted = brackets(tree)
        in_gold += sum(wanted.values())
        if guess is None:
            continue
        got = brackets(guess)
        parsed += 1
        exact += wanted == got
        in_test += sum(got.values())
        matched += sum((wanted & got).values())
        right_tags += sum(a == b for a, b in zip(tree.tags(), guess.tags(), strict=True))
        tags += len(tree.words())
    recall, precision = matched / in_gold, matched / in_test
    return {
        "recall": 100 * recall,
        "precision": 100 * precision,
        "F": 200 * matched / (in_gold + in_test),
        "tags": 100 * right_tags / tags,
        "parsed": parsed,
        "exact": exact,
    }

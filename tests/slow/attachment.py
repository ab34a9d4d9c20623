"""Attachment scores of one sentence, from their definition."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from evaltools.corpus import DependencyTree


def bare(relation: str, *, subtypes: bool) -> str:
    """Return a relation, without its subtype where subtypes do not count."""
    return relation if subtypes or relation.startswith(":") else relation.split(":")[0]


def right_words(gold: DependencyTree, test: DependencyTree, *, subtypes: bool) -> dict[str, list[bool]]:
    """Tell for each word of two trees over the same words what is right."""
    heads = [one == other for one, other in zip(gold.heads, test.heads, strict=True)]
    relations = [
        bare(one, subtypes=subtypes) == bare(other, subtypes=subtypes)
        for one, other in zip(gold.relations, test.relations, strict=True)
    ]
    both = [head and relation for head, relation in zip(heads, relations, strict=True)]
    return {"uas": heads, "las": both, "label": relations}


def attachment_group(tree: DependencyTree, word: int, by: str, *, subtypes: bool) -> str:
    if by == "relation":
        return bare(tree.relations[word], subtypes=subtypes)
    head = tree.heads[word]
    if head < 0:
        return "root"
    if by == "direction":
        return "left" if head < word else "right"
    distance = abs(head - word)
    return str(distance) if distance < 3 else "3–6" if distance < 7 else "7–"


def attachment_groups(
    pairs: Iterable[tuple[DependencyTree, DependencyTree]], by: str, *, subtypes: bool
) -> dict[str, Counter[str]]:
    """Count the words of each group in the gold tree and in the test tree; for those in both, which are right."""
    groups: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for gold, test in pairs:
        right = right_words(gold, test, subtypes=subtypes)
        for word in range(len(gold)):
            ours, theirs = (attachment_group(tree, word, by, subtypes=subtypes) for tree in (gold, test))
            groups[ours]["gold"] += 1
            groups[theirs]["test"] += 1
            if ours == theirs:
                groups[ours]["uas"] += right["uas"][word]
                groups[ours]["las"] += right["las"][word]
    return groups

"""Attachment scores of one sentence, from their definition."""

from __future__ import annotations

from evaltools.treebank import DependencyTree


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
    return {"uas": heads, "las": both, "label_accuracy": relations}

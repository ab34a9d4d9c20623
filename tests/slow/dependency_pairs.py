"""Two random dependency trees over the same words, and the lineages of their words from their definition."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from evaltools.corpus import DependencyTree
from tests.slow.dependencies import random_heads
from tests.slow.trees import randoms

RELATIONS = ("root", "nsubj", "nsubj:pass", "obj", "obl", "o", ":")


def random_tree(random: Random, forms: tuple[str, ...]) -> DependencyTree:
    """Make a tree over some words; it need not be projective, and may have several roots."""
    heads = [-1 if random.random() < 0.05 else head for head in random_heads(random, len(forms))]
    relations = tuple(random.choice(RELATIONS) for _ in forms)
    tags = tuple(random.choice(("NOUN", "VERB", "PUNCT")) for _ in forms)
    return DependencyTree(forms, tuple(heads), relations, tags=tags)


@st.composite
def dependency_pairs(draw: st.DrawFn, most_words: int = 9) -> tuple[DependencyTree, DependencyTree]:
    """Draw two trees over the same words, often nearly equal."""
    random = draw(randoms)
    forms = tuple(random.choice(("a", "b", ",", "Ünï", "漢")) for _ in range(random.randint(1, most_words)))
    gold = random_tree(random, forms)
    if random.random() < 0.3:
        relations = tuple(r if random.random() < 0.7 else random.choice(RELATIONS) for r in gold.relations)
        return gold, DependencyTree(forms, gold.heads, relations, tags=gold.tags)
    return gold, random_tree(random, forms)


def lineage(tree: DependencyTree, word: int) -> list[tuple[str, str]]:
    """Return the relations from a word up, as symbols of :mod:`tests.slow.lineages`."""
    above = [("label", tree.relations[word])]
    head = tree.heads[word]
    return above if head < 0 else above + lineage(tree, head)

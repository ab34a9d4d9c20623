"""Random trees with discontinuous phrases, and the yields of their nodes by going up from every word."""

from __future__ import annotations

from random import Random

from evaltools import Tree
from evaltools.corpus import Kind

LABELS = ("S", "NP", "VP", "PP")
TAGS = ("N", "V", "$(")
WORDS = ("dog", "(", "a=b", "日本", "-LRB-")
FUNCTIONS = ("SB", "HD", "")


def random_discontinuous(random: Random, *, functions: bool = False) -> tuple[Tree, list[tuple[str, list[int]]]]:
    """Make a tree; return it and label and yield of each phrase, sorted."""
    n_words = random.randint(1, 7)
    names, parents, kinds, positions = [], [], [], []

    def add(name: str, kind: Kind, position: int = -1) -> int:
        names.append(name)
        parents.append(-1)
        kinds.append(kind)
        positions.append(position)
        return len(names) - 1

    groups: list[tuple[int, list[int]]] = []
    for position in random.sample(range(n_words), n_words):
        word = add(random.choice(WORDS), Kind.WORD, position)
        if random.random() < 0.9:
            tag = add(random.choice(TAGS), Kind.PRETERMINAL)
            parents[word] = tag
            word = tag
        groups.append((word, [position]))
    phrases = []
    n_roots = random.choice((1, 1, 1, 2))
    while len(groups) > n_roots or not phrases:
        chosen = random.sample(range(len(groups)), random.randint(1, len(groups)))
        if len(chosen) == 1 and kinds[groups[chosen[0]][0]] is Kind.WORD:
            chosen = list(range(len(groups)))  # a phrase over one bare word would be a tag in round brackets
            if len(chosen) == 1:
                word = groups[0][0]
                parents[word] = add("N", Kind.PRETERMINAL)
                groups[0] = (parents[word], groups[0][1])
        label = random.choice(LABELS)
        phrase = add(label, Kind.PHRASE)
        below = sorted(position for i in chosen for position in groups[i][1])
        for i in chosen:
            parents[groups[i][0]] = phrase
        groups = [group for i, group in enumerate(groups) if i not in chosen] + [(phrase, below)]
        phrases.append((label, below))
    if any(kinds[node] is Kind.WORD for node, _ in groups):  # no bare word beside the trees: text outside any bracket
        phrase = add("TOP", Kind.PHRASE)
        for node, _ in groups:
            parents[node] = phrase
        phrases.append(("TOP", list(range(n_words))))
    tagged = [
        kind is Kind.WORD and parents[node] >= 0 and kinds[parents[node]] is Kind.PRETERMINAL
        for node, kind in enumerate(kinds)
    ]
    given = ["" if below else random.choice(FUNCTIONS) for below in tagged] if functions else None
    return Tree.from_nodes(names, positions, parents, kinds, given), sorted(phrases)


def random_pair(random: Random) -> tuple[Tree, Tree]:
    """Make two trees over the same words."""
    gold = random_discontinuous(random)[0]
    while len((test := random_discontinuous(random)[0]).words) != len(gold.words):
        pass
    labels = list(test.labels)
    for node, form in zip(test.word_nodes, gold.words, strict=True):
        labels[node] = form
    return gold, Tree(tuple(labels), test.parents, test.starts, test.ends, test.kinds, test.positions)


def slow_yields(tree: Tree) -> list[set[int]]:
    """Return each node's words: those from which one comes to it by going up."""
    yields: list[set[int]] = [set() for _ in range(len(tree))]
    for position, node in enumerate(tree.word_nodes):
        for above in (node, *tree.ancestors(node)):
            yields[above].add(position)
    return yields

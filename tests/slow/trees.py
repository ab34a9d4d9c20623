"""Random trees, as nested lists and as text.

A node is ``[label, child, …]``, a word is a string; a forest is a list of nodes.
"""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import strategies as st

from evaltools import Tree

Nested = Any

LABELS = ("S", "NP", "VP", "N", "NN", "V")
WORDS = ("a", "b", "c", "NP")  # a word may be spelled like a category

randoms = st.integers(0, 2**64 - 1).map(Random)
"""Sources of chance; those of hypothesis itself prefer numbers near 0, which makes dull trees."""


def text_of(item: Nested, brackets: str = "()") -> str:
    """Write a node, a word or a forest."""
    if isinstance(item, str):
        return item
    if not item or not isinstance(item[0], str):
        return " ".join(text_of(node, brackets) for node in item)
    label, *children = item
    inner = "".join(f" {text_of(child, brackets)}" for child in children)
    return f"{brackets[0]}{label}{inner}{brackets[1]}"


def nested_of(tree: Tree) -> list[Nested]:
    """Return a tree's roots as nested lists."""
    made: list[Nested] = []
    for node, label in enumerate(tree.labels):
        made.append(label if tree.kinds[node] == 2 else [label, *(made[child] for child in tree.children(node))])
    return [made[root] for root in tree.roots]


def _over(random: Random, words: list[str], depth: int, bare: bool, empties: bool, labels: tuple[str, ...]) -> Nested:
    label = random.choice(labels)
    if len(words) == 1 and (depth <= 0 or random.random() < 0.7):
        return [label or "S", words[0]]  # "( dog)" would be read as a label
    if depth <= 0:
        tagged = [word if bare and random.random() < 0.4 else [random.choice(labels) or "N", word] for word in words]
        return [label or "S", *tagged]
    children: list[Nested] = []
    at = 0
    while at < len(words):
        n = random.randint(1, len(words) - at)
        if n == 1 and bare and random.random() < 0.3:
            children.append(words[at])
        else:
            children.append(_over(random, words[at : at + n], depth - 1, bare, empties, labels))
        at += n
        if empties and random.random() < 0.15:
            children.append([random.choice(labels)])
    return [label if label or isinstance(children[0], list) else "S", *children]


def random_forest(
    random: Random,
    words: list[str],
    *,
    bare: bool = True,
    empties: bool = False,
    forest: bool = True,
    labels: tuple[str, ...] = LABELS,
) -> list[Nested]:
    """Make a tree over the words, or now and then a forest."""
    roots = []
    at = 0
    while at < len(words):
        n = random.randint(1, len(words) - at) if forest and random.random() < 0.2 else len(words) - at
        roots.append(_over(random, words[at : at + n], random.randint(0, 3), bare, empties, labels))
        at += n
    return roots


def _phrases(forest: list[Nested]) -> list[tuple[list[Nested], int]]:
    """List every node that is no word, as its parent's list and its place there."""
    found: list[tuple[list[Nested], int]] = []
    waiting: list[tuple[list[Nested], int]] = [(forest, i) for i in range(len(forest))]
    while waiting:
        above, i = waiting.pop()
        if isinstance(above[i], list):
            found.append((above, i))
            waiting += [(above[i], k) for k in range(1, len(above[i]))]
    return found


def perturbed(random: Random, forest: list[Nested], edits: int, labels: tuple[str, ...] = LABELS) -> list[Nested]:
    """Relabel, delete, insert or move a few nodes; the words stay as they are."""
    forest = _copy(forest)
    for _ in range(edits):
        above, i = random.choice(_phrases(forest))
        node = above[i]
        what = random.randrange(4)
        if what == 0:
            node[0] = random.choice(labels)
        elif what == 1 and above is not forest:
            above[i : i + 1] = node[1:]
        elif what == 2 and len(node) > 1:
            first = random.randint(1, len(node) - 1)
            last = random.randint(first, len(node) - 1)
            node[first : last + 1] = [[random.choice(labels), *node[first : last + 1]]]
        elif len(node) > 2 and isinstance(node[-1], list) and above is not forest:
            above.insert(i + 1, node.pop())  # attach the last child higher
    return forest


def _copy(item: Nested) -> Nested:
    return item if isinstance(item, str) else [_copy(child) for child in item]


@st.composite
def forests(draw: st.DrawFn, most_words: int = 6, words: tuple[str, ...] = WORDS, **options: Any) -> list[Nested]:
    random = draw(randoms)
    chosen = [random.choice(words) for _ in range(random.randint(1, most_words))]
    return random_forest(random, chosen, **options)


@st.composite
def pairs(
    draw: st.DrawFn, most_words: int = 6, same_words: bool = True, words: tuple[str, ...] = WORDS, **options: Any
) -> tuple[Tree, Tree]:
    """Draw a gold and a test tree; half of the test trees are changed gold trees."""
    random = draw(randoms)
    chosen = [random.choice(words) for _ in range(random.randint(1, most_words))]
    labels = options.get("labels", LABELS)
    gold = random_forest(random, chosen, **options)
    if random.random() < 0.5:
        test = perturbed(random, gold, random.randint(0, 4), labels)
    else:
        if not same_words:
            chosen = [random.choice(words) for _ in range(random.randint(1, most_words))]
        test = random_forest(random, chosen, **options)
    return Tree.from_string(text_of(gold)), Tree.from_string(text_of(test))

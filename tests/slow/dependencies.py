"""Random dependency trees, and what is obvious about them."""

from __future__ import annotations

from random import Random

from evaltools.corpus import DependencyTree, EmptyNode, MultiwordToken, Span

FORMS = ("dog", "日本", "-LRB-", "(", "#", "10 000", "a=b", "\u00a0", "é")
RELATIONS = ("nsubj", "obj", "nmod:poss", "root", "_")


def random_heads(random: Random, n_words: int, *, projective: bool = False) -> list[int]:
    """Return heads of a tree over the words: each word hangs on one that was placed before it."""
    if projective:
        heads = [-1] * n_words
        _project(random, heads, 0, n_words, -1)
        return heads
    order = random.sample(range(n_words), n_words)
    heads = [-1] * n_words
    for place, word in enumerate(order[1:], start=1):
        heads[word] = random.choice(order[:place])
    return heads


def _project(random: Random, heads: list[int], start: int, end: int, above: int) -> None:
    if start == end:
        return
    head = random.randrange(start, end)
    heads[head] = above
    for first, last in ((start, head), (head + 1, end)):
        while first < last:
            cut = random.randint(first + 1, last)
            _project(random, heads, first, cut, head)
            first = cut


def random_dependencies(random: Random, *, plain: bool = False, projective: bool = False) -> DependencyTree:
    """Make a tree with all that CoNLL-U can hold; a plain one only with what CoNLL-X can."""
    n_words = random.randint(1, 8)

    def column(*values: str) -> tuple[str, ...]:
        return tuple(random.choice(values) for _ in range(n_words))

    multiwords, empty, comments = [], [], []
    if not plain:
        first = 0
        while first < n_words and random.random() < 0.4:
            first = random.randrange(first, n_words)
            last = random.randint(first, n_words - 1)
            rest = ("_",) * 7 + (random.choice(("_", "SpaceAfter=No")),)
            multiwords.append(MultiwordToken(Span(first, last + 1), random.choice(FORMS), rest))
            first = last + 1
        for after in sorted(random.sample(range(n_words + 1), random.randint(0, 2))):
            for index in range(1, random.randint(1, 2) + 1):
                empty.append(EmptyNode(after, index, (random.choice(FORMS), *("_",) * 6, "1:conj", "_")))
        comments = random.sample(["# sent_id = x-1", "# text = a = b", "#", "# newpar", "#\ttab"], random.randint(0, 5))
    places = {(node.after, node.index) for node in empty}
    return DependencyTree(
        column(*FORMS),
        tuple(random_heads(random, n_words, projective=projective)),
        column(*RELATIONS),
        column("_", "dog", "be"),
        column("NOUN", "VERB", "_"),
        column("NN", "VB", "$("),
        column("_", "Case=Nom|Number=Sing"),
        column("_") if plain else column("_", "1:nsubj|2.1:conj:and" if (2, 1) in places else "1:nsubj|1:conj:and"),
        column("_", "SpaceAfter=No"),
        tuple(comments),
        tuple(multiwords),
        tuple(empty),
    )


def slow_yield(tree: DependencyTree, word: int) -> set[int]:
    """Return the words from which one comes to a word by following heads."""
    return {below for below in range(len(tree)) if below == word or word in list(tree.ancestors(below))}

"""Generated treebanks of realistic shape: a gold file and six parsers' answers, the same for the same seed.

A tree is a list ``[label, child, …]`` while it is made and changed; a word with its part of speech is a pair
``(tag, form)``. A parser's answer is the gold tree with errors of the usual kinds put in: a wrong label, a bracket
too few or too many, a constituent attached one level too low or too high, a wrong tag. The words stay as they are.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np

from benchmarks.grammar import CLOSED, HEAD_TAGS, LABEL_CONFUSIONS, RULES, SYLLABLES, TAG_CONFUSIONS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

Word: TypeAlias = tuple[str, str]
Node: TypeAlias = list[Any]  # [label, child, …]: each child a Node or a Word
Item = TypeVar("Item")

N_SENTENCES = 2416
N_PARSERS = 6
MEAN_WORDS = 23.8
LONGEST = 92

#: How often a one-word phrase is left out and its word attaches directly to the parent; sets the number of brackets.
BARE = 0.772
#: Open-class words to draw from, by Zipf's law.
VOCABULARY = 30_000
#: How much of the words a phrase takes; one that is not here stays at two where another phrase can take the rest.
APPETITE = {"S": 6.0, "VP": 6.0, "SBAR": 5.0, "NP": 3.0, "PP": 3.0}


@dataclass(frozen=True, slots=True)
class Errors:
    """How often a parser makes each kind of mistake: a chance per phrase, `tag` per word."""

    relabel: float = 0.036
    delete: float = 0.036
    insert: float = 0.046
    reattach: float = 0.137
    tag: float = 0.111

    def scaled(self, factor: float) -> Errors:
        """Return the same mistakes, all of them `factor` times as often."""
        return Errors(*(factor * rate for rate in (self.relabel, self.delete, self.insert, self.reattach, self.tag)))


@dataclass(frozen=True, slots=True)
class Corpus:
    """The files `write` has written: the gold trees, and the answers by the parser's name."""

    gold: Path
    parsers: dict[str, Path]


class Draw:
    """Random numbers from numpy's seeded generator, fetched in blocks because one at a time is slow."""

    def __init__(self, *seed: int) -> None:
        self._generator = np.random.default_rng(seed)
        self._numbers = self._stream()

    def _stream(self) -> Iterator[float]:
        while True:
            yield from self._generator.random(8192).tolist()

    def number(self) -> float:
        """Return the next number, at least 0 and below 1."""
        return next(self._numbers)

    def chance(self, probability: float) -> bool:
        """Return true with this probability."""
        return next(self._numbers) < probability

    def choice(self, items: Sequence[Item]) -> Item:
        """Return one of the items, all equally likely."""
        return items[int(next(self._numbers) * len(items))]

    def weighted(self, items: Sequence[tuple[int, Item]]) -> Item:
        """Return one item of the ``(weight, item)`` pairs, by weight."""
        left = next(self._numbers) * sum(weight for weight, _ in items)
        for weight, item in items:
            left -= weight
            if left < 0:
                return item
        return items[-1][1]


class Words:
    """Forms for tags: closed classes from a short list, open ones by Zipf's law from an invented vocabulary."""

    def __init__(self, draw: Draw) -> None:
        self._draw = draw
        seen: dict[str, None] = {}
        while len(seen) < VOCABULARY:
            length = 1 + int(draw.number() * 4)
            seen["".join(draw.choice(SYLLABLES) for _ in range(length))] = None
        self._forms = tuple(seen)
        weights = 1.0 / np.arange(2, VOCABULARY + 2)
        self._cumulative = np.cumsum(weights / weights.sum())

    def word(self, tag: str) -> Word:
        """Return a word of this tag."""
        if tag in CLOSED:
            return tag, self._draw.choice(CLOSED[tag])
        if tag == "CD":
            return tag, str(1 + int(1 / (0.0005 + self._draw.number())))
        # The tag turns the ranks round, so that the commonest noun is not also the commonest verb.
        rank = int(np.searchsorted(self._cumulative, self._draw.number()))
        form = self._forms[(rank * 7 + sum(map(ord, tag))) % VOCABULARY]
        return tag, form.capitalize() if tag.startswith("NNP") else form


def lengths(n: int, seed: int) -> list[int]:
    """Return `n` sentence lengths in words: their mean is `MEAN_WORDS`, the longest is `LONGEST`."""
    generator = np.random.default_rng((seed, 1))
    drawn = np.clip(np.rint(generator.gamma(4.3, MEAN_WORDS / 4.3, n)), 2, LONGEST - 12).astype(int)
    drawn[int(generator.integers(n))] = LONGEST
    while (gap := round(MEAN_WORDS * n) - int(drawn.sum())) != 0:
        candidates = np.flatnonzero((drawn > 3) & (drawn < LONGEST - 12))
        if not len(candidates):  # a corpus of one or two sentences cannot have both that mean and that maximum
            break
        chosen = generator.choice(candidates, size=min(abs(gap), len(candidates)), replace=False)
        drawn[chosen] += int(np.sign(gap))
    return [int(length) for length in drawn]


def grow(label: str, n: int, draw: Draw, words: Words) -> Node:
    """Return a random tree of category `label` over `n` words."""
    if n == 1:
        return [label, words.word(draw.choice(HEAD_TAGS[label]))]
    fitting = []
    for weight, rule in RULES[label]:
        symbols = rule.split()
        if len(symbols) == n or (len(symbols) < n and any(symbol in RULES for symbol in symbols)):
            fitting.append((weight, symbols))
    if not fitting:
        tag = draw.choice(HEAD_TAGS[label])
        return [label, *(words.word(tag) for _ in range(n))]
    symbols = draw.weighted(fitting)
    node: Node = [label]
    for symbol, share in zip(symbols, shares(symbols, n, draw), strict=True):
        if symbol not in RULES:
            node.append(words.word(symbol))
        elif share == 1 and len(symbols) > 1 and draw.chance(BARE):
            node.append(words.word(draw.choice(HEAD_TAGS[symbol])))
        else:
            node.append(grow(symbol, share, draw, words))
    return node


def shares(symbols: Sequence[str], n: int, draw: Draw) -> list[int]:
    """Return how many of `n` words each symbol of a rule gets: a part of speech one, phrases share the rest."""
    appetites = [APPETITE.get(symbol, 0.0) if symbol in RULES else 0.0 for symbol in symbols]
    given = [1] * len(symbols)
    extra = n - len(symbols)
    if any(appetites):
        for i, symbol in enumerate(symbols):
            if extra and symbol in RULES and not appetites[i] and draw.chance(0.5):
                given[i] += 1
                extra -= 1
    else:
        appetites = [float(symbol in RULES) for symbol in symbols]
    pulls = [appetite * (0.15 + draw.number()) for appetite in appetites]
    total = sum(pulls) or 1.0
    parts = [int(extra * pull / total) for pull in pulls]
    largest = max(range(len(symbols)), key=pulls.__getitem__)
    parts[largest] += extra - sum(parts)
    return [first + more for first, more in zip(given, parts, strict=True)]


def perturb(tree: Node, errors: Errors, draw: Draw) -> Node:
    """Return a copy of `tree` with a parser's mistakes in it; the words and the root stay."""
    copy = _disturb(tree, errors, draw)[0]
    return copy if isinstance(copy, list) else [tree[0], copy]


def _disturb(node: Node | Word, errors: Errors, draw: Draw, *, root: bool = True) -> list[Any]:
    """Return what stands in the place of `node`: itself, its children, or itself and what was moved out of it."""
    if isinstance(node, tuple):
        tag, form = node
        return [(draw.choice(TAG_CONFUSIONS.get(tag, ("NN",))), form) if draw.chance(errors.tag) else node]
    children = [part for child in node[1:] for part in _disturb(child, errors, draw, root=False)]
    moved_out: list[Any] = []
    if len(children) > 1 and isinstance(children[-1], list) and draw.chance(errors.reattach):
        if isinstance(children[-2], list):  # too low: (VP V (NP …) (PP …)) → (VP V (NP … (PP …)))
            last = children.pop()
            children[-1] = [*children[-1], last]
        elif not root:  # too high: the last constituent leaves its parent
            moved_out.append(children.pop())
    if len(children) > 2 and draw.chance(errors.insert):
        start = int(draw.number() * (len(children) - 1))
        children[start : start + 2] = [[draw.choice(tuple(RULES)), *children[start : start + 2]]]
    if not root and draw.chance(errors.delete):
        return [*children, *moved_out]
    label = draw.choice(LABEL_CONFUSIONS.get(node[0], ("X",))) if draw.chance(errors.relabel) else node[0]
    return [[label, *children], *moved_out]


def to_line(node: Node | Word) -> str:
    """Return a tree in PTB brackets on one line.

    >>> to_line(["S", ["NP", ("PRP", "it")], ("VBZ", "works")])
    '(S (NP (PRP it)) (VBZ works))'
    """
    if isinstance(node, tuple):
        return f"({node[0]} {node[1]})"
    return f"({node[0]} {' '.join(map(to_line, node[1:]))})"


def trees(n: int = N_SENTENCES, seed: int = 1) -> list[Node]:
    """Return `n` gold trees."""
    draw = Draw(seed, 2)
    words = Words(draw)
    return [grow("S", length, draw, words) for length in lengths(n, seed)]


def answers(gold: Sequence[Node], n_parsers: int = N_PARSERS, seed: int = 1) -> dict[str, list[Node]]:
    """Return the answers of `n_parsers` parsers, the first making the fewest mistakes and the last the most."""
    factors = np.linspace(0.7, 1.3, n_parsers) if n_parsers > 1 else np.ones(1)
    parsers = {}
    for i, factor in enumerate(factors.tolist(), start=1):
        draw, errors = Draw(seed, 3, i), Errors().scaled(factor)
        parsers[f"parser-{i}"] = [perturb(tree, errors, draw) for tree in gold]
    return parsers


def write(folder: Path, gold: Sequence[Node], parsers: dict[str, list[Node]]) -> Corpus:
    """Write ``gold.ptb`` and each parser's file into `folder`, one tree a line, and return where they are."""
    paths = {}
    for name, content in {"gold": gold, **parsers}.items():
        paths[name] = folder / f"{name}.ptb"
        paths[name].write_text("\n".join(map(to_line, content)) + "\n", encoding="utf-8")
    return Corpus(paths.pop("gold"), paths)


def brackets(node: Node) -> tuple[Counter[tuple[str, int, int]], Counter[tuple[str, int, int]]]:
    """Return the labeled spans of the phrases and those of the parts of speech, each as a multiset."""
    phrases: Counter[tuple[str, int, int]] = Counter()
    tags: Counter[tuple[str, int, int]] = Counter()

    def walk(part: Node | Word, start: int) -> int:
        if isinstance(part, tuple):
            tags[part[0], start, start + 1] += 1
            return start + 1
        end = start
        for child in part[1:]:
            end = walk(child, end)
        phrases[part[0], start, end] += 1
        return end

    walk(node, 0)
    return phrases, tags


def shape(gold: Sequence[Node], parsers: dict[str, list[Node]]) -> dict[str, float]:
    """Return what the generated corpus looks like, counted from the trees without evaltools.

    Returns
    -------
    dict of str to float
        ``words`` and ``roof_nodes`` a gold sentence, ``nodes`` a tree with words, ``longest`` in words, and the pooled
        E Dice of all parsers together, ``dice_roof`` and ``dice_whole``.
    """
    gold_brackets = [brackets(tree) for tree in gold]
    sums: Counter[str] = Counter()
    for parsed in parsers.values():
        for (gold_roof, gold_tags), tree in zip(gold_brackets, parsed, strict=True):
            roof, tags = brackets(tree)
            sums["roof_matched"] += (gold_roof & roof).total()
            sums["roof"] += gold_roof.total() + roof.total()
            sums["tags_matched"] += (gold_tags & tags).total()
            sums["tags"] += gold_tags.total() + tags.total()
    n_words = [tags.total() for _, tags in gold_brackets]
    n_roof = [phrases.total() for phrases, _ in gold_brackets]
    return {
        "words": sum(n_words) / len(gold),
        "roof_nodes": sum(n_roof) / len(gold),
        "nodes": (2 * sum(n_words) + sum(n_roof)) / len(gold),
        "longest": max(n_words),
        "dice_roof": 2 * sums["roof_matched"] / sums["roof"],
        "dice_whole": 2 * (sums["roof_matched"] + sums["tags_matched"]) / (sums["roof"] + sums["tags"]),
    }

"""The relations of a dependency tree whose heads are known: every arc on its own, by an averaged perceptron."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np

from .weights import Numbers, Weights


class Labeller:
    """Learns the relations of one scheme.

    Parameters
    ----------
    words, tags, heads, relations
        The training set, a list of each for every sentence; heads count from 1, 0 is the root.
    rounds, seed
        Passes over the training set, and the seed of their order.
    """

    def __init__(
        self,
        words: list[list[str]],
        tags: list[list[str]],
        heads: list[list[int]],
        relations: list[list[str]],
        rounds: int,
        seed: int,
    ) -> None:
        self.names = sorted({name for sentence in relations for name in sentence})
        self.root = next(name for name in self.names if name.lower() == "root")
        place = {name: number for number, name in enumerate(self.names)}
        self.numbers: dict[str, int] = {"": 0}  # 0 stands for a feature that was never seen
        rows = [self._rows(*sentence, learn=True) for sentence in zip(words, tags, heads, strict=True)]
        truths = [np.array([place[name] for name in sentence]) for sentence in relations]
        self.weights = Weights(len(self.numbers), len(self.names))
        order = list(range(len(rows)))
        rng = random.Random(seed)
        for _ in range(rounds):
            rng.shuffle(order)
            for index in order:
                self._learn(rows[index], truths[index])
        self.weights.average()

    def _learn(self, rows: Numbers, truth: Numbers) -> None:
        guess = self.weights.now[rows].sum(axis=1).argmax(axis=1)
        wrong = guess != truth
        if wrong.any():
            self.weights.change((rows[wrong], truth[wrong][:, None]), 1)
            self.weights.change((rows[wrong], guess[wrong][:, None]), -1)
        self.weights.steps += 1

    def relations(self, words: list[str], tags: list[str], heads: list[int]) -> list[str]:
        """Return a relation a word; the first by name where scores tie, and the root's for the root alone."""
        scores = self.weights.now[self._rows(words, tags, heads, learn=False)].sum(axis=1)
        root = self.names.index(self.root)
        lowest = scores.min() - 1
        scores[:, root] = lowest
        best = scores.argmax(axis=1)
        return [self.root if not head else self.names[number] for head, number in zip(heads, best, strict=True)]

    def _rows(self, words: list[str], tags: list[str], heads: list[int], *, learn: bool) -> Numbers:
        """Return the numbers of the features of every arc."""
        sentence = _features(words, tags, heads)
        if learn:
            numbers = [[self.numbers.setdefault(name, len(self.numbers)) for name in arc] for arc in sentence]
        else:
            numbers = [[self.numbers.get(name, 0) for name in arc] for arc in sentence]
        return np.array(numbers, dtype=np.int64)


def _features(words: Sequence[str], tags: Sequence[str], heads: Sequence[int]) -> list[list[str]]:
    """Return the features of every arc."""
    size = len(words)
    children: list[list[int]] = [[] for _ in range(size + 1)]
    for place, head in enumerate(heads, 1):
        children[head].append(place)

    def tag(place: int) -> str:
        return tags[place - 1] if 1 <= place <= size else "-"

    def word(place: int) -> str:
        return words[place - 1].lower() if 1 <= place <= size else "-"

    arcs = []
    for place, head in enumerate(heads, 1):
        own, beside = children[place], children[head]
        here = beside.index(place)
        before = beside[here - 1] if here else 0
        after = beside[here + 1] if here + 1 < len(beside) else 0
        first, last = (own[0], own[-1]) if own else (0, 0)
        side = "<" if place < head else ">"
        gap = min(abs(place - head), 4)
        t, h, w, v = tag(place), tag(head), word(place), word(head)
        between = " ".join(sorted({tag(k)[:2] for k in beside if min(place, head) < k < max(place, head)}))
        carried = " ".join(sorted({word(k) for k in beside if tag(k).endswith("AUX") or tag(k).startswith("TO")}))
        arcs.append(
            [
                f"1 {t} {h} {side}",
                f"2 {w} {h} {side}",
                f"3 {t} {v} {side}",
                f"4 {w} {v}",
                f"5 {t} {h} {side} {gap}",
                f"6 {t} {h} {tag(first)} {word(first)}",
                f"7 {w} {tag(first)} {side}",
                f"8 {t} {h} {tag(last)}",
                f"9 {h} {side} {t} {tag(before)} {tag(after)}",
                f"a {t} {side} {word(before)}",
                f"b {t} {h} {tag(place - 1)} {tag(place + 1)}",
                f"c {t} {h} {side} {between}",
                f"d {t} {h} {side} {carried}",
                f"e {t} {h} {tag(heads[head - 1]) if head else ''} {side}",
                f"f {word(first)} {v} {side}",
                f"g {word(first)} {h} {side} {t}",
                f"h {t} {side} {v} {tag(before)} {tag(after)}",
                f"i {t} {tag(head + 1)} {h} {side}",
                f"j {w} {word(place + 1)} {side}",
                f"k {t} {word(place - 1)} {h} {side}",
                f"l {len(own) > 0} {t} {h} {side} {tag(first)} {tag(last)}",
                f"m {w}",
                f"n {t} {h} {v} {carried}",
                f"o {word(first)} {w} {t}",
            ]
        )
    return arcs

"""A graph-based parser for dependencies: every possible arc has a score, the best tree is found among all of them.

First-order features as in McDonald, Crammer and Pereira (2005); the maximum spanning tree of Chu and Liu (1965) and
Edmonds (1967), so that a phrase may stand apart from its head. The relations come from a `Labeller`.
"""

from __future__ import annotations

import random

import numpy as np

from .weights import BITS, Numbers, Weights, slots

NEVER = -(1 << 60)


class SpanningTree:
    """Learns the heads of one scheme.

    Parameters
    ----------
    words, tags, heads
        The training set, a list of each for every sentence; heads count from 1, 0 is the root.
    rounds, seed
        Passes over the training set, and the seed of their order.
    """

    def __init__(
        self, words: list[list[str]], tags: list[list[str]], heads: list[list[int]], rounds: int, seed: int
    ) -> None:
        self.words: dict[str, int] = {}
        self.tags: dict[str, int] = {}
        for sentence in words:
            for word in sentence:
                self.words.setdefault(word.lower(), len(self.words) + 3)
        for sentence in tags:
            for tag in sentence:
                self.tags.setdefault(tag, len(self.tags) + 3)
        self.weights = Weights(1 << BITS)
        rows = [self._rows(*sentence) for sentence in zip(words, tags, strict=True)]
        truths = [np.array(sentence) for sentence in heads]
        order = list(range(len(rows)))
        rng = random.Random(seed)
        for _ in range(rounds):
            rng.shuffle(order)
            for index in order:
                self._learn(rows[index], truths[index])
        self.weights.average()

    def _learn(self, rows: Numbers, truth: Numbers) -> None:
        scores = self.weights.now[rows].sum(axis=2)
        places = np.arange(len(truth))
        scores[places + 1, places] = NEVER  # no word is its own head
        guess = scores.argmax(axis=0)
        wrong = np.flatnonzero(guess != truth)
        if len(wrong):
            self.weights.change(rows[truth[wrong], wrong].ravel(), 1)
            self.weights.change(rows[guess[wrong], wrong].ravel(), -1)
        self.weights.steps += 1

    def heads(self, words: list[str], tags: list[str]) -> list[int]:
        """Return the head of every word."""
        return best_tree(self.weights.now[self._rows(words, tags)].sum(axis=2))

    def _rows(self, words: list[str], tags: list[str]) -> Numbers:
        """Return the features of every arc: heads (0 is the root) × words × features."""
        size = len(words)
        word = np.array([1, *(self.words.get(w.lower(), 2) for w in words)], dtype=np.int64)
        tag = np.array([0, 1, *(self.tags.get(t, 2) for t in tags), 0], dtype=np.int64)  # 0 is beyond either end
        places = np.arange(size + 1)
        h, d = places[:, None], places[None, 1:]
        distance = np.abs(h - d)
        way = np.minimum(distance, 5) + np.where(distance > 9, 2, np.where(distance > 5, 1, 0)) + 8 * (h < d)
        way = np.where(h == 0, 16, way)
        low, high = np.minimum(h, d), np.maximum(h, d)
        inside = np.zeros_like(way)
        for bit, group in enumerate((("VB", "MD"), ("CC", ","), ("IN", "TO"), (":", "``", "''", "W"))):
            marks = np.array([0, *(t.startswith(group) for t in tags)], dtype=np.int64)
            sums = np.cumsum(marks)
            inside += np.minimum(sums[high - 1] - sums[low], 2) * 3**bit
        hw, dw = np.broadcast_to(word[h], way.shape), np.broadcast_to(word[d], way.shape)
        ht, dt = np.broadcast_to(tag[h + 1], way.shape), np.broadcast_to(tag[d + 1], way.shape)
        before_h, after_h = (
            np.broadcast_to(tag[h], way.shape),
            np.broadcast_to(tag[np.minimum(h + 2, size + 2)], way.shape),
        )
        before_d, after_d = np.broadcast_to(tag[d], way.shape), np.broadcast_to(tag[d + 2], way.shape)
        zero = np.zeros_like(way)
        side = way // 8
        templates = [
            (ht, hw, zero, side), (ht, dt, zero, way), (dt, dw, zero, side), (ht, dt, hw, side), (ht, dt, dw, side),
            (zero, zero, dw + 8192 * hw, side), (ht, zero, dw, way), (dt, zero, hw, way), (ht, dt, inside, side),
            (ht, dt, after_h + 128 * before_d, side), (ht, dt, before_h + 128 * before_d, side),
            (ht, dt, after_h + 128 * after_d, side), (ht, dt, before_h + 128 * after_d, side),
            (ht, dt, before_d, side), (ht, dt, after_d, side), (ht, dt, before_h, side), (ht, dt, after_h, side),
            (ht, dt, inside, way), (dt, before_d, after_d, way), (hw, dt, inside, side), (ht, dw, inside, side),
            (dw, zero, zero, way),
        ]  # fmt: skip
        keys = [
            (((number * 8192 + one) * 128 + two) * (1 << 27) + three) * 32 + four
            for number, (one, two, three, four) in enumerate(templates, 1)
        ]
        return slots(np.stack(keys, axis=2))


def best_tree(scores: Numbers) -> list[int]:
    """Return the heads of the best tree with exactly one child of the root.

    Parameters
    ----------
    scores : array of int64, (n + 1, n)
        Of every head (0 is the root) for every word; a word is never its own head.
    """
    size = scores.shape[1]
    full = np.full((size + 1, size + 1), NEVER, dtype=np.int64)
    full[:, 1:] = scores
    np.fill_diagonal(full, NEVER)
    heads = _arborescence(full)
    if sum(not head for head in heads[1:]) == 1:
        return heads[1:]
    best: tuple[int, list[int]] | None = None
    for root in range(1, size + 1):
        only = full.copy()
        only[0, 1:] = NEVER
        only[0, root] = full[0, root]
        heads = _arborescence(only)
        total = sum(int(full[head, place]) for place, head in enumerate(heads) if place)
        if best is None or total > best[0]:
            best = total, heads[1:]
    assert best is not None
    return best[1]


def _arborescence(scores: Numbers) -> list[int]:
    """Return the heads of the best tree from the root 0; the first of equals."""
    heads = [-1, *scores[:, 1:].argmax(axis=0).tolist()]
    cycle = _cycle(heads)
    if not cycle:
        return heads
    inside = np.zeros(len(heads), dtype=bool)
    inside[cycle] = True
    outside = np.flatnonzero(~inside)  # the root is the first
    members = np.array(cycle)
    size = len(outside)
    smaller = np.full((size + 1, size + 1), NEVER, dtype=np.int64)
    smaller[:size, :size] = scores[np.ix_(outside, outside)]
    own = np.array([scores[heads[member], member] for member in cycle])
    entering = scores[np.ix_(outside, members)] - own[None, :]
    enter_at = entering.argmax(axis=1)
    smaller[:size, size] = entering.max(axis=1)
    leaving = scores[np.ix_(members, outside)]
    leave_from = leaving.argmax(axis=0)
    smaller[size, :size] = leaving.max(axis=0)
    smaller[size, size] = NEVER
    found = _arborescence(smaller)
    for place in range(1, size):
        head = found[place]
        heads[outside[place]] = int(outside[head]) if head < size else int(members[leave_from[place]])
    heads[int(members[enter_at[found[size]]])] = int(outside[found[size]])
    return heads


def _cycle(heads: list[int]) -> list[int]:
    """Return the words of a cycle, none if there is none."""
    done = {0}
    for start in range(1, len(heads)):
        path: list[int] = []
        place = start
        while place not in done and place not in path:
            path.append(place)
            place = heads[place]
        if place in path:
            return path[path.index(place) :]
        done.update(path)
    return []

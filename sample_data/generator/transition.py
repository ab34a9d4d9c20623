"""A greedy transition parser for dependencies: arc-standard with swap (Nivre, 2009), an averaged perceptron over its steps.

Swapping two words makes it possible that a phrase stands apart from its head. The relations come from a `Labeller`.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

SHIFT, LEFT, RIGHT, SWAP = range(4)


class State:
    """A stack (0 at its bottom), what is still to be read, and the heads found."""

    def __init__(self, size: int) -> None:
        self.stack = [0]
        self.queue = list(range(size, 0, -1))  # the next word is the last
        self.heads = [0] * (size + 1)
        self.left: list[int] = [0] * (size + 1)  # the outermost children
        self.right: list[int] = [0] * (size + 1)

    @property
    def finished(self) -> bool:
        """Whether only the root is left."""
        return not self.queue and len(self.stack) == 1

    def allowed(self) -> list[int]:
        """Return the steps that are possible; the root gets exactly one child, at the end."""
        steps = [SHIFT] if self.queue else []
        if len(self.stack) > 2:
            steps += [LEFT, RIGHT]
            if self.stack[-2] < self.stack[-1]:
                steps.append(SWAP)
        elif len(self.stack) == 2 and not self.queue:
            steps.append(RIGHT)
        return steps

    def apply(self, step: int) -> None:
        """Take one step."""
        if step == SHIFT:
            self.stack.append(self.queue.pop())
        elif step == SWAP:
            self.queue.append(self.stack.pop(-2))
        else:
            child = self.stack.pop(-2 if step == LEFT else -1)
            head = self.stack[-1]
            self.heads[child] = head
            if step == LEFT:
                self.left[head] = child
            else:
                self.right[head] = child


def script(heads: Sequence[int]) -> list[int]:
    """Return the steps that build a tree.

    >>> script([2, 0])
    [0, 0, 1, 2]
    """
    size = len(heads)
    children: list[list[int]] = [[] for _ in range(size + 1)]
    for place, head in enumerate(heads, 1):
        children[head].append(place)
    rank = {word: number for number, word in enumerate(_in_order(0, children))}
    waiting = [len(own) for own in children]
    state, steps = State(size), []
    while not state.finished:
        step = SHIFT
        if len(state.stack) > 1:
            below, top = state.stack[-2], state.stack[-1]
            if below and heads[below - 1] == top and not waiting[below]:
                step = LEFT
            elif heads[top - 1] == below and not waiting[top]:
                step = RIGHT
            elif below and rank[top] < rank[below]:
                step = SWAP
        if step in (LEFT, RIGHT):
            waiting[state.stack[-1 if step == LEFT else -2]] -= 1
        state.apply(step)
        steps.append(step)
    return steps


def _in_order(word: int, children: list[list[int]]) -> list[int]:
    """Return a word and its descendants, every phrase in one piece."""
    earlier = [below for child in children[word] if child < word for below in _in_order(child, children)]
    later = [below for child in children[word] if child > word for below in _in_order(child, children)]
    return [*earlier, word, *later]


class Transition:
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
        self.weights: dict[str, list[int]] = {}
        self.corrections: dict[str, list[int]] = {}
        self.steps = 1
        scripts = [script(sentence) for sentence in heads]
        order = list(range(len(words)))
        rng = random.Random(seed)
        for _ in range(rounds):
            rng.shuffle(order)
            for index in order:
                self._learn(words[index], tags[index], scripts[index])
        for feature, weights in self.weights.items():
            corrections = self.corrections[feature]
            self.weights[feature] = [w * self.steps - c for w, c in zip(weights, corrections, strict=True)]

    def _learn(self, words: list[str], tags: list[str], steps: list[int]) -> None:
        state = State(len(words))
        padded = _padded(words, tags)
        for truth in steps:
            features = _features(state, *padded)
            guess = self._best(features, state.allowed())
            if guess != truth:
                for feature in features:
                    weights = self.weights.setdefault(feature, [0, 0, 0, 0])
                    corrections = self.corrections.setdefault(feature, [0, 0, 0, 0])
                    weights[truth] += 1
                    weights[guess] -= 1
                    corrections[truth] += self.steps
                    corrections[guess] -= self.steps
            self.steps += 1
            state.apply(truth)

    def _best(self, features: list[str], allowed: list[int]) -> int:
        """Return the best step, the first of them where scores tie."""
        if len(allowed) == 1:
            return allowed[0]
        totals = [0, 0, 0, 0]
        for feature in features:
            weights = self.weights.get(feature)
            if weights is not None:
                totals[0] += weights[0]
                totals[1] += weights[1]
                totals[2] += weights[2]
                totals[3] += weights[3]
        return max(allowed, key=totals.__getitem__)

    def heads(self, words: list[str], tags: list[str]) -> list[int]:
        """Return the head of every word."""
        state = State(len(words))
        padded = _padded(words, tags)
        while not state.finished:
            state.apply(self._best(_features(state, *padded), state.allowed()))
        return state.heads[1:]


def _padded(words: list[str], tags: list[str]) -> tuple[list[str], list[str]]:
    """Return words and tags with the root before them and nothing after them."""
    return ["<root>", *(word.lower() for word in words), "-"], ["<root>", *tags, "-"]


def _features(state: State, words: list[str], tags: list[str]) -> list[str]:
    none = len(words) - 1
    stack, queue, left, right = state.stack, state.queue, state.left, state.right
    a = stack[-1]
    b = stack[-2] if len(stack) > 1 else none
    c = stack[-3] if len(stack) > 2 else none
    p = queue[-1] if queue else none
    q = queue[-2] if len(queue) > 1 else none
    r = queue[-3] if len(queue) > 2 else none
    at, bt, ct, pt, qt, rt = tags[a], tags[b], tags[c], tags[p], tags[q], tags[r]
    aw, bw, cw, pw, qw = words[a], words[b], words[c], words[p], words[q]
    no_child = left_b = right_b = left_a = right_a = "-"
    if a != none:
        left_a = tags[left[a]] if left[a] else no_child
        right_a = tags[right[a]] if right[a] else no_child
    if b != none:
        left_b = tags[left[b]] if left[b] else no_child
        right_b = tags[right[b]] if right[b] else no_child
        wrb = words[right[b]] if right[b] else no_child
    else:
        wrb = no_child
    wla = words[left[a]] if a != none and left[a] else no_child
    gap = min(a - b, 5) if b != none else 0
    return [
        f"0 {at} {aw}",
        f"1 {at} {bt}",
        f"2 {bt} {bw}",
        f"3 {pt} {pw}",
        f"4 {at} {bt} {pt}",
        f"5 {aw} {bw}",
        f"6 {aw} {bt}",
        f"7 {at} {bw}",
        f"8 {at} {pt} {qt}",
        f"9 {at} {bt} {pt} {qt}",
        f"A {at} {bt} {ct}",
        f"B {at} {bt} {ct} {pt}",
        f"C {bw} {at} {pt}",
        f"D {aw} {bt} {pt}",
        f"E {at} {bt} {pw}",
        f"F {at} {bt} {left_a} {pt}",
        f"G {at} {bt} {right_b} {pt}",
        f"H {at} {bt} {left_b} {pt}",
        f"I {at} {bt} {right_a} {pt}",
        f"J {at} {bt} {gap}",
        f"K {bw} {aw} {pt}",
        f"L {at} {bt} {cw}",
        f"M {bw} {wla} {at}",
        f"N {at} {bt} {wrb}",
        f"O {bw} {ct} {at} {pt}",
        f"P {pt} {qt} {rt}",
        f"Q {bt} {pt} {qw}",
        f"R {aw} {pt} {qt}",
        f"S {cw} {bt} {at} {wla}",
        f"T {bt} {at} {left_a} {right_a}",
        f"U {bt} {at} {left_b} {right_b}",
        f"V {aw} {pw}",
    ]

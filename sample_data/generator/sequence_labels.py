"""Constituency parsing as sequence labelling, with an averaged perceptron.

After Gómez-Rodríguez and Vilares (2018), "Constituent parsing as sequence labeling": every word is labelled with how
many phrases it shares with the next word, compared with the word before, and with the lowest of them. One wrong level
shifts all that follows, so this parser errs in depth where the others err in attachment.
"""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass, field

from .perceptron import Perceptron
from .tagging import PerceptronTagger, is_first, shape
from .trees import Node

CHAIN = "+"  # joins the labels of a unary chain
NOTHING = "-"


@dataclass(slots=True)
class _Open:
    """A phrase that is being built."""

    label: str = ""
    children: list[_Open | Node] = field(default_factory=list)


class SequenceLabels:
    """The parser; training happens in the constructor.

    Parameters
    ----------
    trees
        Trees without function tags, top label ROOT.
    tagger
        Gives the tags, in training too.
    rounds, seed
        Passes over the training set, and the seed of their order.
    """

    def __init__(self, trees: list[Node], tagger: PerceptronTagger, rounds: int, seed: int) -> None:
        self.tagger = tagger
        self.levels = Perceptron()
        self.chains = Perceptron()
        data = [(tree.words(), tagger.tag(tree.words()), *_encode(tree.children[0])) for tree in trees]
        order = list(range(len(data)))
        rng = random.Random(seed)
        for _ in range(rounds):
            rng.shuffle(order)
            for index in order:
                self._learn(*data[index])
        self.levels.average()
        self.chains.average()

    def _learn(self, words: list[str], tags: list[str], levels: list[str], chains: list[str]) -> None:
        guessed: list[str] = []
        for position in range(len(words)):
            features = _features(words, tags, guessed, position)
            guess = self.levels.best(features, NOTHING)
            self.levels.update(features, levels[position], guess)
            guessed.append(guess)
            features = _chain_features(words, tags, guessed, position)
            self.chains.update(features, chains[position], self.chains.best(features, NOTHING))

    def parse(self, words: list[str]) -> Node:
        """Return a tree; levels that make no sense are repaired."""
        tags = self.tagger.tag(words)
        levels: list[str] = []
        leaves: list[Node] = []
        for position, word in enumerate(words):
            levels.append(self.levels.best(_features(words, tags, levels, position), NOTHING))
            chain = self.chains.best(_chain_features(words, tags, levels, position), NOTHING)
            leaves.append(_chain(chain, Node(tags[position], word=word)))
        return Node("ROOT", (_decode(leaves, levels),))


def _collapsed(node: Node) -> Node:
    """Join unary chains of phrases into one label."""
    label = node.label
    while len(node.children) == 1 and not node.children[0].is_preterminal:
        node = node.children[0]
        label = f"{label}{CHAIN}{node.label}"
    return node if node.is_preterminal else Node(label, tuple(map(_collapsed, node.children)))


def _paths(node: Node, above: tuple[Node, ...], paths: list[tuple[tuple[Node, ...], str]]) -> None:
    """Collect for every word the branching phrases above it, and the chain that is directly over it."""
    for child in node.children:
        if child.is_preterminal:
            paths.append(((*above, node), NOTHING))
        elif len(child.children) == 1 and child.children[0].is_preterminal:
            paths.append(((*above, node), child.label))
        else:
            _paths(child, (*above, node), paths)


def _encode(tree: Node) -> tuple[list[str], list[str]]:
    """Return the level label and the chain label of every word."""
    top = _collapsed(tree)
    if len(top.children) == 1:
        return [NOTHING], [top.label]
    paths: list[tuple[tuple[Node, ...], str]] = []
    _paths(top, (), paths)
    levels: list[str] = []
    before = 0
    for (path, _), (following, _) in itertools.pairwise(paths):
        shared = 0
        while shared < min(len(path), len(following)) and path[shared] is following[shared]:
            shared += 1
        levels.append(f"{shared - before} {path[shared - 1].label}")
        before = shared
    return [*levels, NOTHING], [chain for _, chain in paths]


def _chain(labels: str, node: Node) -> Node:
    """Put a chain of labels over a node."""
    for label in [] if labels == NOTHING else reversed(labels.split(CHAIN)):
        node = Node(label, (node,))
    return node


def _decode(leaves: list[Node], levels: list[str]) -> Node:
    """Build the tree that the labels describe, as far as they describe one."""
    top = _Open()
    path = [top]
    depth = 1
    for position, leaf in enumerate(leaves):
        wanted, label = depth, ""
        if position + 1 < len(leaves) and levels[position] != NOTHING:
            change, label = levels[position].split(" ")
            wanted = max(1, (depth if position else 0) + int(change))
        while len(path) < wanted:
            opened = _Open()
            path[-1].children.append(opened)
            path.append(opened)
        path[-1].children.append(leaf)
        del path[wanted:]
        path[-1].label = path[-1].label or label
        depth = wanted
    (node, *others) = _closed(top)
    if others or node.is_preterminal:
        return Node("FRAG", (node, *others))
    return node


def _closed(phrase: _Open) -> list[Node]:
    """Return the finished phrase; one that never got a label gives way to its daughters."""
    children: list[Node] = []
    for child in phrase.children:
        children += _closed(child) if isinstance(child, _Open) else [child]
    if not phrase.label:
        return children
    *upper, lowest = phrase.label.split(CHAIN)
    return [_chain(CHAIN.join(upper) or NOTHING, Node(lowest, tuple(children)))]


def _window(items: list[str], position: int, offset: int) -> str:
    place = position + offset
    return items[place] if 0 <= place < len(items) else NOTHING


def _features(words: list[str], tags: list[str], guessed: list[str], position: int) -> list[str]:
    tag = {offset: _window(tags, position, offset) for offset in range(-2, 5)}
    word = {offset: _window(words, position, offset) for offset in range(-1, 3)}
    last = _window(guessed, position, -1)
    last_two = f"{_window(guessed, position, -2)} {last}"
    return [
        "bias",
        f"t {tag[0]} {tag[1]}",
        f"t3 {tag[0]} {tag[1]} {tag[2]}",
        f"t4 {tag[0]} {tag[1]} {tag[2]} {tag[3]}",
        f"t5 {tag[0]} {tag[1]} {tag[2]} {tag[3]} {tag[4]}",
        f"b3 {tag[-1]} {tag[0]} {tag[1]}",
        f"b4 {tag[-2]} {tag[-1]} {tag[0]} {tag[1]} {tag[2]}",
        f"w {word[0]} {tag[1]}",
        f"w+1 {tag[0]} {word[1]}",
        f"ww {word[0]} {word[1]}",
        f"w+2 {tag[0]} {tag[1]} {word[2]}",
        f"w-1 {word[-1]} {tag[0]} {tag[1]}",
        f"l {last} {tag[0]} {tag[1]}",
        f"l2 {last_two} {tag[0]} {tag[1]}",
        f"lw {last} {word[0]} {tag[1]}",
        f"l3 {last} {tag[0]} {tag[1]} {tag[2]}",
        f"first {position == 0} {tag[0]} {tag[1]}",
    ]


def _chain_features(words: list[str], tags: list[str], levels: list[str], position: int) -> list[str]:
    tag = {offset: _window(tags, position, offset) for offset in range(-1, 3)}
    here, last = levels[position], _window(levels, position, -1)
    word = words[position]
    return [
        "bias",
        f"t {tag[0]}",
        f"w {word}",
        f"shape {tag[0]} {shape(word, is_first(words, position))}",
        f"tt {tag[-1]} {tag[0]} {tag[1]}",
        f"l {tag[0]} {here}",
        f"ll {tag[0]} {last} {here}",
        f"wl {word} {here}",
        f"t+2 {tag[0]} {tag[1]} {tag[2]}",
    ]

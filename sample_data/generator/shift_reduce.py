"""A greedy shift-reduce constituency parser with an averaged perceptron.

Trees are binarised to the left, so that a flat phrase grows as its words come in; a symbol that ends in ``*`` is
unfinished. After Sagae and Lavie (2005), "A classifier-based parser with linear run-time complexity".
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from .perceptron import Perceptron
from .tagging import PerceptronTagger
from .trees import Node

UNARY_LIMIT = 3


@dataclass(frozen=True, slots=True)
class Item:
    """A tree on the stack with its head word."""

    node: Node
    head_word: str
    head_tag: str
    unaries: int = 0

    @property
    def label(self) -> str:
        """The label of the tree."""
        return self.node.label


class ShiftReduce:
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
        self.model = Perceptron()
        scripts = [_script(tree.children[0]) for tree in trees]
        self.actions = sorted({action for script in scripts for action in script})
        tagged = [list(zip(tree.words(), tagger.tag(tree.words()), strict=True)) for tree in trees]
        order = list(range(len(trees)))
        rng = random.Random(seed)
        for _ in range(rounds):
            rng.shuffle(order)
            for index in order:
                self._learn(tagged[index], scripts[index])
        self.model.average()

    def _learn(self, tagged: list[tuple[str, str]], script: list[str]) -> None:
        stack: list[Item] = []
        used = 0
        for truth in script:
            features = _features(stack, tagged, used)
            guess = self.model.predict(features, self._allowed(stack, len(tagged) - used))
            self.model.update(features, truth, guess)
            used += _apply(truth, stack, tagged, used)

    def _allowed(self, stack: list[Item], waiting: int) -> list[str]:
        """Return the actions that are possible now."""
        return [
            action
            for action in self.actions
            if (action == "shift" and waiting)
            or (action.startswith("join ") and len(stack) > 1)
            or (
                action.startswith("over ")
                and stack
                and stack[-1].unaries < UNARY_LIMIT
                and not stack[-1].label.endswith("*")
            )
        ]

    def parse(self, words: list[str]) -> Node:
        """Return a tree; what is left on the stack at the end is put side by side."""
        tagged = list(zip(words, self.tagger.tag(words), strict=True))
        stack: list[Item] = []
        used = 0
        while used < len(words) or len(stack) > 1:
            allowed = self._allowed(stack, len(words) - used)
            action = self.model.predict(_features(stack, tagged, used), allowed)
            used += _apply(action, stack, tagged, used)
        tree = _unbinarised(stack[0].node)
        finished = Node(tree.label.rstrip("*"), tree.children, tree.word)
        if finished.is_preterminal:
            finished = Node("FRAG", (finished,))
        return Node("ROOT", (finished,))


def _script(node: Node) -> list[str]:
    """Return the actions that build a tree."""
    if node.is_preterminal:
        return ["shift"]
    first, *rest = node.children
    actions = _script(first)
    if not rest:
        return [*actions, f"over {node.label}"]
    for position, child in enumerate(rest):
        last = position == len(rest) - 1
        actions += [*_script(child), f"join {node.label}{'' if last else '*'}"]
    return actions


def _apply(action: str, stack: list[Item], tagged: list[tuple[str, str]], used: int) -> int:
    """Change the stack; return how many words were taken from the queue."""
    if action == "shift":
        word, tag = tagged[used]
        stack.append(Item(Node(tag, word=word), word, tag))
        return 1
    kind, label = action.split(" ")
    right = stack.pop()
    if kind == "over":
        stack.append(Item(Node(label, (right.node,)), right.head_word, right.head_tag, right.unaries + 1))
        return 0
    left = stack.pop()
    head = _head(label.rstrip("*"), left, right)
    stack.append(Item(Node(label, (left.node, right.node)), head.head_word, head.head_tag))
    return 0


def _head(label: str, left: Item, right: Item) -> Item:
    """Return the part that has the head word: a rough table of head rules."""
    if label in ("NP", "WHNP", "NX", "QP", "ADJP", "ADVP"):
        return left if right.label in ("PP", "SBAR", "VP", "S", ",", "PRN", "POS", "CC") else right
    if label in ("S", "SINV", "SQ", "SBARQ", "ROOT"):
        return right if right.label in ("VP", "S", "SQ") else left
    if label == "VP":
        return right if right.label == "VP" else left
    return left


def _unbinarised(node: Node) -> Node:
    if node.is_preterminal:
        return node
    children: list[Node] = []
    for child in node.children:
        flat = _unbinarised(child)
        children += flat.children if flat.label.endswith("*") and not flat.is_preterminal else [flat]
    return Node(node.label, tuple(children))


def _describe(stack: list[Item], depth: int) -> tuple[str, str, str, str, str]:
    """Return label, head word, head tag, first and last daughter of a stack item."""
    if len(stack) < depth:
        return ("-", "-", "-", "-", "-")
    item = stack[-depth]
    daughters = item.node.children
    first, last = (daughters[0].label, daughters[-1].label) if daughters else ("", "")
    return (item.label, item.head_word, item.head_tag, first, last)


def _features(stack: list[Item], tagged: list[tuple[str, str]], used: int) -> list[str]:
    a, aw, at, af, al = _describe(stack, 1)
    b, bw, bt, bf, bl = _describe(stack, 2)
    c, _, ct, _, _ = _describe(stack, 3)
    d, _, _, _, _ = _describe(stack, 4)
    queue = [tagged[used + k] if used + k < len(tagged) else ("-", "-") for k in range(3)]
    (qw, q), (pw, p), (_, r) = queue
    unary = stack[-1].unaries if stack else 0
    return [
        "bias",
        f"a {a} {at} {unary}",
        f"aw {a} {aw}",
        f"b {b} {bt}",
        f"bw {b} {bw}",
        f"c {c} {ct}",
        f"q {q}",
        f"qw {qw}",
        f"qp {q} {p}",
        f"qpr {q} {p} {r}",
        f"pw {pw}",
        f"ab {a} {b}",
        f"abt {a} {at} {b} {bt}",
        f"awb {aw} {b}",
        f"abw {a} {bw}",
        f"awbw {aw} {bw}",
        f"aq {a} {q}",
        f"aqw {a} {qw}",
        f"awq {aw} {q}",
        f"bq {b} {q}",
        f"abq {a} {b} {q}",
        f"abqp {a} {b} {q} {p}",
        f"abc {a} {b} {c}",
        f"abcq {a} {b} {c} {q}",
        f"abcd {a} {b} {c} {d}",
        f"af {a} {af} {al}",
        f"bf {b} {bf} {bl}",
        f"afb {a} {af} {al} {b} {q}",
        f"bwaq {bw} {a} {q}",
        f"cab {ct} {at} {bt}",
    ]

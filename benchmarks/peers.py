"""The same work done by others: tree distance (apted, zss, edist), brackets (PYEVALB), reading (nltk), EDM, UD.

Only what is compared is inside the clock: their trees are built beforehand. On part of the work, spread over easy and
hard pairs; `sample` says which, and the table says how large the part was.
"""

from __future__ import annotations

import io
import sys
from types import ModuleType
from typing import TYPE_CHECKING

from benchmarks.timing import Time, once

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from benchmarks.generate import Node, Word
    from benchmarks.graphs import Graph

Pair = tuple["Node", "Node"]


class PeerNode:
    """A node as apted and zss want it; a word and a category that are spelled alike have different names."""

    __slots__ = ("children", "name")

    def __init__(self, name: tuple[str, str], children: list[PeerNode]) -> None:
        self.name = name
        self.children = children


def peer_tree(node: Node | Word) -> PeerNode:
    """Return a generated tree in nodes of this module, words included."""
    if isinstance(node, tuple):
        tag, form = node
        return PeerNode(("category", tag), [PeerNode(("word", form), [])])
    return PeerNode(("category", node[0]), [peer_tree(child) for child in node[1:]])


def n_nodes(node: Node | Word) -> int:
    """Return the number of nodes of a generated tree, words included."""
    return 2 if isinstance(node, tuple) else 1 + sum(map(n_nodes, node[1:]))


def sample(pairs: Sequence[Pair], size: int) -> list[int]:
    """Return the places of `size` of the pairs: every so many in the order of the product of their sizes.

    The middle one of each stretch is taken, so that the sample's mean is near that of all the pairs.
    """
    order = sorted(range(len(pairs)), key=lambda i: n_nodes(pairs[i][0]) * n_nodes(pairs[i][1]))
    size = min(size, len(order))
    return [order[int((k + 0.5) * len(order) / size)] for k in range(size)]


def apted_mapping(pairs: Sequence[Pair]) -> tuple[list[int], Time]:
    """Return the tree distance of each pair by apted, with the mapping computed, and the time."""
    from apted import APTED, Config

    class UnitCosts(Config):  # type: ignore[misc]
        def rename(self, node1: PeerNode, node2: PeerNode) -> int:
            return int(node1.name != node2.name)

    def work() -> list[int]:
        distances = []
        for gold, test in trees:
            engine = APTED(gold, test, UnitCosts())
            distances.append(int(engine.compute_edit_distance()))
            engine.compute_edit_mapping()
        return distances

    trees = [(peer_tree(gold), peer_tree(test)) for gold, test in pairs]
    return once(work)


def zss_distance(pairs: Sequence[Pair]) -> tuple[list[int], Time]:
    """Return the tree distance of each pair by zss, without a mapping, and the time."""
    from zss import simple_distance

    def work() -> list[int]:
        return [
            int(
                simple_distance(
                    gold,
                    test,
                    get_children=lambda node: node.children,
                    get_label=lambda node: node.name,
                    label_dist=lambda one, other: int(one != other),
                )
            )
            for gold, test in trees
        ]

    trees = [(peer_tree(gold), peer_tree(test)) for gold, test in pairs]
    return once(work)


def edist_tree(node: Node | Word) -> tuple[list[tuple[str, str]], list[list[int]]]:
    """Return a generated tree as edist wants it: names in preorder, and the places of each node's children."""
    names: list[tuple[str, str]] = []
    children: list[list[int]] = []

    def add(one: Node | Word) -> int:
        place = len(names)
        names.append(("category", one[0]))
        children.append([])
        if isinstance(one, tuple):
            children[place].append(place + 1)
            names.append(("word", one[1]))
            children.append([])
        else:
            for child in one[1:]:
                children[place].append(add(child))
        return place

    add(node)
    return names, children


def edist_mapping(pairs: Sequence[Pair]) -> tuple[list[int], Time]:
    """Return the tree distance of each pair by edist, with the mapping computed, and the time."""
    from edist.ted import standard_ted_backtrace

    def work() -> list[int]:
        # the cost of its mapping: a step is free where a node meets one of the same name
        distances = []
        for (gold, gold_children), (test, test_children) in trees:
            steps = standard_ted_backtrace(gold, gold_children, test, test_children)
            free = (step._left >= 0 and step._right >= 0 and gold[step._left] == test[step._right] for step in steps)
            distances.append(sum(not one for one in free))
        return distances

    trees = [(edist_tree(gold), edist_tree(test)) for gold, test in pairs]
    return once(work)


def pyevalb_brackets(pairs: Sequence[Pair]) -> tuple[list[int], Time]:
    """Return the number of matched brackets of each pair by PYEVALB, and the time."""
    # it imports a writer of tables, which it does without here; see the Makefile
    sys.modules.setdefault("pytablewriter", ModuleType("pytablewriter"))
    from PYEVALB.parser import create_from_bracket_string
    from PYEVALB.scorer import Scorer

    from benchmarks.generate import to_line

    def work() -> list[int]:
        scorer = Scorer()
        return [int(scorer.score_trees(gold, test).matched_brackets) for gold, test in trees]

    trees = [tuple(create_from_bracket_string(to_line(tree)) for tree in pair) for pair in pairs]
    return once(work)


def nltk_trees(path: Path) -> Time:
    """Return the time in which nltk makes trees of all the lines of a file, one ``Tree.fromstring`` each."""
    from nltk import Tree

    def work() -> list[Tree]:
        with path.open(encoding="utf-8") as lines:
            return [Tree.fromstring(line) for line in lines]

    return once(work)[1]


def nltk_reading(path: Path) -> Time:
    """Return the time in which nltk reads a treebank file, by its reader for such files."""
    import nltk
    from nltk.corpus.reader import BracketParseCorpusReader

    nltk.data.path.append(str(path.parent))  # nltk reads only from folders that it is told of

    def work() -> list[nltk.Tree]:
        return list(BracketParseCorpusReader(str(path.parent), path.name).parsed_sents())

    return once(work)[1]


def pydelphin_edm(pairs: Sequence[tuple[Graph, Graph]]) -> tuple[tuple[float, float, float], Time]:
    """Return precision, recall and F1 of elementary dependency match by PyDelphin, and the time."""
    from delphin.edm import compute
    from delphin.eds import EDS, Node
    from delphin.lnk import Lnk

    def eds(graph: Graph) -> EDS:
        nodes = [
            Node(
                f"n{place}",
                one.predicate,
                "x",
                {role: f"n{target}" for role, target in one.roles},
                dict(one.properties),
                one.constant,
                Lnk.charspan(one.start, one.end),
            )
            for place, one in enumerate(graph)
        ]
        return EDS("n0", nodes)

    sides = [[eds(pair[side]) for pair in pairs] for side in (0, 1)]
    found, time = once(lambda: compute(*sides))
    return tuple(found), time


def udtools_figures(gold: str, test: str) -> tuple[dict[str, float], Time]:
    """Return the F1 of every figure of Universal Dependencies by the official program, and the time with reading."""
    from udtools import udeval

    def work() -> dict[str, float]:
        sides = [udeval.load_conllu(io.StringIO(text), "text", {}) for text in (gold, test)]
        return {name: score.f1 for name, score in udeval.evaluate(*sides).items()}

    return once(work)


def smatch_matched(pairs: Sequence[tuple[str, str]]) -> tuple[list[int], Time]:
    """Return the matched triples of each pair of AMRs by hill climbing with four restarts, and the time."""
    import smatch

    def work() -> list[int]:
        found = []
        for gold, test in pairs:
            found.append(smatch.get_amr_match(test, gold)[0])
            smatch.match_triple_dict.clear()
        return found

    return once(work)

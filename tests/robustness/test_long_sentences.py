"""Long sentences: pictures have a stated limit, and a search for repairs is given up with a word about it."""

from __future__ import annotations

import cProfile
import io
import random
from collections.abc import Callable

import pytest

import evaltools
from evaltools import Tree, align
from evaltools.corpus import DependencyTree, SemanticEdge, SemanticGraph, SemanticNode
from evaltools.drawing import MAX_NODES, MAX_WORDS, Bars, draw
from evaltools.errors import ParameterError
from evaltools.frameworks.constituency.aligned_trees import Alignment
from evaltools.frameworks.constituency.marked import marked_sentence
from evaltools.frameworks.dependency.alignment import align_dependencies
from evaltools.frameworks.dependency.marked import marked_arcs
from evaltools.frameworks.semantics.alignment import align_graphs
from evaltools.frameworks.semantics.edm_rules import load_edm_rules
from evaltools.frameworks.semantics.marked import marked_graph
from evaltools.outputs.hotspots import ask


def flat(n_words: int) -> Tree:
    return Tree.from_string(f"(S {' '.join(['(N a)'] * n_words)})")


def right_branching(n_words: int, seed: int) -> Tree:
    """Return a tree of `n_words` phrases inside one another, with labels by chance."""
    chance = random.Random(seed)
    opening = "".join(f"({chance.choice(('NP', 'VP', 'PP', 'S'))} (N w{index}) " for index in range(n_words))
    return Tree.from_string(opening + ")" * n_words)


def chain(n_words: int, *, wrong: bool = False) -> DependencyTree:
    """Return a tree in which each word attaches to the one before it, or to the first one."""
    heads = (-1, *((0 if wrong and index % 2 else index) for index in range(n_words - 1)))
    return DependencyTree(("a",) * n_words, heads, ("dep",) * n_words)


def bilexical(n_words: int, predicate: str) -> SemanticGraph:
    """Return a graph of a node a word, each an argument of the one before it."""
    nodes = tuple(SemanticNode("x", predicate, ((2 * index, 2 * index + 1),)) for index in range(n_words))
    edges = tuple(SemanticEdge(index, "ARG1", index + 1) for index in range(n_words - 1))
    return SemanticGraph(nodes, edges, (0,), " ".join("a" * n_words))


def aligned(n_words: int) -> Alignment:
    return align(flat(n_words), flat(n_words))


@pytest.mark.parametrize(
    ("make", "number", "maximum", "unit"),
    [
        (lambda: flat(MAX_NODES // 2 + 1), MAX_NODES + 3, MAX_NODES, "nodes"),
        (lambda: aligned(MAX_NODES // 4 + 1), MAX_NODES + 6, MAX_NODES, "nodes"),
        (lambda: chain(MAX_NODES + 1), MAX_NODES + 1, MAX_NODES, "nodes"),
        (lambda: marked_sentence(aligned(MAX_WORDS + 1)), MAX_WORDS + 1, MAX_WORDS, "words"),
        (lambda: Bars(("a",) * (MAX_WORDS + 1), ()), MAX_WORDS + 1, MAX_WORDS, "words"),
    ],
    ids=("tree", "trees", "arcs", "marks", "bars"),
)
def test_pictures_have_a_stated_limit(make: Callable[[], object], number: int, maximum: int, unit: str):
    with pytest.raises(ParameterError, match=f"would have {number:,} {unit}; expected at most {maximum:,}"):
        draw(make(), "svg")


def test_what_is_below_the_limit_is_drawn():
    assert draw(flat(MAX_NODES // 2 - 1), "text")


def test_marks_of_graphs_and_arcs_are_placed_without_comparing_each_with_each():
    """Comparing a node with a word, or an arc with a line, is a call: their number grows as that of the words."""

    def n_calls(n_words: int) -> int:
        profile = cProfile.Profile()
        graphs = align_graphs(bilexical(n_words, "dog"), bilexical(n_words, "cat"), load_edm_rules())
        trees = align_dependencies(chain(n_words), chain(n_words, wrong=True))
        profile.enable()
        for marked in (marked_graph(graphs), marked_arcs(trees)):
            draw(marked, "svg", width=330.0)
        profile.disable()
        return sum(entry.callcount for entry in profile.getstats())

    n_calls(10)  # what is computed once
    assert n_calls(400) < 5 * n_calls(100)


def test_a_search_for_repairs_that_is_given_up_is_said_and_the_brackets_are_shown():
    pair = right_branching(400, 1), right_branching(400, 2)
    alignment = align(*pair)
    assert alignment.scores["errors"] is None
    marked = marked_sentence(alignment)
    reason = "There is no list of repairs: the trees are too long and too different to search one."
    assert marked.unrepaired == reason
    assert not marked.repairs
    assert marked.wrong > 0
    assert reason in draw(marked, "text")


def test_hotspots_say_which_sentences_have_no_repair():
    gold, test = (f"{right_branching(400, seed)}\n(S (NP (N a)) (V b))\n" for seed in (1, 2))
    run = evaltools.score(io.BytesIO(gold.encode()), {"p": io.BytesIO(test.encode())})
    for name in ("constructions", "errors"):
        left_out = ask(run, run.framework.questions().hotspots[name], "p").left_out
        assert left_out.startswith("Without 1 of 2 sentences: they are too long and too different")

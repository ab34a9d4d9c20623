"""Long sentences: pictures have a stated limit, and a search for repairs is given up with a word about it."""

from __future__ import annotations

import io
import random

import pytest

import evaltools
from evaltools import Tree, align
from evaltools.corpus import DependencyTree
from evaltools.drawing import MAX_NODES, draw
from evaltools.errors import ParameterError
from evaltools.frameworks.constituency.errors.marked import marked_sentence
from evaltools.frameworks.constituency.errors.repair_story import repair_story
from evaltools.frameworks.constituency.groups import GROUPS
from evaltools.frameworks.constituency.repair import TOO_LONG
from evaltools.frameworks.groups import Part


def flat(n_words: int) -> Tree:
    return Tree.from_string(f"(S {' '.join(['(N a)'] * n_words)})")


def right_branching(n_words: int, seed: int) -> Tree:
    """Return a tree of `n_words` phrases inside one another, with labels by chance."""
    chance = random.Random(seed)
    opening = "".join(f"({chance.choice(('NP', 'VP', 'PP', 'S'))} (N w{index}) " for index in range(n_words))
    return Tree.from_string(opening + ")" * n_words)


def test_pictures_have_a_stated_limit():
    long = flat(MAX_NODES // 2 + 1)
    for subject in (long, align(long, long), marked_sentence(align(flat(MAX_NODES + 1), flat(MAX_NODES + 1)))):
        with pytest.raises(ParameterError, match=rf"expected at most {MAX_NODES:,}"):
            draw(subject, "svg")
    arcs = DependencyTree(("a",) * (MAX_NODES + 1), (-1, *range(MAX_NODES)), ("dep",) * (MAX_NODES + 1))
    with pytest.raises(ParameterError, match=f"would have {MAX_NODES + 1:,} nodes"):
        draw(arcs, "svg")
    assert draw(flat(MAX_NODES // 2 - 1), "text")


def test_a_search_for_repairs_that_is_given_up_is_said_and_the_brackets_are_shown():
    pair = right_branching(400, 1), right_branching(400, 2)
    alignment = align(*pair)
    assert alignment.scores["r_errors"] is None
    marked = marked_sentence(alignment)
    assert (marked.unrepaired, marked.repairs) == (TOO_LONG, ())
    assert marked.wrong > 0
    assert TOO_LONG in draw(marked, "text")
    assert repair_story(*pair) is None


def test_hotspots_say_which_sentences_have_no_repair():
    gold, test = (f"{right_branching(400, seed)}\n(S (NP (N a)) (V b))\n" for seed in (1, 2))
    run = evaltools.score(io.BytesIO(gold.encode()), {"p": io.BytesIO(test.encode())})
    part = Part(run, run.n_sentences)
    for name in ("constructions", "errors"):
        left_out = GROUPS[name].left_out(part, "p")
        assert left_out.startswith("Without 1 of 2 sentences: they are too long and too different")

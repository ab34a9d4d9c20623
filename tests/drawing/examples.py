"""Pairs of trees that the tests of the drawings share."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import strategies as st

from evaltools.metrics.alignment import align
from evaltools.metrics.mapping import Alignment
from evaltools.treebank import Kind, Tree

DOG = ("(S (VP (NP (D the) (N dog)) (V barks)))", "(S (AP (PP (A the)) (N dog)) (V barks))")
ATTACHMENT = ("(A (B v (C w (D y))) x)", "(A (B v (C w (D y x))))")
TURNED = ("(S (exists (not (P a) (Q b))))", "(S (not (exists (P a) (Q b))))")
TELESCOPE = (
    "(S (NP (PRP I)) (VP (VBD saw) (NP (NP (DT the) (NN man)) (PP (IN with) (NP (DT a) (NN telescope))))))",
    "(S (NP (PRP I)) (VP (VBD saw) (NP (DT the) (NN man)) (PP (IN with) (NP (DT a) (NNP telescope)))))",
)
OTHER_WORDS = ("(S (NP (PRP I)) (VP (MD cannot) (VB go)))", "(S (NP (PRP I)) (VP (MD can) (RB not) (VB go)))")
ARABIC = ("(S (VP (VBD قرأ) (NP (NN الطالب)) (NP (NN كتابا))))", "(S (VP (VBD قرأ) (NP (NP (NN الطالب)) (NN كتابا))))")
HOSTILE = (
    '(S (-NONE- *) (NP|<x> (-LRB- -LRB-) ($ $) (<script> alert)) (&amp; "q") (E) (V \x01\x7f\u202eabc\ud800))',
    '(S (-NONE- *) (NP|<x> (-LRB- -LRB-) ($ $)) (<script> alert) (&amp; "q") (V \x01\x7f\u202eabc\ud800 (F)))',
)
PAIRS = {
    "dog": DOG,
    "attachment": ATTACHMENT,
    "turned": TURNED,
    "telescope": TELESCOPE,
    "other words": OTHER_WORDS,
    "arabic": ARABIC,
    "hostile": HOSTILE,
}


def aligned(pair: tuple[str, str]) -> Alignment:
    """Align two trees given as brackets."""
    return align(Tree.from_string(pair[0]), Tree.from_string(pair[1]))


@st.composite
def brackets(draw: st.DrawFn, words: tuple[str, ...]) -> str:
    """Draw a random tree over some words: chains, flat and deep parts, words without tags, empty phrases."""

    def phrase(low: int, high: int, depth: int) -> str:
        label = draw(st.sampled_from(["S", "NP", "VP", "X", "LONG-LABEL"]))
        if high - low == 1:
            shape = draw(st.sampled_from(["tag", "tag", "chain", "word"]))
            if shape == "word" and depth:
                return words[low]
            tag = f"({draw(st.sampled_from(['N', 'V']))} {words[low]})"
            return f"({label} {tag})" if shape == "chain" else tag
        cuts = sorted(draw(st.sets(st.integers(low + 1, high - 1), min_size=1, max_size=3)))
        borders = [low, *cuts, high]
        children = [phrase(a, b, depth + 1) for a, b in pairwise(borders)]
        if draw(st.integers(0, 9)) == 0:
            children.insert(draw(st.integers(0, len(children))), "(E)")
        inner = f"({label} {' '.join(children)})"
        return f"({label} {inner})" if draw(st.integers(0, 4)) == 0 else inner

    return f"(TOP {phrase(0, len(words), 0)})"


@st.composite
def pairs(draw: st.DrawFn) -> tuple[str, str]:
    """Draw two trees, most often over the same words."""
    words = tuple(draw(st.lists(st.sampled_from(["a", "the", "investors", "漢字", "x"]), min_size=1, max_size=8)))
    other = draw(st.sampled_from([words, words, words, (*words, "new"), words[1:] or words]))
    return draw(brackets(words)), draw(brackets(other))


def phrases(tree: Tree) -> list[int]:
    """Return the nodes that are not words."""
    return [node for node in range(len(tree)) if tree.kinds[node] is not Kind.WORD]

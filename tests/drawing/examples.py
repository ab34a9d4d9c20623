"""Pairs of trees that the tests of the drawings share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from hypothesis import strategies as st

from evaltools.corpus import Kind, Tree
from evaltools.frameworks.common.lineages import WordComparison
from evaltools.frameworks.constituency.aligned_trees import Alignment, WordLink, WordMatch
from evaltools.frameworks.constituency.alignment import align
from evaltools.frameworks.constituency.leaf_ancestor import lineage

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
    return align(Tree.from_string(pair[0]), Tree.from_string(pair[1]))


def joined(pair: tuple[str, str], links: Sequence[tuple[int, int, WordMatch, int]]) -> Alignment:
    """Align two trees whose words differ, with the given links: gold, test, how, characters."""
    alignment = aligned(pair)
    made = tuple(WordLink(*link) for link in links)
    words = []
    for position, form in enumerate(alignment.gold.words):
        best = max((link for link in made if link.gold == position), key=lambda link: link.characters, default=None)
        scores = {"la_exact": 0.5, "la": 0.75}
        above = lineage(alignment.gold, position)
        if best is None:
            words.append(WordComparison(position, form, above, None, {}))
        else:
            below = lineage(alignment.test, best.test), scores, best.test, alignment.test.words[best.test]
            words.append(WordComparison(position, form, above, *below))
    return replace(alignment, links=made, words=tuple(words), status="words_differ")


EXACT, FOLDED, CHARACTERS = WordMatch.EXACT, WordMatch.FOLDED, WordMatch.CHARACTERS
CANNOT = (
    "(S (NP (PRP I)) (VP (MD can) (RB not) (VP (VB go) (ADVP (RB there)))) (. .))",
    "(S (NP (PRP i)) (VP (MD cannot) (VP (VB go))) (. .) (. !))",
)
CANNOT_LINKS = ((0, 0, FOLDED, 1), (1, 1, CHARACTERS, 3), (2, 1, CHARACTERS, 3), (3, 2, EXACT, 2), (5, 3, EXACT, 1))


def cannot() -> Alignment:
    """Give a pair with every kind of link, a word that is joined to two, and words aligned with none."""
    return joined(CANNOT, CANNOT_LINKS)


@st.composite
def joined_pairs(draw: st.DrawFn) -> Alignment:
    """Draw two trees over different words, and links between these that never cross."""
    forms = st.lists(st.sampled_from(["a", "can", "investors", "漢字", "قرأ"]), min_size=1, max_size=6)
    words = draw(forms), draw(forms)
    pair = draw(brackets(tuple(words[0]))), draw(brackets(tuple(words[1])))
    links, at = [], [0, 0]
    while at[0] < len(words[0]) and at[1] < len(words[1]):
        step = draw(st.sampled_from(["both", "both", "join", "gold", "test"]))
        if step in ("both", "join"):
            same = words[0][at[0]] == words[1][at[1]]
            links.append((*at, EXACT if same and step == "both" else CHARACTERS, draw(st.integers(1, 5))))
        sides = {"both": (0, 1), "join": (draw(st.integers(0, 1)),), "gold": (0,), "test": (1,)}[step]
        for side in sides:
            at[side] += 1
    return joined(pair, links)


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
    return [node for node in range(len(tree)) if tree.kinds[node] is not Kind.WORD]

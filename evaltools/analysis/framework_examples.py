"""A worked example of TedEval across frameworks: two gold trees, a parse that is right, and one that is wrong."""

from __future__ import annotations

from evaltools.metrics.tedeval_protocol import TedEvalProtocol, tedeval_protocol
from evaltools.treebank import (
    MultiFunctionTree,
    Tree,
    constituency_function_tree,
    dependency_function_tree,
    multi_function_tree,
)

__all__ = ["framework_example"]

_WORDS = ("Kim", "met", "friends", "yesterday")


def _dependencies(heads: tuple[int, ...], relations: tuple[str, ...]) -> MultiFunctionTree:
    return multi_function_tree(dependency_function_tree(_WORDS, heads, relations))


def framework_example(*, right: bool) -> TedEvalProtocol:
    """Return the steps of a parse of the second of two theories.

    Parameters
    ----------
    right : bool
        Whether the parse is that theory's gold tree, or hangs the last word from the noun.

    Examples
    --------
    >>> framework_example(right=True).score, framework_example(right=False).delta
    (1.0, 3)
    """
    noun, adverb = ("NP-OBJ", ("N", "friends")), ("NP-TMP", ("N", "yesterday"))
    phrases = Tree.from_nested(("S", ("NP-SBJ", ("N", "Kim")), ("VP", ("V", "met"), noun, adverb)))
    gold = _dependencies((1, -1, 1, 1), ("SBJ", "ROOT", "OBJ", "TMP"))
    parse = gold if right else _dependencies((1, -1, 1, 2), ("SBJ", "ROOT", "OBJ", "TMP"))
    return tedeval_protocol(parse, [multi_function_tree(constituency_function_tree(phrases)), gold], own=1)

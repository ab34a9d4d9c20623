"""The trees of a run as columns again, normalized as they were when the run was scored."""

from __future__ import annotations

from collections.abc import Sequence

from evaltools.corpus import Treebank, Vocabulary
from evaltools.formats import FORMATS, Source
from evaltools.frameworks.constituency.rules import Normalized, Pair, normalize_gold, normalize_pair
from evaltools.frameworks.stored import StoredRun, no_such_thing, trees_of

__all__ = ["gold_trees", "some_tree_pair", "tree_pair"]


def gold_trees(run: StoredRun, size: int) -> Normalized:
    """Read the gold trees of the first sentences of a run."""
    return normalize_gold(_first_trees(run, None, size, Vocabulary()), run.rules)


def tree_pair(run: StoredRun, parser: str, size: int) -> Pair:
    """Read the gold trees and a parser's trees of the first sentences of a run."""
    vocabulary = Vocabulary()
    gold, test = (_first_trees(run, name, size, vocabulary) for name in (None, parser))
    return normalize_pair(gold, test, run.rules)


def some_tree_pair(run: StoredRun, parser: str, sentences: Sequence[int]) -> Pair:
    """Read the gold trees and a parser's trees of some sentences of a run."""
    _require_constituency(run)
    vocabulary = Vocabulary()
    sides = []
    for name in (None, parser):
        trees, notation = trees_of(run, name, sentences)
        sides.append(_treebank([trees.get(number) for number in sentences], notation, name, vocabulary))
    return normalize_pair(sides[0], sides[1], run.rules)


def _first_trees(run: StoredRun, parser: str | None, size: int, vocabulary: Vocabulary) -> Treebank:
    _require_constituency(run)
    condition, values = ("parser is null", []) if parser is None else ("parser = ?", [parser])
    rows = run.query(
        f"select tree, notation from trees where {condition} and sentence <= ? order by sentence", [*values, size]
    )
    return _treebank(rows["tree"].tolist(), str(rows["notation"].iloc[0]) if len(rows) else "ptb", parser, vocabulary)


def _require_constituency(run: StoredRun) -> None:
    if run.framework.reads is not Treebank:
        raise no_such_thing(run, "errors of constituency trees have types")


def _treebank(trees: Sequence[object], notation: str, parser: str | None, vocabulary: Vocabulary) -> Treebank:
    """Read trees, one a line; a missing one is a blank line."""
    lines = [tree if isinstance(tree, str) else "" for tree in trees]
    data = "".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace")
    treebank: Treebank = FORMATS[notation].read(Source(parser or "gold", data, "", layout="lines"), vocabulary)
    return treebank

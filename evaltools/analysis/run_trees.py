"""The trees of a run as columns again, normalised as they were when it was scored."""

from __future__ import annotations

from collections.abc import Sequence

from evaltools.errors import RunError
from evaltools.formats import FORMATS, Source
from evaltools.normalize import Normalized, Pair, normalize_gold, normalize_pair
from evaltools.runs.kinds import COMPARED
from evaltools.runs.sentence_columns import trees_of
from evaltools.runs.store import Run
from evaltools.treebank import Treebank, Vocabulary

__all__ = ["MOST_SENTENCES", "gold_trees", "some_tree_pair", "tree_pair"]

MOST_SENTENCES = 50_000
"""So many sentences are read at most, from the beginning: tables over words and brackets need no more."""


def gold_trees(run: Run, most: int = MOST_SENTENCES) -> Normalized:
    """Read the gold trees of a run.

    Parameters
    ----------
    run : Run
        The run.
    most : int
        At most so many sentences, from the first.

    Returns
    -------
    Normalized
        As read, and what the preset leaves.
    """
    return normalize_gold(_read(run, None, most, Vocabulary()), run.rules)


def tree_pair(run: Run, parser: str, most: int = MOST_SENTENCES) -> Pair:
    """Read the gold trees and a parser's trees of a run, and normalise them.

    Parameters
    ----------
    run : Run
        The run.
    parser : str
        The parser.
    most : int
        At most so many sentences, from the first.
    """
    vocabulary = Vocabulary()
    gold, test = (_read(run, whose, most, vocabulary) for whose in (None, parser))
    return normalize_pair(gold, test, run.rules)


def some_tree_pair(run: Run, parser: str, sentences: Sequence[int]) -> Pair:
    """Read the gold trees and a parser's trees of some sentences, and normalise them.

    Parameters
    ----------
    run : Run
        The run.
    parser : str
        The parser.
    sentences : sequence of int
        Their numbers, from 1; the pair has them in this order.
    """
    _require_constituency(run)
    vocabulary = Vocabulary()
    sides = []
    for whose in (None, parser):
        trees, notation = trees_of(run, whose, sentences)
        sides.append(_made([trees.get(number) for number in sentences], notation, whose, vocabulary))
    return normalize_pair(sides[0], sides[1], run.rules)


def _read(run: Run, parser: str | None, most: int, vocabulary: Vocabulary) -> Treebank:
    _require_constituency(run)
    whose = "parser is null" if parser is None else "parser = ?"
    rows = run.query(
        f"select tree, notation from trees where {whose} and sentence <= ? order by sentence",
        [*([] if parser is None else [parser]), most],
    )
    return _made(rows["tree"].tolist(), str(rows["notation"].iloc[0]) if len(rows) else "ptb", parser, vocabulary)


def _require_constituency(run: Run) -> None:
    if run.kind != "constituency":
        raise RunError(f"{run.folder} compares {COMPARED[run.kind]}; errors are sought in constituency trees")


def _made(trees: Sequence[object], notation: str, parser: str | None, vocabulary: Vocabulary) -> Treebank:
    # one tree a line, as tables of trees have them; a missing one is a blank line
    lines = [tree if isinstance(tree, str) else "" for tree in trees]
    data = "".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace")
    treebank: Treebank = FORMATS[notation].read(Source(parser or "gold", data, "", layout="lines"), vocabulary)
    return treebank

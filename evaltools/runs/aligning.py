"""Aligning two trees of a run as the run's figures were made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evaltools.errors import RunError
from evaltools.metrics.alignment import align
from evaltools.metrics.dependency_alignment import align_dependencies
from evaltools.metrics.dependency_mapping import DependencyAlignment
from evaltools.metrics.leaf_ancestor import CostTable
from evaltools.metrics.mapping import Alignment
from evaltools.normalize import Preset
from evaltools.runs.kinds import kind_of
from evaltools.runs.protocols import read_one
from evaltools.treebank import DependencyTree, Tree
from evaltools.treebank.semantic_graph import SemanticGraph

__all__ = ["align_as", "tree_of"]


def tree_of(meta: Mapping[str, Any], text: str, notation: str) -> Tree | DependencyTree | SemanticGraph:
    """Return a tree, or graph, of a run from its text."""
    if kind_of(meta) == "semantics":
        return SemanticGraph.from_json(text)
    if kind_of(meta) == "crossframework":
        return read_one(text, notation).tree(0)
    return (DependencyTree if kind_of(meta) == "dependency" else Tree).from_string(text, notation)


def align_as(
    meta: Mapping[str, Any],
    preset: Preset,
    gold: Tree | DependencyTree | SemanticGraph | None,
    test: Tree | DependencyTree | SemanticGraph | None,
) -> Alignment | DependencyAlignment:
    """Align two trees.

    Parameters
    ----------
    meta : mapping
        What the run's ``meta.json`` says: its kind and options.
    preset : Preset
        The run's preset.
    gold, test : Tree or DependencyTree, or None
        The trees; None for a missing one.
    """
    if kind_of(meta) == "crossframework":
        raise RunError("a run across frameworks has no alignments; run.protocol() shows a sentence step by step")
    if kind_of(meta) == "semantics":
        raise RunError("a run of semantic graphs has no alignments of trees; run.graphs() aligns the graphs of an item")
    options = meta["options"]
    table = None if options["la_table"] is None else CostTable({(a, b): cost for a, b, cost in options["la_table"]})
    if kind_of(meta) == "dependency":
        return align_dependencies(
            gold if isinstance(gold, DependencyTree) else DependencyTree((), (), ()),
            test if isinstance(test, DependencyTree) else DependencyTree((), (), ()),
            punctuation=options["punctuation"],
            subtypes=options["subtypes"],
            la_table=table,
        )
    return align(
        gold if isinstance(gold, Tree) else Tree.from_string(""),
        test if isinstance(test, Tree) else Tree.from_string(""),
        preset,
        la_preterminals=options["la_preterminals"],
        la_table=table,
        engine=options["engine"],
    )

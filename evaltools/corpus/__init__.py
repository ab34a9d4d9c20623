"""Corpora as columns, and single trees as objects."""

from evaltools.corpus.bracket_text import Kind
from evaltools.corpus.dependencies import Dependencies
from evaltools.corpus.dependency_tree import DependencyTree, EmptyNode, MultiwordToken
from evaltools.corpus.function_trees import (
    FunctionTree,
    MultiFunctionTree,
    bare_function_tree,
    constituency_function_tree,
    dependency_function_tree,
    generalize,
    labeled_function_tree,
    multi_function_tree,
    realizational_function_tree,
    sorted_function_tree,
    subsumes,
    tl_unify,
    unify,
)
from evaltools.corpus.semantic_graph import SemanticEdge, SemanticGraph, SemanticNode
from evaltools.corpus.tree import Span, Tree
from evaltools.corpus.treebank import Treebank
from evaltools.corpus.vocabulary import Vocabulary

__all__ = [
    "Dependencies",
    "DependencyTree",
    "EmptyNode",
    "FunctionTree",
    "Kind",
    "MultiFunctionTree",
    "MultiwordToken",
    "SemanticEdge",
    "SemanticGraph",
    "SemanticNode",
    "Span",
    "Tree",
    "Treebank",
    "Vocabulary",
    "bare_function_tree",
    "constituency_function_tree",
    "dependency_function_tree",
    "generalize",
    "labeled_function_tree",
    "multi_function_tree",
    "realizational_function_tree",
    "sorted_function_tree",
    "subsumes",
    "tl_unify",
    "unify",
]

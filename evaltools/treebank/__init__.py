"""The data: corpora as columns, and single trees for people."""

from evaltools.treebank.columns import Treebank
from evaltools.treebank.constituent_functions import (
    bare_function_tree,
    constituency_function_tree,
    labelled_function_tree,
    realizational_function_tree,
)
from evaltools.treebank.dependencies import DependencyTree, EmptyNode, MultiwordToken
from evaltools.treebank.dependency_columns import Dependencies
from evaltools.treebank.function_algebra import generalize, subsumes, tl_unify, unify
from evaltools.treebank.function_trees import FunctionTree, dependency_function_tree
from evaltools.treebank.multi_function_trees import MultiFunctionTree, multi_function_tree, sorted_function_tree
from evaltools.treebank.semantic_graph import SemanticEdge, SemanticGraph, SemanticNode
from evaltools.treebank.tree import Kind, Span, Tree
from evaltools.treebank.vocabulary import Vocabulary

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
    "labelled_function_tree",
    "multi_function_tree",
    "realizational_function_tree",
    "sorted_function_tree",
    "subsumes",
    "tl_unify",
    "unify",
]

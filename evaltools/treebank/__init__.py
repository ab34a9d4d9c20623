"""The data: corpora as columns, and single trees for people."""

from evaltools.treebank.columns import Treebank
from evaltools.treebank.dependencies import DependencyTree, EmptyNode, MultiwordToken
from evaltools.treebank.dependency_columns import Dependencies
from evaltools.treebank.tree import Kind, Span, Tree
from evaltools.treebank.vocabulary import Vocabulary

__all__ = [
    "Dependencies",
    "DependencyTree",
    "EmptyNode",
    "Kind",
    "MultiwordToken",
    "Span",
    "Tree",
    "Treebank",
    "Vocabulary",
]

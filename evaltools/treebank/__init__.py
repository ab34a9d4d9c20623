"""The data: corpora as columns, and single trees for people."""

from evaltools.treebank.columns import Treebank
from evaltools.treebank.tree import Kind, Span, Tree
from evaltools.treebank.vocabulary import Vocabulary

__all__ = ["Kind", "Span", "Tree", "Treebank", "Vocabulary"]

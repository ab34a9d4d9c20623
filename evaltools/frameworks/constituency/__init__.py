"""Constituency trees: bracketing, tree distance, leaf-ancestor, repairs and their types."""

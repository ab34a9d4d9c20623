"""Dependency trees: attachment, lineages of relations, and the figures of Universal Dependencies."""

"""Dependency trees: attachment and lineages of relations."""

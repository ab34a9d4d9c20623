"""Semantic graphs: Elementary Dependency Match."""

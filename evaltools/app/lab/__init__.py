"""The parts of the metric lab: its trees, its editor, its scores, and how each of them comes about."""

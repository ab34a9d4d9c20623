"""Lessons, worked examples, votes of a class, and the verdicts of the metrics."""

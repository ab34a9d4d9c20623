"""Lessons, exercises, worked examples, votes of a class, the server of its phones, and the verdicts of the metrics."""

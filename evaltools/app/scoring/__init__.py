"""Scoring in the app: the files are checked, and become a run."""

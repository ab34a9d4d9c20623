"""Scoring: files in, the tables of a run out."""

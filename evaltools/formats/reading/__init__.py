"""Bytes and text of input files, and how they are cut into sentences."""

"""Scoring a corpus into a run, and reading runs.

A run is a folder: ``meta.json`` describes what was scored and how, and each table is a Parquet file.
"""

"""Scoring a corpus into a run, and reading runs.

A run is a folder: ``meta.json`` says what was scored and how; each table is a subfolder of Parquet parts.
"""

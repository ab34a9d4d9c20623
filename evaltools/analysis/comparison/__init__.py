"""Comparison of parsers: significance, effect size, where the difference comes from."""

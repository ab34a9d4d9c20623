"""Frameworks: everything that is specific to one kind of analysis, one package each."""

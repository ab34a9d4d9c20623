"""Alignments: the results of comparing two analyses of a sentence, for pictures and pages."""

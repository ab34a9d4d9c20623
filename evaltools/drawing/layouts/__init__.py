"""Layouts: what is drawn of trees, graphs and alignments, and where it stands."""

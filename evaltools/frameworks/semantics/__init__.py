"""Semantic graphs: EDM, SDP, Smatch."""

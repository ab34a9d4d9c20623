"""Parsers compared pair by pair: which differences are significant, and where they come from."""

"""Parsers compared pair by pair: which differences are significant, and which sentences carry them."""

"""Slow, obvious twins of the fast code, and generators of what they are compared on."""

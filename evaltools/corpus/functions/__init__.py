"""Function trees: trees of grammatical functions, from any framework."""

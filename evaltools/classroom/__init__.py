"""The classroom: lessons and worked examples, the votes of a class on them, and what the metrics say to those."""

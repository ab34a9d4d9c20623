"""The parts of *Semantics*: leaderboard by other weights, and n-best lists of graphs."""

"""The parts of *Semantics*: leaderboard with other weights, and n-best lists of graphs."""

"""The parts of *Overview*: leaderboard, charts, and what explains a figure."""

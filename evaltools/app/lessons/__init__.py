"""The parts of *Lessons*: lists, steps, ballots, and the class that follows by phone."""

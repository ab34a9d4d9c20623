"""The parts of *Lessons* for exercises: making them, opening them for a class, and what the class has answered."""

"""Which sentence of a parser belongs to which gold sentence."""

"""Writers: one for each language."""

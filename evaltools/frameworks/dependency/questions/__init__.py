"""Questions of *Hotspots* about columns of words, tokens and sentences."""

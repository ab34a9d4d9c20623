"""Trees of several frameworks, compared by TedEval."""

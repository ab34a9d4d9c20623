"""What several frameworks share: aligned words, status of sentences, tables."""

"""Lists of sentences: their order, filters, columns and downloads."""

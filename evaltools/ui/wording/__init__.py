"""What the app says of a sentence, in words and in formulas with numbers put in."""

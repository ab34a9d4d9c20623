"""What writes the documentation: the parts of the README that the program knows, and the reference of the package."""

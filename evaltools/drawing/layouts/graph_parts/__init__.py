"""The parts of a drawing of two semantic graphs: contents, columns, and positions over the words or as an outline."""

"""One sentence: its drawings, its steps, its figures, and the dialog that shows them on other pages."""

"""The pages: one module each, with ``render(run)``."""

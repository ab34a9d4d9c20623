"""The site as static pages: ``make docs``, or ``python -m docs.site FOLDER``."""

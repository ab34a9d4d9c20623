"""The app: everything that imports streamlit.

The frame (:mod:`evaltools.ui.frame`) says which run and which page; a page gets the run and shows it. What is shown is
in the URL (:mod:`evaltools.ui.state`), what is read is cached (:mod:`evaltools.ui.data`).
"""

"""The app: everything that imports streamlit.

``frame`` says which run and which page; a page in ``pages`` gets the run and shows it, with parts from the room of its
name. They are put together from ``widgets``, from what runs in the browser (``components``) and from texts
(``wording``, ``texts``). What is shown is in the URL (:mod:`evaltools.ui.session.state`), what is read is cached
(:mod:`evaltools.ui.session.data`).
"""

"""The app: everything that imports streamlit.

``frame`` selects the run and the page; a page in ``pages`` shows the run, with ``hotspots``, ``sentence``,
``sentences``, ``report``, ``significance``, ``lab``, ``lessons`` and ``scoring``, the parts of pages. They consist of
``widgets`` and browser ``components``. The URL holds the state (:mod:`evaltools.app.session.state`); reads of a run
are cached (:mod:`evaltools.app.session.data`).
"""

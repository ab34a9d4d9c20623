"""The app: ``streamlit run app.py -- RUN...``; ``evaltools app`` does it.

Streamlit's server imports this file for ``app``, and runs it as a script whenever a page is shown.
"""

import sys

if __name__ == "__main__":
    from evaltools.app.frame import frame

    frame(sys.argv[1:])
elif __name__ == "app":  # worker processes import this file under another name
    from streamlit import App

    from evaltools.app.guard import guarded

    app = App(__file__, middleware=guarded())

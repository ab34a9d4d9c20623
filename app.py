"""The app: ``streamlit run app.py -- RUN...``; ``evaltools app`` does it."""

import sys

from evaltools.ui.frame import frame

if __name__ == "__main__":  # worker processes import this file
    frame(sys.argv[1:])

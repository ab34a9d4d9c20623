"""The server of the app: streamlit's, which loads what pages need while the browser still starts.

``python -m evaltools.ui.frame.server`` takes the same arguments as ``streamlit``.
"""

from __future__ import annotations

import gc
import signal
import sys
import threading

from evaltools.runs.compilation import warm_kernels

__all__ = ["main"]

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def _end(*_: object) -> None:
    """End the process; a second signal must not interrupt that."""
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    gc.unfreeze()  # what stays frozen is not freed at the end, and DuckDB's extension then prints that it has leaked
    sys.exit(0)


def _load() -> None:
    """Import what takes longest to load; none of it imports streamlit, which another thread is loading."""
    import evaltools.analysis
    import evaltools.charts
    import evaltools.drawing
    import evaltools.frameworks.registry
    import evaltools.runs.store  # noqa: F401

    warm_kernels()
    gc.freeze()  # streamlit collects garbage after each run of a page, and would look through all this every time


def main(arguments: list[str]) -> None:
    """Start the server; does not return while it runs."""
    from streamlit.web.cli import main as streamlit

    for number in _SIGNALS:  # while the server runs it has its own handlers, and raises the signal again in the end
        signal.signal(number, _end)
    threading.Thread(target=_load, name="evaltools-load", daemon=True).start()
    streamlit(arguments, prog_name="streamlit")


if __name__ == "__main__":
    main(sys.argv[1:])

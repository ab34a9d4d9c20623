"""The server of the app: streamlit's, which loads what pages need while the browser still starts.

``python -m evaltools.ui.frame.server`` takes the same arguments as ``streamlit``.
"""

from __future__ import annotations

import atexit
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
    sys.exit(0)


def _load() -> None:
    """Import what takes longest to load; none of it imports streamlit, which another thread is loading."""
    try:
        import evaltools.analysis
        import evaltools.charts
        import evaltools.drawing
        import evaltools.frameworks.registry
        import evaltools.runs.folders.database
        import evaltools.runs.store  # noqa: F401

        warm_kernels()
    finally:
        gc.freeze()  # else every full collection would look through all this
        gc.enable()


def main(arguments: list[str]) -> None:
    """Start the server; does not return while it runs."""
    # What stays frozen is not freed at the end, and DuckDB's extension then prints that it has leaked. The thread that
    # computes ahead may freeze until it ends; these functions are called after that.
    atexit.register(gc.unfreeze)
    gc.disable()  # until all is loaded: the objects of modules are no garbage, and looking through them takes long
    from streamlit import delta_generator
    from streamlit.web.cli import main as streamlit

    # the first element would look through all modules for a reason to warn that this is no server
    delta_generator._use_warning_has_been_displayed = True
    for number in _SIGNALS:  # while the server runs it has its own handlers, and raises the signal again in the end
        signal.signal(number, _end)
    threading.Thread(target=_load, name="evaltools-load", daemon=True).start()
    streamlit(arguments, prog_name="streamlit")


if __name__ == "__main__":
    main(sys.argv[1:])

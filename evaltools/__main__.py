"""The command ``evaltools``, also as ``python -m evaltools``."""

from __future__ import annotations

import io
import os
import signal
import sys

__all__ = ["main"]


def main() -> None:
    """Run the command line; a signal that comes while its modules are loaded, or at the very end, ends it at once."""
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) != signal.SIG_IGN:  # as for a program in the background
            signal.signal(number, _stop)
    if sys.stdout is not None and isinstance(raw := sys.stdout.buffer, io.RawIOBase):
        # PYTHONUNBUFFERED: what a full disk does not take would be lost without an error
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(raw), sys.stdout.encoding)
    from evaltools.cli import main as run

    run()


def _stop(number: int, _: object) -> None:
    os.write(2, b"evaltools: stopped\n")
    os._exit(128 + number)


if __name__ == "__main__":
    main()

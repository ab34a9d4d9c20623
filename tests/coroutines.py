"""Coroutines in tests: they run in a thread of their own, as the browser's loop runs in that of the tests."""

from __future__ import annotations

import asyncio
import functools
import threading
from collections.abc import Coroutine
from typing import Any


def complete(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """Run a coroutine to its end and return what it returns."""
    return asyncio.run_coroutine_threadsafe(coroutine, _loop()).result()


@functools.cache
def _loop() -> asyncio.AbstractEventLoop:
    """Return the loop that all run in: a new one would start its threads again for each."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, daemon=True).start()
    return loop

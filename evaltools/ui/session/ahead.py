"""What the next clicks need, computed in the background once a page is shown.

Pages list the functions whose results are cached. One thread calls them one after the other, those of the page that was
shown last first, and only while no page or click is being answered, nor loaded by a browser: on one machine they
would slow each other down. A click that needs a result earlier computes it, or waits for it. A click that comes while
a function is at work is slowed down by it: what takes long is a function that returns an iterator of shorter ones.
"""

from __future__ import annotations

import gc
import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

import streamlit as st

from evaltools.ui.session import kernels

__all__ = ["MAX_SENTENCES", "THREAD", "compute_ahead", "expect_page"]

THREAD = "evaltools-ahead"
"""The name of the thread."""
MAX_SENTENCES = 20_000
"""Of longer runs what a page shows first takes seconds, in which a reader may want another page."""
_MAX_KEYS, _MAX_LISTS = 256, 4
"""Maximum number of keys that are remembered, and of pages whose functions wait."""
_REST, _MOMENT = 0.2, 0.05
"""Seconds without a running script before work begins, since a page may run twice; seconds between two checks."""
_LOADING = 2.0
"""Maximum number of seconds from the request of a page until its script runs."""
_SCRIPT = "ScriptRunner.scriptThread"
"""The name of streamlit's threads that compute a page or answer a click."""
_LOG = logging.getLogger(__name__)
_WITHOUT_PAGE = logging.getLogger("streamlit.runtime.scriptrunner_utils.script_run_context")
"""Warns of what a function wants to show while no page is computed, such as the spinner of a cached one."""

Step = Callable[[], object]
"""A function whose result is cached; one that returns an iterator of functions has these called next."""


@dataclass
class _Queue:
    """What is to be computed: lists of functions, the last one first."""

    lists: list[Iterator[Step]] = field(default_factory=list)
    taken: Iterator[Step] | None = None  # the list from which a function was taken last
    keys: dict[str, None] = field(default_factory=dict)  # of the lists so far, in their order
    lock: threading.Lock = field(default_factory=threading.Lock)
    works: bool = False  # whether the thread is there
    shows: bool = False  # whether a page has been computed
    expected: float = 0.0  # until when a page is being loaded, whose script runs then

    def add(self, key: str, steps: Iterable[Step], *, last: bool) -> bool:
        """Add a list, unless there was one of this key; return whether a thread is to be started for it."""
        with self.lock:
            if key in self.keys:
                return False
            self.keys[key] = None
            for oldest in list(self.keys)[:-_MAX_KEYS]:
                del self.keys[oldest]
            added = [iter(steps)]
            self.lists = (added + self.lists if last else self.lists + added)[-_MAX_LISTS:]
            starts, self.works = not self.works, True
            return starts

    def take(self) -> Step | None:
        """Return the next function; None if there is none, and the thread ends."""
        while True:
            with self.lock:
                if not self.lists:
                    self.works = False
                    return None
                taken = self.taken = self.lists[-1]
            try:
                step = next(taken, None)  # may compute what the list goes on from: meanwhile a page may add its own
            except Exception:
                _LOG.debug("the rest is not computed ahead", exc_info=True)
                step = None
            if step is not None:
                return step
            with self.lock:
                self.lists = [item for item in self.lists if item is not taken]

    def insert(self, steps: Iterator[Step]) -> None:
        """Add functions before the rest of the list from which one was taken last, unless that was dropped."""
        with self.lock:
            places = [place for place, item in enumerate(self.lists) if item is self.taken]
            for place in places:
                self.lists.insert(place + 1, steps)


@st.cache_resource(show_spinner=False)
def _queue() -> _Queue:
    _WITHOUT_PAGE.addFilter(_is_of_page)
    return _Queue()


def _is_of_page(record: logging.LogRecord) -> bool:
    """Return whether something was logged elsewhere than here, where no page is computed and nothing can be shown."""
    return record.threadName != THREAD


def compute_ahead(key: str, steps: Iterable[Step], *, last: bool = False) -> None:
    """Call functions in the background, once for each key; the key has all that their results depend on.

    `last`: after all that is there already.
    """
    queue = _queue()
    if queue.add(key, steps, last=last):
        # no daemon: DuckDB prints that it has leaked if the server ends within a query
        threading.Thread(target=_work, args=(queue,), name=THREAD, daemon=False).start()


def expect_page() -> None:
    """Compute nothing while a browser loads a page, but for the first one, which needs what is computed."""
    queue = _queue()
    if queue.shows:
        queue.expected = time.monotonic() + _LOADING


def _work(queue: _Queue) -> None:
    """Call the functions until none is left or the server ends, which waits for this thread."""
    while kernels.compiling():  # waits a moment
        if not threading.main_thread().is_alive():
            return
    while _give_way(queue) and (step := queue.take()) is not None:
        try:
            more = step()
            if isinstance(more, Iterator):
                queue.insert(more)
        except Exception:  # the page that needs it raises it again
            _LOG.debug("not computed ahead", exc_info=True)
    if gc.get_freeze_count():  # in the app's server, which unfreezes when this thread has ended
        gc.collect()
        gc.freeze()  # else every full collection would look through all results


def _give_way(queue: _Queue) -> bool:
    """Wait until no page is loaded or computed, and no click answered; return False if the server ends."""
    pause, end = threading.Event(), 0.0
    while threading.main_thread().is_alive():
        if _is_answering(queue):
            end = time.monotonic() + _REST
        elif time.monotonic() >= end:
            return True
        pause.wait(_MOMENT)
    return False


def _is_answering(queue: _Queue) -> bool:
    """Return whether a script runs, that of a page or of a part of it, or will run in a moment."""
    if any(thread.name == _SCRIPT for thread in threading.enumerate()):
        queue.shows, queue.expected = True, 0.0
        return True
    return time.monotonic() < queue.expected

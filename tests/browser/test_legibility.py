"""Short sentences are readable as they open: all words and errors in the window, in letters that are large enough."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from benchmarks.legibility import TARGETS, opened, sampled

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page


@pytest.mark.parametrize("window", TARGETS, ids=str)
def test_short_sentences_are_readable_in_every_window(
    page: Page, address: str, tiny_folder: Path, window: tuple[int, int]
):
    page.set_viewport_size({"width": window[0], "height": window[1]})
    sample = list(sampled(tiny_folder / "tiny.run", 1, seed=0))
    assert sample
    for item in sample:
        assert opened(page, address, *item).faults == []

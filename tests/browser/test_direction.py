"""Text from data cannot turn the text of a page around."""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser


def test_characters_that_change_the_direction_are_codes_in_every_component(browser: Browser):
    script = (resources.files("evaltools.drawing") / "dom.js").read_text("utf-8")
    page = browser.new_page()
    page.add_script_tag(content=script)
    assert page.evaluate("make('span', '', 'NP\\u202e\\u2067 \\u05d0').textContent") == "NP\\u202e\\u2067 \u05d0"
    page.close()

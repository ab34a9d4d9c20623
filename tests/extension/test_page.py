"""A new page is one new module with `render`, and one entry in the navigation."""

from __future__ import annotations

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from evaltools.app.frame import PAGES


def test_it_is_in_the_navigation_and_opens(enter: Callable[..., None], open_app: Callable[..., AppTest]):
    enter(PAGES, "Sizes", (("tests/extension/toy_page.py", "Sizes"),))
    app = open_app("../tests/extension/toy_page")
    assert not app.exception
    assert "7 sentences" in [text.value for text in app.text]

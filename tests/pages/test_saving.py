"""Charts and tables leave the app with their signature."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.pages.tiny import HOSTILE_PARSER

if TYPE_CHECKING:
    from tests.pages.conftest import Open


@pytest.mark.parametrize(
    ("page", "name", "kinds"),
    [
        ("overview", "figures_pooled", ("csv", "latex", "markdown")),
        ("overview", "intervals", ("svg", "png", "json")),
        ("hotspots", "hotspots_errors", ("csv", "latex", "markdown")),
        ("disagreement", "disagreement", ("svg", "png", "json")),
    ],
)
def test_what_a_page_shows_can_be_saved(open_app: Open, page: str, name: str, kinds: tuple[str, ...]):
    app = open_app(page, parser=HOSTILE_PARSER)
    assert not app.exception
    offered = {button.key for button in app.get("download_button")}
    assert {f"save_{name}_{kind}" for kind in kinds} <= offered

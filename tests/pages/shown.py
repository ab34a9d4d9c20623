"""What a page shows in the components that take text from data."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from streamlit.testing.v1 import AppTest


def blocks(app: AppTest, kind: str = "") -> list[dict[str, Any]]:
    """Return what the plain components of the page show, or those of one kind."""
    found: list[dict[str, Any]] = []
    for element in app.get("bidi_component"):
        data = json.loads(element.proto.json) if element.proto.json else {}
        found += data.get("blocks", [])
    return [block for block in found if not kind or block["type"] == kind]


def said(app: AppTest, kind: str) -> list[str]:
    """Return the texts of one kind."""
    return [block["text"] for block in blocks(app, kind)]

"""What a page shows in the components that take text from data."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qsl

from streamlit.testing.v1 import AppTest


def components(app: AppTest, name: str = "") -> list[dict[str, Any]]:
    """Return what the components of the page are given, or those that are given something of a name."""
    given = [json.loads(element.proto.json) for element in app.get("bidi_component") if element.proto.json]
    return [data for data in given if not name or name in data]


def marked(app: AppTest) -> list[dict[str, Any]]:
    return components(app, "verdicts")


def panels(app: AppTest) -> list[dict[str, Any]]:
    """Return the pictures of whole trees and graphs of the page."""
    return [panel for viewer in components(app, "panels") for panel in viewer["panels"]]


def link(app: AppTest, label: str) -> dict[str, str]:
    """Return the query of the link that a page has with a label."""
    (found,) = [item for item in app.get("page_link") if item.proto.label == label]
    return dict(parse_qsl(found.proto.query_string))


def blocks(app: AppTest, kind: str = "") -> list[dict[str, Any]]:
    """Return what the plain components of the page show, or those of one kind."""
    found = [block for data in components(app, "blocks") for block in data["blocks"]]
    return [block for block in found if not kind or block["type"] == kind]


def said(app: AppTest, kind: str) -> list[str]:
    return [block["text"] for block in blocks(app, kind)]

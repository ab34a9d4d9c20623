"""Follows links to other pages after what was just written has been sent; closes the menu where it covers the page."""

from __future__ import annotations

from evaltools.app.components import Component

_COMPONENT = Component("page_links")


def page_links() -> None:
    """Let links wait for fields, and the menu of narrow windows close itself."""
    _COMPONENT.mount({}, key="page_links", listeners={})

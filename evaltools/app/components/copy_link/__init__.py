"""A button that copies the link of what the page shows; where the browser refuses, the link as text to select."""

from __future__ import annotations

from evaltools.app.components import Component

_COMPONENT = Component("copy_link")


def copy_link(*, key: str) -> None:
    """Show the button. The state of a page is in its address, so the browser knows the link."""
    _COMPONENT.mount({}, key=key, listeners={}, width="content", height="content")

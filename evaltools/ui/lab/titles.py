"""Titles of the lab's pictures of two trees: which mapping, and which tree stands where."""

from __future__ import annotations

from dataclasses import replace

from evaltools.drawing.blocks import Drawing
from evaltools.frameworks.views import PanelRow

__all__ = ["both_trees", "titled_panels"]


def both_trees(drawing: Drawing) -> Drawing:
    """Return the drawing of a mapping with its full title, which saved files also show."""
    title = f"{drawing.heading or drawing.title}; gold tree above, test tree below"
    return replace(drawing, heading=title).titled(title)


def titled_panels(row: PanelRow) -> PanelRow:
    """Return panels with the full titles of their mappings, on the page and in saved files."""
    saved = tuple(both_trees(panel.drawing) for panel in row.panels)
    panels = tuple(replace(panel, heading=item.heading) for panel, item in zip(row.panels, saved, strict=True))
    return replace(row, panels=panels, saved=saved)

"""The texts of *About the metrics*: one Markdown file a section, the program's own words only."""

from __future__ import annotations

from functools import cache
from importlib import resources

__all__ = ["SECTIONS", "text"]

SECTIONS: dict[str, str] = {
    "counts": "What is counted",
    "e": "E: brackets",
    "t": "T: tree distance",
    "la": "LA: leaf-ancestor",
    "attachment": "Attachment: heads and relations",
    "frameworks": "TedEval: across frameworks",
    "edm": "EDM: semantic graphs",
    "reading": "Reading them side by side",
    "figures": "From sentences to a corpus",
    "presets": "Presets: what is left out first",
    "words": "Where the words differ",
    "differences": "Where this differs",
    "references": "References",
}
"""Sections in their order: file name, which is the anchor too, and heading."""


@cache
def text(section: str) -> str:
    """Return the Markdown of a section.

    Parameters
    ----------
    section : str
        A key of :data:`SECTIONS`.
    """
    return resources.files("evaltools.ui.texts").joinpath(f"{section}.md").read_text("utf-8")

"""The texts of *About the metrics*: one Markdown file a section, the program's own words only."""

from __future__ import annotations

from functools import cache
from importlib import resources

SECTIONS = {
    "counts": "What is counted",
    "e": "E: matching brackets",
    "t": "T: tree-edit alignment",
    "la": "LA: leaf-ancestor",
    "r": "R: repairs",
    "attachment": "Attachment",
    "universal": "UD from raw text",
    "frameworks": "TedEval: across frameworks",
    "edm": "EDM: semantic graphs",
    "sdp": "SDP: graphs of words",
    "smatch": "Smatch: AMR",
    "choose": "How to choose a metric",
    "reading": "Reading them side by side",
    "figures": "From sentences to a corpus",
    "evidence": "Is a difference significant?",
    "presets": "Presets: what is left out",
    "words": "Where the words differ",
    "errors": "Error types",
    "papers": "Five papers",
    "differences": "Where this differs",
    "references": "Reading list",
}
"""The sections in their order: file name, which the address names, and heading."""


@cache
def text(section: str) -> str:
    """Return the Markdown of a section."""
    return resources.files(__package__).joinpath(f"{section}.md").read_text("utf-8")

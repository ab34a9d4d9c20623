"""Puts what the program knows into its Markdown: ``make readme``, or ``python -m docs.readme``.

In README.md that is what stands between two comments, ``<!-- made: NAME -->`` and ``<!-- end -->``; the texts of *About
the metrics* and the list of commands are files of their own. A test fails where they are not what this would write.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from docs import tables
from evaltools.ui.texts import PARTS, SECTIONS, text

__all__ = ["FILES", "MADE", "fill", "made_files"]

ROOT = Path(__file__).resolve().parent.parent

MADE: dict[str, Callable[[], str]] = {
    "commands": tables.commands,
    "metrics": tables.metric_families,
    "figures": lambda: tables.paragraphs("figures", ("pooled", "mean", "Coverage", "Undefined")),
    "presets": tables.presets,
    "semantic presets": tables.semantic_presets,
    "formats": tables.formats,
    "semantic formats": lambda: f"{tables.semantic_formats()}.",
}
"""What can stand between the comments."""

_BLOCK = re.compile(r"(<!-- made: ([\w ]+) -->\n).*?(<!-- end -->)", re.DOTALL)
_NOTE = "<!-- Written by `make readme` from {}. -->"


def fill(document: str) -> str:
    r"""Return a text with what stands between the comments made anew.

    Parameters
    ----------
    document : str
        Markdown.

    Returns
    -------
    str
        The same, up to date.

    Raises
    ------
    KeyError
        If a comment names what is not in :data:`MADE`.

    Examples
    --------
    >>> "`none`" in fill("<!-- made: presets -->\nold\n<!-- end -->")
    True
    """
    return _BLOCK.sub(lambda found: f"{found[1]}{MADE[found[2]]()}\n{found[3]}", document)


def _anchor(heading: str) -> str:
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def _metrics_page() -> str:
    """Return the texts of *About the metrics* as one page."""
    lines = [
        _NOTE.format("the texts of the app"),
        "# About the metrics",
        "The chapters of the page of that name in the app, which has examples with pictures, too.",
    ]
    for part, chapters in PARTS.items():
        links = [f"[{heading}](#{_anchor(heading)})" for heading in chapters.values()]
        lines.append(f"**{part}**: {' · '.join(links)}")
    lines.append("[All scores and their formulas](#all-scores)")
    for section, heading in SECTIONS.items():
        said = re.sub(r"\]\(#(\w+)\)", lambda found: f"](#{_anchor(SECTIONS[found[1]])})", text(section).strip())
        lines += [f"## {heading}", said]
    lines += ["## All scores", tables.metrics()]
    return "\n\n".join(lines) + "\n"


def _commands_page() -> str:
    """Return all commands with their options as one page."""
    head = (
        "# Commands\n\nWhat `evaltools COMMAND --help` says; values in brackets are those that hold if nothing is said."
    )
    return "\n\n".join([_NOTE.format("the command line"), head, tables.command_options()]) + "\n"


FILES: dict[str, Callable[[str], str]] = {
    "README.md": fill,
    "docs/guide.md": fill,
    "docs/metrics.md": lambda _: _metrics_page(),
    "docs/commands.md": lambda _: _commands_page(),
}
"""The files, and what makes them anew of what they hold."""


def made_files() -> dict[Path, str]:
    """Return what the files are to hold.

    Returns
    -------
    dict of Path to str
        Their texts.
    """
    made = {}
    for name, make in FILES.items():
        path = ROOT / name
        made[path] = make(path.read_text(encoding="utf-8") if path.exists() else "")
    return made


if __name__ == "__main__":
    for file, content in made_files().items():
        if not file.exists() or file.read_text(encoding="utf-8") != content:
            file.write_text(content, encoding="utf-8")
            print(f"{file.relative_to(ROOT)} is up to date now")

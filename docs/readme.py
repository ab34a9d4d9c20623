"""Generate Markdown from the program: ``make readme``, or ``python -m docs.readme``.

In README.md and the guide the text between the comments ``<!-- made: NAME -->`` and ``<!-- end -->`` is generated. The
texts of *About the metrics* and the list of commands are files of their own. A test fails if a file is out of date.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from docs import tables
from evaltools.app.about_chapters import SECTIONS, text

__all__ = ["FILES", "MADE", "fill", "made_files"]

ROOT = Path(__file__).resolve().parent.parent

MADE: dict[str, Callable[[], str]] = {
    "example": tables.example,
    "commands": tables.commands,
    "metrics": tables.metric_families,
    "figures": lambda: tables.paragraphs("figures", ("micro", "macro", "Coverage", "Undefined")),
    "presets": tables.presets,
    "semantic presets": tables.semantic_presets,
    "formats": tables.formats,
    "semantic formats": lambda: f"{tables.semantic_formats()}.",
}
"""Generated blocks by name."""

_BLOCK = re.compile(r"(<!-- made: ([\w ]+) -->\n).*?(<!-- end -->)", re.DOTALL)
_NOTE = "<!-- Written by `make readme` from {}. -->"


def fill(document: str) -> str:
    r"""Return a text with its generated blocks updated.

    Parameters
    ----------
    document : str
        Markdown.

    Returns
    -------
    str
        The updated text.

    Raises
    ------
    KeyError
        If a comment names a block that is not in :data:`MADE`.

    Examples
    --------
    >>> "`none`" in fill("<!-- made: presets -->\nold\n<!-- end -->")
    True
    """
    return _BLOCK.sub(lambda match: f"{match[1]}{MADE[match[2]]()}\n{match[3]}", document)


def _anchor(heading: str) -> str:
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def _metrics_page() -> str:
    """Return the texts of *About the metrics* as one page."""
    lines = [
        _NOTE.format("the texts of the app"),
        "# About the metrics",
        "The texts of the page *About the metrics* in the app, which also has worked examples with pictures.",
    ]
    links = [f"[{heading}](#{_anchor(heading)})" for heading in (*SECTIONS.values(), "All scores")]
    lines.append(" · ".join(links))
    for section, heading in SECTIONS.items():
        chapter = re.sub(r"\]\(#(\w+)\)", lambda match: f"](#{_anchor(SECTIONS[match[1]])})", text(section).strip())
        lines += [f"## {heading}", chapter]
    lines += ["## All scores", tables.metrics()]
    return "\n\n".join(lines) + "\n"


def _commands_page() -> str:
    """Return all commands with their options as one page."""
    head = "# Commands\n\nThe help texts of `evaltools COMMAND --help`; defaults are in parentheses."
    return "\n\n".join([_NOTE.format("the command line"), head, tables.command_options()]) + "\n"


FILES: dict[str, Callable[[str], str]] = {
    "README.md": fill,
    "docs/guide.md": fill,
    "docs/metrics.md": lambda _: _metrics_page(),
    "docs/commands.md": lambda _: _commands_page(),
}
"""Generated files, and the functions that update their texts."""


def made_files() -> dict[Path, str]:
    """Return the up-to-date texts of the generated files.

    Returns
    -------
    dict of Path to str
        Texts by path.
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
            print(f"{file.relative_to(ROOT)} updated")

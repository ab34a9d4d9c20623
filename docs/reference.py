"""Writes the reference of the Python package: ``make docs``, or ``python -m docs.reference FOLDER``.

A page for each module that a user may import, from the docstrings. What is not in the ``__all__`` of one of these is
nobody's business but the program's.
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import pdoc.doc
import pdoc.render

__all__ = ["PUBLIC", "write_reference"]

PUBLIC = (
    "evaltools",
    "evaltools.analysis",
    "evaltools.analysis.significance",
    "evaltools.charts",
    "evaltools.classroom.lessons",
    "evaltools.drawing",
    "evaltools.errors",
    "evaltools.formats",
    "evaltools.formats.semantics",
    "evaltools.metrics",
    "evaltools.normalize",
    "evaltools.publishing.drawings",
    "evaltools.publishing.html_report",
    "evaltools.publishing.pictures",
    "evaltools.publishing.tables",
    "evaltools.publishing.vega",
    "evaltools.reports",
    "evaltools.treebank",
)
"""The modules that a user may import."""

_TEMPLATES = Path(__file__).with_name("templates")


def write_reference(folder: Path) -> list[Path]:
    """Write the reference.

    Parameters
    ----------
    folder : Path
        Where to; it is made if it is not there.

    Returns
    -------
    list of Path
        The pages.

    Raises
    ------
    Warning
        Whatever pdoc warns of: a reference with holes is not written in silence.
    """
    pdoc.render.configure(docformat="numpy", show_source=False, template_directory=_TEMPLATES)
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        modules = {name: pdoc.doc.Module.from_name(name) for name in PUBLIC}
        pages = {f"{name.replace('.', '/')}.html": pdoc.render.html_module(modules[name], modules) for name in PUBLIC}
        pages["index.html"] = pdoc.render.html_index(modules)
        pages["search.js"] = pdoc.render.search_index(modules)
    for name, text in pages.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return [folder / name for name in pages if name.endswith(".html")]


if __name__ == "__main__":
    written = write_reference(Path(*sys.argv[1:] or ["build/docs"]))
    print(f"{len(written)} pages; begin with {written[-1]}")

"""Generate the API reference from the docstrings: part of ``make docs``, or ``python -m docs.reference FOLDER``.

Each public module has a page. Names outside the ``__all__`` of these modules are private.
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
    "evaltools.frameworks.registry",
    "evaltools.frameworks.presets",
    "evaltools.outputs.html_report",
    "evaltools.outputs.pictures",
    "evaltools.outputs.tables",
    "evaltools.outputs.vega",
    "evaltools.outputs.figures",
    "evaltools.outputs.selection",
    "evaltools.corpus",
)
"""Public modules."""

_TEMPLATES = Path(__file__).with_name("templates")


def write_reference(folder: Path, site: str = "") -> list[Path]:
    """Write the reference.

    Parameters
    ----------
    folder : Path
        Output folder; created if it does not exist.
    site : str
        Address of the first page of the site, from the folder; none if empty.

    Returns
    -------
    list of Path
        The pages.

    Raises
    ------
    Warning
        If pdoc warns, for example of a missing name.
    """
    pdoc.render.configure(docformat="numpy", show_source=False, template_directory=_TEMPLATES)
    pdoc.render.env.globals["site"] = site
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

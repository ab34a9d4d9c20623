"""Charts as files: SVG, PNG, PDF and Vega-Lite, rendered without a browser or a network."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from evaltools.blocks import Chart
from evaltools.errors import ParameterError, missing_package
from evaltools.outputs.pictures import with_comment
from evaltools.outputs.raster import drawing_pdf, drawing_png

__all__ = ["CHART_FILES", "captioned", "chart_file", "chart_json", "chart_svg"]


try:
    import vl_convert
except ImportError:
    raise missing_package("charts", "vl-convert-python", "charts") from None


WIDTHS = {"column": 290, "text": 604}
"""Pixels of a column (3 inches) and of a page's text (6.3 inches) of papers, which fit ACL and article in two columns:
texts have 9 points at this size."""
_PAGE_WIDTH = 860
_CHARACTER = 6.2
"""Pixels of a character of a caption."""
_INK, _PAPER = "#1f2328", "#ffffff"


def _drawn(specification: Mapping[str, Any]) -> str:
    return str(vl_convert.vegalite_to_svg(json.dumps(specification)))


def _room(chart: Mapping[str, Any], width: int) -> float:
    """Return the width of the drawing area that leaves room for the names, figures and axes beside it."""
    room = float(width)
    for _ in range(2):  # names may end further to the right where the area is narrower
        alone = {key: value for key, value in chart.items() if key != "title"} | {"width": room}
        size = re.search(r' width="([\d.]+)"', _drawn(alone))
        room = max(1.0, width - (float(size.group(1)) - room if size is not None else 0.0))
    return room


def captioned(chart: Mapping[str, Any], caption: str, width: int = WIDTHS["text"]) -> dict[str, Any]:
    """Add a caption below a chart.

    Parameters
    ----------
    chart : mapping
        Vega-Lite without a title.
    caption : str
        The text; line breaks are kept, long lines are wrapped.
    width : int
        Pixels of the whole picture.

    Returns
    -------
    dict
        The specification of the chart with its caption.
    """
    lines = [part for line in caption.splitlines() for part in textwrap.wrap(line, int(width / _CHARACTER))]
    below = {"text": lines, "orient": "bottom", "anchor": "start", "fontSize": 10, "fontWeight": "normal", "offset": 14}
    return dict(chart) | ({"title": below | {"color": "currentColor", "frame": "bounds"}} if lines else {})


def chart_svg(chart: Mapping[str, Any], *, width: int = WIDTHS["text"], inline: bool = False) -> str:
    """Draw a chart as SVG.

    Parameters
    ----------
    chart : mapping
        Vega-Lite.
    width : int
        Pixels of the whole picture, where the chart would fill its page.
    inline : bool
        For a page: the chart is as wide as a page, text and axes take its color, and the picture shrinks with it.

    Returns
    -------
    str
        An SVG document.
    """
    specification = dict(chart) if inline else json.loads(chart_json(chart))
    if chart.get("width") == "container":
        specification["width"] = _PAGE_WIDTH if inline else _room(specification, width)
    drawn = _drawn(specification)
    if inline:  # the picture shrinks with the page
        drawn = re.sub(
            r'^<svg([^>]*?) width="([\d.]+)" height="[\d.]+"', r'<svg\1 style="min-width:640px;max-width:\2px"', drawn
        )
    return drawn


def chart_json(chart: Mapping[str, Any], *, width: int = 0) -> str:
    """Write a chart as Vega-Lite, on white paper, for any program that reads it.

    Parameters
    ----------
    chart : mapping
        A chart's specification.
    width : int
        Ignored: the program chooses it.

    Returns
    -------
    str
        The specification as JSON.
    """
    text = json.dumps(dict(chart) | {"background": _PAPER}, ensure_ascii=False, indent=1)
    return text.replace('"currentColor"', f'"{_INK}"')  # there is no page whose text has a color


CHART_FILES: Mapping[str, tuple[str, str, str, Callable[..., str | bytes]]] = {
    "svg": ("SVG", "svg", "image/svg+xml", chart_svg),
    "png": ("PNG", "png", "image/png", lambda chart, width: drawing_png(chart_svg(chart, width=width), scale=3.0)),
    "pdf": ("PDF", "pdf", "application/pdf", lambda chart, width: drawing_pdf(chart_svg(chart, width=width))),
    "json": ("Vega-Lite", "vl.json", "application/json", chart_json),
}
"""File formats of charts: title, suffix, media type and writer."""


def chart_file(
    chart: Mapping[str, Any], kind: str, caption: str = "", *, visible: bool = True, width: int = WIDTHS["text"]
) -> bytes:
    """Return a chart as a file.

    Parameters
    ----------
    chart : mapping
        Vega-Lite without a title.
    kind : str
        File format, one of :data:`CHART_FILES`.
    caption : str
        Caption with the run's signature.
    visible : bool
        Whether the caption stands below the chart. If not, it is a comment inside the file, in Vega-Lite the
        description.
    width : int
        Pixels of the whole picture, where the chart would fill its page.

    Returns
    -------
    bytes
        Content of the file.

    Raises
    ------
    ParameterError
        If there is no such format.
    """
    if kind not in CHART_FILES:
        raise ParameterError.unknown("kind of file", kind, CHART_FILES)
    if visible:
        drawn = captioned(chart, caption, width)
    else:
        drawn = dict(chart) | ({"description": " ".join(caption.split())} if caption else {})
    content = CHART_FILES[kind][3](drawn, width=width)
    encoded = content if isinstance(content, bytes) else content.encode("utf-8", "backslashreplace")
    return encoded if visible else with_comment(encoded, kind, caption)


def chart_bytes(chart: Chart, out: Path, signature: str, *, width: str = "text", visible: bool = True) -> bytes:
    """Return the content of a file of a chart, in the format of its suffix.

    Raises ParameterError if no kind of file has this end.
    """
    kinds = {suffix: kind for kind, (_, suffix, *_) in CHART_FILES.items()}
    kind = next((kind for suffix, kind in kinds.items() if out.name.endswith(f".{suffix}")), None)
    if kind is None:
        raise ParameterError.unknown("end of a file's name", out.suffix, [f".{suffix}" for suffix in kinds])
    caption = f"{chart.title}.\n{signature}"
    return chart_file(chart.specification, kind, caption, visible=visible, width=WIDTHS[width])

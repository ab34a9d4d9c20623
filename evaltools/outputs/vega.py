"""Charts as files: SVG, PNG, PDF and Vega-Lite, rendered without a browser or a network."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Callable, Mapping
from typing import Any

from evaltools.errors import ParameterError, missing_package
from evaltools.outputs.pictures import with_comment

__all__ = ["CHART_FILES", "captioned", "chart_file", "chart_json", "chart_pdf", "chart_png", "chart_svg"]


try:
    import vl_convert
except ImportError:
    raise missing_package("charts", "vl-convert-python", "charts") from None


_WIDTH = 860
_INK, _PAPER = "#1f2328", "#ffffff"


def _sized(chart: Mapping[str, Any], width: int) -> dict[str, Any]:
    """Return a chart of a fixed width instead of that of its page."""
    return dict(chart) | ({"width": width} if chart.get("width") == "container" else {})


def _printed(value: Any) -> Any:
    """Replace the page's text color by a fixed color, since a file is shown without a page."""
    if isinstance(value, Mapping):
        return {key: _printed(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_printed(item) for item in value]
    return _INK if value == "currentColor" else value


def captioned(chart: Mapping[str, Any], caption: str) -> dict[str, Any]:
    """Add a caption below a chart.

    Parameters
    ----------
    chart : mapping
        Vega-Lite without a title.
    caption : str
        The text; line breaks are kept, long lines are wrapped.

    Returns
    -------
    dict
        The specification of the chart with its caption.
    """
    lines = [part for line in caption.splitlines() for part in textwrap.wrap(line, 120)]
    below = {"text": lines, "orient": "bottom", "anchor": "start", "fontSize": 10, "fontWeight": "normal", "offset": 14}
    return dict(chart) | ({"title": below | {"color": "currentColor"}} if lines else {})


def chart_svg(chart: Mapping[str, Any], *, width: int = _WIDTH, inline: bool = False) -> str:
    """Draw a chart as SVG.

    Parameters
    ----------
    chart : mapping
        Vega-Lite.
    width : int
        Pixels of the drawing area, where the chart would fill its page.
    inline : bool
        For a page: text and axes take the page's color, and the picture shrinks with a narrow page.

    Returns
    -------
    str
        An SVG document.
    """
    specification = _sized(chart, width)
    if not inline:
        specification = _printed(specification) | {"background": _PAPER}
    drawn = str(vl_convert.vegalite_to_svg(json.dumps(specification)))
    if inline:  # the picture shrinks with the page
        drawn = re.sub(
            r'^<svg([^>]*?) width="([\d.]+)" height="[\d.]+"', r'<svg\1 style="min-width:640px;max-width:\2px"', drawn
        )
    return drawn


def chart_png(chart: Mapping[str, Any], *, width: int = _WIDTH, scale: float = 2.0) -> bytes:
    """Draw a chart as PNG, on white paper.

    Parameters
    ----------
    chart : mapping
        Vega-Lite.
    width : int
        Pixels of the drawing area, where the chart would fill its page.
    scale : float
        Pixels of the picture per pixel of the chart.

    Returns
    -------
    bytes
        Content of the file.
    """
    specification = _printed(_sized(chart, width)) | {"background": _PAPER}
    return bytes(vl_convert.vegalite_to_png(json.dumps(specification), scale=scale))


def chart_pdf(chart: Mapping[str, Any], *, width: int = _WIDTH) -> bytes:
    """Draw a chart as PDF, on one page that is as large as the chart.

    Parameters
    ----------
    chart : mapping
        Vega-Lite.
    width : int
        Pixels of the drawing area, where the chart would fill its page.

    Returns
    -------
    bytes
        Content of the file.
    """
    return bytes(vl_convert.vegalite_to_pdf(json.dumps(_printed(_sized(chart, width)) | {"background": _PAPER})))


def chart_json(chart: Mapping[str, Any]) -> str:
    """Write a chart as Vega-Lite, on white paper, for any program that reads it.

    Parameters
    ----------
    chart : mapping
        A chart's specification.

    Returns
    -------
    str
        The specification as JSON.
    """
    return json.dumps(_printed(dict(chart)) | {"background": _PAPER}, ensure_ascii=False, indent=1)


CHART_FILES: Mapping[str, tuple[str, str, str, Callable[[Mapping[str, Any]], str | bytes]]] = {
    "svg": ("SVG", "svg", "image/svg+xml", chart_svg),
    "png": ("PNG", "png", "image/png", chart_png),
    "pdf": ("PDF", "pdf", "application/pdf", chart_pdf),
    "json": ("Vega-Lite", "vl.json", "application/json", chart_json),
}
"""File formats of charts: title, suffix, media type and writer."""


def chart_file(chart: Mapping[str, Any], kind: str, caption: str = "", *, visible: bool = True) -> bytes:
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
        drawn = captioned(chart, caption)
    else:
        drawn = dict(chart) | ({"description": " ".join(caption.split())} if caption else {})
    content = CHART_FILES[kind][3](drawn)
    encoded = content if isinstance(content, bytes) else content.encode("utf-8", "backslashreplace")
    return encoded if visible else with_comment(encoded, kind, caption)

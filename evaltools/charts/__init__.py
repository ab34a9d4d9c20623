"""Charts are functions: a data frame in, an Altair chart out."""

from __future__ import annotations

from importlib.util import find_spec

from evaltools.errors import missing_package

if find_spec("altair") is None:
    raise missing_package("charts", "altair", "charts")

from evaltools.charts.bump import bump_chart
from evaltools.charts.distribution import distribution_chart, distribution_height
from evaltools.charts.intervals import intervals_chart
from evaltools.charts.lines import length_chart
from evaltools.charts.theme import Style, parser_styles

__all__ = [
    "Style",
    "bump_chart",
    "distribution_chart",
    "distribution_height",
    "intervals_chart",
    "length_chart",
    "parser_styles",
]

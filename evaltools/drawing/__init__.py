"""Pictures are functions: an alignment or a tree in, text in some language out."""

from __future__ import annotations

from collections.abc import Callable

from evaltools.drawing.arcs_dot import arcs_dot
from evaltools.drawing.arcs_json import arcs_data, arcs_json
from evaltools.drawing.arcs_latex import arcs_latex
from evaltools.drawing.arcs_svg import arc_legend_svg, arcs_svg, dependency_svg
from evaltools.drawing.arcs_text import arcs_text
from evaltools.drawing.bars_latex import function_bars_latex, protocol_latex
from evaltools.drawing.bracket_bars import bracket_bars_svg
from evaltools.drawing.dot import alignment_dot, tree_dot
from evaltools.drawing.graph_dot import graph_dot
from evaltools.drawing.graph_json import graph_data, graph_json
from evaltools.drawing.graph_latex import graph_latex
from evaltools.drawing.graph_legend import graph_legend_svg
from evaltools.drawing.graph_svg import graph_svg
from evaltools.drawing.graph_text import graph_text
from evaltools.drawing.json_ import alignment_data, alignment_json
from evaltools.drawing.latex import alignment_latex, tree_latex
from evaltools.drawing.legend import legend_svg
from evaltools.drawing.palette import COLOURS, LEGEND, MARKS, la_colour
from evaltools.drawing.protocol import protocol_json, protocol_svg, protocol_text
from evaltools.drawing.strip import la_strip_svg, lineage_svg
from evaltools.drawing.svg import alignment_svg, tree_svg
from evaltools.drawing.text import alignment_text, tree_text
from evaltools.metrics.dependency_mapping import DependencyAlignment
from evaltools.metrics.edm_alignment import GraphAlignment
from evaltools.metrics.mapping import Alignment
from evaltools.metrics.tedeval_protocol import TedEvalProtocol

__all__ = [
    "ARC_DRAWINGS",
    "COLOURS",
    "DRAWINGS",
    "GRAPH_DRAWINGS",
    "LEGEND",
    "MARKS",
    "PROTOCOL_DRAWINGS",
    "alignment_data",
    "alignment_dot",
    "alignment_json",
    "alignment_latex",
    "alignment_svg",
    "alignment_text",
    "arc_legend_svg",
    "arcs_data",
    "arcs_dot",
    "arcs_json",
    "arcs_latex",
    "arcs_svg",
    "arcs_text",
    "bracket_bars_svg",
    "dependency_svg",
    "function_bars_latex",
    "graph_data",
    "graph_dot",
    "graph_json",
    "graph_latex",
    "graph_legend_svg",
    "graph_svg",
    "graph_text",
    "la_colour",
    "la_strip_svg",
    "legend_svg",
    "lineage_svg",
    "protocol_latex",
    "tree_dot",
    "tree_latex",
    "tree_svg",
    "tree_text",
]

DRAWINGS: dict[str, Callable[[Alignment, str], str]] = {
    "text": alignment_text,
    "svg": alignment_svg,
    "dot": alignment_dot,
    "latex": alignment_latex,
    "json": alignment_json,
}
"""The languages an alignment can be drawn in: name to a function of alignment and mapping (``"e"`` or ``"t"``)."""

ARC_DRAWINGS: dict[str, Callable[[DependencyAlignment], str]] = {
    "text": arcs_text,
    "svg": arcs_svg,
    "dot": arcs_dot,
    "latex": arcs_latex,
    "json": arcs_json,
}
"""The languages an alignment of dependency trees can be drawn in."""

PROTOCOL_DRAWINGS: dict[str, Callable[[TedEvalProtocol], str]] = {
    "text": protocol_text,
    "svg": protocol_svg,
    "latex": protocol_latex,
    "json": protocol_json,
}
"""The languages in which the steps of TedEval on a sentence can be shown."""

GRAPH_DRAWINGS: dict[str, Callable[[GraphAlignment], str]] = {
    "text": graph_text,
    "svg": graph_svg,
    "dot": graph_dot,
    "latex": graph_latex,
    "json": graph_json,
}
"""The languages an alignment of semantic graphs can be drawn in."""

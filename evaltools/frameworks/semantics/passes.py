"""The passes over semantic graphs: EDM, SDP, Smatch."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from evaltools.corpus.semantic_graph import SemanticGraph
from evaltools.frameworks.passes import Pass
from evaltools.frameworks.semantics.edm import ElementaryDependencies, GraphPass
from evaltools.frameworks.semantics.sdp import SemanticDependencies
from evaltools.frameworks.semantics.smatch import Smatch

_KINDS: tuple[type[GraphPass], ...] = (ElementaryDependencies, SemanticDependencies, Smatch)

PASSES: dict[str, type[Pass[Any]]] = {kind.family.id: kind for kind in _KINDS}
"""The passes by family, in the order of reports: the table that a new metric is added to."""


def families_for(graphs: Iterable[SemanticGraph | None]) -> tuple[str, ...]:
    """Return the families of the metrics that are computed for some graphs by default."""
    present = [graph for graph in graphs if graph is not None]
    return tuple(kind.family.id for kind in _KINDS if kind.suits(present))

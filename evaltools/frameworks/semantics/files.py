"""How files and profiles of semantic graphs are recognized and read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evaltools.formats import SemanticBank
from evaltools.frameworks.framework import OwnFiles
from evaltools.frameworks.scoring import Plan, Request
from evaltools.frameworks.semantics.edm_rules import EDM_PRESETS, load_edm_rules
from evaltools.frameworks.semantics.inputs import bank_digest, content_of, item_problems


def _describe_preset(name: str) -> str:
    return load_edm_rules(name).describe()


def _plan(gold: Any, parsers: Mapping[str, Any], request: Request, options: Any) -> Plan:
    from evaltools.frameworks.semantics.chunks import plan_graphs  # with the solver of Smatch

    return plan_graphs(gold, parsers, request, options)


GRAPH_FILES = OwnFiles(
    presets=EDM_PRESETS,
    describe_preset=_describe_preset,
    reads=SemanticBank,
    content=content_of,
    joint_problems=item_problems,
    plan=_plan,
    folder_digest=bank_digest,
)
"""Files and profiles of semantic graphs."""

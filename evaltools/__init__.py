"""Score parsers against a treebank and see where they go wrong.

>>> import evaltools
>>> a = evaltools.align("(S (NP (N dogs)) (VP (V bark)))", "(S (NP (N dogs)) (NP (N bark)))")
>>> a.scores["e_dice_roof"]
0.6666666666666666
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evaltools.errors import EvaltoolsError, InputError, ParameterError, Problem, RunError
    from evaltools.formats import FORMATS, read_treebank, write_treebank
    from evaltools.metrics import METRICS
    from evaltools.metrics.alignment import align
    from evaltools.metrics.leaf_ancestor import CostTable, lineage, lineage_alignment, read_cost_table
    from evaltools.metrics.mapping import Alignment, Mapping, NodeStatus
    from evaltools.normalize import PRESETS, Preset, load_preset
    from evaltools.runs.scoring import score
    from evaltools.runs.store import Run
    from evaltools.runs.verification import Verification, verify
    from evaltools.treebank import Dependencies, DependencyTree, Tree, Treebank

__version__ = "0.1.0"

_HOMES = {
    "EvaltoolsError": "errors",
    "InputError": "errors",
    "ParameterError": "errors",
    "Problem": "errors",
    "RunError": "errors",
    "FORMATS": "formats",
    "read_treebank": "formats",
    "verify": "runs.verification",
    "write_treebank": "formats",
    "METRICS": "metrics",
    "align": "metrics.alignment",
    "CostTable": "metrics.leaf_ancestor",
    "lineage": "metrics.leaf_ancestor",
    "lineage_alignment": "metrics.leaf_ancestor",
    "read_cost_table": "metrics.leaf_ancestor",
    "Alignment": "metrics.mapping",
    "Mapping": "metrics.mapping",
    "NodeStatus": "metrics.mapping",
    "PRESETS": "normalize",
    "Preset": "normalize",
    "load_preset": "normalize",
    "Run": "runs.store",
    "Verification": "runs.verification",
    "score": "runs.scoring",
    "Dependencies": "treebank",
    "DependencyTree": "treebank",
    "Tree": "treebank",
    "Treebank": "treebank",
}

__all__ = [
    "FORMATS",
    "METRICS",
    "PRESETS",
    "Alignment",
    "CostTable",
    "Dependencies",
    "DependencyTree",
    "EvaltoolsError",
    "InputError",
    "Mapping",
    "NodeStatus",
    "ParameterError",
    "Preset",
    "Problem",
    "Run",
    "RunError",
    "Tree",
    "Treebank",
    "Verification",
    "align",
    "lineage",
    "lineage_alignment",
    "load_preset",
    "read_cost_table",
    "read_treebank",
    "score",
    "verify",
    "write_treebank",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that ``import evaltools`` stays quick."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)

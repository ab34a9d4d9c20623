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
    from evaltools.errors import EvaltoolsError, InputError, ParameterError, Problem, RunError, UnificationError
    from evaltools.formats import FORMATS, read_treebank, write_treebank
    from evaltools.formats.conversion import convert
    from evaltools.formats.semantics import SemanticBank, SemanticItem, read_semantics
    from evaltools.formats.small_tables import read_label_map
    from evaltools.metrics import METRICS
    from evaltools.metrics.alignment import align
    from evaltools.metrics.dependency_alignment import align_dependencies
    from evaltools.metrics.dependency_mapping import DependencyAlignment
    from evaltools.metrics.edm_alignment import GraphAlignment, align_graphs
    from evaltools.metrics.edm_rules import EDM_PRESETS, EdmRules, load_edm_rules
    from evaltools.metrics.leaf_ancestor import CostTable, lineage, lineage_alignment, read_cost_table
    from evaltools.metrics.mapping import Alignment, Mapping, NodeStatus
    from evaltools.metrics.tedeval_protocol import TedEvalProtocol, tedeval_protocol
    from evaltools.normalize import PRESETS, Preset, load_preset
    from evaltools.runs.crossframework import crossframework
    from evaltools.runs.nbest_trees import oracle
    from evaltools.runs.reweighting import reweighted
    from evaltools.runs.scoring import score
    from evaltools.runs.store import Run
    from evaltools.runs.subset import subset
    from evaltools.runs.verification import Verification, verify
    from evaltools.treebank import (
        Dependencies,
        DependencyTree,
        FunctionTree,
        MultiFunctionTree,
        SemanticEdge,
        SemanticGraph,
        SemanticNode,
        Tree,
        Treebank,
        bare_function_tree,
        constituency_function_tree,
        dependency_function_tree,
        generalize,
        labelled_function_tree,
        multi_function_tree,
        realizational_function_tree,
        sorted_function_tree,
        subsumes,
        tl_unify,
        unify,
    )

__version__ = "0.3.0"

_HOMES = {
    "EvaltoolsError": "errors",
    "InputError": "errors",
    "ParameterError": "errors",
    "Problem": "errors",
    "RunError": "errors",
    "UnificationError": "errors",
    "FORMATS": "formats",
    "convert": "formats.conversion",
    "read_treebank": "formats",
    "write_treebank": "formats",
    "SemanticBank": "formats.semantics",
    "SemanticItem": "formats.semantics",
    "read_semantics": "formats.semantics",
    "read_label_map": "formats.small_tables",
    "METRICS": "metrics",
    "align": "metrics.alignment",
    "align_dependencies": "metrics.dependency_alignment",
    "GraphAlignment": "metrics.edm_alignment",
    "align_graphs": "metrics.edm_alignment",
    "EDM_PRESETS": "metrics.edm_rules",
    "EdmRules": "metrics.edm_rules",
    "load_edm_rules": "metrics.edm_rules",
    "CostTable": "metrics.leaf_ancestor",
    "lineage": "metrics.leaf_ancestor",
    "lineage_alignment": "metrics.leaf_ancestor",
    "read_cost_table": "metrics.leaf_ancestor",
    "Alignment": "metrics.mapping",
    "Mapping": "metrics.mapping",
    "NodeStatus": "metrics.mapping",
    "TedEvalProtocol": "metrics.tedeval_protocol",
    "tedeval_protocol": "metrics.tedeval_protocol",
    "PRESETS": "normalize",
    "Preset": "normalize",
    "load_preset": "normalize",
    "crossframework": "runs.crossframework",
    "reweighted": "runs.reweighting",
    "oracle": "runs.nbest_trees",
    "score": "runs.scoring",
    "Run": "runs.store",
    "subset": "runs.subset",
    "Verification": "runs.verification",
    "verify": "runs.verification",
    "Dependencies": "treebank",
    "DependencyAlignment": "metrics.dependency_mapping",
    "DependencyTree": "treebank",
    "FunctionTree": "treebank",
    "MultiFunctionTree": "treebank",
    "SemanticEdge": "treebank",
    "SemanticGraph": "treebank",
    "SemanticNode": "treebank",
    "Tree": "treebank",
    "Treebank": "treebank",
    "bare_function_tree": "treebank",
    "constituency_function_tree": "treebank",
    "dependency_function_tree": "treebank",
    "generalize": "treebank",
    "labelled_function_tree": "treebank",
    "multi_function_tree": "treebank",
    "realizational_function_tree": "treebank",
    "sorted_function_tree": "treebank",
    "subsumes": "treebank",
    "tl_unify": "treebank",
    "unify": "treebank",
}

__all__ = [
    "EDM_PRESETS",
    "FORMATS",
    "METRICS",
    "PRESETS",
    "Alignment",
    "CostTable",
    "Dependencies",
    "DependencyAlignment",
    "DependencyTree",
    "EdmRules",
    "EvaltoolsError",
    "FunctionTree",
    "GraphAlignment",
    "InputError",
    "Mapping",
    "MultiFunctionTree",
    "NodeStatus",
    "ParameterError",
    "Preset",
    "Problem",
    "Run",
    "RunError",
    "SemanticBank",
    "SemanticEdge",
    "SemanticGraph",
    "SemanticItem",
    "SemanticNode",
    "TedEvalProtocol",
    "Tree",
    "Treebank",
    "UnificationError",
    "Verification",
    "align",
    "align_dependencies",
    "align_graphs",
    "bare_function_tree",
    "constituency_function_tree",
    "convert",
    "crossframework",
    "dependency_function_tree",
    "generalize",
    "labelled_function_tree",
    "lineage",
    "lineage_alignment",
    "load_edm_rules",
    "load_preset",
    "multi_function_tree",
    "oracle",
    "read_cost_table",
    "read_label_map",
    "read_semantics",
    "read_treebank",
    "realizational_function_tree",
    "reweighted",
    "score",
    "sorted_function_tree",
    "subset",
    "subsumes",
    "tedeval_protocol",
    "tl_unify",
    "unify",
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

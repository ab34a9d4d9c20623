"""Score parsers against a gold treebank and find their errors.

>>> import evaltools
>>> a = evaltools.align("(S (NP (N dogs)) (VP (V bark)))", "(S (NP (N dogs)) (NP (N bark)))")
>>> a.scores["f1"]
0.6666666666666666
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from evaltools.display import import_before_display

if TYPE_CHECKING:
    from evaltools.corpus import (
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
    from evaltools.errors import EvaltoolsError, InputError, ParameterError, Problem, RunError, UnificationError
    from evaltools.formats import FORMATS, SemanticBank, SemanticItem, read_semantics, read_treebank, write_treebank
    from evaltools.formats.conversion import convert
    from evaltools.formats.small_tables import read_label_map
    from evaltools.frameworks.common.leaf_ancestor import lineage_alignment
    from evaltools.frameworks.common.lineages import CostTable
    from evaltools.frameworks.common.tree_options import read_cost_table
    from evaltools.frameworks.constituency.aligned_trees import Alignment, Mapping
    from evaltools.frameworks.constituency.alignment import align
    from evaltools.frameworks.constituency.leaf_ancestor import lineage
    from evaltools.frameworks.crossframework.edit_scripts import TedEvalProtocol
    from evaltools.frameworks.crossframework.protocol import tedeval_protocol
    from evaltools.frameworks.dependency.aligned_arcs import DependencyAlignment
    from evaltools.frameworks.dependency.alignment import align_dependencies
    from evaltools.frameworks.presets import PRESETS, Preset, load_preset
    from evaltools.frameworks.registry import METRICS
    from evaltools.frameworks.semantics.aligned_graphs import GraphAlignment
    from evaltools.frameworks.semantics.alignment import align_graphs
    from evaltools.frameworks.semantics.edm_rules import EDM_PRESETS, EdmRules, load_edm_rules
    from evaltools.frameworks.semantics.reweighting import reweighted
    from evaltools.marks import Status
    from evaltools.runs.evaluation import evaluate
    from evaltools.runs.oracle import oracle
    from evaltools.runs.scoring import crossframework, score
    from evaltools.runs.store import Run
    from evaltools.runs.subset import subset
    from evaltools.runs.verification import Verification, verify

__version__ = "0.3.0"

_MODULES = {
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
    "SemanticBank": "formats",
    "SemanticItem": "formats",
    "read_semantics": "formats",
    "read_label_map": "formats.small_tables",
    "METRICS": "frameworks.registry",
    "align": "frameworks.constituency.alignment",
    "align_dependencies": "frameworks.dependency.alignment",
    "GraphAlignment": "frameworks.semantics.aligned_graphs",
    "align_graphs": "frameworks.semantics.alignment",
    "EDM_PRESETS": "frameworks.semantics.edm_rules",
    "EdmRules": "frameworks.semantics.edm_rules",
    "load_edm_rules": "frameworks.semantics.edm_rules",
    "CostTable": "frameworks.common.lineages",
    "lineage": "frameworks.constituency.leaf_ancestor",
    "lineage_alignment": "frameworks.common.leaf_ancestor",
    "read_cost_table": "frameworks.common.tree_options",
    "Alignment": "frameworks.constituency.aligned_trees",
    "Mapping": "frameworks.constituency.aligned_trees",
    "Status": "marks",
    "TedEvalProtocol": "frameworks.crossframework.edit_scripts",
    "tedeval_protocol": "frameworks.crossframework.protocol",
    "PRESETS": "frameworks.presets",
    "Preset": "frameworks.presets",
    "load_preset": "frameworks.presets",
    "crossframework": "runs.scoring",
    "evaluate": "runs.evaluation",
    "reweighted": "frameworks.semantics.reweighting",
    "oracle": "runs.oracle",
    "score": "runs.scoring",
    "Run": "runs.store",
    "subset": "runs.subset",
    "Verification": "runs.verification",
    "verify": "runs.verification",
    "Dependencies": "corpus",
    "DependencyAlignment": "frameworks.dependency.aligned_arcs",
    "DependencyTree": "corpus",
    "FunctionTree": "corpus",
    "MultiFunctionTree": "corpus",
    "SemanticEdge": "corpus",
    "SemanticGraph": "corpus",
    "SemanticNode": "corpus",
    "Tree": "corpus",
    "Treebank": "corpus",
    "bare_function_tree": "corpus",
    "constituency_function_tree": "corpus",
    "dependency_function_tree": "corpus",
    "generalize": "corpus",
    "labelled_function_tree": "corpus",
    "multi_function_tree": "corpus",
    "realizational_function_tree": "corpus",
    "sorted_function_tree": "corpus",
    "subsumes": "corpus",
    "tl_unify": "corpus",
    "unify": "corpus",
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
    "Status",
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
    "evaluate",
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
    """Import a public name when it is first used, so that ``import evaltools`` is fast."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


import_before_display(lambda: import_module(f"{__name__}.outputs.notebook"))

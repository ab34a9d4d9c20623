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
        Dependencies as Dependencies,
        DependencyTree as DependencyTree,
        FunctionTree as FunctionTree,
        MultiFunctionTree as MultiFunctionTree,
        SemanticEdge as SemanticEdge,
        SemanticGraph as SemanticGraph,
        SemanticNode as SemanticNode,
        Tree as Tree,
        Treebank as Treebank,
        bare_function_tree as bare_function_tree,
        constituency_function_tree as constituency_function_tree,
        dependency_function_tree as dependency_function_tree,
        generalize as generalize,
        labeled_function_tree as labeled_function_tree,
        multi_function_tree as multi_function_tree,
        realizational_function_tree as realizational_function_tree,
        sorted_function_tree as sorted_function_tree,
        subsumes as subsumes,
        tl_unify as tl_unify,
        unify as unify,
    )
    from evaltools.errors import (
        EvaltoolsError as EvaltoolsError,
        InputError as InputError,
        ParameterError as ParameterError,
        Problem as Problem,
        RunError as RunError,
        UnificationError as UnificationError,
    )
    from evaltools.formats import (
        FORMATS as FORMATS,
        SemanticBank as SemanticBank,
        SemanticItem as SemanticItem,
        read_semantics as read_semantics,
        read_treebank as read_treebank,
        write_treebank as write_treebank,
    )
    from evaltools.formats.conversion import convert as convert
    from evaltools.formats.small_tables import read_label_map as read_label_map
    from evaltools.frameworks.common.leaf_ancestor import lineage_alignment as lineage_alignment
    from evaltools.frameworks.common.lineages import CostTable as CostTable
    from evaltools.frameworks.common.tree_options import read_cost_table as read_cost_table
    from evaltools.frameworks.constituency.aligned_trees import Alignment as Alignment, Mapping as Mapping
    from evaltools.frameworks.constituency.alignment import align as align
    from evaltools.frameworks.constituency.leaf_ancestor import lineage as lineage
    from evaltools.frameworks.crossframework.edit_scripts import TedEvalProtocol as TedEvalProtocol
    from evaltools.frameworks.crossframework.protocol import tedeval_protocol as tedeval_protocol
    from evaltools.frameworks.dependency.aligned_arcs import DependencyAlignment as DependencyAlignment
    from evaltools.frameworks.dependency.alignment import align_dependencies as align_dependencies
    from evaltools.frameworks.presets import PRESETS as PRESETS, Preset as Preset, load_preset as load_preset
    from evaltools.frameworks.registry import METRICS as METRICS
    from evaltools.frameworks.semantics.aligned_graphs import GraphAlignment as GraphAlignment
    from evaltools.frameworks.semantics.alignment import align_graphs as align_graphs
    from evaltools.frameworks.semantics.edm_rules import (
        EDM_PRESETS as EDM_PRESETS,
        EdmRules as EdmRules,
        load_edm_rules as load_edm_rules,
    )
    from evaltools.frameworks.semantics.reweighting import reweighted as reweighted
    from evaltools.marks import Status as Status
    from evaltools.runs.oracle import oracle as oracle
    from evaltools.runs.scoring import crossframework as crossframework, evaluate as evaluate, score as score
    from evaltools.runs.store import Run as Run
    from evaltools.runs.subset import subset as subset
    from evaltools.runs.verification import Verification as Verification, verify as verify

__version__ = "0.3.0"

_NAMES = {
    "corpus": (
        "Dependencies DependencyTree FunctionTree MultiFunctionTree SemanticEdge SemanticGraph SemanticNode Tree "
        "Treebank bare_function_tree constituency_function_tree dependency_function_tree generalize "
        "labeled_function_tree multi_function_tree realizational_function_tree sorted_function_tree subsumes "
        "tl_unify unify"
    ),
    "errors": "EvaltoolsError InputError ParameterError Problem RunError UnificationError",
    "formats": "FORMATS SemanticBank SemanticItem read_semantics read_treebank write_treebank",
    "formats.conversion": "convert",
    "formats.small_tables": "read_label_map",
    "frameworks.common.leaf_ancestor": "lineage_alignment",
    "frameworks.common.lineages": "CostTable",
    "frameworks.common.tree_options": "read_cost_table",
    "frameworks.constituency.aligned_trees": "Alignment Mapping",
    "frameworks.constituency.alignment": "align",
    "frameworks.constituency.leaf_ancestor": "lineage",
    "frameworks.crossframework.edit_scripts": "TedEvalProtocol",
    "frameworks.crossframework.protocol": "tedeval_protocol",
    "frameworks.dependency.aligned_arcs": "DependencyAlignment",
    "frameworks.dependency.alignment": "align_dependencies",
    "frameworks.presets": "PRESETS Preset load_preset",
    "frameworks.registry": "METRICS",
    "frameworks.semantics.aligned_graphs": "GraphAlignment",
    "frameworks.semantics.alignment": "align_graphs",
    "frameworks.semantics.edm_rules": "EDM_PRESETS EdmRules load_edm_rules",
    "frameworks.semantics.reweighting": "reweighted",
    "marks": "Status",
    "runs.oracle": "oracle",
    "runs.scoring": "crossframework evaluate score",
    "runs.store": "Run",
    "runs.subset": "subset",
    "runs.verification": "Verification verify",
}
"""The public names, by the modules that have them."""

_MODULES = {name: module for module, names in _NAMES.items() for name in names.split()}
__all__ = list(_MODULES)


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that ``import evaltools`` is fast."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(_MODULES)


import_before_display(lambda: import_module(f"{__name__}.outputs.notebook"))

"""Runs of dependency trees as they are stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec

from evaltools.corpus import DependencyTree
from evaltools.frameworks.common.label_map import relabeled_tree
from evaltools.frameworks.dependency.alignment import align_by_options
from evaltools.frameworks.dependency.empty_columns import incomplete_metrics
from evaltools.frameworks.dependency.figures import ATTACHMENTS, attachment_figures, relation_figures, relations_query
from evaltools.frameworks.dependency.pair import PUNCTUATION
from evaltools.frameworks.options import options_of
from evaltools.frameworks.presets import Preset, load_preset
from evaltools.frameworks.stored import LabelColumns, Labels, StoredRun, StoredRuns, mismatch

if TYPE_CHECKING:
    import pandas as pd

    from evaltools.frameworks.dependency.aligned_arcs import DependencyAlignment
    from evaltools.frameworks.stored import AnyTree

__all__ = ["DependencyRuns"]


class _Options(msgspec.Struct):
    la_preterminals: bool
    la_table: list[tuple[str, str, float]] | None
    engine: str
    punctuation: str
    subtypes: bool


class _Rules(msgspec.Struct):
    label_map: dict[str, str] = {}  # only if set


class _Meta(msgspec.Struct):
    options: _Options
    preset_fields: _Rules | None


class DependencyRuns(StoredRuns):
    """Runs of dependency trees."""

    labels = Labels("Relation in the gold tree", "words", "relation", "relation is not null")
    labels_sql = ("words", "select unnest([relation, test_relation]) as label from words")
    label_columns = LabelColumns({"relation": "label"}, ("gold", "test", "matched", "labelled"))

    def meta_problem(self, meta: dict[str, Any]) -> str:
        """Return what is wrong with the options."""
        if problem := mismatch(meta, _Meta):
            return problem
        punctuation = meta["options"]["punctuation"]
        return "" if punctuation in PUNCTUATION else f"unknown punctuation {punctuation!r}"

    def rules_of(self, meta: Mapping[str, Any]) -> Preset:
        """Return the preset that leaves trees as they are, with the map of relations."""
        return replace(load_preset("none"), label_map=(meta["preset_fields"] or {}).get("label_map", {}))

    def incomplete_metrics(self, run: StoredRun) -> dict[str, dict[str, list[str]]]:
        """Return the ids of the metrics that compare columns without values, each with these columns by parser."""
        return incomplete_metrics(run)

    def read_tree(self, text: str, notation: str) -> DependencyTree:
        """Return a tree from its text."""
        return DependencyTree.from_string(text, notation)

    def align(self, run: StoredRun, gold: AnyTree | None, test: AnyTree | None) -> DependencyAlignment:
        """Align two trees by the options of a run."""
        options = options_of(run.meta["options"])
        gold_tree, test_tree = (
            relabeled_tree(tree, run.rules.label_map)
            if isinstance(tree, DependencyTree)
            else DependencyTree((), (), ())
            for tree in (gold, test)
        )
        return align_by_options(gold_tree, test_tree, options)

    def label_figures(self, run: StoredRun, parser: str | None) -> pd.DataFrame:
        """Return figures of words by relation."""
        query = relations_query(subtypes=run.meta["options"]["subtypes"])
        return relation_figures(run.query(query, [parser, parser]), run.parsers)

    def attachments(self, run: StoredRun, parser: str | None) -> pd.DataFrame:
        """Return attachment by distance to the head and by its direction."""
        return attachment_figures(run.query(ATTACHMENTS, [parser] * ATTACHMENTS.count("?")), run.parsers)

    def label_query(self, parser: str, label: str) -> tuple[str, list[Any]] | None:
        """Return SQL of the sentences with a word of a relation."""
        return "select sentence from words where parser = ? and ? in (relation, test_relation)", [parser, label]

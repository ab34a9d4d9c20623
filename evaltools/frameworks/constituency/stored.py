"""Runs of constituency trees as they are stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from evaltools.corpus import Tree
from evaltools.formats import notation_of
from evaltools.frameworks.constituency.alignment import align
from evaltools.frameworks.constituency.rules.realizational import phrases_of
from evaltools.frameworks.metric import ratio
from evaltools.frameworks.options import ENGINES, options_of
from evaltools.frameworks.presets import PRESETS, Preset
from evaltools.frameworks.presets.preset import recorded_preset
from evaltools.frameworks.stored import LabelColumns, Labels, StoredRun, StoredRuns, mismatch

if TYPE_CHECKING:
    import pandas as pd

    from evaltools.frameworks.constituency.aligned_trees import Alignment
    from evaltools.frameworks.stored import AnyTree

__all__ = ["ConstituencyRuns", "label_figures"]

LABELS = """
select brackets.parser, label,
       count(*) filter (gold_kind = 'phrase') as gold,
       count(*) filter (test_kind = 'phrase') as test,
       count(*) filter (gold_kind = 'phrase' and test_kind = 'phrase') as matched
from brackets join sentences using (parser, sentence)
where e_status is not null and 'phrase' in (gold_kind, test_kind) and (status = 'ok' or words_aligned is not null)
      and (? is null or brackets.parser = ?)
group by all
"""
"""Counts of brackets by label, over scored sentences; both parameters are the parser, or null for all."""


def label_figures(rows: pd.DataFrame, parsers: Sequence[str]) -> pd.DataFrame:
    """Add recall, precision and F1 to counts of brackets by label, and put them in order."""
    gold, test, matched = (rows[name].to_numpy(dtype=np.float64) for name in ("gold", "test", "matched"))
    rows = rows.assign(
        e_recall=ratio(matched, gold), e_precision=ratio(matched, test), e_dice=ratio(2 * matched, gold + test)
    )
    ranks = {name: number for number, name in enumerate(parsers)}
    order = rows.assign(_rank=rows["parser"].map(ranks)).sort_values(
        ["_rank", "gold", "test", "label"], ascending=[True, False, False, True], kind="stable"
    )
    return order.drop(columns="_rank").reset_index(drop=True)


class _Options(msgspec.Struct):
    la_preterminals: bool
    la_table: list[tuple[str, str, float]] | None
    engine: str


class _Meta(msgspec.Struct):
    options: _Options


class _Rules(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    summary: str
    delete_tags: list[str]
    delete_by_gold: bool
    delete_labels: list[str]
    delete_top: list[str]
    cut: str
    drop_empty: bool
    relabel: dict[str, str]
    empty_tags: list[str] = []  # not in schema 4
    delete_words: list[str] = []  # not in older runs
    multiword_only: bool = False  # only if set
    label_map: dict[str, str] = {}


class _PresetMeta(msgspec.Struct):
    preset_fields: _Rules


class ConstituencyRuns(StoredRuns):
    """Runs of constituency trees."""

    labels = Labels("Phrase label in the gold tree", "brackets", "label", "gold_kind = 'phrase'")
    labels_sql = ("sentences", "select unnest(string_split(labels, ' ')) as label from sentences")
    label_columns = LabelColumns({"label": "label"}, shares=("e_recall", "e_precision", "e_dice"))

    def meta_problem(self, meta: dict[str, Any]) -> str:
        """Return what is wrong with the options and the preset."""
        if problem := mismatch(meta, _Meta):
            return problem
        if meta["options"]["engine"] not in ENGINES:
            return f"unknown engine {meta['options']['engine']!r}"
        if meta["preset_fields"]:
            return mismatch(meta, _PresetMeta)
        if meta["preset_source"]:
            return ""
        if meta["preset"] not in PRESETS or meta["preset"] == "evalb:FILE":
            return f"the rules of preset {meta['preset']!r} are not in it"  # rules are read from the run only
        return ""

    def rules_of(self, meta: Mapping[str, Any]) -> Preset:
        """Return the preset, with the parameter file as it was when the run was made."""
        return recorded_preset(meta)

    def read_tree(self, text: str, notation: str) -> Tree:
        """Return a tree from its text, a relational-realizational one without its functions."""
        tree = Tree.from_string(text, notation_of(notation))
        return phrases_of(tree) if notation == "rr" else tree

    def align(self, run: StoredRun, gold: AnyTree | None, test: AnyTree | None) -> Alignment:
        """Align two trees by the preset and the options of a run."""
        options = options_of(run.meta["options"])
        gold, test = (tree if isinstance(tree, Tree) else Tree.from_string("") for tree in (gold, test))
        return align(
            gold,
            test,
            run.rules,
            la_preterminals=options.la_preterminals,
            la_table=options.la_table,
            engine=options.engine,
        )

    def label_figures(self, run: StoredRun, parser: str | None) -> pd.DataFrame:
        """Return figures of brackets by phrase label."""
        return label_figures(run.query(LABELS, [parser, parser]), run.parsers)

    def label_query(self, parser: str, label: str) -> tuple[str, list[Any]] | None:
        """Return SQL of the sentences with a phrase of a label."""
        if " " in label:  # the separator of labels, which no label contains
            return None
        return "select sentence from sentences where parser = ? and contains(labels, ' ' || ? || ' ')", [parser, label]
